//! Point and fixed surface: the nearest facet that the point faces, seams passed over as by a ball; of a profile the nearest piece, exactly.

use super::SearchRange;
use crate::detect::pair::ball_surface::nearest;
use crate::shape::{Aabb, Surface};
use crate::space::Vect;

/// Normal out of the solid and signed distance, in the surface's frame.
pub(super) fn distance<const D: usize>(
    surface: &Surface<D>,
    x: &Vect<D>,
    faces: &dyn Fn(&Vect<D>) -> bool,
    range: &SearchRange,
    near: &mut Vec<u32>,
) -> Option<(Vect<D>, f64)> {
    if let Some(profile) = surface.profile() {
        return profile.distance(x, faces).filter(|(_, gap)| *gap >= -range.max_penetration);
    }
    near.clear();
    surface.facets_near(&Aabb { min: *x, max: *x }.grown(range.max_gap.max(range.max_penetration)), near);
    let mut best: Option<(Vect<D>, f64)> = None;
    for &facet in near.iter() {
        let Some((_, outward, distance)) = nearest(surface, facet, x, range.max_penetration) else { continue };
        if faces(&outward) && best.is_none_or(|(_, d)| distance.abs() < d.abs()) {
            best = Some((outward, distance));
        }
    }
    best
}
