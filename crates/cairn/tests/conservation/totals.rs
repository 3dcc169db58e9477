//! Random numbers, and sums over bodies.

use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Spin, Vect};

/// Random numbers with a seed (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// Between two bounds.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Momentum of all bodies: linear, angular about the origin, and the sizes that round-off is measured by.
pub fn momentum<const D: usize>(simulation: &Simulation<D>) -> (Vect<D>, Spin<D>, [f64; 2])
where
    Space<D>: Ambient<D>,
{
    let (mut linear, mut angular, mut size) = (Vect::zeros(), Spin::<D>::default(), [0.0; 2]);
    let bodies = simulation.scene.bodies.iter().zip(&simulation.state.motions);
    for (body, motion) in bodies.filter(|(b, _)| b.mass.is_finite()) {
        let p = motion.velocity * body.mass;
        let own = Space::<D>::momentum(&body.moments, &motion.place.turn, &motion.spin);
        linear += p;
        angular += Space::<D>::moment(&motion.place.centre, &p) + own;
        size[0] += p.norm();
        size[1] += p.norm() * motion.place.centre.norm() + Space::<D>::spin_dot(&own, &own).sqrt();
    }
    (linear, angular, size)
}
