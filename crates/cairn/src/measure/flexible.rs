//! Energies and momenta of deformable bodies.

use crate::flexible::{Flexible, dot};
use crate::space::{Ambient, Space, Vect};

/// ½ v·M v [J].
pub fn kinetic_energy<const D: usize>(body: &Flexible<D>, velocity: &[f64]) -> f64
where
    Space<D>: Ambient<D>,
{
    let mut momentum = vec![0.0; velocity.len()];
    body.model.mass_times(velocity, &mut momentum);
    0.5 * dot(velocity, &momentum)
}

/// Σ m u over the nodes [kg·m]: mass times the displacement of the centre; with velocities the momentum.
pub fn moment_of_mass<const D: usize>(body: &Flexible<D>, nodal: &[f64]) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let nodes = body.model.shares.iter().zip(nodal.chunks_exact(D));
    nodes.fold(Vect::zeros(), |sum, (m, u)| sum + Vect::from_column_slice(u) * *m)
}
