//! Brittle cohesion: a rigid bond that transmits what is asked of it up to a threshold, in tension and in shear,
//!
//!   −R_N ≤ T,   ‖R_T‖ ≤ S + μ R_N⁺,
//!
//! and is lost for good once one of them is exceeded: what is left is Signorini–Coulomb. T and S are forces, or stresses
//! times the contact's share of the area. While it holds the two bodies do not move against each other at this point.

use super::strength::{Strength, utilization};
use crate::space::Vect;

/// Thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brittle {
    /// T.
    pub tension: Strength,
    /// S.
    pub shear: Strength,
}

impl Brittle {
    /// The force over what the bond stands, in the local frame [N]: more than 1 breaks it.
    pub fn utilization<const D: usize>(&self, force: &Vect<D>, area: f64, friction: f64) -> f64 {
        let (normal, tangential) = (force[0], (1..D).map(|i| force[i] * force[i]).sum::<f64>().sqrt());
        let pulled = utilization(-normal, self.tension.force(area));
        let sheared = utilization(tangential, self.shear.force(area) + friction * normal.max(0.0));
        pulled.max(sheared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tension_and_shear_have_their_own_thresholds_and_pressure_helps() {
        let law = Brittle { tension: Strength::Stress(2.0), shear: Strength::Force(3.0) };
        let of = |n: f64, t: f64| law.utilization(&Vect::<2>::new(n, t), 0.5, 0.6);
        assert_eq!(of(-0.5, 0.0), 0.5);
        assert_eq!(of(-2.0, 0.0), 2.0);
        assert_eq!(of(0.0, -1.5), 0.5);
        assert_eq!(of(-0.25, 6.0), 2.0);
        // 3 + 0.6 · 5 = 6 stands twice as much as 3.
        assert_eq!(of(5.0, 6.0), 1.0);
        assert_eq!(of(1e9, 0.0), 0.0);
    }

    #[test]
    fn the_direction_of_shear_does_not_matter() {
        let law = Brittle { tension: Strength::Force(1.0), shear: Strength::Force(1.0) };
        for angle in [0.0f64, 0.7, 2.0, 4.5] {
            let force = Vect::<3>::new(0.0, 2.0 * angle.cos(), 2.0 * angle.sin());
            assert!((law.utilization(&force, 0.0, 0.0) - 2.0).abs() < 1e-15);
        }
    }
}
