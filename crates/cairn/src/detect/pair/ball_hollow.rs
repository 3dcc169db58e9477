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
