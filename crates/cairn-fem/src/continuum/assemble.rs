//! Sums over all cells: internal force, tangent, both.
//!
//! The kernels are compiled for each number of functions of a cell; what is decided at run time is decided once a block
//! of cells. Cells are computed by threads and summed in their order, so results do not depend on anything else.

use cairn_sparse::Symmetric;

use super::cell::{self, Blocks, Columns, Rules};
use super::geometry::Block;
use super::ordered::in_order;
use super::{Continuum, Formulation, bar};
use crate::Mat;
use crate::mesh::Kind;

/// Calls `$self.$method::<V, N>($arguments)` for the number of functions of a block's cells.
macro_rules! by_functions {
    ($self:ident . $method:ident, $block:expr, $($argument:expr),*) => {
        match (D, $block.functions) {
            (2, 3) => $self.$method::<4, 3>($block, $($argument),*),
            (2, 4) => $self.$method::<4, 4>($block, $($argument),*),
            (2, 6) => $self.$method::<4, 6>($block, $($argument),*),
            (2, 8) => $self.$method::<4, 8>($block, $($argument),*),
            (3, 4) => $self.$method::<6, 4>($block, $($argument),*),
            (3, 8) => $self.$method::<6, 8>($block, $($argument),*),
            (3, 10) => $self.$method::<6, 10>($block, $($argument),*),
            (3, 11) => $self.$method::<6, 11>($block, $($argument),*),
            (3, 20) => $self.$method::<6, 20>($block, $($argument),*),
            _ => unreachable!("kinds were checked when the model was made"),
        }
    };
}
pub(super) use by_functions;

/// Displacements of a cell's nodes; the columns of incompatible modes are zero.
#[inline(always)]
pub(super) fn gather<const D: usize, const N: usize>(nodes: &[u32], u: &[f64]) -> Columns<D, N> {
    let mut columns = Columns::<D, N>::zeros();
    for (a, &node) in nodes.iter().enumerate() {
        columns.column_mut(a).copy_from_slice(&u[node as usize * D..][..D]);
    }
    columns
}

#[inline(always)]
pub(super) fn add_force<const D: usize, const N: usize>(nodes: &[u32], columns: &Columns<D, N>, f: &mut [f64]) {
    for (a, &node) in nodes.iter().enumerate() {
        f[node as usize * D..][..D].iter_mut().zip(columns.column(a).iter()).for_each(|(t, v)| *t += v);
    }
}

/// Writes blocks with a ≥ b as a full symmetric matrix by columns.
#[inline(always)]
pub(super) fn flatten<const D: usize, const N: usize>(blocks: &Blocks<D, N>, nodes: usize, full: &mut [f64]) {
    let size = nodes * D;
    for row in 0..nodes {
        for col in 0..=row {
            let block = &blocks[row][col];
            for j in 0..D {
                for i in 0..D {
                    full[(col * D + j) * size + row * D + i] = block[(i, j)];
                    full[(row * D + i) * size + col * D + j] = block[(i, j)];
                }
            }
        }
    }
}

impl<const D: usize> Continuum<D> {
    /// The internal force f(u) [N]. Returns the strain energy [J]; it is not a number where a law is not defined (a
    /// neo-Hookean cell turned inside out).
    pub fn internal_force(&self, u: &[f64], f: &mut [f64]) -> f64 {
        f.fill(0.0);
        self.assemble(u, Some(f), None)
    }

    /// The tangent K = ∂f/∂u [N/m].
    pub fn tangent(&self, u: &[f64], k: &mut Symmetric) {
        k.clear();
        self.assemble(u, None, Some((k, false)));
    }

    /// The tangent with the part of the initial stress left out that pulls it down: of (G_a·S G_b) 1 only the tension in S. A body under
    /// pressure is unstable by itself, K being that of the body without what presses it (turned by φ it gains −V p φ² to first order), and
    /// M + h²K is no longer positive definite once h² V p exceeds its inertia. Newton's iterations that see contacts through this matrix
    /// instead converge by a factor of the order of the strain [N/m].
    pub fn definite_tangent(&self, u: &[f64], k: &mut Symmetric) {
        k.clear();
        self.assemble(u, None, Some((k, true)));
    }

    /// Force and tangent at once, for Newton's method. Returns the strain energy [J].
    pub fn force_and_tangent(&self, u: &[f64], f: &mut [f64], k: &mut Symmetric) -> f64 {
        f.fill(0.0);
        k.clear();
        self.assemble(u, Some(f), Some((k, false)))
    }

    /// The strain energy [J].
    pub fn strain_energy(&self, u: &[f64]) -> f64 {
        self.assemble(u, None, None)
    }

    /// The tangent comes with whether only tension stiffens it.
    fn assemble(&self, u: &[f64], mut f: Option<&mut [f64]>, mut tangent: Option<(&mut Symmetric, bool)>) -> f64 {
        assert_eq!(u.len(), self.dofs(), "one displacement for each unknown");
        let mut energy = 0.0;
        for block in &self.blocks {
            let only_tension = tangent.as_ref().is_some_and(|(_, only_tension)| *only_tension);
            let k = tangent.as_mut().map(|(k, _)| &mut **k);
            let has_modes = block.functions > block.kind.nodes() || block.shell.is_some();
            energy += if block.kind == Kind::Bar2 {
                self.add_bars(block, u, f.as_deref_mut(), k)
            } else if self.is_linear() && (k.is_some() || has_modes) {
                by_functions!(self.add_linear_cells, block, u, f.as_deref_mut(), k)
            } else {
                let rules = Rules { only_tension, ..self.rules(block) };
                by_functions!(self.add_cells, block, rules, u, f.as_deref_mut(), k)
            };
        }
        energy
    }

    pub(super) fn rules(&self, block: &Block<D>) -> Rules<'_> {
        Rules {
            law: &self.laws[block.region],
            kinematics: self.options.kinematics,
            formulation: if !block.kind.may_lock() { Formulation::Standard } else { self.options.formulation },
            only_tension: false,
        }
    }

    fn add_cells<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        rules: Rules<'_>,
        u: &[f64],
        mut f: Option<&mut [f64]>,
        mut k: Option<&mut Symmetric>,
    ) -> f64 {
        let count = block.kind.nodes();
        let has_modes = block.functions > count;
        let wanted = k.is_some();
        let mut full = vec![0.0; if wanted { (count * D).pow(2) } else { 0 }];
        let mut all = 0.0;
        let answer = |c: usize| {
            if let Some(reference) = &block.shell {
                let columns = gather::<D, N>(block.nodes_of(c), u);
                let (force, blocks, work) = self.elastic_sheet(block, reference, c, &columns, rules.only_tension);
                return (force, blocks, work.stored);
            }
            let cell = block.cell(c);
            let mut columns = gather::<D, N>(block.nodes_of(c), u);
            let mut force = Columns::zeros();
            let mut blocks = (wanted || has_modes).then_some([[Mat::zeros(); N]; N]);
            let energy = match &mut blocks {
                Some(blocks) if has_modes => {
                    cell::respond_with_modes::<D, V, N>(&rules, &cell, &mut columns, &mut force, blocks)
                }
                blocks => cell::respond::<D, V, N>(&rules, &cell, &columns, &mut force, blocks.as_mut()),
            };
            (force, blocks, energy)
        };
        in_order(0..block.len(), answer, |c, (force, blocks, energy)| {
            all += energy;
            if let Some(f) = f.as_deref_mut() {
                add_force(block.nodes_of(c), &force, f);
            }
            if let (Some(k), Some(blocks)) = (k.as_deref_mut(), &blocks) {
                flatten(blocks, count, &mut full);
                k.add(&self.scatter, &self.cliques, block.first + c, &full);
            }
        });
        all
    }

    /// Small kinematics by the matrices of the cells: those of equal cells in a row are computed once.
    fn add_linear_cells<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        u: &[f64],
        mut f: Option<&mut [f64]>,
        mut k: Option<&mut Symmetric>,
    ) -> f64 {
        let rules = self.rules(block);
        let count = block.kind.nodes();
        let size = count * D;
        let rest = Columns::<D, N>::zeros();
        let mut blocks: Blocks<D, N> = [[Mat::zeros(); N]; N];
        let mut full = vec![0.0; size * size];
        let mut energy = 0.0;
        for c in 0..block.len() {
            let nodes = block.nodes_of(c);
            if !block.is_repeated[c] {
                let (mut columns, mut force) = (rest, rest);
                if let Some(reference) = &block.shell {
                    let (_, own, _) = self.elastic_sheet(block, reference, c, &columns, false);
                    blocks = own.unwrap_or(blocks);
                } else if block.functions > count {
                    let cell = block.cell(c);
                    cell::respond_with_modes::<D, V, N>(&rules, &cell, &mut columns, &mut force, &mut blocks);
                } else {
                    blocks.iter_mut().flatten().for_each(|b| b.fill(0.0));
                    cell::respond::<D, V, N>(&rules, &block.cell(c), &columns, &mut force, Some(&mut blocks));
                }
                flatten(&blocks, count, &mut full);
            }
            let columns = gather::<D, N>(nodes, u);
            let mut force = Columns::<D, N>::zeros();
            for (column, &value) in full.chunks_exact(size).zip(columns.as_slice()) {
                force.as_mut_slice().iter_mut().zip(column).for_each(|(f, k)| *f += k * value);
            }
            energy += 0.5 * force.dot(&columns);
            if let Some(f) = f.as_deref_mut() {
                add_force(nodes, &force, f);
            }
            if let Some(k) = k.as_deref_mut() {
                k.add(&self.scatter, &self.cliques, block.first + c, &full);
            }
        }
        energy
    }

    fn add_bars(&self, block: &Block<D>, u: &[f64], mut f: Option<&mut [f64]>, mut k: Option<&mut Symmetric>) -> f64 {
        let young = self.materials[block.region].law.young();
        let mut full = vec![0.0; 4 * D * D];
        let mut energy = 0.0;
        for (c, &volume) in block.weights.iter().enumerate() {
            let nodes = block.nodes_of(c);
            let ends = [self.mesh.nodes[nodes[0] as usize], self.mesh.nodes[nodes[1] as usize]];
            let columns = gather::<D, 2>(nodes, u);
            let mut force = Columns::zeros();
            let mut blocks: Blocks<D, 2> = [[Mat::zeros(); 2]; 2];
            let kinematics = self.options.kinematics;
            energy += bar::respond(kinematics, young, volume, ends, &columns, &mut force, Some(&mut blocks));
            if let Some(f) = f.as_deref_mut() {
                add_force(nodes, &force, f);
            }
            if let Some(k) = k.as_deref_mut() {
                flatten(&blocks, 2, &mut full);
                k.add(&self.scatter, &self.cliques, block.first + c, &full);
            }
        }
        energy
    }
}
