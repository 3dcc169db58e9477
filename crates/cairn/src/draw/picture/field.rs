//! Fields: one number per body, and the colour it gets.

use super::PictureOptions;
use crate::body::Motion;
use crate::contact::{Reaction, Status};
use crate::draw::colour::{Colour, Theme, of_kind, on_scale};
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use std::str::FromStr;

/// What colours the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Field {
    /// One colour for all.
    #[default]
    None,
    /// Speed of the centre of mass [m/s].
    Speed,
    /// Distance of the centre of mass from its start [m].
    Displacement,
    /// Angular speed [rad/s].
    Spin,
    /// Angle between the orientation and that at the start [rad], at most π.
    Rotation,
    /// Number of contacts that carry a force.
    Contacts,
    /// The group the body belongs to.
    Group,
    /// Largest normal contact force on the body [N].
    Force,
}

impl Field {
    /// All fields with the names by which a user asks for them.
    pub const NAMES: [(&'static str, Field); 8] = [
        ("none", Field::None),
        ("speed", Field::Speed),
        ("displacement", Field::Displacement),
        ("spin", Field::Spin),
        ("rotation", Field::Rotation),
        ("contacts", Field::Contacts),
        ("group", Field::Group),
        ("force", Field::Force),
    ];

    /// Name in legends, and SI unit.
    pub fn label(self) -> (&'static str, &'static str) {
        match self {
            Field::None => ("", ""),
            Field::Speed => ("speed", "m/s"),
            Field::Displacement => ("displacement", "m"),
            Field::Spin => ("spin", "rad/s"),
            Field::Rotation => ("rotation", "rad"),
            Field::Contacts => ("contacts", "-"),
            Field::Group => ("group", ""),
            Field::Force => ("largest normal force", "N"),
        }
    }
}

impl FromStr for Field {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = Self::NAMES.map(|n| n.0).join(", ");
        let found = Self::NAMES.iter().find(|n| n.0 == name);
        found.map(|n| n.1).ok_or_else(|| format!("no field is called '{name}'; there are {names}"))
    }
}

/// Colours of the bodies and what the legend says about them.
pub struct Paint {
    /// Body by body.
    pub colours: Vec<Colour>,
    /// What the colours mean.
    pub key: Key,
}

impl Paint {
    /// Mixes all colours with paper, in the legend too, so that forces inside bodies are seen.
    pub fn faded(mut self, paper: Colour, share: f64) -> Self {
        self.colours.iter_mut().for_each(|c| *c = c.mix(paper, share));
        match &mut self.key {
            Key::None => {}
            Key::Scale { paper_share, .. } => *paper_share = share,
            Key::Groups(groups) => groups.iter_mut().for_each(|g| g.1 = g.1.mix(paper, share)),
        }
        self
    }
}

/// What the colours of bodies mean.
pub enum Key {
    /// Nothing.
    None,
    /// A value between two ends.
    Scale {
        /// The field.
        field: Field,
        /// Value of the darkest colour, SI.
        low: f64,
        /// Value of the lightest colour, SI.
        high: f64,
        /// Share of paper in all colours.
        paper_share: f64,
    },
    /// A name each.
    Groups(Vec<(String, Colour)>),
}

/// Colours of all bodies; obstacles are grey whatever the field.
pub fn paint<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
    options: &PictureOptions,
    theme: &Theme,
) -> Paint
where
    Space<D>: Ambient<D>,
{
    let field = options.field;
    let coat = |colour_of: &dyn Fn(usize) -> Colour| -> Vec<Colour> {
        let bodies = scene.bodies.iter().enumerate();
        bodies.map(|(k, b)| if b.is_obstacle() { theme.obstacle } else { colour_of(k) }).collect()
    };
    match field {
        Field::None => Paint { colours: coat(&|_| theme.body), key: Key::None },
        Field::Group => {
            let colours = coat(&|k| of_kind(scene.bodies[k].group as usize));
            let mut shown: Vec<usize> =
                scene.bodies.iter().filter(|b| !b.is_obstacle()).map(|b| b.group as usize).collect();
            shown.sort_unstable();
            shown.dedup();
            let name = |g: usize| scene.groups.get(g).cloned().unwrap_or_else(|| format!("group {g}"));
            Paint { colours, key: Key::Groups(shown.into_iter().map(|g| (name(g), of_kind(g))).collect()) }
        }
        _ => {
            let values = values(field, scene, motions, reactions);
            let free = scene.bodies.iter().zip(&values).filter(|(b, _)| !b.is_obstacle()).map(|(_, v)| *v);
            let (low, high) = ends(free, options.range);
            let colours = coat(&|k| on_scale((values[k] - low) / (high - low)));
            Paint { colours, key: Key::Scale { field, low, high, paper_share: 0.0 } }
        }
    }
}

/// All fields are magnitudes: the scale starts at zero unless told otherwise.
fn ends(values: impl Iterator<Item = f64>, range: Option<(f64, f64)>) -> (f64, f64) {
    if let Some((low, high)) = range
        && low < high
        && (high - low).is_finite()
    {
        return (low, high);
    }
    let top = values.filter(|v| v.is_finite()).fold(0.0, f64::max);
    (0.0, if top > 1e-290 { top } else { 1.0 })
}

fn values<const D: usize>(field: Field, scene: &Scene<D>, motions: &[Motion<D>], reactions: &[Reaction<D>]) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let count = scene.bodies.len();
    let angle = |spin| Space::<D>::spin_dot(&spin, &spin).sqrt();
    let from_start = |measure: &dyn Fn(&Motion<D>, &Motion<D>) -> f64| -> Vec<f64> {
        let pair = |k| Some((motions.get(k)?, scene.start.get(k)?));
        (0..count).map(|k| pair(k).map_or(f64::NAN, |(now, start)| measure(now, start))).collect()
    };
    match field {
        Field::None | Field::Group => vec![0.0; count],
        Field::Speed => from_start(&|now, _| now.velocity.norm()),
        Field::Displacement => from_start(&|now, start| (now.place.centre - start.place.centre).norm()),
        Field::Spin => from_start(&|now, _| angle(now.spin)),
        Field::Rotation => from_start(&|now, start| {
            let back = Space::<D>::inverse(&start.place.turn);
            angle(Space::<D>::angle_of(&Space::<D>::compose(&now.place.turn, &back)))
        }),
        Field::Contacts => {
            over_contacts(count, reactions, |sum, r| sum + if r.status == Status::Open { 0.0 } else { 1.0 })
        }
        Field::Force => over_contacts(count, reactions, |most, r| {
            most.max(r.impulse.dot(&r.contact.touch.normal) / scene.time.step)
        }),
    }
}

/// Folds the contacts of each body, from zero.
fn over_contacts<const D: usize>(
    count: usize,
    reactions: &[Reaction<D>],
    fold: impl Fn(f64, &Reaction<D>) -> f64,
) -> Vec<f64> {
    let mut out = vec![0.0; count];
    for reaction in reactions {
        for body in reaction.contact.bodies {
            if let Some(value) = out.get_mut(body as usize) {
                *value = fold(*value, reaction);
            }
        }
    }
    out
}
