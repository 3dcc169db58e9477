//! Explicit steps with implicit contact and fictitious masses: the quasi-static answer, whatever the density.

use super::again::same_bits;
use crate::support::{go, plane};
use cairn::measure::{balance_error, slips, strain_energy};
use cairn::scene::{TimeUnit, read};
use cairn::simulation::Simulation;
use cairn::step::contacts_at_start;

/// Two blocks of Maxwell's material, one pushed against the other to a strain of 4 % in two times of relaxation.
const BLOCKS: &str = r#"
dimension = 2
time = { end = 10, TIME }
materials.m = { density = 1, young = 1e6, poisson = 0.25, maxwell = { viscosity = 2e6 } }
[[contact]]
between = "m"
friction = 0.3
unilateral = "gap"
[[deformable]]
name = "right"
material = "m"
position = [0.5, 0.5]
kinematics = "finite"
WAY
mesh = { kind = "rectangle", size = [1, 1], cells = [4, 4] }
[[deformable]]
name = "left"
material = "m"
position = [-0.5, 0.5]
kinematics = "finite"
WAY
mesh = { kind = "rectangle", size = [1, 1], cells = [4, 4] }
[[fix]]
bodies = "left"
boundary = "bottom"
components = ["y"]
[[fix]]
bodies = "right"
boundary = "right"
[[drive]]
bodies = "left"
boundary = "left"
component = "x"
velocity = { ramp = { to = 0.01, end = 4 } }
"#;

/// A block of Maxwell's material under its weight, pushed from the left by 0.2 % of its length in one time of relaxation.
const PRESSED: &str = r#"
dimension = 2
gravity = { acceleration = [0, -10] }
time = { step = 0.01, end = 10 }
materials.m = { density = 2e3, young = 1e7, poisson = 0.25, maxwell = { viscosity = 8e6 } }
[[deformable]]
name = "block"
material = "m"
mesh = { kind = "rectangle", size = [4, 2], cells = [12, 6] }
kinematics = "finite"
initial_stress = { surface = 1 }
mass = "fictitious"
correction = "mass"
inertia = LIMIT
[[fix]]
bodies = "block"
boundary = "bottom"
components = ["y"]
[[fix]]
bodies = "block"
boundary = "right"
components = ["x"]
[[drive]]
bodies = "block"
boundary = "left"
component = "x"
velocity = 4e-3
"#;

fn blocks(way: &str, time: &str) -> Simulation<2> {
    plane(&BLOCKS.replace("WAY", way).replace("TIME", time))
}

fn explicit(density: f64) -> Simulation<2> {
    let way = "mass = \"fictitious\"\ncorrection = \"mass\"\ninertia = 10";
    let text = BLOCKS.replace("WAY", way).replace("TIME", "step = 0.02");
    plane(&text.replace("density = 1,", &format!("density = {density},")))
}

#[test]
fn explicit_steps_follow_the_implicit_ones() {
    let mut implicit = blocks("", "step = 0.05, theta = 1");
    go(&mut implicit, 200);
    for density in [1.0, 1e-3] {
        let mut s = explicit(density);
        let mut last = 0.0;
        for _ in 0..500 {
            let report = s.step().unwrap();
            last = report.inertia.ratio;
            assert!(report.inertia.scaling > 1.0);
        }
        assert!(last < 1e-3, "inertia {last:e}");
        let [found, reference] = [&s, &implicit].map(|s| strain_energy(&s.scene, &s.state.fields));
        assert!((found / reference - 1.0).abs() < 1e-3, "density {density}: {found} against {reference}");
        let [found, reference] = [&s, &implicit].map(|s| s.state.ledger.materials.viscous);
        assert!((found / reference - 1.0).abs() < 1e-3, "density {density}: {found} against {reference}");
        let error = balance_error(&s.scene, &s.state).abs();
        assert!(error < 1e-12, "energy balance {error:e}");
    }
}

#[test]
fn explicit_steps_go_on_with_the_same_bits() {
    let mut s = explicit(1.0);
    go(&mut s, 50);
    same_bits(s, 20);
}

/// A block under its own weight, pushed at once. Smaller limits mean smaller masses, and the same answer.
#[test]
fn masses_adapt_so_that_inertia_stays_below_the_limit() {
    let run = |limit: f64| {
        let mut s = plane(&PRESSED.replace("LIMIT", &limit.to_string()));
        let (mut worst, mut parts) = (0.0_f64, 0);
        for _ in 0..400 {
            let report = s.step().unwrap();
            worst = worst.max(report.inertia.ratio);
            parts += report.substeps;
        }
        assert_eq!(s.state.ledger.unconverged, 0, "limit {limit}, worst {worst:e}");
        (worst, parts, s)
    };
    let (free, few, reference) = run(10.0);
    let (held, many, s) = run(0.3 * free);
    assert!(held <= 0.3 * free && many > few, "{held:e} of {free:e}, {many} and {few} parts");
    let [found, expected] = [&s, &reference].map(|s| strain_energy(&s.scene, &s.state.fields));
    assert!((found / expected - 1.0).abs() < 5e-3, "{found} {expected}");
    same_bits_of_fields(s);
}

/// Pace and masses are part of the state.
fn same_bits_of_fields(mut s: Simulation<2>) {
    let mut other = Simulation::resume(s.scene.clone(), s.state.clone());
    go(&mut s, 20);
    go(&mut other, 20);
    assert!(s.state == other.state);
}

#[test]
fn a_step_with_too_much_inertia_does_not_count_as_converged() {
    let way = "mass = \"fictitious\"\ncorrection = \"mass\"\ninertia = 1e-9";
    let mut s = blocks(way, "step = 0.02");
    go(&mut s, 10);
    assert!(s.state.ledger.unconverged > 0);
}

#[test]
fn fictitious_masses_need_explicit_steps() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scene.toml");
    std::fs::write(&path, BLOCKS.replace("WAY", "mass = \"fictitious\"").replace("TIME", "step = 0.02")).unwrap();
    let said = read(&path, &[]).err().map(|e| e.plain()).unwrap_or_default();
    assert!(said.contains("needs correction = \"mass\""), "{said}");
}

/// The left block slides up along the right one, which holds; years are times and nothing else.
#[test]
fn slip_is_the_way_along_a_face_and_years_are_long_seconds() {
    let text =
        BLOCKS.replace("WAY", "").replace("TIME", "step = 0.05, theta = 1").replace("friction = 0.3", "friction = 0");
    let text = text.replace(
        "component = \"x\"\nvelocity = { ramp = { to = 0.01, end = 4 } }",
        "component = \"y\"\nvelocity = 0.01",
    );
    let text = text.replace("components = [\"y\"]", "components = [\"x\"]");
    let mut s = plane(&text);
    go(&mut s, 100);
    let (state, start) = (&s.state, contacts_at_start(&s.scene));
    let points = slips(&s.scene, &start, state);
    assert!(points.len() == 5 && points.windows(2).all(|p| p[0].depth < p[1].depth), "{points:?}");
    assert!(points.iter().all(|p| (p.slip - 0.05).abs() < 0.02), "{points:?}");
    assert!(points.iter().filter_map(|p| p.rate).all(|rate| (rate - 0.01).abs() < 0.005), "{points:?}");
    let years = plane(&text.replace("dimension = 2", "dimension = 2\ntime_unit = \"year\""));
    assert_eq!(years.scene.time.unit, TimeUnit::Year);
    assert_eq!((years.scene.time.step, years.scene.time.end), (0.05 * 31_557_600.0, 10.0 * 31_557_600.0));
}
