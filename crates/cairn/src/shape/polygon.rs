//! Convex polygon.
use super::{ConvexShape, MassProperties};
use crate::space::{Mat, Vect};
/// Convex polygon, counter-clockwise; two vertices make a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    vertices: Vec<Vect<2>>,
}
impl ConvexShape<2> for Polygon {
    fn vertices(&self) -> &[Vect<2>] {
        &self.vertices
    }
    fn mass_properties(&self) -> MassProperties<2> {
        todo!()
    }
    fn reframed(&self, _: &Vect<2>, _: &Mat<2>) -> Self {
        todo!()
    }
}
