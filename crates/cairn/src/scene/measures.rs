//! Reading `[[measure]]`: numbers of chosen bodies that are columns of the history.

use super::Scene;
use super::document::{Ask, Kind, Place, Problem, Table, Value, suggest};
use super::spec::{MeasureSpec, RegionSpec};
use crate::space::{Ambient, Space, Vect};

/// What can be measured of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Position of the common centre.
    Position,
    /// Its displacement from the start.
    Displacement,
    /// Its velocity.
    Velocity,
    /// Rotation of a single rigid body from the start.
    Rotation,
    /// Its angular velocity.
    Spin,
    /// Sum of the contact forces.
    Force,
    /// Their moment about the common centre.
    Moment,
    /// Kinetic energy.
    KineticEnergy,
    /// Speed of the fastest body.
    LargestSpeed,
    /// Mean stress by the contact forces.
    Stress,
    /// The share of the stress that the motion carries.
    KineticStress,
    /// Volume of bodies over that of the region.
    SolidFraction,
    /// Voids over volume of bodies.
    VoidRatio,
    /// Neighbours and rattlers.
    Coordination,
    /// Fabric tensor.
    Fabric,
    /// Of contacts, normal and tangential forces.
    Anisotropies,
    /// How much of friction is used.
    MobilizedFriction,
}

/// Names in the scene file, with what they stand for.
pub const QUANTITIES: [(&str, &str, Quantity); 17] = [
    ("position", "of the common centre of mass", Quantity::Position),
    ("displacement", "of the common centre of mass from the start", Quantity::Displacement),
    ("velocity", "of the common centre of mass", Quantity::Velocity),
    ("rotation", "of one rigid body from the start, as a vector; at most half a turn is told", Quantity::Rotation),
    ("spin", "angular velocity of one rigid body", Quantity::Spin),
    ("force", "sum of the contact forces on them: what supports, drives and walls have to hold", Quantity::Force),
    ("moment", "moment of the contact forces on them about the common centre of mass", Quantity::Moment),
    ("kinetic_energy", "kinetic energy", Quantity::KineticEnergy),
    ("largest_speed", "speed of the fastest centre of mass", Quantity::LargestSpeed),
    ("stress", "mean stress by Love and Weber, tension positive", Quantity::Stress),
    ("kinetic_stress", "−Σ m v′ ⊗ v′ / V, v′ relative to the mean velocity", Quantity::KineticStress),
    ("solid_fraction", "volume of the bodies over that of the region", Quantity::SolidFraction),
    ("void_ratio", "volume of the voids over that of the bodies", Quantity::VoidRatio),
    (
        "coordination",
        "mean number of neighbours that press, with and without rattlers, and the share of these",
        Quantity::Coordination,
    ),
    ("fabric", "Σ n ⊗ n / N over contacts that press", Quantity::Fabric),
    (
        "anisotropies",
        "of contacts, normal and tangential forces, in the principal axes of the stress",
        Quantity::Anisotropies,
    ),
    ("mobilized_friction", "mean of ‖f_T‖/(μ f_N), and the share of contacts that slip", Quantity::MobilizedFriction),
];

/// Where measures look.
#[derive(Clone, Debug, PartialEq)]
pub enum Region<const D: usize> {
    /// Between two corners [m].
    Box {
        /// Lowest corner.
        low: Vect<D>,
        /// Highest corner.
        high: Vect<D>,
    },
    /// A disk or ball [m].
    Ball {
        /// Its centre.
        centre: Vect<D>,
        /// Its radius.
        radius: f64,
    },
}

impl<const D: usize> Region<D> {
    /// Is a point in it?
    pub fn holds(&self, x: &Vect<D>) -> bool {
        match self {
            Self::Box { low, high } => (0..D).all(|k| low[k] <= x[k] && x[k] <= high[k]),
            Self::Ball { centre, radius } => (x - centre).norm_squared() <= radius * radius,
        }
    }

    /// Its volume [m³; 2D: m²].
    pub fn volume(&self) -> f64 {
        match self {
            Self::Box { low, high } => (high - low).iter().product(),
            Self::Ball { radius, .. } if D == 2 => std::f64::consts::PI * radius * radius,
            Self::Ball { radius, .. } => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
        }
    }
}

/// What is measured of which bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure<const D: usize> {
    /// What its columns begin with.
    pub name: String,
    /// Bodies, sorted.
    pub bodies: Vec<u32>,
    /// A node of the deformable body, instead of its centre.
    pub node: Option<u32>,
    /// Where; `None`: in the box around them.
    pub region: Option<Region<D>>,
    /// What.
    pub of: Vec<Quantity>,
}

/// `[[measure]]`.
pub fn measure(t: &Table) -> Option<MeasureSpec> {
    let name = t.text("name", "name that its columns of the history begin with").required();
    let doc = "bodies, as in `[[drive]]`: a group, \"group#3\", \"group#3-7\" [default: all that can move]";
    let bodies = t.text("bodies", doc).optional().map(|name| (name, t.place_of("bodies")));
    let of = quantities(t).required();
    let doc = "of one deformable body: the node that is nearest to this place at the start is followed, instead of the centre of mass [m]";
    let at = t.vector("at", doc).optional();
    let doc = "only what is in this box or ball: bodies by their centres, contacts by their points";
    let region = t.table("within", doc, region);
    let region = if t.has("within") { Some(region.optional()?) } else { region.optional() };
    Some(MeasureSpec { name: name?, place: t.place, bodies, at, region, of: of? })
}

fn quantities<'t>(t: &'t Table) -> Ask<'t, Vec<Quantity>> {
    let words = QUANTITIES.iter().map(|(name, doc, _)| (*name, *doc)).collect();
    let kind = Kind::List(Box::new(Kind::Choice(words)));
    Ask::new(t, "of", "what is measured", kind, |t, node| match &node.value {
        Value::List(items) => items.iter().map(|item| quantity(t, &t.word("of", item)?, item.place)).collect(),
        _ => t.mismatch("of", node, "a list of quantities"),
    })
}

fn quantity(t: &Table, word: &str, place: Place) -> Option<Quantity> {
    let found = QUANTITIES.iter().find(|(name, ..)| *name == word);
    if found.is_none() {
        let problem = Problem::new(place, format!("unknown quantity `{word}`"), "not known here");
        t.reader.report(problem.help(suggest(word, "quantities", &QUANTITIES.map(|(name, ..)| name))));
    }
    found.map(|(.., quantity)| *quantity)
}

fn region(t: &Table) -> Option<RegionSpec> {
    let low = t.vector("low", "of a box: lowest corner [m]").optional();
    let high = t.vector("high", "of a box: highest corner [m]").optional();
    let centre = t.vector("centre", "of a ball: its centre [m]").optional();
    let radius = t.number("radius", "of a ball: its radius [m]").positive().optional();
    match (low, high, centre, radius) {
        (Some(low), Some(high), None, None) if (0..t.reader.dimension.get()).all(|k| low[k] < high[k]) => {
            Some(RegionSpec::Box([low, high]))
        }
        (None, None, Some(centre), Some(radius)) => Some(RegionSpec::Ball(centre, radius)),
        _ => {
            let message = format!("`{}` needs `low` and `high`, one below the other, or `centre` and `radius`", t.path);
            t.reader.report(Problem::new(t.place, message, "which region?"));
            None
        }
    }
}

/// The node that a measure follows: of the one deformable body that it is about, the nearest to a place.
pub fn followed<const D: usize>(scene: &Scene<D>, bodies: &[u32], measure: &MeasureSpec, at: &Vect<D>) -> Option<u32>
where
    Space<D>: Ambient<D>,
{
    let moves = |q: &Quantity| matches!(q, Quantity::Position | Quantity::Displacement | Quantity::Velocity);
    let &[body] = bodies else { return None };
    let flexible = scene.flexible(body).filter(|_| measure.of.iter().all(moves) && measure.region.is_none())?;
    let away = |node: &u32| (flexible.reference(*node as usize) - at).norm_squared();
    (0..flexible.model.nodes().len() as u32).min_by(|a, b| away(a).total_cmp(&away(b)))
}
