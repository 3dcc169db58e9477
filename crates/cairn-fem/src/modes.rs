//! Rigid motions of a mesh, and the rotation that fits a displacement best.
//!
//! The best rotation of nodes with masses m from X to x = X + u maximizes tr(Rᵀ A), A = Σ m (x − x̄)(X − X̄)ᵀ: the polar
//! factor of the mean deformation. In the plane it is the direction of (A₁₁ + A₂₂, A₂₁ − A₁₂). In space it is the unit
//! quaternion that belongs to the largest eigenvalue of a symmetric 4×4 matrix made of A (Horn 1987). Both give a proper
//! rotation for any angle and any deformation, without a starting value.

use cairn_sparse::Symmetric;
use nalgebra::{Matrix4, Quaternion, UnitQuaternion};

use crate::{Mat, Vect};

/// Centre of mass of nodes displaced by `u` [m].
pub fn centre<const D: usize>(nodes: &[Vect<D>], masses: &[f64], u: &[f64]) -> Vect<D> {
    let total: f64 = masses.iter().sum();
    let moved = nodes.iter().zip(u.chunks_exact(D)).map(|(x, u)| x + Vect::<D>::from_column_slice(u));
    moved.zip(masses).map(|(x, m)| x * *m).sum::<Vect<D>>() / total
}

/// Translations along the axes, then rotations about axes through the centre of mass (x, y, z in space), as
/// displacements of all unknowns, orthonormal in the mass matrix: vᵢ·M vⱼ = δᵢⱼ.
pub fn rigid_modes<const D: usize>(nodes: &[Vect<D>], masses: &[f64], mass: &Symmetric) -> Vec<Vec<f64>> {
    let middle = centre(nodes, masses, &vec![0.0; nodes.len() * D]);
    let planes: &[(usize, usize)] = if D == 2 { &[(0, 1)] } else { &[(1, 2), (2, 0), (0, 1)] };
    let translations = (0..D).map(|c| (0..nodes.len() * D).map(|i| f64::from(i % D == c)).collect());
    let rotations = planes.iter().map(|&(i, j)| {
        let mut mode = vec![0.0; nodes.len() * D];
        for (part, x) in mode.chunks_exact_mut(D).zip(nodes) {
            (part[i], part[j]) = (middle[j] - x[j], x[i] - middle[i]);
        }
        mode
    });
    let mut modes: Vec<Vec<f64>> = translations.chain(rotations).collect();
    let mut product = vec![0.0; nodes.len() * D];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for k in 0..modes.len() {
        let (before, rest) = modes.split_at_mut(k);
        let mode = &mut rest[0];
        // Twice is enough for orthogonality to round-off.
        for _ in 0..2 {
            for other in before.iter() {
                mass.multiply(mode, &mut product);
                let part = dot(other, &product);
                mode.iter_mut().zip(other).for_each(|(m, o)| *m -= part * o);
            }
        }
        mass.multiply(mode, &mut product);
        let norm = dot(mode, &product).sqrt();
        mode.iter_mut().for_each(|m| *m /= norm);
    }
    modes
}

/// The rotation nearest to the motion of the nodes.
pub fn best_rotation<const D: usize>(nodes: &[Vect<D>], masses: &[f64], u: &[f64]) -> Mat<D> {
    let (from, to) = (centre(nodes, masses, &vec![0.0; u.len()]), centre(nodes, masses, u));
    let mut a = Mat::<D>::zeros();
    for ((x, u), m) in nodes.iter().zip(u.chunks_exact(D)).zip(masses) {
        a += (x + Vect::<D>::from_column_slice(u) - to) * (x - from).transpose() * *m;
    }
    if D == 2 {
        let (c, s) = (a[(0, 0)] + a[(1, 1)], a[(1, 0)] - a[(0, 1)]);
        let norm = c.hypot(s);
        let (c, s) = if norm > 0.0 { (c / norm, s / norm) } else { (1.0, 0.0) };
        return Mat::from_fn(|i, j| {
            if i == j {
                c
            } else if i > j {
                s
            } else {
                -s
            }
        });
    }
    // Row i, column j of Horn's S is Σ m X_i x_j.
    let s = |i: usize, j: usize| a[(j, i)];
    let (skew, trace) = ([s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)], s(0, 0) + s(1, 1) + s(2, 2));
    let horn = Matrix4::from_fn(|i, j| match (i, j) {
        (0, 0) => trace,
        (0, k) | (k, 0) => skew[k - 1],
        (i, j) if i == j => 2.0 * s(i - 1, i - 1) - trace,
        (i, j) => s(i - 1, j - 1) + s(j - 1, i - 1),
    });
    let eigen = horn.symmetric_eigen();
    let best = (1..4).fold(0, |b, k| if eigen.eigenvalues[k] > eigen.eigenvalues[b] { k } else { b });
    let q = eigen.eigenvectors.column(best);
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])).to_rotation_matrix();
    Mat::from_fn(|i, j| turn[(i, j)])
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};

    use super::*;
    use crate::continuum::testing::{body, some_displacement, steel};
    use crate::continuum::{Continuum, MassKind, Options};
    use crate::mesh::Kind;

    fn turned<const D: usize>(nodes: &[Vect<D>], q: &Mat<D>, strain: &[f64]) -> Vec<f64> {
        let shift = Vect::from_element(3.0);
        let moved = |(x, s): (&Vect<D>, &[f64])| q * (x + Vect::<D>::from_column_slice(s)) - x + shift;
        nodes.iter().zip(strain.chunks_exact(D)).flat_map(|p| moved(p).iter().copied().collect::<Vec<_>>()).collect()
    }

    #[test]
    fn a_turned_body_gives_its_rotation_at_any_angle() {
        let flat = body::<2>(Kind::T3, steel(0.3), Options::default());
        let solid = body::<3>(Kind::H8, steel(0.3), Options::default());
        let (plane_masses, masses) = (flat.lumped_masses(), solid.lumped_masses());
        let axis = Vector3::new(1.0, -2.0, 0.3).normalize();
        for angle in [0.0, 1e-9, 0.7, 2.0, std::f64::consts::PI, 4.0] {
            let q = Rotation3::from_scaled_axis(axis * angle).into_inner();
            let u = turned(&solid.mesh().nodes, &q, &vec![0.0; solid.dofs()]);
            assert!((best_rotation(&solid.mesh().nodes, &masses, &u) - q).norm() < 1e-13, "angle {angle}");
            let q = Mat::<2>::new(angle.cos(), -angle.sin(), angle.sin(), angle.cos());
            let u = turned(&flat.mesh().nodes, &q, &vec![0.0; flat.dofs()]);
            assert!((best_rotation(&flat.mesh().nodes, &plane_masses, &u) - q).norm() < 1e-13, "angle {angle}");
        }
    }

    #[test]
    fn a_strained_body_turns_its_best_rotation_along() {
        let solid = body::<3>(Kind::H8, steel(0.3), Options::default());
        let masses = solid.lumped_masses();
        let nodes = &solid.mesh().nodes;
        let strain = some_displacement(solid.dofs(), 0.05);
        let own = best_rotation(nodes, &masses, &strain);
        let q = Rotation3::from_scaled_axis(Vector3::new(0.3, 2.0, -1.1)).into_inner();
        assert!((best_rotation(nodes, &masses, &turned(nodes, &q, &strain)) - q * own).norm() < 1e-13);
    }

    fn orthonormal<const D: usize>(body: &Continuum<D>) {
        let mut mass = Symmetric::zero(body.pattern());
        body.mass(&mut mass);
        let modes = rigid_modes(&body.mesh().nodes, &body.lumped_masses(), &mass);
        assert_eq!(modes.len(), D * (D + 1) / 2);
        let mut product = vec![0.0; body.dofs()];
        for (i, a) in modes.iter().enumerate() {
            mass.multiply(a, &mut product);
            for (j, b) in modes.iter().enumerate() {
                let value: f64 = b.iter().zip(&product).map(|(x, y)| x * y).sum();
                assert!((value - f64::from(i == j)).abs() < 1e-13);
            }
            // No strain: the force of a rigid mode vanishes.
            let mut force = vec![0.0; body.dofs()];
            assert!(body.internal_force(a, &mut force).abs() < 1e-24 * 100.0);
        }
    }

    #[test]
    fn rigid_modes_are_orthonormal_and_without_energy() {
        for mass in [MassKind::Lumped, MassKind::Consistent] {
            let options = Options { mass, ..Options::default() };
            orthonormal(&body::<2>(Kind::Q8, steel(0.3), options));
            orthonormal(&body::<3>(Kind::Tet10, steel(0.3), options));
        }
    }
}
