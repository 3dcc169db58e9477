//! Rims of a skin in space: sharp convex edges, in straight pieces between nodes. Rigid edges may lie across them.

use super::candidates::SMOOTH;
use super::facet::{Facet, centre};
use super::pose::unit;
use super::skin::Skin;
use crate::space::Vect;
use std::collections::BTreeMap;

/// A straight piece of a rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rim {
    /// Its ends.
    pub nodes: [u32; 2],
    /// The facets on its two sides.
    pub facets: [u32; 2],
    /// The edge that it is a piece of: pieces that go on in about the same direction have one number.
    pub edge: u32,
    /// Does the edge end at this node?
    pub ends: [bool; 2],
}

/// The rims of a skin; in the plane there are none.
pub(super) fn rims<const D: usize>(skin: &Skin<D>, nodes: &[Vect<D>]) -> Vec<Rim> {
    let mut rims = Vec::new();
    if D == 2 {
        return rims;
    }
    for f in 0..skin.facets.len() as u32 {
        for k in 0..skin.facets[f as usize].corners().len() {
            let Some(g) = skin.across(f, k).filter(|&g| g > f) else { continue };
            let touched = skin.is_antagonist[f as usize] || skin.is_antagonist[g as usize];
            if touched && is_sharp(&skin.facets[f as usize], &skin.facets[g as usize], nodes) {
                let pieces = side(&skin.facets[f as usize], k);
                rims.extend(pieces.windows(2).map(|w| Rim {
                    nodes: [w[0], w[1]],
                    facets: [f, g],
                    edge: 0,
                    ends: [true; 2],
                }));
            }
        }
    }
    number(&mut rims, nodes);
    rims
}

/// Nodes of side k of a facet, one after the other.
fn side(facet: &Facet, k: usize) -> Vec<u32> {
    let ring = facet.corners();
    let middle = facet.nodes().get(ring.len() + k);
    [Some(&ring[k]), middle, Some(&ring[(k + 1) % ring.len()])].into_iter().flatten().copied().collect()
}

/// Is the edge between two facets convex, with normals more than 50° apart?
fn is_sharp<const D: usize>(f: &Facet, g: &Facet, nodes: &[Vect<D>]) -> bool {
    let [(n, x), (m, y)] = [f, g].map(|facet| {
        let (patch, middle) = (facet.patch(nodes), centre(facet.kind));
        (patch.normal(middle), patch.point(middle))
    });
    n.dot(&m) < SMOOTH && n.dot(&(y - x)) < 0.0
}

/// Gives pieces that go on in about the same direction one number, and finds where edges end.
fn number<const D: usize>(rims: &mut [Rim], nodes: &[Vect<D>]) {
    let direction = |rim: &Rim| unit(&(nodes[rim.nodes[1] as usize] - nodes[rim.nodes[0] as usize]));
    let mut at_node: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for (i, rim) in rims.iter().enumerate() {
        rim.nodes.iter().enumerate().for_each(|(end, &node)| at_node.entry(node).or_default().push((i, end)));
    }
    // The first piece of an edge stands for all of it: each piece knows one before it, or itself.
    let mut before: Vec<usize> = (0..rims.len()).collect();
    fn first(before: &[usize], mut i: usize) -> usize {
        while before[i] != i {
            i = before[i];
        }
        i
    }
    for pieces in at_node.values() {
        for (k, &(i, end_i)) in pieces.iter().enumerate() {
            for &(j, end_j) in &pieces[..k] {
                if direction(&rims[i]).dot(&direction(&rims[j])).abs() > SMOOTH {
                    (rims[i].ends[end_i], rims[j].ends[end_j]) = (false, false);
                    let (p, q) = (first(&before, i), first(&before, j));
                    before[p.max(q)] = p.min(q);
                }
            }
        }
    }
    for (i, rim) in rims.iter_mut().enumerate() {
        rim.edge = first(&before, i) as u32;
    }
}
