//! Known distances, weights, areas, sliding, self-contact, invariance; and the small meshes that the tests share.

use super::*;
use crate::shape::{Ball, HalfSpace, Hollow, Polygon, Polyhedron, Shape, Surface};
use crate::space::{Ambient, Placement, Space, Vect};
use cairn_fem::mesh::{Boundary, FacetKind};
use std::sync::Arc;

/// A mesh with its skin and pose.
pub(super) struct Dressed<const D: usize> {
    pub nodes: Vec<Vect<D>>,
    pub skin: Skin<D>,
    pub pose: Pose<D>,
    pub depths: Vec<f64>,
}

impl<const D: usize> Dressed<D> {
    pub fn new(nodes: Vec<Vect<D>>, boundaries: &[Boundary], choice: &SkinChoice) -> Self {
        let skin = Skin::new(boundaries, &nodes, choice).unwrap();
        let mut made = Self { nodes, skin, pose: Pose::default(), depths: Vec::new() };
        made.pose.update(&made.skin, &made.nodes);
        made.depths = own_depths(&made.placed(), 10.0);
        made
    }

    pub fn placed(&self) -> PlacedSkin<'_, D> {
        PlacedSkin { skin: &self.skin, nodes: &self.nodes, pose: &self.pose }
    }

    pub fn moved(&mut self, change: impl Fn(&Vect<D>) -> Vect<D>) {
        self.nodes.iter_mut().for_each(|x| *x = change(x));
        self.pose.update(&self.skin, &self.nodes);
    }
}

pub(super) fn points(points: Points) -> SkinChoice {
    SkinChoice { points, ..SkinChoice::default() }
}

pub(super) fn range(reach: f64, depth: f64) -> SearchRange {
    SearchRange { max_gap: reach, max_penetration: depth }
}

fn v2(x: f64, y: f64) -> Vect<2> {
    Vect::<2>::new(x, y)
}

fn v3(x: f64, y: f64, z: f64) -> Vect<3> {
    Vect::<3>::new(x, y, z)
}

/// Rectangle from `corner`, cells of `nx` × `ny`; boundaries "bottom", "right", "top", "left".
pub(super) fn rectangle(corner: Vect<2>, size: Vect<2>, [nx, ny]: [u32; 2]) -> (Vec<Vect<2>>, Vec<Boundary>) {
    let at = |i: u32, j: u32| j * (nx + 1) + i;
    let place =
        |i: u32, j: u32| corner + v2(size.x * f64::from(i) / f64::from(nx), size.y * f64::from(j) / f64::from(ny));
    let nodes = (0..=ny).flat_map(|j| (0..=nx).map(move |i| place(i, j))).collect();
    let side = |name: &str, nodes: Vec<u32>| Boundary { name: name.into(), kind: FacetKind::Line2, nodes };
    let boundaries = vec![
        side("bottom", (0..nx).flat_map(|i| [at(i, 0), at(i + 1, 0)]).collect()),
        side("right", (0..ny).flat_map(|j| [at(nx, j), at(nx, j + 1)]).collect()),
        side("top", (0..nx).flat_map(|i| [at(i + 1, ny), at(i, ny)]).collect()),
        side("left", (0..ny).flat_map(|j| [at(0, j + 1), at(0, j)]).collect()),
    ];
    (nodes, boundaries)
}

/// Block from `corner`, n × n × n cells, all faces in one boundary.
pub(super) fn block(corner: Vect<3>, size: Vect<3>, n: u32) -> (Vec<Vect<3>>, Vec<Boundary>) {
    let m = n + 1;
    let nodes = (0..m * m * m)
        .map(|k| v3(f64::from(k % m), f64::from(k / m % m), f64::from(k / m / m)) / f64::from(n))
        .map(|x| corner + x.component_mul(&size))
        .collect();
    let mut quads = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for end in [0, n] {
            for (i, j) in (0..n * n).map(|c| (c % n, c / n)) {
                let number = |du: u32, dv: u32| {
                    let mut k = [0; 3];
                    (k[axis], k[u], k[v]) = (end, i + du, j + dv);
                    k[0] + m * (k[1] + m * k[2])
                };
                let ring = [number(0, 0), number(1, 0), number(1, 1), number(0, 1)];
                quads.extend(if end == 0 { [ring[0], ring[3], ring[2], ring[1]] } else { ring });
            }
        }
    }
    (nodes, vec![Boundary { name: "all".into(), kind: FacetKind::Q4, nodes: quads }])
}

/// Circle of n segments, counter-clockwise.
fn circle(n: u32, kind: FacetKind) -> (Vec<Vect<2>>, Vec<Boundary>) {
    let count = if kind == FacetKind::Line3 { 2 * n } else { n };
    let angle = |i: u32| 2.0 * std::f64::consts::PI * f64::from(i) / f64::from(count);
    let nodes = (0..count).map(|i| v2(angle(i).cos(), angle(i).sin())).collect();
    let facets = (0..n).flat_map(|i| match kind {
        FacetKind::Line3 => vec![2 * i, (2 * i + 2) % count, 2 * i + 1],
        _ => vec![i, (i + 1) % n],
    });
    (nodes, vec![Boundary { name: "rim".into(), kind, nodes: facets.collect() }])
}

/// One flat candidate facet (a probe) whose middle is at x, looking along `d`.
fn probe(x: Vect<2>, d: Vect<2>) -> Dressed<2> {
    let t = v2(-d.y, d.x) * 1e-3;
    let facet = Boundary { name: "probe".into(), kind: FacetKind::Line2, nodes: vec![0, 1] };
    Dressed::new(vec![x - t, x + t], &[facet], &points(Points::Middles))
}

fn probe3(x: Vect<3>, d: Vect<3>) -> Dressed<3> {
    let f = Space::<3>::frame(&d);
    let (t, s) = (f.column(1) * 1e-3, f.column(2) * 1e-3);
    let facet = Boundary { name: "probe".into(), kind: FacetKind::Q4, nodes: vec![0, 1, 2, 3] };
    Dressed::new(vec![x - t - s, x + t - s, x + t + s, x - t + s], &[facet], &points(Points::Middles))
}

fn all<const D: usize>(a: &Dressed<D>, b: &Dressed<D>, range: SearchRange) -> Vec<MeshTouch<D>> {
    let mut out = Vec::new();
    with_skin(&a.placed(), &b.placed(), &range, &mut out);
    out
}

#[test]
fn a_uniform_pressure_gives_the_consistent_forces_for_every_choice_of_points() {
    let area: f64 = 2.0 * (2.0 * 3.0 + 3.0 * 4.0 + 4.0 * 2.0);
    for choice in [Points::Nodes, Points::Middles, Points::Gauss] {
        let (nodes, faces) = block(Vect::zeros(), v3(2.0, 3.0, 4.0), 2);
        let body = Dressed::new(nodes, &faces, &points(choice));
        let sum: f64 = body.skin.candidates().iter().map(|c| c.area).sum();
        assert!((sum - area).abs() < 1e-13 * area, "{choice:?}: {sum}");
        // Forces of the pressure on the nodes of the top, in its 3 × 3 grid: corner 1, side 2, middle 4 sixteenths.
        let mut force = vec![0.0; body.nodes.len()];
        for (c, spot) in body.skin.candidates().iter().zip(&body.pose.spots) {
            if spot.normal.z > 0.5 {
                c.hold.iter().for_each(|(node, w)| force[node as usize] += w * c.area);
            }
        }
        for (k, f) in force.iter().enumerate() {
            let (i, j, top) = (k % 3, k / 3 % 3, k / 9 == 2);
            let weight = [1.0, 2.0, 1.0];
            let expected = if top { 6.0 / 16.0 * weight[i] * weight[j] } else { 0.0 };
            assert!((f - expected).abs() < 1e-14, "{choice:?} {k}: {f} for {expected}");
        }
    }
}

#[test]
fn areas_follow_thickness_and_revolution() {
    let (nodes, sides) = rectangle(v2(1.0, 0.0), v2(2.0, 1.0), [3, 2]);
    for choice in [Points::Nodes, Points::Middles, Points::Gauss] {
        let sum = |breadth: Breadth| -> f64 {
            let skin = Skin::new(&sides, &nodes, &SkinChoice { breadth, ..points(choice) }).unwrap();
            skin.candidates().iter().map(|c| c.area).sum()
        };
        assert!((sum(Breadth::Constant(0.1)) - 0.6).abs() < 1e-14);
        // Two annuli π (3² − 1²), an inner and an outer cylinder 2π (1 + 3).
        assert!((sum(Breadth::Revolution) - 24.0 * std::f64::consts::PI).abs() < 1e-12);
    }
}

#[test]
fn quadratic_nodes_share_the_area_and_are_positive() {
    let nodes = vec![
        v3(0.0, 0.0, 0.0),
        v3(1.0, 0.0, 0.0),
        v3(1.0, 1.0, 0.0),
        v3(0.0, 1.0, 0.0),
        v3(0.5, 0.0, 0.0),
        v3(1.0, 0.5, 0.0),
        v3(0.5, 1.0, 0.0),
        v3(0.0, 0.5, 0.0),
    ];
    let q8 = Boundary { name: "q8".into(), kind: FacetKind::Q8, nodes: (0..8).collect() };
    let t6 = Boundary { name: "t6".into(), kind: FacetKind::T6, nodes: vec![0, 1, 3, 4, 2, 7] };
    let mut straight = nodes.clone();
    straight[2] = v3(0.5, 0.5, 0.0);
    for (nodes, facet, area) in [(nodes, q8, 1.0), (straight, t6, 0.5)] {
        let skin = Skin::new(&[facet], &nodes, &points(Points::Nodes)).unwrap();
        assert!(skin.candidates().iter().all(|c| c.area > 0.01));
        let sum: f64 = skin.candidates().iter().map(|c| c.area).sum();
        assert!((sum - area).abs() < 1e-14);
    }
}

#[test]
fn weights_sum_to_one_and_hold_the_two_ends_of_the_gap() {
    for kind in [FacetKind::Line2, FacetKind::Line3] {
        let (nodes, rim) = circle(7, kind);
        let wheel = Dressed::new(nodes, &rim, &points(Points::Middles));
        for k in 0..50 {
            let a = 0.1234 * f64::from(k);
            let d = v2(a.cos(), a.sin());
            let found = all(&probe(d * 1.02, -d), &wheel, range(0.2, 0.2));
            assert_eq!(found.len(), 1);
            let (t, hold) = (&found[0].touch, found[0].antagonist.unwrap());
            let sum: f64 = hold.iter().map(|(_, w)| w).sum();
            assert!((sum - 1.0).abs() < 1e-14);
            // The antagonist is held at the foot: p − g n, so that moments balance.
            assert!((hold.of(&wheel.nodes) - (d * 1.02 - t.normal * t.gap)).norm() < 1e-12, "{kind:?}");
            assert!((t.point - (d * 1.02 - t.normal * (0.5 * t.gap))).norm() < 1e-12);
        }
    }
}

#[test]
fn a_point_sliding_around_a_polygon_keeps_its_key_and_sees_no_jump() {
    let (nodes, rim) = circle(12, FacetKind::Line2);
    let wheel = Dressed::new(nodes, &rim, &points(Points::Middles));
    let (steps, radius, apothem) = (4000, 1.1, (std::f64::consts::PI / 12.0).cos());
    let mut last: Option<MeshTouch<2>> = None;
    let mut facets = Vec::new();
    for k in 0..=steps {
        let a = 2.0 * std::f64::consts::PI * f64::from(k) / f64::from(steps);
        let d = v2(a.cos(), a.sin());
        let found = all(&probe(d * radius, -d), &wheel, range(0.3, 0.3));
        assert_eq!(found.len(), 1, "at {a}");
        let t = found[0];
        assert_eq!(t.touch.feature, 0);
        assert!(t.touch.gap >= radius - 1.0 - 1e-12 && t.touch.gap <= radius - apothem + 1e-12);
        if let Some(before) = last {
            let step = 2.0 * std::f64::consts::PI / f64::from(steps) * radius;
            assert!((t.touch.gap - before.touch.gap).abs() <= step);
            // Around a corner n turns with the point as seen from the corner, at a distance of 0.1.
            assert!((t.touch.normal - before.touch.normal).norm() <= step / 0.099, "at {a}");
        }
        facets.push(t.facet.unwrap());
        last = Some(t);
    }
    facets.dedup();
    facets.sort_unstable();
    facets.dedup();
    assert_eq!(facets.len(), 12);
    // Inside, the depth is that of the nearest side, continuous too.
    let depth =
        |a: f64| all(&probe(v2(a.cos(), a.sin()) * 0.9, -v2(a.cos(), a.sin())), &wheel, range(0.1, 0.2))[0].touch.gap;
    assert!((depth(0.3) - depth(0.3 + 1e-6)).abs() < 1e-6 && depth(0.0) < 0.0);
}

#[test]
fn quadratic_segments_find_the_distance_to_the_parabola() {
    // One Line3 y = −x²/2 from x = 1 to −1 (body below): the foot of (x̄, ȳ) + g n is (x̄, ȳ).
    let nodes = vec![v2(1.0, -0.5), v2(-1.0, -0.5), v2(0.0, 0.0)];
    let arc = Dressed::new(
        nodes,
        &[Boundary { name: "arc".into(), kind: FacetKind::Line3, nodes: vec![0, 1, 2] }],
        &points(Points::Gauss),
    );
    for k in -9..=9 {
        for g in [-0.1, 0.0, 0.05, 0.2] {
            let x = 0.1 * f64::from(k);
            let n = v2(x, 1.0).normalize();
            let found = all(&probe(v2(x, -0.5 * x * x) + n * g, -n), &arc, range(0.3, 0.3));
            assert!((found[0].touch.gap - g).abs() < 1e-12 && (found[0].touch.normal - n).norm() < 1e-9, "{x} {g}");
        }
    }
}

#[test]
fn cube_of_quadrangles_is_as_far_as_the_cube() {
    let (nodes, faces) = block(v3(-1.0, -1.0, -1.0), v3(2.0, 2.0, 2.0), 2);
    let cube = Dressed::new(nodes, &faces, &points(Points::Middles));
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 * 3.0 - 1.5
    };
    for _ in 0..500 {
        let x = v3(random(), random(), random());
        let nearest = x.map(|c: f64| c.clamp(-1.0, 1.0));
        let distance = (x - nearest).norm();
        if distance < 0.01 {
            continue;
        }
        let n = (x - nearest) / distance;
        let found = all(&probe3(x, -n), &cube, range(1.0, 0.4));
        assert_eq!(found.len(), 1, "{x}");
        assert!((found[0].touch.gap - distance).abs() < 1e-12 && (found[0].touch.normal - n).norm() < 1e-10);
    }
}

#[test]
fn rigid_shapes_have_their_distance_outside_and_inside() {
    let place = Placement { centre: v2(0.3, -0.2), turn: Space::<2>::turn_by(&0.7) };
    let at = |shape: Shape<2>, local: Vect<2>, n: Vect<2>, gap: f64| {
        let (x, n) = (place.point(&local), place.direction(&n));
        let mut out = Vec::new();
        with_rigid(&probe(x, -n).placed(), &shape, &place, &range(1.0, 1.0), &mut out);
        assert_eq!(out.len(), 1, "{shape:?}");
        assert!((out[0].touch.gap - gap).abs() < 1e-12, "{shape:?}: {} for {gap}", out[0].touch.gap);
        assert!((out[0].touch.normal - n).norm() < 1e-9 && out[0].antagonist.is_none());
        assert_eq!(out[0].candidate.count, 2);
    };
    let (x, y) = (Vect::<2>::x(), Vect::<2>::y());
    let square = || Shape::<2>::Convex(Arc::new(Polygon::rectangle(2.0, 2.0).unwrap()));
    for g in [0.2, -0.2] {
        at(Shape::HalfSpace(HalfSpace { normal: y }), v2(3.0, g), y, g);
        at(Shape::Ball(Ball { radius: 0.5 }), v2(0.5 + g, 0.0), x, g);
        at(Shape::Hollow(Hollow { radius: 2.0 }), v2(0.0, 2.0 - g), -y, g);
        at(square(), v2(0.5, 1.0 + g), y, g);
        let chain = Surface::new(vec![v2(2.0, 0.0), v2(0.0, 0.0), v2(-2.0, 0.0)], vec![[0, 1], [1, 2]]).unwrap();
        at(Shape::Surface(Arc::new(chain)), v2(0.4, g), y, g);
    }
    at(square(), v2(1.3, 1.4), v2(0.6, 0.8), 0.5);
    let cube = Shape::<3>::Convex(Arc::new(Polyhedron::cuboid(&v3(2.0, 2.0, 2.0)).unwrap()));
    for (x, n, gap) in [
        (v3(0.1, 0.2, 1.3), v3(0.0, 0.0, 1.0), 0.3),
        (v3(0.1, 0.2, 0.8), v3(0.0, 0.0, 1.0), -0.2),
        (v3(1.3, 0.2, 1.4), v3(0.6, 0.0, 0.8), 0.5),
    ] {
        let mut out = Vec::new();
        with_rigid(&probe3(x, -n).placed(), &cube, &Placement::identity(), &range(1.0, 1.0), &mut out);
        assert!((out[0].touch.gap - gap).abs() < 1e-12 && (out[0].touch.normal - n).norm() < 1e-9);
    }
}

#[test]
fn a_tilted_block_stands_on_one_corner_point() {
    let (nodes, sides) = rectangle(v2(0.0, 0.0), v2(1.0, 1.0), [2, 2]);
    let mut body = Dressed::new(nodes, &sides, &points(Points::Nodes));
    let turn = Space::<2>::turn_by(&0.6);
    body.moved(|x| Space::<2>::rotate(&turn, x));
    let ground = Shape::<2>::HalfSpace(HalfSpace { normal: Vect::<2>::y() });
    let mut out = Vec::new();
    with_rigid(&body.placed(), &ground, &Placement::identity(), &range(0.05, 0.1), &mut out);
    assert_eq!(out.len(), 1);
    assert!(out[0].touch.gap.abs() < 1e-15 && out[0].candidate == NodeWeights::node(0));
}

/// A U of thickness 0.1, its legs pinched until they overlap by 0.02.
#[test]
fn folded_strip_touches_itself_across_the_gap_and_not_through_its_thickness() {
    let (mut nodes, sides) = rectangle(v2(0.0, 0.0), v2(4.0, 0.1), [40, 1]);
    for x in &mut nodes {
        // Legs of length 1.5 joined by a half circle, the top of the strip inside.
        let (s, y) = (x.x - 2.0, x.y);
        let (half, radius) = (0.5, 1.0 / std::f64::consts::PI);
        let r = radius - y + 0.05;
        *x = if s.abs() <= half {
            let a = s / radius;
            v2(r * a.sin(), -r * a.cos())
        } else {
            v2(r * s.signum(), s.abs() - half)
        };
    }
    let strip = Dressed::new(nodes.clone(), &sides, &points(Points::Middles));
    let mut out = Vec::new();
    with_itself(&strip.placed(), &range(0.05, 1.0), &strip.depths, &mut out);
    assert!(out.is_empty(), "the open strip touches itself: {out:?}");
    // Pinch: every x of the right leg towards the left one, until the inner faces overlap by 0.02.
    let inner = 2.0 / std::f64::consts::PI + 0.1 - 0.2;
    let pinched =
        |x: &Vect<2>| if x.y > 0.0 { v2(x.x - x.x.signum() * 0.5 * (inner + 0.02) * (x.y / 1.5), x.y) } else { *x };
    let mut strip = strip;
    strip.moved(pinched);
    out.clear();
    with_itself(&strip.placed(), &range(0.01, 1.0), &strip.depths, &mut out);
    assert!(!out.is_empty());
    for t in &out {
        assert!(t.touch.gap > -0.021 && t.touch.gap < 0.01, "{}", t.touch.gap);
        assert!(t.touch.normal.x.abs() > 0.8 && t.touch.point.x.abs() < 0.03 && t.touch.point.y > 1.0, "{t:?}");
    }
}

#[test]
fn swapped_roles_see_the_same_gap_from_the_other_side() {
    let (nodes, sides) = rectangle(v2(0.0, 0.0), v2(1.0, 1.0), [4, 4]);
    let lower = Dressed::new(nodes, &sides, &points(Points::Middles));
    let (nodes, sides) = rectangle(v2(0.25, 1.01), v2(1.0, 1.0), [4, 4]);
    let upper = Dressed::new(nodes, &sides, &points(Points::Middles));
    let (one, two) = (all(&lower, &upper, range(0.02, 0.1)), all(&upper, &lower, range(0.02, 0.1)));
    assert_eq!((one.len(), two.len()), (3, 3));
    for (a, b) in one.iter().zip(&two) {
        assert!((a.touch.gap - 0.01).abs() < 1e-15 && (a.touch.gap - b.touch.gap).abs() < 1e-15);
        assert!((a.touch.normal + b.touch.normal).norm() < 1e-15 && (a.touch.point - b.touch.point).norm() < 1e-15);
    }
}

#[test]
fn touches_move_with_the_bodies() {
    let (nodes, faces) = block(Vect::zeros(), v3(1.0, 1.0, 1.0), 2);
    let (above, _) = block(v3(0.3, 0.4, 1.02), v3(1.0, 1.0, 1.0), 2);
    let turn = Space::<3>::turn_by(&v3(0.4, -1.1, 2.0));
    for choice in [Points::Nodes, Points::Middles, Points::Gauss] {
        let mut a = Dressed::new(above.clone(), &faces, &points(choice));
        let mut b = Dressed::new(nodes.clone(), &faces, &points(choice));
        let here = all(&a, &b, range(0.05, 0.1));
        let moved = |x: &Vect<3>| Space::<3>::rotate(&turn, x) + v3(5.0, -3.0, 2.0);
        a.moved(moved);
        b.moved(moved);
        let there = all(&a, &b, range(0.05, 0.1));
        assert_eq!(here.len(), there.len());
        assert!(!here.is_empty());
        for (h, t) in here.iter().zip(&there) {
            assert_eq!((h.touch.feature, h.facet), (t.touch.feature, t.facet));
            // Points past the rim of the lower block see its edge.
            let point = h.touch.point + h.touch.normal * (0.5 * h.touch.gap);
            let expected = (point - point.map(|x| x.clamp(0.0, 1.0))).norm();
            let gaps = (h.touch.gap, t.touch.gap);
            assert!((gaps.0 - gaps.1).abs() < 1e-13 && (gaps.0 - expected).abs() < 1e-14, "{choice:?} {gaps:?} {h:?}");
            assert!((moved(&h.touch.point) - t.touch.point).norm() < 1e-13);
        }
    }
}

#[test]
fn names_choose_and_bad_skins_are_named() {
    let (nodes, mut sides) = rectangle(v2(0.0, 0.0), v2(1.0, 1.0), [2, 2]);
    let only = SkinChoice { candidates: Some(vec!["top".into()]), ..SkinChoice::default() };
    assert_eq!(Skin::new(&sides, &nodes, &only).unwrap().candidates().len(), 2);
    let wrong = SkinChoice { antagonists: Some(vec!["up".into()]), ..SkinChoice::default() };
    let error = Skin::new(&sides, &nodes, &wrong).unwrap_err().to_string();
    assert!(error.contains("\"up\"") && error.contains("\"top\""), "{error}");
    sides[2].nodes[1] = 99;
    let error = Skin::new(&sides, &nodes, &SkinChoice::default()).unwrap_err();
    assert_eq!(error, SkinError::BrokenFacet { name: "top".into(), facet: 0 });
    assert!(matches!(Skin::<2>::new(&[], &nodes, &SkinChoice::default()), Err(SkinError::Empty)));
}
