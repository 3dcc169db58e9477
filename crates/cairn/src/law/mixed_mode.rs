//! Opening and sliding together (Camanho and Dávila 2002). With the opening δ_n = [u_N]⁺, the sliding δ_s = ‖[u_T]‖, one
//! stiffness K for both, and δ = √(δ_n² + δ_s²):
//!
//!   damage begins   (K δ_n/N)² + (K δ_s/S)² = 1          at δ = δ₀,
//!   it is complete  when the work is G = G_I + (G_II − G_I) (δ_s²/δ²)^η      (Benzeggagh and Kenane 1996).

use super::spring::Springs;
use crate::space::Vect;

/// Parameters of the modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixedMode {
    /// K [Pa/m].
    pub stiffness: f64,
    /// N and S [Pa].
    pub strength: [f64; 2],
    /// G_I and G_II [J/m²].
    pub toughness: [f64; 2],
    /// η.
    pub exponent: f64,
}

/// Where a jump is on its way from whole to broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixed {
    /// δ [m].
    pub separation: f64,
    /// δ₀ [m].
    pub onset: f64,
    /// G [J/m²].
    pub toughness: f64,
}

impl std::fmt::Display for MixedMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([n, s], [g1, g2]) = (self.strength, self.toughness);
        write!(f, "K = {} Pa/m, {n} and {s} Pa, {g1} and {g2} J/m²", self.stiffness)
    }
}

impl MixedMode {
    /// The springs.
    pub fn springs(&self) -> Springs {
        Springs { normal: self.stiffness, tangential: self.stiffness }
    }

    /// δ, and δ₀ and G in its direction.
    pub fn at<const D: usize>(&self, jump: &Vect<D>) -> Mixed {
        let opening = jump[0].max(0.0);
        let sliding = (1..D).map(|i| jump[i] * jump[i]).sum::<f64>().sqrt();
        let separation = opening.hypot(sliding);
        let (n, s) = if separation > 0.0 { (opening / separation, sliding / separation) } else { (1.0, 0.0) };
        let onset = 1.0 / (self.stiffness * (n / self.strength[0]).hypot(s / self.strength[1]));
        let toughness = self.toughness[0] + (self.toughness[1] - self.toughness[0]) * (s * s).powf(self.exponent);
        Mixed { separation, onset, toughness }
    }

    /// An opening at which nothing is left, in any mode, with linear softening [m].
    pub fn longest(&self) -> f64 {
        let of = |k: usize| 2.0 * self.toughness[k] / self.strength[k];
        of(0).max(of(1))
    }
}
