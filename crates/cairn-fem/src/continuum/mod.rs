//! A deformable body: a mesh with materials, its masses, internal forces, tangents, loads and stresses.
//!
//! Displacements are flat vectors, `u[D·node + component]`, relative to the reference configuration. The internal force
//! f(u) = ∂W/∂u is what the body resists with: M a + f(u) = loads. The tangent is K = ∂f/∂u, symmetric because
//! f has an energy in every formulation.
//!
//! | what | where |
//! | --- | --- |
//! | gradients and weights at the points of quadrature, computed once | `geometry.rs` |
//! | energy, force and tangent of one cell | `cell.rs` |
//! | bars | `bar.rs` |
//! | sums over all cells | `assemble.rs` |
//! | the force of a step that conserves energy | `conserving.rs` |
//! | what materials with memory keep, and where | `memory.rs` |
//! | the force of a step of a body with memory | `advance.rs`, its mean dilatation in `dilated.rs` |
//! | sheets | `shell` |
//! | modes inside cells of bodies with memory, and of sheets | `inside.rs` |
//! | masses | `mass.rs` |
//! | tractions, pressure, gravity | `load.rs` |
//! | stresses at points and at nodes | `stress.rs` |

mod advance;
mod assemble;
mod bar;
mod cell;
mod conserving;
mod dilated;
mod geometry;
mod inside;
mod load;
mod mass;
mod memory;
mod ordered;
mod shell;
mod skew;
mod stress;

#[cfg(test)]
mod accuracy_tests;
#[cfg(test)]
mod advance_tests;
#[cfg(test)]
mod conserving_tests;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cairn_sparse::{Cliques, Pattern, Scatter};

use crate::material::{Material, MaterialError};
use crate::mesh::{Kind, Mesh};
use crate::section::{Kinematics, Reduced, Section};
pub use advance::{Advance, Work};
use geometry::Block;
pub use memory::HistoryTable;
use memory::Memory;
pub use stress::Sample;

/// Most points of integration through the thickness of a sheet.
pub const MOST_THICKNESS_POINTS: usize = 20;

/// How masses are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// At the nodes, all positive (diagonal of the consistent matrix, scaled to the mass of each cell).
    Lumped,
    /// ∫ ρ N_a N_b.
    Consistent,
    /// Consistent, but the nodes of the skin give theirs to inner nodes of their cells: shocks of the boundary lose no energy.
    Redistributed,
}

/// Ways against locking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// Plain displacement elements.
    Standard,
    /// Q4 and H8: the change of volume is averaged over each cell; no volumetric locking as ν → ½. Isotropic laws only.
    /// Other kinds stay plain: T3 and Tet4 have one value anyway (and lock), quadratic ones would lose an order.
    BBar,
    /// Q4 and H8 get internal bending modes 1 − ξ²: no shear locking, little volumetric locking. Other kinds stay plain.
    Incompatible,
    /// H8 as sheets, thin along ζ: no transverse locking, any number of points through the thickness.
    SolidShell {
        /// Points of integration through the thickness.
        points: usize,
    },
}

/// Choices for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Masses.
    pub mass: MassKind,
    /// Strains.
    pub kinematics: Kinematics,
    /// Ways against locking.
    pub formulation: Formulation,
    /// Cross section of bars [m²].
    pub bar_area: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mass: MassKind::Lumped,
            kinematics: Kinematics::Small,
            formulation: Formulation::Standard,
            bar_area: 1.0,
        }
    }
}

/// Why a model cannot be made, or a load not be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A cell is inverted, flat or too distorted.
    #[error(
        "cell {cell} ({kind:?}, nodes {nodes:?}) has a Jacobian of {jacobian:e}: it is inverted or flat; check the order of its nodes"
    )]
    Inverted {
        /// Number of the cell, counted over all cells of the mesh.
        cell: usize,
        /// Its kind.
        kind: Kind,
        /// Its nodes.
        nodes: Vec<u32>,
        /// The Jacobian at the worst point.
        jacobian: f64,
    },
    /// A cell names a node that does not exist.
    #[error("cell {cell} names node {node}, but the mesh has {count} nodes")]
    NoSuchNode {
        /// Number of the cell.
        cell: usize,
        /// The node.
        node: u32,
        /// Nodes of the mesh.
        count: usize,
    },
    /// A kind of another dimension.
    #[error("cells of kind {kind:?} do not fit a mesh of dimension {dimension}")]
    WrongKind {
        /// The kind.
        kind: Kind,
        /// Dimension of the mesh.
        dimension: usize,
    },
    /// One material per region.
    #[error("region {region} (`{name}`) has no material: {count} materials were given")]
    NoMaterial {
        /// Index of the region.
        region: u32,
        /// Its name.
        name: String,
        /// Materials given.
        count: usize,
    },
    /// A material with impossible constants.
    #[error("material of region {region}: {source}")]
    Material {
        /// Index of the region.
        region: usize,
        /// What is wrong.
        source: MaterialError,
    },
    /// The section does not fit the mesh.
    #[error("{0}")]
    Section(&'static str),
    /// Options that exclude each other.
    #[error("{0}")]
    Options(&'static str),
    /// Cells of a sheet that do not go the same way through it.
    #[error(
        "cells {} and {} of the sheet meet face to side: through the thickness, from their first four nodes to their last four, is another direction in \
         each; extrude one surface, or number the hexahedra alike", .cells[0], .cells[1]
    )]
    Crossed {
        /// Their numbers.
        cells: [usize; 2],
    },
    /// A sheet of thick cells.
    #[error(
        "the cells of the sheet are {:.3e} × {:.3e} m in its plane and {:.3e} m thick: through the thickness is from the first four nodes of a cell to its last \
         four; number the hexahedra so, or take `standard`", .sizes[0], .sizes[1], .sizes[2]
    )]
    Thick {
        /// Mean length, width and thickness [m].
        sizes: [f64; 3],
    },
    /// No boundary of this name.
    #[error("the mesh has no boundary `{name}`; it has: {known}")]
    NoBoundary {
        /// The name asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// A node at a negative radius.
    #[error("node {node} lies at the radius {radius}: an axisymmetric mesh has x ≥ 0")]
    NegativeRadius {
        /// The node.
        node: usize,
        /// Its x.
        radius: f64,
    },
    /// From the sparse matrix.
    #[error("assembly: {0}")]
    Sparse(#[from] cairn_sparse::Error),
}

/// A deformable body.
#[derive(Clone, Debug)]
pub struct Continuum<const D: usize> {
    mesh: Mesh<D>,
    materials: Vec<Material>,
    section: Section,
    options: Options,
    laws: Vec<Reduced>,
    blocks: Vec<Block<D>>,
    memory: Option<Memory>,
    cliques: Cliques,
    pattern: Arc<Pattern>,
    scatter: Scatter,
}

impl<const D: usize> Continuum<D> {
    /// Prepares a body; `materials` has one entry for each region of the mesh.
    pub fn new(
        mesh: Mesh<D>,
        materials: Vec<Material>,
        section: Section,
        options: Options,
    ) -> Result<Self, ModelError> {
        check(&mesh, &materials, section, &options)?;
        let blocks = geometry::blocks(&mesh, section, &options)?;
        let memory = Memory::new(&mesh, &materials, section, &blocks)?;
        let mut cliques = Cliques::default();
        for cells in &mesh.cells {
            cells.nodes.chunks_exact(cells.kind.nodes()).for_each(|nodes| cliques.push(nodes));
        }
        let pattern = Pattern::of_nodes(mesh.nodes.len(), D, &cliques)?;
        let scatter = Scatter::new(&pattern, &cliques)?;
        let laws = materials.iter().map(|m| Reduced::new(&m.law, section, options.kinematics)).collect();
        Ok(Continuum { mesh, materials, section, options, laws, blocks, memory, cliques, pattern, scatter })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh<D> {
        &self.mesh
    }

    /// The materials, region by region.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// The section.
    pub fn section(&self) -> Section {
        self.section
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Number of unknowns.
    pub fn dofs(&self) -> usize {
        D * self.mesh.nodes.len()
    }

    /// The pattern of mass and tangent.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Whether f(u) = K u with a constant K, as long as no material remembers anything.
    pub fn is_linear(&self) -> bool {
        self.options.kinematics == Kinematics::Small
    }

    /// Volume in the reference configuration [m³].
    pub fn volume(&self) -> f64 {
        self.blocks.iter().flat_map(|b| &b.weights).sum()
    }

    /// Mass [kg].
    pub fn total_mass(&self) -> f64 {
        let density = |b: &Block<D>| self.materials[b.region].density;
        self.blocks.iter().map(|b| density(b) * b.weights.iter().sum::<f64>()).sum()
    }
}

fn check<const D: usize>(
    mesh: &Mesh<D>,
    materials: &[Material],
    section: Section,
    options: &Options,
) -> Result<(), ModelError> {
    for (region, material) in materials.iter().enumerate() {
        material.check().map_err(|source| ModelError::Material { region, source })?;
    }
    for cells in &mesh.cells {
        let kind = cells.kind;
        if kind.dimension() != D && kind != Kind::Bar2 {
            return Err(ModelError::WrongKind { kind, dimension: D });
        }
        if cells.region as usize >= materials.len() {
            let name = mesh.regions.get(cells.region as usize).cloned().unwrap_or_default();
            return Err(ModelError::NoMaterial { region: cells.region, name, count: materials.len() });
        }
    }
    match section {
        Section::Solid if D == 2 => {
            return Err(ModelError::Section("a plane mesh needs plane stress, plane strain or axisymmetry"));
        }
        Section::Solid => {}
        _ if D != 2 => return Err(ModelError::Section("a mesh in space needs the section `solid`")),
        Section::PlaneStress { thickness } | Section::PlaneStrain { thickness } => {
            if !(thickness > 0.0 && thickness.is_finite()) {
                return Err(ModelError::Section("the thickness has to be positive"));
            }
        }
        Section::Axisymmetric => {
            let outside = mesh.nodes.iter().position(|x| x[0] < 0.0);
            if let Some(node) = outside {
                return Err(ModelError::NegativeRadius { node, radius: mesh.nodes[node][0] });
            }
            if mesh.cells.iter().any(|c| c.kind == Kind::Bar2) {
                return Err(ModelError::Section("bars have no meaning in an axisymmetric body"));
            }
        }
    }
    if !(options.bar_area > 0.0 && options.bar_area.is_finite()) {
        return Err(ModelError::Options("the cross section of bars has to be positive"));
    }
    match options.formulation {
        Formulation::Standard => {}
        Formulation::BBar => {
            if matches!(section, Section::PlaneStress { .. }) {
                return Err(ModelError::Options(
                    "plane stress does not lock in volume: take `standard` instead of `b_bar`",
                ));
            }
            if materials.iter().any(|m| m.law.lame().is_none()) {
                return Err(ModelError::Options(
                    "`b_bar` needs isotropic materials: take `incompatible` or `standard`",
                ));
            }
        }
        Formulation::Incompatible => {
            if section == Section::Axisymmetric {
                return Err(ModelError::Options("incompatible modes are not made for axisymmetry: take `b_bar`"));
            }
            refuse_softening(
                materials,
                "incompatible modes have no unique answer where a material softens, or flows with less dilatancy than friction: take `b_bar` or \
                 `standard`, or quadratic elements",
            )?;
        }
        Formulation::SolidShell { points } => {
            if section != Section::Solid {
                return Err(ModelError::Options(
                    "`solid_shell` is for bodies in space: in the plane take `incompatible`",
                ));
            }
            if !(2..=MOST_THICKNESS_POINTS).contains(&points) {
                return Err(ModelError::Options("a sheet has from 2 to 20 points through the thickness"));
            }
            refuse_softening(
                materials,
                "the enhanced modes of `solid_shell` have no unique answer where a material softens, or flows with less dilatancy than friction: take \
                 `b_bar` or `standard`, or quadratic elements",
            )?;
            shell::check(mesh)?;
        }
    }
    Ok(())
}

/// Unknowns inside a cell would have several equilibria.
fn refuse_softening(materials: &[Material], why: &'static str) -> Result<(), ModelError> {
    let may_soften = materials.iter().any(|m| m.law.inelastic().is_some_and(|law| law.may_soften()));
    if may_soften { Err(ModelError::Options(why)) } else { Ok(()) }
}
