//! Point and hollow: g = R − ‖x_across‖, n = −x_across/‖x_across‖.

use crate::shape::Hollow;
use crate::space::Vect;

/// Normal out of the material (towards the axis) and signed distance, in the shape's frame.
pub(super) fn distance<const D: usize>(shape: &Hollow, x: &Vect<D>) -> Option<(Vect<D>, f64)> {
    let across = Hollow::across(x);
    let distance = across.norm();
    (distance > 0.0).then(|| (-across / distance, shape.radius - distance))
}
