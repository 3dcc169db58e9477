//! Slip along a fault, point by point.
//!
//! A fault is a pair of bodies that touch along a face, or a cut in one body; its points are those where they touch at the start. A point is now at x_A on one
//! body and at x_B on the other, and has slipped by s = t t·(x_A − x_B), t along the face as it lies now. It slides by ṡ, the velocity
//! along s of the contact that has its key in the last step.

use super::joint::{Bodies, TOUCHING, ordered};
use crate::contact::Contact;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;

/// A point of a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip {
    /// The bodies, the lower number first.
    pub bodies: [u32; 2],
    /// How far below the highest point of the fault it was at the start, along gravity, else along the last axis [m].
    pub depth: f64,
    /// Slip since the start [m].
    pub slip: f64,
    /// Sliding velocity, positive where the slip grows [m/s]; none where the point touches no more.
    pub rate: Option<f64>,
}

/// All points of faults by their bodies, the highest first; `start` are the contacts where the scene puts the bodies.
pub fn slips<const D: usize>(scene: &Scene<D>, start: &[Contact<D>], state: &State<D>) -> Vec<Slip>
where
    Space<D>: Ambient<D>,
{
    let bodies = Bodies::new(scene, state);
    let down = downwards(scene);
    let of_contact = |contact: &Contact<D>| {
        let (pair, normal) = ordered(contact);
        let size = f64::min(bodies.size(pair[0]), bodies.size(pair[1]));
        let is_part = contact.touch.gap <= TOUCHING * size;
        is_part.then(|| {
            let [a, b] = bodies.moved_sides(contact, pair);
            let found = state.reactions.binary_search_by_key(&contact.key, |r| r.contact.key);
            let reaction = found.ok().map(|i| &state.reactions[i]);
            let normal = reaction.map_or_else(|| bodies.turned(pair[1], &normal), |r| ordered(&r.contact).1);
            let along = |x: Vect<D>| x - normal * x.dot(&normal);
            let slip = along(a - b);
            let rate = reaction.map(|r| {
                let sign = if r.contact.bodies == pair { 1.0 } else { -1.0 };
                let velocity = along(r.velocity * sign);
                if slip.norm() > 0.0 { velocity.dot(&slip) / slip.norm() } else { velocity.norm() }
            });
            Slip { bodies: pair, depth: contact.touch.point.dot(&down), slip: slip.norm(), rate }
        })
    };
    let mut points: Vec<Slip> = start.iter().filter_map(of_contact).collect();
    points.sort_by(|a, b| a.bodies.cmp(&b.bodies).then(a.depth.total_cmp(&b.depth)));
    for fault in points.chunk_by_mut(|a, b| a.bodies == b.bodies) {
        let top = fault[0].depth;
        fault.iter_mut().for_each(|point| point.depth -= top);
    }
    points
}

fn downwards<const D: usize>(scene: &Scene<D>) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let mut down = Vect::zeros();
    down[D - 1] = -1.0;
    if gravity.norm() > 0.0 { gravity.normalize() } else { down }
}
