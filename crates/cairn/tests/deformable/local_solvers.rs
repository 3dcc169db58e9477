//! The bi-potential as local solver gives what Newton's gives: cases E1 and E2.

use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use cairn::space::Vect;
use std::path::Path;

fn run(name: &str, method: &str, changes: &[(&str, &str)], steps: usize) -> Simulation<2> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).join("scene.toml");
    let mut all =
        vec![("solver.method".to_string(), format!("\"{method}\"")), ("solver.tolerance".into(), "1e-10".into())];
    all.extend(changes.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    let AnyScene::Plane(scene) = read(&path, &all).unwrap_or_else(|e| panic!("{}", e.plain())).scene else { panic!() };
    let mut simulation = Simulation::new(scene);
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.state.ledger.unconverged, 0, "{name}, {method}");
    simulation
}

/// Largest difference of nodal velocities, and the largest velocity.
fn difference(a: &Simulation<2>, b: &Simulation<2>) -> (f64, f64) {
    let of = |s: &Simulation<2>| s.state.fields[0].velocity.clone();
    let (a, b) = (of(a), of(b));
    let worst = a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    (worst, a.iter().map(|x| x.abs()).fold(0.0, f64::max))
}

#[test]
fn an_oblique_impact_does_not_depend_on_the_local_solver() {
    let [newton, bipotential] = ["nlgs", "nlgs-bipotential"].map(|method| run("impact-plate", method, &[], 300));
    let (worst, largest) = difference(&newton, &bipotential);
    // 300 steps, each solved to 1e-10.
    assert!(worst < 1e-6 * largest, "{worst} of {largest}");
    assert!(newton.state.ledger.friction > 0.0);
}

#[test]
fn the_shock_of_a_soft_disc_does_not_depend_on_the_local_solver() {
    // From 2 mm above the floor, coarser than in the example.
    let changes = [
        ("deformable.0.mesh.core", "8"),
        ("deformable.0.mesh.layers", "5"),
        ("deformable.0.position", "[0, 1.002]"),
        ("newton.tolerance", "1e-11"),
    ];
    let [newton, bipotential] = ["nlgs", "nlgs-bipotential"].map(|m| run("disc-between-plates", m, &changes, 100));
    let (worst, largest) = difference(&newton, &bipotential);
    assert!(worst < 1e-6 * largest, "{worst} of {largest}");
    assert!(newton.state.reactions.iter().any(|r| r.impulse != Vect::<2>::zeros()));
}
