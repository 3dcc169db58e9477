//! From the solved velocities to the next state.

use super::assemble::{reaction, relative_velocity};
use super::shift::{drift, respun};
use super::{StepError, Workspace};
use crate::body::Motion;
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;

/// v(i+1) from the masses, q(i+1) = q̃ + θ h v(i+1).
pub(super) fn bodies<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    h: f64,
    work: &Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let dt = scene.time.theta * h;
    let mut lost = 0.0;
    for (i, body) in scene.bodies.iter().enumerate() {
        let mass = &work.masses[i];
        let spin = Space::<D>::lower_spin(mass.spin.as_ref());
        let kicked = Motion { place: work.shifted[i], velocity: mass.velocity, spin };
        let place = drift(body, &kicked, dt);
        let next = Motion { place, velocity: mass.velocity, spin: respun(body, &kicked, &place) };
        if !is_finite(&next) {
            return Err(StepError::NotFinite { body: scene.body_name(i as u32), step: state.step + 1 });
        }
        if body.mass.is_finite() {
            // Drifting keeps the angular momentum, and the energy only up to the scheme.
            let energy = |m: &Motion<D>| crate::measure::spin_energy(body, m);
            let shifted = Motion { spin: work.before[i].1, ..kicked };
            lost += energy(&state.motions[i]) - energy(&shifted) + energy(&kicked) - energy(&next);
        }
        state.motions[i] = next;
    }
    state.ledger.scheme += lost;
    Ok(())
}

fn is_finite<const D: usize>(motion: &Motion<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    let numbers = |x: &[f64]| x.iter().all(|v| v.is_finite());
    numbers(motion.place.centre.as_slice())
        && numbers(motion.velocity.as_slice())
        && numbers(Space::<D>::spin_slice(&motion.spin))
}

/// Keeps the contacts with their impulses for the next step.
pub(super) fn remember<const D: usize>(state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    state.last_step = h;
    state.reactions.clear();
    state.reactions.extend(work.contacts.iter().zip(&work.links).map(|(contact, link)| {
        let [a, b] = contact.bodies.map(|i| {
            let mass = &work.masses[i as usize];
            (mass.velocity, Space::<D>::lower_spin(mass.spin.as_ref()))
        });
        reaction(contact, link, relative_velocity(&link.arms, &a, &b))
    }));
}
