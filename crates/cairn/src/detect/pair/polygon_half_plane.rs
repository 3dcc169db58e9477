//! Polygon on a half-plane: every vertex within reach, g = n · (x − p). An edge that lies flat shares its length.

use crate::contact::Touch;
use crate::shape::{ConvexShape, HalfSpace, Polygon};
use crate::space::Placement;

/// Cosine of the largest angle to the half-plane at which an edge counts as lying on it.
const FLAT: f64 = 0.999;

/// The touches of a polygon (candidate) with a half-plane; the feature is the vertex.
pub fn touches(
    polygon: &Polygon,
    a: &Placement<2>,
    half: &HalfSpace<2>,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    let normal = b.direction(&half.normal);
    let down = -a.local_direction(&normal);
    let flat_length = |edge: usize| {
        if polygon.normals()[edge].dot(&down) > FLAT { polygon.lengths()[edge] } else { 0.0 }
    };
    for (i, v) in polygon.vertices().iter().enumerate() {
        let vertex = a.point(v);
        let gap = normal.dot(&(vertex - b.centre));
        if gap <= reach {
            let area = 0.5 * (flat_length(i) + flat_length(polygon.previous(i)));
            out.push(Touch { feature: i as u32, point: vertex - normal * (0.5 * gap), normal, gap, area });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::shape::{HalfSpace, Polygon, Shape};
    use crate::space::{Placement, Vect};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_pairs_pass_the_suite_and_find_the_distance(
            p in polygon(), a in placement(), b in placement(), shift in point(), angle in -3.0..3.0,
        ) {
            let half = HalfSpace { normal: Vect::<2>::new(0.6, 0.8) };
            let normal = b.direction(&half.normal);
            let expected =
                corners(&p, &a).iter().map(|x| normal.dot(&(x - b.centre))).fold(f64::INFINITY, f64::min);
            let reach = 0.5;
            let here = check(&(convex(p), a), &(Shape::HalfSpace(half), b), reach, &(10.0 * shift), &angle);
            let gap = smallest_gap(&here);
            prop_assert!(gap.map_or(expected > reach, |g| (g - expected).abs() < ROUND_OFF));
            prop_assert!(here.iter().all(|t| (t.normal - normal).norm() < 1e-14));
        }
    }

    #[test]
    fn flat_block_rests_on_two_corners_that_share_its_width() {
        let block = convex(Polygon::rectangle(3.0, 1.0).unwrap());
        let place = Placement { centre: Vect::<2>::new(0.0, 0.5), ..Placement::identity() };
        let half = Shape::HalfSpace(HalfSpace { normal: Vect::<2>::y() });
        let here = found(&(block, place), &(half, Placement::identity()), 0.01);
        assert_eq!(here.len(), 2);
        assert!(here.iter().all(|t| t.gap == 0.0 && t.area == 1.5 && t.point.x.abs() == 1.5));
    }
}
