//! Energy through a shock: nodes without mass lose nothing when they are stopped.

use cairn::measure::{kinetic_energy, strain_energy};
use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use std::path::Path;

/// The soft disc of case E2, coarser, from 2 cm above the floor, without friction: through the shock and into the flight after it. Returns the
/// share of the energy lost, and the mean second difference of the force.
fn shock(mass: &str, force: &str) -> (f64, f64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/disc-between-plates/scene.toml");
    let changes = [
        ("contact.0.friction", "0.0"),
        ("deformable.0.mesh.core", "12"),
        ("deformable.0.mesh.layers", "8"),
        ("deformable.0.position", "[0, 1.02]"),
        ("deformable.0.mass", mass),
        ("deformable.0.force", force),
    ];
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let AnyScene::Plane(scene) = read(&path, &changes).unwrap_or_else(|e| panic!("{}", e.plain())).scene else {
        panic!()
    };
    let mut s = Simulation::new(scene);
    let energy = |s: &Simulation<2>| {
        kinetic_energy(&s.scene, &s.state.motions, &s.state.fields) + strain_energy(&s.scene, &s.state.fields)
    };
    let start = energy(&s);
    let mut forces = Vec::new();
    for _ in 0..350 {
        s.step().unwrap();
        forces.push(s.resultant(&[0]).y);
    }
    assert!(forces.iter().any(|f| *f < -50.0) && forces[349] == 0.0, "a shock, and flight after it");
    assert_eq!(s.state.ledger.unconverged, 0, "{mass} {force}");
    let rough = forces.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).sum::<f64>() / forces.len() as f64;
    (1.0 - energy(&s) / start, rough)
}

#[test]
fn redistributed_masses_and_the_conserving_force_keep_the_energy_and_a_smooth_force() {
    let (plain, rough) = shock("\"consistent\"", "\"of_ends\"");
    let (kept, smooth) = shock("\"redistributed\"", "\"conserving\"");
    println!("lost: {plain:.2e} plain, {kept:.2e} conserving; roughness {rough:.3} and {smooth:.3}");
    assert!(kept > 0.0 && kept < 0.5 * plain, "{kept} of {plain}");
    assert!(smooth < rough, "{smooth} {rough}");
}
