//! Runs that end by themselves, and stages one after the other.

use crate::support::{plane, plane_with};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;

const GROUND: &str = r#"
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
"#;

fn block(time: &str, more: &str) -> Simulation<2> {
    let text = format!(
        "dimension = 2\n[time]\n{time}\n[materials]\nstone = {{ density = 1000 }}\n\
         [[contact]]\nbetween = \"any\"\nfriction = 0.5\n[gravity]\nacceleration = [0, -10]\n{GROUND}\n\
         [[bodies]]\nname = \"block\"\nmaterial = \"stone\"\nposition = [0, 0.5]\nshape = {{ kind = \"rectangle\", size = [1, 1] }}\n{more}"
    );
    plane(&text)
}

#[test]
fn a_block_that_falls_is_in_equilibrium_only_once_it_lies() {
    let mut lying = block("step = 1e-3\nend = 10\nuntil = \"equilibrium\"", "");
    lying.run_to_end().unwrap();
    assert!(lying.state.step <= 3, "{} steps", lying.state.step);
    let text = "step = 1e-3\nend = 10\nuntil = \"equilibrium\"\ntolerance = 1e-6";
    let mut falling = block(text, "");
    falling.state.motions[1].place.centre.y += 0.05;
    falling.run_to_end().unwrap();
    // 0.05 m take √(2·0.05/10) = 0.1 s.
    assert!((0.1..0.11).contains(&falling.state.time), "ended at {}", falling.state.time);
}

#[test]
fn what_slides_never_comes_to_equilibrium() {
    let push = "[[load]]\nbodies = \"block\"\nforce = [5100, 0]";
    let mut sliding = block("step = 1e-3\nend = 0.05\nuntil = \"equilibrium\"\ntolerance = 1e-4", push);
    sliding.run_to_end().unwrap();
    assert_eq!(sliding.state.step, 50, "it runs to its end");
    let push = "[[load]]\nbodies = \"block\"\nforce = [4900, 0]";
    let mut held = block("step = 1e-3\nend = 0.05\nuntil = \"equilibrium\"\ntolerance = 1e-4", push);
    held.run_to_end().unwrap();
    assert!(held.state.step < 5);
}

const STAGES: &str = r#"
[[stage]]
name = "gravity"
until = "equilibrium"
duration = 1

[[stage]]
name = "push"
duration = 0.2
step = 2e-3

[[stage]]
name = "rest"
until = "equilibrium"
tolerance = 1e-6
duration = 1

[[load]]
bodies = "block"
force = [5500, 0]
stage = "push"
history = { ramp = { from = 0, to = 1, end = 0.1 } }

[[load]]
bodies = "block"
force = [-5500, 0]
stage = "rest"
"#;

#[test]
fn loads_begin_with_their_stage_and_count_from_it() {
    let mut simulation = block("step = 1e-3", STAGES);
    let at = |s: &Simulation<2>| s.state.motions[1].place.centre.x;
    while simulation.state.stages.len() == 1 {
        simulation.step().unwrap();
    }
    let start = *simulation.state.stages.last().unwrap();
    assert!(start.step <= 3 && at(&simulation).abs() < 1e-9);
    // The ramp passes μ W = 5000 N at 0.0909 s of its own time.
    while simulation.state.time < start.time + 0.0905 {
        assert!(at(&simulation).abs() < 1e-9, "it moved at {}", simulation.state.time);
        simulation.step().unwrap();
    }
    simulation.run_to_end().unwrap();
    let [_, push, rest, end] = simulation.state.stages[..] else { panic!("three stages") };
    assert_eq!((rest.step - push.step, rest.time - push.time), (100, 0.2));
    // From the 500 N above friction: a(t) = (55000 t − 5000)/1000 until 0.1 s, then 0.5 m/s² until 0.2 s; friction alone stops it.
    let (t0, t1, t2) = (1.0 / 11.0, 0.1, 0.2);
    let dt = t1 - t0;
    let (v1, x1) = (27.5 * dt * dt, 55.0 * dt * dt * dt / 6.0);
    let v2 = v1 + 0.5 * (t2 - t1);
    let x2 = x1 + v1 * (t2 - t1) + 0.25 * (t2 - t1) * (t2 - t1);
    let stopping = v2 / 5.0;
    assert!((at(&simulation) - (x2 + 0.5 * v2 * stopping)).abs() < 2e-5, "{}", at(&simulation));
    assert!(
        (end.time - rest.time - stopping).abs() < 5e-3,
        "stops within {stopping}, ended after {}",
        end.time - rest.time
    );
    assert!(balance_error(&simulation.scene, &simulation.state).abs() < 1e-12);
}

#[test]
fn a_run_resumed_within_a_stage_has_the_same_bits() {
    let fresh = || block("step = 1e-3", STAGES);
    let mut whole = fresh();
    whole.run_to_end().unwrap();
    for stop in [1, 57, 101, 108] {
        let mut first = fresh();
        while first.state.step < stop {
            first.step().unwrap();
        }
        let mut second = Simulation::resume(fresh().scene, first.state);
        second.run_to_end().unwrap();
        assert_eq!(second.state, whole.state, "stopped after step {stop}");
    }
}

/// A column of ν = 0, loaded by its weight at once, shortens by ρ g H²/(2E). With θ = 1 and a step above its period both ways
/// end by themselves, with the ground carrying the weight.
#[test]
fn both_quasi_static_ways_find_the_equilibrium_of_an_elastic_column() {
    for way in ["none", "velocity_cancelling"] {
        let text = format!(
            r#"
dimension = 2
[time]
step = 0.05
end = 10
theta = 1
quasi_static = "{way}"
until = "equilibrium"
tolerance = 1e-6
[solver]
tolerance = 1e-10
[materials]
stone = {{ density = 2000, young = 1e9 }}
[[contact]]
between = "any"
friction = 0.5
unilateral = "gap"
[gravity]
acceleration = [0, -10]
{GROUND}
[[deformable]]
name = "column"
material = "stone"
position = [0, 1]
mesh = {{ kind = "rectangle", size = [0.2, 2], cells = [1, 8] }}
"#
        );
        let mut column = plane(&text);
        column.run_to_end().unwrap();
        assert!(column.state.step < 100, "{way}: {} steps", column.state.step);
        let top = column.state.fields[0].displacement[1..].iter().step_by(2).copied().fold(0.0, f64::min);
        let expected = -2000.0 * 10.0 * 4.0 / 2e9;
        assert!((top / expected - 1.0).abs() < 1e-5, "{way}: sinks by {top}, expected {expected}");
        let carried = -column.resultant(&[0]).y;
        assert!((carried / 8000.0 - 1.0).abs() < 1e-5, "{way}: the ground carries {carried}");
    }
}

#[test]
fn equilibrium_waits_for_histories_to_rest() {
    let drive = "[[drive]]\nbodies = \"ground\"\ncomponent = \"y\"\n\
                 displacement = { table = \"move.csv\" }";
    let text = format!(
        "dimension = 2\n[time]\nstep = 1e-3\nend = 1\nuntil = \"equilibrium\"\nquasi_static = \"velocity_cancelling\"\n\
         [materials]\nstone = {{ density = 1000 }}\n[[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
         [gravity]\nacceleration = [0, -10]\n{GROUND}\n[[bodies]]\nname = \"block\"\nmaterial = \"stone\"\n\
         position = [0, 0.5]\nshape = {{ kind = \"rectangle\", size = [1, 1] }}\n{drive}"
    );
    let mut simulation = plane_with(&[("move.csv", "0,0\n0.2,-0.001\n")], &text);
    simulation.run_to_end().unwrap();
    assert!((0.2..0.25).contains(&simulation.state.time), "ended at {}", simulation.state.time);
    assert!((simulation.state.motions[1].place.centre.y - 0.499).abs() < 1e-6);
}
