//! The shifted configuration q̃ = q(i) + (1−θ) h v(i), and how far each part looks for contacts.

use super::cell::Moving;
use super::{Workspace, sweep};
use crate::body::{Body, Motion};
use crate::scene::Scene;
use crate::space::{Ambient, Placement, Space, Spin};
use crate::state::State;
use crate::threads;

/// Part of its own size that a part looks around itself even at rest, so that touching neighbours stay in the list.
const SKIN: f64 = 0.01;
/// Bound, in sizes, of how far a part looks because *others* are fast: what strikes it may push it on.
const PUSHED_REACH: f64 = 0.5;

/// Moves a body freely for `dt`: the centre straight on, the orientation at constant angular momentum.
pub(super) fn drift<const D: usize>(body: &Body<D>, motion: &Motion<D>, dt: f64) -> Placement<D>
where
    Space<D>: Ambient<D>,
{
    let centre = motion.place.centre + motion.velocity * dt;
    let turn = if turns_freely(body) && !Space::<D>::is_isotropic(&body.moments) {
        let momentum = Space::<D>::momentum(&body.moments, &motion.place.turn, &motion.spin);
        Space::<D>::drift(&body.moments, &motion.place.turn, &momentum, dt)
    } else if motion.spin == Spin::<D>::default() {
        motion.place.turn
    } else {
        Space::<D>::compose(&Space::<D>::turn_by(&(motion.spin * dt)), &motion.place.turn)
    };
    Placement { centre, turn }
}

/// No component of the rotation is held or driven.
pub(super) fn turns_freely<const D: usize>(body: &Body<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    !body.held[D..D + Space::<D>::SPINS].iter().any(|&h| h)
}

/// The spin that a body has in another orientation with the same angular momentum.
pub(super) fn respun<const D: usize>(body: &Body<D>, motion: &Motion<D>, place: &Placement<D>) -> Spin<D>
where
    Space<D>: Ambient<D>,
{
    if !turns_freely(body) || Space::<D>::is_isotropic(&body.moments) {
        return motion.spin;
    }
    let momentum = Space::<D>::momentum(&body.moments, &motion.place.turn, &motion.spin);
    Space::<D>::spin_of(&body.moments, &place.turn, &momentum)
}

/// Fills `shifted`, `places`, `before` and `reach`.
pub(super) fn shift<const D: usize>(scene: &Scene<D>, state: &State<D>, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let dt = (1.0 - scene.time.theta) * h;
    work.cell = Moving::of(scene, state, h).map(Box::new);
    threads::fill(&mut work.shifted, scene.bodies.len(), |i| drift(&scene.bodies[i], &state.motions[i], dt));
    sweep::hold_back(scene, state, dt, work);
    let Workspace { shifted, before, places, .. } = work;
    threads::fill(before, scene.bodies.len(), |i| {
        let (body, motion) = (&scene.bodies[i], &state.motions[i]);
        (motion.velocity, respun(body, motion, &shifted[i]))
    });
    threads::fill(places, scene.parts.len(), |p| {
        let part = &scene.parts[p];
        let body = &shifted[part.body as usize];
        if part.local == Placement::identity() { *body } else { body.then(&part.local) }
    });
    reach(scene, h, work);
}

/// A part can close at most the distance that it, or what strikes it, travels in the step: by its own velocity and its own loads. A lid that
/// is pressed hard looks far, the grains below it no farther than a part of their size.
fn reach<const D: usize>(scene: &Scene<D>, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let kick = work.cell.as_deref().map_or(0.0, Moving::largest_kick);
    scene.accelerations(&mut work.accelerations);
    let (before, pushed, accelerations) = (&work.before, &work.sweep.pushed, &work.accelerations);
    let (cell, shifted) = (&work.cell, &work.shifted);
    threads::fill(&mut work.reach, scene.parts.len(), |p| {
        let part = &scene.parts[p];
        let (velocity, spin) = &before[part.body as usize];
        let arm = if part.radius.is_finite() { part.radius + part.local.centre.norm() } else { 0.0 };
        let fall = h * accelerations[part.body as usize] + kick;
        let pushed = pushed.get(part.body as usize).copied().unwrap_or(0.0);
        let centre = &shifted[part.body as usize].centre;
        let speed = cell.as_ref().map_or_else(|| velocity.norm(), |cell| cell.seen(centre, velocity).norm());
        h * (speed + Space::<D>::spin_dot(spin, spin).sqrt() * arm + fall).max(pushed)
    });
    let farthest = work.reach.iter().copied().fold(0.0, f64::max);
    let bond = scene.longest_bond();
    threads::over_chunks(&mut work.reach, |first, reaches| {
        for (part, reach) in scene.parts[first..].iter().zip(reaches) {
            if part.radius.is_finite() {
                *reach = bond + SKIN * part.radius + reach.max(farthest.min(PUSHED_REACH * part.radius));
            }
        }
    });
}
