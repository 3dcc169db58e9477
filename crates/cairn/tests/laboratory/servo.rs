//! Cells that give way until they carry a prescribed stress.

use crate::support::{go, plane, solid};
use cairn::measure::balance_error;
use cairn::scene::{Control, Quantity};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

fn balance<const D: usize>(s: &Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    balance_error(&s.scene, &s.state).abs()
}

/// One of the columns of the first measure.
fn measured<const D: usize>(s: &Simulation<D>, what: &str) -> f64
where
    Space<D>: Ambient<D>,
{
    let measure = &s.scene.measures[0];
    let columns = cairn::measure::chosen_columns(measure);
    let k = columns.iter().position(|(name, _)| name == what).unwrap_or_else(|| panic!("{what}: {columns:?}"));
    cairn::measure::chosen_values(&s.scene, &s.state, measure)[k]
}

/// A square lattice of disks that touch in a cell, pressed by what `stress` says.
fn lattice(stress: &str) -> Simulation<2> {
    plane(&format!(
        r#"
dimension = 2
time = {{ step = 1e-3, end = 1 }}
solver = {{ tolerance = 1e-13 }}
materials.grain = {{ density = 1000 }}
contact = [{{ between = "grain", law = "frictionless" }}]
[cell]
low = [0.1, 0.2]
high = [4.1, 3.2]
{stress}
[[generate]]
kind = "lattice"
name = "grains"
material = "grain"
pattern = "square"
radius = 0.5
counts = [4, 3]
position = [0.5, 0.5]
[[measure]]
name = "all"
of = ["stress", "solid_fraction"]
"#
    ))
}

/// From the first step on, as there is nothing to give. (How rows share what they carry is not determined.)
#[test]
fn a_pressed_lattice_has_the_stress_that_is_prescribed() {
    let mut s = lattice(
        "[[cell.stress]]\ncomponent = \"xx\"\nstress = -3000\n[[cell.stress]]\ncomponent = \"yy\"\nstress = -1000",
    );
    go(&mut s, 5);
    for (component, expected) in [("all stress xx", -3000.0), ("all stress yy", -1000.0), ("all stress xy", 0.0)] {
        let found = measured(&s, component);
        assert!((found - expected).abs() < 1e-6, "{component}: {found} instead of {expected}");
    }
    assert!(balance(&s) < 1e-12);
}

/// Without bodies in the way the cell falls in on itself: I ε̈ = −p V, with I = m L²/12.
#[test]
fn an_empty_cell_gives_way_by_its_inertia() {
    let mut s = plane(
        r#"
dimension = 2
time = { step = 1e-4, end = 1 }
materials.grain = { density = 1000 }
contact = [{ between = "grain", friction = 0.5 }]
[cell]
low = [0, 0]
high = [4, 3]
[[cell.stress]]
component = "mean"
stress = -100
[[bodies]]
material = "grain"
position = [2, 1.5]
shape = { kind = "disk", radius = 0.1 }
"#,
    );
    go(&mut s, 100);
    let (mass, t) = (1000.0 * std::f64::consts::PI * 0.01, s.state.time);
    let expected = -100.0 * 12.0 * 2.0 / (mass * (16.0 + 9.0) / 12.0);
    let [strain, rate] = Control::strain_of(&s.state.controls, 0);
    // The first order in the strain, which is 2e-3.
    assert!((rate / (expected * t) - 1.0).abs() < 5e-3, "{rate} instead of {}", expected * t);
    assert!((strain / (0.5 * expected * t * t) - 1.0).abs() < 5e-3, "{strain}");
}

/// Loose disks in a cell, pressed from all sides.
fn loose(more: &str) -> Simulation<2> {
    let mut text = format!(
        r#"
dimension = 2
time = {{ step = 1e-3, end = 9 }}
materials.grain = {{ density = 1000 }}
contact = [{{ between = "any", friction = 0.3 }}]
[cell]
low = [0, 0]
high = [1.2, 1.2]
{more}
[[measure]]
name = "all"
of = ["stress", "kinetic_stress", "solid_fraction"]
"#
    );
    for k in 0..100 {
        let (x, y) = (0.06 + 0.12 * f64::from(k % 10), 0.06 + 0.12 * f64::from(k / 10));
        let radius = 0.04 + 0.015 * (f64::from(k) * 1.7).sin().abs();
        text += &format!(
            "[[bodies]]\nname = \"b{k}\"\nmaterial = \"grain\"\nshape = {{ kind = \"disk\", radius = {radius} }}\nposition = [{x}, {y}]\nvelocity = [{}, {}]\n",
            0.1 * (f64::from(k) * 2.4).cos(),
            0.1 * (f64::from(k) * 2.4).sin()
        );
    }
    plane(&text)
}

#[test]
fn loose_grains_are_pressed_until_they_carry_the_stress() {
    let mut s = loose(
        "[[cell.stress]]\ncomponent = \"xx\"\nstress = -1000\n[[cell.stress]]\ncomponent = \"yy\"\nstress = -1000",
    );
    go(&mut s, 5000);
    let (mut mean, mut worst) = ([0.0; 2], 0.0_f64);
    for _ in 0..100 {
        s.step().unwrap();
        mean[0] += measured(&s, "all stress xx") / 100.0;
        mean[1] += measured(&s, "all stress yy") / 100.0;
        worst = worst.max((measured(&s, "all stress xx") / -1000.0 - 1.0).abs());
    }
    assert!(mean.iter().all(|s| (s / -1000.0 - 1.0).abs() < 1e-3), "{mean:?}, worst {worst}");
    assert!(measured(&s, "all solid fraction") > 0.78, "{}", measured(&s, "all solid fraction"));
    assert!(
        balance(&s) < 1e-9 && s.state.ledger.worst_penetration < 1e-3 * 0.1,
        "{} {}",
        balance(&s),
        s.state.ledger.worst_penetration
    );
    assert_eq!(s.state.ledger.unconverged, 0);
}

#[test]
fn a_cell_under_stress_resumed_has_the_same_bits() {
    let stress = "[[cell.stress]]\ncomponent = \"mean\"\nstress = { ramp = { to = -1000, end = 0.01 } }";
    let mut whole = loose(stress);
    go(&mut whole, 700);
    let mut first = loose(stress);
    go(&mut first, 353);
    let mut second = Simulation::resume(loose(stress).scene, first.state);
    go(&mut second, 700 - 353);
    assert_eq!(second.state, whole.state);
    let [strain, _] = Control::strain_of(&whole.state.controls, 0);
    assert!(strain < -0.02, "{strain}");
}

/// The quasi-static work that goes in is V σ ε, whatever the cell's own inertia; here a mean stress on a cell that is sheared.
#[test]
fn a_cell_keeps_its_mean_stress_while_it_changes_its_shape() {
    let mut s = loose(
        r#"
[[cell.stress]]
component = "mean"
stress = -1000
[[cell.strain]]
component = "yy"
strain = { ramp = { to = -0.05, start = 4, end = 9 } }
[[cell.strain]]
component = "xx"
strain = { ramp = { to = 0.05, start = 4, end = 9 } }
"#,
    );
    go(&mut s, 7000);
    let (mut mean, mut deviator) = (0.0, 0.0);
    for _ in 0..2000 {
        s.step().unwrap();
        let [x, y] = ["all stress xx", "all stress yy"].map(|what| measured(&s, what));
        mean += 0.5 * (x + y) / 2000.0;
        deviator += 0.5 * (x - y) / 2000.0;
    }
    assert!((mean / -1000.0 - 1.0).abs() < 0.01, "{mean}");
    // It is at failure: sin φ between that of nearly frictionless and rough disks.
    assert!((0.1..0.5).contains(&(deviator / 1000.0)), "{deviator}");
    assert!(balance(&s) < 1e-9, "{}", balance(&s));
}

#[test]
fn spheres_in_space_are_pressed_along_one_axis() {
    let mut text = String::from(
        r#"
dimension = 3
time = { step = 5e-4, end = 4 }
materials.grain = { density = 1000 }
contact = [{ between = "any", friction = 0.3 }]
[cell]
low = [0, 0, 0]
high = [1, 1, 1]
[[cell.stress]]
component = "zz"
stress = -500
[[measure]]
name = "all"
of = ["stress"]
"#,
    );
    for k in 0..64 {
        let at = [k % 4, k / 4 % 4, k / 16].map(|k| 0.125 + 0.25 * f64::from(k));
        let radius = 0.10 + 0.024 * (f64::from(k) * 1.7).sin().abs();
        text += &format!(
            "[[bodies]]\nname = \"b{k}\"\nmaterial = \"grain\"\nshape = {{ kind = \"sphere\", radius = {radius} }}\nposition = [{}, {}, {}]\nvelocity = [{}, 0.1, 0]\n",
            at[0],
            at[1],
            at[2],
            0.1 * f64::from(k % 3)
        );
    }
    let mut s = solid(&text);
    go(&mut s, 3000);
    let mut mean = 0.0;
    for _ in 0..200 {
        s.step().unwrap();
        mean += measured(&s, "all stress zz") / 200.0;
    }
    assert!((mean / -500.0 - 1.0).abs() < 0.02, "{mean}");
    assert!(s.scene.measures[0].of == [Quantity::Stress] && balance(&s) < 1e-9, "{}", balance(&s));
}

/// A lid that nothing holds, under a pressure between walls that part: m v̇ = −p (w + u t).
#[test]
fn the_pressure_on_a_wall_follows_the_distance_of_those_beside_it() {
    let mut s = plane(
        r#"
dimension = 2
time = { step = 1e-3, end = 4 }
materials.grain = { density = 1000 }
contact = [{ between = "any", law = "frictionless" }]
[[bodies]]
name = "left"
material = "grain"
fixed = true
shape = { kind = "half_plane", normal = [1, 0] }
[[bodies]]
name = "right"
material = "grain"
fixed = ["y", "rotation"]
shape = { kind = "rectangle", size = [0.2, 8] }
position = [4.1, 3]
[[bodies]]
name = "lid"
material = "grain"
fixed = ["x", "rotation"]
shape = { kind = "rectangle", size = [8, 0.2] }
position = [2, 3.1]
[[ignore]]
between = ["lid", "left"]
[[ignore]]
between = ["lid", "right"]
[[drive]]
bodies = "right"
component = "x"
velocity = 0.5
[[load]]
bodies = "lid"
pressure = 100
normal = [0, 1]
between = ["right", "left"]
"#,
    );
    go(&mut s, 1000);
    let (mass, t) = (8.0 * 0.2 * 1000.0, s.state.time);
    let expected = -100.0 / mass * (4.0 * t + 0.25 * t * t);
    let found = s.state.motions[2].velocity.y;
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// What is carried by the cell has no motion of its own.
#[test]
fn a_cell_that_carries_its_bodies_has_no_kinetic_stress() {
    let mut text = String::from(
        r#"
dimension = 2
time = { step = 1e-3, end = 1 }
materials.grain = { density = 1000 }
contact = [{ between = "any", friction = 0.5 }]
[cell]
low = [0, 0]
high = [4, 4]
strain = [{ component = "xy", strain = { ramp = { to = 2, end = 1 } } }, { component = "xx", strain = { ramp = { to = 0.1, end = 1 } } }]
[[measure]]
name = "all"
of = ["kinetic_stress", "kinetic_energy"]
"#,
    );
    for k in 0..4 {
        text += &format!(
            "[[bodies]]\nname = \"b{k}\"\nmaterial = \"grain\"\nshape = {{ kind = \"disk\", radius = 0.05 }}\nposition = [{}, {k}.5]\n",
            0.3 + f64::from(k * k % 3)
        );
    }
    let mut s = plane(&text);
    go(&mut s, 100);
    let scale = measured(&s, "all kinetic energy") / 16.0;
    for component in ["xx", "yy", "xy"] {
        let found = measured(&s, &format!("all kinetic stress {component}"));
        // The cell's velocity is that of the middle of the step.
        assert!(found.abs() < 1e-6 * scale, "{component}: {found} beside {scale}");
    }
}

/// Pictures and plots ask the scene as it was read about states of any stage.
#[test]
fn the_cell_of_a_stored_state_is_known_without_entering_its_stage() {
    let text = r#"
dimension = 2
time = { step = 1e-2, end = 2 }
materials.grain = { density = 1000 }
contact = [{ between = "any", friction = 0.5 }]
stage = [{ name = "one", duration = 0.5 }, { name = "two", duration = 1 }]
[cell]
low = [0, 0]
high = [4, 4]
strain = [{ component = "yy", stage = "two", strain = { ramp = { to = -0.2, end = 1 } } }]
[[bodies]]
material = "grain"
position = [1, 3]
shape = { kind = "disk", radius = 0.1 }
"#;
    let mut s = plane(text);
    go(&mut s, 100);
    let as_read = plane(text).scene;
    let [entered, fresh] = [&s.scene, &as_read].map(|scene| scene.cell.as_ref().unwrap().strain(&s.state.now()));
    assert_eq!(entered, fresh);
    assert!((fresh[1] + 0.1).abs() < 1e-12, "{fresh:?}");
}
