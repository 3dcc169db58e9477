//! Profiles: means over slices across an axis.

use crate::body::Motion;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};

/// A slice of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice<const D: usize> {
    /// Middle of the slice [m].
    pub at: f64,
    /// Mean velocity of the bodies whose centre is in it, by mass [m/s].
    pub velocity: Vect<D>,
    /// Number of these bodies.
    pub bodies: usize,
}

/// Velocity profile along axis `axis` (0 is x) in `count` equal slices between the lowest and the highest centre of a
/// body that has an equation of motion. Slices without bodies are left out.
pub fn velocity_profile<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    axis: usize,
    count: usize,
) -> Vec<Slice<D>>
where
    Space<D>: Ambient<D>,
{
    let free = || {
        let bodies = scene.bodies.iter().zip(motions).filter(|(b, _)| b.mass.is_finite());
        bodies.filter(|(_, m)| m.place.centre.iter().chain(m.velocity.iter()).all(|x| x.is_finite()))
    };
    let height = |m: &Motion<D>| m.place.centre[axis];
    let ends = free().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (_, m)| (a.min(height(m)), b.max(height(m))));
    let width = (ends.1 - ends.0) / count.max(1) as f64;
    let mut sums = vec![(Vect::<D>::zeros(), 0.0, 0usize); count.max(1)];
    for (body, motion) in free() {
        let slice = if width > 0.0 { ((height(motion) - ends.0) / width) as usize } else { 0 };
        let sum = &mut sums[slice.min(count.max(1) - 1)];
        *sum = (sum.0 + motion.velocity * body.mass, sum.1 + body.mass, sum.2 + 1);
    }
    let slice = |(k, (momentum, mass, bodies)): (usize, (Vect<D>, f64, usize))| {
        (bodies > 0).then(|| Slice { at: ends.0 + (k as f64 + 0.5) * width, velocity: momentum / mass, bodies })
    };
    sums.into_iter().enumerate().filter_map(slice).collect()
}
