//! J2 plasticity: Von Mises' yield condition with isotropic and kinematic hardening, and with a rate.
//!
//! With the deviator s of the stress, the back stress β and q(x) = √(3/2 x : x):
//!
//! ```text
//!   q(s − β) ≤ σ_y(p) + K ṗⁿ,     ε̇_p = ṗ √(3/2) n,   n = (s − β)/‖s − β‖,    equality while ṗ > 0
//!   β̇ = ⅔ C ε̇_p − γ β ṗ           (γ = 0: Prager; else Armstrong and Frederick 1966)
//! ```
//!
//! σ_y(p) is a curve of [`Hardening`]; K = 0 does not know time (K, n > 0: Perzyna). Implicit Euler. With a = 1/(1 + γΔp) and
//! η = s_trial − a β₀ the direction is n = η/‖η‖, and one equation is left for Δp:
//!
//! ```text
//!   q(η) = 3G Δp + C a Δp + σ_y(p₀ + Δp) + K (Δp/h)ⁿ =: R(Δp)
//! ```
//!
//! Its derivative gives the tangent, with m = R′ − √(3/2) γ a² n:β₀ and c = √6 G Δp/‖η‖:
//!
//! ```text
//!   dΔp = √6 G n:dε/m
//!   ∂s/∂ε = 2G (1 − c) dev + (2G c − 6G²/m) n⊗n − c γ a² (√6 G/m) (β₀ − (n:β₀) n)⊗n
//! ```
//!
//! The last term is not symmetric; matrices of bodies take the symmetric part. Stored beside the elastic energy is that of the back
//! stress, 3/(4C) β:β. Lost are ∫ σ_y dp and the recall 3γ/(2C) β:β Δp in flow, and K ṗⁿ Δp by viscosity.
//!
//! At finite strain this is the law between logarithmic strain and the stress that works on it: `flow.rs`.

use nalgebra::{Matrix6, Vector6};

use super::flow::{self, Flow, INVERSE, Settled};
use super::inelastic::twice_deviator;
use super::{Hardening, Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};

/// Elastic constants, yield stress, hardening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plastic {
    /// The solid before it flows.
    pub elastic: Isotropic,
    /// σ_y(p).
    pub hardening: Hardening,
    /// C and γ of the back stress.
    pub kinematic: Option<Kinematic>,
    /// K and n.
    pub rate: Option<Rate>,
}

/// Hardening that moves the yield surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinematic {
    /// C [Pa].
    pub modulus: f64,
    /// γ [-]; the back stress tends to C/γ.
    pub recall: f64,
}

/// Overstress K ṗⁿ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// K [Pa sⁿ].
    pub stress: f64,
    /// n [-].
    pub exponent: f64,
}

const PLASTIC_STRAIN: Quantity = Quantity::number("plastic_strain");
const ISOTROPIC: [Quantity; 10] = with_inverse([PLASTIC_STRAIN]);
const KINEMATIC: [Quantity; 16] = with_inverse([
    PLASTIC_STRAIN,
    Quantity::stress("back_stress_xx"),
    Quantity::stress("back_stress_yy"),
    Quantity::stress("back_stress_zz"),
    Quantity::stress("back_stress_xy"),
    Quantity::stress("back_stress_yz"),
    Quantity::stress("back_stress_zx"),
]);
/// Iterations for Δp: Newton's, or halves of the bracket where they leave it.
const MOST_ITERATIONS: usize = 100;

/// A law's own numbers, then those of the flow.
pub(super) const fn with_inverse<const N: usize, const M: usize>(own: [Quantity; N]) -> [Quantity; M] {
    let mut all = [own[0]; M];
    let mut i = 0;
    while i < M {
        all[i] = if i < N { own[i] } else { INVERSE[i - N] };
        i += 1;
    }
    all
}

/// x : y of stresses in Voigt components.
pub(super) fn contract(x: &Vector6<f64>, y: &Vector6<f64>) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + 2.0 * (x[3] * y[3] + x[4] * y[4] + x[5] * y[5])
}

/// Voigt components of a strain from those of a stress.
pub(super) fn as_strain(x: &Vector6<f64>) -> Vector6<f64> {
    Vector6::from_fn(|k, _| if k < 3 { x[k] } else { 2.0 * x[k] })
}

/// Δp > 0 with its equation: what the flow needs of it.
struct Multiplier {
    increment: f64,
    /// a.
    recalled: f64,
    /// η and ‖η‖.
    eta: Vector6<f64>,
    norm: f64,
    /// m.
    slope: f64,
    /// K ṗⁿ.
    overstress: f64,
}

impl Plastic {
    fn back(&self) -> (f64, f64) {
        self.kinematic.map_or((0.0, 0.0), |k| (k.modulus, k.recall))
    }

    /// q(η) − R at Δp, and the rest of the equation.
    fn residual(&self, increment: f64, trial: &Vector6<f64>, h: f64, p: f64, back: &Vector6<f64>) -> (f64, Multiplier) {
        let shear = self.elastic.lame().1;
        let (modulus, recall) = self.back();
        let recalled = 1.0 / (1.0 + recall * increment);
        let eta = trial - back * recalled;
        let norm = contract(&eta, &eta).sqrt();
        let [strength, hardening] = self.hardening.at(p + increment);
        let (overstress, viscous) = match self.rate {
            Some(Rate { stress, exponent }) if increment > 0.0 => {
                let over = stress * (increment / h).powf(exponent);
                (over, exponent * over / increment)
            }
            _ => (0.0, 0.0),
        };
        let resistance = (3.0 * shear + modulus * recalled) * increment + strength + overstress;
        let along = if norm > 0.0 { contract(&eta, back) / norm } else { 0.0 };
        let slope = 3.0 * shear + modulus * recalled * recalled + hardening + viscous
            - 1.5_f64.sqrt() * recall * recalled * recalled * along;
        let multiplier = Multiplier { increment, recalled, eta, norm, slope, overstress };
        (1.5_f64.sqrt() * norm - resistance, multiplier)
    }

    /// The root of q(η) = R(Δp), which lies between 0 and q(η)/3G.
    fn multiplier(&self, trial: &Vector6<f64>, h: f64, p: f64, back: &Vector6<f64>) -> Option<Multiplier> {
        let (start, at_start) = self.residual(0.0, trial, h, p, back);
        if start <= 0.0 {
            return None;
        }
        let scale = 1.5_f64.sqrt() * at_start.norm + contract(back, back).sqrt();
        let (mut low, mut high) = (0.0, 1.01 * scale / (3.0 * self.elastic.lame().1));
        // With a rate the slope at 0 says nothing.
        let mut next = if self.rate.is_some() { 0.01 * high } else { start / at_start.slope };
        let mut found = at_start;
        for _ in 0..MOST_ITERATIONS {
            if !(low..=high).contains(&next) {
                next = 0.5 * (low + high);
            }
            let (rest, at) = self.residual(next, trial, h, p, back);
            let change = rest / at.slope;
            if rest > 0.0 {
                low = next
            } else {
                high = next
            }
            found = at;
            if rest.abs() <= 4.0 * f64::EPSILON * scale || change.abs() <= f64::EPSILON * next {
                break;
            }
            next += change;
        }
        Some(found)
    }
}

impl Flow for Plastic {
    fn elastic(&self) -> &Isotropic {
        &self.elastic
    }

    fn has_axes(&self) -> bool {
        self.kinematic.is_some()
    }

    fn hidden_energy(&self, own: &[f64]) -> f64 {
        let Some(Kinematic { modulus, .. }) = self.kinematic else { return 0.0 };
        let back = Vector6::from_column_slice(&own[1..7]);
        0.75 / modulus * contract(&back, &back)
    }

    fn settle(&self, trial: &Vector6<f64>, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Settled {
        let (lambda, shear) = self.elastic.lame();
        let bulk = lambda + 2.0 / 3.0 * shear;
        let one = Vector6::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 });
        let pressure = bulk * (trial[0] + trial[1] + trial[2]);
        let deviator = twice_deviator() * trial * shear;
        let p = old[0];
        let back = if self.kinematic.is_some() { Vector6::from_column_slice(&old[1..7]) } else { Vector6::zeros() };
        let Some(found) = self.multiplier(&deviator, step.h, p, &back) else {
            return Settled {
                stress: one * pressure + deviator,
                tangent: self.elastic.stiffness(),
                plastic: Vector6::zeros(),
                lost: Lost::default(),
            };
        };
        let Multiplier { increment, recalled, eta, norm, slope, overstress } = found;
        let n = eta / norm;
        let (modulus, recall) = self.back();
        let six = 6.0_f64.sqrt() * shear;
        let c = six * increment / norm;
        let mut tangent = Matrix6::zeros();
        if step.wants_tangent {
            tangent = one * one.transpose() * bulk
                + twice_deviator() * (shear * (1.0 - c))
                + n * n.transpose() * (2.0 * shear * c - six * six / slope);
        }
        new[0] = p + increment;
        let mut lost = Lost {
            plastic: self.hardening.work(new[0]) - self.hardening.work(p),
            viscous: overstress * increment,
            damage: 0.0,
        };
        if self.kinematic.is_some() {
            let moved = (back + n * (1.5_f64.sqrt() * 2.0 / 3.0 * modulus * increment)) * recalled;
            new[1..7].copy_from_slice(moved.as_slice());
            lost.plastic += 1.5 * recall / modulus * contract(&moved, &moved) * increment;
            let across = back - n * contract(&n, &back);
            tangent -= across * n.transpose() * (c * recall * recalled * recalled * six / slope);
        }
        Settled {
            stress: one * pressure + deviator - n * (six * increment),
            tangent,
            plastic: as_strain(&n) * (1.5_f64.sqrt() * increment),
            lost,
        }
    }
}

impl Inelastic for Plastic {
    fn history(&self) -> &'static [Quantity] {
        if self.kinematic.is_some() { &KINEMATIC } else { &ISOTROPIC }
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        self.hardening.check()?;
        let positive = |name, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(MaterialError::NotPositive { name, value }),
        };
        if let Some(Kinematic { modulus, recall }) = self.kinematic {
            positive("kinematic modulus", modulus)?;
            if !(recall >= 0.0 && recall.is_finite()) {
                return Err(MaterialError::NotPositive { name: "recall of the back stress", value: recall });
            }
        }
        if let Some(Rate { stress, exponent }) = self.rate {
            positive("overstress at unit rate", stress)?;
            positive("exponent of the rate", exponent)?;
        }
        Ok(())
    }

    fn prestress(&self, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
        flow::prestress(self, stress, history)
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        flow::respond(self, step, old, new)
    }
}
