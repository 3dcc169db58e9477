//! The only room that knows 2 from 3.
//!
//! Everything that really differs between the plane and the solid — rotation, spin, inertia, the frame built on a
//! normal — is one associated type or function of [`Ambient`]. The rest of the program is written once, for any `D`.

mod plane;
mod solid;

use crate::detect::pair::ConvexPairs;
use crate::shape::ConvexShape;
use crate::step::Compiled;
use nalgebra::{SMatrix, SVector};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A vector of the ambient space: m, m/s, N·s …
pub type Vect<const D: usize> = SVector<f64, D>;
/// A square matrix of the ambient space.
pub type Mat<const D: usize> = SMatrix<f64, D, D>;
/// Angular velocity, angular momentum or moment: one number in 2D, a vector in 3D.
pub type Spin<const D: usize> = <Space<D> as Ambient<D>>::Spin;
/// Orientation of a body: unit complex number in 2D, unit quaternion in 3D.
pub type Turn<const D: usize> = <Space<D> as Ambient<D>>::Turn;
/// Principal moments of inertia about the centre of mass [kg·m²].
pub type Moments<const D: usize> = <Space<D> as Ambient<D>>::Moments;
/// Inverse inertia in world axes [1/(kg·m²)].
pub type SpinMobility<const D: usize> = <Space<D> as Ambient<D>>::SpinMobility;

/// Marker of the ambient space of dimension `D`.
#[derive(Clone, Copy, Debug)]
pub struct Space<const D: usize>;

/// What differs between 2D and 3D. Implemented by `Space<2>` and `Space<3>` only.
pub trait Ambient<const D: usize>: Compiled<D> + Sized + Copy + Send + Sync + Debug + 'static {
    /// Angular quantity.
    type Spin: Copy
        + Debug
        + Default
        + PartialEq
        + Send
        + Sync
        + 'static
        + Add<Output = Self::Spin>
        + Sub<Output = Self::Spin>
        + Neg<Output = Self::Spin>
        + Mul<f64, Output = Self::Spin>
        + AddAssign;
    /// Orientation.
    type Turn: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// Principal moments of inertia; the body frame is principal and centred.
    type Moments: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// Inverse inertia in world axes.
    type SpinMobility: Copy + Debug + Send + Sync + 'static;
    /// Convex polygon (2D) or polyhedron (3D).
    type Convex: ConvexShape<D> + ConvexPairs<D>;

    /// Number of components of a spin: 1 or 3.
    const SPINS: usize;

    /// The orientation that turns nothing.
    fn no_turn() -> Self::Turn;
    /// Rotates a vector from body axes to world axes.
    fn rotate(turn: &Self::Turn, x: &Vect<D>) -> Vect<D>;
    /// Rotates a vector from world axes to body axes.
    fn unrotate(turn: &Self::Turn, x: &Vect<D>) -> Vect<D>;
    /// The rotation matrix, body axes to world axes.
    fn matrix(turn: &Self::Turn) -> Mat<D>;
    /// `a` after `b`.
    fn compose(a: &Self::Turn, b: &Self::Turn) -> Self::Turn;
    /// The opposite turn.
    fn inverse(turn: &Self::Turn) -> Self::Turn;
    /// Rotation by the vector `angle` [rad], in world axes.
    fn turn_by(angle: &Self::Spin) -> Self::Turn;
    /// Angle of a rotation as a vector in world axes, norm in [0, π].
    fn angle_of(turn: &Self::Turn) -> Self::Spin;

    /// ω × a: velocity of a point at `arm` from the centre.
    fn swing(spin: &Self::Spin, arm: &Vect<D>) -> Vect<D>;
    /// a × f: moment of a force (or impulse) at `arm`.
    fn moment(arm: &Vect<D>, force: &Vect<D>) -> Self::Spin;
    /// Scalar product of two spins (for power and energy).
    fn spin_dot(a: &Self::Spin, b: &Self::Spin) -> f64;
    /// The spin's components, in a slice of length `SPINS`.
    fn spin_slice(spin: &Self::Spin) -> &[f64];
    /// The same, to write to.
    fn spin_slice_mut(spin: &mut Self::Spin) -> &mut [f64];

    /// I ω in world axes: angular momentum.
    fn momentum(moments: &Self::Moments, turn: &Self::Turn, spin: &Self::Spin) -> Self::Spin;
    /// I⁻¹ L in world axes.
    fn spin_of(moments: &Self::Moments, turn: &Self::Turn, momentum: &Self::Spin) -> Self::Spin;
    /// I⁻¹ in world axes, restricted to the components that are free (`held[k]` true: component k cannot respond).
    fn spin_mobility(moments: &Self::Moments, turn: &Self::Turn, held: &[bool]) -> Self::SpinMobility;
    /// I⁻¹ m for a mobility from [`Ambient::spin_mobility`].
    fn respond(mobility: &Self::SpinMobility, moment: &Self::Spin) -> Self::Spin;
    /// Free rotation over a time `dt` at constant angular momentum: exact for a symmetric top, symplectic
    /// (second order, bounded energy error) for a tri-axial body.
    fn drift(moments: &Self::Moments, turn: &Self::Turn, momentum: &Self::Spin, dt: f64) -> Self::Turn;
    /// The same moment of inertia about every axis?
    fn is_isotropic(moments: &Self::Moments) -> bool;
    /// The moments as a slice (1 or 3 values).
    fn moments_slice(moments: &Self::Moments) -> &[f64];

    /// Orthonormal frame with `normal` as its first column: (n, t) or (n, t, s), direct.
    fn frame(normal: &Vect<D>) -> Mat<D>;
    /// A vector of the space as (x, y, z), z = 0 in 2D.
    fn lift(x: &Vect<D>) -> [f64; 3];
    /// A spin as (x, y, z); in 2D (0, 0, ω).
    fn lift_spin(spin: &Self::Spin) -> [f64; 3];
    /// The inverse of [`Ambient::lift_spin`].
    fn lower_spin(spin: &[f64; 3]) -> Self::Spin;
    /// A mobility as a matrix on lifted spins.
    fn lift_mobility(mobility: &Self::SpinMobility) -> Mat<3>;
    /// A turn as a quaternion (w, x, y, z).
    fn quaternion(turn: &Self::Turn) -> [f64; 4];
    /// The inverse of [`Ambient::quaternion`].
    fn from_quaternion(q: [f64; 4]) -> Self::Turn;
    /// The numbers that a turn is made of, to save it bit for bit: (cos, sin, 0, 0) in 2D, (w, x, y, z) in 3D.
    fn turn_numbers(turn: &Self::Turn) -> [f64; 4];
    /// The exact inverse of [`Ambient::turn_numbers`].
    fn turn_from_numbers(numbers: [f64; 4]) -> Self::Turn;
}

/// Where a body (or a part of it) is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Origin of the body frame in world axes [m].
    pub centre: Vect<D>,
    /// Orientation.
    pub turn: Turn<D>,
}

impl<const D: usize> Placement<D>
where
    Space<D>: Ambient<D>,
{
    /// At the origin, not turned.
    pub fn identity() -> Self {
        Self { centre: Vect::zeros(), turn: Space::<D>::no_turn() }
    }

    /// Body point to world point.
    pub fn point(&self, x: &Vect<D>) -> Vect<D> {
        self.centre + Space::<D>::rotate(&self.turn, x)
    }

    /// Body direction to world direction.
    pub fn direction(&self, x: &Vect<D>) -> Vect<D> {
        Space::<D>::rotate(&self.turn, x)
    }

    /// World point to body point.
    pub fn local_point(&self, x: &Vect<D>) -> Vect<D> {
        Space::<D>::unrotate(&self.turn, &(x - self.centre))
    }

    /// World direction to body direction.
    pub fn local_direction(&self, x: &Vect<D>) -> Vect<D> {
        Space::<D>::unrotate(&self.turn, x)
    }

    /// A placement given in this frame, seen from the world.
    pub fn then(&self, local: &Self) -> Self {
        Self { centre: self.point(&local.centre), turn: Space::<D>::compose(&self.turn, &local.turn) }
    }
}
