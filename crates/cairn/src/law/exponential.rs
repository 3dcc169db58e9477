//! Cohesive zone with exponential softening: the force rises with K to the strength at δ₀ and then falls as
//!
//!   K δ₀ e^{−(δ − δ₀)/ℓ},   ℓ = G/(K δ₀) − δ₀/2,
//!
//! so that the whole work is G: d = 1 − (δ₀/δ) e^{−(δ − δ₀)/ℓ}, never falling. δ, δ₀ and G mix opening and sliding as
//! [`MixedMode`] says. The tail has no end: a bond that has lost all but 10⁻⁵ of its stiffness counts as broken.

use super::mixed_mode::MixedMode;
use crate::space::Vect;

/// d from which on nothing is left.
const SPENT: f64 = 1.0 - 1e-5;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// Strengths and toughnesses.
    pub modes: MixedMode,
}

impl Exponential {
    /// d after a jump.
    pub fn damage<const D: usize>(&self, jump: &Vect<D>, before: f64) -> f64 {
        let at = self.modes.at(jump);
        if at.separation <= at.onset {
            return before;
        }
        let length = at.toughness / (self.modes.stiffness * at.onset) - 0.5 * at.onset;
        let left = at.onset / at.separation * (-(at.separation - at.onset) / length).exp();
        let damage = (1.0 - left).max(before);
        if damage >= SPENT { 1.0 } else { damage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// δ₀ = 0.1 and 0.2; ℓ = 0.2 and 0.4.
    const LAW: Exponential = Exponential {
        modes: MixedMode { stiffness: 100.0, strength: [10.0, 20.0], toughness: [2.5, 10.0], exponent: 1.0 },
    };

    #[test]
    fn tension_and_shear_rise_fall_unload_and_reload() {
        let mut damage = 0.0;
        let mut force = |n: f64, t: f64| {
            let jump = Vect::<2>::new(n, t);
            damage = LAW.damage(&jump, damage);
            LAW.modes.springs().force(&jump, damage, 1.0)
        };
        assert!((force(0.1, 0.0)[0] - 10.0).abs() < 1e-13);
        let peak = 10.0 * (-1.0f64).exp();
        assert!((force(0.3, 0.0)[0] - peak).abs() < 1e-13);
        assert!((force(0.15, 0.0)[0] - 0.5 * peak).abs() < 1e-13 && force(0.0, 0.0)[0] == 0.0);
        assert!((force(0.3, 0.0)[0] - peak).abs() < 1e-13);
        let shear = LAW.damage(&Vect::<2>::new(-3.0, -0.6), 0.0);
        assert!(((1.0 - shear) * 60.0 - 20.0 * (-1.0f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn the_work_is_the_toughness() {
        let n = 20_000;
        let (mut damage, mut work, mut last) = (0.0, 0.0, 0.0);
        let du = 3.0 / f64::from(n);
        for i in 1..=n {
            let jump = Vect::<2>::new(f64::from(i) * du, 0.0);
            damage = LAW.damage(&jump, damage);
            let force = LAW.modes.springs().force(&jump, damage, 1.0)[0];
            work += 0.5 * (last + force) * du;
            last = force;
        }
        assert!((work - 2.5).abs() < 1e-3 * 2.5, "{work}");
    }
}
