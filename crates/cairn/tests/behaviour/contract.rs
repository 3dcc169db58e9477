//! The contract over the run: what is pressed does not sink, what sticks does not creep, what overlapped at the start stays as it is.

use crate::support::{go, plane, solid};
use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use cairn::state::Margin;

/// 2 × 2 × 4 spheres in a box under a lid that presses with ten thousand times their weight.
fn pressed_spheres(repair: bool) -> String {
    format!(
        r#"
dimension = 3
time = {{ step = 1e-3, end = 10 }}
materials.g = {{ density = 2500 }}
contact = [{{ between = "any", friction = 0.5 }}]
solver = {{ tolerance = 1e-3 }}
accuracy = {{ repair = {repair} }}
[[generate]]
kind = "box"
name = "box"
material = "g"
low = [-0.01, -0.01, -0.01]
high = [0.03, 0.03, 1]
[[generate]]
kind = "lattice"
name = "grains"
material = "g"
pattern = "cubic"
radius = 0.01
counts = [2, 2, 4]
[[bodies]]
name = "lid"
material = "g"
shape = {{ kind = "box", size = [0.04, 0.04, 0.02] }}
position = [0.01, 0.01, 0.08]
[[load]]
bodies = "lid"
force = [0, 0, -1e4]
"#
    )
}

#[test]
fn pressed_spheres_do_not_sink_into_each_other() {
    let limit = 1e-2;
    let worst = |repair: bool| {
        let mut simulation = solid(&pressed_spheres(repair));
        go(&mut simulation, 3000);
        assert_eq!(simulation.state.ledger.unconverged, 0);
        assert!(cairn::measure::balance_error(&simulation.scene, &simulation.state).abs() < 1e-10);
        simulation.state.ledger.margins[Margin::Penetration as usize].value
    };
    let (kept, plain) = (worst(true), worst(false));
    assert!(kept < limit, "{kept}");
    assert!(plain > kept, "the plain scheme is as good: {plain} against {kept}");
}

#[test]
fn a_lid_that_is_pressed_hard_does_not_make_grains_look_far() {
    let mut simulation = solid(&pressed_spheres(true).replace("[2, 2, 4]", "[2, 2, 8]").replace("0.08]", "0.16]"));
    go(&mut simulation, 5);
    // 32 spheres: 60 pairs touch, 72 lie across a diagonal, where a push of half a radius each would bring them together. Beside them 68 points
    // on walls, and what the lid looks at: all grains, and its eight corners on five walls. All pairs of grains alone would be 496.
    let contacts = simulation.step().unwrap().contacts;
    assert!((132..=60 + 72 + 68 + 32 + 40).contains(&contacts), "{contacts} contacts");
}

#[test]
fn a_block_on_an_incline_does_not_creep_at_a_sloppy_tolerance() {
    let mut simulation = plane(
        r#"
dimension = 2
gravity = { acceleration = [4.3, -9.81] }
time = { step = 1e-3, end = 10 }
materials.g = { density = 2500 }
contact = [{ between = "any", friction = 0.45 }]
solver = { tolerance = 1e-2 }
[[bodies]]
name = "ground"
material = "g"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "blocks"
material = "g"
shape = { kind = "rectangle", size = [0.2, 0.1] }
position = [0, 0.05]
copies = { count = 4, step = [0, 0.1] }
"#,
    );
    go(&mut simulation, 5000);
    let first = simulation.scene.start.iter().zip(&simulation.state.motions).skip(1);
    let moved = first.map(|(a, b)| (a.place.centre - b.place.centre).norm()).fold(0.0, f64::max);
    // Four contacts, each with a dead zone of 1e-3 half widths or less in which nothing is corrected.
    assert!(moved < 4.0 * 2e-3 * 0.05, "{moved}");
}

#[test]
fn an_overlap_of_the_start_is_neither_repaired_nor_counted() {
    let mut simulation = plane(
        r#"
dimension = 2
gravity = { acceleration = [0, -9.81] }
time = { step = 1e-3, end = 10 }
materials.g = { density = 2500 }
contact = [{ between = "any", friction = 0.5 }]
contact_check = { allow_overlap = true }
[[bodies]]
name = "ground"
material = "g"
fixed = true
shape = { kind = "half_plane", normal = [0, 1] }
[[bodies]]
name = "disk"
material = "g"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.095]
"#,
    );
    go(&mut simulation, 2000);
    let height = simulation.state.motions[1].place.centre.y;
    assert!((height - 0.095).abs() < 1e-9, "{height}");
    let margin = simulation.state.ledger.margins[Margin::Penetration as usize].value;
    assert!(margin < 1e-6, "{margin}");
}

/// What is repaired depends on what is saved, and on nothing else.
#[test]
fn repairs_go_on_the_same_after_a_restart() {
    let mut simulation = solid(&pressed_spheres(true));
    go(&mut simulation, 200);
    let drifted = simulation.state.reactions.iter().any(|r| r.anchor.drift.norm() > 0.0);
    assert!(drifted && simulation.state.ledger.scale > 0.0, "nothing to be kept");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("scene.toml"), pressed_spheres(true)).unwrap();
    let AnyScene::Solid(scene) = read(&dir.path().join("scene.toml"), &[]).unwrap().scene else { unreachable!() };
    let mut again = Simulation::resume(scene, simulation.state.clone());
    go(&mut simulation, 100);
    go(&mut again, 100);
    assert!(simulation.state == again.state, "another future");
}

/// Grains that have slid and stick again are not pulled at by errors of the solver: a pack at rest costs what it does without the contract.
#[test]
fn a_pack_at_rest_needs_no_more_sweeps_for_the_contract() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/packed-disks/scene.toml");
    let sweeps = |repair: bool| {
        let changes = [("accuracy.repair".to_string(), repair.to_string())];
        let AnyScene::Plane(scene) = read(&file, &changes).unwrap().scene else { unreachable!() };
        let mut simulation = Simulation::new(scene);
        go(&mut simulation, 20);
        let before = simulation.state.ledger.sweeps;
        go(&mut simulation, 60);
        (simulation.state.ledger.sweeps - before) as f64
    };
    let (kept, plain) = (sweeps(true), sweeps(false));
    assert!(kept < 1.1 * plain, "{kept} sweeps in 60 steps, {plain} without the contract");
}

/// Corners that turn on edges are foreseen by no linear contact: without the second look at the end of the step blocks of the temple
/// overlap by 4.6e-3 half widths.
#[test]
fn blocks_that_fall_and_turn_keep_clear_of_each_other() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/temple/scene.toml");
    let AnyScene::Plane(scene) = read(&path, &[]).unwrap().scene else { panic!("the temple is 2D") };
    let mut simulation = Simulation::new(scene);
    go(&mut simulation, 10_000);
    let worst = simulation.state.ledger.margins[Margin::Penetration as usize].value;
    assert!(worst < 1e-3, "{worst}");
    assert_eq!(simulation.state.ledger.unconverged, 0);
}
