//! Moreau's law with a dissipation coefficient δ: when a contact is forecast, Signorini and Coulomb hold for
//!
//!   (1−δ)/2 · U⁻ + (1+δ)/2 · U⁺,
//!
//! that is, with the bias (1−δ)/(1+δ) · U⁻. If all active contacts obey it, their work Σ R·½(U⁻+U⁺) is at most
//! −δ/2 Σ R·(U⁺−U⁻) = −δ/2 RᵀWR ≤ 0: dissipative in collisions of any number of bodies. δ = 1 is inelastic; δ = 0
//! conserves energy.

use super::ContactKinematics;
use crate::space::Vect;

/// Moreau's coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moreau {
    /// δ, 0 to 1.
    pub dissipation: f64,
}

impl Moreau {
    /// (1−δ)/(1+δ) U⁻.
    pub fn bias<const D: usize>(&self, kinematics: &ContactKinematics<D>) -> Vect<D> {
        if !kinematics.is_forecast() {
            return super::quasi_inelastic::bias(kinematics);
        }
        kinematics.before * ((1.0 - self.dissipation) / (1.0 + self.dissipation))
    }
}
