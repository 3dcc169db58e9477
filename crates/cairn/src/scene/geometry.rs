//! From a form of the scene file to a shape with volume, centroid and inertia, in either dimension.
//!
//! Principal axes: J = tr(S) I − S with S the second moment; the body's axes are kept if J is diagonal within round-off,
//! else they are its eigenvectors, direct. Moments that agree within round-off are made equal, so that the free
//! rotation of a cube is that of a sphere, and of a prism that of a symmetric top.

use super::spec::{Form, Pose};
use crate::shape::{Ball, HalfSpace, Hollow, Polygon, Polyhedron, Shape, Surface};
use crate::space::{Ambient, Mat, Moments, Placement, Space, Turn, Vect};
use nalgebra::{Rotation3, UnitQuaternion};
use std::sync::Arc;

/// Relative difference below which numbers that should be equal are.
const ROUND_OFF: f64 = 1e-12;

/// What making bodies asks of a space, on top of [`Ambient`].
pub trait Build<const D: usize>: Ambient<D> {
    /// Convex polygon or polyhedron by its vertices.
    fn convex(points: &[Vect<D>]) -> Result<Self::Convex, String>;
    /// Moments of inertia about principal axes, and these axes as columns, for a second moment times density.
    fn principal(second_moment: &Mat<D>) -> (Self::Moments, Mat<D>);
    /// Moments given as (x, y, z), in 2D the last.
    fn moments(moments: [f64; 3]) -> Self::Moments;
    /// The rotation with these columns.
    fn turn(axes: &Mat<D>) -> Self::Turn;
    /// The moments times a factor.
    fn scaled(moments: &Self::Moments, factor: f64) -> Self::Moments;
}

impl Build<2> for Space<2> {
    fn convex(points: &[Vect<2>]) -> Result<Polygon, String> {
        Polygon::new(points).map_err(|e| e.to_string())
    }
    fn principal(second_moment: &Mat<2>) -> (f64, Mat<2>) {
        (second_moment.trace(), Mat::<2>::identity())
    }
    fn moments(moments: [f64; 3]) -> f64 {
        moments[2]
    }
    fn turn(axes: &Mat<2>) -> Turn<2> {
        nalgebra::UnitComplex::from_matrix(axes)
    }
    fn scaled(moments: &f64, factor: f64) -> f64 {
        moments * factor
    }
}

impl Build<3> for Space<3> {
    fn convex(points: &[Vect<3>]) -> Result<Polyhedron, String> {
        Polyhedron::from_points(points).map_err(|e| e.to_string())
    }
    fn principal(second_moment: &Mat<3>) -> (Vect<3>, Mat<3>) {
        let inertia = Mat::<3>::identity() * second_moment.trace() - second_moment;
        let scale = inertia.trace();
        let off_diagonal = inertia[(0, 1)].abs().max(inertia[(0, 2)].abs()).max(inertia[(1, 2)].abs());
        if off_diagonal <= ROUND_OFF * scale {
            return (evened(inertia.diagonal()), Mat::<3>::identity());
        }
        let eigen = inertia.symmetric_eigen();
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        (evened(eigen.eigenvalues), axes)
    }
    fn moments(moments: [f64; 3]) -> Vect<3> {
        Vect::<3>::from(moments)
    }
    fn turn(axes: &Mat<3>) -> Turn<3> {
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*axes))
    }
    fn scaled(moments: &Vect<3>, factor: f64) -> Vect<3> {
        moments * factor
    }
}

/// Equal where they agree within round-off.
fn evened(mut j: Vect<3>) -> Vect<3> {
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        if (j[a] - j[b]).abs() <= ROUND_OFF * j[a].abs() {
            j[b] = j[a];
        }
    }
    j
}

/// The first D components.
pub fn lower<const D: usize>(x: [f64; 3]) -> Vect<D> {
    Vect::<D>::from_fn(|i, _| x[i])
}

/// A pose as a placement.
pub fn placement<const D: usize>(pose: &Pose) -> Placement<D>
where
    Space<D>: Ambient<D>,
{
    let turn = if pose.rotation == [0.0; 3] {
        Space::<D>::no_turn()
    } else {
        Space::<D>::turn_by(&Space::<D>::lower_spin(&pose.rotation))
    };
    Placement { centre: lower(pose.position), turn }
}

/// The shape of a form.
pub fn shape<const D: usize>(form: &Form) -> Result<Shape<D>, String>
where
    Space<D>: Build<D>,
{
    let lowered = |points: &[[f64; 3]]| points.iter().map(|p| lower::<D>(*p)).collect::<Vec<_>>();
    Ok(match form {
        Form::Ball(radius) => Shape::Ball(Ball { radius: *radius }),
        Form::HalfSpace(normal) => Shape::HalfSpace(HalfSpace { normal: lower(*normal) }),
        Form::Hollow(radius) => Shape::Hollow(Hollow { radius: *radius }),
        Form::Convex(points) => Shape::Convex(Arc::new(Space::<D>::convex(&lowered(points))?)),
        Form::Surface(mesh) => {
            let facets = mesh.1.iter().map(|f| std::array::from_fn(|k| f[k])).collect();
            Shape::Surface(Arc::new(Surface::new(lowered(&mesh.0), facets).map_err(|e| e.to_string())?))
        }
        Form::Profile(profile) => Shape::Surface(Arc::new(Surface::of_profile(profile).map_err(|e| e.to_string())?)),
    })
}

/// Infinite moments, of a body that no impulse turns.
pub fn infinite<const D: usize>() -> Moments<D>
where
    Space<D>: Build<D>,
{
    Space::<D>::moments([f64::INFINITY; 3])
}
