//! Ball inside a drum: with c⊥ the part of its centre across the drum's axis, g = R − |c⊥| − r, n = −c⊥/|c⊥|.

use super::first_axis;
use crate::contact::Touch;
use crate::shape::{Ball, Hollow};
use crate::space::{Ambient, Placement, Space};

/// The touch of a ball (candidate) with the drum around it. A ball on the axis leans on the first axis' side.
pub fn touch<const D: usize>(
    ball: &Ball,
    a: &Placement<D>,
    hollow: &Hollow,
    b: &Placement<D>,
    reach: f64,
) -> Option<Touch<D>>
where
    Space<D>: Ambient<D>,
{
    let across = Hollow::across(&b.local_point(&a.centre));
    let distance = across.norm();
    let gap = hollow.radius - distance - ball.radius;
    if gap > reach {
        return None;
    }
    let inward = if distance > 0.0 { -across / distance } else { -first_axis::<D>() };
    let normal = b.direction(&inward);
    let point = a.centre - normal * (ball.radius + 0.5 * gap);
    Some(Touch { feature: 0, point, normal, gap, area: 0.0 })
}

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::shape::{Hollow, Shape};
    use crate::space::{Placement, Vect};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn disks_pass_the_suite(a in placement(), b in placement(), shift in point(), angle in -3.0..3.0) {
            let drum = (Shape::Hollow(Hollow { radius: 3.0 }), b);
            let here = check(&(ball(0.4), a), &drum, 0.5, &(10.0 * shift), &angle);
            let expected = 2.6 - (a.centre - b.centre).norm();
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
        }

        #[test]
        fn spheres_pass_the_suite(x in proptest::array::uniform3(-1.0..1.0), angle in proptest::array::uniform3(-1.5..1.5)) {
            let centre = Vect::<3>::from(x);
            let drum = (Shape::Hollow(Hollow { radius: 1.6 }), Placement::identity());
            let sphere = (ball(0.4), Placement { centre, ..Placement::identity() });
            let here = check(&sphere, &drum, 0.5, &(10.0 * centre), &angle.into());
            let expected = 1.2 - centre.xy().norm();
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
            prop_assert!(here.iter().all(|t| t.normal.z == 0.0));
        }
    }
}
