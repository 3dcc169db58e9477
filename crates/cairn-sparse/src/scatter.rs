//! Where the entries of element matrices go: found once, used in each assembly.
//!
//! One rank per pair of nodes is kept, instead of one place per pair of unknowns; the rest is arithmetic
//! ([`Pattern::place`]). An element matrix of 8 nodes in space needs 28 numbers instead of 300.

use std::sync::Arc;

use crate::{Cliques, Error, Pattern};

/// Ranks of the pairs of nodes of each element, for [`crate::Symmetric::add`].
#[derive(Clone, Debug)]
pub struct Scatter {
    pub(crate) pattern: Arc<Pattern>,
    /// First rank of each element.
    starts: Vec<u32>,
    /// For the local pairs (1,0), (2,0), (2,1), (3,0) …: rank of the node with the higher number.
    ranks: Vec<u32>,
}

impl Scatter {
    /// Finds the places of elements with these nodes in matrices of this pattern.
    pub fn new(pattern: &Arc<Pattern>, elements: &Cliques) -> Result<Scatter, Error> {
        let block = pattern.block();
        let mut scatter = Scatter { pattern: pattern.clone(), starts: Vec::new(), ranks: Vec::new() };
        for (element, nodes) in elements.iter().enumerate() {
            scatter.starts.push(scatter.ranks.len() as u32);
            if let Some(&node) = nodes.iter().find(|&&n| n as usize >= pattern.nodes()) {
                return Err(Error::OutOfRange { index: node as usize * block, size: pattern.size() });
            }
            for p in 1..nodes.len() {
                for q in 0..p {
                    let (low, high) = (nodes[p].min(nodes[q]), nodes[p].max(nodes[q]));
                    if low == high {
                        return Err(Error::Repeated { element, node: low as usize });
                    }
                    let rank = pattern.rank(high, low);
                    let missing = Error::NoEntry { row: high as usize * block, column: low as usize * block };
                    scatter.ranks.push(rank.ok_or(missing)?);
                }
            }
        }
        Ok(scatter)
    }

    /// Ranks of one element with so many nodes.
    pub(crate) fn ranks(&self, element: usize, nodes: usize) -> &[u32] {
        let start = self.starts[element] as usize;
        &self.ranks[start..start + nodes * (nodes.max(1) - 1) / 2]
    }
}
