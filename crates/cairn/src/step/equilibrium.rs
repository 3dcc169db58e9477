//! How far a step was from equilibrium: the out-of-balance force relative to the loads.
//!
//!   e = Σ max(|M Δv|, |M v(i+1)|) / Σ |h P|,     Δv = v(i+1) − v(i),
//!
//! over bodies and their free components, h P being the impulse of weight and other loads in the step. |M Δv|/h is the force that
//! nothing balances; |M v|/h is the force that would stop the motion within one step, so that a swing through the position of
//! equilibrium does not count. With velocity cancelling both are the same. Moments count with the radius of gyration as their
//! arm. Without loads the contact impulses are the scale.

use super::Workspace;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::State;

/// e of the step that is about to be committed.
pub(super) fn out_of_balance<const D: usize>(scene: &Scene<D>, state: &State<D>, h: f64, work: &Workspace<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let (mut unbalanced, mut loads) = (0.0, 0.0);
    let weight = scene.steady_gravity() * h;
    for (i, body) in scene.bodies.iter().enumerate().filter(|(_, b)| b.mass.is_finite()) {
        let (before, after) = (&state.motions[i], &work.next[i]);
        let free = |v: &Vect<D>| Vect::<D>::from_fn(|k, _| if body.held[k] { 0.0 } else { v[k] }).norm();
        let momentum = |spin: &Spin<D>| {
            let mut momentum = Space::<D>::momentum(&body.moments, &after.place.turn, spin);
            let held = body.held[D..].iter();
            Space::<D>::spin_slice_mut(&mut momentum)
                .iter_mut()
                .zip(held)
                .filter(|(_, h)| **h)
                .for_each(|(m, _)| *m = 0.0);
            Space::<D>::spin_dot(&momentum, &momentum).sqrt()
        };
        let largest = Space::<D>::moments_slice(&body.moments).iter().copied().fold(0.0, f64::max);
        let arm = (largest / body.mass).sqrt();
        let turns = arm > 0.0 && arm.is_finite() && body.held[D..D + Space::<D>::SPINS].iter().any(|held| !held);
        let moving = body.mass * free(&(after.velocity - before.velocity)).max(free(&after.velocity));
        unbalanced += moving;
        if turns {
            unbalanced += momentum(&(after.spin - before.spin)).max(momentum(&after.spin)) / arm;
        }
        loads += free(&(weight * body.mass + work.external[i].0));
    }
    for (k, body) in scene.flexibles.iter().enumerate() {
        let iterate = &work.deform.bodies[k];
        let (mut change, mut rest, mut load) = (0.0, 0.0, 0.0);
        for (n, share) in body.model.shares.iter().enumerate() {
            let at =
                |nodal: &[f64]| Vect::<D>::from_fn(|c, _| if iterate.held[D * n + c] { 0.0 } else { nodal[D * n + c] });
            let (v, before) = (at(&iterate.velocity), at(&iterate.before));
            change += share * (v - before).norm();
            rest += share * v.norm();
            load += at(&iterate.external).norm();
        }
        unbalanced += f64::max(change, rest);
        loads += load;
    }
    if loads == 0.0 {
        loads = work.links.iter().map(|link| link.impulse.norm()).sum();
    }
    if unbalanced == 0.0 { 0.0 } else { unbalanced / loads }
}
