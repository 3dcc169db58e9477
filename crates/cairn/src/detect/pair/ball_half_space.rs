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
