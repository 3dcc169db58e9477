//! Masses: consistent, M_ab = ∫ ρ N_a N_b, lumped, or redistributed.
//!
//! Lumped masses are the diagonal of the consistent matrix of each cell, scaled to the mass of the cell (Hinton, Rock and
//! Zienkiewicz 1976): positive for quadratic elements too, where row sums are not.
//!
//! Redistributed: in each cell at the skin the rows and columns of its nodes on the skin are taken out, and the rest is scaled to the mass
//! of the cell (after Khenous, Laborde and Renard 2008). A node without mass has no shock: it loses no energy when it is stopped.

use cairn_sparse::Symmetric;

use super::geometry::{Block, depth, jacobian};
use super::{Continuum, MassKind};
use crate::mesh::Kind;
use crate::tensor::inverse;

impl<const D: usize> Continuum<D> {
    /// Mass of each node [kg]; all are positive (of redistributed masses: not negative), and they sum to the mass of the body.
    pub fn lumped_masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.mesh.nodes.len()];
        self.for_each_mass(|_, nodes, matrix| {
            let n = nodes.len();
            let total: f64 = matrix.iter().sum();
            let trace: f64 = (0..n).map(|a| matrix[a * n + a]).sum();
            for (a, &node) in nodes.iter().enumerate() {
                masses[node as usize] += matrix[a * n + a] * total / trace;
            }
        });
        masses
    }

    /// The share of each node in the mass of the body, ∫ ρ N_a [kg]: exact for gravity; for quadratic elements corners may
    /// have none, or a negative one.
    pub fn consistent_shares(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.mesh.nodes.len()];
        self.for_each_mass(|_, nodes, matrix| {
            for (a, &node) in nodes.iter().enumerate() {
                masses[node as usize] += matrix[a * nodes.len()..][..nodes.len()].iter().sum::<f64>();
            }
        });
        masses
    }

    /// The mass matrix [kg], lumped or consistent as the options say.
    pub fn mass(&self, m: &mut Symmetric) {
        m.clear();
        match self.options.mass {
            MassKind::Lumped => {
                let diagonal: Vec<f64> = self.lumped_masses().iter().flat_map(|&mass| [mass; D]).collect();
                m.add_diagonal(1.0, &diagonal);
            }
            MassKind::Consistent | MassKind::Redistributed => {
                let mut full = Vec::new();
                self.for_each_mass(|cell, nodes, matrix| {
                    let (n, size) = (nodes.len(), nodes.len() * D);
                    full.clear();
                    full.resize(size * size, 0.0);
                    for a in 0..n {
                        for b in 0..n {
                            (0..D).for_each(|i| full[(b * D + i) * size + a * D + i] = matrix[b * n + a]);
                        }
                    }
                    m.add(&self.scatter, &self.cliques, cell, &full);
                });
            }
        }
    }

    /// Calls with the number, the nodes and the matrix ∫ ρ N_a N_b of each cell.
    fn for_each_mass(&self, mut call: impl FnMut(usize, &[u32], &[f64])) {
        let mut outside = vec![false; self.mesh.nodes.len()];
        if self.options.mass == MassKind::Redistributed {
            self.mesh.skin().iter().flat_map(|b| &b.nodes).for_each(|&node| outside[node as usize] = true);
        }
        for block in &self.blocks {
            let density = self.materials[block.region].density;
            let table = block.kind.mass_table();
            let n = block.kind.nodes();
            let mut matrix = vec![0.0; n * n];
            for c in 0..block.len() {
                let nodes = block.nodes_of(c);
                matrix.fill(0.0);
                for q in 0..table.len() {
                    let weight = density * self.mass_weight(block, c, &table, q);
                    let shape = table.shape(q);
                    for a in 0..n {
                        (0..n).for_each(|b| matrix[a * n + b] += weight * shape[a] * shape[b]);
                    }
                }
                let inner: Vec<bool> = nodes.iter().map(|&node| !outside[node as usize]).collect();
                if inner.contains(&true) && inner.contains(&false) {
                    move_inside(&inner, &mut matrix);
                }
                call(block.first + c, nodes, &matrix);
            }
        }
    }

    /// Volume that a point of the mass table stands for [m³].
    fn mass_weight(&self, block: &Block<D>, cell: usize, table: &crate::element::Table, q: usize) -> f64 {
        if block.kind == Kind::Bar2 {
            return 0.5 * block.weights[cell] * table.weights[q];
        }
        let (place, tangent) = jacobian(&self.mesh, block.nodes_of(cell), table, q);
        inverse(&tangent).0 * table.weights[q] * depth(self.section, &place)
    }
}

/// Takes out rows and columns of nodes that are not inner, and scales the rest to the same sum.
fn move_inside(inner: &[bool], matrix: &mut [f64]) {
    let total: f64 = matrix.iter().sum();
    let n = inner.len();
    for (k, m) in matrix.iter_mut().enumerate() {
        if !(inner[k / n] && inner[k % n]) {
            *m = 0.0;
        }
    }
    let left: f64 = matrix.iter().sum();
    matrix.iter_mut().for_each(|m| *m *= total / left);
}
