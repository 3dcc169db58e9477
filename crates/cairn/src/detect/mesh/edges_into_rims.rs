//! Edges of a rigid polyhedron across the rims of a mesh: where neither a corner lies over a face nor a node under one.
//!
//! The edge x(s) = a + s u of the polyhedron and the rim y(t) = b + t v touch where their lines are nearest,
//!
//!   n = ± u × v / ‖u × v‖,   g = n · (x − y),
//!
//! n out of the mesh, if n lies between the normals of the rim's two sides and −n between those of the edge's two faces (a
//! twentieth beyond them is let pass): else it is a face that is touched, and corners or nodes say so. Ends of edges are left to them, too.

use super::against_skin::PlacedSkin;
use super::candidates::NodeWeights;
use super::facet::centre;
use super::rims::Rim;
use super::{FACING, MeshTouch, SearchRange};
use crate::contact::Touch;
use crate::shape::{Aabb, ConvexShape};
use crate::space::{Ambient, Placement, Space, Vect};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Sine of the angle below which an edge runs along a rim, and not across it.
const ALONG: f64 = 0.1;
/// Part of its length next to the end of an edge where its corner is what touches.
const END: f64 = 1e-3;

/// An edge of a polyhedron in place: its ends, outward normals of its two faces.
struct Edge<const D: usize> {
    ends: [Vect<D>; 2],
    normals: [Vect<D>; 2],
}

/// The touches of the edges of a convex shape with the rims of a mesh. Features come after those of the corners: a number for each edge
/// of the shape and each edge of the mesh, so that a touch keeps its identity while it slides along both.
pub(super) fn edges_with_rims<const D: usize>(
    shape: &impl ConvexShape<D>,
    place: &Placement<D>,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) where
    Space<D>: Ambient<D>,
{
    let corners: Vec<Vect<D>> = shape.vertices().iter().map(|x| place.point(x)).collect();
    let region = Aabb::around(&corners).grown(range.max_gap);
    let box_of = |rim: &Rim| Aabb::around(&rim.nodes.map(|node| b.nodes[node as usize]));
    let near: Vec<&Rim> = b.skin.rims.iter().filter(|rim| box_of(rim).meets(&region)).collect();
    if near.is_empty() {
        return;
    }
    let count = b.skin.rims.iter().map(|rim| rim.edge + 1).max().unwrap_or(0);
    for (k, edge) in edges(shape, &corners).iter().enumerate() {
        let mut best: BTreeMap<u32, MeshTouch<D>> = BTreeMap::new();
        for rim in &near {
            let Some(mut found) = touch(edge, rim, b, range) else { continue };
            found.touch.feature =
                (corners.len() as u32).wrapping_add((k as u32).wrapping_mul(count)).wrapping_add(rim.edge);
            let known = best.get(&rim.edge);
            if known.is_none_or(|known| found.touch.gap.abs() < known.touch.gap.abs()) {
                best.insert(rim.edge, found);
            }
        }
        out.extend(best.into_values());
    }
}

fn edges<const D: usize>(shape: &impl ConvexShape<D>, corners: &[Vect<D>]) -> Vec<Edge<D>>
where
    Space<D>: Ambient<D>,
{
    let middle = corners.iter().sum::<Vect<D>>() / corners.len() as f64;
    let mut faces: BTreeMap<[u32; 2], Vec<Vect<D>>> = BTreeMap::new();
    for ring in shape.rings() {
        let x = |k: usize| Vector3::from(Space::<D>::lift(&corners[ring[k % ring.len()] as usize]));
        let area = (0..ring.len()).fold(Vector3::zeros(), |sum, k| sum + x(k).cross(&x(k + 1))).normalize();
        let normal = Vect::<D>::from_fn(|i, _| area[i]);
        let outwards = if normal.dot(&(corners[ring[0] as usize] - middle)) < 0.0 { -normal } else { normal };
        for k in 0..ring.len() {
            let (p, q) = (ring[k], ring[(k + 1) % ring.len()]);
            faces.entry([p.min(q), p.max(q)]).or_default().push(outwards);
        }
    }
    let edge = |(ends, normals): ([u32; 2], Vec<Vect<D>>)| {
        let [first, second] = normals[..] else { return None };
        Some(Edge { ends: ends.map(|c| corners[c as usize]), normals: [first, second] })
    };
    faces.into_iter().filter_map(edge).collect()
}

fn touch<const D: usize>(edge: &Edge<D>, rim: &Rim, b: &PlacedSkin<D>, range: &SearchRange) -> Option<MeshTouch<D>>
where
    Space<D>: Ambient<D>,
{
    let [from, to] = rim.nodes.map(|node| b.nodes[node as usize]);
    let (u, v) = (edge.ends[1] - edge.ends[0], to - from);
    let lifted = |x: &Vect<D>| Vector3::from(Space::<D>::lift(x));
    let across = lifted(&u).cross(&lifted(&v));
    let size = across.norm();
    if size <= ALONG * u.norm() * v.norm() {
        return None;
    }
    // Out of the mesh.
    let sides = rim.facets.map(|f| {
        let facet = &b.skin.facets[f as usize];
        facet.patch(b.nodes).normal(centre(facet.kind))
    });
    let normal = Vect::<D>::from_fn(|i, _| across[i] / size);
    let normal = if normal.dot(&(sides[0] + sides[1])) < 0.0 { -normal } else { normal };
    if !is_between(&normal, &sides) || !is_between(&-normal, &edge.normals) {
        return None;
    }
    // a + s u − b − t v is parallel to n.
    let apart = edge.ends[0] - from;
    let gap = normal.dot(&apart);
    let (uu, uv, vv) = (u.dot(&u), u.dot(&v), v.dot(&v));
    let (pu, pv) = (apart.dot(&u), apart.dot(&v));
    let determinant = uu * vv - uv * uv;
    let s = (uv * pv - vv * pu) / determinant;
    let t = (uu * pv - uv * pu) / determinant;
    let margin = |is_end: bool| if is_end { END } else { -1e-9 };
    let inside = s > END && s < 1.0 - END && t > margin(rim.ends[0]) && t < 1.0 - margin(rim.ends[1]);
    if !inside || gap > range.max_gap || gap < -range.max_penetration {
        return None;
    }
    let mut antagonist = NodeWeights { count: 2, ..NodeWeights::default() };
    (antagonist.nodes[0], antagonist.nodes[1]) = (rim.nodes[0], rim.nodes[1]);
    (antagonist.weights[0], antagonist.weights[1]) = (1.0 - t, t);
    let point = from + v * t + normal * (0.5 * gap);
    let touch = Touch { feature: 0, point, normal, gap, area: 0.0 };
    Some(MeshTouch {
        touch,
        candidate: NodeWeights::default(),
        antagonist: Some(antagonist),
        facet: Some(rim.facets[0]),
    })
}

/// Is n = α n₀ + β n₁ with α, β ≥ 0, but for a small angle? Both are at right angles to the same edge, and so is n.
fn is_between<const D: usize>(n: &Vect<D>, [first, second]: &[Vect<D>; 2]) -> bool {
    let (c, p, q) = (first.dot(second), n.dot(first), n.dot(second));
    let scale = 1.0 - c * c;
    p - c * q >= -FACING * scale && q - c * p >= -FACING * scale && p + q > 0.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Dressed, block, points, range};
    use super::super::{Points, rigid_with_skin};
    use super::*;
    use crate::shape::{Polyhedron, Shape};
    use std::sync::Arc;

    fn v(x: f64, y: f64, z: f64) -> Vect<3> {
        Vect::<3>::new(x, y, z)
    }

    fn turned(spin: Vect<3>, centre: Vect<3>) -> Placement<3> {
        Placement { centre, turn: Space::<3>::turn_by(&spin) }
    }

    /// A bar 4 m long of 1 × 1 m, one edge down, along x.
    fn bar(centre: Vect<3>) -> (Shape<3>, Placement<3>) {
        let quarter = std::f64::consts::FRAC_PI_4;
        let shape = Shape::Convex(Arc::new(Polyhedron::cuboid(&v(4.0, 1.0, 1.0)).unwrap()));
        (shape, turned(v(quarter, 0.0, 0.0), centre))
    }

    fn touches(shape: &Shape<3>, place: &Placement<3>, mesh: &Dressed<3>) -> Vec<MeshTouch<3>> {
        let mut out = Vec::new();
        rigid_with_skin(shape, place, &mesh.placed(), &range(0.05, 0.1), &mut out);
        out
    }

    fn half_diagonal() -> f64 {
        0.5 * 2f64.sqrt()
    }

    /// A cube of 2 × 2 × 2 cells, edge up, along y: the edges cross 0.02 m apart.
    #[test]
    fn an_edge_across_an_edge_touches_once_where_they_cross() {
        let (nodes, faces) = block(v(-0.5, -0.5, -0.5), v(1.0, 1.0, 1.0), 2);
        let mut mesh = Dressed::new(nodes, &faces, &points(Points::Nodes));
        let turn = Space::<3>::turn_by(&v(0.0, std::f64::consts::FRAC_PI_4, 0.0));
        mesh.moved(|x| Space::<3>::rotate(&turn, x));
        for (gap, y) in [(0.02, 0.2), (-0.03, -0.3), (0.0, 0.0)] {
            let (shape, place) = bar(v(0.3, y, 2.0 * half_diagonal() + gap));
            let found = touches(&shape, &place, &mesh);
            assert_eq!(found.len(), 1, "gap {gap}: {found:?}");
            let touch = found[0].touch;
            assert!((touch.gap - gap).abs() < 1e-14 && (touch.normal - v(0.0, 0.0, 1.0)).norm() < 1e-14);
            assert!((touch.point - v(0.0, y, half_diagonal() + 0.5 * gap)).norm() < 1e-14, "{}", touch.point);
            let held = found[0].antagonist.unwrap().of(&mesh.nodes);
            assert!((held - v(0.0, y, half_diagonal())).norm() < 1e-14);
        }
        let (shape, place) = bar(v(0.3, 0.2, 2.0 * half_diagonal() + 0.06));
        assert!(touches(&shape, &place, &mesh).is_empty(), "out of reach");
        let (shape, place) = bar(v(0.3, 0.7, 2.0 * half_diagonal()));
        assert!(touches(&shape, &place, &mesh).is_empty(), "beside it");
    }

    #[test]
    fn an_edge_on_a_face_touches_the_rims_that_it_crosses_and_keeps_its_identity() {
        let (nodes, faces) = block(v(-0.5, -0.5, -1.0), v(1.0, 1.0, 1.0), 1);
        let mesh = Dressed::new(nodes, &faces, &points(Points::Nodes));
        let at = |y: f64| {
            let (shape, place) = bar(v(0.0, y, half_diagonal() - 0.01));
            touches(&shape, &place, &mesh)
        };
        let (here, there) = (at(0.1), at(0.3));
        assert_eq!((here.len(), there.len()), (2, 2));
        for (a, b) in here.iter().zip(&there) {
            assert_eq!(a.touch.feature, b.touch.feature);
            assert!((a.touch.gap + 0.01).abs() < 1e-14 && (a.touch.normal.z - 1.0).abs() < 1e-14);
            assert!((a.touch.point.x.abs() - 0.5).abs() < 1e-14 && (a.touch.point.y - 0.1).abs() < 1e-14);
        }
        assert!(here[0].touch.feature != here[1].touch.feature);
    }

    #[test]
    fn pieces_of_an_edge_are_one_edge() {
        let (nodes, faces) = block(v(0.0, 0.0, 0.0), v(1.0, 1.0, 1.0), 3);
        let mesh = Dressed::new(nodes, &faces, &points(Points::Nodes));
        assert_eq!(mesh.skin.rims.len(), 36);
        let mut edges: Vec<u32> = mesh.skin.rims.iter().map(|rim| rim.edge).collect();
        edges.sort_unstable();
        edges.dedup();
        assert_eq!(edges.len(), 12);
        assert_eq!(mesh.skin.rims.iter().flat_map(|rim| rim.ends).filter(|end| *end).count(), 24);
    }

    /// Equal blocks on top of each other: corners and nodes see all that there is.
    #[test]
    fn edges_that_run_along_each_other_or_meet_at_corners_do_not_touch() {
        let (nodes, faces) = block(v(-0.5, -0.5, -1.0), v(1.0, 1.0, 1.0), 2);
        let mesh = Dressed::new(nodes, &faces, &points(Points::Nodes));
        let shape = Shape::Convex(Arc::new(Polyhedron::cuboid(&v(1.0, 1.0, 1.0)).unwrap()));
        let found = touches(&shape, &turned(Vect::zeros(), v(0.0, 0.0, 0.51)), &mesh);
        assert!(found.iter().all(|t| t.touch.feature < 8), "{found:?}");
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn touches_move_with_the_bodies() {
        let (nodes, faces) = block(v(-0.5, -0.5, -1.0), v(1.0, 1.0, 1.0), 2);
        let (shape, place) = bar(v(0.1, 0.2, half_diagonal() + 0.01));
        let skewed =
            Placement { turn: Space::<3>::compose(&Space::<3>::turn_by(&v(0.0, 0.0, 0.4)), &place.turn), ..place };
        let mut mesh = Dressed::new(nodes, &faces, &points(Points::Nodes));
        let here = touches(&shape, &skewed, &mesh);
        assert_eq!(here.len(), 2);
        let turn = Space::<3>::turn_by(&v(0.4, -1.1, 2.0));
        let moved = |x: &Vect<3>| Space::<3>::rotate(&turn, x) + v(5.0, -3.0, 2.0);
        mesh.moved(moved);
        let there = Placement { centre: moved(&skewed.centre), turn: Space::<3>::compose(&turn, &skewed.turn) };
        for (h, t) in here.iter().zip(touches(&shape, &there, &mesh)) {
            assert_eq!(h.touch.feature, t.touch.feature);
            assert!(
                (h.touch.gap - t.touch.gap).abs() < 1e-13 && (moved(&h.touch.point) - t.touch.point).norm() < 1e-13
            );
            assert!((Space::<3>::rotate(&turn, &h.touch.normal) - t.touch.normal).norm() < 1e-13);
        }
    }
}
