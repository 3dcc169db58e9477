//! Nested dissection: an order of elimination that keeps factors of meshes sparse.
//!
//! A set of nodes is cut in two halves that are not coupled, and a separator; the halves are ordered first, each in the
//! same way, and the separator last. On a mesh of N nodes the factor then has O(N log N) entries in the plane and
//! O(N^4/3) in space, the least possible order (George 1973).
//!
//! A cut is where a scalar field passes its median: a coordinate of the nodes if positions are known, otherwise the
//! distance in the graph from an end of it. If the field has steps near the median, as layers of a block have, the cut
//! runs between two of them. The separator is the least set of nodes that touches all edges across the cut. Of the
//! fields at hand the one with the smallest separator wins.

use crate::Cliques;
use crate::cover::least_cover;

/// Sets of at most so many nodes are not cut.
const LEAF: usize = 12;
/// A cut may leave the median by this share of the set to run between layers.
const WINDOW: f64 = 0.1;
const NONE: u32 = u32::MAX;

/// An order of elimination of the nodes of a graph: the node to be eliminated first comes first.
///
/// `graph` lists the neighbours of each node; `positions`, if given, has `dimension` coordinates for each node.
pub fn nested_dissection(graph: &Cliques, positions: Option<(&[f64], usize)>) -> Vec<u32> {
    let count = graph.len();
    let mut work = Work {
        graph,
        positions: positions.filter(|(p, dimension)| *dimension > 0 && p.len() == count * dimension),
        inside: vec![false; count],
        side: vec![0; count],
        number: vec![NONE; count],
        distance: vec![NONE; count],
        order: Vec::with_capacity(count),
    };
    work.dissect((0..count as u32).collect());
    work.order
}

struct Work<'a> {
    graph: &'a Cliques,
    positions: Option<(&'a [f64], usize)>,
    /// Whether a node is in the set at hand.
    inside: Vec<bool>,
    side: Vec<u8>,
    /// Numbers of the nodes along a cut; `NONE` between uses, like the distances.
    number: Vec<u32>,
    distance: Vec<u32>,
    order: Vec<u32>,
}

/// A cut of a set: two halves that are not coupled, and what separates them.
struct Cut {
    halves: [Vec<u32>; 2],
    separator: Vec<u32>,
}

impl Cut {
    /// Separator per node of the smaller half: what a cut costs for what it does.
    fn cost(&self) -> f64 {
        (1 + self.separator.len()) as f64 / self.halves[0].len().min(self.halves[1].len()) as f64
    }
}

impl Work<'_> {
    fn dissect(&mut self, set: Vec<u32>) {
        if set.len() <= LEAF {
            return self.order.extend(set);
        }
        set.iter().for_each(|&n| self.inside[n as usize] = true);
        let pieces = self.pieces(&set);
        let cut = if pieces.len() == 1 { self.best_cut(&set) } else { None };
        set.iter().for_each(|&n| self.inside[n as usize] = false);
        if pieces.len() > 1 {
            return pieces.into_iter().for_each(|piece| self.dissect(piece));
        }
        match cut {
            None => self.order.extend(set),
            Some(Cut { halves, separator }) => {
                halves.into_iter().for_each(|half| self.dissect(half));
                self.order.extend(separator);
            }
        }
    }

    /// The connected parts of the set, each sorted.
    fn pieces(&mut self, set: &[u32]) -> Vec<Vec<u32>> {
        let mut pieces = Vec::new();
        for &start in set {
            if self.distance[start as usize] == NONE {
                let mut piece = self.spread(start);
                piece.sort_unstable();
                pieces.push(piece);
            }
        }
        set.iter().for_each(|&n| self.distance[n as usize] = NONE);
        pieces
    }

    /// Distances in the set from a node; returns the nodes reached, nearest first.
    fn spread(&mut self, start: u32) -> Vec<u32> {
        let graph = self.graph;
        let mut reached = vec![start];
        self.distance[start as usize] = 0;
        let mut next = 0;
        while next < reached.len() {
            let node = reached[next] as usize;
            next += 1;
            for &other in graph.get(node) {
                if self.inside[other as usize] && self.distance[other as usize] == NONE {
                    self.distance[other as usize] = self.distance[node] + 1;
                    reached.push(other);
                }
            }
        }
        reached
    }

    /// Distances from a node to each node of a connected set.
    fn distances(&mut self, set: &[u32], start: u32) -> (Vec<f64>, u32) {
        let farthest = self.spread(start).last().copied().unwrap_or(start);
        let field = set.iter().map(|&n| f64::from(self.distance[n as usize])).collect();
        set.iter().for_each(|&n| self.distance[n as usize] = NONE);
        (field, farthest)
    }

    fn best_cut(&mut self, set: &[u32]) -> Option<Cut> {
        let fields: Vec<Vec<f64>> = match self.positions {
            Some((points, dimension)) => (0..dimension)
                .map(|axis| set.iter().map(|&n| points[n as usize * dimension + axis]).collect())
                .collect(),
            None => {
                let (_, one_end) = self.distances(set, set[0]);
                let (from_one, other_end) = self.distances(set, one_end);
                let (from_other, _) = self.distances(set, other_end);
                let between = from_one.iter().zip(&from_other).map(|(a, b)| a - b).collect();
                vec![from_one, between]
            }
        };
        let mut best: Option<Cut> = None;
        for field in fields {
            let cut = self.cut(set, &field);
            let is_cut = cut.halves.iter().all(|half| !half.is_empty());
            if is_cut && best.as_ref().is_none_or(|b| cut.cost() < b.cost()) {
                best = Some(cut);
            }
        }
        best
    }

    /// Cuts a set near the median of a field.
    fn cut(&mut self, set: &[u32], field: &[f64]) -> Cut {
        let mut order: Vec<usize> = (0..set.len()).collect();
        order.sort_by(|&a, &b| field[a].total_cmp(&field[b]).then(a.cmp(&b)));
        let (first, second) = order.split_at(place_of_cut(&order, field));
        first.iter().for_each(|&i| self.side[set[i] as usize] = 1);
        second.iter().for_each(|&i| self.side[set[i] as usize] = 2);

        // The edges across, between nodes numbered along the cut.
        let graph = self.graph;
        let (mut left, mut right, mut edges) = (Vec::new(), Vec::new(), Cliques::default());
        for &node in set.iter().filter(|&&n| self.side[n as usize] == 1) {
            let mut across = Vec::new();
            for &other in graph.get(node as usize) {
                if self.inside[other as usize] && self.side[other as usize] == 2 {
                    if self.number[other as usize] == NONE {
                        self.number[other as usize] = right.len() as u32;
                        right.push(other);
                    }
                    across.push(self.number[other as usize]);
                }
            }
            if !across.is_empty() {
                left.push(node);
                edges.push(&across);
            }
        }
        right.iter().for_each(|&n| self.number[n as usize] = NONE);

        let (in_left, in_right) = least_cover(&edges, right.len());
        let chosen = |nodes: &[u32], marks: &[bool]| -> Vec<u32> {
            nodes.iter().zip(marks).filter(|(_, m)| **m).map(|(n, _)| *n).collect()
        };
        let mut separator = chosen(&left, &in_left);
        separator.extend(chosen(&right, &in_right));
        separator.sort_unstable();
        separator.iter().for_each(|&n| self.side[n as usize] = 0);
        let half = |side: u8| set.iter().copied().filter(|&n| self.side[n as usize] == side).collect();
        Cut { halves: [half(1), half(2)], separator }
    }
}

/// How many nodes, sorted by the field, come before the cut: half of them, or so many that the cut falls into the gap
/// between two layers.
fn place_of_cut(order: &[usize], field: &[f64]) -> usize {
    let count = order.len();
    let middle = count / 2;
    let value = |i: usize| field[order[i]];
    let reach = (count as f64 * WINDOW) as usize;
    // A gap is one between layers if it is not small against the spacing of as many evenly spread layers as a cube has.
    let layer = (value(count - 1) - value(0)) / (count as f64).cbrt();
    let is_gap = |i: usize| i > 0 && i < count && value(i) - value(i - 1) > 0.2 * layer;
    let near = (0..=reach).flat_map(|d| [middle.wrapping_sub(d), middle + d]).find(|&i| is_gap(i));
    near.unwrap_or(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pattern;
    use crate::testing::grid;

    fn is_permutation(order: &[u32], count: usize) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..count as u32)
    }

    #[test]
    fn the_last_nodes_of_a_block_are_its_middle_plane() {
        let (elements, points) = grid([8, 4, 4]);
        let graph = Pattern::of_nodes(9 * 5 * 5, 1, &elements).unwrap().graph();
        let order = nested_dissection(&graph, Some((&points, 3)));
        assert!(is_permutation(&order, 225));
        // Nine layers: the least separator near the middle is one layer of 25 nodes.
        let x = points[3 * order[224] as usize];
        assert!(order[200..].iter().all(|&n| points[3 * n as usize] == x));
        assert!((3.0..=5.0).contains(&x));
    }

    #[test]
    fn without_positions_and_with_loose_parts_it_is_an_order_too() {
        let (elements, _) = grid([5, 5, 5]);
        let graph = Pattern::of_nodes(216 + 40, 1, &elements).unwrap().graph();
        assert!(is_permutation(&nested_dissection(&graph, None), 256));
        let empty = Pattern::of_nodes(0, 1, &Cliques::default()).unwrap().graph();
        assert!(nested_dissection(&empty, None).is_empty());
    }
}
