//! Stages that change gravity, laws, who is held and driven, velocities, and who is there.

use crate::support::{go, plane};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;

const GROUND: &str = r#"
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
"#;

/// A block of 1 m and 1000 kg on the ground.
fn block(more: &str) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3 }}\n[materials]\nstone = {{ density = 1000 }}\n\
         [[contact]]\nbetween = \"any\"\nfriction = 0.5\n{GROUND}\n\
         [[bodies]]\nname = \"block\"\nmaterial = \"stone\"\nposition = [0, 0.5]\nshape = {{ kind = \"rectangle\", size = [1, 1] }}\n{more}"
    ))
}

fn at(simulation: &Simulation<2>) -> [f64; 2] {
    simulation.state.motions[1].place.centre.into()
}

fn balance(simulation: &Simulation<2>) -> f64 {
    balance_error(&simulation.scene, &simulation.state).abs()
}

const TILT: &str = r#"
[gravity]
acceleration = [0, -10]
tilt = { ramp = { to = 40, start = 0.5, end = 2.5 } }

[[stage]]
name = "tilted"
duration = 2.5
"#;

#[test]
fn a_block_slides_where_the_tilt_reaches_its_angle_of_friction() {
    let mut simulation = block(TILT);
    // 20°/s from 0.5 s on: atan 0.5 is reached at 0.5 s + 1.328 s.
    let time = 0.5 + 0.5_f64.atan().to_degrees() / 20.0;
    while simulation.state.time < time - 2e-3 {
        simulation.step().unwrap();
    }
    assert!(at(&simulation)[0].abs() < 1e-9, "{:?} at {}", at(&simulation), simulation.state.time);
    // To the left: the ground rises to the right. With φ − φ₀ = ω t, the acceleration is g ω t (cos φ₀ + μ sin φ₀) at first.
    go(&mut simulation, 102);
    let (angle, t) = (0.5_f64.atan(), simulation.state.time - time);
    let expected = -10.0 * 20.0_f64.to_radians() * (angle.cos() + 0.5 * angle.sin()) * t.powi(3) / 6.0;
    assert!((at(&simulation)[0] / expected - 1.0).abs() < 0.02, "{} instead of {expected}", at(&simulation)[0]);
    assert!(balance(&simulation) < 1e-12);
}

#[test]
fn a_stage_changes_friction_and_gravity() {
    let mut simulation = block(
        r#"
        [gravity]
        acceleration = [3, -10]
        [[stage]]
        name = "rough"
        duration = 0.1
        [[stage]]
        name = "smooth"
        duration = 0.2
        contact = [{ between = "any", friction = 0.1 }]
        [[stage]]
        name = "level"
        duration = 0.1
        gravity = { acceleration = [0, -5] }
        "#,
    );
    go(&mut simulation, 100);
    assert!(at(&simulation)[0].abs() < 1e-12, "3 is less than 0.5 · 10");
    go(&mut simulation, 200);
    // a = 3 − 0.1 · 10.
    assert!((at(&simulation)[0] - 0.5 * 2.0 * 0.04).abs() < 1e-9, "{:?}", at(&simulation));
    go(&mut simulation, 100);
    // v = 0.4 m/s, a = −0.1 · 5.
    let expected = 0.04 + 0.4 * 0.1 - 0.5 * 0.5 * 0.01;
    assert!((at(&simulation)[0] - expected).abs() < 1e-9, "{:?}", at(&simulation));
    assert!(simulation.is_over() && balance(&simulation) < 1e-12, "{}", balance(&simulation));
}

const HANDS: &str = r#"
[gravity]
acceleration = [0, -10]

[[stage]]
name = "held"
duration = 0.1
[[stage]]
name = "falls"
duration = 0.2
[[stage]]
name = "lifted"
duration = 0.3
[[stage]]
name = "thrown"
duration = 0.1
velocity = [{ bodies = "block", velocity = [2, 1] }]
[[stage]]
name = "caught"
duration = 0.1

[[bodies]]
name = "stone"
material = "stone"
position = [10, 5]
shape = { kind = "disk", radius = 0.1 }

[[fix]]
bodies = "block"
until = "falls"
[[fix]]
bodies = "block"
stage = "caught"
[[drive]]
bodies = "block"
component = "y"
displacement = { ramp = { to = 0.5, end = 0.2 } }
stage = "lifted"
before = "free"
until = "thrown"
"#;

fn in_hands() -> Simulation<2> {
    let mut simulation = block(HANDS);
    simulation.state.motions[1].place.centre.y = 5.0;
    simulation.scene.start[1].place.centre.y = 5.0;
    simulation
}

#[test]
fn a_body_is_held_released_driven_thrown_and_caught() {
    let mut simulation = in_hands();
    go(&mut simulation, 100);
    assert_eq!(at(&simulation), [0.0, 5.0]);
    go(&mut simulation, 200);
    let fallen = 5.0 - 0.5 * 10.0 * 0.04;
    assert!((at(&simulation)[1] - fallen).abs() < 1e-12, "{:?}", at(&simulation));
    // The displacement counts from where the drive takes over.
    go(&mut simulation, 300);
    assert!((at(&simulation)[1] - fallen - 0.5).abs() < 1e-12, "{:?}", at(&simulation));
    go(&mut simulation, 100);
    let thrown = [0.2, fallen + 0.5 + 0.1 - 0.05];
    assert!((0..2).all(|k| (at(&simulation)[k] - thrown[k]).abs() < 1e-12), "{:?}", at(&simulation));
    go(&mut simulation, 100);
    assert!((0..2).all(|k| (at(&simulation)[k] - thrown[k]).abs() < 1e-12), "{:?}", at(&simulation));
    assert!(simulation.is_over() && balance(&simulation) < 1e-12, "{}", balance(&simulation));
}

#[test]
fn a_block_falls_when_its_support_is_taken_away() {
    let mut simulation = block(
        r#"
        [gravity]
        acceleration = [0, -10]
        [[bodies]]
        name = "upper"
        material = "stone"
        position = [0, 1.5]
        shape = { kind = "rectangle", size = [1, 1] }
        [[stage]]
        name = "stands"
        duration = 0.1
        [[stage]]
        name = "falls"
        duration = 0.2
        remove = ["block"]
        "#,
    );
    let upper = |s: &Simulation<2>| s.state.motions[2].place.centre.y;
    go(&mut simulation, 100);
    assert!((upper(&simulation) - 1.5).abs() < 1e-6 && simulation.state.reactions.len() >= 4);
    // A block at rest still has the velocity that the solver leaves it.
    let before = simulation.state.motions[2];
    go(&mut simulation, 200);
    let expected = before.place.centre.y + 0.2 * before.velocity.y - 0.2;
    assert!((upper(&simulation) - expected).abs() < 1e-12, "{}", upper(&simulation));
    assert!(simulation.state.reactions.iter().all(|r| !r.contact.bodies.contains(&1)), "nothing touches what is gone");
    assert!(balance(&simulation) < 1e-12);
}

#[test]
fn a_run_resumed_in_any_chapter_has_the_same_bits() {
    let mut whole = in_hands();
    whole.run_to_end().unwrap();
    for stop in [50, 100, 101, 299, 300, 301, 450, 600, 650, 700, 750] {
        let mut first = in_hands();
        go(&mut first, stop);
        let mut second = Simulation::resume(in_hands().scene, first.state);
        second.run_to_end().unwrap();
        assert_eq!(second.state, whole.state, "stopped after step {stop}");
    }
}

#[test]
fn what_a_program_has_set_stays_set_in_the_next_stage() {
    let scene = "
        [gravity]
        acceleration = [3, -10]
        [[stage]]
        name = \"one\"
        duration = 0.1
        [[stage]]
        name = \"two\"
        duration = 0.1
        contact = [{ between = \"any\", friction = 0.2 }]
        ";
    let mut simulation = block(scene);
    let control = simulation.scene.control_friction(["stone", "stone"], 0.7).unwrap();
    simulation.set(control);
    go(&mut simulation, 150);
    assert!(at(&simulation)[0].abs() < 1e-12);
    let mut resumed = Simulation::resume(block(scene).scene, simulation.state.clone());
    go(&mut simulation, 50);
    go(&mut resumed, 50);
    assert_eq!(simulation.state, resumed.state);
}
