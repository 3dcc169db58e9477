//! The polyhedron's side of the narrow phase: which file does which pair, and how features are numbered.

use super::{
    ConvexPairs, ball_polyhedron, polyhedron_half_space, polyhedron_hollow, polyhedron_polyhedron, polyhedron_surface,
};
use crate::contact::Touch;
use crate::detect::mesh::point_polyhedron;
use crate::shape::{Ball, HalfSpace, Hollow, Polyhedron, Surface};
use crate::space::{Placement, Vect};

type Touches = Vec<Touch<3>>;

impl ConvexPairs<3> for Polyhedron {
    fn with_convex(&self, a: &Placement<3>, other: &Self, b: &Placement<3>, reach: f64, out: &mut Touches) {
        polyhedron_polyhedron::touches(self, a, other, b, reach, out);
    }

    fn with_ball(&self, a: &Placement<3>, ball: &Ball, b: &Placement<3>, reach: f64, out: &mut Touches) {
        out.extend(ball_polyhedron::touch(self, a, ball, b, reach));
    }

    fn with_half_space(&self, a: &Placement<3>, other: &HalfSpace<3>, b: &Placement<3>, reach: f64, out: &mut Touches) {
        polyhedron_half_space::touches(self, a, other, b, reach, out);
    }

    fn with_hollow(&self, a: &Placement<3>, other: &Hollow, b: &Placement<3>, reach: f64, out: &mut Touches) {
        polyhedron_hollow::touches(self, a, other, b, reach, out);
    }

    fn with_surface(&self, a: &Placement<3>, other: &Surface<3>, b: &Placement<3>, reach: f64, out: &mut Touches) {
        polyhedron_surface::touches(self, a, other, b, reach, out);
    }

    fn nearest_to_point(&self, x: &Vect<3>, faces: &dyn Fn(&Vect<3>) -> bool) -> Option<(Vect<3>, Vect<3>)> {
        point_polyhedron::nearest(self, x, faces)
    }
}

/// Which kind of features meet: the two highest bits of a feature number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Something against a face of the first shape.
    FirstFace = 0,
    /// Something against a face of the second shape.
    SecondFace = 1,
    /// Edge against edge.
    Edges = 2,
    /// Nearest points of shapes that do not face each other.
    Nearest = 3,
}

/// Number of a corner of a contact polygon: kind (2 bits), face (8), incident vertex (12), copy (10). The polygon has
/// one face, and its corners differ in vertex or copy, so the number is unique within the pair.
pub(super) fn corner_feature(kind: Meeting, face: usize, vertex: u32, copy: u32) -> u32 {
    ((kind as u32) << 30) | ((face as u32 & 0xff) << 22) | ((vertex & 0xfff) << 10) | copy.min(0x3ff)
}

/// Number of a meeting of two features that happens once in a pair: kind (2 bits), features (15 bits each).
pub(super) fn single_feature(kind: Meeting, first: u32, second: u32) -> u32 {
    ((kind as u32) << 30) | ((first & 0x7fff) << 15) | (second & 0x7fff)
}
