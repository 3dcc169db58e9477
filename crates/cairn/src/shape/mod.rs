//! Shapes: what a body occupies, its mass, centre and inertia.
//!
//! A shape lives in its own frame; bodies place it. One file each.

mod ball;
mod error;
mod facet_tree;
mod half_space;
mod hollow;
mod hull;
mod polygon;
mod polyhedron;
mod profile;
mod surface;

pub use ball::Ball;
pub use error::ShapeError;
pub use facet_tree::Aabb;
pub use half_space::HalfSpace;
pub use hollow::Hollow;
pub use polygon::Polygon;
pub use polyhedron::{Edge, Face, Polyhedron, PolyhedronError};
pub use profile::{Profile, Sweep};
pub use surface::Surface;

use crate::space::{Ambient, Mat, Space, Vect};
use std::fmt::Debug;
use std::sync::Arc;

/// A primitive shape. Unions are several parts of one body.
#[derive(Clone, Debug)]
pub enum Shape<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Disk (2D) or sphere (3D), centred.
    Ball(Ball),
    /// Half-plane or half-space: all that lies behind a face through the origin.
    HalfSpace(HalfSpace<D>),
    /// Outside of a disk (2D) or of an endless cylinder about the third axis (3D): grains go inside.
    Hollow(Hollow),
    /// Convex polygon (a segment if it has two vertices) or polyhedron.
    Convex(Arc<<Space<D> as Ambient<D>>::Convex>),
    /// Fixed surface: chain of segments (2D) or triangles (3D).
    Surface(Arc<Surface<D>>),
}

impl<const D: usize> Shape<D>
where
    Space<D>: Ambient<D>,
{
    /// Volume, centroid and second moments; none for shapes without an end or an inside.
    pub fn mass_properties(&self) -> Option<MassProperties<D>> {
        match self {
            Shape::Ball(ball) => Some(ball.mass_properties()),
            Shape::Convex(convex) => Some(convex.mass_properties()),
            Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_) => None,
        }
    }

    /// Radius of the bounding ball about the shape's origin [m]; infinite for shapes without an end.
    pub fn bounding_radius(&self) -> f64 {
        let farthest = |points: &[Vect<D>]| points.iter().map(|x| x.norm()).fold(0.0, f64::max);
        match self {
            Shape::Ball(ball) => ball.radius,
            Shape::Convex(convex) => farthest(convex.vertices()),
            Shape::Surface(surface) => farthest(&surface.vertices),
            Shape::HalfSpace(_) | Shape::Hollow(_) => f64::INFINITY,
        }
    }
}

/// Volume (area in 2D, for unit depth), centroid and second moments of a shape of unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<const D: usize> {
    /// m³ (2D: m², unit depth).
    pub volume: f64,
    /// Centroid in the shape's frame [m].
    pub centroid: Vect<D>,
    /// ∫ (x − c)(x − c)ᵀ dV about the centroid, in the shape's axes. From it: J = tr(S) I − S (3D), tr(S) (2D).
    pub second_moment: Mat<D>,
}

/// What the program asks of a convex polygon or polyhedron.
pub trait ConvexShape<const D: usize>: Clone + Debug + Send + Sync + 'static {
    /// Vertices in the shape's frame.
    fn vertices(&self) -> &[Vect<D>];
    /// Volume, centroid, second moments.
    fn mass_properties(&self) -> MassProperties<D>;
    /// The same shape seen from a frame at `centre` whose axes are the columns of `axes`: x ↦ axesᵀ (x − centre).
    fn reframed(&self, centre: &Vect<D>, axes: &Mat<D>) -> Self;
    /// Polygons to draw it with, as vertex numbers: its faces; a polygon is its own.
    fn rings(&self) -> Vec<Vec<u32>> {
        vec![(0..self.vertices().len() as u32).collect()]
    }
}
