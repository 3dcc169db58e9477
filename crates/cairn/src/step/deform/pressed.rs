//! Bodies under pressure: the matrix that a step of Newton is made with.
//!
//! Alone, a body under pressure is unstable: once h² V p exceeds its inertia, M̂ is not positive definite, and contacts cannot be solved through it.
//! But what presses a body also holds it. With H_A of the contacts with obstacles that carried an impulse in the last iterate (their normals, and
//! their tangents where they stuck),
//!
//! ```text
//!   M̂_A = M̂ + H_A C H_Aᵀ,      C = h²θξ k,  k: stiffness of the nodes that a contact holds
//! ```
//!
//! is positive definite as long as the body is stable as it is held. Where the contacts of A keep their velocities, H_Aᵀ Δv = 0, the step of
//! Newton with M̂_A is that with M̂, and converges as fast. Where even M̂_A is not definite (bodies that press on each other, columns that
//! buckle), initial stress that presses is left out of the tangent, which converges as a geometric series only. This is for elastic materials: in
//! those that remember M̂ may be indefinite because they soften, and what they answer with is taken as it is.

use super::Deform;
use crate::contact::{Reaction, Side, Status};
use crate::detect::mesh::NodeWeights;
use crate::flexible::{Flexible, Kinematics};
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::step::Workspace;
use cairn_sparse::Symmetric;

/// A contact that holds a deformable body against an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold<const D: usize> {
    body: usize,
    nodes: NodeWeights,
    normal: Vect<D>,
    sticks: bool,
}

/// Those of the last iterate, or of the step before if there is none yet.
pub(super) fn holds<const D: usize>(
    scene: &Scene<D>,
    remembered: &[Option<&Reaction<D>>],
    is_first: bool,
    work: &Workspace<D>,
) -> Vec<Hold<D>>
where
    Space<D>: Ambient<D>,
{
    let Workspace { contacts, links, deform: Deform { touched, .. }, .. } = work;
    let mut holds = Vec::new();
    for (&i, nodes) in touched.contacts.iter().zip(&touched.node_weights) {
        let contact = &contacts[i as usize];
        let (side, k) = match contact.bodies.map(|body| scene.side(body)) {
            [Side::Deformable(k), Side::Rigid(b)] if scene.bodies[b].is_obstacle() => (0, k),
            [Side::Rigid(b), Side::Deformable(k)] if scene.bodies[b].is_obstacle() => (1, k),
            _ => continue,
        };
        let status = if is_first {
            remembered[i as usize].map_or(Status::Open, |reaction| reaction.status)
        } else {
            let link = &links[i as usize];
            Status::of(&link.impulse, link.form.friction)
        };
        if status != Status::Open && scene.flexibles[k].kinematics == Kinematics::Finite {
            let sticks = status == Status::Stick;
            holds.push(Hold { body: k, nodes: nodes[side], normal: contact.touch.normal, sticks });
        }
    }
    holds
}

/// Adds H_A k H_Aᵀ of body `k` to its tangent stiffness, axes of the reference mesh; false if nothing holds it.
pub(super) fn add<const D: usize>(k: usize, body: &Flexible<D>, holds: &[Hold<D>], tangent: &mut Symmetric) -> bool
where
    Space<D>: Ambient<D>,
{
    let axes = body.axes(&[]);
    let stiffness = tangent.diagonal();
    let mut is_held = false;
    for hold in holds.iter().filter(|hold| hold.body == k) {
        is_held = true;
        let normal = axes.tr_mul(&hold.normal);
        let all: f64 = hold.nodes.iter().map(|(_, w)| w * w).sum();
        let of_node = |n: u32| stiffness[D * n as usize..D * (n as usize + 1)].iter().map(|k| k.abs()).sum::<f64>();
        let k: f64 = hold.nodes.iter().map(|(n, w)| w.abs() * of_node(n)).sum::<f64>() / (D as f64 * all);
        for (a, w_a) in hold.nodes.iter() {
            for (b, w_b) in hold.nodes.iter() {
                let weight = k * w_a * w_b;
                for (i, j) in (0..D).flat_map(|i| (0..D).map(move |j| (i, j))) {
                    let (row, column) = (D * a as usize + i, D * b as usize + j);
                    let direction = if hold.sticks { f64::from(u8::from(i == j)) } else { normal[i] * normal[j] };
                    if row >= column && direction != 0.0 {
                        let in_one_cell = "nodes that a contact holds are of one cell";
                        tangent.add_entry(row, column, weight * direction).expect(in_one_cell);
                    }
                }
            }
        }
    }
    is_held
}
