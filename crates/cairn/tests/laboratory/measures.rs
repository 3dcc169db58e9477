//! `[[measure]]`: numbers of chosen bodies in the history, against numbers by hand.

use crate::support::{go, plane, solid};
use cairn::run::{columns, row};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::step::StepReport;

/// The value of a column of the history.
fn value<const D: usize>(simulation: &Simulation<D>, name: &str) -> f64
where
    Space<D>: Ambient<D>,
{
    let Simulation { scene, state, .. } = simulation;
    let names = columns(scene);
    let row = row(scene, state, &StepReport::default());
    assert_eq!(names.len(), row.len());
    let k = names.iter().position(|c| c.name == name);
    row[k.unwrap_or_else(|| panic!("no column {name}: {:?}", names.iter().map(|c| &c.name).collect::<Vec<_>>()))]
}

/// A column of three disks of radius ½ m and 1 kg each, one on the other, and one that flies apart.
const COLUMN: &str = r#"
dimension = 2
gravity = { acceleration = [0, -10] }
time = { step = 1e-3, end = 1 }
materials.stone = { density = 1.2732395447351628 }
[solver]
tolerance = 1e-10
[[contact]]
between = "stone"
friction = 0.5
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "disks"
material = "stone"
shape = { kind = "disk", radius = 0.5 }
position = [0, 0.5]
copies = { count = 3, step = [0, 1] }
[[bodies]]
name = "flyer"
material = "stone"
shape = { kind = "disk", radius = 0.5 }
position = [10, 50]
velocity = [3, 4]
spin = 2
[[measure]]
name = "pile"
bodies = "disks"
of = ["position", "displacement", "force", "stress", "solid_fraction", "void_ratio", "coordination", "fabric", "anisotropies", "mobilized_friction", "moment"]
[[measure]]
name = "all"
of = ["coordination", "kinetic_energy", "largest_speed", "velocity"]
[[measure]]
name = "middle"
of = ["solid_fraction", "stress", "coordination"]
within = { low = [-1, 1], high = [1, 2] }
[[measure]]
name = "round"
of = ["void_ratio"]
within = { centre = [0, 1.5], radius = 0.9 }
[[measure]]
name = "support"
bodies = "ground"
of = ["force"]
[[measure]]
name = "flyer"
bodies = "flyer"
of = ["position", "rotation", "spin", "kinetic_energy", "kinetic_stress"]
"#;

#[test]
fn a_column_of_disks_has_the_numbers_that_follow_by_hand() {
    let mut simulation = plane(COLUMN);
    go(&mut simulation, 100);
    let s = &simulation;
    let near = |name: &str, expected: f64| {
        assert!((value(s, name) - expected).abs() < 1e-6 * expected.abs().max(1.0), "{name}: {}", value(s, name));
    };
    near("pile position y", 1.5);
    near("pile displacement y", 0.0);
    near("pile force y", 30.0);
    near("pile moment", 0.0);
    near("support force y", -30.0);
    // Contacts carry 30, 20 and 10 N: Σ r ℓ = −½ (30 + 2·20 + 2·10), in a box of 3 m².
    near("pile stress yy", -0.5 * 90.0 / 3.0);
    near("pile stress xx", 0.0);
    near("pile stress xy", 0.0);
    let solid = 3.0 * std::f64::consts::PI / 4.0;
    near("pile solid fraction", solid / 3.0);
    near("pile void ratio", (3.0 - solid) / solid);
    // The lowest has the ground and a neighbour, the middle two, the upper one alone: a rattler.
    near("pile coordination", 5.0 / 3.0);
    near("pile coordination without rattlers", 2.0);
    near("pile rattlers", 1.0 / 3.0);
    near("all coordination", 5.0 / 4.0);
    near("all rattlers", 0.5);
    near("pile fabric yy", 1.0);
    near("pile fabric xx", 0.0);
    near("pile anisotropy of contacts", 2.0);
    near("pile anisotropy of normal forces", 0.0);
    near("pile mobilized friction", 0.0);
    near("pile sliding contacts", 0.0);
    // One disk in 2 m²: 20 N from below and 10 N from above.
    near("middle solid fraction", std::f64::consts::PI / 8.0);
    near("middle stress yy", -0.5 * 30.0 / 2.0);
    near("middle coordination", 2.0);
    near("round void ratio", 4.0 * 0.81 - 1.0);
    // Free flight for 0.1 s.
    near("flyer position x", 10.3);
    near("flyer position y", 50.0 + 0.4 - 0.05);
    near("flyer rotation", 0.2);
    near("flyer spin", 2.0);
    near("flyer kinetic energy", 0.5 * (9.0 + 9.0) + 0.5 * 0.125 * 4.0);
    near("flyer kinetic stress xx", 0.0);
    near("all kinetic energy", 9.25);
    near("all largest speed", 18.0_f64.sqrt());
    near("all velocity x", 0.75);
}

#[test]
fn two_balls_that_part_carry_stress_by_their_motion() {
    let simulation = solid(
        r#"
dimension = 3
time = { step = 1e-3, end = 1 }
materials.stone = { density = 1 }
[[contact]]
between = "stone"
friction = 0.5
[[bodies]]
name = "left"
material = "stone"
shape = { kind = "sphere", radius = 0.5 }
mass = 2
position = [-1, 0, 0]
velocity = [-3, 0, 0]
[[bodies]]
name = "right"
material = "stone"
shape = { kind = "sphere", radius = 0.5 }
mass = 2
position = [1, 0, 0]
velocity = [5, 0, 0]
[[measure]]
name = "pair"
of = ["kinetic_stress", "velocity", "stress"]
within = { low = [-2, -1, -1], high = [2, 1, 1] }
"#,
    );
    // v′ = ∓4 m/s: −2 · 2 · 16/16 m³.
    assert_eq!(value(&simulation, "pair kinetic stress xx"), -4.0);
    assert_eq!(value(&simulation, "pair velocity x"), 1.0);
    assert_eq!(value(&simulation, "pair stress xx"), 0.0);
}
