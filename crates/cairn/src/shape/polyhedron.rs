//! Convex polyhedron.
use super::{ConvexShape, MassProperties};
use crate::space::{Mat, Vect};
/// Convex polyhedron, counter-clockwise; two vertices make a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<Vect<3>>,
}
impl ConvexShape<3> for Polyhedron {
    fn vertices(&self) -> &[Vect<3>] {
        &self.vertices
    }
    fn mass_properties(&self) -> MassProperties<3> {
        todo!()
    }
    fn reframed(&self, _: &Vect<3>, _: &Mat<3>) -> Self {
        todo!()
    }
}
