//! The energy account of a step. With v̄ = ½(v(i) + v(i+1)) the kinetic energy changes by exactly
//!
//!   ΔE_k = Σ (h m g + h P_θ)·v̄ + Σ R·Ū + (work of what is driven),     Ū = ½(U⁻ + U⁺)
//!
//! in which R_N Ū_N ≤ 0 is lost in shocks, R_T·Ū_T in friction and M·Ω̄ of resisting moments in rolling. Gravity's potential falls by m g·Δq with
//! Δq = h(θ v(i+1) + (1−θ) v(i)): the difference to h m g·v̄ is what the scheme dissipates, 0 for θ = ½.

use super::Workspace;
use super::advance::status;
use super::assemble::When;
use crate::body::Motion;
use crate::contact::{Anchor, Memory, Reaction};
use crate::measure;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::State;
use cairn_solvers::problem::Link;

type Velocity<const D: usize> = (Vect<D>, Spin<D>);

/// What one pass over the contacts finds beside their reactions.
#[derive(Default)]
pub(super) struct Posted {
    /// Work of the joints [J].
    pub worked: f64,
    /// Contacts with a reaction.
    pub active: usize,
    /// Worst penetration [m].
    pub penetration: f64,
}

/// Posts the work of loads, drives and contacts, and keeps the reactions, still without what laws remember. To be called when the masses
/// are solved and the motions are still old.
pub(super) fn post_impulses<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    h: f64,
    work: &Workspace<D>,
) -> Posted
where
    Space<D>: Ambient<D>,
{
    post_loads(scene, state, h, work);
    let mut posted = Posted::default();
    let mut on_partly_held = vec![(Vect::<D>::zeros(), Spin::<D>::default()); partly_held_slots(scene)];
    state.reactions.clear();
    for (i, (contact, link)) in work.contacts.iter().zip(&work.links).enumerate() {
        let velocity = |side: usize, when: When| work.point_velocity(i, side, &link.arms[side], when);
        let solved = [velocity(0, When::Solved), velocity(1, When::Solved)];
        let impulse = link.frame * link.impulse;
        state.reactions.push(Reaction {
            contact: *contact,
            impulse,
            velocity: solved[0] - solved[1],
            status: status(link),
            memory: Memory::default(),
            anchor: Anchor::default(),
        });
        posted.penetration = posted.penetration.max(-contact.touch.gap);
        if link.impulse == Vect::<D>::zeros() {
            continue;
        }
        posted.active += 1;
        let [a, b] = contact.bodies;
        let mean_at = |side: usize| (velocity(side, When::Before) + solved[side]) * 0.5;
        let slide = mean_at(0) - mean_at(1);
        if link.form.joint.is_some() {
            posted.worked += post_joint(state, link, &slide);
        } else {
            let normal = link.impulse[0] * contact.touch.normal.dot(&slide);
            state.ledger.shocks -= normal;
            state.ledger.friction -= impulse.dot(&slide) - normal;
        }
        for (side, body) in [(1.0, a), (-1.0, b)] {
            let arm = link.arms[usize::from(side < 0.0)];
            let Some(of_body) = scene.bodies.get(body as usize) else { continue };
            if of_body.is_obstacle() {
                let (velocity, spin) = mean_velocity(work, body as usize);
                let point = velocity + Space::<D>::swing(&spin, &arm);
                state.ledger.work_drives -= side * impulse.dot(&point);
            } else if let Some(sum) = on_partly_held.get_mut(body as usize) {
                sum.0 += impulse * side;
                sum.1 += Space::<D>::moment(&arm, &impulse) * side;
            }
        }
    }
    post_rolling(scene, state, work, &mut on_partly_held);
    if !on_partly_held.is_empty() {
        post_partly_held(scene, state, h, work, &on_partly_held);
    }
    posted
}

/// What moments that resist rolling dissipate: M·Ω̄.
fn post_rolling<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &Workspace<D>,
    on_partly_held: &mut [Velocity<D>],
) where
    Space<D>: Ambient<D>,
{
    for roll in &work.rolls {
        let moment = Space::<D>::lower_spin(roll.moment.as_ref());
        for (&body, side) in work.contacts[roll.link].bodies.iter().zip([1.0, -1.0]) {
            let worked = side * Space::<D>::spin_dot(&moment, &mean_velocity(work, body as usize).1);
            state.ledger.rolling -= worked;
            if scene.bodies[body as usize].is_obstacle() {
                state.ledger.work_drives -= worked;
            } else if let Some(sum) = on_partly_held.get_mut(body as usize) {
                sum.1 += moment * side;
            }
        }
    }
}

/// Shocks and friction of a contact with a joint, from its own share of the impulse; the work of the rest, which the joint
/// stores or dissipates. What a bond that is held stops was a shock.
fn post_joint<const D: usize>(state: &mut State<D>, link: &Link<D>, slide: &Vect<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let slide = link.frame.tr_mul(slide);
    if link.form.joint.held {
        state.ledger.shocks -= link.impulse.dot(&slide);
        return 0.0;
    }
    let (share, _) = link.form.reduced(&link.impulse, &(link.velocity + link.form.bias));
    let normal = share[0] * slide[0];
    state.ledger.friction -= share.dot(&slide) - normal;
    // A contact that gives way is a spring, not a shock.
    let spring = if link.form.joint.compliance > 0.0 { normal } else { 0.0 };
    state.ledger.shocks -= normal - spring;
    (link.impulse - share).dot(&slide) + spring
}

/// v̄ and ω̄ of a body.
fn mean_velocity<const D: usize>(work: &Workspace<D>, body: usize) -> Velocity<D>
where
    Space<D>: Ambient<D>,
{
    let (before, after) = (&work.before[body], work.solved(body as u32));
    ((before.0 + after.0) * 0.5, (before.1 + after.1) * 0.5)
}

fn post_loads<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let excess = (scene.time.theta - 0.5) * h;
    for (i, body) in scene.bodies.iter().enumerate().filter(|(_, b)| b.mass.is_finite()) {
        let (impulse, moment) = &work.external[i];
        let (velocity, spin) = mean_velocity(work, i);
        state.ledger.work_loads += impulse.dot(&velocity) + Space::<D>::spin_dot(moment, &spin);
        let change = work.masses[i].velocity - work.before[i].0;
        state.ledger.scheme += excess * body.mass * gravity.dot(&change);
    }
}

/// As many slots as bodies if one of them is held in some components but not in all; else none are needed.
fn partly_held_slots<const D: usize>(scene: &Scene<D>) -> usize
where
    Space<D>: Ambient<D>,
{
    if scene.bodies.iter().any(is_partly_held) { scene.bodies.len() } else { 0 }
}

fn is_partly_held<const D: usize>(body: &crate::body::Body<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    !body.is_obstacle() && body.held[..D + Space::<D>::SPINS].iter().any(|&h| h)
}

/// What holds or drives some components of a body does the work that is missing from its balance.
fn post_partly_held<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    h: f64,
    work: &Workspace<D>,
    contact_impulses: &[Velocity<D>],
) where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity() * h;
    for (i, body) in scene.bodies.iter().enumerate().filter(|(_, b)| is_partly_held(b)) {
        let (velocity, spin) = work.solved(i as u32);
        let turn = &work.shifted[i].turn;
        let kinetic = |v: &Vect<D>, w: &Spin<D>| {
            0.5 * body.mass * v.norm_squared()
                + 0.5 * Space::<D>::spin_dot(w, &Space::<D>::momentum(&body.moments, turn, w))
        };
        let gained = kinetic(&velocity, &spin) - kinetic(&work.before[i].0, &work.before[i].1);
        let impulse = gravity * body.mass + work.external[i].0 + contact_impulses[i].0;
        let moment = work.external[i].1 + contact_impulses[i].1;
        let (mean, mean_spin) = mean_velocity(work, i);
        state.ledger.work_drives += gained - impulse.dot(&mean) - Space::<D>::spin_dot(&moment, &mean_spin);
    }
}

/// Drifting keeps the angular momentum, and the energy of rotation only up to the scheme.
pub(super) fn post_drift<const D: usize>(scene: &Scene<D>, state: &mut State<D>, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let mut lost = 0.0;
    for (i, body) in scene.bodies.iter().enumerate().filter(|(_, b)| b.mass.is_finite()) {
        if Space::<D>::is_isotropic(&body.moments) {
            continue;
        }
        let energy = |m: &Motion<D>| measure::spin_energy(body, m);
        let kicked = work.kicked(i);
        let shifted = Motion { spin: work.before[i].1, ..kicked };
        lost += energy(&state.motions[i]) - energy(&shifted) + energy(&kicked) - energy(&work.next[i]);
    }
    state.ledger.scheme += lost;
}

/// Updates the scale of the balance: the largest amount that was in the account, or what went through it, if that is
/// more: in every step the loads give bodies at rest a little energy, and the contacts take it out again.
pub(super) fn post_throughput<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity() * h;
    let bodies = scene.bodies.iter().zip(&work.external).filter(|(body, _)| body.mass.is_finite());
    let given: f64 = bodies.map(|(b, (impulse, _))| 0.5 * b.mass * (gravity + impulse / b.mass).norm_squared()).sum();
    let energy = measure::kinetic_energy(scene, &state.motions, &state.fields)
        + measure::potential_energy(scene, &state.motions, &state.fields).abs()
        + work.deform.strain_energy();
    let l = &mut state.ledger;
    let passed = energy
        + l.joints.abs()
        + l.damage.abs()
        + l.work_loads.abs()
        + l.work_drives.abs()
        + l.friction.abs()
        + l.rolling.abs()
        + l.shocks.abs();
    l.throughput = (l.throughput + given).max(passed);
}
