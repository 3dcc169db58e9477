//! Linear elastic isotropic: σ = λ tr ε 1 + 2μ ε.
//!
//! λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)).

use nalgebra::Matrix6;

use super::MaterialError;

/// Young's modulus and Poisson's ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Isotropic {
    /// Young's modulus E [Pa].
    pub young: f64,
    /// Poisson's ratio ν, −1 < ν < ½.
    pub poisson: f64,
}

impl Isotropic {
    /// Lamé's λ and μ [Pa].
    pub fn lame(&self) -> (f64, f64) {
        let Isotropic { young, poisson } = *self;
        (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
    }

    /// Stiffness in Voigt components [Pa].
    pub fn stiffness(&self) -> Matrix6<f64> {
        let (lambda, mu) = self.lame();
        Matrix6::from_fn(|i, j| match (i < 3 && j < 3, i == j) {
            (true, true) => lambda + 2.0 * mu,
            (true, false) => lambda,
            (false, true) => mu,
            (false, false) => 0.0,
        })
    }

    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let Isotropic { young, poisson } = *self;
        if !(young > 0.0 && young.is_finite()) {
            return Err(MaterialError::NotPositive { name: "Young's modulus", value: young });
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(MaterialError::Poisson { value: poisson });
        }
        Ok(())
    }
}
