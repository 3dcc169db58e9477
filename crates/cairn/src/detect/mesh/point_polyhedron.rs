//! Point and polyhedron: outside, the nearest point of the surface; inside or on it, the nearest face that the point faces.

use crate::detect::pair::ball_polyhedron::nearest_point;
use crate::shape::Polyhedron;
use crate::space::Vect;

/// A point nearer to the surface than this part of the polyhedron's size is on it.
const ON_SURFACE: f64 = 1e-9;

/// Outward normal, and the foot on the surface, in the polyhedron's frame.
pub(in crate::detect) fn nearest(
    shape: &Polyhedron,
    x: &Vect<3>,
    faces: &dyn Fn(&Vect<3>) -> bool,
) -> Option<(Vect<3>, Vect<3>)> {
    let mut highest = f64::NEG_INFINITY;
    let mut faced: Option<(f64, Vect<3>)> = None;
    for face in shape.faces() {
        let height = face.normal.dot(x) - face.offset;
        highest = highest.max(height);
        if faces(&face.normal) && faced.is_none_or(|(best, _)| height > best) {
            faced = Some((height, face.normal));
        }
    }
    let foot = if highest > 0.0 { nearest_point(shape, x) } else { *x };
    let distance = (x - foot).norm();
    if distance <= ON_SURFACE * shape.radius() {
        return faced.map(|(height, n)| (n, x - n * height));
    }
    let normal = (x - foot) / distance;
    faces(&normal).then_some((normal, foot))
}
