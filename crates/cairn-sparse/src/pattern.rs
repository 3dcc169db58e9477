//! The pattern of a symmetric matrix: which entries of the lower triangle may differ from zero.
//!
//! Unknowns come in blocks of B (the components of a node's displacement), unknown `B·node + component`, and nodes that
//! are coupled are so in all components. The pattern is thus known by the graph of the nodes. In a column `B·b + j`
//! stand, in this order,
//!
//! ```text
//!   the rows B·b + j … B·b + B − 1 of the node's own block (lower part, diagonal first),
//!   B rows for each neighbour a > b, in increasing order.
//! ```
//!
//! Hence the place of any entry follows from the rank of `a` among the neighbours of `b`: see [`Pattern::place`].

use std::sync::Arc;

use crate::{Cliques, Error};

/// The pattern of a symmetric matrix, shared by all matrices that have it.
#[derive(Debug, PartialEq, Eq)]
pub struct Pattern {
    block: usize,
    /// Neighbours of node `b` with a greater number: `above[starts[b]..starts[b + 1]]`, increasing.
    starts: Vec<u32>,
    above: Vec<u32>,
    columns: Vec<u32>,
    rows: Vec<u32>,
}

impl Pattern {
    /// The pattern of `count` nodes with `block` unknowns each, where the nodes of each clique are coupled.
    pub fn of_nodes(count: usize, block: usize, cliques: &Cliques) -> Result<Arc<Pattern>, Error> {
        // Counting first keeps this linear: each column collects its candidates, then sorts and drops repetitions.
        let mut counts = vec![0u32; count];
        for clique in cliques.iter() {
            if let Some(&index) = clique.iter().find(|&&n| n as usize >= count) {
                return Err(Error::OutOfRange { index: index as usize * block, size: count * block });
            }
            for &b in clique {
                counts[b as usize] += clique.iter().filter(|&&a| a > b).count() as u32;
            }
        }
        let mut lists: Vec<Vec<u32>> = counts.iter().map(|&c| Vec::with_capacity(c as usize)).collect();
        for clique in cliques.iter() {
            for &b in clique {
                lists[b as usize].extend(clique.iter().filter(|&&a| a > b));
            }
        }
        Pattern::from_lists(block, lists)
    }

    /// The pattern of a matrix of the given size from pairs (row, column) of either triangle; the diagonal is always
    /// there.
    pub fn from_pairs(size: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Result<Arc<Pattern>, Error> {
        let mut lists = vec![Vec::new(); size];
        for (row, column) in pairs {
            let (low, high) = (row.min(column), row.max(column));
            if high as usize >= size {
                return Err(Error::OutOfRange { index: high as usize, size });
            }
            if low != high {
                lists[low as usize].push(high);
            }
        }
        Pattern::from_lists(1, lists)
    }

    fn from_lists(block: usize, mut lists: Vec<Vec<u32>>) -> Result<Arc<Pattern>, Error> {
        let size = lists.len() * block;
        let mut starts = vec![0u32];
        let mut above = Vec::new();
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
            above.extend_from_slice(list);
            starts.push(above.len() as u32);
        }
        let entries = lists.len() * block * (block + 1) / 2 + above.len() * block * block;
        if entries > i32::MAX as usize || size > i32::MAX as usize {
            return Err(Error::TooLarge { size });
        }
        let mut columns = Vec::with_capacity(size + 1);
        let mut rows = Vec::with_capacity(entries);
        columns.push(0);
        for (b, list) in lists.iter().enumerate() {
            for j in 0..block {
                rows.extend((j..block).map(|i| (b * block + i) as u32));
                for &a in list {
                    rows.extend((0..block).map(|i| (a as usize * block + i) as u32));
                }
                columns.push(rows.len() as u32);
            }
        }
        Ok(Arc::new(Pattern { block, starts, above, columns, rows }))
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.columns.len() - 1
    }

    /// Unknowns of a node.
    pub fn block(&self) -> usize {
        self.block
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Stored entries: those of the lower triangle with the diagonal.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Neighbours of a node with a greater number, increasing.
    pub fn above(&self, node: usize) -> &[u32] {
        &self.above[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Where the rows of each column start, and the end.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Rows of the stored entries, column by column, increasing in each.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Rank of a node among the neighbours of a node with a lower number.
    pub(crate) fn rank(&self, high: u32, low: u32) -> Option<u32> {
        self.above(low as usize).binary_search(&high).ok().map(|k| k as u32)
    }

    /// Place of the first row of the neighbour with this rank in column `j` of node `low`.
    pub(crate) fn place(&self, low: u32, j: usize, rank: u32) -> usize {
        self.columns[low as usize * self.block + j] as usize + (self.block - j) + rank as usize * self.block
    }

    /// Place of the diagonal entry of a column; the rest of the node's block follows it.
    pub(crate) fn diagonal(&self, column: usize) -> usize {
        self.columns[column] as usize
    }

    /// Place of an entry in the values, given in either triangle.
    pub fn position(&self, row: usize, column: usize) -> Option<usize> {
        let (low, high) = (row.min(column), row.max(column));
        if high >= self.size() {
            return None;
        }
        let range = self.columns[low] as usize..self.columns[low + 1] as usize;
        self.rows[range.clone()].binary_search(&(high as u32)).ok().map(|k| range.start + k)
    }

    /// The graph of the nodes: for each all neighbours in both directions, increasing.
    pub(crate) fn graph(&self) -> Cliques {
        let mut neighbours = vec![Vec::new(); self.nodes()];
        for b in 0..self.nodes() {
            for &a in self.above(b) {
                neighbours[a as usize].push(b as u32);
            }
        }
        for (b, list) in neighbours.iter_mut().enumerate() {
            list.extend_from_slice(self.above(b));
        }
        Cliques::from_lists(neighbours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_two_unknowns_each_has_the_columns_that_the_file_describes() {
        let pattern = Pattern::of_nodes(3, 2, &Cliques::from_lists([[1, 0], [2, 1]])).unwrap();
        assert_eq!(pattern.columns(), [0, 4, 7, 11, 14, 16, 17]);
        assert_eq!(pattern.rows(), [0, 1, 2, 3, 1, 2, 3, 2, 3, 4, 5, 3, 4, 5, 4, 5, 5]);
        assert_eq!(pattern.position(2, 1), Some(5));
        assert_eq!(pattern.position(1, 2), Some(5));
        assert_eq!(pattern.position(0, 4), None);
        assert_eq!(pattern.place(0, 1, pattern.rank(1, 0).unwrap()), 5);
        assert_eq!(pattern.graph().get(1), [0, 2]);
    }

    #[test]
    fn pairs_and_cliques_of_single_unknowns_agree() {
        let from_pairs = Pattern::from_pairs(4, [(0, 1), (1, 0), (3, 1), (2, 2), (3, 0)]).unwrap();
        let from_cliques = Pattern::of_nodes(4, 1, &Cliques::from_lists([vec![0, 1, 3], vec![2]])).unwrap();
        assert_eq!(from_pairs, from_cliques);
    }

    #[test]
    fn an_index_outside_is_an_error() {
        assert_eq!(Pattern::from_pairs(2, [(0, 2)]), Err(Error::OutOfRange { index: 2, size: 2 }));
        let cliques = Cliques::from_lists([[0, 7]]);
        assert_eq!(Pattern::of_nodes(3, 2, &cliques), Err(Error::OutOfRange { index: 14, size: 6 }));
    }
}
