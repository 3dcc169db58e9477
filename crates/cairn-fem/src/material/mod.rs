//! Materials, one file each: energy density, stress and consistent tangent as functions of the strain, or of its history.
//!
//! In finite kinematics the strain is Green–Lagrange's E and the stress is the second Piola–Kirchhoff S = ∂W/∂E, so
//! every law is objective. In small kinematics the strain is ε, the stress σ, and every law is taken at its tangent at
//! the origin. The linear laws read in (E, S) are those of Saint-Venant and Kirchhoff.
//!
//! Laws with memory see a step of the strain and numbers of their own instead: [`Inelastic`]. A new one is a file with its numbers and
//! its answer, a variant of [`Law`], a line each in [`Law::isotropic`] and [`Law::inelastic`], and a line in the table of `every`, whose suites it
//! has to pass.
//!
//! All laws are written in Voigt components (see [`crate::tensor`]), the first `V` of them: 6 in space, 4 in the plane.

mod damage;
mod drucker_prager;
mod flow;
mod hardening;
mod hill;
mod inelastic;
mod isotropic;
mod kelvin_voigt;
mod maxwell;
mod mohr_coulomb;
mod neo_hookean;
mod orthotropic;
mod plastic;
mod prony;
mod saint_venant_kirchhoff;

pub use damage::{Damage, DamageCriterion};
pub use drucker_prager::{ConeFit, DruckerPrager, Frictional};
pub use hardening::{Hardening, Table};
pub use hill::Hill;
pub use inelastic::{Increment, Inelastic, Lost, Outcome, Quantity};
pub use isotropic::Isotropic;
pub use kelvin_voigt::KelvinVoigt;
pub use maxwell::{Maxwell, StressRate};
pub use mohr_coulomb::MohrCoulomb;
pub use neo_hookean::NeoHookean;
pub use orthotropic::Orthotropic;
pub use plastic::{Kinematic, Plastic, Rate};
pub use prony::{Arm, Prony};
pub use saint_venant_kirchhoff::SaintVenantKirchhoff;

use nalgebra::{Matrix6, SMatrix, SVector};

/// A law between strain and stress.
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
    /// Isotropic with a viscosity in shear.
    KelvinVoigt(KelvinVoigt),
    /// Isotropic with a stiffness that is lost.
    Damage(Damage),
    /// Flows in shear as a liquid does, in time.
    Maxwell(Maxwell),
    /// Relaxes in shear, by a series of times.
    Prony(Prony),
    /// Isotropic until it yields.
    Plastic(Plastic),
    /// Isotropic until it yields, stronger under pressure: a cone.
    DruckerPrager(DruckerPrager),
    /// The same, a pyramid.
    MohrCoulomb(MohrCoulomb),
    /// Isotropic until it yields, differently along and across.
    Hill(Hill),
}

/// What a region of a mesh is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density in the reference configuration [kg/m³].
    pub density: f64,
    /// Stress and strain.
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
    /// A stress that falls as strain grows, without a length.
    #[error(
        "{name} is {value}: the yield stress must not fall, as the strain would gather in one row of cells, however small they are"
    )]
    Softens {
        /// Which constant.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A table that is no curve.
    #[error("row {row} of the table of the yield stress {why}")]
    Table {
        /// Number of the row, from 1.
        row: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An angle out of range.
    #[error("{name} is {value}°: it has to lie between 0 and 90°")]
    Angle {
        /// Which angle.
        name: &'static str,
        /// Its value [°].
        value: f64,
    },
    /// More dilatancy than friction.
    #[error(
        "the angle of dilatancy is {value:.4}°: it has to lie between 0 and the angle of friction, {most:.4}°, or flow would give energy"
    )]
    Dilatancy {
        /// Its value [°].
        value: f64,
        /// The angle of friction [°].
        most: f64,
    },
    /// Too many arms, or none.
    #[error("{count} arms: a series has from 1 to {most}")]
    Arms {
        /// How many.
        count: usize,
        /// The most.
        most: usize,
    },
    /// The axes are no rotation.
    #[error("the axes of an orthotropic material are not orthonormal")]
    Axes,
    /// A cell would store more energy at its strength than a crack takes.
    #[error("a cell of {length} m stores more energy than its crack takes: cells have to be smaller than {most} m")]
    CellTooLarge {
        /// Size of the cell [m].
        length: f64,
        /// The bound [m].
        most: f64,
    },
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
        match (&self.law, self.law.inelastic()) {
            (_, Some(law)) => law.check(),
            (Law::Orthotropic(law), _) => law.check(),
            _ => self.law.isotropic().map_or(Ok(()), Isotropic::check),
        }
    }
}

impl Law {
    /// The elastic constants of an isotropic law.
    pub fn isotropic(&self) -> Option<&Isotropic> {
        match self {
            Law::Isotropic(law) | Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)) => Some(law),
            Law::NeoHookean(NeoHookean(law)) => Some(law),
            Law::KelvinVoigt(KelvinVoigt { elastic, .. }) | Law::Damage(Damage { elastic, .. }) => Some(elastic),
            Law::Plastic(Plastic { elastic, .. }) | Law::Maxwell(Maxwell { elastic, .. }) => Some(elastic),
            Law::Prony(Prony { elastic, .. }) | Law::Hill(Hill { elastic, .. }) => Some(elastic),
            Law::DruckerPrager(DruckerPrager { elastic, .. }) | Law::MohrCoulomb(MohrCoulomb { elastic, .. }) => {
                Some(elastic)
            }
            Law::Orthotropic(_) => None,
        }
    }

    /// The law with memory, if it is one.
    pub fn inelastic(&self) -> Option<&dyn Inelastic> {
        match self {
            Law::KelvinVoigt(law) => Some(law),
            Law::Damage(law) => Some(law),
            Law::Plastic(law) => Some(law),
            Law::Maxwell(law) => Some(law),
            Law::Prony(law) => Some(law),
            Law::Hill(law) => Some(law),
            Law::DruckerPrager(law) => Some(law),
            Law::MohrCoulomb(law) => Some(law),
            Law::Isotropic(_) | Law::Orthotropic(_) | Law::SaintVenantKirchhoff(_) | Law::NeoHookean(_) => None,
        }
    }

    /// What it keeps at each point; nothing if it is elastic.
    pub fn history(&self) -> &'static [Quantity] {
        self.inelastic().map_or(&[], |law| law.history())
    }

    /// Stiffness at the origin [Pa].
    pub fn stiffness(&self) -> Matrix6<f64> {
        match self {
            Law::Orthotropic(law) => law.stiffness(),
            _ => self.isotropic().map_or(Matrix6::from_element(f64::NAN), Isotropic::stiffness),
        }
    }

    /// Lamé's constants of an isotropic law [Pa].
    pub fn lame(&self) -> Option<(f64, f64)> {
        self.isotropic().map(Isotropic::lame)
    }

    /// Young's modulus along a bar; for orthotropic laws the first one [Pa].
    pub fn young(&self) -> f64 {
        match self {
            Law::Orthotropic(law) => law.young[0],
            _ => self.isotropic().map_or(f64::NAN, |law| law.young),
        }
    }
}

#[cfg(test)]
pub(crate) mod every;
#[cfg(test)]
mod every_tests;
#[cfg(test)]
mod frictional_tests;
#[cfg(test)]
mod plastic_tests;
#[cfg(test)]
mod tests;
