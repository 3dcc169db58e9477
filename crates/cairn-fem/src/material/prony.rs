//! Generalized Maxwell: springs and dashpots in rows, side by side, in shear (Prony's series). Rubber and polymers relax so.
//!
//! ```text
//!   S = K tr E 1 + 2G (1 − Σ g_i) dev E + Σ q_i,      q̇_i + q_i/τ_i = 2G g_i dev Ė
//! ```
//!
//! K and G are those of the first instant; after a long time G (1 − Σ g_i) is left. In the axes of the reference, as Simo (1987) has it, all
//! is objective. Over a step with a constant rate each arm is exact, q₁ = e^{−h/τ} q₀ + 2G g τ/h (1 − e^{−h/τ}) dev(E₁ − E₀), and so is
//! what it loses.

use nalgebra::{Matrix6, Vector6};

use super::inelastic::twice_deviator;
use super::maxwell::{mean_decay, viscous_loss};
use super::plastic::contract;
use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use crate::tensor::from_stress;

/// Most arms.
pub const MOST_ARMS: usize = 6;

/// Elastic constants of the first instant, and the arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prony {
    /// All springs.
    pub elastic: Isotropic,
    arms: [Arm; MOST_ARMS],
    count: usize,
}

/// A spring and a dashpot in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// g, its share of the shear modulus.
    pub share: f64,
    /// τ [s].
    pub time: f64,
}

const HISTORY: [Quantity; 6 * MOST_ARMS] = [
    Quantity::stress("prony_1_xx").hidden(),
    Quantity::stress("prony_1_yy").hidden(),
    Quantity::stress("prony_1_zz").hidden(),
    Quantity::stress("prony_1_xy").hidden(),
    Quantity::stress("prony_1_yz").hidden(),
    Quantity::stress("prony_1_zx").hidden(),
    Quantity::stress("prony_2_xx").hidden(),
    Quantity::stress("prony_2_yy").hidden(),
    Quantity::stress("prony_2_zz").hidden(),
    Quantity::stress("prony_2_xy").hidden(),
    Quantity::stress("prony_2_yz").hidden(),
    Quantity::stress("prony_2_zx").hidden(),
    Quantity::stress("prony_3_xx").hidden(),
    Quantity::stress("prony_3_yy").hidden(),
    Quantity::stress("prony_3_zz").hidden(),
    Quantity::stress("prony_3_xy").hidden(),
    Quantity::stress("prony_3_yz").hidden(),
    Quantity::stress("prony_3_zx").hidden(),
    Quantity::stress("prony_4_xx").hidden(),
    Quantity::stress("prony_4_yy").hidden(),
    Quantity::stress("prony_4_zz").hidden(),
    Quantity::stress("prony_4_xy").hidden(),
    Quantity::stress("prony_4_yz").hidden(),
    Quantity::stress("prony_4_zx").hidden(),
    Quantity::stress("prony_5_xx").hidden(),
    Quantity::stress("prony_5_yy").hidden(),
    Quantity::stress("prony_5_zz").hidden(),
    Quantity::stress("prony_5_xy").hidden(),
    Quantity::stress("prony_5_yz").hidden(),
    Quantity::stress("prony_5_zx").hidden(),
    Quantity::stress("prony_6_xx").hidden(),
    Quantity::stress("prony_6_yy").hidden(),
    Quantity::stress("prony_6_zz").hidden(),
    Quantity::stress("prony_6_xy").hidden(),
    Quantity::stress("prony_6_yz").hidden(),
    Quantity::stress("prony_6_zx").hidden(),
];

impl Prony {
    /// At most [`MOST_ARMS`] arms.
    pub fn new(elastic: Isotropic, arms: &[Arm]) -> Result<Self, MaterialError> {
        if arms.is_empty() || arms.len() > MOST_ARMS {
            return Err(MaterialError::Arms { count: arms.len(), most: MOST_ARMS });
        }
        let mut kept = [Arm::default(); MOST_ARMS];
        kept[..arms.len()].copy_from_slice(arms);
        Ok(Prony { elastic, arms: kept, count: arms.len() })
    }

    fn arms(&self) -> &[Arm] {
        &self.arms[..self.count]
    }
}

impl Inelastic for Prony {
    fn history(&self) -> &'static [Quantity] {
        &HISTORY[..6 * self.count]
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        for Arm { share, time } in self.arms() {
            for (name, value) in [("share of an arm", *share), ("time of relaxation", *time)] {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(MaterialError::NotPositive { name, value });
                }
            }
        }
        let left = 1.0 - self.arms().iter().map(|arm| arm.share).sum::<f64>();
        if left < 0.0 {
            Err(MaterialError::NotPositive { name: "what the arms leave of the shear modulus", value: left })
        } else {
            Ok(())
        }
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        let (lambda, shear) = self.elastic.lame();
        let bulk = lambda + 2.0 / 3.0 * shear;
        let one = Vector6::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 });
        let left = 1.0 - self.arms().iter().map(|arm| arm.share).sum::<f64>();
        let deviator = twice_deviator() * shear;
        let steady: Matrix6<f64> = one * one.transpose() * bulk + deviator * left;
        let change = deviator * (step.after - step.before);
        let (mut ends, mut tangent) = ([steady * step.before, steady * step.after], steady);
        let (mut stored, mut lost) = (0.5 * step.after.dot(&ends[1]), 0.0);
        for (k, arm) in self.arms().iter().enumerate() {
            let own = 6 * k..6 * (k + 1);
            let start = Vector6::from_column_slice(&old[own.clone()]);
            let x = step.h / arm.time;
            let stiff = arm.share * mean_decay(x);
            let end = if step.h > 0.0 { start * (-x).exp() + change * stiff } else { start };
            new[own].copy_from_slice(end.as_slice());
            ends[0] += start;
            ends[1] += end;
            tangent += deviator * stiff;
            stored += contract(&end, &end) / (4.0 * shear * arm.share);
            if step.h > 0.0 {
                lost += viscous_loss(shear * arm.share * arm.time, x, step.h, &from_stress(&start), &from_stress(&end));
            }
        }
        Outcome {
            stress: step.mean(ends[0], ends[1]),
            tangent: tangent * step.xi,
            stored,
            lost: Lost::by_viscosity(lost),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G(t) = G (1 − Σ g_i (1 − e^{−t/τ_i})) of a shear put on at once, in steps of any length; and what is lost was stored.
    #[test]
    fn a_held_shear_relaxes_by_the_series() {
        let elastic = Isotropic { young: 2.5, poisson: 0.25 };
        let arms = [Arm { share: 0.3, time: 0.5 }, Arm { share: 0.2, time: 4.0 }];
        let law = Prony::new(elastic, &arms).unwrap();
        law.check().unwrap();
        let held = Vector6::new(0.0, 0.0, 0.0, 0.1, 0.0, 0.0);
        let step = |before, h| Increment {
            before,
            after: held,
            h,
            xi: 1.0,
            is_finite: false,
            wants_tangent: true,
            length: 1.0,
        };
        let mut old = vec![0.0; 12];
        let first = law.respond(&step(Vector6::zeros(), 1e-13), &old.clone(), &mut old);
        assert!((first.stress[3] - 0.1).abs() < 1e-12);
        let (mut lost, mut stored) = (0.0, first.stored);
        for h in [0.1, 1.0, 0.4] {
            let mut new = old.clone();
            let outcome = law.respond(&step(held, h), &old, &mut new);
            (lost, stored, old) = (lost + outcome.lost.viscous, outcome.stored, new);
        }
        let exact = 0.1 * (1.0 - arms.iter().map(|a| a.share * (1.0 - (-1.5 / a.time).exp())).sum::<f64>());
        let last = law.respond(&step(held, 0.0), &old.clone(), &mut old);
        assert!((last.stress[3] / exact - 1.0).abs() < 1e-11, "{} {exact}", last.stress[3]);
        assert!(((first.stored - stored) / lost - 1.0).abs() < 1e-10, "{} {stored} {lost}", first.stored);
    }
}
