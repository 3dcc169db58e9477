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
pub(in crate::detect) fn nearest<const D: usize>(
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

#[cfg(test)]
mod tests {
    use crate::detect::pair::suite::*;
    use crate::shape::{Shape, Surface};
    use crate::space::{Placement, Vect};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn v(x: f64, y: f64, z: f64) -> Vect<3> {
        Vect::<3>::new(x, y, z)
    }

    fn at<const D: usize>(centre: Vect<D>) -> Placement<D>
    where
        crate::space::Space<D>: crate::space::Ambient<D>,
    {
        Placement { centre, ..Placement::identity() }
    }

    /// Corner points of a cube of side 2 and its twelve triangles, outwards.
    fn cube() -> Surface<3> {
        let points = (0..8u32)
            .map(|i| v(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
            .map(|p| (2.0 * p).add_scalar(-1.0));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let facets = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        Surface::new(points.collect(), facets).unwrap()
    }

    proptest! {
        /// Outside of a convex surface there is one touch, whatever the mesh, and it has the distance of the solid.
        #[test]
        fn sphere_near_a_cube_touches_it_once(
            x in proptest::array::uniform3(-2.0..2.0), radius in 0.1..0.6f64, angle in proptest::array::uniform3(-1.5..1.5),
        ) {
            let centre = Vect::<3>::from(x);
            let nearest = centre.map(|c| c.clamp(-1.0, 1.0));
            let expected = (centre - nearest).norm() - radius;
            prop_assume!(expected + radius > 0.0);
            let cube = (Shape::Surface(Arc::new(cube())), Placement::identity());
            let here = check(&(ball(radius), at(centre)), &cube, 0.3, &(3.0 * centre), &angle.into());
            if expected <= 0.3 {
                prop_assert_eq!(here.len(), 1);
                prop_assert!((here[0].gap - expected).abs() < ROUND_OFF);
                prop_assert!((here[0].normal - (centre - nearest).normalize()).norm() < 1e-12);
            } else {
                prop_assert!(here.is_empty());
            }
        }

        #[test]
        fn disk_near_a_square_of_segments_touches_it_once(
            x in point(), radius in 0.1..0.6f64, angle in -3.0..3.0,
        ) {
            let centre = 2.0 * x;
            let corners = [(-1.0, -1.0), (0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let points = corners.iter().map(|&(x, y)| Vect::<2>::new(x, y)).collect();
            let chain = Surface::new(points, vec![[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]).unwrap();
            let nearest = centre.map(|c| c.clamp(-1.0, 1.0));
            let expected = (centre - nearest).norm() - radius;
            prop_assume!(expected + radius > 0.0);
            let here = check(&(ball(radius), at(centre)), &(Shape::Surface(Arc::new(chain)), Placement::identity()), 0.3, &x, &angle);
            prop_assert_eq!(here.len(), usize::from(expected <= 0.3));
            prop_assert!(here.iter().all(|t| (t.gap - expected).abs() < ROUND_OFF));
        }
    }

    /// A bumpy mesh seen as flat: along any path over the seams there is one touch with the plane's normal.
    #[test]
    fn sphere_rolls_over_the_seams_of_a_flat_mesh_without_noticing() {
        let side = 6u32;
        let points = (0..=side).flat_map(|j| (0..=side).map(move |i| v(f64::from(i), f64::from(j), 0.0)));
        let at_grid = |i: u32, j: u32| j * (side + 1) + i;
        let facets = (0..side * side).map(|c| (c % side, c / side)).flat_map(|(i, j)| {
            let (a, b, c, d) = (at_grid(i, j), at_grid(i + 1, j), at_grid(i + 1, j + 1), at_grid(i, j + 1));
            [[a, b, c], [a, c, d]]
        });
        let floor = (
            Shape::Surface(Arc::new(Surface::new(points.collect(), facets.collect()).unwrap())),
            Placement::identity(),
        );
        for step in 0..=400 {
            let s = 0.01 * f64::from(step);
            for (x, y) in [(1.0 + s, 1.0 + s), (1.0 + s, 3.0), (2.5, 1.0 + s), (1.0 + s, 2.3)] {
                let here = found(&(ball(0.7), at(v(x, y, 0.699))), &floor, 0.01);
                assert_eq!(here.len(), 1, "at {x} {y}: {here:?}");
                assert!((here[0].gap + 1e-3).abs() < 1e-14 && (here[0].normal - Vect::<3>::z()).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn sphere_in_a_valley_touches_both_sides_and_not_its_bottom() {
        let points = vec![
            v(-2.0, -5.0, 2.0),
            v(0.0, -5.0, 0.0),
            v(2.0, -5.0, 2.0),
            v(-2.0, 5.0, 2.0),
            v(0.0, 5.0, 0.0),
            v(2.0, 5.0, 2.0),
        ];
        let valley = Surface::new(points, vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap();
        let here = found(
            &(ball(1.0), at(v(0.0, 0.3, 2f64.sqrt()))),
            &(Shape::Surface(Arc::new(valley)), Placement::identity()),
            0.5,
        );
        assert_eq!(here.len(), 2, "{here:?}");
        assert!(here.iter().all(|t| t.gap.abs() < 1e-15 && (t.normal.z - 0.5f64.sqrt()).abs() < 1e-15));
    }

    #[test]
    fn sphere_pressed_through_a_floor_is_still_pushed_up() {
        let floor =
            Surface::new(vec![v(-5.0, -5.0, 0.0), v(5.0, -5.0, 0.0), v(0.0, 5.0, 0.0)], vec![[0, 1, 2]]).unwrap();
        let here =
            found(&(ball(1.0), at(v(0.0, 0.0, -0.2))), &(Shape::Surface(Arc::new(floor)), Placement::identity()), 0.1);
        assert_eq!(here.len(), 1);
        assert!((here[0].gap + 1.2).abs() < 1e-15 && here[0].normal == Vect::<3>::z());
    }
}
