//! How deformable bodies respond to impulses: v += M̂⁻¹ r with
//!
//!   M̂ = M + hξ C + h²ξθ K,     C = α M + β K
//!
//! in the axes of the reference mesh, in which equal bodies have equal matrices: bodies with the same model, held degrees of freedom
//! and step share one factorization, and the response of their contact boundary, computed node by node when it is first
//! asked for and kept.

use crate::flexible::{Flexible, Model};
use crate::space::{Ambient, Mat, Space};
use crate::step::StepError;
use cairn_sparse::{Analysis, Factor, Ordering, Symmetric};
use std::sync::Arc;

/// Right-hand sides that are solved at once.
const BATCH: usize = 16;
/// No slot: an inner node.
const NONE: u32 = u32::MAX;

/// What M̂ is made of: M and K times these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    pub mass: f64,
    pub stiffness: f64,
}

impl Weights {
    /// (1 + hξα) M + (hξβ + h²ξθ) K; the mass alone for an explicit scheme.
    pub fn of<const D: usize>(body: &Flexible<D>, h: f64, xi: f64, theta: f64) -> Self
    where
        Space<D>: Ambient<D>,
    {
        use crate::flexible::Correction;
        let [alpha, beta] = body.damping;
        match body.correction {
            Correction::Mass => Self { mass: 1.0, stiffness: 0.0 },
            _ => Self { mass: 1.0 + h * xi * alpha, stiffness: h * xi * (beta + h * theta) },
        }
    }
}

/// M̂ factorized, and the columns of its inverse that contacts have asked for.
pub(super) struct Response<const D: usize> {
    model: Arc<Model<D>>,
    held: Vec<bool>,
    weights: Weights,
    factor: Factor,
    /// Slot of each node of the contact boundary, `NONE` inside.
    slots: Vec<u32>,
    slot_count: usize,
    /// Column of M̂⁻¹ per degree of freedom of a slot, restricted to the slots; empty until asked for.
    columns: Vec<Vec<f64>>,
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
        let columns = vec![Vec::new(); slot_count as usize * D];
        Ok(Self { model, held, weights, factor, slots, slot_count: slot_count as usize, columns })
    }

    /// Does this serve such a body?
    pub fn fits(&self, body: &Flexible<D>, held: &[bool], weights: Weights) -> bool {
        Arc::ptr_eq(&self.model, &body.model) && self.weights == weights && self.held == held
    }

    /// The tangent stiffness has changed (axes of the reference mesh).
    pub fn refactor(&mut self, tangent: &Symmetric) -> Result<(), StepError> {
        let matrix = matrix(&self.model, tangent, &self.held, self.weights);
        self.factor.refactor(&matrix).map_err(StepError::matrix)?;
        self.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// x ← M̂⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.factor.solve(x);
    }

    /// Makes sure that the columns of these nodes are there.
    pub fn ask_for(&mut self, nodes: &[u32]) {
        let missing: Vec<(usize, usize)> = nodes
            .iter()
            .flat_map(|&n| (0..D).map(move |c| (n as usize, c)))
            .filter(|&(n, c)| self.columns[D * self.slots[n] as usize + c].is_empty())
            .collect();
        let size = self.held.len();
        for batch in missing.chunks(BATCH) {
            let mut unit = vec![0.0; size * batch.len()];
            for (k, &(n, c)) in batch.iter().enumerate() {
                let freedom = D * n + c;
                // A held degree of freedom does not respond.
                unit[k * size + freedom] = if self.held[freedom] { 0.0 } else { 1.0 };
            }
            self.factor.solve_many(&mut unit, batch.len());
            for (k, &(n, c)) in batch.iter().enumerate() {
                let full = &unit[k * size..(k + 1) * size];
                let mut column = vec![0.0; D * self.slot_count];
                for (node, &slot) in self.slots.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
                    let at = D * slot as usize;
                    column[at..at + D].copy_from_slice(&full[D * node..D * (node + 1)]);
                }
                self.columns[D * self.slots[n] as usize + c] = column;
            }
        }
    }

    /// Velocity of `node` by a unit impulse on `pushed`, axes of the reference mesh; [`ask_for`](Self::ask_for) first.
    pub fn between(&self, node: u32, pushed: u32) -> Mat<D> {
        let (row, column) = (D * self.slots[node as usize] as usize, D * self.slots[pushed as usize] as usize);
        Mat::from_fn(|i, j| self.columns[column + j][row + i])
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
