//! Stresses of deformable bodies, world axes.

use crate::flexible::Flexible;
use crate::space::{Ambient, Space};
use nalgebra::Matrix3;

/// Cauchy's stress at the nodes [Pa].
pub fn nodal_stresses<const D: usize>(body: &Flexible<D>, displacement: &[f64]) -> Vec<Matrix3<f64>>
where
    Space<D>: Ambient<D>,
{
    let (axes, local) = placed(body, displacement);
    let continuum = &body.model.continuum;
    let stresses = continuum.nodal_stresses(&continuum.samples(&local));
    stresses.into_iter().map(|s| axes * s * axes.transpose()).collect()
}

/// Mean of Cauchy's stress over the body [Pa]: the moment tensor M_ij = Σ x_i r_j of the forces on it, over its volume, when it
/// is in equilibrium.
pub fn mean_stress<const D: usize>(body: &Flexible<D>, displacement: &[f64]) -> Matrix3<f64>
where
    Space<D>: Ambient<D>,
{
    let (sum, volume) = stress_integral(body, displacement);
    sum / volume
}

/// Integral of Cauchy's stress over the body [N·m], and its volume [m³].
pub(super) fn stress_integral<const D: usize>(body: &Flexible<D>, displacement: &[f64]) -> (Matrix3<f64>, f64)
where
    Space<D>: Ambient<D>,
{
    let (axes, local) = placed(body, displacement);
    let samples = body.model.continuum.samples(&local);
    let sum: Matrix3<f64> = samples.iter().map(|s| s.stress * s.volume).sum();
    (axes * sum * axes.transpose(), samples.iter().map(|s| s.volume).sum())
}

/// The body's axes, lifted to space, and its displacement in them.
fn placed<const D: usize>(body: &Flexible<D>, displacement: &[f64]) -> (Matrix3<f64>, Vec<f64>)
where
    Space<D>: Ambient<D>,
{
    let q = body.axes(displacement);
    let local = body.local_displacement(&q, displacement);
    (Matrix3::from_fn(|i, j| if i < D && j < D { q[(i, j)] } else { f64::from(u8::from(i == j)) }), local)
}
