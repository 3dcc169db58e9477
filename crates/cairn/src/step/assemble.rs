//! The local problem: for each contact its frame, arms, law in normal form and starting impulse.

use super::Workspace;
use crate::contact::Contact;
use crate::detect::Remembered;
use crate::law::Approach;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::State;
use cairn_solvers::problem::{GROUND, Link};

/// Velocity of the candidate's point relative to the antagonist's, world axes.
pub(super) fn relative_velocity<const D: usize>(
    arms: &[Vect<D>; 2],
    candidate: &(Vect<D>, Spin<D>),
    antagonist: &(Vect<D>, Spin<D>),
) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    candidate.0 + Space::<D>::swing(&candidate.1, &arms[0]) - antagonist.0 - Space::<D>::swing(&antagonist.1, &arms[1])
}

/// Fills `links`, in the order of `contacts`.
pub(super) fn links<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    remembered: &[Option<Remembered<D>>],
    h: f64,
    work: &mut Workspace<D>,
) where
    Space<D>: Ambient<D>,
{
    // Impulses grow with the step: a halved step starts from half of them.
    let growth = if state.last_step > 0.0 { h / state.last_step } else { 0.0 };
    work.links.clear();
    for (contact, memory) in work.contacts.iter().zip(remembered) {
        let [a, b] = contact.bodies;
        let frame = Space::<D>::frame(&contact.touch.normal);
        let arms = arms(scene, contact, &work.shifted);
        // Not solved yet: these are the free velocities.
        let (free_a, free_b) = (work.solved(a), work.solved(b));
        let before = relative_velocity(&arms, &work.before[a as usize], &work.before[b as usize]);
        let approach = Approach {
            h,
            gap: contact.touch.gap,
            before: frame.tr_mul(&before),
            free: frame.tr_mul(&relative_velocity(&arms, &free_a, &free_b)),
            status: memory.as_ref().map(|m| m.status).unwrap_or_default(),
        };
        let mut form = scene.laws[contact.law as usize].prepare(&approach);
        // To the solver an obstacle is ground at rest: its velocity goes into the bias.
        let mut masses = [a, b];
        let at_rest = (Vect::zeros(), Spin::<D>::default());
        if scene.bodies[a as usize].is_obstacle() {
            form.bias += frame.tr_mul(&relative_velocity(&arms, &free_a, &at_rest));
            masses[0] = GROUND;
        }
        if scene.bodies[b as usize].is_obstacle() {
            form.bias += frame.tr_mul(&relative_velocity(&arms, &at_rest, &free_b));
            masses[1] = GROUND;
        }
        let impulse = memory.as_ref().map_or_else(Vect::zeros, |m| frame.tr_mul(&m.impulse) * growth);
        work.links.push(Link { masses, frame, arms, form, impulse, velocity: Vect::zeros() });
    }
}

/// From each body's centre to the contact point. For a ball exactly along the normal, so that its own frictionless
/// contacts never turn it.
fn arms<const D: usize>(scene: &Scene<D>, contact: &Contact<D>, shifted: &[crate::space::Placement<D>]) -> [Vect<D>; 2]
where
    Space<D>: Ambient<D>,
{
    contact.bodies.map(|b| {
        let arm = contact.touch.point - shifted[b as usize].centre;
        let body = &scene.bodies[b as usize];
        let is_ball = body.parts.1 == 1 && matches!(scene.parts[body.parts.0 as usize].shape, Shape::Ball(_));
        if is_ball { contact.touch.normal * arm.dot(&contact.touch.normal) } else { arm }
    })
}
