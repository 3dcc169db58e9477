//! Convex polygon.
use super::{Ball, ConvexShape, HalfSpace, Hollow, MassProperties, Surface};
use crate::contact::Touch;
use crate::space::{Mat, Placement, Vect};
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

impl crate::detect::pair::ConvexPairs<2> for Polygon {
    fn with_convex(&self, _: &Placement<2>, _: &Self, _: &Placement<2>, _: f64, _: &mut Vec<Touch<2>>) {}
    fn with_ball(&self, _: &Placement<2>, _: &Ball, _: &Placement<2>, _: f64, _: &mut Vec<Touch<2>>) {}
    fn with_half_space(&self, _: &Placement<2>, _: &HalfSpace<2>, _: &Placement<2>, _: f64, _: &mut Vec<Touch<2>>) {}
    fn with_hollow(&self, _: &Placement<2>, _: &Hollow, _: &Placement<2>, _: f64, _: &mut Vec<Touch<2>>) {}
    fn with_surface(&self, _: &Placement<2>, _: &Surface<2>, _: &Placement<2>, _: f64, _: &mut Vec<Touch<2>>) {}
}
