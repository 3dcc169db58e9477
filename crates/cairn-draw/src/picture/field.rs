//! Fields: one number per body, and the colour it gets.

use super::PictureOptions;
use crate::colour::{Colour, ColourMap, Theme, of_kind};
use cairn::body::Motion;
use cairn::contact::{Bond, Reaction, Status};
use cairn::measure;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space};

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
    /// Largest damage of a bond of the body, 0 to 1; a bond that broke has 1. Of deformable bodies, the damage of their material.
    Damage,
    /// Von Mises stress of deformable bodies [Pa].
    VonMises,
    /// −tr σ/3 of deformable bodies [Pa].
    Pressure,
    /// Largest principal stress of deformable bodies, positive in tension [Pa].
    LargestStress,
    /// Smallest principal stress of deformable bodies [Pa].
    SmallestStress,
    /// Equivalent strain √(2/3 e : e) of deformable bodies, e the deviator of the total strain.
    DeviatoricStrain,
    /// Change of volume of deformable bodies, tr ε.
    VolumetricStrain,
    /// Largest principal strain of deformable bodies.
    MajorStrain,
    /// Smallest principal strain of deformable bodies.
    MinorStrain,
    /// Contact pressure on deformable bodies [Pa].
    ContactPressure,
    /// A number that materials of deformable bodies remember.
    Remembered {
        /// Its name.
        name: &'static str,
        /// Its unit.
        unit: &'static str,
    },
}

impl Field {
    /// All fields with the names by which a user asks for them.
    pub const NAMES: [(&'static str, Field); 18] = [
        ("none", Field::None),
        ("speed", Field::Speed),
        ("displacement", Field::Displacement),
        ("spin", Field::Spin),
        ("rotation", Field::Rotation),
        ("contacts", Field::Contacts),
        ("group", Field::Group),
        ("force", Field::Force),
        ("damage", Field::Damage),
        ("von_mises", Field::VonMises),
        ("pressure", Field::Pressure),
        ("largest_stress", Field::LargestStress),
        ("smallest_stress", Field::SmallestStress),
        ("deviatoric_strain", Field::DeviatoricStrain),
        ("volumetric_strain", Field::VolumetricStrain),
        ("major_strain", Field::MajorStrain),
        ("minor_strain", Field::MinorStrain),
        ("contact_pressure", Field::ContactPressure),
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
            Field::Damage => ("damage", "-"),
            Field::VonMises => ("von Mises stress", "Pa"),
            Field::Pressure => ("pressure", "Pa"),
            Field::LargestStress => ("largest principal stress", "Pa"),
            Field::SmallestStress => ("smallest principal stress", "Pa"),
            Field::DeviatoricStrain => ("deviatoric strain", "-"),
            Field::VolumetricStrain => ("volumetric strain", "-"),
            Field::MajorStrain => ("largest principal strain", "-"),
            Field::MinorStrain => ("smallest principal strain", "-"),
            Field::ContactPressure => ("contact pressure", "Pa"),
            Field::Remembered { name, unit } => (name, unit),
        }
    }

    /// The field of this name: one that every scene has, or a number that the materials of `scene` remember.
    pub fn named<const D: usize>(name: &str, scene: &Scene<D>) -> Result<Self, String>
    where
        Space<D>: Ambient<D>,
    {
        let always = Self::NAMES.map(|(name, field)| (name, field));
        let kept = measure::remembered(&scene.flexibles);
        let kept = kept.iter().map(|q| (q.name, Field::Remembered { name: q.name, unit: q.unit }));
        let all: Vec<(&str, Field)> = always.into_iter().chain(kept).collect();
        let found = all.iter().find(|known| known.0 == name);
        found.map(|known| known.1).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|known| known.0).collect();
            format!("no field is called '{name}'; there are {}", names.join(", "))
        })
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
        /// Name of the quantity.
        name: String,
        /// Its SI unit.
        unit: String,
        /// A count, which has no halves?
        whole: bool,
        /// From values to colours.
        scale: Scale,
        /// Share of paper in all colours.
        paper_share: f64,
    },
    /// A name each.
    Groups(Vec<(String, Colour)>),
}

/// From values to colours: ξ = (v − low)/(high − low), or the same of logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Value at the low end, SI.
    pub low: f64,
    /// Value at the high end, SI.
    pub high: f64,
    /// Logarithmic?
    pub log: bool,
    /// Colours.
    pub map: ColourMap,
}

impl Scale {
    /// A scale over the given ends, or else over the values. Magnitudes start at zero, or at 1/1000 of the largest on a
    /// logarithmic scale; values of both signs get ends that are equal but for the sign.
    pub fn over(values: impl Iterator<Item = f64>, options: &PictureOptions) -> Self {
        let (map, log) = (options.colours, options.log);
        let fits = |(low, high): &(f64, f64)| low < high && (high - low).is_finite() && (!log || *low > 0.0);
        if let Some((low, high)) = options.range.filter(fits) {
            return Self { low, high, log, map };
        }
        let (bottom, top) = extremes(values);
        let top = if top > 1e-290 || bottom < -1e-290 { top.max(-bottom) } else { 1.0 };
        let low = match log {
            true => 1e-3 * top,
            false if bottom < 0.0 => -top,
            false => 0.0,
        };
        Self { low, high: top, log, map }
    }

    /// 0 at the low end, 1 at the high end; NaN for what is no number, or not positive on a logarithmic scale.
    pub fn place(&self, value: f64) -> f64 {
        match self.log {
            true if value <= 0.0 => 0.0,
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// Colour of a value.
    pub fn colour(&self, value: f64) -> Colour {
        self.map.at(self.place(value))
    }
}

/// Smallest and largest finite value, zero included.
pub fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.filter(|v| v.is_finite()).fold((0.0, 0.0), |(a, b), v| (f64::min(a, v), f64::max(b, v)))
}

/// Colours of all bodies; obstacles are grey whatever the field.
pub fn paint<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
    options: &PictureOptions,
    shown: &[bool],
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
            let free = scene.bodies.iter().zip(shown).zip(&values);
            let free = free.filter(|((b, shown), _)| **shown && !b.is_obstacle()).map(|(_, v)| *v);
            let scale = Scale::over(free, options);
            let colours = coat(&|k| scale.colour(values[k]));
            let (name, unit) = field.label();
            let whole = field == Field::Contacts;
            Paint { colours, key: Key::Scale { name: name.into(), unit: unit.into(), whole, scale, paper_share: 0.0 } }
        }
    }
}

/// The value of a field, body by body; zero for fields that are no numbers.
pub fn values<const D: usize>(
    field: Field,
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
) -> Vec<f64>
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
        Field::None
        | Field::Group
        | Field::VonMises
        | Field::Pressure
        | Field::LargestStress
        | Field::SmallestStress
        | Field::DeviatoricStrain
        | Field::VolumetricStrain
        | Field::MajorStrain
        | Field::MinorStrain
        | Field::ContactPressure
        | Field::Remembered { .. } => vec![0.0; count],
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
        Field::Damage => over_contacts(count, reactions, |most, r| {
            most.max(if r.memory().bond == Bond::Broken { 1.0 } else { r.memory().damage })
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

#[cfg(test)]
mod tests {
    use super::super::samples::{add_ball, empty, reaction};
    use super::*;
    use cairn::contact::Memory;
    use cairn::space::Vect;

    #[test]
    fn the_worst_bond_of_a_body_tells_its_damage() {
        let mut scene = empty::<2>("");
        (0..3).for_each(|k| add_ball(&mut scene, Vect::<2>::x() * (2.0 * f64::from(k)), 1.0, 1.0));
        let bond = |bodies, bond, damage| {
            let mut contact = reaction(bodies, Vect::<2>::zeros(), Vect::<2>::x(), Vect::<2>::zeros());
            contact.remember(Memory { bond, damage, ..Memory::default() });
            contact
        };
        let bonds = [bond([0, 1], Bond::Whole, 0.25), bond([1, 2], Bond::Broken, 0.5)];
        assert_eq!(values(Field::Damage, &scene, &scene.start, &bonds), [0.25, 1.0, 1.0]);
    }
}
