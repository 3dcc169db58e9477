//! Plastic flow at small and at finite strain, for every law that is written in the elastic strain.
//!
//! A law with flow says what becomes of an elastic strain that it is tried with ([`Flow::settle`]): stress, tangent, plastic strain of the
//! step. It need not know what large strains are:
//!
//! ```text
//!   small:   trial ε_e = ε₁ − ε_p,                       ε_p ← ε_p + Δε_p
//!   finite:  F = F_e F_p,  L = F_p⁻¹,  Ĉ = Lᵀ C₁ L,  trial ε_e = ½ ln Ĉ,   L ← L Û⁻¹ exp(ε_e − Δε_p),  Û² = Ĉ
//! ```
//!
//! The second is the exponential return mapping of the multiplicative decomposition (Weber and Anand 1990, Eterovic and Bathe 1990): with
//! Δε_p in the axes of Ĉ, as isotropic laws have it, F_p ← exp(Δε_p) F_p. Volume is kept exactly where tr Δε_p = 0. There is no plastic
//! spin, so that back stresses and axes of anisotropy stay where they are in the intermediate configuration. All is a function of C.
//!
//! The stress T of the law does work on the logarithmic strain. With P = ∂ε_e/∂Ê, Ê = ½(Ĉ − 1):
//!
//! ```text
//!   Ŝ = P T,    S = L Ŝ Lᵀ,    ∂Ŝ/∂Ê = P (∂T/∂ε_e) P + T : ∂²ε_e/∂Ê²
//! ```
//!
//! The eigenvalues of T are those of Kirchhoff's stress J σ. L − 1 is kept, nine numbers behind the law's own; −ε_p in small kinematics.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::inelastic::energy;
use super::{Increment, Isotropic, Lost, Outcome, Quantity};
use crate::spectral::{Logarithm, Scalar, Spectrum, bending, carried, slopes, spectrum};
use crate::tensor::{components, from_strain, from_stress};

/// L − 1, by columns.
pub(super) const INVERSE: [Quantity; 9] = [
    Quantity::number("inverse_plastic_xx").hidden(),
    Quantity::number("inverse_plastic_yx").hidden(),
    Quantity::number("inverse_plastic_zx").hidden(),
    Quantity::number("inverse_plastic_xy").hidden(),
    Quantity::number("inverse_plastic_yy").hidden(),
    Quantity::number("inverse_plastic_zy").hidden(),
    Quantity::number("inverse_plastic_xz").hidden(),
    Quantity::number("inverse_plastic_yz").hidden(),
    Quantity::number("inverse_plastic_zz").hidden(),
];

/// What becomes of an elastic strain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// T [Pa].
    pub stress: Vector6<f64>,
    /// ∂T/∂ε_e of the trial [Pa].
    pub tangent: Matrix6<f64>,
    /// Δε_p, in Voigt components of a strain.
    pub plastic: Vector6<f64>,
    /// What is lost [J/m³].
    pub lost: Lost,
}

/// A law that is written in the elastic strain, which is isotropic and linear in its stress.
pub(super) trait Flow {
    /// The law before it flows.
    fn elastic(&self) -> &Isotropic;

    /// Does it know directions? Otherwise it is asked in the axes of the strain.
    fn has_axes(&self) -> bool;

    /// Energy that is stored beside that of the elastic strain [J/m³].
    fn hidden_energy(&self, _own: &[f64]) -> f64 {
        0.0
    }

    /// Carries a trial strain back to what can be, in a time h > 0; `old` and `new` are the law's own numbers. The tangent may be left out
    /// where the step does not want it.
    fn settle(&self, trial: &Vector6<f64>, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Settled;
}

/// Without flow.
fn at_rest<L: Flow>(law: &L, strain: &Vector6<f64>) -> Settled {
    let tangent = law.elastic().stiffness();
    Settled { stress: tangent * strain, tangent, plastic: Vector6::zeros(), lost: Lost::default() }
}

/// The answer of a law with flow; its own numbers come first in `old` and `new`, then L − 1.
pub(super) fn respond<L: Flow>(law: &L, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
    let (own, inverse) = old.split_at(old.len() - 9);
    let inverse = Matrix3::from_column_slice(inverse);
    new.copy_from_slice(old);
    let (new_own, new_inverse) = new.split_at_mut(own.len());
    // A state flows no further.
    let settle = |trial: &Vector6<f64>, new_own: &mut [f64]| match step.h > 0.0 {
        true => law.settle(trial, step, own, new_own),
        false => at_rest(law, trial),
    };
    let end = match step.is_finite {
        false => small(&inverse, step, |trial| settle(trial, new_own)),
        true => finite(law.has_axes(), &inverse, step, |trial| settle(trial, new_own)),
    };
    if end.has_flowed {
        new_inverse.copy_from_slice(end.inverse.as_slice());
    }
    let mut stress = end.stress;
    if step.xi < 1.0 {
        let before = match step.is_finite {
            false => at_rest(law, &(step.before + strain_components(&inverse))).stress,
            true => resting_stress(law, &inverse, &step.before),
        };
        stress = step.mean(before, stress);
    }
    Outcome {
        stress,
        tangent: end.tangent * step.xi,
        stored: energy(&law.elastic().stiffness(), &end.elastic) + law.hidden_energy(new_own),
        lost: end.lost,
    }
}

/// Stresses a point that is not strained, by L = 1 + ε_e: exact in small kinematics, up to a share of half the elastic strain in finite ones.
pub(super) fn prestress<L: Flow>(law: &L, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
    let Some(strain) = law.elastic().stiffness().try_inverse().map(|c| c * stress) else { return false };
    let own = history.len() - 9;
    history[own..].copy_from_slice(from_strain(&strain).as_slice());
    true
}

/// The end of a step.
struct End {
    stress: Vector6<f64>,
    tangent: Matrix6<f64>,
    /// ε_e, in any axes.
    elastic: Vector6<f64>,
    lost: Lost,
    has_flowed: bool,
    inverse: Matrix3<f64>,
}

/// The symmetric part, in Voigt components of a strain.
fn strain_components(tensor: &Matrix3<f64>) -> Vector6<f64> {
    let once = components::<6>(tensor) + components::<6>(&tensor.transpose());
    Vector6::from_fn(|k, _| if k < 3 { 0.5 * once[k] } else { once[k] })
}

fn small(inverse: &Matrix3<f64>, step: &Increment<6>, settle: impl FnOnce(&Vector6<f64>) -> Settled) -> End {
    let trial = step.after + strain_components(inverse);
    let Settled { stress, tangent, plastic, lost } = settle(&trial);
    End {
        stress,
        tangent,
        elastic: trial - plastic,
        lost,
        has_flowed: plastic != Vector6::zeros(),
        inverse: inverse - from_strain(&plastic),
    }
}

/// Ê = ½(Lᵀ C L − 1) of L − 1 and E, without loss of digits where both are small.
fn elastic_strain(less_one: &Matrix3<f64>, strain: &Vector6<f64>) -> (Matrix3<f64>, Spectrum) {
    let carry = Matrix3::identity() + less_one;
    let own = 0.5 * (less_one + less_one.transpose() + less_one.tr_mul(less_one));
    let strain = carry.tr_mul(&(from_strain(strain) * carry)) + own;
    (carry, spectrum(&(0.5 * (strain + strain.transpose()))))
}

fn diagonal(values: &Vector3<f64>) -> Vector6<f64> {
    Vector6::from_fn(|k, _| if k < 3 { values[k] } else { 0.0 })
}

/// S of a state.
fn resting_stress<L: Flow>(law: &L, inverse: &Matrix3<f64>, strain: &Vector6<f64>) -> Vector6<f64> {
    let (carry, Spectrum { values, axes }) = elastic_strain(inverse, strain);
    let stress = law.elastic().stiffness() * diagonal(&values.map(Logarithm::value));
    let own = Vector3::from_fn(|a, _| stress[a] / (1.0 + 2.0 * values[a]));
    let m = carry * axes;
    components(&(m * Matrix3::from_diagonal(&own) * m.transpose()))
}

fn finite(
    has_axes: bool,
    inverse: &Matrix3<f64>,
    step: &Increment<6>,
    settle: impl FnOnce(&Vector6<f64>) -> Settled,
) -> End {
    let (carry, Spectrum { values, axes }) = elastic_strain(inverse, &step.after);
    let logarithms = values.map(Logarithm::value);
    let mut trial = diagonal(&logarithms);
    let mut settled = if has_axes {
        let turn = carried(&axes);
        // Of a strain T ↦ N T Nᵀ is the inverse of the transpose, and N is orthogonal.
        let turned = strain_components(&(axes * Matrix3::from_diagonal(&logarithms) * axes.transpose()));
        let settled = settle(&turned);
        trial = turn.tr_mul(&turned);
        let back = carried(&axes.transpose());
        Settled {
            stress: back * settled.stress,
            tangent: if step.wants_tangent { back * settled.tangent * back.transpose() } else { settled.tangent },
            plastic: turn.tr_mul(&settled.plastic),
            lost: settled.lost,
        }
    } else {
        settle(&trial)
    };
    let elastic = trial - settled.plastic;
    let has_flowed = settled.plastic != Vector6::zeros();
    let new_inverse = if has_flowed {
        let Spectrum { values: logs, axes: own } = spectrum(&from_strain(&elastic));
        let stretch = own * Matrix3::from_diagonal(&logs.map(f64::exp)) * own.transpose();
        let shrink = Matrix3::from_diagonal(&logarithms.map(|e| (-e).exp()));
        carry * axes * shrink * stretch * axes.transpose() - Matrix3::identity()
    } else {
        *inverse
    };
    let slope = slopes::<Logarithm>(&values);
    let stress = settled.stress.component_mul(&slope);
    let m = carry * axes;
    let mut end = End {
        stress: components(&(m * from_stress(&stress) * m.transpose())),
        tangent: Matrix6::zeros(),
        elastic,
        lost: settled.lost,
        has_flowed,
        inverse: new_inverse,
    };
    if !step.wants_tangent {
        return end;
    }
    for (i, j) in (0..6).flat_map(|j| (0..6).map(move |i| (i, j))) {
        settled.tangent[(i, j)] *= slope[i] * slope[j];
    }
    let tangent = settled.tangent + bending::<Logarithm>(&values, &settled.stress);
    let carry = carried(&m);
    end.tangent = carry * tangent * carry.transpose();
    end
}
