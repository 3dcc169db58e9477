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
    for corner in corners {
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
