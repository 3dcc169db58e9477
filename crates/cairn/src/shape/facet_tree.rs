//! A static tree of boxes over the facets of a surface: finds those that meet a box in a time that grows with their number.
//!
//! Facets are halved at the median along the longest side of their box until a leaf holds a few. Nodes are stored in the
//! order of a depth-first walk, each with the number of the node that follows its subtree, so that a search is one loop.

use crate::space::Vect;

const LEAF: usize = 4;

/// Axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// Lowest corner [m].
    pub min: Vect<D>,
    /// Highest corner [m].
    pub max: Vect<D>,
}

impl<const D: usize> Aabb<D> {
    /// The smallest box around the points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Vect<D>>) -> Self {
        let empty = Self { min: Vect::repeat(f64::INFINITY), max: Vect::repeat(f64::NEG_INFINITY) };
        points.into_iter().fold(empty, |b, p| Self { min: b.min.inf(p), max: b.max.sup(p) })
    }

    /// The box grown by `margin` on every side.
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Do the two have a point in common?
    pub fn meets(&self, other: &Self) -> bool {
        (0..D).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// The smallest box around both.
    pub fn join(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Node<const D: usize> {
    bounds: Aabb<D>,
    /// The node after this one's subtree.
    skip: u32,
    /// Range in `order`; empty for inner nodes.
    facets: (u32, u32),
}

/// Tree of boxes.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct FacetTree<const D: usize> {
    nodes: Vec<Node<D>>,
    order: Vec<u32>,
    boxes: Vec<Aabb<D>>,
}

impl<const D: usize> FacetTree<D> {
    /// Over the boxes of the facets.
    pub(super) fn new(boxes: Vec<Aabb<D>>) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len() as u32).collect(), boxes };
        if !tree.boxes.is_empty() {
            tree.build(0, tree.boxes.len());
        }
        tree
    }

    fn build(&mut self, from: usize, to: usize) {
        let boxes = &self.boxes;
        let box_of = |f: &u32| boxes[*f as usize];
        let first = box_of(&self.order[from]);
        let bounds = self.order[from..to].iter().fold(first, |b, f| b.join(&box_of(f)));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, skip: 0, facets: (0, 0) });
        if to - from <= LEAF {
            self.nodes[node].facets = (from as u32, to as u32);
        } else {
            let axis = (bounds.max - bounds.min).imax();
            let middle = |f: &u32| box_of(f).min[axis] + box_of(f).max[axis];
            let half = (to - from) / 2;
            self.order[from..to].select_nth_unstable_by(half, |f, g| middle(f).total_cmp(&middle(g)).then(f.cmp(g)));
            self.build(from, from + half);
            self.build(from + half, to);
        }
        self.nodes[node].skip = self.nodes.len() as u32;
    }

    /// Pushes the facets whose boxes meet `region`, in ascending order.
    pub(super) fn search(&self, region: &Aabb<D>, out: &mut Vec<u32>) {
        let start = out.len();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.meets(region) {
                at = node.skip as usize;
                continue;
            }
            let facets = &self.order[node.facets.0 as usize..node.facets.1 as usize];
            out.extend(facets.iter().filter(|f| self.boxes[**f as usize].meets(region)));
            at += 1;
        }
        out[start..].sort_unstable();
    }

    /// The box around all facets, if there are any.
    pub(super) fn bounds(&self) -> Option<Aabb<D>> {
        self.nodes.first().map(|n| n.bounds)
    }
}
