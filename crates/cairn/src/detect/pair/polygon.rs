//! A polygon's contacts with every other shape, each in its own file, and the placed polygon that they share.

use super::{ConvexPairs, polygon_ball, polygon_half_plane, polygon_hollow, polygon_polygon, polygon_surface};
use crate::contact::Touch;
use crate::detect::mesh::point_polygon;
use crate::shape::{Ball, ConvexShape, HalfSpace, Hollow, Polygon, Surface};
use crate::space::{Placement, Vect};

impl ConvexPairs<2> for Polygon {
    fn with_convex(&self, a: &Placement<2>, other: &Self, b: &Placement<2>, reach: f64, out: &mut Vec<Touch<2>>) {
        polygon_polygon::touches(self, a, other, b, reach, out);
    }
    fn with_ball(&self, a: &Placement<2>, ball: &Ball, b: &Placement<2>, reach: f64, out: &mut Vec<Touch<2>>) {
        out.extend(polygon_ball::touch(self, a, ball, b, reach));
    }
    fn with_half_space(
        &self,
        a: &Placement<2>,
        other: &HalfSpace<2>,
        b: &Placement<2>,
        reach: f64,
        out: &mut Vec<Touch<2>>,
    ) {
        polygon_half_plane::touches(self, a, other, b, reach, out);
    }
    fn with_hollow(&self, a: &Placement<2>, other: &Hollow, b: &Placement<2>, reach: f64, out: &mut Vec<Touch<2>>) {
        polygon_hollow::touches(self, a, other, b, reach, out);
    }
    fn with_surface(
        &self,
        a: &Placement<2>,
        other: &Surface<2>,
        b: &Placement<2>,
        reach: f64,
        out: &mut Vec<Touch<2>>,
    ) {
        polygon_surface::touches(self, a, other, b, reach, out);
    }
    fn nearest_to_point(&self, x: &Vect<2>, faces: &dyn Fn(&Vect<2>) -> bool) -> Option<(Vect<2>, Vect<2>)> {
        point_polygon::nearest(self, x, faces)
    }
}

/// An edge in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub start: Vect<2>,
    pub end: Vect<2>,
    /// Outward.
    pub normal: Vect<2>,
    pub length: f64,
}

impl Edge {
    /// Unit vector from start to end.
    pub fn tangent(&self) -> Vect<2> {
        Vect::<2>::new(-self.normal.y, self.normal.x)
    }

    /// Where the foot of the perpendicular from `x` is, from 0 to `length`.
    pub fn along(&self, x: &Vect<2>) -> f64 {
        self.tangent().dot(&(x - self.start))
    }
}

/// A polygon in place, seen from an origin near to it: digits are not lost far from the world's origin.
pub(super) struct Placed<'a> {
    pub polygon: &'a Polygon,
    place: Placement<2>,
}

/// The face of a polygon that separates it best from something, the vertex (of the other) nearest to it, and the
/// signed distance of the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestFace {
    pub edge: usize,
    pub vertex: usize,
    pub separation: f64,
}

impl<'a> Placed<'a> {
    pub fn new(polygon: &'a Polygon, place: &Placement<2>, origin: &Vect<2>) -> Self {
        Self { polygon, place: Placement { centre: place.centre - origin, turn: place.turn } }
    }

    pub fn vertex(&self, i: usize) -> Vect<2> {
        self.place.point(&self.polygon.vertices()[i])
    }

    pub fn edge(&self, i: usize) -> Edge {
        Edge {
            start: self.vertex(i),
            end: self.vertex(self.polygon.next(i)),
            normal: self.place.direction(&self.polygon.normals()[i]),
            length: self.polygon.lengths()[i],
        }
    }

    /// Separating-axis test with the normals of this polygon; the first of equal faces.
    pub fn best_face(&self, other: &Placed) -> BestFace {
        let mut best = BestFace { edge: 0, vertex: 0, separation: f64::NEG_INFINITY };
        for (edge, n) in self.polygon.normals().iter().enumerate() {
            let normal = self.place.direction(n);
            let vertex = other.polygon.support(&-other.place.local_direction(&normal));
            let separation = normal.dot(&(other.vertex(vertex) - self.vertex(edge)));
            if separation > best.separation {
                best = BestFace { edge, vertex, separation };
            }
        }
        best
    }
}
