//! A tree of boxes over the facets of a skin: its shape is made once, its boxes are refitted in every step.
//!
//! Facets are halved at the median of their middles in the reference configuration. Nodes stand in the order of a
//! depth-first walk, each with the number of the one after its subtree, so that a search and a refit are one loop each.

use crate::shape::Aabb;
use crate::space::Vect;

const LEAF: usize = 2;

#[derive(Clone, Copy, Debug)]
struct Branch {
    skip: u32,
    /// Range in `order`; empty for inner nodes.
    leaf: (u32, u32),
}

/// The shape of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    branches: Vec<Branch>,
    order: Vec<u32>,
}

impl Tree {
    /// Over these boxes.
    pub fn new<const D: usize>(boxes: &[Aabb<D>]) -> Self {
        let mut tree = Self { branches: Vec::new(), order: (0..boxes.len() as u32).collect() };
        if !tree.order.is_empty() {
            tree.build(boxes, 0, tree.order.len());
        }
        tree
    }

    fn build<const D: usize>(&mut self, boxes: &[Aabb<D>], from: usize, to: usize) {
        let branch = self.branches.len();
        self.branches.push(Branch { skip: 0, leaf: (0, 0) });
        if to - from <= LEAF {
            self.branches[branch].leaf = (from as u32, to as u32);
        } else {
            let middle = |f: &u32| (boxes[*f as usize].min + boxes[*f as usize].max) * 0.5;
            let middles: Vec<Vect<D>> = self.order[from..to].iter().map(middle).collect();
            let all = Aabb::around(&middles);
            let axis = (all.max - all.min).imax();
            let half = (to - from) / 2;
            self.order[from..to]
                .select_nth_unstable_by(half, |f, g| middle(f)[axis].total_cmp(&middle(g)[axis]).then(f.cmp(g)));
            self.build(boxes, from, from + half);
            self.build(boxes, from + half, to);
        }
        self.branches[branch].skip = self.branches.len() as u32;
    }

    /// Boxes of the branches around the boxes of the facets.
    pub fn refit<const D: usize>(&self, boxes: &[Aabb<D>], out: &mut Vec<Aabb<D>>) {
        out.clear();
        out.resize(self.branches.len(), Aabb::around([]));
        for (i, branch) in self.branches.iter().enumerate().rev() {
            let (from, to) = branch.leaf;
            out[i] = if from < to {
                let leaf = self.order[from as usize..to as usize].iter();
                leaf.fold(Aabb::around([]), |b, &f| b.join(&boxes[f as usize]))
            } else {
                out[i + 1].join(&out[self.branches[i + 1].skip as usize])
            };
        }
    }

    /// Pushes the facets whose boxes meet `region`, in ascending order.
    pub fn search<const D: usize>(
        &self,
        branches: &[Aabb<D>],
        boxes: &[Aabb<D>],
        region: &Aabb<D>,
        out: &mut Vec<u32>,
    ) {
        out.clear();
        let mut at = 0;
        while let Some(branch) = self.branches.get(at) {
            if !branches[at].meets(region) {
                at = branch.skip as usize;
                continue;
            }
            let leaf = &self.order[branch.leaf.0 as usize..branch.leaf.1 as usize];
            out.extend(leaf.iter().filter(|f| boxes[**f as usize].meets(region)));
            at += 1;
        }
        out.sort_unstable();
    }
}
