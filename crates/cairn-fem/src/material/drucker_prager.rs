//! Drucker–Prager: a soil or a rock that flows where the shear stress reaches what cohesion and pressure can hold.
//!
//! With p = tr σ/3 (tension positive) and √J₂ = ‖dev σ‖/√2:
//!
//! ```text
//!   √J₂ + η p ≤ k,     p ≤ p_t;      flow along ∂(√J₂ + η̄ p)/∂σ, and along 1 where p = p_t
//! ```
//!
//! η and k come from the cohesion c and the angle of friction φ, η̄ in the same way from the angle of dilatancy ψ:
//!
//! ```text
//!   plane strain      η = 3 tan φ/√(9 + 12 tan² φ),          k = 3 c/√(9 + 12 tan² φ)       (limit loads of Mohr and Coulomb in plane strain)
//!   compression       η = 6 sin φ/(√3 (3 − sin φ)),           k = 6 c cos φ/(√3 (3 − sin φ))  (the cone through its outer edges)
//!   extension         the same with 3 + sin φ                                                 (through its inner edges)
//! ```
//!
//! p_t is at most that of the apex, k/η. Implicit Euler in closed form: back to the cone, Δγ = f_trial/(G + K η η̄), to the cut, or to the
//! circle where they meet. What is lost, σ:Δε_p, is never negative for ψ ≤ φ. The equivalent plastic strain is that of the deviator.

use nalgebra::{Matrix6, Vector6};

use super::flow::{self, Flow, Settled};
use super::inelastic::twice_deviator;
use super::plastic::{as_strain, contract, with_inverse};
use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};

/// Elastic constants, cohesion, angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DruckerPrager {
    /// The solid before it flows.
    pub elastic: Isotropic,
    /// Cohesion and angles.
    pub strength: Frictional,
    /// How the cone is fitted to Mohr–Coulomb's pyramid.
    pub fit: ConeFit,
}

/// Strength of soils and rocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frictional {
    /// c [Pa].
    pub cohesion: f64,
    /// φ [rad].
    pub friction: f64,
    /// ψ [rad].
    pub dilatancy: f64,
    /// Largest tension: the mean stress of a cone, the largest principal stress of a pyramid; infinite without a cut [Pa].
    pub tension: f64,
}

impl Frictional {
    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let Frictional { cohesion, friction, dilatancy, tension } = *self;
        let right = std::f64::consts::FRAC_PI_2;
        if !(cohesion >= 0.0 && cohesion.is_finite()) || (cohesion == 0.0 && friction == 0.0) {
            return Err(MaterialError::NotPositive { name: "cohesion", value: cohesion });
        }
        if !(friction >= 0.0 && friction < right) {
            return Err(MaterialError::Angle { name: "angle of friction", value: friction.to_degrees() });
        }
        if !(dilatancy >= 0.0 && dilatancy <= friction) {
            return Err(MaterialError::Dilatancy { value: dilatancy.to_degrees(), most: friction.to_degrees() });
        }
        if tension.is_nan() || tension < 0.0 {
            return Err(MaterialError::NotPositive { name: "tension", value: tension });
        }
        Ok(())
    }

    /// Flow that is not associated: σ̇ : ε̇ may be negative, and no energy is least at the end of a step.
    pub(super) fn is_unstable(&self) -> bool {
        self.dilatancy < self.friction
    }
}

/// A cone for a pyramid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConeFit {
    /// Same limit loads in plane strain.
    PlaneStrain,
    /// Through the outer edges: same strength in triaxial compression.
    Compression,
    /// Through the inner edges: same strength in triaxial extension.
    Extension,
}

impl ConeFit {
    /// η of an angle, and k/c.
    fn slopes(self, angle: f64) -> [f64; 2] {
        let (sine, cosine) = angle.sin_cos();
        let triaxial = |sign: f64| {
            let scale = 6.0 / (3.0_f64.sqrt() * (3.0 + sign * sine));
            [scale * sine, scale * cosine]
        };
        match self {
            ConeFit::PlaneStrain => {
                let tangent = angle.tan();
                let scale = 3.0 / (9.0 + 12.0 * tangent * tangent).sqrt();
                [scale * tangent, scale]
            }
            ConeFit::Compression => triaxial(-1.0),
            ConeFit::Extension => triaxial(1.0),
        }
    }
}

pub(super) const FLOWED: [Quantity; 10] = with_inverse([Quantity::number("plastic_strain")]);

/// Stress after the return: its p and √J₂, and how they change with those of the trial.
struct Returned {
    mean: f64,
    shear: f64,
    /// ∂(p, √J₂)/∂(p, √J₂) of the trial.
    slopes: [[f64; 2]; 2],
}

impl DruckerPrager {
    /// None where the trial is possible.
    fn back(&self, mean: f64, shear: f64) -> Option<Returned> {
        let (lambda, g) = self.elastic.lame();
        let bulk = lambda + 2.0 / 3.0 * g;
        let [eta, scale] = self.fit.slopes(self.strength.friction);
        let [eta_flow, _] = self.fit.slopes(self.strength.dilatancy);
        let k = scale * self.strength.cohesion;
        let apex = if eta > 0.0 { k / eta } else { f64::INFINITY };
        let cut = self.strength.tension.min(apex);
        let excess = shear + eta * mean - k;
        if excess <= 0.0 && mean <= cut {
            return None;
        }
        let whole = g + bulk * eta * eta_flow;
        let multiplier = excess / whole;
        let on_cone = mean - bulk * eta_flow * multiplier;
        if multiplier > 0.0 && on_cone <= cut && shear - g * multiplier >= 0.0 {
            let slopes =
                [[1.0 - bulk * eta_flow * eta / whole, -bulk * eta_flow / whole], [-g * eta / whole, 1.0 - g / whole]];
            return Some(Returned { mean: on_cone, shear: shear - g * multiplier, slopes });
        }
        let rim = k - eta * cut;
        if shear <= rim {
            return Some(Returned { mean: cut, shear, slopes: [[0.0, 0.0], [0.0, 1.0]] });
        }
        Some(Returned { mean: cut, shear: rim, slopes: [[0.0; 2]; 2] })
    }
}

impl Flow for DruckerPrager {
    fn elastic(&self) -> &Isotropic {
        &self.elastic
    }

    fn has_axes(&self) -> bool {
        false
    }

    fn settle(&self, trial: &Vector6<f64>, _step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Settled {
        let (lambda, g) = self.elastic.lame();
        let bulk = lambda + 2.0 / 3.0 * g;
        let one = Vector6::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 });
        let mean = bulk * (trial[0] + trial[1] + trial[2]);
        let deviator = twice_deviator() * trial * g;
        let norm = contract(&deviator, &deviator).sqrt();
        let shear = norm / 2.0_f64.sqrt();
        let Some(at) = self.back(mean, shear) else {
            let tangent = self.elastic.stiffness();
            return Settled { stress: tangent * trial, tangent, plastic: Vector6::zeros(), lost: Lost::default() };
        };
        // √J₂ = n·s/√2, so that d√J₂ of the trial is √2 G n:dε.
        let n = if norm > 0.0 { deviator / norm } else { Vector6::zeros() };
        let left = if shear > 0.0 { at.shear / shear } else { 0.0 };
        let root = 2.0_f64.sqrt();
        let [[pp, ps], [sp, ss]] = at.slopes;
        let tangent: Matrix6<f64> = twice_deviator() * (g * left)
            + n * n.transpose() * (2.0 * g * (ss - left))
            + one * one.transpose() * (bulk * pp)
            + one * n.transpose() * (root * g * ps)
            + n * one.transpose() * (root * bulk * sp);
        let stress = one * at.mean + deviator * left;
        let shape = deviator * ((1.0 - left) / (2.0 * g));
        let plastic = as_strain(&(shape + one * ((mean - at.mean) / (3.0 * bulk))));
        new[0] = old[0] + (2.0 / 3.0 * contract(&shape, &shape)).sqrt();
        Settled { stress, tangent, plastic, lost: Lost::in_flow(stress.dot(&plastic).max(0.0)) }
    }
}

impl Inelastic for DruckerPrager {
    fn history(&self) -> &'static [Quantity] {
        &FLOWED
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        self.strength.check()
    }

    fn may_soften(&self) -> bool {
        self.strength.is_unstable()
    }

    fn prestress(&self, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
        flow::prestress(self, stress, history)
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        flow::respond(self, step, old, new)
    }
}
