//! The energy account closes to 1e-10 of what passed through it, with everything that can do work at once.

use crate::support::{plane_with, solid_with};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const QUAKE: &str = "time,a\n0,0\n0.1,4\n0.25,-6\n0.5,3\n0.7,0\n";

fn closes<const D: usize>(mut s: Simulation<D>, steps: usize, story: &str)
where
    Space<D>: Ambient<D>,
{
    let mut active = 0;
    for k in 0..steps {
        active += s.step().unwrap().active;
        let error = balance_error(&s.scene, &s.state).abs();
        assert!(error < 1e-10, "{story}, step {k}: the balance is off by {error:e}\n{:?}", s.state.ledger);
    }
    let l = &s.state.ledger;
    assert!(active > steps / 2, "{story}: hardly any contact");
    assert!(l.work_loads != 0.0 && l.work_drives != 0.0 && l.friction > 0.0, "{story}: {l:?}");
}

/// Grains of all kinds in a box whose walls move, a slider, a wheel with a torque, a piston under pressure, an earthquake.
fn plane_scene(theta: f64, law: &str, gravity: &str) -> String {
    format!(
        r#"
dimension = 2
gravity = {{ acceleration = [0, -9.81]{gravity} }}
ground_acceleration = {{ x = {{ table = "quake.csv" }} }}
time = {{ step = 2e-3, end = 2, theta = {theta} }}
materials.m = {{ density = 1000 }}
solver = {{ max_sweeps = 100 }}
contact = [{{ between = ["m", "m"], friction = {{ static = 0.5, dynamic = 0.3 }}, {law} }}]

[[generate]]
kind = "grains"
name = "disks"
material = "m"
count = 12
low = [0.1, 0.1]
high = [1.9, 0.9]
radius = {{ kind = "uniform", min = 0.05, max = 0.1 }}

[[generate]]
kind = "grains"
name = "stones"
material = "m"
count = 12
low = [0.1, 0.9]
high = [1.9, 1.7]
shape = "angular"
radius = 0.1

[[generate]]
kind = "box"
name = "box"
material = "m"
low = [0, 0]
high = [2, 4]

[[bodies]]
name = "slider"
material = "m"
fixed = ["y", "rotation"]
shape = {{ kind = "rectangle", size = [0.2, 0.1] }}
position = [1, 1.9]

[[bodies]]
name = "piston"
material = "m"
shape = {{ kind = "rectangle", size = [1.2, 0.1] }}
position = [1, 2.4]
angle = 5

[[drive]]
bodies = "box.left"
component = "x"
displacement = {{ sine = {{ amplitude = 0.05, frequency = 2 }} }}

[[drive]]
bodies = "box.bottom"
component = "rotation"
velocity = {{ ramp = {{ from = 0, to = 0.2, start = 0.1, end = 0.4 }} }}

[[drive]]
bodies = "slider"
component = "rotation"
velocity = 3

[[load]]
bodies = "stones#3"
torque = 5
history = {{ sine = {{ amplitude = 1, frequency = 3 }} }}

[[load]]
bodies = "disks#0-4"
force = [20, 5]
history = {{ ramp = {{ to = 1, end = 0.3 }} }}

[[load]]
bodies = "piston"
pressure = {{ ramp = {{ from = 100, to = 2000, end = 0.5 }} }}
normal = [0, 1]
area = 1
point = [1.1, 2.45]
"#
    )
}

/// The same in space, with tri-axial bricks that spin and rotate about held axes.
fn solid_scene(theta: f64, law: &str) -> String {
    format!(
        r#"
dimension = 3
gravity = {{ acceleration = [0, 0, -9.81] }}
ground_acceleration = {{ y = {{ table = "quake.csv", scale = 0.5 }}, z = {{ sine = {{ amplitude = 2, frequency = 4 }} }} }}
time = {{ step = 2e-3, end = 2, theta = {theta} }}
materials.m = {{ density = 1000 }}
solver = {{ max_sweeps = 100 }}
contact = [{{ between = ["m", "m"], friction = 0.4, {law} }}]

[[bodies]]
name = "bricks"
material = "m"
shape = {{ kind = "box", size = [0.4, 0.2, 0.1] }}
position = [0.3, 0.3, 0.3]
spin = [3, 8, -2]
velocity = [0, 0, -1]
copies = {{ count = 5, step = [0.05, 0.02, 0.45] }}

[[generate]]
kind = "grains"
name = "balls"
material = "m"
count = 8
low = [0.55, 0.05, 0.05]
high = [0.95, 0.95, 1]
radius = 0.08

[[bodies]]
name = "door"
material = "m"
fixed = ["x", "y", "z", "rx", "ry"]
shape = {{ kind = "box", size = [0.05, 0.4, 0.3] }}
position = [0.2, 0.7, 0.5]
rotation = {{ axis = [1, 1, 0], angle = 20 }}

[[bodies]]
name = "mixer"
material = "m"
fixed = ["x", "y", "rx", "ry", "rz"]
shape = {{ kind = "box", size = [0.1, 0.3, 0.05] }}
position = [0.75, 0.3, 1.4]

[[generate]]
kind = "box"
name = "box"
material = "m"
low = [0, 0, 0]
high = [1, 1, 4]

[[drive]]
bodies = "mixer"
component = "rz"
displacement = {{ ramp = {{ to = 30, end = 1 }} }}

[[drive]]
bodies = "box.left"
component = "x"
velocity = {{ sine = {{ amplitude = 0.3, frequency = 2 }} }}

[[load]]
bodies = "bricks#0"
torque = [1, 2, 3]

[[load]]
bodies = "bricks#2"
pressure = 500
normal = [0, 0, 1]
area = 0.08
point = [0.45, 0.3, 1.25]

[[load]]
bodies = "balls"
force = [0, 3, 0]
history = {{ sine = {{ mean = 1, amplitude = 2, frequency = 1, start = 0.1, end = 0.3 }} }}
"#
    )
}

const LAWS: [&str; 4] = [
    "unilateral = \"quasi_inelastic\"",
    "unilateral = \"gap\"",
    "unilateral = \"velocity\", restitution = 0.5, tangential_restitution = 0.2",
    "unilateral = \"moreau\", dissipation = 0.5",
];

#[test]
fn everything_at_once_in_the_plane() {
    let unsteady = ", history = { ramp = { to = 1, end = 0.2 } }";
    for (law, gravity) in LAWS.iter().zip(["", "", unsteady, unsteady]) {
        for theta in [0.5, 1.0] {
            let s = plane_with(&[("quake.csv", QUAKE)], &plane_scene(theta, law, gravity));
            closes(s, 400, &format!("{law}, θ = {theta}"));
        }
    }
}

#[test]
fn everything_at_once_in_space() {
    for law in LAWS {
        for theta in [0.5, 0.75, 1.0] {
            let s = solid_with(&[("quake.csv", QUAKE)], &solid_scene(theta, law));
            closes(s, 300, &format!("{law}, θ = {theta}"));
        }
    }
}
