//! Free and prescribed motions that have exact answers.

use super::totals::momentum;
use crate::support::{go, plane, plane_with, solid};
use cairn::measure::kinetic_energy;
use std::f64::consts::TAU;

#[test]
fn the_parabola_is_exact() {
    let mut s = plane(
        "dimension = 2\ngravity = { acceleration = [0.5, -9.81] }\ntime = { step = 1e-2, end = 10 }\n\
         materials.m = { density = 1000 }\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n\
         [[bodies]]\nmaterial = \"m\"\nshape = { kind = \"rectangle\", size = [1, 2] }\nvelocity = [3, 40]\nspin = 2\n",
    );
    go(&mut s, 1000);
    let t = 10.0;
    let (place, v) = (&s.state.motions[0].place, s.state.motions[0].velocity);
    assert!((place.centre.x - (3.0 * t + 0.25 * t * t)).abs() < 1e-11);
    assert!((place.centre.y - (40.0 * t - 0.5 * 9.81 * t * t)).abs() < 1e-10);
    assert!((v.x - 8.0).abs() < 1e-12 && (v.y - (40.0 - 98.1)).abs() < 1e-11);
    let turned = (place.turn.angle() - 2.0 * t).rem_euclid(TAU);
    assert!(turned.min(TAU - turned) < 1e-11, "{turned}");
}

/// A table that is driven in x, y and rotation, and a plate that is driven in x only.
fn driven(theta: f64, step: f64) -> String {
    format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = {step}, end = 1, theta = {theta} }}\n\
         materials.m = {{ density = 1000 }}\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n\
         [[bodies]]\nname = \"table\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"rectangle\", size = [2, 1] }}\n\
         [[bodies]]\nname = \"plate\"\nmaterial = \"m\"\nfixed = [\"y\", \"rotation\"]\nposition = [5, 0]\n\
         shape = {{ kind = \"rectangle\", size = [1, 1] }}\n\
         [[drive]]\nbodies = \"table\"\ncomponent = \"x\"\ndisplacement = {{ ramp = {{ to = 0.3, start = 0.0, end = 0.517 }} }}\n\
         [[drive]]\nbodies = \"table\"\ncomponent = \"y\"\ndisplacement = {{ table = \"d.csv\" }}\n\
         [[drive]]\nbodies = \"table\"\ncomponent = \"rotation\"\ndisplacement = {{ ramp = {{ to = 20, end = 0.7 }} }}\n\
         [[drive]]\nbodies = \"plate\"\ncomponent = \"x\"\n\
         displacement = {{ sine = {{ mean = -0.1, amplitude = 0.1, phase = 90, frequency = 3, end = 0.9 }} }}\n"
    )
}

#[test]
fn prescribed_displacements_end_where_they_must() {
    for theta in [0.5, 0.6, 1.0] {
        for step in [1e-2, 1e-3] {
            let mut s = plane_with(&[("d.csv", "0,0\n0.123,0.05\n0.4,-0.2\n0.8,0.25\n")], &driven(theta, step));
            go(&mut s, (1.0 / step).round() as usize);
            let (table, plate) = (&s.state.motions[0].place, &s.state.motions[1]);
            assert!((table.centre.x - 0.3).abs() < 1e-13, "θ = {theta}, h = {step}: x = {}", table.centre.x);
            assert!((table.centre.y - 0.25).abs() < 1e-13, "θ = {theta}, h = {step}: y = {}", table.centre.y);
            let turned = (table.turn.angle() - 20.0).rem_euclid(TAU);
            assert!(turned.min(TAU - turned) < 1e-11, "θ = {theta}, h = {step}: off by {turned}");
            // Past its end a sine has its mean.
            assert!((plate.place.centre.x - 4.9).abs() < 1e-12, "{}", plate.place.centre.x);
            assert_eq!(plate.place.centre.y, 0.0);
            assert!(plate.velocity.norm() < 1e-12);
        }
    }
}

#[test]
fn a_prescribed_displacement_has_no_jerk_at_the_start() {
    let mut s = plane_with(&[("d.csv", "0,0\n1,1\n")], &driven(0.5, 1e-3));
    for _ in 0..5 {
        let (table, plate) = (s.state.motions[0], s.state.motions[1]);
        assert!((table.velocity.x - 0.3 / 0.517).abs() < 1e-11, "{}", table.velocity.x);
        assert!((table.spin - 20.0 / 0.7).abs() < 1e-9, "{}", table.spin);
        assert!(plate.velocity.x.abs() < 0.2, "a cosine starts from rest: {}", plate.velocity.x);
        go(&mut s, 1);
    }
}

#[test]
fn fixed_components_never_move() {
    let mut s = solid(
        "dimension = 3\ngravity = { acceleration = [1, 2, -9.81] }\ntime = { step = 2e-3, end = 1 }\n\
         materials.m = { density = 1000 }\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\n\
         [[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = [\"x\", \"z\", \"rx\", \"ry\", \"rz\"]\nshape = { kind = \"box\", size = [1, 1, 0.2] }\n\
         [[bodies]]\nname = \"pivot\"\nmaterial = \"m\"\nfixed = [\"x\", \"y\", \"z\", \"rx\"]\nshape = { kind = \"box\", size = [0.4, 0.3, 0.1] }\nposition = [0, 0, 0.6]\nspin = [0, 1, 2]\n\
         [[bodies]]\nname = \"balls\"\nmaterial = \"m\"\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [-0.1, 0.05, 0.8]\nvelocity = [0, 0, -1]\ncopies = { count = 2, step = [0, -0.1, 0.3] }\n",
    );
    let start = s.state.motions.clone();
    let mut touched = 0;
    for _ in 0..200 {
        touched += s.step().unwrap().active;
    }
    assert!(touched > 10, "{touched}");
    let (wall, pivot) = (&s.state.motions[0], &s.state.motions[1]);
    assert_eq!((wall.place.centre.x, wall.place.centre.z), (start[0].place.centre.x, start[0].place.centre.z));
    assert_eq!(wall.place.turn, start[0].place.turn);
    assert_ne!(wall.place.centre.y, start[0].place.centre.y);
    assert_eq!(pivot.place.centre, start[1].place.centre);
    assert_eq!(pivot.spin.x, 0.0);
    assert_ne!(pivot.place.turn, start[1].place.turn);
}

#[test]
fn a_symmetric_top_turns_exactly_for_any_step() {
    let top = |step: f64| {
        let mut s = solid(&format!(
            "dimension = 3\ntime = {{ step = {step}, end = 4 }}\nmaterials.m = {{ density = 1000 }}\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\n\
             [[bodies]]\nmaterial = \"m\"\nmass = 2\ninertia = [0.3, 0.3, 0.5]\n\
             shape = {{ kind = \"prism\", sides = 8, radius = 0.5, height = 0.2 }}\n\
             rotation = {{ axis = [1, 2, 3], angle = 50 }}\nspin = [3, -2, 5]\n"
        ));
        let (_, l, size) = momentum(&s);
        let energy = kinetic_energy(&s.scene, &s.state.motions, &s.state.fields);
        go(&mut s, (4.0 / step).round() as usize);
        assert!((momentum(&s).1 - l).norm() < 1e-12 * size[1]);
        assert!((kinetic_energy(&s.scene, &s.state.motions, &s.state.fields) / energy - 1.0).abs() < 1e-12);
        s.state.motions[0].place.turn
    };
    let (coarse, fine) = (top(0.5), top(1e-3));
    assert!(coarse.angle_to(&fine) < 1e-10, "{}", coarse.angle_to(&fine));
}
