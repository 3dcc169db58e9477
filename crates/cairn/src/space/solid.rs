//! The solid space: quaternions, three principal moments, the free top.
//!
//! The body frame is principal, so the inertia is J = diag(J₁, J₂, J₃) there and I = Q J Qᵀ in the world.

use super::{Ambient, Mat, Space, Vect};
use crate::shape::Polyhedron;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Rotation by `angle` about body axis `axis`, applied on the body side: Q ← Q exp(angle e_axis).
fn turn_about_axis(turn: &UnitQuaternion<f64>, axis: usize, angle: f64) -> UnitQuaternion<f64> {
    let mut v = Vector3::zeros();
    v[axis] = angle;
    turn * UnitQuaternion::from_scaled_axis(v)
}

/// Norm 1 without bias. Division by the norm leaves ‖q‖² − 1 about +1e-16 in the mean; a momentum that is turned to and fro
/// in every step would grow with it. The defect is found to twice the working precision, and taken off.
fn unbiased_unit(q: Quaternion<f64>) -> UnitQuaternion<f64> {
    let q = q.normalize();
    let (mut sum, mut rest) = (-1.0, 0.0);
    for &c in q.coords.iter() {
        // Dekker: c² = square + error exactly, with c = high + low of 26 bits each.
        let split = 134_217_729.0 * c;
        let high = split - (split - c);
        let low = c - high;
        let square = c * c;
        let error = ((high * high - square) + 2.0 * high * low) + low * low;
        // Knuth: sum + square = next + lost exactly.
        let next = sum + square;
        let back = next - sum;
        let lost = (sum - (next - back)) + (square - back);
        sum = next;
        rest += lost + error;
    }
    UnitQuaternion::new_unchecked(q - q * (0.5 * (sum + rest)))
}

impl Ambient<3> for Space<3> {
    type Spin = Vect<3>;
    type Turn = UnitQuaternion<f64>;
    type Moments = Vect<3>;
    type SpinMobility = Mat<3>;
    type Convex = Polyhedron;

    const SPINS: usize = 3;

    #[inline]
    fn no_turn() -> Self::Turn {
        UnitQuaternion::identity()
    }
    #[inline]
    fn rotate(turn: &Self::Turn, x: &Vect<3>) -> Vect<3> {
        turn * x
    }
    #[inline]
    fn unrotate(turn: &Self::Turn, x: &Vect<3>) -> Vect<3> {
        turn.inverse_transform_vector(x)
    }
    #[inline]
    fn matrix(turn: &Self::Turn) -> Mat<3> {
        *turn.to_rotation_matrix().matrix()
    }
    #[inline]
    fn compose(a: &Self::Turn, b: &Self::Turn) -> Self::Turn {
        let mut c = a * b;
        c.renormalize_fast();
        c
    }
    #[inline]
    fn inverse(turn: &Self::Turn) -> Self::Turn {
        turn.inverse()
    }
    fn turn_by(angle: &Vect<3>) -> Self::Turn {
        UnitQuaternion::from_scaled_axis(*angle)
    }
    fn angle_of(turn: &Self::Turn) -> Vect<3> {
        turn.scaled_axis()
    }
    #[inline]
    fn swing(spin: &Vect<3>, arm: &Vect<3>) -> Vect<3> {
        spin.cross(arm)
    }
    #[inline]
    fn moment(arm: &Vect<3>, force: &Vect<3>) -> Vect<3> {
        arm.cross(force)
    }
    #[inline]
    fn spin_dot(a: &Vect<3>, b: &Vect<3>) -> f64 {
        a.dot(b)
    }
    #[inline]
    fn spin_slice(spin: &Vect<3>) -> &[f64] {
        spin.as_slice()
    }
    fn spin_slice_mut(spin: &mut Vect<3>) -> &mut [f64] {
        spin.as_mut_slice()
    }
    #[inline]
    fn momentum(moments: &Vect<3>, turn: &Self::Turn, spin: &Vect<3>) -> Vect<3> {
        // A body that no impulse turns has infinite moments.
        if *spin == Vect::<3>::zeros() {
            return *spin;
        }
        if Self::is_isotropic(moments) {
            return spin * moments.x;
        }
        turn * moments.component_mul(&turn.inverse_transform_vector(spin))
    }
    #[inline]
    fn spin_of(moments: &Vect<3>, turn: &Self::Turn, momentum: &Vect<3>) -> Vect<3> {
        if Self::is_isotropic(moments) {
            return momentum / moments.x;
        }
        turn * turn.inverse_transform_vector(momentum).component_div(moments)
    }
    fn spin_mobility(moments: &Vect<3>, turn: &Self::Turn, held: &[bool]) -> Mat<3> {
        let all_free = !held.iter().any(|&h| h);
        if all_free && Self::is_isotropic(moments) {
            return Mat::<3>::identity() / moments.x;
        }
        let q = Self::matrix(turn);
        if all_free {
            return q * Mat::<3>::from_diagonal(&moments.map(|j| 1.0 / j)) * q.transpose();
        }
        // Held components respond to nothing: invert I on the free ones alone.
        let i = q * Mat::<3>::from_diagonal(moments) * q.transpose();
        let mut out = Mat::<3>::zeros();
        let free: Vec<usize> = (0..3).filter(|&k| !held[k]).collect();
        match free[..] {
            [a] => out[(a, a)] = 1.0 / i[(a, a)],
            [a, b] => {
                let det = i[(a, a)] * i[(b, b)] - i[(a, b)] * i[(a, b)];
                out[(a, a)] = i[(b, b)] / det;
                out[(b, b)] = i[(a, a)] / det;
                out[(a, b)] = -i[(a, b)] / det;
                out[(b, a)] = out[(a, b)];
            }
            _ => {}
        }
        out
    }
    #[inline]
    fn respond(mobility: &Mat<3>, moment: &Vect<3>) -> Vect<3> {
        mobility * moment
    }

    /// Strang splitting of H = L²/2J₁ + ½(1/J₃ − 1/J₁) L₃² + ½(1/J₂ − 1/J₁) L₂², with L in body axes.
    /// The first two commute (a symmetric top, rotated exactly: spin about e₃, then precession about the fixed L);
    /// the last is a rotation about e₂, applied half before and half after. L itself never changes.
    fn drift(moments: &Vect<3>, turn: &Self::Turn, momentum: &Vect<3>, dt: f64) -> Self::Turn {
        let mut q = *turn;
        let (axis2, axis3) = middle_and_odd_axes(moments);
        let axis1 = 3 - axis2 - axis3;
        let j1 = moments[axis1];
        let half_about_2 = |q: &Self::Turn| {
            let rate = (1.0 / moments[axis2] - 1.0 / j1) * q.inverse_transform_vector(momentum)[axis2];
            turn_about_axis(q, axis2, 0.5 * dt * rate)
        };
        let triaxial = moments[axis2] != j1;
        if triaxial {
            q = half_about_2(&q);
        }
        let rate = (1.0 / moments[axis3] - 1.0 / j1) * q.inverse_transform_vector(momentum)[axis3];
        q = turn_about_axis(&q, axis3, dt * rate);
        q = UnitQuaternion::from_scaled_axis(momentum * (dt / j1)) * q;
        if triaxial {
            q = half_about_2(&q);
        }
        unbiased_unit(q.into_inner())
    }
    #[inline]
    fn is_isotropic(moments: &Vect<3>) -> bool {
        moments.x == moments.y && moments.y == moments.z
    }
    fn moments_slice(moments: &Vect<3>) -> &[f64] {
        moments.as_slice()
    }
    #[inline]
    fn frame(n: &Vect<3>) -> Mat<3> {
        // Duff et al. 2017: no branch on direction, no division by something small.
        let sign = 1f64.copysign(n.z);
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        let t = Vector3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
        let s = Vector3::new(b, sign + n.y * n.y * a, -n.y);
        Mat::<3>::from_columns(&[*n, t, s])
    }
    #[inline]
    fn lift(x: &Vect<3>) -> [f64; 3] {
        [x.x, x.y, x.z]
    }
    #[inline]
    fn lift_spin(spin: &Vect<3>) -> [f64; 3] {
        [spin.x, spin.y, spin.z]
    }
    #[inline]
    fn lower_spin(spin: &[f64; 3]) -> Vect<3> {
        Vect::<3>::from(*spin)
    }
    #[inline]
    fn lift_mobility(mobility: &Mat<3>) -> Mat<3> {
        *mobility
    }
    fn quaternion(turn: &Self::Turn) -> [f64; 4] {
        [turn.w, turn.i, turn.j, turn.k]
    }
    fn from_quaternion(q: [f64; 4]) -> Self::Turn {
        UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
    }
    fn turn_numbers(turn: &Self::Turn) -> [f64; 4] {
        Self::quaternion(turn)
    }
    fn turn_from_numbers(numbers: [f64; 4]) -> Self::Turn {
        Self::from_quaternion(numbers)
    }
}

/// Chooses the axes so that the two closest moments are J₁ and J₂: the splitting error is proportional to their
/// difference, and vanishes for a symmetric top whichever its axis.
fn middle_and_odd_axes(j: &Vect<3>) -> (usize, usize) {
    let spread = |a: usize, b: usize| (j[a] - j[b]).abs();
    let (d01, d12, d02) = (spread(0, 1), spread(1, 2), spread(0, 2));
    if d01 <= d12 && d01 <= d02 {
        (1, 2)
    } else if d12 <= d02 {
        (2, 0)
    } else {
        (2, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_top_turns_exactly_whatever_the_step() {
        let j = Vector3::new(1.0, 1.0, 2.5);
        let l = Vector3::new(0.4, -0.3, 1.7);
        let start = UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2);
        let once = Space::<3>::drift(&j, &start, &l, 1.0);
        let mut many = start;
        for _ in 0..1000 {
            many = Space::<3>::drift(&j, &many, &l, 1e-3);
        }
        assert!(once.angle_to(&many) < 1e-12);
    }

    #[test]
    fn momentum_turned_to_and_fro_stays_the_same() {
        let j = Vector3::new(1.0, 2.0, 3.0);
        let start = Vector3::new(0.01, 2.0, 0.02);
        let (mut q, mut l) = (UnitQuaternion::identity(), start);
        for _ in 0..10_000 {
            q = Space::<3>::drift(&j, &q, &l, 1e-2);
            l = Space::<3>::momentum(&j, &q, &Space::<3>::spin_of(&j, &q, &l));
        }
        assert!((l - start).norm() / start.norm() < 3e-13, "{:e}", (l - start).norm() / start.norm());
    }

    #[test]
    fn triaxial_energy_error_is_second_order_and_does_not_drift() {
        let j = Vector3::new(1.0, 2.0, 3.0);
        let l = Vector3::new(0.01, 2.0, 0.02);
        let energy = |q: &UnitQuaternion<f64>| 0.5 * l.dot(&Space::<3>::spin_of(&j, q, &l));
        let worst = |dt: f64| {
            let mut q = UnitQuaternion::identity();
            let e0 = energy(&q);
            let mut w: f64 = 0.0;
            for _ in 0..(100.0 / dt) as usize {
                q = Space::<3>::drift(&j, &q, &l, dt);
                w = w.max((energy(&q) - e0).abs() / e0);
            }
            w
        };
        let (coarse, fine) = (worst(0.04), worst(0.02));
        assert!(coarse < 1e-2, "{coarse}");
        assert!((coarse / fine - 4.0).abs() < 0.5, "{coarse} {fine}");
    }

    #[test]
    fn frame_is_direct_and_orthonormal() {
        for n in [Vector3::z(), -Vector3::z(), Vector3::new(0.6, 0.0, -0.8), Vector3::new(1e-9, 1.0, 0.0).normalize()] {
            let f = Space::<3>::frame(&n);
            assert!((f.transpose() * f - Mat::<3>::identity()).norm() < 1e-15);
            assert!((f.determinant() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn held_components_do_not_respond() {
        let q = UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2);
        let j = Vector3::new(1.0, 2.0, 3.0);
        let w = Space::<3>::spin_mobility(&j, &q, &[true, false, false]);
        let i = Space::<3>::matrix(&q) * Mat::<3>::from_diagonal(&j) * Space::<3>::matrix(&q).transpose();
        let spin = w * Vector3::new(5.0, 1.0, -2.0);
        assert_eq!(spin.x, 0.0);
        assert!(((i * spin).y - 1.0).abs() < 1e-14 && ((i * spin).z + 2.0).abs() < 1e-14);
    }
}
