//! From the solved velocities to the next state.

use super::shift::{drift, respun};
use super::{StepError, Workspace, servo};
use crate::body::Motion;
use crate::contact::{Memory, Status};
use crate::measure;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::State;
use crate::threads;
use cairn_solvers::problem::Link;

/// v(i+1) from the masses, q(i+1) = q̃ + θ h v(i+1), into `next`.
pub(super) fn next_motions<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    h: f64,
    work: &mut Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let mut next = std::mem::take(&mut work.next);
    threads::fill(&mut next, scene.bodies.len(), |i| {
        let (body, kicked) = (&scene.bodies[i], work.kicked(i));
        let place = drift(body, &kicked, scene.time.theta * h);
        Motion { place, velocity: kicked.velocity, spin: respun(body, &kicked, &place) }
    });
    work.next = next;
    let Some(i) = work.next.iter().position(|motion| !is_sensible(motion)) else { return Ok(()) };
    let (body, step, speed) = (scene.body_name(i as u32), state.step + 1, work.next[i].velocity.norm());
    Err(if is_finite(&work.next[i]) {
        StepError::TooFast { body, step, speed }
    } else {
        StepError::NotFinite { body, step }
    })
}

impl<const D: usize> Workspace<D>
where
    Space<D>: Ambient<D>,
{
    /// A body right after the impulses, still in the shifted configuration.
    pub(super) fn kicked(&self, body: usize) -> Motion<D> {
        let (velocity, spin) = self.solved(body as u32);
        Motion { place: self.shifted[body], velocity, spin }
    }

    /// The solved velocity and spin of a body.
    pub(super) fn solved(&self, body: u32) -> (Vect<D>, Spin<D>) {
        let mass = &self.masses[body as usize];
        (mass.velocity, Space::<D>::lower_spin(mass.spin.as_ref()))
    }
}

/// Finite, and no faster than light [m/s]: what is faster comes from numbers that mean nothing, and goes on to destroy all others.
fn is_sensible<const D: usize>(motion: &Motion<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    const LIGHT: f64 = 299_792_458.0;
    is_finite(motion) && motion.velocity.norm_squared() <= LIGHT * LIGHT
}

/// Squares too, so that energies stay numbers.
fn is_finite<const D: usize>(motion: &Motion<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    motion.place.centre.norm_squared().is_finite()
        && motion.velocity.norm_squared().is_finite()
        && Space::<D>::spin_dot(&motion.spin, &motion.spin).is_finite()
}

/// Makes the step final: motions and nodal fields. (The contacts with their impulses are final already.)
pub(super) fn commit<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    state.last_step = h;
    state.time += h;
    for roll in &work.rolls {
        let reaction = &mut state.reactions[roll.link];
        reaction.remember(Memory { moment: roll.moment, ..reaction.memory() });
    }
    std::mem::swap(&mut state.motions, &mut work.next);
    work.deform.commit(&mut state.fields);
    servo::commit(scene, state, h, work);
    if scene.time.cancel_velocities {
        cancel_velocities(scene, state);
    }
}

/// Open, stick or slip: by the share of the impulse that obeys Signorini–Coulomb.
pub(super) fn status<const D: usize>(link: &Link<D>) -> Status {
    if link.form.joint.bilateral {
        return Status::Stick;
    }
    if !link.form.joint.is_some() {
        return Status::of(&link.impulse, link.form.friction);
    }
    Status::of(&link.form.reduced(&link.impulse, &(link.velocity + link.form.bias)).0, link.form.friction)
}

/// Quasi-statics: all that moves stops, and what it had has its own place in the account. Driven bodies keep their velocity.
fn cancel_velocities<const D: usize>(scene: &Scene<D>, state: &mut State<D>)
where
    Space<D>: Ambient<D>,
{
    let before = measure::kinetic_energy(scene, &state.motions, &state.fields);
    for (body, motion) in scene.bodies.iter().zip(&mut state.motions) {
        if !body.is_obstacle() {
            motion.velocity = Vect::zeros();
            motion.spin = Spin::<D>::default();
        }
    }
    state.fields.iter_mut().for_each(|field| field.velocity.fill(0.0));
    state.ledger.cancelled += before - measure::kinetic_energy(scene, &state.motions, &state.fields);
}
