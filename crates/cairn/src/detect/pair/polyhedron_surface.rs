//! Polyhedron – fixed surface of triangles.
use crate::contact::Touch;
use crate::shape::{Polyhedron, Surface};
use crate::space::Placement;
pub(super) fn touches(
    _shape: &Polyhedron,
    _a: &Placement<3>,
    _surface: &Surface<3>,
    _b: &Placement<3>,
    _reach: f64,
    _out: &mut Vec<Touch<3>>,
) {
}
