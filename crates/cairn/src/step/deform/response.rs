//! How deformable bodies respond to impulses: v += M̂⁻¹ r with
//!
//!   M̂ = M + hξ C + h²ξθ K,     C = α M + β K
//!
//! in the axes of the reference mesh, in which equal bodies have equal matrices: bodies with the same model, held degrees of freedom
//! and step share one factorization, and the response of their contact boundary, computed node by node when it is first
//! asked for and kept.

use crate::flexible::{Correction, Flexible, Model};
use crate::space::{Ambient, Space};
use crate::step::StepError;
use cairn_solvers::watch::Watched;
use cairn_sparse::{Analysis, Factor, Method, Ordering, Symmetric, wide};
use std::sync::Arc;

/// Nodes whose columns are solved at once.
const BATCH: usize = 8;
/// Most degrees of freedom of a matrix whose inverse is kept.
const SMALL: usize = 200;
/// Steps for which a factorization is kept that no body uses: a step that was halved comes back to its length.
const KEPT: u32 = 16;
/// No slot: an inner node.
const NONE: u32 = u32::MAX;

/// What M̂ is made of: M and K times these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    pub mass: f64,
    pub stiffness: f64,
    /// Of impulses on nodes without mass.
    pub massless: f64,
}

impl Weights {
    /// (1 + hξα) M + (hξβ + h²ξθ) K; the mass alone for an explicit scheme.
    pub fn of<const D: usize>(body: &Flexible<D>, h: f64, xi: f64, theta: f64) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let [alpha, beta] = body.damping;
        match body.correction {
            Correction::Mass => Self { mass: 1.0, stiffness: 0.0, massless: xi },
            _ => Self { mass: 1.0 + h * xi * alpha, stiffness: h * xi * (beta + h * theta), massless: xi },
        }
    }
}

/// M̂ factorized, and the columns of its inverse that contacts have asked for.
pub(super) struct Response<const D: usize> {
    model: Arc<Model<D>>,
    held: Vec<bool>,
    weights: Weights,
    factor: Factor,
    /// M̂ is not symmetric.
    is_skew: bool,
    /// Slot of each node of the contact boundary, `NONE` inside.
    slots: Vec<u32>,
    slot_count: usize,
    /// Blocks of M̂⁻¹ by columns, slot by slot: those of the column of a slot, restricted to the slots; empty until asked for.
    columns: Vec<Vec<f64>>,
    /// M̂⁻¹ as a whole, of a small matrix that does not change: a product is faster than a solution.
    inverse: Option<Vec<f64>>,
    /// Fictitious masses of the nodes, instead of M̂.
    masses: Option<Vec<f64>>,
    /// Steps since a body used it.
    idle: u32,
}

impl<const D: usize> Response<D>
where
    Space<D>: Ambient<D>,
{
    /// From the stiffness of the reference.
    pub fn new(body: &Flexible<D>, held: Vec<bool>, weights: Weights) -> Result<Self, StepError> {
        let model = body.model.clone();
        let matrix = matrix(&model, &model.stiffness, &held, weights);
        let positions: Vec<f64> = model.nodes().iter().flat_map(|x| x.iter().copied().collect::<Vec<_>>()).collect();
        let analysis =
            Analysis::new(matrix.pattern(), Ordering::Positions(&positions, D)).map_err(StepError::matrix)?;
        let factor = Factor::new(&analysis, &matrix).map_err(StepError::matrix)?;
        let mut slots = vec![NONE; model.nodes().len()];
        let mut slot_count = 0;
        for &node in body.skin.facets().iter().flat_map(|facet| facet.nodes()) {
            if slots[node as usize] == NONE {
                slots[node as usize] = slot_count;
                slot_count += 1;
            }
        }
        let columns = vec![Vec::new(); slot_count as usize];
        let changes = body.stiffness_changes() && body.correction != Correction::Mass;
        let inverse = (held.len() <= SMALL && !changes).then(|| {
            let size = held.len();
            let mut inverse = vec![0.0; size * size];
            (0..size).for_each(|i| inverse[i * size + i] = 1.0);
            factor.solve_many(&mut inverse, size);
            inverse
        });
        Ok(Self {
            model,
            held,
            weights,
            factor,
            is_skew: false,
            slots,
            slot_count: slot_count as usize,
            columns,
            inverse,
            masses: None,
            idle: 0,
        })
    }

    /// Does this serve such a body?
    pub fn fits(&self, body: &Flexible<D>, held: &[bool], weights: Weights) -> bool {
        Arc::ptr_eq(&self.model, &body.model) && self.weights == weights && self.held == held
    }

    /// A step begins in which bodies use it, or not; true if it is worth keeping.
    pub fn keep(&mut self, is_used: bool) -> bool {
        self.idle = if is_used { 0 } else { self.idle + 1 };
        self.idle <= KEPT
    }

    /// The tangent stiffness has changed (axes of the reference mesh); `skew` is the skew part of one that is not symmetric.
    pub fn refactor(&mut self, tangent: &Symmetric, skew: Option<&Symmetric>) -> Result<(), StepError> {
        let matrix = matrix(&self.model, tangent, &self.held, self.weights);
        match skew {
            Some(skew) => {
                let mut weighted = Symmetric::zero(skew.pattern());
                weighted.add_scaled(self.weights.stiffness, skew).map_err(StepError::matrix)?;
                weighted.blank(&self.held);
                self.factor.refactor_with_skew(&matrix, &weighted).map_err(StepError::matrix)?;
            }
            None => self.factor.refactor(&matrix).map_err(StepError::matrix)?,
        }
        self.is_skew = skew.is_some();
        self.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// M̂ is made of fictitious masses.
    pub fn set_masses(&mut self, masses: &[f64]) {
        self.columns.iter_mut().for_each(Vec::clear);
        let kept = self.masses.get_or_insert_default();
        kept.clear();
        kept.extend_from_slice(masses);
    }

    /// Is M̂ positive definite?
    pub fn is_definite(&self) -> bool {
        self.factor.method() == Method::Cholesky
    }

    /// x ← M̂⁻¹ x.
    pub fn solve(&self, x: &mut [f64], buffer: &mut Vec<f64>) {
        if let Some(masses) = &self.masses {
            x.chunks_exact_mut(D).zip(masses).for_each(|(x, m)| x.iter_mut().for_each(|x| *x /= m));
            return;
        }
        let Some(inverse) = &self.inverse else { return self.factor.solve(x) };
        buffer.clear();
        buffer.extend_from_slice(x);
        x.fill(0.0);
        wide(
            #[inline(always)]
            || multiply(inverse, buffer, x),
        );
    }

    /// Makes sure that the columns of these nodes are there; some may be missing if who waits has asked to stop.
    pub fn ask_for(&mut self, nodes: &[u32], watch: Watched) {
        let missing: Vec<usize> =
            nodes.iter().map(|&n| n as usize).filter(|&n| self.columns[self.slots[n] as usize].is_empty()).collect();
        let size = self.held.len();
        for batch in missing.chunks(BATCH).take_while(|_| !watch.is_stopped()) {
            let mut unit = vec![0.0; size * batch.len() * D];
            for (k, dof) in batch.iter().flat_map(|n| D * n..D * (n + 1)).enumerate() {
                // A held degree of freedom does not respond.
                unit[k * size + dof] = if self.held[dof] { 0.0 } else { 1.0 };
            }
            match &self.masses {
                Some(_) => unit.chunks_exact_mut(size).for_each(|x| self.solve(x, &mut Vec::new())),
                None => self.factor.solve_many(&mut unit, D * batch.len()),
            }
            for (full, n) in unit.chunks_exact(D * size).zip(batch) {
                let mut column = vec![0.0; D * D * self.slot_count];
                for (node, &slot) in self.slots.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
                    let block = &mut column[D * D * slot as usize..D * D * (slot as usize + 1)];
                    for (k, entry) in block.iter_mut().enumerate() {
                        *entry = full[k / D * size + D * node + k % D];
                    }
                }
                self.columns[self.slots[*n] as usize] = column;
            }
        }
    }

    /// Has the column of this node been asked for?
    pub fn knows(&self, node: u32) -> bool {
        !self.columns[self.slot(node)].is_empty()
    }

    /// W is not symmetric where M̂ is not, or where impulses count less on some nodes than on others.
    pub fn w_is_unsymmetric(&self) -> bool {
        self.is_skew || self.model.has_massless && self.weights.massless != 1.0
    }

    /// What impulses on a node are multiplied by.
    pub fn share(&self, node: u32) -> f64 {
        if self.model.is_massless(D * node as usize) { self.weights.massless } else { 1.0 }
    }

    /// Number of a node of the contact boundary among these.
    pub fn slot(&self, node: u32) -> usize {
        self.slots[node as usize] as usize
    }

    /// Nodes of the contact boundary.
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// Velocities of the nodes of the contact boundary, slot by slot, by unit impulses on `pushed`, axes of the reference
    /// mesh: D² numbers each, by columns. [`ask_for`](Self::ask_for) first.
    #[inline]
    pub fn column(&self, pushed: u32) -> &[f64] {
        &self.columns[self.slot(pushed)]
    }
}

/// x += A b, A by columns; four of them at once: long runs of independent additions.
#[inline(always)]
fn multiply(a: &[f64], b: &[f64], x: &mut [f64]) {
    let size = x.len();
    for (columns, b) in a.chunks(4 * size).zip(b.chunks(4)) {
        if let &[b0, b1, b2, b3] = b {
            let (c0, rest) = columns.split_at(size);
            let (c1, rest) = rest.split_at(size);
            let (c2, c3) = rest.split_at(size);
            let four = c0.iter().zip(c1).zip(c2.iter().zip(c3));
            for (x, ((c0, c1), (c2, c3))) in x.iter_mut().zip(four) {
                *x += (c0 * b0 + c1 * b1) + (c2 * b2 + c3 * b3);
            }
        } else {
            for (column, b) in columns.chunks(size).zip(b) {
                x.iter_mut().zip(column).for_each(|(x, c)| *x += c * b);
            }
        }
    }
}

/// M̂ with the held degrees of freedom taken out.
fn matrix<const D: usize>(model: &Model<D>, stiffness: &Symmetric, held: &[bool], weights: Weights) -> Symmetric {
    let mut matrix = Symmetric::zero(model.mass.pattern());
    let same_pattern = "the matrices of a model have one pattern";
    matrix.add_scaled(weights.mass, &model.mass).expect(same_pattern);
    if weights.stiffness != 0.0 {
        matrix.add_scaled(weights.stiffness, stiffness).expect(same_pattern);
    }
    matrix.fix(held);
    matrix
}
