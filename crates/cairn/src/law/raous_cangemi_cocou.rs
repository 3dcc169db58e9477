//! Adhesion of Raous, Cangémi and Cocou: springs weakened by the intensity of adhesion β, from 1 down to 0,
//!
//!   f = −β² k [u],   b β̇ = −(w − β (k_N [u_N]² + k_T ‖[u_T]‖²))⁻,
//!
//! w being the energy of adhesion per area and b its viscosity. By the implicit Euler rule over a step
//!
//!   β = min(β₀, (b β₀/h + w)/(b/h + k_N [u_N]² + k_T ‖[u_T]‖²)),
//!
//! without viscosity β = min(β₀, w/(k [u]²)): the force rises to √(k w) and then falls as w²/(k [u]³); the whole work is w.
//! (Raous, Cangémi, Cocou 1999; the friction that goes with it acts on R − f.) The damage of the spring is d = 1 − β².

use super::spring::Springs;
use crate::space::Vect;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaousCangemiCocou {
    /// k.
    pub springs: Springs,
    /// w [J/m²].
    pub energy: f64,
    /// b [J·s/m²].
    pub viscosity: f64,
}

impl RaousCangemiCocou {
    /// d after a step of length h that ends with this jump.
    pub fn damage<const D: usize>(&self, jump: &Vect<D>, before: f64, h: f64) -> f64 {
        let beta = (1.0 - before).sqrt();
        let square = self.springs.square(jump);
        let drag = self.viscosity / h;
        if square * beta <= self.energy {
            return before;
        }
        let after = ((drag * beta + self.energy) / (drag + square)).min(beta);
        1.0 - after * after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: RaousCangemiCocou =
        RaousCangemiCocou { springs: Springs { normal: 8.0, tangential: 2.0 }, energy: 2.0, viscosity: 0.0 };

    /// Force per area along a path of jumps.
    fn forces(law: &RaousCangemiCocou, path: &[Vect<2>], h: f64) -> Vec<Vect<2>> {
        let mut damage = 0.0;
        let step = |jump: &Vect<2>| {
            damage = law.damage(jump, damage, h);
            law.springs.force(jump, damage, 1.0)
        };
        path.iter().map(step).collect()
    }

    #[test]
    fn force_rises_to_the_peak_falls_with_the_cube_and_unloads_to_the_origin() {
        // Peak at u = √(w/k) = ½: √(k w) = 4. At u = 1: w²/(k u³) = ½.
        let along = |u: &[f64]| u.iter().map(|&u| Vect::<2>::new(u, 0.0)).collect::<Vec<_>>();
        let f = forces(&LAW, &along(&[0.25, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0, 2.0]), 1.0);
        let expected = [2.0, 4.0, 0.5, 0.25, 0.0, 0.25, 0.5, 1.0 / 16.0];
        for (f, e) in f.iter().zip(expected) {
            assert!((f[0] - e).abs() < 1e-14, "{f:?}");
        }
    }

    #[test]
    fn shear_and_mixed_paths_follow_the_energy() {
        // Shear: peak at u = 1, √(2·2) = 2, either way.
        let f = forces(&LAW, &[Vect::<2>::new(0.0, -1.0), Vect::<2>::new(0.0, 2.0)], 1.0);
        assert!((f[0][1] + 2.0).abs() < 1e-14 && (f[1][1] - 0.25).abs() < 1e-14, "{f:?}");
        // Mixed: 8·0.25 + 2·4 = 10 > 2: β = 1/5.
        let f = forces(&LAW, &[Vect::<2>::new(0.5, 2.0)], 1.0);
        assert!((f[0] - Vect::<2>::new(8.0 * 0.5, 2.0 * 2.0) / 25.0).norm() < 1e-14, "{f:?}");
        // Compression does no harm.
        assert_eq!(LAW.damage(&Vect::<2>::new(-5.0, 0.0), 0.0, 1.0), 0.0);
    }

    #[test]
    fn the_work_of_a_pull_is_the_energy_of_adhesion() {
        let n = 200_000;
        let path: Vec<Vect<2>> = (1..=n).map(|i| Vect::<2>::new(40.0 * f64::from(i) / f64::from(n), 0.0)).collect();
        let du = 40.0 / f64::from(n);
        let f = forces(&LAW, &path, 1.0);
        let work: f64 = f.windows(2).map(|w| 0.5 * (w[0][0] + w[1][0]) * du).sum();
        // What lies beyond u = 40 is w²/(2 k u²) = 1.6e-4.
        assert!((work + 1.5625e-4 - 2.0).abs() < 1e-5, "{work}");
    }

    #[test]
    fn viscosity_lets_the_bond_hold_longer_when_pulled_fast() {
        let viscous = RaousCangemiCocou { viscosity: 3.0, ..LAW };
        let jump = Vect::<2>::new(1.0, 0.0);
        // (b/h + w)/(b/h + 8) with b/h = 30 and 0.3.
        let beta = |h: f64| (1.0 - viscous.damage(&jump, 0.0, h)).sqrt();
        assert!((beta(0.1) - 32.0 / 38.0).abs() < 1e-14 && (beta(10.0) - 2.3 / 8.3).abs() < 1e-14);
        // Held there for long it ends where the law without viscosity is at once.
        let mut damage = 0.0;
        for _ in 0..2000 {
            damage = viscous.damage(&jump, damage, 0.1);
        }
        assert!((damage - LAW.damage(&jump, 0.0, 1.0)).abs() < 1e-12);
    }
}
