//! Narrow phase: one file per pair of shapes.

mod ball_polyhedron;
mod contact_polygon;
mod polyhedron;
mod polyhedron_half_space;
mod polyhedron_hollow;
mod polyhedron_polyhedron;
mod polyhedron_surface;
mod segments;
mod separation;

use crate::contact::Touch;
use crate::shape::{Ball, HalfSpace, Hollow, Surface};
use crate::space::{Ambient, Placement, Space};

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
}
