//! Ball – polyhedron: the point of the polyhedron nearest to the centre.
//!
//! Outside, that point lies on one of the faces that the centre sees: on the face itself, an edge or a corner. Inside,
//! the nearest face pushes the ball out.

use crate::contact::Touch;
use crate::shape::{Ball, ConvexShape, Polyhedron};
use crate::space::{Placement, Vect};

/// A centre closer than this to the surface, relative to the ball's radius, takes the normal of the face.
const ON_SURFACE: f64 = 1e-10;

/// The touch between a polyhedron (candidate) and a ball (antagonist). Only one is possible: its feature is 0.
pub(super) fn touch(
    shape: &Polyhedron,
    a: &Placement<3>,
    ball: &Ball,
    b: &Placement<3>,
    reach: f64,
) -> Option<Touch<3>> {
    let centre = a.local_point(&b.centre);
    let (mut top, mut highest) = (0, f64::NEG_INFINITY);
    for (f, face) in shape.faces().iter().enumerate() {
        let height = face.normal.dot(&centre) - face.offset;
        if height > ball.radius + reach {
            return None;
        }
        if height > highest {
            (top, highest) = (f, height);
        }
    }
    let mut outward = shape.faces()[top].normal;
    let mut distance = highest;
    if highest > 0.0 {
        let apart = centre - nearest_point(shape, &centre);
        distance = apart.norm();
        if distance > ON_SURFACE * ball.radius {
            outward = apart / distance;
        }
    }
    let gap = distance - ball.radius;
    (gap <= reach).then(|| Touch {
        feature: 0,
        point: a.point(&(centre - outward * (ball.radius + 0.5 * gap))),
        normal: -a.direction(&outward),
        gap,
        area: 0.0,
    })
}

/// The point of the surface nearest to a point outside.
pub(in crate::detect) fn nearest_point(shape: &Polyhedron, centre: &Vect<3>) -> Vect<3> {
    let mut best = (f64::INFINITY, *centre);
    for (f, face) in shape.faces().iter().enumerate() {
        let height = face.normal.dot(centre) - face.offset;
        if height > 0.0 && height < best.0 {
            let point = nearest_in_face(shape, f, centre);
            let distance = (point - centre).norm();
            if distance < best.0 {
                best = (distance, point);
            }
        }
    }
    best.1
}

/// The point of one face nearest to a point above its plane.
fn nearest_in_face(shape: &Polyhedron, f: usize, centre: &Vect<3>) -> Vect<3> {
    let (face, ring) = (&shape.faces()[f], shape.ring(f));
    let vertex = |k: usize| shape.vertices()[ring[k % ring.len()] as usize];
    let mut best: Option<(f64, Vect<3>)> = None;
    for k in 0..ring.len() {
        let (p, along) = (vertex(k), vertex(k + 1) - vertex(k));
        if along.cross(&face.normal).dot(&(centre - p)) > 0.0 {
            let point = p + along * (along.dot(&(centre - p)) / along.norm_squared()).clamp(0.0, 1.0);
            let distance = (point - centre).norm();
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, point));
            }
        }
    }
    best.map_or_else(|| centre - face.normal * (face.normal.dot(centre) - face.offset), |(_, point)| point)
}
