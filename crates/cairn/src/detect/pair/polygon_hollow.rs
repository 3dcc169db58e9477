//! Polygon inside a drum: only vertices can touch, g = R − |x|, n = −x/|x| seen from the drum's centre.

use crate::contact::Touch;
use crate::shape::{ConvexShape, Hollow, Polygon};
use crate::space::Placement;

/// The touches of a polygon (candidate) with the drum around it; the feature is the vertex.
pub fn touches(
    polygon: &Polygon,
    a: &Placement<2>,
    hollow: &Hollow,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    for (i, v) in polygon.vertices().iter().enumerate() {
        let vertex = a.point(v);
        let from_centre = vertex - b.centre;
        let distance = from_centre.norm();
        let gap = hollow.radius - distance;
        if gap <= reach && distance > 0.0 {
            let normal = -from_centre / distance;
            out.push(Touch { feature: i as u32, point: vertex - normal * (0.5 * gap), normal, gap, area: 0.0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::shape::{Hollow, Shape};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_pairs_pass_the_suite_and_find_the_distance(
            p in polygon(), a in placement(), b in placement(), shift in point(), angle in -3.0..3.0,
        ) {
            let radius = 3.0;
            let farthest = corners(&p, &a).iter().map(|x| (x - b.centre).norm()).fold(0.0, f64::max);
            let (expected, reach) = (radius - farthest, 0.5);
            let drum = (Shape::Hollow(Hollow { radius }), b);
            let gap = smallest_gap(&check(&(convex(p), a), &drum, reach, &(10.0 * shift), &angle));
            prop_assert!(gap.map_or(expected > reach, |g| (g - expected).abs() < ROUND_OFF));
        }
    }
}
