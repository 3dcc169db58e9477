//! Blocks on blocks, balls on blocks: known answers, and what must hold for every pair.

use super::ConvexPairs;
use crate::contact::Touch;
use crate::shape::{ConvexShape, Polyhedron};
use crate::space::{Placement, Vect};
use nalgebra::UnitQuaternion;
use proptest::prelude::*;

fn v(x: f64, y: f64, z: f64) -> Vect<3> {
    Vect::<3>::new(x, y, z)
}

fn at(x: f64, y: f64, z: f64) -> Placement<3> {
    Placement { centre: v(x, y, z), ..Placement::identity() }
}

fn turned(centre: Vect<3>, angle: Vect<3>) -> Placement<3> {
    Placement { centre, turn: UnitQuaternion::from_scaled_axis(angle) }
}

fn cube() -> Polyhedron {
    Polyhedron::cuboid(&v(1.0, 1.0, 1.0)).unwrap()
}

fn pair(p: &Polyhedron, a: &Placement<3>, q: &Polyhedron, b: &Placement<3>, reach: f64) -> Vec<Touch<3>> {
    let mut out = Vec::new();
    p.with_convex(a, q, b, reach, &mut out);
    out
}

fn features(touches: &[Touch<3>]) -> Vec<u32> {
    let mut f: Vec<u32> = touches.iter().map(|t| t.feature).collect();
    f.sort_unstable();
    f
}

/// A hull of points around the unit sphere, the same for the same seed.
fn rock(count: usize, seed: u32) -> Polyhedron {
    let noise = |k: usize| {
        let x = (k as f64 + 1000.0 * f64::from(seed) + 1.0) * 12.9898;
        (x.sin() * 43758.5453).fract()
    };
    let point = |k: usize| v(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2)).normalize() * 0.5;
    Polyhedron::from_points(&(0..count).map(point).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_cube_on_a_cube_stands_on_its_four_corners() {
    let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(0.0, 0.0, 1.0), 0.01);
    assert_eq!(touches.len(), 4);
    for t in &touches {
        assert_eq!((t.normal, t.gap), (v(0.0, 0.0, -1.0), 0.0));
        assert_eq!((t.point.x.abs(), t.point.y.abs(), t.point.z), (0.5, 0.5, 0.5));
        assert!((t.area - 0.25).abs() < 1e-15);
    }
    assert_eq!(features(&touches).windows(2).filter(|w| w[0] == w[1]).count(), 0);
}

#[test]
fn corners_and_features_stay_when_the_cube_is_shifted() {
    let still = features(&pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(0.0, 0.0, 1.0), 0.01));
    for exponent in 3..=17 {
        for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 0.0), (0.0, -1.0)] {
            let s = 10f64.powi(-exponent);
            let (x, y) = (s * sx, s * sy);
            let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(x, y, 1.0), 0.01);
            assert_eq!(features(&touches), still, "shift {x:e} {y:e}");
            for t in &touches {
                let corner = |c: f64, shift: f64| if c > 0.0 { 0.5 + shift.min(0.0) } else { -0.5 + shift.max(0.0) };
                assert!((t.point.x - corner(t.point.x, x)).abs() < 2e-16);
                assert!((t.point.y - corner(t.point.y, y)).abs() < 2e-16);
            }
        }
    }
}

#[test]
fn small_turns_change_neither_the_number_of_corners_nor_their_features() {
    let still = features(&pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(0.0, 0.0, 1.0), 0.01));
    for exponent in 5..=17 {
        for axis in [v(0.0, 0.0, 1.0), v(1.0, 0.0, 0.0), v(-0.3, 0.5, -1.0)] {
            for sign in [1.0, -1.0] {
                let b = turned(v(0.0, 0.0, 1.0), axis * (sign * 10f64.powi(-exponent)));
                assert_eq!(features(&pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &b, 0.01)), still);
            }
        }
    }
}

#[test]
fn half_overlap_of_a_running_bond_is_exact() {
    let brick = Polyhedron::cuboid(&v(0.2, 0.1, 0.06)).unwrap();
    let touches = pair(&brick, &at(0.0, 0.0, 0.0), &brick, &at(0.1, 0.0, 0.06), 1e-3);
    assert_eq!(touches.len(), 4);
    assert!((touches.iter().map(|t| t.area).sum::<f64>() - 0.01).abs() < 1e-17);
    for t in &touches {
        assert!(t.gap.abs() < 1e-17 && (t.point.z - 0.03).abs() < 1e-17);
        assert!(t.point.x.abs() < 1e-17 || (t.point.x - 0.1).abs() < 1e-17);
        assert!((t.point.y.abs() - 0.05).abs() < 1e-17);
    }
}

#[test]
fn blocks_that_share_only_an_edge_do_not_touch() {
    for (dx, dz) in [(0.0, 0.0), (1e-15, -1e-15), (-1e-15, 1e-15), (-1e-12, -1e-12), (1e-9, 1e-9)] {
        let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(1.0 + dx, 0.0, 1.0 + dz), 0.01);
        assert!(touches.is_empty(), "{dx} {dz}: {touches:?}");
    }
    // Farther apart they see each other at their true distance.
    let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &at(1.003, 0.0, 1.004), 0.01);
    assert_eq!(touches.len(), 1);
    assert!((touches[0].gap - 0.005).abs() < 1e-15 && (touches[0].normal - v(-0.6, 0.0, -0.8)).norm() < 1e-12);
    assert!(touches[0].point.y.abs() < 1e-15);
}

/// ```text
///        __
///       /  /|      the block turns about its lower right edge,
///      /__/ /      the floor keeps its normal, the edge its two points
///   ___\_|/___
/// ```
#[test]
fn a_rocking_block_keeps_the_normal_of_what_it_rocks_on() {
    for (floor, edge) in [(v(4.0, 4.0, 1.0), 0.3), (v(1.0, 1.0, 1.0), 0.5)] {
        let floor = Polyhedron::cuboid(&floor).unwrap();
        for k in 0..60 {
            let angle = if k < 20 { 10f64.powi(k - 20) } else { 0.01 * f64::from(k - 19) };
            let turn = UnitQuaternion::from_scaled_axis(v(0.0, angle, 0.0));
            let centre = v(edge, 0.0, 0.5) + turn * v(-0.5, 0.0, 0.5);
            let b = Placement { centre, turn };
            for order in [true, false] {
                let touches = if order {
                    pair(&floor, &at(0.0, 0.0, 0.0), &cube(), &b, 1e-3)
                } else {
                    pair(&cube(), &b, &floor, &at(0.0, 0.0, 0.0), 1e-3)
                };
                let held: Vec<_> = touches.iter().filter(|t| t.gap.abs() < 1e-12).collect();
                assert!(held.len() == 2 || angle < 1e-11, "{angle}: {touches:?}");
                for t in held.iter().filter(|_| order || edge < 0.5) {
                    let up = if order { v(0.0, 0.0, -1.0) } else { v(0.0, 0.0, 1.0) };
                    assert!((t.normal - up).norm() < 2e-6, "{angle} {order}: {:?}", t.normal);
                    assert!((t.point.z - 0.5).abs() < 1e-12 && (t.point.y.abs() - 0.5).abs() < 1e-12);
                }
                // Lifted corners stay while they are within reach, with their gaps.
                assert_eq!(touches.len(), if angle.sin() <= 1e-3 { 4 } else { 2 }, "{angle}");
            }
        }
    }
}

#[test]
fn crossing_edges_touch_once_between_them() {
    // Two roofs: the edge of the lower along y, that of the upper along x, turned by 45° onto their edges.
    let quarter = std::f64::consts::FRAC_PI_4;
    let half = 0.5f64.sqrt();
    for gap in [0.005, 0.0, -0.005] {
        let a = turned(v(0.0, 0.0, 0.0), v(0.0, quarter, 0.0));
        let b = turned(v(0.1, 0.2, 2.0 * half + gap), v(quarter, 0.0, 0.0));
        let touches = pair(&cube(), &a, &cube(), &b, 0.01);
        assert_eq!(touches.len(), 1);
        let t = &touches[0];
        assert!((t.gap - gap).abs() < 1e-15 && (t.normal - v(0.0, 0.0, -1.0)).norm() < 1e-14);
        assert!((t.point - v(0.0, 0.2, half + 0.5 * gap)).norm() < 1e-14, "{:?}", t.point);
    }
}

#[test]
fn a_corner_on_a_face_touches_there() {
    let diagonal = UnitQuaternion::rotation_between(&v(1.0, 1.0, 1.0), &v(0.0, 0.0, -1.0)).unwrap();
    let b = Placement { centre: v(0.1, -0.2, 0.5 + 0.75f64.sqrt() + 1e-4), turn: diagonal };
    let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &cube(), &b, 1e-3);
    assert_eq!(touches.len(), 1);
    assert!((touches[0].gap - 1e-4).abs() < 1e-15 && (touches[0].point - v(0.1, -0.2, 0.50005)).norm() < 1e-14);
}

#[test]
fn drums_keep_eight_well_spread_points() {
    let drum = Polyhedron::regular_prism(24, 0.5, 1.0).unwrap();
    let touches = pair(&drum, &at(0.0, 0.0, 0.0), &drum, &at(0.0, 0.0, 1.0), 1e-3);
    assert_eq!(touches.len(), 8);
    let area: f64 = touches.iter().map(|t| t.area).sum();
    let whole = 12.0 * 0.25 * (std::f64::consts::TAU / 24.0).sin();
    assert!((area - whole).abs() < 1e-14);
    let mut angles: Vec<f64> = touches.iter().map(|t| t.point.y.atan2(t.point.x)).collect();
    angles.sort_by(f64::total_cmp);
    let widest =
        (0..8).map(|k| (angles[(k + 1) % 8] - angles[k]).rem_euclid(std::f64::consts::TAU)).fold(0.0, f64::max);
    assert!(widest < 1.1, "{widest}");
}

#[test]
fn shares_of_area_keep_the_centroid() {
    // A rectangle 0.6 × 0.8 about x = −0.1 and a triangle of area 0.08 about (4/15, −2/15).
    let trapezoid = Polyhedron::prism(&[[-0.4, -0.4], [0.4, -0.4], [0.2, 0.4], [-0.4, 0.4]], 1.0).unwrap();
    let touches = pair(&cube(), &at(0.0, 0.0, 0.0), &trapezoid, &at(0.0, 0.0, 1.0), 1e-3);
    let area: f64 = touches.iter().map(|t| t.area).sum();
    let mean = touches.iter().map(|t| t.point * t.area).sum::<Vect<3>>() / area;
    assert!((area - 0.56).abs() < 1e-15);
    let expected = (v(-0.1, 0.0, 0.5) * 0.48 + v(4.0 / 15.0, -2.0 / 15.0, 0.5) * 0.08) / 0.56;
    assert!((mean - expected).norm() < 1e-15);
}

/// A bar with its edge across a slab that is shorter than it, one end 0.01 higher per metre: both rims of the slab are under it, whether it
/// hovers over them or has sunk in.
#[test]
fn an_edge_across_a_face_touches_both_rims() {
    let bar = Polyhedron::cuboid(&v(4.0, 0.2, 0.2)).unwrap();
    let slab = Polyhedron::cuboid(&v(2.0, 2.0, 1.0)).unwrap();
    for (slope, gap) in [(-0.01, 0.02), (0.0, 0.02), (0.01, 0.02), (0.001, -0.01), (-0.001, -0.01), (0.0, -0.01)] {
        let edge_down = UnitQuaternion::from_scaled_axis(v(std::f64::consts::FRAC_PI_4, 0.0, 0.0));
        let tilt = UnitQuaternion::from_scaled_axis(v(0.0, -slope, 0.0));
        let place = Placement { centre: v(0.0, 0.1, gap + 0.1 * 2f64.sqrt()), turn: tilt * edge_down };
        for touches in
            [pair(&bar, &place, &slab, &at(0.0, 0.0, -0.5), 0.05), pair(&slab, &at(0.0, 0.0, -0.5), &bar, &place, 0.05)]
        {
            assert_eq!(touches.len(), 2, "{slope}: {touches:?}");
            for t in &touches {
                assert!((t.point.x.abs() - 1.0).abs() < 2e-3 && (t.point.y - 0.1).abs() < 2e-3, "{slope}: {touches:?}");
                assert!((t.gap - gap - slope * t.point.x).abs() < 1e-4 && t.normal.z.abs() > 0.999, "{slope}: {t:?}");
            }
        }
    }
}

/// A rock over a wide slab, turned in many ways: all that may come down on the slab is seen, whatever face looks down.
#[test]
fn every_vertex_within_reach_of_a_face_is_seen() {
    let slab = Polyhedron::cuboid(&v(10.0, 10.0, 1.0)).unwrap();
    let (reach, mut more) = (0.1, 0);
    for seed in 0..200 {
        let rock = rock(12, seed % 20);
        let turn = v(0.37, 0.11, -0.23) * f64::from(seed);
        let heights = |place: &Placement<3>| rock.vertices().iter().map(|x| place.point(x)).collect::<Vec<_>>();
        let lowest = heights(&turned(Vect::<3>::zeros(), turn)).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let place = turned(v(0.1, 0.2, 0.02 - lowest), turn);
        let near: Vec<_> = heights(&place).into_iter().filter(|x| x.z <= reach).collect();
        for (touches, sign) in [
            (pair(&rock, &place, &slab, &at(0.0, 0.0, -0.5), reach), 1.0),
            (pair(&slab, &at(0.0, 0.0, -0.5), &rock, &place, reach), -1.0),
        ] {
            for x in &near {
                let seen = touches.iter().find(|t| (t.point - v(x.x, x.y, 0.5 * x.z)).norm() < 1e-12);
                let t = seen.unwrap_or_else(|| panic!("{seed}: nothing at {x} in {touches:?}"));
                assert!((t.gap - x.z).abs() < 1e-12 && (t.normal - v(0.0, 0.0, sign)).norm() < 1e-12);
            }
            more += usize::from(near.len() > 3);
        }
    }
    assert!(more > 20, "only {more} rocks had more than a facing triangle");
}

fn placements() -> impl Strategy<Value = (Placement<3>, Placement<3>)> {
    let turn = || prop::array::uniform3(-3.0..3.0f64);
    (turn(), turn(), prop::array::uniform3(-1.0..1.0f64), 0.7..1.05f64, prop::array::uniform3(-9.0..9.0f64)).prop_map(
        |(s, t, d, apart, origin)| {
            let direction = Vect::<3>::from(d) + v(0.0, 0.0, 1e-3);
            let a = turned(origin.into(), s.into());
            (a, turned(a.centre + direction.normalize() * apart, t.into()))
        },
    )
}

proptest! {
    /// Whoever comes first, points and gaps are the same and normals opposite (where no tie decides by order).
    #[test]
    fn the_second_sees_what_the_first_sees((a, b) in placements(), seed in 0u32..50) {
        let (p, q) = (rock(12, seed), rock(20, seed + 100));
        let there = pair(&p, &a, &q, &b, 0.05);
        let back = pair(&q, &b, &p, &a, 0.05);
        prop_assert_eq!(there.len(), back.len());
        for t in &there {
            let same = |u: &&Touch<3>| (u.point - t.point).norm() < 1e-9 && (u.normal + t.normal).norm() < 1e-9;
            let twin = back.iter().find(same);
            prop_assert!(twin.is_some_and(|u| (u.gap - t.gap).abs() < 1e-12));
        }
    }

    /// The world may be moved as a whole.
    #[test]
    fn touches_move_with_the_bodies((a, b) in placements(), (m, _) in placements(), seed in 0u32..50) {
        let (p, q) = (rock(12, seed), rock(20, seed + 100));
        let here = pair(&p, &a, &q, &b, 0.05);
        let there = pair(&p, &m.then(&a), &q, &m.then(&b), 0.05);
        prop_assert_eq!(features(&here), features(&there));
        for (t, u) in here.iter().zip(&there) {
            prop_assert!((m.point(&t.point) - u.point).norm() < 1e-12 && (t.gap - u.gap).abs() < 1e-12);
            prop_assert!((m.direction(&t.normal) - u.normal).norm() < 1e-11);
        }
    }

    /// The least gap is the distance (found another way) up to the cosine of the slant between the two faces, as it is
    /// measured along the normal of one; bodies that overlap have a negative gap.
    #[test]
    fn gaps_are_distances((a, b) in placements(), seed in 0u32..50) {
        let (p, q) = (cube(), rock(16, seed));
        let touches = pair(&p, &a, &q, &b, 0.3);
        let (low, high) = distance_bounds(&p, &a, &q, &b);
        let least = touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        if low > 0.0 && high < 0.29 {
            prop_assert!(least <= 2.0 * high && least >= 0.5 * low, "{} not in {} {}", least, low, high);
        }
        if high < 1e-12 {
            prop_assert!(least <= 1e-12, "{}", least);
        }
    }

    /// Numbers are unique, normals unit, gaps within reach.
    /// Edges out of reach are not sorted out where they alone show that the bodies are apart.
    #[test]
    fn what_is_apart_overlaps_for_no_reach((a, b) in placements(), seed in 0u32..200, reach in 0.0..0.05) {
        let (p, q) = (rock(8, seed), rock(8, seed + 1000));
        let nearest = pair(&p, &a, &q, &b, 2.0).iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        prop_assume!(nearest > 1e-9);
        let touches = pair(&p, &a, &q, &b, reach);
        prop_assert!(touches.iter().all(|t| t.gap > 0.0), "apart by {nearest}, {:?} within {reach}", touches.iter().map(|t| t.gap).collect::<Vec<_>>());
    }

    #[test]
    fn no_feature_is_numbered_twice((a, b) in placements(), seed in 0u32..50) {
        let (p, q) = (rock(30, seed), rock(20, seed + 100));
        let touches = pair(&p, &a, &q, &b, 0.1);
        let numbers = features(&touches);
        prop_assert!(numbers.windows(2).all(|w| w[0] != w[1]));
        for t in &touches {
            prop_assert!(t.gap <= 0.1 && (t.normal.norm() - 1.0).abs() < 1e-14 && t.area >= 0.0);
        }
    }
}

/// Bounds of the distance of two polyhedra: slow, simple, independent. The point x of the Minkowski difference nearest to
/// the origin is sought by moving weight from its worst corner to its best; |x| is one bound, min v · x/|x| the other.
fn distance_bounds(p: &Polyhedron, a: &Placement<3>, q: &Polyhedron, b: &Placement<3>) -> (f64, f64) {
    let differences = p.vertices().iter().flat_map(|x| q.vertices().iter().map(move |y| a.point(x) - b.point(y)));
    let corners: Vec<Vect<3>> = differences.collect();
    let mut weights = vec![0.0; corners.len()];
    weights[0] = 1.0;
    let mut x = corners[0];
    let lowest = |x: &Vect<3>| {
        let down = |&i: &usize, &j: &usize| corners[i].dot(x).total_cmp(&corners[j].dot(x));
        (0..corners.len()).min_by(down).unwrap()
    };
    for _ in 0..5000 {
        let best = lowest(&x);
        let down = |&i: &usize, &j: &usize| corners[i].dot(&x).total_cmp(&corners[j].dot(&x));
        let worst = (0..corners.len()).filter(|&i| weights[i] > 0.0).max_by(down).unwrap();
        let d = corners[best] - corners[worst];
        if x.dot(&d) > -1e-15 {
            break;
        }
        let step = (-x.dot(&d) / d.norm_squared()).min(weights[worst]);
        weights[best] += step;
        weights[worst] -= step;
        x += d * step;
    }
    (corners[lowest(&x)].dot(&x) / x.norm(), x.norm())
}

/// Run with `--ignored --nocapture` on a quiet machine.
#[test]
#[ignore = "a measurement"]
fn time_per_pair() {
    let time = |name: &str, p: &Polyhedron, q: &Polyhedron, places: &[(Placement<3>, Placement<3>)]| {
        let mut out = Vec::new();
        let mut best = f64::INFINITY;
        let mut touching = 0;
        for _ in 0..20 {
            out.clear();
            let start = std::time::Instant::now();
            touching = 0;
            for (a, b) in places {
                let before = out.len();
                p.with_convex(a, q, b, 0.01, &mut out);
                touching += usize::from(out.len() > before);
            }
            best = f64::min(best, start.elapsed().as_secs_f64());
        }
        let each = best / places.len() as f64 * 1e6;
        println!("{name}: {each:.3} µs, {touching} of {} touch, {} points", places.len(), out.len());
    };
    let wobble = |k: usize, scale: f64| {
        let x = |j: usize| ((7 * k + j) as f64 * 12.9898).sin() * scale;
        v(x(0), x(1), x(2))
    };
    let stacked: Vec<_> = (0..1000).map(|k| (at(0.3, 0.0, 0.0), turned(v(0.7, 0.1, 1.0), wobble(k, 1e-3)))).collect();
    time("boxes, face on face", &cube(), &cube(), &stacked);
    let tumbled = |apart: f64| -> Vec<_> {
        let place = |k: usize| (turned(v(0.0, 0.0, 0.0), wobble(k, 3.0)), wobble(3 * k + 1, 1.0).normalize(), k);
        (0..1000).map(place).map(|(a, d, k)| (a, turned(d * apart, wobble(5 * k + 2, 3.0)))).collect()
    };
    time("boxes, any way", &cube(), &cube(), &tumbled(1.15));
    for apart in [0.9, 0.95, 1.0] {
        let (p, q) = (rock(20, 1), rock(20, 2));
        let touching: Vec<_> =
            tumbled(apart).into_iter().filter(|(a, b)| !pair(&p, a, &q, b, 0.01).is_empty()).collect();
        time("20-vertex hulls, touching", &p, &q, &touching);
        time("20-vertex hulls, near", &p, &q, &tumbled(apart));
    }
}
