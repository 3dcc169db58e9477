//! Polygon on a chain of segments: its vertices against facets, and the chain's vertices against the polygon.
//!
//! A vertex of the chain takes part only where the chain is convex there (see [`Surface::admits`]), so that a block
//! sliding over a seam between two facets in line does not notice it. Facets hold polygons whose centroid is in front.
//!
//! Features: 2 (facet · vertices + vertex) for the polygon's vertices, 2 · vertex + 1 for the chain's.

use super::polygon_ball::nearest;
use crate::contact::Touch;
use crate::shape::{Aabb, ConvexShape, Polygon, Surface};
use crate::space::{Placement, Vect};

/// How far past its end, as a fraction of its length, a facet still holds a vertex.
const SLACK: f64 = 1e-9;

/// The touches of a polygon (candidate) with a chain.
pub fn touches(
    polygon: &Polygon,
    a: &Placement<2>,
    chain: &Surface<2>,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    let start = out.len();
    let same = SLACK * polygon.lengths().iter().copied().fold(0.0, f64::max);
    let vertices: Vec<Vect<2>> = polygon.vertices().iter().map(|v| b.local_point(&a.point(v))).collect();
    let mut facets = Vec::new();
    chain.facets_near(&Aabb::around(&vertices).grown(reach), &mut facets);
    for &facet in &facets {
        vertices_on_facet(&vertices, chain, facet, reach, &mut |touch| push_once(touch, start, same, out));
    }
    let mut corners: Vec<u32> = facets.iter().flat_map(|&f| chain.facets[f as usize]).collect();
    corners.sort_unstable();
    corners.dedup();
    for corner in corners.into_iter().filter(|&corner| !chain.is_flat_at(corner)) {
        let x = chain.vertices[corner as usize];
        let (outward, gap) = nearest(polygon, &a.local_point(&b.point(&x)));
        let normal = b.local_direction(&-a.direction(&outward));
        let facet = chain.facets_at(corner)[0];
        if gap <= reach && chain.admits(facet, &[corner], &x, &normal) {
            let point = x + normal * (0.5 * gap);
            push_once(Touch { feature: 2 * corner + 1, point, normal, gap, area: 0.0 }, start, same, out);
        }
    }
    for touch in &mut out[start..] {
        touch.point = b.point(&touch.point);
        touch.normal = b.direction(&touch.normal);
    }
}

/// The polygon's vertices in front of (or under) one facet, in the chain's frame.
fn vertices_on_facet(
    vertices: &[Vect<2>],
    chain: &Surface<2>,
    facet: u32,
    reach: f64,
    push: &mut impl FnMut(Touch<2>),
) {
    let [p, q] = chain.corners(facet);
    let normal = chain.normals()[facet as usize];
    let length = (q - p).norm();
    let middle = vertices.iter().sum::<Vect<2>>() / vertices.len() as f64;
    if normal.dot(&(middle - p)) <= 0.0 {
        return;
    }
    let inside = -SLACK * length..=(1.0 + SLACK) * length;
    for (i, v) in vertices.iter().enumerate() {
        let gap = normal.dot(&(v - p));
        if gap <= reach && inside.contains(&normal.perp(&(v - p))) {
            let feature = 2 * (facet * vertices.len() as u32 + i as u32);
            push(Touch { feature, point: v - normal * (0.5 * gap), normal, gap, area: 0.0 });
        }
    }
}

/// A vertex over a seam belongs to two facets, a corner on a corner to both sides: one touch is enough.
fn push_once(touch: Touch<2>, start: usize, near: f64, out: &mut Vec<Touch<2>>) {
    let same = |t: &Touch<2>| (t.point - touch.point).norm() <= near && t.normal.dot(&touch.normal) > 1.0 - SLACK;
    if !out[start..].iter().any(same) {
        out.push(touch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::pair::suite::*;
    use crate::shape::Shape;
    use crate::space::{Ambient, Space};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn chain(points: &[(f64, f64)], closed: bool) -> Surface<2> {
        let count = points.len() as u32;
        let facets = (0..count - u32::from(!closed)).map(|i| [i, (i + 1) % count]).collect();
        Surface::new(points.iter().map(|&(x, y)| Vect::<2>::new(x, y)).collect(), facets).unwrap()
    }

    fn placed(surface: Surface<2>) -> PlacedShape<2> {
        (Shape::Surface(Arc::new(surface)), Placement::identity())
    }

    proptest! {
        /// A hexagon of facets, one side of it in two pieces: the distance is that of the solid.
        #[test]
        fn random_polygons_pass_the_suite_and_find_the_distance(
            p in polygon(), a in placement(), shift in point(), angle in -3.0..3.0,
        ) {
            let corners_of_chain = [(1.0, 0.0), (0.5, 0.8), (-0.5, 0.8), (-1.0, 0.0), (-0.5, -0.8), (0.1, -0.8), (0.5, -0.8)];
            let outline: Vec<Vect<2>> = corners_of_chain.iter().map(|&(x, y)| Vect::<2>::new(x, y)).collect();
            let (x, y) = (sides(&corners(&p, &a)), sides(&outline));
            let apart = !inside(&x[0][0], &y) && !inside(&y[0][0], &x);
            let reach = 0.4;
            let here = check(&(convex(p), a), &placed(chain(&corners_of_chain, true)), reach, &(10.0 * shift), &angle);
            if let Some(expected) = distance(&x, &y).filter(|d| apart && *d > 1e-6) {
                let gap = smallest_gap(&here);
                prop_assert!(gap.map_or(expected > reach, |g| (g - expected).abs() < ROUND_OFF), "{gap:?} {expected}");
            }
        }
    }

    #[test]
    fn block_slides_over_seams_with_two_corners_only() {
        let floor = placed(chain(&[(3.0, 0.0), (1.7, 0.0), (0.4, 0.0), (-0.1, 0.0), (-3.0, 0.0)], false));
        for step in -150..=150 {
            let place = Placement { centre: Vect::<2>::new(0.01 * f64::from(step), 0.4999), ..Placement::identity() };
            let here = found(&(convex(Polygon::rectangle(2.0, 1.0).unwrap()), place), &floor, 0.01);
            assert_eq!(here.len(), 2, "at step {step}: {here:?}");
            assert!(here.iter().all(|t| (t.gap + 1e-4).abs() < 1e-15 && t.normal == Vect::<2>::y()));
        }
    }

    #[test]
    fn block_over_the_edge_of_a_table_rests_on_the_edge() {
        let table = placed(chain(&[(0.0, -3.0), (0.0, 0.0), (-3.0, 0.0)], false));
        let place = Placement { centre: Vect::<2>::new(-0.2, 0.5), ..Placement::identity() };
        let here = found(&(convex(Polygon::rectangle(2.0, 1.0).unwrap()), place), &table, 0.01);
        let mut x: Vec<f64> = here.iter().map(|t| t.point.x).collect();
        x.sort_by(f64::total_cmp);
        assert_eq!(x, [-1.2, 0.0]);
        assert!(here.iter().all(|t| t.normal == Vect::<2>::y()));
    }

    #[test]
    fn wedge_standing_in_a_valley_touches_both_sides() {
        let valley = placed(chain(&[(2.0, 2.0), (0.0, 0.0), (-2.0, 2.0)], false));
        let place = Placement {
            centre: Vect::<2>::new(0.0, 0.5f64.sqrt()),
            turn: Space::<2>::turn_by(&std::f64::consts::FRAC_PI_4),
        };
        let here = found(&(convex(Polygon::rectangle(1.0, 1.0).unwrap()), place), &valley, 0.01);
        let on = |x: f64| here.iter().filter(|t| (t.normal.x - x).abs() < 1e-12 && t.gap.abs() < 1e-15).count();
        assert_eq!((on(0.5f64.sqrt()), on(-0.5f64.sqrt())), (2, 2), "{here:?}");
    }
}
