//! Ball on a fixed surface: on every facet nearby the point nearest to the centre, if it is a nearest point of the whole
//! surface around it (see [`Surface::admits`]); so a ball rolling over seams feels the surface, not its mesh.
//!
//! Nearest point of a facet: the point Σ λₖ xₖ of the plane, faces with negative λ given up one after the other.

use crate::contact::Touch;
use crate::shape::{Aabb, Ball, Surface};
use crate::space::{Ambient, Placement, Space, Vect};

/// Touches closer to each other than this fraction of the radius are one.
const SAME: f64 = 1e-6;

/// The touches of a ball (candidate) with a surface; the feature is the facet.
pub fn touches<const D: usize>(
    ball: &Ball,
    a: &Placement<D>,
    surface: &Surface<D>,
    b: &Placement<D>,
    reach: f64,
    out: &mut Vec<Touch<D>>,
) where
    Space<D>: Ambient<D>,
{
    let start = out.len();
    let centre = b.local_point(&a.centre);
    let mut facets = Vec::new();
    surface.facets_near(&Aabb { min: centre, max: centre }.grown(ball.radius + reach), &mut facets);
    for &facet in &facets {
        let Some((foot, outward, distance)) = nearest(surface, facet, &centre, ball.radius) else { continue };
        let gap = distance - ball.radius;
        let point = b.point(&(foot + outward * (0.5 * gap)));
        let repeated = out[start..].iter().any(|t| (t.point - point).norm() < SAME * ball.radius);
        if gap <= reach && !repeated {
            out.push(Touch { feature: facet, point, normal: b.direction(&outward), gap, area: 0.0 });
        }
    }
}

/// Foot on the facet, direction out of the surface and distance from it to the centre, if the ball may touch there.
/// A ball whose centre has gone under is held by the inside of facets only, and not farther than its radius.
fn nearest<const D: usize>(
    surface: &Surface<D>,
    facet: u32,
    centre: &Vect<D>,
    radius: f64,
) -> Option<(Vect<D>, Vect<D>, f64)> {
    let normal = surface.normals()[facet as usize];
    let corners = surface.corners(facet);
    let numbers = surface.facets[facet as usize];
    let (foot, on) = nearest_on_simplex(&corners, centre);
    let above = normal.dot(&(centre - corners[0]));
    if on.iter().all(|&kept| kept) {
        return (above > -radius).then_some((foot, normal, above));
    }
    let d = centre - foot;
    let distance = d.norm();
    if distance == 0.0 {
        return Some((foot, normal, 0.0));
    }
    let outward = d / distance;
    let kept: Vec<u32> = (0..D).filter(|&k| on[k]).map(|k| numbers[k]).collect();
    surface.admits(facet, &kept, &foot, &outward).then_some((foot, outward, distance))
}

/// The nearest point of a segment or triangle, and which of its corners it depends on.
fn nearest_on_simplex<const D: usize>(corners: &[Vect<D>; D], x: &Vect<D>) -> (Vect<D>, [bool; D]) {
    if D == 2 {
        let (foot, t) = nearest_on_segment(&corners[0], &corners[1], x);
        let mut on = [true; D];
        on[0] = t < 1.0;
        on[1] = t > 0.0;
        return (foot, on);
    }
    if let Some(foot) = foot_inside_triangle(corners, x) {
        return (foot, [true; D]);
    }
    let mut best = (f64::INFINITY, corners[0], [false; D]);
    for k in 0..D {
        let next = (k + 1) % D;
        let (foot, t) = nearest_on_segment(&corners[k], &corners[next], x);
        let distance = (x - foot).norm_squared();
        if distance < best.0 {
            let mut on = [false; D];
            on[k] = t < 1.0;
            on[next] = t > 0.0;
            best = (distance, foot, on);
        }
    }
    (best.1, best.2)
}

/// Nearest point of a segment and where it is, from 0 to 1.
fn nearest_on_segment<const D: usize>(p: &Vect<D>, q: &Vect<D>, x: &Vect<D>) -> (Vect<D>, f64) {
    let e = q - p;
    let t = (e.dot(&(x - p)) / e.norm_squared()).clamp(0.0, 1.0);
    (if t == 1.0 { *q } else { p + e * t }, t)
}

/// The foot of the perpendicular, if it falls inside the triangle. Barycentric coordinates from the normal equations.
fn foot_inside_triangle<const D: usize>(corners: &[Vect<D>; D], x: &Vect<D>) -> Option<Vect<D>> {
    let (u, v, w) = (corners[1] - corners[0], corners[2] - corners[0], x - corners[0]);
    let (uu, uv, vv, wu, wv) = (u.norm_squared(), u.dot(&v), v.norm_squared(), w.dot(&u), w.dot(&v));
    let det = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / det, (uu * wv - uv * wu) / det);
    (s > 0.0 && t > 0.0 && s + t < 1.0).then(|| corners[0] + u * s + v * t)
}
