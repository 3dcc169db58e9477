//! The local problem: for each contact its frame, arms, law in normal form and starting impulse.

use super::joints::{self, Bonded};
use super::{Workspace, deform};
use crate::body::Body;
use crate::contact::{Contact, Memory, Reaction};
use crate::law::{Approach, Trial};
use crate::scene::Scene;
use crate::shape::Shape;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use cairn_solvers::problem::{GROUND, Link};
use cairn_solvers::rolling::Roll;
use nalgebra::Vector3;

/// Which velocities of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At its start, in the shifted configuration.
    Before,
    /// Without reactions; for rigid bodies to be asked for before the contacts are solved.
    Free,
    /// At its end.
    Solved,
}

impl<const D: usize> Workspace<D>
where
    Space<D>: Ambient<D>,
{
    /// Velocity of the point where contact `i` holds its candidate (side 0) or antagonist (side 1), world axes.
    pub(super) fn point_velocity(&self, i: usize, side: usize, arm: &Vect<D>, when: When) -> Vect<D> {
        let body = self.contacts[i].bodies[side] as usize;
        let Some(k) = body.checked_sub(self.shifted.len()) else {
            let (velocity, spin) = if when == When::Before { self.before[body] } else { self.solved(body as u32) };
            return velocity + Space::<D>::swing(&spin, arm);
        };
        let tissue = &self.deform.bodies[k];
        let nodal = match when {
            When::Before => &tissue.before,
            When::Free => &tissue.free,
            When::Solved => &tissue.velocity,
        };
        deform::held_velocity(&self.deform.touched.hold(i)[side], nodal)
    }
}

/// Fills `links`, in the order of `contacts`.
pub(super) fn links<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    remembered: &[Option<&Reaction<D>>],
    h: f64,
    work: &mut Workspace<D>,
) where
    Space<D>: Ambient<D>,
{
    // Impulses grow with the step: a halved step starts from half of them.
    let growth = if state.last_step > 0.0 { h / state.last_step } else { 0.0 };
    let has_bonds = scene.has_bonds();
    work.links.clear();
    work.bonded.clear();
    work.rolls.clear();
    let mut repair = std::mem::take(&mut work.repair);
    repair.begin(scene, state, h);
    // What overlaps before anything has moved is how the scene is meant.
    let is_first = state.last_step == 0.0;
    for (i, (contact, memory)) in work.contacts.iter().zip(remembered).enumerate() {
        let frame = Space::<D>::frame(&contact.touch.normal);
        let arms = arms(scene, contact, &work.shifted);
        let velocity = |side: usize, when: When| work.point_velocity(i, side, &arms[side], when);
        let free = [velocity(0, When::Free), velocity(1, When::Free)];
        let memory_of_law = if has_bonds { joints::recall(scene, state, contact, *memory) } else { Memory::default() };
        let law = &scene.laws[contact.law as usize];
        let repaired = repair.bias((contact, law), &frame, *memory, (h, is_first));
        let approach = Approach {
            h,
            scheme: [scene.time.theta, scene.time.xi],
            gap: contact.touch.gap,
            area: contact.touch.area,
            bond: memory_of_law.bond,
            jump: memory_of_law.jump,
            damage: memory_of_law.damage,
            before: frame.tr_mul(&(velocity(0, When::Before) - velocity(1, When::Before))),
            free: frame.tr_mul(&(free[0] - free[1])),
            status: memory.as_ref().map(|m| m.status).unwrap_or_default(),
            is_deformable: contact.bodies.iter().any(|&b| b as usize >= scene.bodies.len()),
        };
        let trial = Trial { bond: approach.bond, damage: approach.damage };
        let mut form = law.prepare(&approach, &trial);
        if !form.joint.is_some() {
            form.bias += repaired;
        }
        // To the solver an obstacle is ground at rest: its velocity goes into the bias.
        let mut masses = contact.bodies;
        let mut obstacle = Vect::zeros();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            match scene.bodies.get(contact.bodies[side] as usize) {
                None => masses[side] = GROUND,
                Some(body) if body.is_obstacle() => {
                    obstacle += frame.tr_mul(&free[side]) * sign;
                    masses[side] = GROUND;
                }
                Some(_) => {}
            }
        }
        form.bias += obstacle;
        if has_bonds {
            work.bonded.push(Bonded { approach, trial, obstacle, energy: memory_of_law.energy });
        }
        let rolling = &law.rolling;
        // Facets of meshes do not turn: the moment acts on the rigid side alone.
        if rolling.resists() && masses != [GROUND; 2] {
            let bias = obstacle_spin(scene, contact, work);
            let arms = [rolling.rolling, rolling.twisting];
            let moment = memory.as_ref().map_or_else(Vect::zeros, |m| m.memory().moment * growth);
            work.rolls.push(Roll { link: i, arms, bias, moment });
        }
        let impulse = memory.as_ref().map_or_else(Vect::zeros, |m| frame.tr_mul(&m.impulse) * growth);
        work.links.push(Link { masses, frame, arms, form, impulse, velocity: Vect::zeros() });
    }
    work.repair = repair;
}

/// The part of the relative spin that obstacles have, which are ground at rest to the solver.
fn obstacle_spin<const D: usize>(scene: &Scene<D>, contact: &Contact<D>, work: &Workspace<D>) -> Vector3<f64>
where
    Space<D>: Ambient<D>,
{
    let mut spin = Vector3::zeros();
    for (&body, sign) in contact.bodies.iter().zip([1.0, -1.0]) {
        if scene.bodies.get(body as usize).is_some_and(Body::is_obstacle) {
            spin += work.masses[body as usize].spin * sign;
        }
    }
    spin
}

/// From each rigid body's centre to the contact point. For a ball exactly along the normal, so that its own frictionless
/// contacts never turn it.
fn arms<const D: usize>(scene: &Scene<D>, contact: &Contact<D>, shifted: &[crate::space::Placement<D>]) -> [Vect<D>; 2]
where
    Space<D>: Ambient<D>,
{
    contact.bodies.map(|b| {
        let Some(body) = scene.bodies.get(b as usize) else { return Vect::zeros() };
        let arm = contact.touch.point - shifted[b as usize].centre;
        let is_ball = body.parts.1 == 1 && matches!(scene.parts[body.parts.0 as usize].shape, Shape::Ball(_));
        if is_ball { contact.touch.normal * arm.dot(&contact.touch.normal) } else { arm }
    })
}
