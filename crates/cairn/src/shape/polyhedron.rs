//! Convex polyhedron.
use super::{Ball, ConvexShape, HalfSpace, Hollow, MassProperties, Surface};
use crate::contact::Touch;
use crate::space::{Mat, Placement, Vect};
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

impl crate::detect::pair::ConvexPairs<3> for Polyhedron {
    fn with_convex(&self, _: &Placement<3>, _: &Self, _: &Placement<3>, _: f64, _: &mut Vec<Touch<3>>) {}
    fn with_ball(&self, _: &Placement<3>, _: &Ball, _: &Placement<3>, _: f64, _: &mut Vec<Touch<3>>) {}
    fn with_half_space(&self, _: &Placement<3>, _: &HalfSpace<3>, _: &Placement<3>, _: f64, _: &mut Vec<Touch<3>>) {}
    fn with_hollow(&self, _: &Placement<3>, _: &Hollow, _: &Placement<3>, _: f64, _: &mut Vec<Touch<3>>) {}
    fn with_surface(&self, _: &Placement<3>, _: &Surface<3>, _: &Placement<3>, _: f64, _: &mut Vec<Touch<3>>) {}
}
