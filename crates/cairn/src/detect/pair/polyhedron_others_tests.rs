//! Blocks with balls, half-spaces and hollow cylinders: known answers and the suite of all pairs.

use super::suite::{ball, check, found};
use crate::shape::{HalfSpace, Hollow, Polyhedron, Shape};
use crate::space::{Placement, Vect};
use nalgebra::UnitQuaternion;
use std::sync::Arc;

fn v(x: f64, y: f64, z: f64) -> Vect<3> {
    Vect::<3>::new(x, y, z)
}

fn at(x: f64, y: f64, z: f64) -> Placement<3> {
    Placement { centre: v(x, y, z), ..Placement::identity() }
}

fn cube() -> Shape<3> {
    Shape::Convex(Arc::new(Polyhedron::cuboid(&v(1.0, 1.0, 1.0)).unwrap()))
}

#[test]
fn a_ball_finds_face_edge_corner_and_the_way_out() {
    let third = 3f64.sqrt().recip();
    let half = 0.5f64.sqrt();
    // Centre of the ball, direction from the cube to it, distance of the centre.
    let cases = [
        (v(0.1, 0.2, 0.75), v(0.0, 0.0, 1.0), 0.25),
        (v(0.1, 0.7, 0.7), v(0.0, half, half), 0.2 / half),
        (v(-0.6, 0.6, 0.6), v(-third, third, third), 0.1 / third),
        (v(0.1, -0.2, 0.4), v(0.0, 0.0, 1.0), -0.1),
    ];
    for (centre, outward, distance) in cases {
        let sphere = (ball(0.25), at(centre.x, centre.y, centre.z));
        let touches = check(&(cube(), at(0.0, 0.0, 0.0)), &sphere, 0.1, &v(3.0, -2.0, 1.0), &v(0.3, 1.0, -0.5));
        assert_eq!(touches.len(), 1);
        assert!((touches[0].normal + outward).norm() < 1e-14 && (touches[0].gap - distance + 0.25).abs() < 1e-15);
    }
}

#[test]
fn a_block_on_the_ground_stands_on_its_corners_and_a_drum_on_eight() {
    let ground = (Shape::HalfSpace(HalfSpace { normal: v(0.0, 0.0, 1.0) }), at(5.0, 0.0, 0.0));
    let touches = check(&(cube(), at(0.2, 0.1, 0.501)), &ground, 0.01, &v(1.0, 2.0, 3.0), &v(0.3, 1.0, -0.5));
    assert_eq!(touches.len(), 4);
    assert!(touches.iter().all(|t| (t.gap - 1e-3).abs() < 1e-15 && (t.area - 0.25).abs() < 1e-15));
    assert!(touches.iter().all(|t| (t.point.z - 5e-4).abs() < 1e-15));
    let tilted = Placement { turn: UnitQuaternion::from_scaled_axis(v(0.1, 0.0, 0.0)), ..at(0.0, 0.0, 0.55) };
    assert_eq!(found(&(cube(), tilted), &ground, 0.01).len(), 2);
    let drum = Shape::Convex(Arc::new(Polyhedron::regular_prism(20, 0.5, 1.0).unwrap()));
    assert_eq!(found(&(drum, at(0.0, 0.0, 0.5)), &ground, 0.01).len(), 8);
}

#[test]
fn a_block_in_a_drum_touches_with_its_corners() {
    let drum = (Shape::Hollow(Hollow { radius: 1.0 }), at(0.0, 0.0, 0.0));
    // The lower corners lie at (±0.5, −√0.75): on the wall.
    let low = 0.75f64.sqrt() - 0.5;
    let touches = check(&(cube(), at(0.0, -low, 7.0)), &drum, 0.01, &v(1.0, 2.0, 3.0), &v(0.3, 1.0, -0.5));
    assert_eq!(touches.len(), 4);
    for t in &touches {
        assert!(t.gap.abs() < 1e-15 && (t.normal - v(-t.point.x, 0.75f64.sqrt(), 0.0)).norm() < 1e-14);
    }
}
