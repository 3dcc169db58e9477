//! Candidate points against a rigid shape: signed distance and normal of the shape at each point, inside it too.

use super::against_skin::PlacedSkin;
use super::pose::{Spot, groups};
use super::{MeshTouch, SearchRange, point_ball, point_half_space, point_hollow, point_surface};
use crate::contact::Touch;
use crate::detect::pair::ConvexPairs;
use crate::shape::Shape;
use crate::space::{Ambient, Placement, Space, Vect};

/// The touches of the candidate points of a mesh with a rigid shape, in the order of the points. Half-spaces, balls and
/// hollows have no limit of depth: a point that has gone under comes out again.
pub fn with_rigid<const D: usize>(
    a: &PlacedSkin<D>,
    shape: &Shape<D>,
    place: &Placement<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) where
    Space<D>: Ambient<D>,
{
    let mut near = Vec::new();
    for group in groups(&a.skin.candidates) {
        let mut best: Option<(MeshTouch<D>, f64)> = None;
        for c in group {
            let spot = &a.pose.spots[c];
            let Some((normal, gap)) = at_point(spot, shape, place, range, &mut near) else { continue };
            let candidate = &a.skin.candidates[c];
            let facing = spot.normal.dot(&normal);
            // Of the points of one node, the one that faces the shape best keeps its touch.
            if best.as_ref().is_none_or(|(_, f)| facing < *f) {
                let point = spot.point - normal * (0.5 * gap);
                let touch = Touch { feature: c as u32, point, normal, gap, area: candidate.area };
                best = Some((MeshTouch { touch, candidate: candidate.hold, antagonist: None, facet: None }, facing));
            }
        }
        out.extend(best.map(|(touch, _)| touch));
    }
}

/// Normal and gap of one point, in world axes.
fn at_point<const D: usize>(
    spot: &Spot<D>,
    shape: &Shape<D>,
    place: &Placement<D>,
    range: &SearchRange,
    near: &mut Vec<u32>,
) -> Option<(Vect<D>, f64)>
where
    Space<D>: Ambient<D>,
{
    let x = place.local_point(&spot.point);
    let faces = |n: &Vect<D>| spot.faces(&place.direction(n));
    let (normal, gap) = match shape {
        Shape::HalfSpace(shape) => point_half_space::distance(shape, &x),
        Shape::Ball(shape) => point_ball::distance(shape, &x)?,
        Shape::Hollow(shape) => point_hollow::distance(shape, &x)?,
        Shape::Convex(shape) => {
            let (normal, foot) = shape.nearest_to_point(&place.local_point(&spot.eye), &faces)?;
            let gap = normal.dot(&(x - foot));
            (gap >= -range.max_penetration).then_some((normal, gap))?
        }
        Shape::Surface(shape) => point_surface::distance(shape, &x, &faces, range, near)?,
    };
    (gap <= range.max_gap).then(|| (place.direction(&normal), gap))
}
