//! The energy account of a step. With v̄ = ½(v(i) + v(i+1)) the kinetic energy changes by exactly
//!
//!   ΔE_k = Σ (h m g + h P_θ)·v̄ + Σ R·Ū + (work of what is driven),     Ū = ½(U⁻ + U⁺)
//!
//! in which R_N Ū_N ≤ 0 is lost in shocks, R_T·Ū_T in friction and M·Ω̄ of resisting moments in rolling. Gravity's potential falls by m g·Δq with
//! Δq = h(θ v(i+1) + (1−θ) v(i)): the difference to h m g·v̄ is what the scheme dissipates, 0 for θ = ½.
//!
//! *Velocity cancelling* sets v(i) to zero after each step, so that v̄ is not what moves the bodies. There v̄ = Δq/h is taken instead, the true
//! displacement: loads, drives and friction work as in a slow test. What is left,
//!
//!   ΔE_k = Σ (…)·v̄ − (θ − ½) Δv·M Δv,
//!
//! and the kinetic energy that is cancelled at the end of the step, are both booked as taken by the cancelling: for θ = 1 the momentum of the
//! step times its displacement.

use super::Workspace;
use super::advance::status;
use super::assemble::When;
use crate::body::Motion;
use crate::contact::{Image, Reaction, Side};
use crate::measure;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::State;
use crate::threads;
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
    threads::fill(&mut state.reactions, work.contacts.len(), |i| {
        let (contact, link) = (work.contacts[i], &work.links[i]);
        let velocity = |side: usize| work.point_velocity(scene, (i, side), &link.arms[side], When::Solved);
        Reaction::new(contact, link.frame * link.impulse, velocity(0) - velocity(1), status(link))
    });
    let has_partly_held = scene.bodies.iter().any(is_partly_held);
    let sums = threads::over_chunks(&mut state.reactions, |first, reactions| {
        let mut sums = Sums::default();
        reactions.iter().enumerate().for_each(|(k, reaction)| {
            sums.add(scene, work, first + k, reaction, has_partly_held);
        });
        sums
    });
    let mut posted = Posted::default();
    let mut on_partly_held =
        vec![(Vect::<D>::zeros(), Spin::<D>::default()); if has_partly_held { scene.bodies.len() } else { 0 }];
    for sum in sums {
        let ledger = &mut state.ledger;
        (ledger.shocks, ledger.friction) = (ledger.shocks + sum.shocks, ledger.friction + sum.friction);
        ledger.work_drives += sum.work_drives;
        posted.worked += sum.posted.worked;
        posted.active += sum.posted.active;
        posted.penetration = posted.penetration.max(sum.posted.penetration);
        for (body, (impulse, moment)) in sum.on_partly_held {
            on_partly_held[body as usize].0 += impulse;
            on_partly_held[body as usize].1 += moment;
        }
    }
    post_rolling(scene, state, work, &mut on_partly_held);
    if has_partly_held {
        post_partly_held(scene, state, h, work, &on_partly_held);
    }
    posted
}

/// What a chunk of the contacts adds.
struct Sums<const D: usize>
where
    Space<D>: Ambient<D>,
{
    posted: Posted,
    shocks: f64,
    friction: f64,
    work_drives: f64,
    /// Impulse and moment on bodies that are held in some components.
    on_partly_held: Vec<(u32, Velocity<D>)>,
}

impl<const D: usize> Default for Sums<D>
where
    Space<D>: Ambient<D>,
{
    fn default() -> Self {
        Self { posted: Posted::default(), shocks: 0.0, friction: 0.0, work_drives: 0.0, on_partly_held: Vec::new() }
    }
}

impl<const D: usize> Sums<D>
where
    Space<D>: Ambient<D>,
{
    /// Adds contact `i`.
    fn add(&mut self, scene: &Scene<D>, work: &Workspace<D>, i: usize, reaction: &Reaction<D>, has_partly_held: bool) {
        let (contact, link, impulse) = (&reaction.contact, &work.links[i], &reaction.impulse);
        self.posted.penetration = self.posted.penetration.max(-contact.touch.gap);
        if link.impulse == Vect::<D>::zeros() {
            return;
        }
        self.posted.active += 1;
        let before = |side: usize| work.point_velocity(scene, (i, side), &link.arms[side], When::Before);
        let weight = mean_weight(scene);
        let slide = (before(0) - before(1)) * (1.0 - weight) + reaction.velocity * weight;
        if link.form.joint.is_some() {
            self.add_joint(link, &slide);
        } else {
            let normal = link.impulse[0] * contact.touch.normal.dot(&slide);
            self.shocks -= normal;
            self.friction -= impulse.dot(&slide) - normal;
        }
        if contact.key.image != Image::HOME {
            // What moves the image of a body, and not the body, is the cell.
            let [before, after] = work.image_velocity(contact.key.image);
            self.work_drives += impulse.dot(&(before * (1.0 - weight) + after * weight));
        }
        for ((&body, arm), sign) in contact.bodies.iter().zip(&link.arms).zip([1.0, -1.0]) {
            let Side::Rigid(index) = scene.side(body) else { continue };
            let of_body = &scene.bodies[index];
            if of_body.is_obstacle() {
                let (velocity, spin) = mean_velocity(scene, work, index);
                let point = velocity + Space::<D>::swing(&spin, arm);
                self.work_drives -= sign * impulse.dot(&point);
            } else if has_partly_held && is_partly_held(of_body) {
                self.on_partly_held.push((body, (impulse * sign, Space::<D>::moment(arm, impulse) * sign)));
            }
        }
    }

    /// Shocks and friction of a contact with a joint, from its own share of the impulse; the work of the rest, which the joint
    /// stores or dissipates. What a bilateral bond stops was a shock.
    fn add_joint(&mut self, link: &Link<D>, slide: &Vect<D>) {
        let slide = link.frame.tr_mul(slide);
        // Springs in all directions: their law says what is lost.
        if link.form.joint.compliance[1] > 0.0 {
            self.posted.worked += link.impulse.dot(&slide);
            return;
        }
        if link.form.joint.bilateral {
            self.shocks -= link.impulse.dot(&slide);
            return;
        }
        let (share, _) = link.form.reduced(&link.impulse, &(link.velocity + link.form.bias));
        let normal = share[0] * slide[0];
        self.friction -= share.dot(&slide) - normal;
        // A contact that gives way is a spring, not a shock.
        let spring = if link.form.joint.compliance[0] > 0.0 { normal } else { 0.0 };
        self.shocks -= normal - spring;
        self.posted.worked += (link.impulse - share).dot(&slide) + spring;
    }
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
        let sides = work.contacts[roll.link].bodies.iter().zip([1.0, -1.0]);
        for (&body, side) in sides.filter(|(body, _)| scene.deformable_of(**body).is_none()) {
            let worked = side * Space::<D>::spin_dot(&moment, &mean_velocity(scene, work, body as usize).1);
            state.ledger.rolling -= worked;
            if scene.bodies[body as usize].is_obstacle() {
                state.ledger.work_drives -= worked;
            } else if let Some(sum) = on_partly_held.get_mut(body as usize) {
                sum.1 += moment * side;
            }
        }
    }
}

/// The part of v(i+1) in v̄.
pub(super) fn mean_weight<const D: usize>(scene: &Scene<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    if scene.time.cancel_velocities { scene.time.theta } else { 0.5 }
}

/// v̄ and ω̄ of a body.
fn mean_velocity<const D: usize>(scene: &Scene<D>, work: &Workspace<D>, body: usize) -> Velocity<D>
where
    Space<D>: Ambient<D>,
{
    let (before, after, weight) = (&work.before[body], work.solved(body as u32), mean_weight(scene));
    (before.0 * (1.0 - weight) + after.0 * weight, before.1 * (1.0 - weight) + after.1 * weight)
}

/// v·M v of a body in the shifted configuration.
fn doubled_energy<const D: usize>(scene: &Scene<D>, work: &Workspace<D>, i: usize, (v, w): &Velocity<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let body = &scene.bodies[i];
    let momentum = Space::<D>::momentum(&body.moments, &work.shifted[i].turn, w);
    body.mass * v.norm_squared() + Space::<D>::spin_dot(w, &momentum)
}

fn post_loads<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let excess = (scene.time.theta - mean_weight(scene)) * h;
    let beyond_middle = mean_weight(scene) - 0.5;
    for (i, body) in scene.bodies.iter().enumerate().filter(|(_, b)| b.mass.is_finite()) {
        let (impulse, moment) = &work.external[i];
        let (velocity, spin) = mean_velocity(scene, work, i);
        state.ledger.work_loads += impulse.dot(&velocity) + Space::<D>::spin_dot(moment, &spin);
        let change = work.masses[i].velocity - work.before[i].0;
        let held_back = work.sweep.held_back.get(i).map_or(0.0, |way| gravity.dot(way));
        if beyond_middle > 0.0 {
            let (velocity, spin) = work.solved(i as u32);
            let change = (velocity - work.before[i].0, spin - work.before[i].1);
            state.ledger.cancelled += beyond_middle * doubled_energy(scene, work, i, &change);
        }
        state.ledger.scheme += body.mass * (excess * gravity.dot(&change) + held_back);
    }
}

/// Is it held in some components, but not in all?
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
        let (before, after) = (work.before[i], work.solved(i as u32));
        let doubled = |velocity: &Velocity<D>| doubled_energy(scene, work, i, velocity);
        let change = (after.0 - before.0, after.1 - before.1);
        let gained = 0.5 * (doubled(&after) - doubled(&before)) + (mean_weight(scene) - 0.5) * doubled(&change);
        let impulse = gravity * body.mass + work.external[i].0 + contact_impulses[i].0;
        let moment = work.external[i].1 + contact_impulses[i].1;
        let (mean, mean_spin) = mean_velocity(scene, work, i);
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
        + l.shocks.abs()
        + l.materials.total()
        + l.cancelled.abs();
    l.throughput = (l.throughput + given).max(passed);
}
