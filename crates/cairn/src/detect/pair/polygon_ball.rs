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

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_pairs_pass_the_suite_and_find_the_distance(
            p in polygon(), a in placement(), b in placement(), radius in 0.05..0.5, shift in point(), angle in -3.0..3.0,
        ) {
            let outline = sides(&corners(&p, &a));
            let reach = 0.5;
            let here = check(&(convex(p), a), &(ball(radius), b), reach, &(10.0 * shift), &angle);
            let from_outline =
                outline.iter().map(|s| point_to_segment(&b.centre, s)).fold(f64::INFINITY, f64::min);
            let expected = if inside(&b.centre, &outline) { -from_outline } else { from_outline } - radius;
            let gap = smallest_gap(&here);
            if expected <= reach {
                prop_assert!((gap.unwrap() - expected).abs() < ROUND_OFF, "{gap:?} for {expected}");
            } else {
                prop_assert_eq!(gap, None);
            }
        }
    }
}
