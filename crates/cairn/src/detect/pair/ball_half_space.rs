//! Ball on a half-space: g = n · (c − p) − r, with the face's normal n and a point p on it.

use crate::contact::Touch;
use crate::shape::{Ball, HalfSpace};
use crate::space::{Ambient, Placement, Space};

/// The touch of a ball (candidate) with a half-space.
pub fn touch<const D: usize>(
    ball: &Ball,
    a: &Placement<D>,
    half: &HalfSpace<D>,
    b: &Placement<D>,
    reach: f64,
) -> Option<Touch<D>>
where
    Space<D>: Ambient<D>,
{
    let normal = b.direction(&half.normal);
    let gap = normal.dot(&(a.centre - b.centre)) - ball.radius;
    let point = a.centre - normal * (ball.radius + 0.5 * gap);
    (gap <= reach).then_some(Touch { feature: 0, point, normal, gap, area: 0.0 })
}

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::shape::{HalfSpace, Shape};
    use crate::space::{Placement, Vect};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn disks_pass_the_suite(a in placement(), b in placement(), shift in point(), angle in -3.0..3.0) {
            let half = (Shape::HalfSpace(HalfSpace { normal: Vect::<2>::y() }), b);
            let here = check(&(ball(0.4), a), &half, 0.5, &(10.0 * shift), &angle);
            let expected = b.local_point(&a.centre).y - 0.4;
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
        }

        #[test]
        fn spheres_pass_the_suite(x in proptest::array::uniform3(-1.0..1.0), angle in proptest::array::uniform3(-1.5..1.5)) {
            let centre = Vect::<3>::from(x);
            let half = (Shape::HalfSpace(HalfSpace { normal: Vect::<3>::z() }), Placement::identity());
            let sphere = (ball(0.4), Placement { centre, ..Placement::identity() });
            let here = check(&sphere, &half, 0.5, &(10.0 * centre), &angle.into());
            let expected = centre.z - 0.4;
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
        }
    }
}
