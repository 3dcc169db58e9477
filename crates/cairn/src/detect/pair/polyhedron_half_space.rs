//! Polyhedron – half-space: vertices within reach of the plane.
//!
//! The face that looks at the plane gives its corners, reduced like any contact polygon (never below eight: a flat
//! block keeps its four corners). Further vertices within reach, as when a block rolls from face to face, are added,
//! lowest first, up to the same number. The feature is the vertex.

use super::contact_polygon::{ContactPolygon, MOST};
use crate::contact::Touch;
use crate::shape::{ConvexShape, HalfSpace, Polyhedron};
use crate::space::{Placement, Vect};

/// Touches between a polyhedron (candidate) and a half-space (antagonist).
pub(super) fn touches(
    shape: &Polyhedron,
    a: &Placement<3>,
    ground: &HalfSpace<3>,
    b: &Placement<3>,
    reach: f64,
    out: &mut Vec<Touch<3>>,
) {
    let up = b.direction(&ground.normal);
    // The plane in the polyhedron's frame: the gap of a vertex v is n · v + level.
    let normal = a.local_direction(&up);
    let level = up.dot(&(a.centre - b.centre));
    if level - shape.radius() > reach {
        return;
    }
    let gap_of = |v: &Vect<3>| normal.dot(v) + level;
    let near = shape.vertices().iter().filter(|v| gap_of(v) <= reach).count();
    if near == 0 {
        return;
    }
    let vertex_touch = |v: u32, area: f64| {
        let x = shape.vertices()[v as usize];
        let gap = gap_of(&x);
        Touch { feature: v, point: a.point(&(x - normal * (0.5 * gap))), normal: up, gap, area }
    };
    let face = facing_face(shape, &normal);
    let mut polygon = ContactPolygon::default();
    polygon.start(shape.ring(face).iter().map(|&v| (v, shape.vertices()[v as usize])));
    polygon.share_area(&normal);
    polygon.corners.retain(|c| gap_of(&c.point) <= reach);
    let in_face = polygon.corners.len();
    polygon.cap(&normal);
    out.extend(polygon.corners.iter().map(|c| vertex_touch(c.from, c.area)));
    if near > in_face && in_face < MOST {
        let mut others: Vec<u32> = (0..shape.vertices().len() as u32)
            .filter(|v| !shape.ring(face).contains(v) && gap_of(&shape.vertices()[*v as usize]) <= reach)
            .collect();
        let height = |v: &u32| gap_of(&shape.vertices()[*v as usize]);
        others.sort_by(|i, j| height(i).total_cmp(&height(j)).then(i.cmp(j)));
        others.truncate(MOST - in_face);
        out.extend(others.iter().map(|&v| vertex_touch(v, 0.0)));
    }
}

/// Of the faces around the lowest vertex the one that looks most against `normal`.
fn facing_face(shape: &Polyhedron, normal: &Vect<3>) -> usize {
    let height = |v: &Vect<3>| normal.dot(v);
    let lowest = shape.vertices().iter().min_by(|v, w| height(v).total_cmp(&height(w)));
    let slack = 1e-5 * shape.radius();
    let around = |f: &usize| {
        let face = &shape.faces()[*f];
        lowest.is_some_and(|v| face.normal.dot(v) - face.offset > -slack)
    };
    let cosine = |f: &usize| shape.faces()[*f].normal.dot(normal);
    (0..shape.faces().len()).filter(around).min_by(|f, g| cosine(f).total_cmp(&cosine(g))).unwrap_or(0)
}
