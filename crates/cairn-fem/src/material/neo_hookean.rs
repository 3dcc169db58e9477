//! Compressible neo-Hookean solid.
//!
//! W = μ/2 (tr C − 3) − μ ln J + λ/2 (ln J)², with C = 1 + 2E and J² = det C:
//!
//! ```text
//!   S = μ (1 − C⁻¹) + λ ln J C⁻¹
//!   ∂S/∂E = λ C⁻¹⊗C⁻¹ + 2 (μ − λ ln J) I,    I_ijkl = (C⁻¹_ik C⁻¹_jl + C⁻¹_il C⁻¹_jk)/2
//! ```
//!
//! W grows without bound as J → 0 or ∞. For J ≤ 0 all values are not a number, which a Newton iteration can see.

use nalgebra::{Matrix3, SVector};

use super::{Answer, Dilatation, Isotropic};
use crate::tensor::{components, from_strain, inverse, symmetric_square};

/// Young's modulus and Poisson's ratio at small strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean(pub Isotropic);

impl NeoHookean {
    /// Energy, stress and tangent; without the term in λ if `volumetric` is false.
    pub fn respond<const V: usize>(&self, strain: &SVector<f64, V>, volumetric: bool) -> Answer<V> {
        let (lambda, mu) = self.0.lame();
        let lambda = if volumetric { lambda } else { 0.0 };
        let c = Matrix3::identity() + 2.0 * from_strain(strain);
        let (determinant, inverted) = inverse(&c);
        let log = 0.5 * determinant.ln();
        let g = components::<V>(&inverted);
        let one = SVector::<f64, V>::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 });
        Answer {
            energy: 0.5 * mu * (c.trace() - 3.0) - mu * log + 0.5 * lambda * log * log,
            stress: mu * one + (lambda * log - mu) * g,
            tangent: lambda * g * g.transpose() + 2.0 * (mu - lambda * log) * symmetric_square(&inverted),
        }
    }

    /// J = √det C: its gradient is J C⁻¹, its second derivative J (C⁻¹⊗C⁻¹ − 2 I).
    pub fn dilatation<const V: usize>(&self, strain: &SVector<f64, V>) -> Dilatation<V> {
        let c = Matrix3::identity() + 2.0 * from_strain(strain);
        let (determinant, inverted) = inverse(&c);
        let j = determinant.sqrt();
        let g = components::<V>(&inverted);
        Dilatation { value: j, gradient: j * g, hessian: j * (g * g.transpose() - 2.0 * symmetric_square(&inverted)) }
    }

    /// U = λ/2 (ln J)² with its first two derivatives.
    pub fn volumetric(&self, j: f64) -> [f64; 3] {
        let lambda = self.0.lame().0;
        let log = j.ln();
        [0.5 * lambda * log * log, lambda * log / j, lambda * (1.0 - log) / (j * j)]
    }

    /// The thickness strain E₃₃ at which S₃₃ vanishes: μ (C₃₃ − 1) + λ ln J = 0, increasing and concave in C₃₃.
    pub fn plane_stress_strain(&self, strain: &SVector<f64, 4>) -> f64 {
        let (lambda, mu) = self.0.lame();
        let (c11, c22, c12) = (1.0 + 2.0 * strain[0], 1.0 + 2.0 * strain[1], strain[3]);
        let plane = (c11 * c22 - c12 * c12).ln();
        // In y = ln C₃₃ the function μ (eʸ − 1) + λ (plane + y)/2 is convex for λ ≥ 0: Newton's method cannot cycle.
        let mut y = 0.0_f64;
        for _ in 0..60 {
            let value = mu * (y.exp() - 1.0) + 0.5 * lambda * (plane + y);
            let change = value / (mu * y.exp() + 0.5 * lambda);
            y -= change;
            if change.abs() < 1e-16 * (1.0 + y.abs()) {
                break;
            }
        }
        0.5 * (y.exp() - 1.0)
    }
}
