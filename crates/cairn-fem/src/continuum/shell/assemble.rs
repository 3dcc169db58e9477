//! Sheets as cells of a body: what assembly, steps and results ask of any cell.
//!
//! The strain of a sheet is not that of a motion F of its displacements. Stresses are turned by F̃ = R Ũ: the rotation R of F, and Ũ² = 1 + 2E of the strain
//! that the law has seen.

use nalgebra::{Matrix3, SVector};

use super::MODES;
use super::cell::{Answer, Ends, Point, Rules, Sheet};
use super::strain::{Nodes, Reference};
use crate::Mat;
use crate::continuum::Continuum;
use crate::continuum::advance::{Advance, At, Work};
use crate::continuum::cell::{Blocks, Columns};
use crate::continuum::geometry::Block;
use crate::continuum::memory::Kept;
use crate::material::Outcome;
use crate::section::Kinematics;
use crate::spectral::spectrum;
use crate::tensor::{from_strain, inverse};

/// Columns of a cell in space.
fn lifted<const D: usize, const N: usize>(columns: &Columns<D, N>) -> Nodes {
    Nodes::from_fn(|i, a| columns[(i, a)])
}

/// Force, blocks and work of a cell, as other cells have them.
type Lowered<const D: usize, const N: usize> = (Columns<D, N>, Option<Blocks<D, N>>, Work);

fn lowered<const D: usize, const N: usize>(answer: &Answer) -> Lowered<D, N> {
    let force = Columns::from_fn(|i, a| answer.force[3 * a + i]);
    let block = |k: &nalgebra::SMatrix<f64, 24, 24>, a: usize, b: usize| Mat::from_fn(|i, j| k[(3 * a + i, 3 * b + j)]);
    let blocks =
        answer.tangent.as_ref().map(|t| std::array::from_fn(|a| std::array::from_fn(|b| block(&t.nodes, a, b))));
    (force, blocks, answer.work)
}

impl<const D: usize> Continuum<D> {
    fn sheet<'a>(&'a self, block: &'a Block<D>, reference: &Reference, c: usize, length: f64) -> Sheet<'a> {
        let nodes = block.nodes_of(c);
        let places = Nodes::from_fn(|i, a| self.mesh.nodes[nodes[a] as usize][i]);
        Sheet::new(reference, places, block.cell(c).weights, length)
    }

    fn sheet_rules<'a>(&'a self, block: &'a Block<D>, reference: &'a Reference) -> Rules<'a> {
        Rules {
            reference,
            law: self.point_law(block),
            kinematics: self.options.kinematics,
            numbers: 0,
            h: 0.0,
            xi: 1.0,
            is_elastic: true,
            only_tension: false,
        }
    }

    /// An elastic cell with the displacements of its nodes.
    pub(in crate::continuum) fn elastic_sheet<const N: usize>(
        &self,
        block: &Block<D>,
        reference: &Reference,
        c: usize,
        u: &Columns<D, N>,
        only_tension: bool,
    ) -> Lowered<D, N> {
        let rules = Rules { only_tension, ..self.sheet_rules(block, reference) };
        let (sheet, u) = (self.sheet(block, reference, c, 0.0), lifted(u));
        let ends = Ends { before: &u, after: &u, modes_before: &[0.0; MODES], old: &[] };
        lowered(&rules.settled(&sheet, ends, &mut [0.0; MODES], &mut []))
    }

    /// A cell with memory over a step; `new` gets what it keeps.
    #[allow(clippy::too_many_arguments, reason = "what a cell is, what the step is")]
    pub(in crate::continuum) fn advance_sheet<const N: usize>(
        &self,
        block: &Block<D>,
        reference: &Reference,
        kept: &Kept,
        step: &Advance<'_>,
        c: usize,
        [before, after]: [&Columns<D, N>; 2],
        new: &mut [f64],
    ) -> Lowered<D, N> {
        let rules = Rules {
            numbers: kept.quantities.len(),
            h: step.h,
            xi: step.xi,
            is_elastic: false,
            ..self.sheet_rules(block, reference)
        };
        let sheet = self.sheet(block, reference, c, kept.lengths[c]);
        let (points, modes_before) = step.history[kept.cell(c)].split_at(kept.modes_at());
        let (before, after) = (lifted(before), lifted(after));
        let ends = Ends { before: &before, after: &after, modes_before, old: points };
        let (new, modes) = new.split_at_mut(kept.modes_at());
        modes.copy_from_slice(modes_before);
        lowered(&rules.settled(&sheet, ends, modes, new))
    }

    /// The points of a cell as they are; `kept` of a body with memory.
    pub(in crate::continuum) fn sheet_state<const V: usize>(
        &self,
        block: &Block<D>,
        reference: &Reference,
        kept: Option<&Kept>,
        c: usize,
        [u, history]: [&[f64]; 2],
    ) -> Vec<At<D, V>> {
        let nodes = block.nodes_of(c);
        let u = Nodes::from_fn(|i, a| u[D * nodes[a] as usize + i]);
        let sheet = self.sheet(block, reference, c, kept.map_or(0.0, |kept| kept.lengths[c]));
        let mut rules = self.sheet_rules(block, reference);
        let mut found = [0.0; MODES];
        let (old, modes) = match kept {
            Some(kept) => {
                rules = Rules { numbers: kept.quantities.len(), is_elastic: false, ..rules };
                history[kept.cell(c)].split_at(kept.modes_at())
            }
            None => {
                let ends = Ends { before: &u, after: &u, modes_before: &[0.0; MODES], old: &[] };
                rules.settled(&sheet, ends, &mut found, &mut []);
                (&[][..], &found[..])
            }
        };
        let ends = Ends { before: &u, after: &u, modes_before: modes, old };
        let points = rules.points(&sheet, ends, modes, &mut old.to_vec(), false);
        let at = |(q, Point { strain, outcome }): (usize, Point)| {
            let f = match self.options.kinematics {
                Kinematics::Small => Matrix3::identity(),
                Kinematics::Finite => seen(&sheet.motion(reference, &u, q), &from_strain(&strain)),
            };
            let Outcome { stress, tangent, stored, lost } = outcome;
            At {
                f: Mat::from_fn(|i, j| f[(i, j)]),
                f33: 1.0,
                strain: SVector::from_fn(|k, _| strain[k]),
                outcome: Outcome {
                    stress: SVector::from_fn(|k, _| stress[k]),
                    tangent: nalgebra::SMatrix::from_fn(|i, j| tangent[(i, j)]),
                    stored,
                    lost,
                },
            }
        };
        points.into_iter().enumerate().map(at).collect()
    }
}

/// F̃ = R Ũ.
fn seen(motion: &Matrix3<f64>, strain: &Matrix3<f64>) -> Matrix3<f64> {
    let root = |tensor: &Matrix3<f64>| {
        let s = spectrum(tensor);
        s.axes * Matrix3::from_diagonal(&s.values.map(|x| x.max(0.0).sqrt())) * s.axes.transpose()
    };
    let (_, unstretched) = inverse(&root(&motion.tr_mul(motion)));
    motion * unstretched * root(&(Matrix3::identity() + 2.0 * strain))
}
