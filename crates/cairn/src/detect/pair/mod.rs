//! Narrow phase: one file per pair of shapes.
//!
//! In each the first shape is the candidate, the second the antagonist; [`touches`] takes them in any order.

pub mod ball_ball;
pub mod ball_half_space;
pub mod ball_hollow;
pub(super) mod ball_polyhedron;
pub mod ball_surface;
mod contact_polygon;
mod polygon;
mod polygon_ball;
mod polygon_half_plane;
mod polygon_hollow;
mod polygon_polygon;
mod polygon_surface;
mod polyhedron;
mod polyhedron_half_space;
mod polyhedron_hollow;
#[cfg(test)]
mod polyhedron_others_tests;
mod polyhedron_polyhedron;
mod polyhedron_surface;
#[cfg(test)]
mod polyhedron_surface_tests;
#[cfg(test)]
mod polyhedron_tests;
mod segments;
mod separation;
#[cfg(test)]
pub(crate) mod suite;

use crate::contact::Touch;
use crate::shape::{Ball, HalfSpace, Hollow, Shape, Surface};
use crate::space::{Ambient, Placement, Space, Vect};

/// Contacts of a convex polygon or polyhedron with every other shape.
///
/// `self`, placed at `a`, is the candidate; the other shape, placed at `b`, is the antagonist. Only touches with
/// gap ≤ `reach` are pushed on `out`. Normals point from the antagonist to the candidate.
pub trait ConvexPairs<const D: usize>: Sized {
    /// With another of its kind.
    fn with_convex(&self, a: &Placement<D>, other: &Self, b: &Placement<D>, reach: f64, out: &mut Vec<Touch<D>>)
    where
        Space<D>: Ambient<D>;
    /// With a disk or sphere.
    fn with_ball(&self, a: &Placement<D>, ball: &Ball, b: &Placement<D>, reach: f64, out: &mut Vec<Touch<D>>)
    where
        Space<D>: Ambient<D>;
    /// With a half-plane or half-space.
    fn with_half_space(
        &self,
        a: &Placement<D>,
        other: &HalfSpace<D>,
        b: &Placement<D>,
        reach: f64,
        out: &mut Vec<Touch<D>>,
    ) where
        Space<D>: Ambient<D>;
    /// With a hollow disk or cylinder.
    fn with_hollow(&self, a: &Placement<D>, other: &Hollow, b: &Placement<D>, reach: f64, out: &mut Vec<Touch<D>>)
    where
        Space<D>: Ambient<D>;
    /// With a fixed surface.
    fn with_surface(&self, a: &Placement<D>, other: &Surface<D>, b: &Placement<D>, reach: f64, out: &mut Vec<Touch<D>>)
    where
        Space<D>: Ambient<D>;
    /// Outward normal and foot on the surface for a point, all in the shape's frame. Only sides, edges or corners whose
    /// direction `faces` accepts are meant; inside, the nearest of these sides.
    fn nearest_to_point(&self, x: &Vect<D>, faces: &dyn Fn(&Vect<D>) -> bool) -> Option<(Vect<D>, Vect<D>)>;
}

/// Any direction is as good as another: the first axis.
fn first_axis<const D: usize>() -> Vect<D> {
    Vect::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 })
}

/// The touches of two placed shapes with a gap of at most `reach`; normals point from the second shape to the first.
/// Two unbounded shapes, or surfaces, never touch.
pub fn touches<const D: usize>(
    first: (&Shape<D>, &Placement<D>),
    second: (&Shape<D>, &Placement<D>),
    reach: f64,
    out: &mut Vec<Touch<D>>,
) where
    Space<D>: Ambient<D>,
{
    let ((x, a), (y, b)) = (first, second);
    match (x, y) {
        (Shape::Ball(x), Shape::Ball(y)) => {
            out.extend(ball_ball::touch(&a.centre, x.radius, &b.centre, y.radius, reach));
        }
        (Shape::Ball(x), Shape::HalfSpace(y)) => out.extend(ball_half_space::touch(x, a, y, b, reach)),
        (Shape::Ball(x), Shape::Hollow(y)) => out.extend(ball_hollow::touch(x, a, y, b, reach)),
        (Shape::Ball(x), Shape::Surface(y)) => ball_surface::touches(x, a, y, b, reach, out),
        (Shape::Convex(x), Shape::Convex(y)) => x.with_convex(a, y, b, reach, out),
        (Shape::Convex(x), Shape::Ball(y)) => x.with_ball(a, y, b, reach, out),
        (Shape::Convex(x), Shape::HalfSpace(y)) => x.with_half_space(a, y, b, reach, out),
        (Shape::Convex(x), Shape::Hollow(y)) => x.with_hollow(a, y, b, reach, out),
        (Shape::Convex(x), Shape::Surface(y)) => x.with_surface(a, y, b, reach, out),
        (Shape::Ball(_), Shape::Convex(_))
        | (Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_), Shape::Ball(_) | Shape::Convex(_)) => {
            let start = out.len();
            touches(second, first, reach, out);
            out[start..].iter_mut().for_each(|touch| touch.normal = -touch.normal);
        }
        (
            Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_),
            Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_),
        ) => {}
    }
}
