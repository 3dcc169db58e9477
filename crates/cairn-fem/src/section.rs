//! Sections: how a law of three dimensions acts in a plane, and what a plane cell weighs.
//!
//! * plane strain: E₃₃ = 0;
//! * plane stress: S₃₃ = 0; linear laws are condensed, C̄_ij = C_ij − C_i3 C_3j / C_33, others solve for E₃₃;
//! * axisymmetric: x is the radius r, y the axis, E₃₃ the hoop strain; volumes are of the whole ring, 2π r dA;
//! * solid: nothing to reduce.
//!
//! Laws with memory are taken at their elastic tangent here, and step by step in [`point`].

pub(crate) mod point;

use nalgebra::{Matrix6, SMatrix, SVector};

use crate::material::{Answer, Dilatation, Law, NeoHookean};

/// How a body fills the space around its mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// A thin plate [m].
    PlaneStress {
        /// Thickness [m].
        thickness: f64,
    },
    /// A slice of a long body [m].
    PlaneStrain {
        /// Thickness [m].
        thickness: f64,
    },
    /// A body of revolution about the axis x = 0.
    Axisymmetric,
    /// A body in space.
    Solid,
}

/// How displacements make strains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinematics {
    /// ε = sym ∇u.
    Small,
    /// E = (FᵀF − 1)/2, total Lagrangian.
    Finite,
}

/// A law prepared for a section and a kinematics.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "one for each region, read in the innermost loop")]
pub(crate) enum Reduced {
    /// Constant stiffness; Lamé's constants where the law is isotropic.
    Linear { stiffness: Matrix6<f64>, lame: Option<(f64, f64)> },
    /// Neo-Hookean at finite strain.
    NeoHookean { law: NeoHookean, is_plane_stress: bool },
}

/// Eliminates one strain component by the condition that its stress vanishes.
fn condense<const V: usize>(c: &SMatrix<f64, V, V>, k: usize) -> SMatrix<f64, V, V> {
    SMatrix::from_fn(|i, j| if i == k || j == k { 0.0 } else { c[(i, j)] - c[(i, k)] * c[(k, j)] / c[(k, k)] })
}

impl Reduced {
    pub fn new(law: &Law, section: Section, kinematics: Kinematics) -> Reduced {
        let is_plane_stress = matches!(section, Section::PlaneStress { .. });
        match (law, kinematics) {
            (Law::NeoHookean(law), Kinematics::Finite) => Reduced::NeoHookean { law: *law, is_plane_stress },
            _ => {
                let stiffness = law.stiffness();
                let stiffness = if is_plane_stress { condense(&stiffness, 2) } else { stiffness };
                Reduced::Linear { stiffness, lame: law.lame() }
            }
        }
    }

    /// Energy, stress and tangent.
    #[inline(always)]
    pub fn respond<const V: usize>(&self, strain: &SVector<f64, V>) -> Answer<V> {
        match self {
            Reduced::Linear { stiffness, .. } => {
                let tangent: SMatrix<f64, V, V> = stiffness.fixed_view::<V, V>(0, 0).into_owned();
                let stress = tangent * strain;
                Answer { energy: 0.5 * stress.dot(strain), stress, tangent }
            }
            Reduced::NeoHookean { law, is_plane_stress: false } => law.respond(strain, true),
            Reduced::NeoHookean { law, is_plane_stress: true } => {
                let mut full = *strain;
                full[2] = law.plane_stress_strain(&SVector::from_fn(|k, _| strain[k]));
                let answer = law.respond(&full, true);
                let mut stress = answer.stress;
                stress[2] = 0.0;
                Answer { stress, tangent: condense(&answer.tangent, 2), ..answer }
            }
        }
    }

    /// The same without the energy U(θ) of the change of volume.
    pub fn respond_isochoric<const V: usize>(&self, strain: &SVector<f64, V>) -> Answer<V> {
        match self {
            Reduced::Linear { lame, .. } => {
                let mu = lame.map_or(f64::NAN, |l| l.1);
                let weight = |k: usize| if k < 3 { 2.0 * mu } else { mu };
                let tangent = SMatrix::<f64, V, V>::from_diagonal(&SVector::<f64, V>::from_fn(|k, _| weight(k)));
                let stress = tangent * strain;
                Answer { energy: 0.5 * stress.dot(strain), stress, tangent }
            }
            Reduced::NeoHookean { law, .. } => law.respond(strain, false),
        }
    }

    /// θ: the trace of the strain for linear laws, J for others.
    pub fn dilatation<const V: usize>(&self, strain: &SVector<f64, V>) -> Dilatation<V> {
        match self {
            Reduced::Linear { .. } => Dilatation {
                value: strain[0] + strain[1] + strain[2],
                gradient: SVector::from_fn(|k, _| if k < 3 { 1.0 } else { 0.0 }),
                hessian: SMatrix::zeros(),
            },
            Reduced::NeoHookean { law, .. } => law.dilatation(strain),
        }
    }

    /// U(θ) with its first two derivatives.
    pub fn volumetric(&self, theta: f64) -> [f64; 3] {
        match self {
            Reduced::Linear { lame, .. } => {
                let lambda = lame.map_or(f64::NAN, |l| l.0);
                [0.5 * lambda * theta * theta, lambda * theta, lambda]
            }
            Reduced::NeoHookean { law, .. } => law.volumetric(theta),
        }
    }

    /// The strain with its thickness component in plane stress, for output.
    pub fn thickness_strain<const V: usize>(&self, law: &Law, strain: &SVector<f64, V>) -> f64 {
        match self {
            Reduced::NeoHookean { law, .. } => law.plane_stress_strain(&SVector::from_fn(|k, _| strain[k])),
            Reduced::Linear { .. } => {
                let c = law.stiffness();
                -(0..V).filter(|&k| k != 2).map(|k| c[(2, k)] * strain[k]).sum::<f64>() / c[(2, 2)]
            }
        }
    }
}
