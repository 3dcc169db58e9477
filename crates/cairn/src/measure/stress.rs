//! Stresses of deformable bodies, world axes, and what their materials remember.

use crate::flexible::{Field, Flexible};
use crate::space::{Ambient, Space};
use cairn_fem::material::Quantity;
use nalgebra::Matrix3;

/// Cauchy's stress at the nodes [Pa].
pub fn nodal_stresses<const D: usize>(body: &Flexible<D>, field: &Field) -> Vec<Matrix3<f64>>
where
    Space<D>: Ambient<D>,
{
    let (axes, local) = placed(body, &field.displacement);
    let continuum = &body.model.continuum;
    let stresses = continuum.nodal_stresses(&continuum.samples(&local, &field.history));
    stresses.into_iter().map(|s| axes * s * axes.transpose()).collect()
}

/// Strain at the nodes: ε, or the logarithmic strain in finite kinematics.
pub fn nodal_strains<const D: usize>(body: &Flexible<D>, field: &Field) -> Vec<Matrix3<f64>>
where
    Space<D>: Ambient<D>,
{
    let (axes, local) = placed(body, &field.displacement);
    let continuum = &body.model.continuum;
    let strains = continuum.nodal_strains(&continuum.samples(&local, &field.history));
    strains.into_iter().map(|e| axes * e * axes.transpose()).collect()
}

/// The numbers that the materials of some bodies keep, each name once, in the order of the bodies.
pub fn remembered<'a, const D: usize>(bodies: impl IntoIterator<Item = &'a Flexible<D>>) -> Vec<Quantity>
where
    Space<D>: Ambient<D>,
{
    let mut all: Vec<Quantity> = Vec::new();
    for quantity in bodies.into_iter().flat_map(|body| body.model.continuum.quantities()) {
        if all.iter().all(|known| known.name != quantity.name) {
            all.push(quantity);
        }
    }
    all
}

/// Mean of Cauchy's stress over the body [Pa]: the moment tensor M_ij = Σ x_i r_j of the forces on it, over its volume, when it
/// is in equilibrium.
pub fn mean_stress<const D: usize>(body: &Flexible<D>, field: &Field) -> Matrix3<f64>
where
    Space<D>: Ambient<D>,
{
    let (sum, volume) = stress_integral(body, field);
    sum / volume
}

/// Integral of Cauchy's stress over the body [N·m], and its volume [m³].
pub(super) fn stress_integral<const D: usize>(body: &Flexible<D>, field: &Field) -> (Matrix3<f64>, f64)
where
    Space<D>: Ambient<D>,
{
    let (axes, local) = placed(body, &field.displacement);
    let samples = body.model.continuum.samples(&local, &field.history);
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
