//! Two balls: g = |a − b| − (rₐ + r_b), n = (a − b)/|a − b|.

use super::first_axis;
use crate::contact::Touch;
use crate::space::Vect;

/// The touch of two balls given by centre and radius. Balls with one centre are pushed apart along the first axis.
#[inline(always)]
pub fn touch<const D: usize>(a: &Vect<D>, radius_a: f64, b: &Vect<D>, radius_b: f64, reach: f64) -> Option<Touch<D>> {
    let d = a - b;
    let distance = d.norm();
    let gap = distance - (radius_a + radius_b);
    if gap > reach {
        return None;
    }
    let normal = if distance > 0.0 { d / distance } else { first_axis() };
    let point = b + normal * (radius_b + 0.5 * gap);
    Some(Touch { feature: 0, point, normal, gap, area: 0.0 })
}

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::space::{Placement, Vect};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn disks_pass_the_suite(a in placement(), b in placement(), shift in point(), angle in -3.0..3.0) {
            let here = check(&(ball(0.4), a), &(ball(0.7), b), 0.5, &(10.0 * shift), &angle);
            let expected = (a.centre - b.centre).norm() - 1.1;
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
        }

        #[test]
        fn spheres_pass_the_suite(x in proptest::array::uniform3(-1.0..1.0), angle in proptest::array::uniform3(-1.5..1.5)) {
            let at = |centre| Placement { centre, ..Placement::identity() };
            let centre = Vect::<3>::from(x);
            let here = check(&(ball(0.4), at(centre)), &(ball(0.7), at(Vect::zeros())), 0.5, &(10.0 * centre), &angle.into());
            let expected = centre.norm() - 1.1;
            prop_assert!(smallest_gap(&here).map_or(expected > 0.5, |g| (g - expected).abs() < ROUND_OFF));
        }
    }

    #[test]
    fn point_is_in_the_middle_of_the_gap() {
        let touch = super::touch(&Vect::<2>::new(3.0, 0.0), 1.0, &Vect::<2>::zeros(), 1.5, 1.0).unwrap();
        assert_eq!((touch.point, touch.normal, touch.gap), (Vect::<2>::new(1.75, 0.0), Vect::<2>::x(), 0.5));
    }

    #[test]
    fn balls_with_one_centre_still_have_a_normal() {
        let touch = super::touch(&Vect::<3>::zeros(), 1.0, &Vect::zeros(), 1.0, 0.0).unwrap();
        assert_eq!((touch.normal, touch.gap), (Vect::<3>::x(), -2.0));
    }
}
