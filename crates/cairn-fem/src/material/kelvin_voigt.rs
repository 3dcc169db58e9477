//! Kelvin–Voigt: a spring and a dashpot side by side, the dashpot in shear.
//!
//! ```text
//!   S = C E + 2η dev Ė,     D = 2η dev Ė : dev Ė
//! ```
//!
//! Under a constant shear stress τ the shear creeps as γ(t) = τ/μ (1 − exp(−t μ/η)). Over a step the rate is (E₁ − E₀)/h, so that the
//! dashpot loses 2η ‖dev(E₁ − E₀)‖²/h, whatever the scheme. The viscous stress is kept, to be drawn: no later step asks for it.

use super::inelastic::{energy, twice_deviator};
use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use nalgebra::Vector6;

/// Elastic constants and the viscosity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KelvinVoigt {
    /// The spring.
    pub elastic: Isotropic,
    /// Shear viscosity η [Pa·s].
    pub viscosity: f64,
}

const HISTORY: [Quantity; 6] = [
    Quantity::stress("viscous_stress_xx"),
    Quantity::stress("viscous_stress_yy"),
    Quantity::stress("viscous_stress_zz"),
    Quantity::stress("viscous_stress_xy"),
    Quantity::stress("viscous_stress_yz"),
    Quantity::stress("viscous_stress_zx"),
];

impl Inelastic for KelvinVoigt {
    fn history(&self) -> &'static [Quantity] {
        &HISTORY
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        if !(self.viscosity > 0.0 && self.viscosity.is_finite()) {
            return Err(MaterialError::NotPositive { name: "viscosity", value: self.viscosity });
        }
        Ok(())
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        let stiffness = self.elastic.stiffness();
        let change = step.after - step.before;
        let mut tangent = stiffness * step.xi;
        let viscous = if step.h > 0.0 {
            let dashpot = twice_deviator() * (self.viscosity / step.h);
            tangent += dashpot;
            dashpot * change
        } else {
            Vector6::from_column_slice(old)
        };
        new.copy_from_slice(viscous.as_slice());
        Outcome {
            stress: stiffness * step.mean(step.before, step.after) + viscous,
            tangent,
            stored: energy(&stiffness, &step.after),
            lost: Lost::by_viscosity(viscous.dot(&change)),
        }
    }
}
