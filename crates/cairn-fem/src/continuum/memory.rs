//! What a body keeps at its points of integration: one flat array, in a layout that follows from mesh, materials and options.
//!
//! Block after block, cell after cell: the numbers of each point, as the law of the region declares them, then the modes of
//! the cell (their history is not a function of the displacements). Bodies of elastic materials keep nothing.

use nalgebra::{Matrix3, Vector1};

use super::geometry::{Block, jacobian};
use super::{Continuum, ModelError, shell};
use crate::Vect;
use crate::material::{Material, Quantity};
use crate::mesh::{Kind, Mesh};
use crate::section::{Section, point};
use crate::tensor::{components, inverse};

/// Where the numbers of a body with memory are.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    blocks: Vec<Kept>,
    length: usize,
}

/// What the cells of a block keep.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Index of the first number.
    first: usize,
    /// The numbers of a point.
    pub quantities: Vec<Quantity>,
    points: usize,
    /// Numbers of a cell beside those of its points.
    modes: usize,
    /// Size of each cell [m].
    pub lengths: Vec<f64>,
}

/// What the cells of a region keep: the numbers of each point, then those of the modes of the cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistoryTable<'a> {
    /// Cells.
    pub cells: usize,
    /// Points of a cell.
    pub points: usize,
    /// Numbers of a point.
    pub quantities: &'a [Quantity],
    /// Numbers of a cell beside those of its points.
    pub modes: usize,
}

impl Kept {
    fn stride(&self) -> usize {
        self.points * self.quantities.len() + self.modes
    }

    /// Where the numbers of a cell are.
    pub fn cell(&self, cell: usize) -> std::ops::Range<usize> {
        let start = self.first + cell * self.stride();
        start..start + self.stride()
    }

    /// Where the numbers of all cells are, `count` of them.
    pub fn all(&self, count: usize) -> std::ops::Range<usize> {
        self.first..self.first + count * self.stride()
    }

    /// Where those of its modes begin, in the cell.
    pub fn modes_at(&self) -> usize {
        self.points * self.quantities.len()
    }
}

impl Memory {
    /// The layout; none if all materials are elastic.
    pub fn new<const D: usize>(
        mesh: &Mesh<D>,
        materials: &[Material],
        section: Section,
        blocks: &[Block<D>],
    ) -> Result<Option<Self>, ModelError> {
        if materials.iter().all(|m| m.law.inelastic().is_none()) {
            return Ok(None);
        }
        if blocks.iter().any(|b| b.kind == Kind::Bar2) {
            return Err(ModelError::Options("bars are elastic: a mesh with bars cannot have materials with memory"));
        }
        let mut memory = Memory { blocks: Vec::new(), length: 0 };
        for block in blocks {
            let law = &materials[block.region].law;
            let lengths: Vec<f64> = (0..block.len()).map(|c| length(mesh, block, c)).collect();
            if let Some(law) = law.inelastic() {
                let wrong = |source| ModelError::Material { region: block.region, source };
                lengths.iter().try_for_each(|&l| law.check_length(l)).map_err(wrong)?;
            }
            let quantities = point::quantities(law, section);
            let modes = if block.shell.is_some() { shell::MODES } else { D * (block.functions - block.kind.nodes()) };
            let kept = Kept { first: memory.length, quantities, points: block.points, modes, lengths };
            memory.length += block.len() * kept.stride();
            memory.blocks.push(kept);
        }
        Ok(Some(memory))
    }

    pub fn block(&self, index: usize) -> &Kept {
        &self.blocks[index]
    }
}

/// Size of a cell [m]: the root of its area or volume in the mesh. A quadratic cell counts as the linear ones between its nodes.
fn length<const D: usize>(mesh: &Mesh<D>, block: &Block<D>, cell: usize) -> f64 {
    let table = block.kind.stiffness_table();
    let nodes = block.nodes_of(cell);
    let measure: f64 =
        (0..table.len()).map(|q| inverse(&jacobian(mesh, nodes, &table, q).1).0 * table.weights[q]).sum();
    let parts = if block.kind == block.kind.linear() { 1.0 } else { 2.0 };
    measure.powf(1.0 / D as f64) / parts
}

impl<const D: usize> Continuum<D> {
    /// Does a material depend on more than the displacements? Then [`Continuum::advance`] gives the force of a step, and
    /// [`Continuum::internal_force`] and [`Continuum::tangent`] are those of the body before anything has happened.
    pub fn has_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// The layout of what the body keeps, in the order of its numbers; nothing without memory.
    pub fn history_tables(&self) -> impl Iterator<Item = HistoryTable<'_>> {
        let kept = self.memory.iter().flat_map(|memory| &memory.blocks);
        kept.zip(&self.blocks).map(|(kept, block)| {
            let (points, modes) = (kept.points, kept.modes);
            HistoryTable { cells: block.len(), points, quantities: &kept.quantities, modes }
        })
    }

    /// What the body keeps before anything has happened; empty without memory.
    pub fn initial_history(&self) -> Vec<f64> {
        let Some(memory) = &self.memory else { return Vec::new() };
        let mut history = Vec::with_capacity(memory.length);
        for (kept, block) in memory.blocks.iter().zip(&self.blocks) {
            for _ in 0..block.len() {
                (0..kept.points).for_each(|_| history.extend(kept.quantities.iter().map(|q| q.initial)));
                history.resize(history.len() + kept.modes, 0.0);
            }
        }
        history
    }

    /// What the body keeps if it is stressed before it is strained: `stress` says how, by region and place in the reference configuration,
    /// in its axes [Pa].
    pub fn prestressed_history(
        &self,
        stress: impl Fn(usize, &Vect<D>) -> Matrix3<f64>,
    ) -> Result<Vec<f64>, ModelError> {
        const WHY: ModelError =
            ModelError::Options("an initial stress needs materials that remember one: Maxwell's, or those that flow");
        let mut history = self.initial_history();
        let memory = self.memory.as_ref().ok_or(WHY)?;
        for (kept, block) in memory.blocks.iter().zip(&self.blocks) {
            let law = self.materials[block.region].law.inelastic().ok_or(WHY)?;
            let (table, own) = (&block.table, law.history().len());
            for (c, q) in (0..block.len()).flat_map(|c| (0..block.points).map(move |q| (c, q))) {
                let place = self.place_in(block, c, table.shape(q));
                let first = kept.cell(c).start + q * kept.quantities.len();
                let stress = components::<6>(&stress(block.region, &place));
                if !law.prestress(&stress, &mut history[first..first + own]) {
                    return Err(WHY);
                }
            }
        }
        Ok(history)
    }

    /// The numbers that its points keep and that are shown, each name once.
    pub fn quantities(&self) -> Vec<Quantity> {
        let mut all: Vec<Quantity> = Vec::new();
        for quantity in self.memory.iter().flat_map(|m| &m.blocks).flat_map(|kept| &kept.quantities) {
            if quantity.is_shown && all.iter().all(|known| known.name != quantity.name) {
                all.push(*quantity);
            }
        }
        all
    }

    /// A number that points keep, at the nodes; its initial value where a region does not know it, none if no region does.
    pub fn nodal_history(&self, history: &[f64], name: &str) -> Option<Vec<f64>> {
        let memory = self.memory.as_ref()?;
        let initial = self.quantities().into_iter().find(|q| q.name == name)?.initial;
        let mut values = Vec::with_capacity(self.blocks.iter().map(|b| b.weights.len()).sum());
        for (kept, block) in memory.blocks.iter().zip(&self.blocks) {
            let index = kept.quantities.iter().position(|q| q.name == name);
            for c in 0..block.len() {
                let cell = &history[kept.cell(c)];
                let at = |q: usize| index.map_or(initial, |i| cell[q * kept.quantities.len() + i]);
                values.extend((0..block.points).map(|q| (Vector1::new(at(q)), block.weights[c * block.points + q])));
            }
        }
        Some(self.to_nodes(|point| values[point]).into_iter().map(|v| v[0]).collect())
    }
}
