//! Mean dilatation of cells with memory: the material sees the change of volume of the whole cell.
//!
//! With a measure θ(E) of the change of volume and its mean θ̄ = ∫ θ / V, the law is asked with the strain that has the shape of E and
//! the volume θ̄ (a = θ̄ − θ):
//!
//! ```text
//!   small:   θ = tr ε,               Ē = E + a/3 1
//!   finite:  θ = ln J = ½ ln det C,  C̄ = e^{2a/3} C
//!   both:    Ē = s E + t 1,          ∂Ē/∂a = φ
//! ```
//!
//! Nothing is asked of the law, so that plastic flow without change of volume does not lock. δĒ = s δE + φ δa, and with g = ∂θ/∂E,
//! P = S̄·φ, P̄ = ∫ P / V the stress that does the work of S̄ with δE is
//!
//! ```text
//!   S = s S̄ + (P̄ − P) g
//! ```
//!
//! Its derivative, with k = 2/3 (finite) or 0 (small), L = s 1 − φ gᵀ, H = ∂²θ/∂E²:
//!
//! ```text
//!   b = s C̄ φ + k s S̄ − e g,    e = φ·C̄ φ + k P
//!   dS = (s C̄ L − k s S̄ gᵀ − g bᵀ + (P̄ − P) H) dE + b dθ̄ + g dP̄,      V dP̄ = ∫ b·dE + ∫ e dθ̄
//! ```
//!
//! which is symmetric where C̄ is.

use nalgebra::{Matrix3, SMatrix, SVector};

use crate::material::Outcome;
use crate::section::Kinematics;
use crate::tensor::{components, from_strain, inverse, symmetric_square};

/// The derivatives of θ.
struct Measure<const V: usize> {
    gradient: SVector<f64, V>,
    hessian: SMatrix<f64, V, V>,
}

fn one<const V: usize>() -> SVector<f64, V> {
    SVector::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 })
}

/// θ.
pub(super) fn theta<const V: usize>(kinematics: Kinematics, strain: &SVector<f64, V>) -> f64 {
    match kinematics {
        Kinematics::Small => strain[0] + strain[1] + strain[2],
        Kinematics::Finite => 0.5 * (Matrix3::identity() + 2.0 * from_strain(strain)).determinant().ln(),
    }
}

fn measure<const V: usize>(kinematics: Kinematics, strain: &SVector<f64, V>, wants_tangent: bool) -> Measure<V> {
    match kinematics {
        Kinematics::Small => Measure { gradient: one(), hessian: SMatrix::zeros() },
        Kinematics::Finite => {
            let (_, inverted) = inverse(&(Matrix3::identity() + 2.0 * from_strain(strain)));
            let hessian = if wants_tangent { symmetric_square(&inverted) * -2.0 } else { SMatrix::zeros() };
            Measure { gradient: components(&inverted), hessian }
        }
    }
}

/// s, and t of Ē = s E + t 1.
fn scales(kinematics: Kinematics, a: f64) -> (f64, f64) {
    match kinematics {
        Kinematics::Small => (1.0, a / 3.0),
        Kinematics::Finite => {
            let less_one = (2.0 * a / 3.0).exp_m1();
            (1.0 + less_one, 0.5 * less_one)
        }
    }
}

/// Ē of a strain in a cell with the mean θ̄.
pub(super) fn dilated<const V: usize>(kinematics: Kinematics, strain: &SVector<f64, V>, mean: f64) -> SVector<f64, V> {
    let (s, t) = scales(kinematics, mean - theta(kinematics, strain));
    strain * s + one() * t
}

/// What is the same for all points of a cell.
#[derive(Clone, Copy)]
pub(super) struct Mean {
    /// θ̄.
    pub theta: f64,
    /// P̄ [Pa].
    pub pressure: f64,
}

/// The stress at a point, and how it changes.
pub(super) struct Effective<const V: usize> {
    pub stress: SVector<f64, V>,
    /// ∂S/∂E with θ̄ and P̄ held.
    pub tangent: SMatrix<f64, V, V>,
    /// g.
    pub gradient: SVector<f64, V>,
    /// b.
    pub coupling: SVector<f64, V>,
    /// e.
    pub stiffness: f64,
}

/// φ = ∂Ē/∂a.
fn swelling<const V: usize>(kinematics: Kinematics, strain: &SVector<f64, V>, s: f64) -> SVector<f64, V> {
    match kinematics {
        Kinematics::Small => one() / 3.0,
        Kinematics::Finite => (one() + strain * 2.0) * (s / 3.0),
    }
}

/// g, c = s A φ of a matrix A, and s, at a strain in a cell with the mean θ̄.
pub(super) fn swelling_of<const V: usize>(
    kinematics: Kinematics,
    strain: &SVector<f64, V>,
    mean: f64,
    matrix: &SMatrix<f64, V, V>,
) -> (SVector<f64, V>, SVector<f64, V>, f64) {
    let (s, _) = scales(kinematics, mean - theta(kinematics, strain));
    let gradient = measure(kinematics, strain, false).gradient;
    (gradient, matrix * swelling(kinematics, strain, s) * s, s)
}

/// P of a point.
pub(super) fn pressure<const V: usize>(
    kinematics: Kinematics,
    strain: &SVector<f64, V>,
    mean: f64,
    outcome: &Outcome<V>,
) -> f64 {
    let (s, _) = scales(kinematics, mean - theta(kinematics, strain));
    outcome.stress.dot(&swelling(kinematics, strain, s))
}

/// The stress of a point with the strain E and the answer `outcome` of its law at Ē.
pub(super) fn effective<const V: usize>(
    kinematics: Kinematics,
    strain: &SVector<f64, V>,
    mean: Mean,
    outcome: &Outcome<V>,
    wants_tangent: bool,
) -> Effective<V> {
    let Measure { gradient: g, hessian } = measure(kinematics, strain, wants_tangent);
    let (s, _) = scales(kinematics, mean.theta - theta(kinematics, strain));
    let phi = swelling(kinematics, strain, s);
    let k = if kinematics == Kinematics::Finite { 2.0 / 3.0 } else { 0.0 };
    let (stress, c) = (&outcome.stress, &outcome.tangent);
    let own = stress.dot(&phi);
    if !wants_tangent {
        let (tangent, coupling) = (SMatrix::zeros(), SVector::zeros());
        let stress = stress * s + g * (mean.pressure - own);
        return Effective { stress, tangent, gradient: g, coupling, stiffness: 0.0 };
    }
    let c_phi = c * phi;
    let stiffness = phi.dot(&c_phi) + k * own;
    let coupling = (c_phi + stress * k) * s - g * stiffness;
    let lean = SMatrix::<f64, V, V>::identity() * s - phi * g.transpose();
    let tangent =
        c * lean * s - stress * g.transpose() * (k * s) - g * coupling.transpose() + hessian * (mean.pressure - own);
    Effective { stress: stress * s + g * (mean.pressure - own), tangent, gradient: g, coupling, stiffness }
}
