//! A body that touches itself.

use crate::support::plane_with;
use cairn::simulation::Simulation;
use cairn_fem::Vect;
use cairn_fem::generate::{Flat, even, rectangle};
use std::f64::consts::PI;

/// A U with legs of 1 m, 0.1 m thick and 0.4 m apart, closed below by a half circle; its outer face is `bottom`.
fn horseshoe() -> String {
    let (radius, leg) = (0.25, 1.0);
    let arc = PI * radius;
    let mut mesh = rectangle(&even(0.0, 2.0 * leg + arc, 28), &even(0.0, 0.1, 2), Flat::Q4);
    mesh.map(|x| {
        let (s, r) = (x[0] - leg - 0.5 * arc, radius + 0.05 - x[1]);
        if s.abs() <= 0.5 * arc {
            Vect::from([r * (s / radius).sin(), -r * (s / radius).cos()])
        } else {
            Vect::from([r * s.signum(), s.abs() - 0.5 * arc])
        }
    });
    cairn_fem::gmsh::write(&mesh)
}

/// Pressed together from outside.
fn pressed(self_contact: bool) -> Simulation<2> {
    let mut s = plane_with(
        &[("u.msh", &horseshoe())],
        &format!(
            "dimension = 2\ntime = {{ step = 2e-3, end = 1, theta = 0.6 }}\n\
             materials.m = {{ density = 100, young = 1e5, poisson = 0.3, elasticity = \"saint_venant_kirchhoff\" }}\n\
             [[contact]]\nbetween = \"m\"\nfriction = 0.2\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-6\n[newton]\ntolerance = 1e-6\n\
             [[deformable]]\nname = \"u\"\nmaterial = \"m\"\nmesh = {{ kind = \"file\", file = \"u.msh\" }}\n\
             kinematics = \"finite\"\nself_contact = {self_contact}\n\
             [[load]]\nbodies = \"u\"\nboundary = \"bottom\"\npressure = 60\n"
        ),
    );
    for _ in 0..500 {
        s.step().unwrap();
    }
    s
}

/// Least distance between the inner faces of the legs: right minus left, negative when they have passed each other.
fn gap(s: &Simulation<2>) -> f64 {
    let body = &s.scene.flexibles[0];
    let x = body.positions(&s.state.fields[0].displacement);
    let inner = |side: f64| {
        let nodes = body.model.nodes().iter().zip(&x);
        nodes.filter(move |(at, _)| at[1] > 0.5 && (at[0] - side * 0.2).abs() < 1e-9).map(|(_, x)| x[0])
    };
    inner(1.0).fold(f64::INFINITY, f64::min) - inner(-1.0).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn legs_that_are_pressed_together_meet_and_do_not_pass() {
    let free = pressed(false);
    assert!(gap(&free) < -0.02, "without self-contact the legs pass through each other: {}", gap(&free));
    let held = pressed(true);
    assert!(gap(&held) > -2e-3, "{}", gap(&held));
    let meeting: Vec<_> = held.reactions().iter().filter(|r| r.impulse.norm() > 0.0).collect();
    assert!(!meeting.is_empty(), "they press on each other");
    assert!(meeting.iter().all(|r| r.contact.bodies == [0, 0] && r.contact.touch.normal.x.abs() > 0.9));
    assert!(held.state.ledger.unconverged == 0, "{} steps", held.state.ledger.unconverged);
}
