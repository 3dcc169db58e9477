//! Point and ball: g = ‖x‖ − r, n = x/‖x‖. At the very centre there is no way out that is better than another.

use crate::shape::Ball;
use crate::space::Vect;

/// Outward normal and signed distance, in the shape's frame.
pub(super) fn distance<const D: usize>(shape: &Ball, x: &Vect<D>) -> Option<(Vect<D>, f64)> {
    let distance = x.norm();
    (distance > 0.0).then(|| (x / distance, distance - shape.radius))
}
