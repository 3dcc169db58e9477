//! The plane: one angle, one moment of inertia.

use super::{Ambient, Mat, Space, Vect};
use crate::shape::Polygon;
use nalgebra::{Complex, UnitComplex};

impl Ambient<2> for Space<2> {
    type Spin = f64;
    type Turn = UnitComplex<f64>;
    type Moments = f64;
    type SpinMobility = f64;
    type Convex = Polygon;

    const SPINS: usize = 1;

    #[inline]
    fn no_turn() -> Self::Turn {
        UnitComplex::identity()
    }
    #[inline]
    fn rotate(turn: &Self::Turn, x: &Vect<2>) -> Vect<2> {
        turn * x
    }
    #[inline]
    fn unrotate(turn: &Self::Turn, x: &Vect<2>) -> Vect<2> {
        turn.inverse_transform_vector(x)
    }
    #[inline]
    fn matrix(turn: &Self::Turn) -> Mat<2> {
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
    fn turn_by(angle: &f64) -> Self::Turn {
        UnitComplex::new(*angle)
    }
    fn angle_of(turn: &Self::Turn) -> f64 {
        turn.angle()
    }
    #[inline]
    fn swing(spin: &f64, arm: &Vect<2>) -> Vect<2> {
        Vect::<2>::new(-spin * arm.y, spin * arm.x)
    }
    #[inline]
    fn moment(arm: &Vect<2>, force: &Vect<2>) -> f64 {
        arm.x * force.y - arm.y * force.x
    }
    #[inline]
    fn spin_dot(a: &f64, b: &f64) -> f64 {
        a * b
    }
    #[inline]
    fn spin_slice(spin: &f64) -> &[f64] {
        std::slice::from_ref(spin)
    }
    fn spin_slice_mut(spin: &mut f64) -> &mut [f64] {
        std::slice::from_mut(spin)
    }
    #[inline]
    fn momentum(moments: &f64, _: &Self::Turn, spin: &f64) -> f64 {
        // A body that no impulse turns has an infinite moment.
        if *spin == 0.0 { 0.0 } else { moments * spin }
    }
    #[inline]
    fn spin_of(moments: &f64, _: &Self::Turn, momentum: &f64) -> f64 {
        momentum / moments
    }
    fn spin_mobility(moments: &f64, _: &Self::Turn, held: &[bool]) -> f64 {
        if held[0] { 0.0 } else { 1.0 / moments }
    }
    #[inline]
    fn respond(mobility: &f64, moment: &f64) -> f64 {
        mobility * moment
    }
    fn drift(moments: &f64, turn: &Self::Turn, momentum: &f64, dt: f64) -> Self::Turn {
        Self::compose(&Self::turn_by(&(momentum / moments * dt)), turn)
    }
    #[inline]
    fn is_isotropic(_: &f64) -> bool {
        true
    }
    fn moments_slice(moments: &f64) -> &[f64] {
        std::slice::from_ref(moments)
    }
    #[inline]
    fn frame(n: &Vect<2>) -> Mat<2> {
        Mat::<2>::new(n.x, -n.y, n.y, n.x)
    }
    #[inline]
    fn lift(x: &Vect<2>) -> [f64; 3] {
        [x.x, x.y, 0.0]
    }
    #[inline]
    fn lift_spin(spin: &f64) -> [f64; 3] {
        [0.0, 0.0, *spin]
    }
    #[inline]
    fn lower_spin(spin: &[f64; 3]) -> f64 {
        spin[2]
    }
    #[inline]
    fn lift_mobility(mobility: &f64) -> Mat<3> {
        Mat::<3>::from_diagonal(&Vect::<3>::new(0.0, 0.0, *mobility))
    }
    fn quaternion(turn: &Self::Turn) -> [f64; 4] {
        let half = 0.5 * turn.angle();
        [half.cos(), 0.0, 0.0, half.sin()]
    }
    fn from_quaternion(q: [f64; 4]) -> Self::Turn {
        UnitComplex::new(2.0 * q[3].atan2(q[0]))
    }
    fn turn_numbers(turn: &Self::Turn) -> [f64; 4] {
        [turn.re, turn.im, 0.0, 0.0]
    }
    fn turn_from_numbers(numbers: [f64; 4]) -> Self::Turn {
        UnitComplex::new_unchecked(Complex::new(numbers[0], numbers[1]))
    }
}
