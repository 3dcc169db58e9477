//! The least set of nodes that separates two sides of a graph, given the edges between them.
//!
//! The edges across a cut make a bipartite graph. Every one of them must have an end in the separator, so the least
//! separator is a least vertex cover, which a largest matching gives (König): with Z the nodes that alternating paths
//! reach from unmatched left nodes, it is (left ∖ Z) ∪ (right ∩ Z).

use crate::Cliques;

const NONE: u32 = u32::MAX;

/// Marks of the left and of the right nodes that are in the least cover; `edges` lists right nodes for each left node.
pub(crate) fn least_cover(edges: &Cliques, right_count: usize) -> (Vec<bool>, Vec<bool>) {
    let left_count = edges.len();
    let mut mate_of_left = vec![NONE; left_count];
    let mut mate_of_right = vec![NONE; right_count];
    // A greedy matching first: it leaves few nodes for the search.
    for (left, mate) in mate_of_left.iter_mut().enumerate() {
        if let Some(&right) = edges.get(left).iter().find(|&&r| mate_of_right[r as usize] == NONE) {
            *mate = right;
            mate_of_right[right as usize] = left as u32;
        }
    }
    let mut came_from = vec![NONE; right_count];
    for start in 0..left_count {
        if mate_of_left[start] == NONE {
            augment(edges, start as u32, &mut mate_of_left, &mut mate_of_right, &mut came_from);
        }
    }

    let mut left_reached = vec![false; left_count];
    let mut right_reached = vec![false; right_count];
    let mut queue: Vec<u32> = (0..left_count as u32).filter(|&l| mate_of_left[l as usize] == NONE).collect();
    queue.iter().for_each(|&l| left_reached[l as usize] = true);
    while let Some(left) = queue.pop() {
        for &right in edges.get(left as usize) {
            if !right_reached[right as usize] {
                right_reached[right as usize] = true;
                let mate = mate_of_right[right as usize];
                if mate != NONE && !left_reached[mate as usize] {
                    left_reached[mate as usize] = true;
                    queue.push(mate);
                }
            }
        }
    }
    (left_reached.into_iter().map(|r| !r).collect(), right_reached)
}

/// Searches, breadth first, an alternating path from an unmatched left node to an unmatched right node, and swaps it.
fn augment(edges: &Cliques, start: u32, of_left: &mut [u32], of_right: &mut [u32], came_from: &mut [u32]) {
    let mut seen: Vec<u32> = Vec::new();
    let mut queue = vec![start];
    let mut next = 0;
    let mut end = NONE;
    'search: while next < queue.len() {
        let left = queue[next];
        next += 1;
        for &right in edges.get(left as usize) {
            if came_from[right as usize] == NONE {
                came_from[right as usize] = left;
                seen.push(right);
                match of_right[right as usize] {
                    NONE => {
                        end = right;
                        break 'search;
                    }
                    mate => queue.push(mate),
                }
            }
        }
    }
    while end != NONE {
        let left = came_from[end as usize];
        let following = of_left[left as usize];
        of_left[left as usize] = end;
        of_right[end as usize] = left;
        end = if left == start { NONE } else { following };
    }
    seen.iter().for_each(|&right| came_from[right as usize] = NONE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// All subsets of a small bipartite graph are tried.
    #[test]
    fn the_cover_is_one_and_none_is_smaller() {
        let mut random = Random(3);
        for _ in 0..50 {
            let edges = Cliques::from_lists(
                (0..6).map(|_| (0..6).filter(|_| random.next() > 0.4).collect::<Vec<u32>>()).collect::<Vec<_>>(),
            );
            let covers = |l: &dyn Fn(usize) -> bool, r: &dyn Fn(usize) -> bool| {
                (0..6).all(|i| l(i) || edges.get(i).iter().all(|&j| r(j as usize)))
            };
            let least = (0..1u32 << 12)
                .filter(|bits| covers(&|i| bits >> i & 1 == 1, &|j| bits >> (6 + j) & 1 == 1))
                .map(|bits| bits.count_ones())
                .min()
                .unwrap();
            let (left, right) = least_cover(&edges, 6);
            assert!(covers(&|i| left[i], &|j| right[j]));
            assert_eq!(left.iter().chain(&right).filter(|&&c| c).count() as u32, least);
        }
    }
}
