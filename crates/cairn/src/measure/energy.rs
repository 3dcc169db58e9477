//! Energies of a state and the balance of the account.

use super::flexible;
use crate::body::{Body, Motion};
use crate::flexible::Field;
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;

/// ½ ω·I ω [J].
pub fn spin_energy<const D: usize>(body: &Body<D>, motion: &Motion<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let momentum = Space::<D>::momentum(&body.moments, &motion.place.turn, &motion.spin);
    0.5 * Space::<D>::spin_dot(&motion.spin, &momentum)
}

/// Kinetic energy of all bodies that have an equation of motion [J].
pub fn kinetic_energy<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>], fields: &[Field]) -> f64
where
    Space<D>: Ambient<D>,
{
    let bodies = scene.bodies.iter().zip(motions).filter(|(b, _)| b.mass.is_finite());
    let rigid: f64 = bodies.map(|(b, m)| 0.5 * b.mass * m.velocity.norm_squared() + spin_energy(b, m)).sum();
    rigid + scene.flexibles.iter().zip(fields).map(|(f, x)| flexible::kinetic_energy(f, &x.velocity)).sum::<f64>()
}

/// Potential energy in a steady gravity field, relative to the start [J].
pub fn potential_energy<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>], fields: &[Field]) -> f64
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let bodies = scene.bodies.iter().zip(motions).zip(&scene.start).filter(|((b, _), _)| b.mass.is_finite());
    let rigid: f64 = bodies.map(|((b, m), start)| -b.mass * gravity.dot(&(m.place.centre - start.place.centre))).sum();
    let sunk =
        scene.flexibles.iter().zip(fields).map(|(f, x)| gravity.dot(&flexible::moment_of_mass(f, &x.displacement)));
    rigid - sunk.sum::<f64>()
}

/// Strain energy of deformable bodies [J].
pub fn strain_energy<const D: usize>(scene: &Scene<D>, fields: &[Field]) -> f64
where
    Space<D>: Ambient<D>,
{
    scene.flexibles.iter().zip(fields).map(|(f, x)| f.stored_energy(x)).sum()
}

/// What the energy account misses, relative to what passed through it: round-off if the bookkeeping is right.
pub fn balance_error<const D: usize>(scene: &Scene<D>, state: &State<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let l = &state.ledger;
    let energy = kinetic_energy(scene, &state.motions, &state.fields)
        + potential_energy(scene, &state.motions, &state.fields)
        + strain_energy(scene, &state.fields)
        + l.joints;
    let lost = l.friction + l.rolling + l.shocks + l.damage + l.scheme + l.damping + l.materials.total() + l.cancelled;
    let expected = l.initial_energy + l.work_loads + l.work_drives - lost;
    if l.throughput > 0.0 { (energy - expected) / l.throughput } else { 0.0 }
}
