//! Linear elastic orthotropic: three moduli, three ratios, three shear moduli, in axes of its own.
//!
//! Compliance in the material axes 1, 2, 3: S_ii = 1/E_i, S_ij = −ν_ij/E_i (a pull along i shortens j by ν_ij), γ_ij =
//! τ_ij/G_ij. The stiffness S⁻¹ is turned to the axes of the body: C_ijkl = Q_ip Q_jq Q_kr Q_ls C′_pqrs.

use nalgebra::{Matrix3, Matrix6};

use super::MaterialError;
use crate::tensor::VOIGT;

/// Constants of an orthotropic solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    /// Young's moduli E₁, E₂, E₃ [Pa].
    pub young: [f64; 3],
    /// Poisson's ratios ν₁₂, ν₂₃, ν₃₁.
    pub poisson: [f64; 3],
    /// Shear moduli G₁₂, G₂₃, G₃₁ [Pa].
    pub shear: [f64; 3],
    /// The material axes as columns: a rotation.
    pub axes: Matrix3<f64>,
}

impl Orthotropic {
    /// Compliance in the material axes.
    fn compliance(&self) -> Matrix6<f64> {
        let ([e1, e2, e3], [n12, n23, n31], g) = (self.young, self.poisson, self.shear);
        let mut s = Matrix6::zeros();
        for (i, e) in [e1, e2, e3].into_iter().enumerate() {
            s[(i, i)] = 1.0 / e;
            s[(3 + i, 3 + i)] = 1.0 / g[i];
        }
        for (i, j, value) in [(0, 1, -n12 / e1), (1, 2, -n23 / e2), (2, 0, -n31 / e3)] {
            s[(i, j)] = value;
            s[(j, i)] = value;
        }
        s
    }

    /// Stiffness in Voigt components of the body's axes [Pa]; not finite if the constants are not admissible.
    pub fn stiffness(&self) -> Matrix6<f64> {
        let Some(own) = self.compliance().try_inverse() else { return Matrix6::from_element(f64::NAN) };
        // Turns a strain (with γ = 2ε) of the body's axes to the material axes; its transpose turns stresses back.
        let q = &self.axes;
        let turn = Matrix6::from_fn(|m, k| {
            let ((p, r), (i, j)) = (VOIGT[m], VOIGT[k]);
            let twice = if m < 3 { 1.0 } else { 2.0 };
            0.5 * twice * (q[(i, p)] * q[(j, r)] + q[(j, p)] * q[(i, r)])
        });
        turn.transpose() * own * turn
    }

    pub(super) fn check(&self) -> Result<(), MaterialError> {
        for value in self.young.into_iter().chain(self.shear) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(MaterialError::NotPositive { name: "modulus of an orthotropic material", value });
            }
        }
        if (self.axes.transpose() * self.axes - Matrix3::identity()).norm() > 1e-9 {
            return Err(MaterialError::Axes);
        }
        if self.compliance().cholesky().is_none() {
            return Err(MaterialError::Unstable);
        }
        Ok(())
    }
}
