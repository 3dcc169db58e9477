//! Isotropic damage: a linear elastic solid that loses its stiffness as it is strained further than ever before.
//!
//! ```text
//!   S = (1 − d) C E,     W = (1 − d) W₀,     W₀ = ½ E : C E
//!   κ = the largest τ/√Y so far,     d = 1 − κ₀/κ exp(−(κ − κ₀)/κ_f)  above κ₀ = f/Y
//!
//!   tension   τ² = σ⁺ : C⁻¹ σ⁺,   σ⁺ the pulling principal values of C E     (stones, concrete, masonry units: Cervera, Oliver 1996)
//!   energy    τ² = 2 W₀                                                      (pushed as soon as pulled: Simo, Ju 1987)
//! ```
//!
//! Y is Young's modulus. In a pull along one axis κ is the strain, and the stress falls from the strength f as f exp(−(κ − κ₀)/κ_f). What
//! is lost, ∫ ½ Y κ² dd, is known in closed form for any step:
//!
//! ```text
//!   D(κ) = ½ f (2 κ_f (1 − e) + κ₀ − κ e),    e = exp(−(κ − κ₀)/κ_f),    D(∞) = f κ_f + ½ f κ₀
//! ```
//!
//! Strain gathers in a band as wide as a cell, ℓ. With D(∞) = G/ℓ, that is κ_f = G/(f ℓ) − κ₀/2, the energy of a crack is G per area on
//! every mesh (Bažant and Oh 1983). Where more than the pull is stored, more is lost: W₀ of the end stands for that on the way.
//! A cell with ℓ ≥ 2 G Y/f² would store more at its strength than a crack takes: it is refused.
//!
//! What is lost is lost in all directions, and a crack that closes stays as soft as it was. A billionth of the stiffness is never lost, so that the
//! matrices of a body stay regular. The tangent is symmetric with the criterion of energy alone.

use nalgebra::{Matrix6, Vector6};

use super::inelastic::energy;
use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use crate::tensor::{components, from_stress, principal};

/// Elastic constants, strength and fracture energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// The solid before it is damaged.
    pub elastic: Isotropic,
    /// Strength f in a pull along one axis [Pa].
    pub strength: f64,
    /// Fracture energy G [J/m²].
    pub fracture_energy: f64,
    /// What a strain is measured by.
    pub criterion: DamageCriterion,
}

/// What damages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageCriterion {
    /// Principal stresses that pull.
    Tension,
    /// All of the energy.
    Energy,
}

const HISTORY: [Quantity; 2] = [Quantity::number("largest_strain"), Quantity::number("damage")];

/// Share of the stiffness that is left for ever.
const LEAST: f64 = 1e-9;

/// The curve of a cell: f, κ₀ and κ_f.
struct Curve {
    strength: f64,
    onset: f64,
    width: f64,
}

impl Curve {
    /// exp(−(κ − κ₀)/κ_f).
    fn decay(&self, kappa: f64) -> f64 {
        (-(kappa - self.onset) / self.width).exp()
    }

    /// d(κ) and d′(κ).
    fn damage(&self, kappa: f64) -> (f64, f64) {
        if kappa <= self.onset {
            return (0.0, 0.0);
        }
        let left = self.onset / kappa * self.decay(kappa);
        if left < LEAST {
            return (1.0 - LEAST, 0.0);
        }
        (1.0 - left, left * (1.0 / kappa + 1.0 / self.width))
    }

    /// D(κ) [J/m³].
    fn lost(&self, kappa: f64) -> f64 {
        if kappa <= self.onset {
            return 0.0;
        }
        let decay = self.decay(kappa);
        0.5 * self.strength * (2.0 * self.width * (1.0 - decay) + self.onset - kappa * decay)
    }
}

impl Damage {
    /// τ/√Y of a strain with its C E, and how it changes with the strain.
    fn measure(&self, stiffness: &Matrix6<f64>, whole: f64, stress: &Vector6<f64>) -> (f64, Vector6<f64>) {
        let young = self.elastic.young;
        match self.criterion {
            DamageCriterion::Energy => {
                let strain = (2.0 * whole / young).sqrt();
                (strain, if strain > 0.0 { stress / (young * strain) } else { Vector6::zeros() })
            }
            DamageCriterion::Tension => {
                let (values, axes) = principal(&from_stress(stress));
                let pulls = values.map(|s| s.max(0.0));
                let (sum, nu) = (pulls.sum(), self.elastic.poisson);
                let strain = ((1.0 + nu) * pulls.norm_squared() - nu * sum * sum).max(0.0).sqrt() / young;
                if strain == 0.0 {
                    return (0.0, Vector6::zeros());
                }
                let slope =
                    values.map(|s| if s > 0.0 { ((1.0 + nu) * s - nu * sum) / (young * young * strain) } else { 0.0 });
                let along = axes * nalgebra::Matrix3::from_diagonal(&slope) * axes.transpose();
                // Shears of a strain count twice.
                let along = components::<6>(&along);
                (strain, stiffness * Vector6::from_fn(|k, _| if k < 3 { along[k] } else { 2.0 * along[k] }))
            }
        }
    }

    fn curve(&self, length: f64) -> Curve {
        let onset = self.strength / self.elastic.young;
        Curve { strength: self.strength, onset, width: self.fracture_energy / (self.strength * length) - 0.5 * onset }
    }
}

impl Inelastic for Damage {
    fn history(&self) -> &'static [Quantity] {
        &HISTORY
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        for (name, value) in [("strength", self.strength), ("fracture energy", self.fracture_energy)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(MaterialError::NotPositive { name, value });
            }
        }
        Ok(())
    }

    fn check_length(&self, length: f64) -> Result<(), MaterialError> {
        let most = 2.0 * self.fracture_energy * self.elastic.young / self.strength.powi(2);
        if length < most { Ok(()) } else { Err(MaterialError::CellTooLarge { length, most }) }
    }

    fn may_soften(&self) -> bool {
        true
    }

    fn has_skew_tangent(&self) -> bool {
        self.criterion == DamageCriterion::Tension
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        let (stiffness, young, curve) = (self.elastic.stiffness(), self.elastic.young, self.curve(step.length));
        let (kappa_before, damage_before) = (old[0], old[1]);
        let whole = energy(&stiffness, &step.after);
        let stresses = [step.before, step.after].map(|e| stiffness * e);
        let (strain, along) = self.measure(&stiffness, whole, &stresses[1]);
        let kappa = kappa_before.max(strain);
        let (damage, slope) = curve.damage(kappa);
        new.copy_from_slice(&[kappa, damage]);

        let mut tangent = stiffness * (1.0 - damage);
        let grows = strain > kappa_before;
        if grows && slope > 0.0 {
            tangent -= stresses[1] * along.transpose() * slope;
        }
        let more = if grows { 2.0 * whole / (young * strain * strain) } else { 0.0 };
        Outcome {
            stress: step.mean(stresses[0] * (1.0 - damage_before), stresses[1] * (1.0 - damage)),
            tangent: tangent * step.xi,
            stored: (1.0 - damage) * whole,
            lost: Lost::by_damage(more * (curve.lost(kappa) - curve.lost(kappa_before))),
        }
    }
}
