//! Polygon and disk: against the nearest edge, or the nearest vertex where the disk's centre lies past an edge's end.

use crate::contact::Touch;
use crate::shape::{Ball, ConvexShape, Polygon};
use crate::space::{Placement, Vect};

/// The touch of a polygon (candidate) with a disk.
pub fn touch(polygon: &Polygon, a: &Placement<2>, ball: &Ball, b: &Placement<2>, reach: f64) -> Option<Touch<2>> {
    let centre = a.local_point(&b.centre);
    let (outward, distance) = nearest(polygon, &centre);
    let gap = distance - ball.radius;
    if gap > reach {
        return None;
    }
    let normal = -a.direction(&outward);
    let point = b.centre + normal * (ball.radius + 0.5 * gap);
    Some(Touch { feature: 0, point, normal, gap, area: 0.0 })
}

/// Direction from the polygon to the point, and signed distance.
pub(super) fn nearest(polygon: &Polygon, x: &Vect<2>) -> (Vect<2>, f64) {
    let vertices = polygon.vertices();
    let (mut face, mut separation) = (0, f64::NEG_INFINITY);
    for (i, n) in polygon.normals().iter().enumerate() {
        let s = n.dot(&(x - vertices[i]));
        if s > separation {
            (face, separation) = (i, s);
        }
    }
    let n = polygon.normals()[face];
    let along = n.perp(&(x - vertices[face]));
    let past = if along < 0.0 {
        vertices[face]
    } else if along > polygon.lengths()[face] {
        vertices[polygon.next(face)]
    } else {
        return (n, separation);
    };
    let d = x - past;
    let distance = d.norm();
    if separation < 0.0 || distance == 0.0 { (n, separation) } else { (d / distance, distance) }
}
