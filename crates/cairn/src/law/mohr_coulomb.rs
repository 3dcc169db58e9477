//! Mohr–Coulomb with tension cut-off: a rigid bond that stands stresses (σ in tension, τ in shear) with
//!
//!   τ ≤ c − μ σ,   σ ≤ f_t,   f_t ≤ c/μ,
//!
//! and is lost for good once they are exceeded: what is left is Signorini–Coulomb with the same μ. Unlike [`super::Brittle`]
//! it stands less shear when it is pulled.

use super::strength::{Strength, utilization};
use crate::space::Vect;

/// Cohesion and cut-off; μ is the friction coefficient of the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MohrCoulomb {
    /// c.
    pub cohesion: Strength,
    /// f_t.
    pub tension: Strength,
}

impl MohrCoulomb {
    /// The force over what the bond stands, in the local frame [N]: more than 1 breaks it.
    pub fn utilization<const D: usize>(&self, force: &Vect<D>, area: f64, friction: f64) -> f64 {
        let tangential = (1..D).map(|i| force[i] * force[i]).sum::<f64>().sqrt();
        let pulled = utilization(-force[0], self.tension.force(area));
        pulled.max(utilization(tangential - friction * force[0], self.cohesion.force(area)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_a_line_with_a_cut_off() {
        let law = MohrCoulomb { cohesion: Strength::Stress(4.0), tension: Strength::Stress(5.0) };
        let of = |n: f64, t: f64| law.utilization(&Vect::<2>::new(n, t), 2.0, 0.5);
        // On the line: τ = 8 + 0.5 n.
        for n in [-8.0, -1.0, 0.0, 3.0, 40.0] {
            assert!((of(n, 8.0 + 0.5 * n) - 1.0).abs() < 1e-15, "{n}");
            assert!((of(n, -8.0 - 0.5 * n) - 1.0).abs() < 1e-15, "{n}");
        }
        assert_eq!(of(-10.0, 0.0), 1.0);
        assert_eq!(of(-15.0, 0.0), 1.5);
        assert!(of(-10.0, 4.0) > 1.0);
    }
}
