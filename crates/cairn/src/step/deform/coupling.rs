//! W for contacts between rigid and deformable bodies: W_αβ = Σ over shared bodies of H_αᵀ M̂⁻¹ H_β, stored by blocks.
//!
//! Body by body: the contacts on it push it one after the other, in each direction of their frames, and the velocities that
//! this gives at the points of the others are the blocks.

use super::response::Response;
use crate::contact::Contact;
use crate::detect::mesh::Hold;
use crate::space::{Ambient, Mat, Space, Vect};
use cairn_solvers::delassus::Stored;
use cairn_solvers::problem::{GROUND, Link, Mass};
use cairn_sparse::wide;
use nalgebra::Vector3;

/// One side of a contact on a body.
#[derive(Clone, Copy, Debug)]
struct Member {
    contact: u32,
    side: usize,
}

/// What W is made from.
pub(super) struct Parts<'a, const D: usize> {
    pub contacts: &'a [Contact<D>],
    pub links: &'a [Link<D>],
    pub holds: &'a [[Hold; 2]],
    pub masses: &'a [Mass<D>],
    /// Response and axes Q of each deformable body.
    pub flexible: Vec<(&'a Response<D>, Mat<D>)>,
}

/// The contacts on each body: rigid bodies first, obstacles have none.
fn members<const D: usize>(parts: &Parts<'_, D>) -> Vec<Vec<Member>> {
    let rigid = parts.masses.len();
    let mut members = vec![Vec::new(); rigid + parts.flexible.len()];
    for (a, (contact, link)) in parts.contacts.iter().zip(parts.links).enumerate() {
        for side in 0..2 {
            let body = contact.bodies[side] as usize;
            if body >= rigid || link.masses[side] != GROUND {
                members[body].push(Member { contact: a as u32, side });
            }
        }
    }
    members
}

/// W with U_free.
pub(super) fn stored<const D: usize>(parts: &Parts<'_, D>, free: Vec<Vect<D>>) -> Stored<D>
where
    Space<D>: Ambient<D>,
{
    let members = members(parts);
    // The pattern: neighbours of a contact are all contacts on its two bodies.
    let mut starts = vec![0];
    let mut columns: Vec<u32> = Vec::new();
    for (a, contact) in parts.contacts.iter().enumerate() {
        let [first, second] = contact.bodies.map(|body| members[body as usize].as_slice());
        merge(first, second, a as u32, &mut columns);
        starts.push(columns.len());
    }
    let mut rows = Rows {
        blocks: vec![Mat::zeros(); columns.len()],
        own: vec![Mat::zeros(); parts.contacts.len()],
        starts,
        columns,
        cursors: Vec::new(),
    };
    let mut pushed: Vec<f64> = Vec::new();
    for (body, members) in members.iter().enumerate().filter(|(_, m)| !m.is_empty()) {
        rows.begin(members);
        match body.checked_sub(parts.masses.len()) {
            None => couple_rigid(&parts.masses[body], members, parts, &mut rows),
            Some(k) => {
                let (response, axes) = &parts.flexible[k];
                wide(
                    #[inline(always)]
                    || couple_flexible(response, axes, members, parts, &mut pushed, &mut rows),
                );
            }
        }
    }
    let Rows { blocks, own, starts, columns, .. } = rows;
    Stored::from_rows(starts, columns, blocks, own, free)
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

/// The rows of W being filled, body by body.
struct Rows<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<Mat<D>>,
    own: Vec<Mat<D>>,
    /// Where the row of each member of the present body is being filled: members are asked for in ascending order, so that
    /// nothing has to be searched for.
    cursors: Vec<usize>,
}

impl<const D: usize> Rows<D> {
    /// A body with these contacts is next.
    fn begin(&mut self, members: &[Member]) {
        self.cursors.clear();
        self.cursors.extend(members.iter().map(|m| self.starts[m.contact as usize]));
    }

    /// Adds to W_αβ, α the contact of member `k` and β = `column`, not before the one that this member was asked for last.
    #[inline(always)]
    fn add(&mut self, k: usize, row: u32, column: u32, block: &Mat<D>) {
        if row == column {
            self.own[row as usize] += block;
            return;
        }
        let cursor = &mut self.cursors[k];
        while self.columns[*cursor] < column {
            *cursor += 1;
        }
        self.blocks[*cursor] += block;
    }
}

fn sign(side: usize) -> f64 {
    if side == 0 { 1.0 } else { -1.0 }
}

/// All blocks of the members of a body. `at(k, l)` is the velocity, world axes, at the point of member k by unit impulses of
/// member l along its frame.
fn couple<const D: usize>(
    members: &[Member],
    links: &[Link<D>],
    at: impl Fn(usize, usize) -> Mat<D>,
    rows: &mut Rows<D>,
) {
    for (l, pushing) in members.iter().enumerate() {
        for (k, moved) in members.iter().enumerate().take(l + 1) {
            let block = links[moved.contact as usize].frame.tr_mul(&at(k, l)) * (sign(moved.side) * sign(pushing.side));
            rows.add(k, moved.contact, pushing.contact, &block);
            if k != l {
                rows.add(l, pushing.contact, moved.contact, &block.transpose());
            }
        }
    }
}

fn couple_rigid<const D: usize>(mass: &Mass<D>, members: &[Member], parts: &Parts<'_, D>, rows: &mut Rows<D>) {
    let arm = |m: &Member| &parts.links[m.contact as usize].arms[m.side];
    let pushed: Vec<[Mass<D>; D]> = members
        .iter()
        .map(|m| {
            let frame = &parts.links[m.contact as usize].frame;
            std::array::from_fn(|j| {
                let mut still = Mass { velocity: Vect::zeros(), spin: Vector3::zeros(), ..*mass };
                still.push(arm(m), &frame.column(j).into());
                still
            })
        })
        .collect();
    let at = |k: usize, l: usize| {
        let columns: [Vect<D>; D] = std::array::from_fn(|j| pushed[l][j].velocity_at(arm(&members[k])));
        Mat::from_columns(&columns)
    };
    couple(members, parts.links, at, rows);
}

#[inline(always)]
fn couple_flexible<const D: usize>(
    response: &Response<D>,
    axes: &Mat<D>,
    members: &[Member],
    parts: &Parts<'_, D>,
    pushed: &mut Vec<f64>,
    rows: &mut Rows<D>,
) where
    Space<D>: Ambient<D>,
{
    let hold = |m: &Member| &parts.holds[m.contact as usize][m.side];
    // Frames with the sign of the side, axes of the body.
    let frame = |m: &Member| axes.transpose() * parts.links[m.contact as usize].frame * sign(m.side);
    let frames: Vec<Mat<D>> = members.iter().map(frame).collect();
    // One triangle, if the other is its mirror image.
    let is_uneven = response.is_uneven();
    for (l, pushing) in members.iter().enumerate() {
        push(response, hold(pushing), pushed);
        let of_node = |n: u32| Mat::<D>::from_column_slice(&pushed[D * D * response.slot(n)..][..D * D]);
        let count = if is_uneven { members.len() } else { l + 1 };
        for (k, moved) in members.iter().enumerate().take(count) {
            let at_point = hold(moved).iter().fold(Mat::zeros(), |v, (n, w)| v + of_node(n) * w);
            let block = frames[k].transpose() * at_point * frames[l];
            rows.add(k, moved.contact, pushing.contact, &block);
            if k != l && !is_uneven {
                rows.add(l, pushing.contact, moved.contact, &block.transpose());
            }
        }
    }
}

/// Velocities of the nodes of the boundary, slot by slot, by unit impulses on a held point.
#[inline(always)]
fn push<const D: usize>(response: &Response<D>, hold: &Hold, pushed: &mut Vec<f64>)
where
    Space<D>: Ambient<D>,
{
    pushed.clear();
    pushed.resize(D * D * response.slot_count(), 0.0);
    let column = |i: usize| response.column(hold.nodes[i]);
    let weight = |i: usize| hold.weights[i] * response.share(hold.nodes[i]);
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
