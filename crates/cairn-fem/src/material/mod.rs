//! Materials, one file each: energy density, stress and consistent tangent as functions of the strain.
//!
//! In finite kinematics the strain is Green–Lagrange's E and the stress is the second Piola–Kirchhoff S = ∂W/∂E, so
//! every law is objective. In small kinematics the strain is ε, the stress σ, and every law is taken at its tangent at
//! the origin. The linear laws read in (E, S) are those of Saint-Venant and Kirchhoff.
//!
//! All laws are written in Voigt components (see [`crate::tensor`]), the first `V` of them: 6 in space, 4 in the plane.

mod isotropic;
mod neo_hookean;
mod orthotropic;
mod saint_venant_kirchhoff;

pub use isotropic::Isotropic;
pub use neo_hookean::NeoHookean;
pub use orthotropic::Orthotropic;
pub use saint_venant_kirchhoff::SaintVenantKirchhoff;

use nalgebra::{Matrix6, SMatrix, SVector};

/// A law of elasticity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Linear elastic, isotropic.
    Isotropic(Isotropic),
    /// Linear elastic, orthotropic.
    Orthotropic(Orthotropic),
    /// Linear between Green–Lagrange strain and second Piola–Kirchhoff stress.
    SaintVenantKirchhoff(SaintVenantKirchhoff),
    /// Compressible neo-Hookean.
    NeoHookean(NeoHookean),
}

/// What a region of a mesh is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density in the reference configuration [kg/m³].
    pub density: f64,
    /// Elasticity.
    pub law: Law,
}

/// Why a material makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// A constant must be positive.
    #[error("{name} is {value}: it has to be positive and finite")]
    NotPositive {
        /// Which constant.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Poisson's ratio out of range.
    #[error("Poisson's ratio is {value}: it has to lie between −1 and 0.5 (0.5 itself is incompressible: take 0.499)")]
    Poisson {
        /// Its value.
        value: f64,
    },
    /// The axes are no rotation.
    #[error("the axes of an orthotropic material are not orthonormal")]
    Axes,
    /// The stored energy would not be positive.
    #[error("the constants of an orthotropic material give a negative energy: check that ν₁₂² < E₁/E₂, and so on")]
    Unstable,
}

/// Energy density [J/m³], stress [Pa] and tangent [Pa] at a strain.
#[derive(Clone, Copy, Debug)]
pub struct Answer<const V: usize> {
    /// Energy density W [J/m³].
    pub energy: f64,
    /// ∂W/∂E [Pa].
    pub stress: SVector<f64, V>,
    /// ∂²W/∂E² [Pa].
    pub tangent: SMatrix<f64, V, V>,
}

/// A measure θ of the change of volume, and its derivatives with respect to the strain.
#[derive(Clone, Copy, Debug)]
pub struct Dilatation<const V: usize> {
    /// θ.
    pub value: f64,
    /// ∂θ/∂E.
    pub gradient: SVector<f64, V>,
    /// ∂²θ/∂E².
    pub hessian: SMatrix<f64, V, V>,
}

impl Material {
    /// Checks that the constants make sense.
    pub fn check(&self) -> Result<(), MaterialError> {
        if !(self.density > 0.0 && self.density.is_finite()) {
            return Err(MaterialError::NotPositive { name: "density", value: self.density });
        }
        match &self.law {
            Law::Isotropic(law) | Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)) => law.check(),
            Law::NeoHookean(NeoHookean(law)) => law.check(),
            Law::Orthotropic(law) => law.check(),
        }
    }
}

impl Law {
    /// Stiffness at the origin [Pa].
    pub fn stiffness(&self) -> Matrix6<f64> {
        match self {
            Law::Isotropic(law) | Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)) => law.stiffness(),
            Law::NeoHookean(NeoHookean(law)) => law.stiffness(),
            Law::Orthotropic(law) => law.stiffness(),
        }
    }

    /// Lamé's constants of an isotropic law [Pa].
    pub fn lame(&self) -> Option<(f64, f64)> {
        match self {
            Law::Isotropic(law) | Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)) => Some(law.lame()),
            Law::NeoHookean(NeoHookean(law)) => Some(law.lame()),
            Law::Orthotropic(_) => None,
        }
    }

    /// Young's modulus along a bar; for orthotropic laws the first one [Pa].
    pub fn young(&self) -> f64 {
        match self {
            Law::Isotropic(law) | Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)) => law.young,
            Law::NeoHookean(NeoHookean(law)) => law.young,
            Law::Orthotropic(law) => law.young[0],
        }
    }
}

#[cfg(test)]
mod tests;
