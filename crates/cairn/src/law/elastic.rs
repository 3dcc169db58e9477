//! Elastic bonds: the force −k A [u] in tension and in shear, beside Signorini–Coulomb in compression; for ever, or up to a
//! strength at which the bond is lost for good.

use super::brittle::Brittle;
use super::spring::Springs;
use crate::space::Vect;

/// Springs, and what they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// Stiffness.
    pub springs: Springs,
    /// Strength of the springs in tension and shear; none: for ever.
    pub strength: Option<Brittle>,
}

impl Elastic {
    /// What the springs carry with this jump, over what they stand: more than 1 breaks them.
    pub fn utilization<const D: usize>(&self, jump: &Vect<D>, area: f64) -> f64 {
        let Some(strength) = &self.strength else { return 0.0 };
        // What pulls the candidate back is tension.
        strength.utilization(&-self.springs.force(jump, 0.0, area), area, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Strength;

    #[test]
    fn springs_break_at_their_own_strength_and_not_in_compression() {
        let springs = Springs { normal: 10.0, tangential: 4.0 };
        let strength = Some(Brittle { tension: Strength::Stress(5.0), shear: Strength::Stress(2.0) });
        let law = Elastic { springs, strength };
        let of = |n: f64, t: f64| law.utilization(&Vect::<2>::new(n, t), 3.0);
        assert!((of(0.5, 0.0) - 1.0).abs() < 1e-15 && (of(0.25, 0.0) - 0.5).abs() < 1e-15);
        assert!((of(0.0, -0.5) - 1.0).abs() < 1e-15 && of(-9.0, 0.0) == 0.0);
        assert_eq!(Elastic { springs, strength: None }.utilization(&Vect::<2>::new(9.0, 9.0), 1.0), 0.0);
    }
}
