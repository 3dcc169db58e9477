//! Starting from the rigid problem changes the way, not the answer.

use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use std::path::Path;

/// The masonry wall by numerical filtering: a step far above the periods of the blocks.
fn filtered(start: &str) -> (Simulation<3>, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/masonry-wall/scene.toml");
    let changes = [
        ("generate.0.courses", "6"),
        ("generate.0.blocks", "6"),
        ("time.step", "1e-3"),
        ("time.theta", "1.0"),
        ("time.end", "1"),
        ("solver.tolerance", "1e-8"),
        ("solver.method", "\"nlgs\""),
        ("solver.start", start),
    ];
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let AnyScene::Solid(scene) = read(&path, &changes).unwrap_or_else(|e| panic!("{}", e.plain())).scene else {
        panic!()
    };
    let mut simulation = Simulation::new(scene);
    let first = simulation.step().unwrap().sweeps;
    for _ in 0..7 {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.state.ledger.unconverged, 0, "{start}");
    (simulation, first)
}

#[test]
fn a_start_from_the_rigid_wall_gives_the_same_equilibrium_in_fewer_sweeps_at_first() {
    let (last, sweeps_last) = filtered("\"last_step\"");
    let (rigid, sweeps_rigid) = filtered("\"rigid_modes\"");
    let weight = 3.0 * 1.5 * 0.3 * 2700.0 * 9.81;
    for simulation in [&last, &rigid] {
        let carried = -simulation.resultant(&[0]).z;
        assert!((carried / weight - 1.0).abs() < 1e-4, "{carried} of {weight}");
    }
    println!("sweeps of the first step: {sweeps_last} from nothing, {sweeps_rigid} from the rigid wall");
    assert!(sweeps_rigid < sweeps_last, "{sweeps_rigid} {sweeps_last}");
}
