//! How deformable bodies respond to their contacts: B_αβ = Σ over shared bodies of H_αᵀ M̂⁻¹ H_β, stored by blocks.
//!
//! Contact by contact: it pushes its bodies in each direction of its frame, and the velocities that this gives at the points of the
//! others are the blocks of its row. Rows are shared out to threads.

use super::response::Response;
use crate::detect::mesh::NodeWeights;
use crate::space::{Ambient, Mat, Space, Vect};
use cairn_solvers::delassus::Stored;
use cairn_solvers::problem::Link;
use cairn_sparse::wide;
use rayon::prelude::*;

/// Contacts that there must be for threads to pay, and those that one takes at a time at least.
const SHARED: usize = 128;
const CHUNK: usize = 32;

/// One side of a contact on a body.
#[derive(Clone, Copy, Debug)]
struct Member {
    contact: u32,
    side: usize,
}

/// What B is made from, contact by contact on deformable bodies.
pub(super) struct Parts<'a, const D: usize> {
    pub links: Vec<&'a Link<D>>,
    /// Deformable body of each side; none if it is rigid.
    pub bodies: Vec<[Option<usize>; 2]>,
    pub node_weights: &'a [[NodeWeights; 2]],
    /// Response and axes Q of each deformable body.
    pub flexible: Vec<(&'a Response<D>, Mat<D>)>,
}

/// The contacts on each deformable body.
fn members<const D: usize>(parts: &Parts<'_, D>) -> Vec<Vec<Member>> {
    let mut members = vec![Vec::new(); parts.flexible.len()];
    for (a, bodies) in parts.bodies.iter().enumerate() {
        for (side, body) in bodies.iter().enumerate() {
            if let Some(body) = body {
                members[*body].push(Member { contact: a as u32, side });
            }
        }
    }
    members
}

/// B, with the free velocities of the deformable sides.
pub(super) fn stored<const D: usize>(parts: &Parts<'_, D>, free: Vec<Vect<D>>) -> Stored<D>
where
    Space<D>: Ambient<D>,
{
    let members = members(parts);
    // The pattern: neighbours of a contact are all contacts on its two bodies.
    let mut starts = vec![0];
    let mut columns: Vec<u32> = Vec::new();
    for (a, bodies) in parts.bodies.iter().enumerate() {
        let [first, second] = bodies.map(|body| body.map_or(&[][..], |body| members[body].as_slice()));
        merge(first, second, a as u32, &mut columns);
        starts.push(columns.len());
    }
    let frames: Vec<[Mat<D>; 2]> = (0..parts.links.len()).map(|a| frames(parts, a)).collect();
    let mut blocks = vec![Mat::zeros(); columns.len()];
    let mut own = vec![Mat::zeros(); parts.links.len()];
    let mut rows = Vec::with_capacity(parts.links.len());
    let mut rest = blocks.as_mut_slice();
    for (a, own) in own.iter_mut().enumerate() {
        let (blocks, others) = rest.split_at_mut(starts[a + 1] - starts[a]);
        rows.push(Row { contact: a as u32, columns: &columns[starts[a]..starts[a + 1]], blocks, own });
        rest = others;
    }
    // One triangle, if the other is its mirror image.
    let is_symmetric = !parts.flexible.iter().any(|(response, _)| response.w_is_unsymmetric());
    let fill = |pushed: &mut Vec<f64>, row: &mut Row<'_, D>| {
        let first = if is_symmetric { row.contact } else { 0 };
        wide(
            #[inline(always)]
            || row.fill(first, parts, &members, &frames, pushed),
        );
    };
    if rayon::current_num_threads() > 1 && rows.len() >= SHARED {
        rows.par_iter_mut().with_min_len(CHUNK).for_each_init(Vec::new, fill);
    } else {
        let mut pushed = Vec::new();
        rows.iter_mut().for_each(|row| fill(&mut pushed, row));
    }
    if is_symmetric {
        mirror(&starts, &columns, &mut blocks);
    }
    Stored::from_rows(starts, columns, blocks, own, free)
}

/// B_βα = B_αβᵀ for β > α. Row by row, the blocks that a later row lacks come in the order in which it has them.
fn mirror<const D: usize>(starts: &[usize], columns: &[u32], blocks: &mut [Mat<D>]) {
    let mut next = starts.to_vec();
    for a in 0..starts.len() - 1 {
        for k in next[a]..starts[a + 1] {
            let place = &mut next[columns[k] as usize];
            blocks[*place] = blocks[k].transpose();
            *place += 1;
        }
    }
}

/// Frames of the two sides of a contact with the sign of the side, axes of the body; zero where it is rigid.
fn frames<const D: usize>(parts: &Parts<'_, D>, a: usize) -> [Mat<D>; 2] {
    std::array::from_fn(|side| match parts.bodies[a][side] {
        Some(body) => parts.flexible[body].1.tr_mul(&parts.links[a].frame) * sign(side),
        None => Mat::zeros(),
    })
}

/// Appends the contacts of two bodies but `own`, ascending as both lists are, each once.
fn merge(first: &[Member], second: &[Member], own: u32, columns: &mut Vec<u32>) {
    let (mut i, mut j) = (0, 0);
    let at = |list: &[Member], i: usize| list.get(i).map_or(u32::MAX, |m| m.contact);
    while i < first.len() || j < second.len() {
        let (a, b) = (at(first, i), at(second, j));
        let next = a.min(b);
        // A body in contact with itself has the contact twice.
        while at(first, i) == next && i < first.len() {
            i += 1;
        }
        while at(second, j) == next && j < second.len() {
            j += 1;
        }
        if next != own {
            columns.push(next);
        }
    }
}

/// A row of B being filled.
struct Row<'a, const D: usize> {
    contact: u32,
    columns: &'a [u32],
    blocks: &'a mut [Mat<D>],
    own: &'a mut Mat<D>,
}

impl<const D: usize> Row<'_, D> {
    /// B_αβ of the contacts β ≥ `first` on the bodies of α. M̂⁻¹ is symmetric: the velocities by unit impulses at α are what unit impulses elsewhere
    /// make of α. Impulses at nodes without mass count by their share.
    #[inline(always)]
    fn fill(
        &mut self,
        first: u32,
        parts: &Parts<'_, D>,
        members: &[Vec<Member>],
        frames: &[[Mat<D>; 2]],
        pushed: &mut Vec<f64>,
    ) where
        Space<D>: Ambient<D>,
    {
        let a = self.contact as usize;
        for (side, body) in parts.bodies[a].iter().enumerate() {
            let Some(body) = *body else { continue };
            let response = parts.flexible[body].0;
            push(response, &parts.node_weights[a][side], pushed);
            let of_node = |n: u32| Mat::<D>::from_column_slice(&pushed[D * D * response.slot(n)..][..D * D]);
            // Members come in ascending order, as the columns do: nothing has to be searched for.
            let mut cursor = 0;
            let members = &members[body];
            for pushing in &members[members.partition_point(|m| m.contact < first)..] {
                let hold = &parts.node_weights[pushing.contact as usize][pushing.side];
                let at_point = hold.iter().fold(Mat::zeros(), |v, (n, w)| v + of_node(n) * (w * response.share(n)));
                let block = at_point * frames[a][side];
                let block = block.tr_mul(&frames[pushing.contact as usize][pushing.side]);
                if pushing.contact == self.contact {
                    *self.own += block;
                    continue;
                }
                while self.columns[cursor] < pushing.contact {
                    cursor += 1;
                }
                self.blocks[cursor] += block;
            }
        }
    }
}

fn sign(side: usize) -> f64 {
    if side == 0 { 1.0 } else { -1.0 }
}

/// Velocities of the nodes of the boundary, slot by slot, by unit impulses on a held point.
#[inline(always)]
fn push<const D: usize>(response: &Response<D>, hold: &NodeWeights, pushed: &mut Vec<f64>)
where
    Space<D>: Ambient<D>,
{
    pushed.clear();
    pushed.resize(D * D * response.slot_count(), 0.0);
    let column = |i: usize| response.column(hold.nodes[i]);
    let weight = |i: usize| hold.weights[i];
    let count = usize::from(hold.count);
    let mut first = 0;
    if count >= 4 {
        // Four nodes, those of a quadrilateral, in one pass.
        let weights: [f64; 4] = std::array::from_fn(weight);
        let four = column(0).iter().zip(column(1)).zip(column(2).iter().zip(column(3)));
        for (sum, ((a, b), (c, d))) in pushed.iter_mut().zip(four) {
            *sum = (a * weights[0] + b * weights[1]) + (c * weights[2] + d * weights[3]);
        }
        first = 4;
    }
    for i in first..count {
        let weight = weight(i);
        pushed.iter_mut().zip(column(i)).for_each(|(sum, v)| *sum += v * weight);
    }
}
