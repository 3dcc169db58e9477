//! Finite elements: meshes, elements, materials, assembly. Knows no contact and no scene.
//!
//! A [`Mesh`](mesh::Mesh) says where the nodes are and which cells join them; a
//! [`Continuum`](continuum::Continuum) adds materials and gives masses, internal forces, tangents and stresses.
//! Unknowns are nodal displacements, node by node: degree of freedom `D·node + component`.

pub mod continuum;
pub mod element;
pub mod generate;
pub mod gmsh;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod quadrature;
pub mod section;
pub mod spectral;
pub mod tensor;

use nalgebra::{SMatrix, SVector};

/// A vector of the ambient space.
pub type Vect<const D: usize> = SVector<f64, D>;
/// A square matrix of the ambient space.
pub type Mat<const D: usize> = SMatrix<f64, D, D>;
