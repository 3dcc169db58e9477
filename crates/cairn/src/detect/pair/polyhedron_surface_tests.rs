//! Blocks on fixed surfaces.

use super::ConvexPairs;
use crate::contact::Touch;
use crate::shape::{Polyhedron, Surface};
use crate::space::{Placement, Vect};
use nalgebra::UnitQuaternion;

fn v(x: f64, y: f64, z: f64) -> Vect<3> {
    Vect::<3>::new(x, y, z)
}

fn cube() -> Polyhedron {
    Polyhedron::cuboid(&v(1.0, 1.0, 1.0)).unwrap()
}

/// Strips along y over a profile of (x, z), each of `cells` squares cut in two; outside is above for growing x.
fn extruded(profile: &[[f64; 2]], from: f64, to: f64, cells: u32) -> Surface<3> {
    let n = profile.len() as u32;
    let row = |k: u32| profile.iter().map(move |p| v(p[0], from + (to - from) * f64::from(k) / f64::from(cells), p[1]));
    let vertices = (0..=cells).flat_map(row).collect();
    let square = |k: u32, i: u32| {
        let (p, q) = (k * n + i, (k + 1) * n + i);
        [[p, p + 1, q + 1], [p, q + 1, q]]
    };
    Surface::new(vertices, (0..cells).flat_map(|k| (0..n - 1).flat_map(move |i| square(k, i))).collect()).unwrap()
}

fn found(block: &Polyhedron, place: &Placement<3>, surface: &Surface<3>, reach: f64) -> Vec<Touch<3>> {
    let mut out = Vec::new();
    block.with_surface(place, surface, &Placement::identity(), reach, &mut out);
    out
}

#[test]
fn a_block_slides_over_seams_without_noticing_them() {
    let profile: Vec<[f64; 2]> = (-8..=8).map(|k| [0.4 * f64::from(k), 0.0]).collect();
    let floor = extruded(&profile, -3.0, 3.0, 13);
    for k in 0..200 {
        let s = f64::from(k);
        let turn = UnitQuaternion::from_scaled_axis(v(0.0, 0.0, 0.05 * s));
        let place = Placement { centre: v(0.01 * s - 1.0, 0.4 - 0.006 * s, 0.5 - 1e-5), turn };
        let touches = found(&cube(), &place, &floor, 1e-3);
        assert_eq!(touches.len(), 4, "{k}: {touches:#?}");
        assert!(touches.iter().all(|t| t.normal == Vect::<3>::z() && (t.gap + 1e-5).abs() < 1e-15));
    }
}

#[test]
fn a_tilted_block_touches_the_floor_with_its_edge_only() {
    let profile: Vec<[f64; 2]> = (-8..=8).map(|k| [0.4 * f64::from(k), 0.0]).collect();
    let floor = extruded(&profile, -3.0, 3.0, 13);
    for angle in [0.01, 0.3, 0.7] {
        let turn = UnitQuaternion::from_scaled_axis(v(0.0, angle, 0.0));
        let depth = (turn * v(0.5, 0.0, -0.5)).z;
        let touches = found(&cube(), &Placement { centre: v(0.123, 0.04, -depth - 1e-5), turn }, &floor, 1e-3);
        assert_eq!(touches.len(), 2, "{angle} {touches:#?}");
        assert!(touches.iter().all(|t| t.normal == Vect::<3>::z() && (t.gap + 1e-5).abs() < 1e-15));
    }
}

#[test]
fn a_block_on_a_pedestal_stands_on_its_corners() {
    let pedestal = extruded(&[[-0.2, -1.0], [-0.2, 0.0], [0.3, 0.0], [0.3, -1.0]], -0.4, 0.35, 3);
    let touches =
        found(&cube(), &Placement { centre: v(0.0, 0.0, 0.5001), turn: UnitQuaternion::identity() }, &pedestal, 1e-3);
    assert!(
        touches.iter().all(|t| (t.normal - Vect::<3>::z()).norm() < 1e-12 && (t.gap - 1e-4).abs() < 1e-14),
        "{touches:#?}"
    );
    for (x, y) in [(-0.2, -0.4), (0.3, -0.4), (0.3, 0.35), (-0.2, 0.35)] {
        assert!(touches.iter().any(|t| (t.point - v(x, y, 5e-5)).norm() < 1e-12), "{x} {y} {touches:#?}");
    }
}

#[test]
fn a_block_over_a_ridge_touches_where_its_edges_cross_it() {
    let roof = extruded(&[[-2.0, -1.0], [0.0, 0.0], [2.0, -1.0]], -3.0, 3.0, 1);
    let turn = UnitQuaternion::from_scaled_axis(v(0.0, 0.05, 0.0));
    let centre = turn * v(0.1, 0.2, 0.5 - 1e-5);
    let touches = found(&cube(), &Placement { centre, turn }, &roof, 1e-4);
    assert_eq!(touches.len(), 2, "{touches:#?}");
    for t in &touches {
        assert!((t.normal - turn * Vect::<3>::z()).norm() < 1e-12 && (t.gap + 1e-5).abs() < 1e-14);
        assert!((t.point.y - 0.2).abs() - 0.5 < 1e-12);
    }
}

#[test]
fn a_block_in_a_corner_feels_both_walls_and_a_step_only_its_riser() {
    let valley = extruded(&[[-2.0, 3.0], [-2.0, 0.0], [3.0, 0.0]], -3.0, 3.0, 2);
    let place = |x: f64, z: f64| Placement { centre: v(x, 0.1, z), turn: UnitQuaternion::identity() };
    let touches = found(&cube(), &place(-1.5 - 1e-6, 0.5 - 1e-6), &valley, 1e-3);
    let along = |n: Vect<3>| touches.iter().filter(|t| (t.normal - n).norm() < 1e-12).count();
    assert_eq!((along(Vect::<3>::x()), along(Vect::<3>::z()), touches.len()), (4, 4, 8), "{touches:#?}");

    // The block stands before a step of 0.05, and 1e-6 inside its riser.
    let step = extruded(&[[-3.0, 0.0], [1.0, 0.0], [1.0, 0.05], [3.0, 0.05]], -3.0, 3.0, 2);
    let touches = found(&cube(), &place(0.5 + 1e-6, 0.5), &step, 1e-3);
    assert!(touches.iter().all(|t| t.gap > -1e-5), "{touches:#?}");
    assert!(touches.iter().any(|t| (t.normal + Vect::<3>::x()).norm() < 1e-12 && (t.gap + 1e-6).abs() < 1e-12));
}
