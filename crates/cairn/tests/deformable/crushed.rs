//! Rigid bodies that fall on plastic ones: the account closes, what flows stays, and a run goes on with the same bits.

use super::again::same_bits;
use crate::support::{go, plane, solid};
use cairn::measure::{balance_error, kinetic_energy};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

/// A block of 320 kg that hits a plate of 1 m with 2 m/s.
const PLATE: &str = r#"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { end = 0.1, step = 5e-4 }
materials.m = { density = 1000, young = 1e7, poisson = 0.3, plasticity = { yield_stress = 1e5, modulus = 1e5 } }
materials.heavy = { density = 8000 }
newton = { tolerance = 1e-11 }
solver = { tolerance = 1e-10, on_failure = "halve_step" }
[[contact]]
between = ["any", "any"]
friction = 0.4
unilateral = "gap"
[[bodies]]
name = "ground"
material = "heavy"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[deformable]]
name = "plate"
material = "m"
position = [0, 0.05]
kinematics = "finite"
formulation = "b_bar"
mesh = { kind = "rectangle", size = [1, 0.1], cells = [20, 3] }
[[bodies]]
name = "block"
material = "heavy"
position = [0, 0.21]
velocity = [0, -2]
shape = { kind = "rectangle", size = [0.2, 0.2] }
"#;

/// A lid of 72 kg that comes down on two cubes of 0.2 m with 1 m/s: more than they can hold.
const CUBES: &str = r#"
dimension = 3
gravity = { acceleration = [0, 0, -9.81] }
time = { end = 0.1, step = 5e-4 }
materials.m = { density = 1000, young = 1e6, poisson = 0.3, plasticity = { yield_stress = 2e4, modulus = 2e4 } }
materials.heavy = { density = 8000 }
newton = { tolerance = 1e-11 }
solver = { tolerance = 1e-10, on_failure = "halve_step" }
[[contact]]
between = ["any", "any"]
friction = 0.4
unilateral = "gap"
[[bodies]]
name = "ground"
material = "heavy"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
[[deformable]]
name = "cube"
material = "m"
position = [0, 0, 0.1]
kinematics = "finite"
formulation = "b_bar"
mesh = { kind = "block", size = [0.2, 0.2, 0.2], cells = [2, 2, 2] }
copies = { count = 2, step = [0, 0, 0.2] }
[[bodies]]
name = "lid"
material = "heavy"
position = [0, 0, 0.45]
velocity = [0, 0, -1]
shape = { kind = "box", size = [0.3, 0.3, 0.1] }
"#;

/// Runs, with the account closed at every step and more plastic work than before.
fn crush<const D: usize>(simulation: &mut Simulation<D>, steps: usize)
where
    Space<D>: Ambient<D>,
{
    let mut lost = 0.0;
    for _ in 0..steps {
        simulation.step().unwrap();
        let ledger = &simulation.state.ledger;
        assert!(ledger.materials.plastic >= lost, "plastic work comes back");
        lost = ledger.materials.plastic;
        let error = balance_error(&simulation.scene, &simulation.state).abs();
        assert!(error < 1e-10, "energy balance {error:e}");
    }
    assert_eq!(simulation.state.ledger.unconverged, 0);
}

#[test]
fn a_block_dropped_on_a_plastic_plate_leaves_its_energy_there() {
    let mut s = plane(PLATE);
    crush(&mut s, 200);
    let start = s.state.ledger.initial_energy;
    let left = kinetic_energy(&s.scene, &s.state.motions, &s.state.fields);
    assert!(s.state.ledger.materials.plastic > 0.75 * start && left < 0.02 * start, "{left} of {start}");
}

#[test]
fn a_stack_of_plastic_cubes_flattens() {
    let mut s = solid(CUBES);
    crush(&mut s, 200);
    // Top of the upper cube against its middle: both cubes are shorter, and wider.
    let (cube, field) = (&s.scene.flexibles[1], &s.state.fields[1]);
    let top = |axis: usize| cube.positions(&field.displacement).iter().map(|x| x[axis]).fold(f64::MIN, f64::max);
    assert!(top(2) < 0.35 && top(0) > 0.104, "height {}, half width {}", top(2), top(0));
}

#[test]
fn both_go_on_with_the_same_bits() {
    let (mut plate, mut cubes) = (plane(PLATE), solid(CUBES));
    go(&mut plate, 15);
    go(&mut cubes, 15);
    same_bits(plate, 5);
    same_bits(cubes, 5);
}
