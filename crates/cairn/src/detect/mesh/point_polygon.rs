//! Point and polygon: outside, the nearest point of the outline; inside or on it, the nearest side that the point faces.

use crate::shape::{ConvexShape, Polygon};
use crate::space::Vect;

/// A point nearer to the outline than this part of the polygon's size is on it.
const ON_OUTLINE: f64 = 1e-9;

/// Outward normal, and the foot on the outline, in the polygon's frame.
pub(in crate::detect) fn nearest(
    polygon: &Polygon,
    x: &Vect<2>,
    faces: &dyn Fn(&Vect<2>) -> bool,
) -> Option<(Vect<2>, Vect<2>)> {
    let vertices = polygon.vertices();
    let tolerance = ON_OUTLINE * polygon.lengths().iter().copied().fold(0.0, f64::max);
    let (mut foot, mut distance) = (vertices[0], f64::INFINITY);
    let mut highest = f64::NEG_INFINITY;
    let mut faced: Option<(f64, Vect<2>)> = None;
    for (i, n) in polygon.normals().iter().enumerate() {
        let height = n.dot(&(x - vertices[i]));
        highest = highest.max(height);
        if faces(n) && faced.is_none_or(|(best, _)| height > best) {
            faced = Some((height, *n));
        }
        let side = vertices[polygon.next(i)] - vertices[i];
        let along = (side.dot(&(x - vertices[i])) / side.norm_squared()).clamp(0.0, 1.0);
        let point = vertices[i] + side * along;
        if (x - point).norm() < distance {
            (foot, distance) = (point, (x - point).norm());
        }
    }
    if highest <= 0.0 || distance <= tolerance {
        return faced.map(|(height, n)| (n, x - n * height));
    }
    let normal = (x - foot) / distance;
    faces(&normal).then_some((normal, foot))
}
