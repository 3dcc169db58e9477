//! The moment tensor of the contact forces on a body, about its centre of mass (Jean 1999):
//!
//!   M_ij = Σ x_i r_j       [N·m]
//!
//! In equilibrium the volume times the mean stress, tension positive: weight does nothing about the centre.

use crate::scene::Scene;
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;

/// M of forces r [N] at points x [m], about `centre`.
pub fn moment_tensor<const D: usize>(centre: &Vect<D>, forces: impl Iterator<Item = (Vect<D>, Vect<D>)>) -> Mat<D> {
    forces.fold(Mat::zeros(), |sum, (x, r)| sum + (x - centre) * r.transpose())
}

/// M of every deformable body, with the forces of the last step [N·m].
pub fn moment_tensors<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Vec<Mat<D>>
where
    Space<D>: Ambient<D>,
{
    let mut forces = vec![Vec::new(); scene.flexibles.len()];
    for reaction in &state.reactions {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(k) = scene.deformable_of(reaction.contact.bodies[side]) {
                forces[k].push((reaction.contact.touch.point, reaction.impulse * (sign / state.last_step)));
            }
        }
    }
    let bodies = scene.flexibles.iter().zip(&state.fields);
    bodies
        .zip(forces)
        .map(|((body, field), forces)| {
            let mass: f64 = body.model.lumped.iter().sum();
            let nodes = body.positions(&field.displacement);
            let centre = nodes.iter().zip(&body.model.lumped).fold(Vect::zeros(), |c, (x, m)| c + x * (m / mass));
            moment_tensor(&centre, forces.into_iter())
        })
        .collect()
}

/// Principal values of the symmetric part, the largest first, and their directions, column by column.
pub fn principal<const D: usize>(tensor: &Mat<D>) -> (Vect<D>, Mat<D>) {
    let symmetric = nalgebra::DMatrix::from_fn(D, D, |i, j| 0.5 * (tensor[(i, j)] + tensor[(j, i)]));
    let eigen = symmetric.symmetric_eigen();
    let mut order: Vec<usize> = (0..D).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]).then(a.cmp(&b)));
    let values = Vect::from_fn(|i, _| eigen.eigenvalues[order[i]]);
    (values, Mat::from_fn(|i, j| eigen.eigenvectors[(i, order[j])]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block under the stress σ has the forces σ n a on its faces: M/V gives σ back, wherever it lies.
    #[test]
    fn a_uniformly_stressed_block_gives_its_stress_back() {
        let stress = Mat::<3>::new(-3.0, 0.5, 0.2, 0.5, -1.0, 0.1, 0.2, 0.1, 0.7);
        let (sides, centre) = (Vect::<3>::new(0.5, 0.3, 0.25), Vect::<3>::new(7.0, -2.0, 4.0));
        let volume = sides.product();
        let mut forces = Vec::new();
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                // Four points to a face, each a quarter of it.
                for (a, b) in [(0.25, 0.25), (-0.25, 0.25), (0.25, -0.25), (-0.25, -0.25)] {
                    let mut x = Vect::<3>::zeros();
                    (x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3]) = (0.5 * sign, a, b);
                    let normal = Vect::<3>::from_fn(|i, _| if i == axis { sign } else { 0.0 });
                    forces.push((centre + x.component_mul(&sides), stress * normal * (volume / sides[axis] / 4.0)));
                }
            }
        }
        let moment = moment_tensor(&centre, forces.into_iter());
        assert!((moment / volume - stress).norm() < 1e-14, "{moment}");
    }

    #[test]
    fn principal_values_come_in_order_with_their_directions() {
        let (s, c) = 0.4f64.sin_cos();
        let turn = Mat::<2>::new(c, -s, s, c);
        let (values, directions) = principal(&(turn * Mat::<2>::new(-5.0, 0.0, 0.0, 2.0) * turn.transpose()));
        assert!((values - Vect::<2>::new(2.0, -5.0)).norm() < 1e-14);
        assert!((directions.column(0).dot(&turn.column(1)).abs() - 1.0).abs() < 1e-14);
    }
}
