//! Energies of a state and the balance of the account.

use crate::body::{Body, Motion};
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
pub fn kinetic_energy<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>]) -> f64
where
    Space<D>: Ambient<D>,
{
    let bodies = scene.bodies.iter().zip(motions).filter(|(b, _)| b.mass.is_finite());
    bodies.map(|(b, m)| 0.5 * b.mass * m.velocity.norm_squared() + spin_energy(b, m)).sum()
}

/// Potential energy in a steady gravity field, relative to the start [J].
pub fn potential_energy<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>]) -> f64
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let bodies = scene.bodies.iter().zip(motions).zip(&scene.start).filter(|((b, _), _)| b.mass.is_finite());
    bodies.map(|((b, m), start)| -b.mass * gravity.dot(&(m.place.centre - start.place.centre))).sum()
}

/// What the energy account misses, relative to what passed through it: round-off if the bookkeeping is right.
pub fn balance_error<const D: usize>(scene: &Scene<D>, state: &State<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let l = &state.ledger;
    let energy = kinetic_energy(scene, &state.motions) + potential_energy(scene, &state.motions);
    let expected = l.initial_energy + l.work_loads + l.work_drives - l.friction - l.shocks - l.scheme;
    if l.throughput > 0.0 { (energy - expected) / l.throughput } else { 0.0 }
}
