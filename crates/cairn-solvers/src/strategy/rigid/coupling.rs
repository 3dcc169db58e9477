//! The sparse matrix I + G P Gᵀ over unit masses, P a symmetric block for each contact: pattern once, values often.

use std::sync::Arc;

use cairn_sparse::{Analysis, Cliques, Error, Factor, Ordering, Pattern, Scatter, Symmetric};

use super::unit::Unit;
use crate::problem::Mat;

/// Pattern and values.
pub(super) struct Coupling {
    cliques: Cliques,
    scatter: Scatter,
    values: Symmetric,
    analysis: Arc<Analysis>,
}

impl Coupling {
    /// Of a collection.
    pub fn new<const D: usize>(unit: &Unit<D>) -> Result<Self, Error> {
        let cliques = Cliques::from_lists((0..unit.rho.len()).map(|a| unit.nodes_of(a).collect::<Vec<_>>()));
        let pattern = Pattern::of_nodes(unit.nodes, Unit::<D>::BLOCK, &cliques)?;
        let scatter = Scatter::new(&pattern, &cliques)?;
        let analysis = Analysis::new(&pattern, Ordering::Automatic)?;
        Ok(Self { cliques, scatter, values: Symmetric::zero(&pattern), analysis })
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.analysis.entries()
    }

    /// Factorizes with the blocks given; an earlier factor is used again.
    pub fn factorize<const D: usize>(
        &mut self,
        unit: &Unit<D>,
        weight: impl Fn(usize) -> Mat<D>,
        used: Option<Factor>,
    ) -> Result<Factor, Error> {
        self.values.clear();
        self.values.add_diagonal(1.0, &vec![1.0; unit.size()]);
        let mut block = [0.0; 144];
        for a in 0..unit.rho.len() {
            let size = (unit.nodes_of(a).count() * Unit::<D>::BLOCK).pow(2);
            block[..size].fill(0.0);
            unit.add_square(a, &weight(a), &mut block[..size]);
            self.values.add(&self.scatter, &self.cliques, a, &block[..size]);
        }
        match used {
            None => Factor::new(&self.analysis, &self.values),
            Some(mut factor) => factor.refactor(&self.values).map(|()| factor),
        }
    }
}
