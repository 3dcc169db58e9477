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
