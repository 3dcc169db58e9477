//! Point and half-space: g = n · x.

use crate::shape::HalfSpace;
use crate::space::Vect;

/// Outward normal and signed distance, in the shape's frame.
pub(super) fn distance<const D: usize>(shape: &HalfSpace<D>, x: &Vect<D>) -> (Vect<D>, f64) {
    (shape.normal, shape.normal.dot(x))
}
