//! What of a mesh enters the integrals: gradients with respect to the reference configuration and weights at the points
//! of quadrature. Computed once, because the description is total Lagrangian.
//!
//! With the Jacobian J = ∂X/∂ξ of a cell: ∂N_a/∂X = J⁻ᵀ ∂N_a/∂ξ, weight = det J · w · (thickness, or 2π r).
//!
//! **Incompatible modes.** A Q4 or H8 gets D more functions 1 − ξ_i². Their gradients are J₀⁻ᵀ ∂/∂ξ · det J₀/det J with
//! the Jacobian J₀ of the centre, so that their integral vanishes on any cell and constant strains pass the patch test
//! (Taylor, Beresford and Wilson 1976). They are stored behind those of the nodes, as if they were D more nodes.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::{Formulation, ModelError, Options, shell};
use crate::element::Table;
use crate::mesh::{Cells, Kind, Mesh};
use crate::section::Section;
use crate::tensor::inverse;
use crate::{Mat, Vect};

/// Cells of one kind and region, with their integrals prepared.
#[derive(Clone, Debug)]
pub(super) struct Block<const D: usize> {
    pub kind: Kind,
    pub region: usize,
    /// Number of the first cell in the mesh.
    pub first: usize,
    /// Nodes, cell by cell.
    pub nodes: Vec<u32>,
    /// The element at the points of quadrature.
    pub table: Table,
    /// Points of quadrature of a cell.
    pub points: usize,
    /// Functions of a cell: nodes and incompatible modes.
    pub functions: usize,
    /// Cell, point, function, direction [1/m].
    pub gradients: Vec<f64>,
    /// Cell, point [m³].
    pub weights: Vec<f64>,
    /// Whether a cell has the integrals of the one before, up to round-off: as in regular meshes.
    pub is_repeated: Vec<bool>,
    /// Axisymmetric: N_a/r by cell, point, function [1/m]; otherwise empty.
    pub hoops: Vec<f64>,
    /// Are the cells sheets, and what is the same for all of them?
    pub shell: Option<Arc<shell::Reference>>,
}

/// The integrals of one cell.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub gradients: &'a [f64],
    pub weights: &'a [f64],
    pub hoops: &'a [f64],
}

impl<const D: usize> Block<D> {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.nodes.len() / self.kind.nodes()
    }

    /// Finds the cells that repeat the one before. They are compared with the first of their row, so that small
    /// differences do not add up.
    fn mark_repeated(&mut self) {
        const ROUND_OFF: f64 = 1e-13;
        let are_alike = |a: &[f64], b: &[f64]| {
            let scale = a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUND_OFF * scale)
        };
        let mut first = 0;
        for c in 0..self.len() {
            let (one, other) = (self.cell(first), self.cell(c));
            let is_like = c > 0
                && are_alike(one.gradients, other.gradients)
                && are_alike(one.weights, other.weights)
                && are_alike(one.hoops, other.hoops);
            if !is_like {
                first = c;
            }
            self.is_repeated.push(is_like);
        }
    }

    /// Nodes of a cell.
    pub fn nodes_of(&self, cell: usize) -> &[u32] {
        let count = self.kind.nodes();
        &self.nodes[cell * count..][..count]
    }

    /// The integrals of a cell.
    pub fn cell(&self, cell: usize) -> Cell<'_> {
        let (p, f) = (self.points, self.functions);
        let hoops = if self.hoops.is_empty() { &[][..] } else { &self.hoops[cell * p * f..][..p * f] };
        Cell {
            gradients: &self.gradients[cell * p * f * D..][..p * f * D],
            weights: &self.weights[cell * p..][..p],
            hoops,
        }
    }
}

/// Position and Jacobian ∂X/∂ξ at a point of a table.
pub(super) fn jacobian<const D: usize>(mesh: &Mesh<D>, nodes: &[u32], table: &Table, q: usize) -> (Vect<D>, Mat<D>) {
    let mut place = Vect::zeros();
    let mut jacobian = Mat::<D>::zeros();
    for (a, &node) in nodes.iter().enumerate() {
        let x = &mesh.nodes[node as usize];
        place += x * table.shape(q)[a];
        for (j, slope) in table.gradient(q, a).iter().enumerate() {
            jacobian.column_mut(j).axpy(*slope, x, 1.0);
        }
    }
    (place, jacobian)
}

/// What the area of a plane is multiplied by to give a volume.
pub(super) fn depth<const D: usize>(section: Section, place: &Vect<D>) -> f64 {
    match section {
        Section::PlaneStress { thickness } | Section::PlaneStrain { thickness } => thickness,
        Section::Axisymmetric => TAU * place[0],
        Section::Solid => 1.0,
    }
}

/// Prepares all cells of a mesh.
pub(super) fn blocks<const D: usize>(
    mesh: &Mesh<D>,
    section: Section,
    options: &Options,
) -> Result<Vec<Block<D>>, ModelError> {
    let mut first = 0;
    let mut blocks = Vec::with_capacity(mesh.cells.len());
    for cells in &mesh.cells {
        for (c, nodes) in cells.nodes.chunks(cells.kind.nodes()).enumerate() {
            if let Some(&node) = nodes.iter().find(|&&n| n as usize >= mesh.nodes.len()) {
                return Err(ModelError::NoSuchNode { cell: first + c, node, count: mesh.nodes.len() });
            }
        }
        let block = match cells.kind {
            Kind::Bar2 => bars(mesh, cells, first, options)?,
            _ => solids(mesh, cells, first, section, options)?,
        };
        first += block.len();
        blocks.push(block);
    }
    Ok(blocks)
}

/// Bars need their volume only; the rest is in `bar.rs`.
fn bars<const D: usize>(
    mesh: &Mesh<D>,
    cells: &Cells,
    first: usize,
    options: &Options,
) -> Result<Block<D>, ModelError> {
    let mut weights = Vec::new();
    for (c, nodes) in cells.nodes.chunks_exact(2).enumerate() {
        let length = (mesh.nodes[nodes[1] as usize] - mesh.nodes[nodes[0] as usize]).norm();
        if length <= 0.0 || length.is_nan() {
            let nodes = nodes.to_vec();
            return Err(ModelError::Inverted { cell: first + c, kind: Kind::Bar2, nodes, jacobian: length });
        }
        weights.push(length * options.bar_area);
    }
    Ok(Block {
        kind: Kind::Bar2,
        region: cells.region as usize,
        first,
        nodes: cells.nodes.clone(),
        table: Kind::Bar2.stiffness_table(),
        points: 1,
        functions: 2,
        gradients: Vec::new(),
        weights,
        is_repeated: vec![false; cells.nodes.len() / 2],
        hoops: Vec::new(),
        shell: None,
    })
}

fn solids<const D: usize>(
    mesh: &Mesh<D>,
    cells: &Cells,
    first: usize,
    section: Section,
    options: &Options,
) -> Result<Block<D>, ModelError> {
    let kind = cells.kind;
    let (table, shell) = match options.formulation {
        Formulation::SolidShell { points } => {
            let table = Table::sheet(points);
            let reference = Arc::new(shell::Reference::new(&table));
            (table, Some(reference))
        }
        _ => (kind.stiffness_table(), None),
    };
    let centre = kind.at(&[0.0; 3]);
    let has_modes = options.formulation == Formulation::Incompatible && kind.may_lock();
    let functions = kind.nodes() + if has_modes { D } else { 0 };
    let count = cells.nodes.len() / kind.nodes() * table.len();
    let mut block = Block {
        kind,
        region: cells.region as usize,
        first,
        nodes: cells.nodes.clone(),
        table: table.clone(),
        points: table.len(),
        functions,
        gradients: Vec::with_capacity(count * functions * D),
        weights: Vec::with_capacity(count),
        is_repeated: Vec::new(),
        hoops: Vec::new(),
        shell,
    };
    for (c, nodes) in cells.nodes.chunks_exact(kind.nodes()).enumerate() {
        let (jacobian_0, inverse_0) = inverse(&jacobian(mesh, nodes, &centre, 0).1);
        for q in 0..table.len() {
            let (place, tangent) = jacobian(mesh, nodes, &table, q);
            let (jacobian, inverted) = inverse(&tangent);
            if jacobian <= 1e-12 * tangent.norm().powi(D as i32) || jacobian.is_nan() {
                return Err(ModelError::Inverted { cell: first + c, kind, nodes: nodes.to_vec(), jacobian });
            }
            block.weights.push(jacobian * table.weights[q] * depth(section, &place));
            for a in 0..kind.nodes() {
                let slope = Vect::<D>::from_column_slice(table.gradient(q, a));
                block.gradients.extend_from_slice(inverted.tr_mul(&slope).as_slice());
            }
            if has_modes {
                for i in 0..D {
                    let slope = -2.0 * table.points[q * D + i] * jacobian_0 / jacobian;
                    block.gradients.extend((0..D).map(|j| inverse_0[(i, j)] * slope));
                }
            }
            if section == Section::Axisymmetric {
                block.hoops.extend(table.shape(q).iter().map(|n| n / place[0]));
            }
        }
    }
    block.mark_repeated();
    Ok(block)
}
