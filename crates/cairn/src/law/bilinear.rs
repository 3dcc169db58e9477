//! Bilinear cohesive zone: the force rises with K to the strength at δ₀ and falls on a straight line to nothing at
//! δ_f = 2 G/(K δ₀):
//!
//!   f = −(1 − d) K [u],   d = δ_f (δ − δ₀)/(δ (δ_f − δ₀)),
//!
//! d never falls; δ, δ₀ and G mix opening and sliding as [`MixedMode`] says. Unloading leads to the origin.

use super::mixed_mode::MixedMode;
use crate::space::Vect;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bilinear {
    /// Strengths and toughnesses.
    pub modes: MixedMode,
}

impl Bilinear {
    /// d after a jump.
    pub fn damage<const D: usize>(&self, jump: &Vect<D>, before: f64) -> f64 {
        let at = self.modes.at(jump);
        if at.separation <= at.onset {
            return before;
        }
        let last = 2.0 * at.toughness / (self.modes.stiffness * at.onset);
        let damage = last * (at.separation - at.onset) / (at.separation * (last - at.onset));
        damage.clamp(before, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// δ₀ = 0.1 (tension) and 0.2 (shear), δ_f = 0.5 and 1.
    const LAW: Bilinear = Bilinear {
        modes: MixedMode { stiffness: 100.0, strength: [10.0, 20.0], toughness: [2.5, 10.0], exponent: 1.0 },
    };

    fn forces(path: &[Vect<2>]) -> Vec<Vect<2>> {
        let mut damage = 0.0;
        let step = |jump: &Vect<2>| {
            damage = LAW.damage(jump, damage);
            LAW.modes.springs().force(jump, damage, 1.0)
        };
        path.iter().map(step).collect()
    }

    #[test]
    fn tension_follows_two_lines_and_unloads_to_the_origin() {
        let along = |u: &[f64]| u.iter().map(|&u| Vect::<2>::new(u, 0.0)).collect::<Vec<_>>();
        let f = forces(&along(&[0.05, 0.1, 0.3, 0.15, 0.0, -1.0, 0.3, 0.4, 0.5, 0.9]));
        // On the softening line 10 (0.5 − u)/0.4; the secant at 0.3 is 5/0.3.
        let expected = [5.0, 10.0, 5.0, 2.5, 0.0, -5.0 / 0.3, 5.0, 2.5, 0.0, 0.0];
        for (f, e) in f.iter().zip(expected) {
            assert!((f[0] - e).abs() < 1e-12, "{} instead of {e}", f[0]);
        }
    }

    #[test]
    fn shear_follows_its_own_lines_in_both_directions() {
        let f = forces(&[Vect::<2>::new(0.0, 0.2), Vect::<2>::new(0.0, -0.6), Vect::<2>::new(0.0, 0.6)]);
        assert!((f[0][1] - 20.0).abs() < 1e-12 && (f[1][1] + 10.0).abs() < 1e-12 && (f[2][1] - 10.0).abs() < 1e-12);
    }

    #[test]
    fn the_work_of_a_mixed_path_is_what_the_modes_share() {
        // 45°: half the square is sliding, so G = (2.5 + 10)/2.
        let n = 4000;
        let path: Vec<Vect<2>> = (0..=n).map(|i| Vect::<2>::repeat(0.8 * f64::from(i) / f64::from(n))).collect();
        let f = forces(&path);
        let work: f64 = (0..n as usize).map(|i| 0.5 * (f[i] + f[i + 1]).dot(&(path[i + 1] - path[i]))).sum();
        assert!((work - 6.25).abs() < 1e-4 * 6.25, "{work}");
        // Onset on the ellipse.
        let at = LAW.modes.at(&Vect::<2>::repeat(1.0));
        let tractions = Vect::<2>::repeat(100.0 * at.onset / 2f64.sqrt());
        assert!(((tractions[0] / 10.0).powi(2) + (tractions[1] / 20.0).powi(2) - 1.0).abs() < 1e-14);
    }
}
