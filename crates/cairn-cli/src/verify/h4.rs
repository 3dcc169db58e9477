//! H4: rubber between plates, finite strain with contact.
//!
//! A square of neo-Hookean rubber, plane strain, is pressed to 70 % of its height in 500 steps of 1 ms, by plates on which it slides or sticks.
//! Without friction the strain is homogeneous: with the stretches λ across and 0.7 along the load, J = 0.7 λ,
//!
//!   σ_x = [μ(λ² − 1) + Λ ln J]/J = 0,   force per width = −σ_y λ = −[μ(0.7² − 1) + Λ ln J]/0.7
//!
//! With friction it bulges and takes more. A ring is pressed until it meets itself. In all of them every step converges in one piece, the square's also at
//! ten times the step; the account of energies closes to what Newton's iterations leave out of balance (1e-8 of the forces at work); and the
//! work of the plate is what is stored, rubbed away and lost by the implicit scheme.

use super::scene::written_plane;
use super::{Findings, Size};
use cairn::contact::Reaction;
use cairn::measure::{balance_error, strain_energy};
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use miette::{IntoDiagnostic, miette};
use std::fmt::Write;

const SEAL: &str = include_str!("scenes/rubber-seal.toml");
const RING: &str = include_str!("scenes/ring-seal.toml");

/// Runs the case; it is the same in all sizes.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let exact = exact_force();
    let smooth = ("contact.0.friction", "0".to_string());
    for step in [1e-3, 1e-2] {
        let name = format!("square, step {step} s, without friction");
        let changes = [smooth.clone(), ("time.step", step.to_string())];
        let seal = pressed(findings, &name, written_plane(SEAL, &changes)?)?;
        findings.relative(&format!("{name}: force"), "N/m", force(&seal), exact, 1e-6);
    }
    pressed(findings, "square, step 0.01 s", written_plane(SEAL, &[("time.step", "1e-2".to_string())])?)?;
    let rough = pressed(findings, "square", written_plane(SEAL, &[])?)?;
    findings.holds("square: friction takes more force", force(&rough) > 1.02 * exact);
    let ring = pressed(findings, "ring", ring()?)?;
    let meets = |r: &&Reaction<2>| r.contact.bodies[0] == r.contact.bodies[1] && r.impulse.norm() > 0.0;
    findings.holds("ring: it presses on itself", ring.reactions().iter().any(|r| meets(&r)));
    Ok(())
}

/// To its end, with what is asked of all of them.
fn pressed(findings: &mut Findings, name: &str, mut simulation: Simulation<2>) -> miette::Result<Simulation<2>> {
    let mut cut = 0;
    while !simulation.is_over() {
        cut += simulation.step().into_diagnostic()?.substeps - 1;
    }
    let (scene, state) = (&simulation.scene, &simulation.state);
    findings.at_most(&format!("{name}: energy balance error"), "-", balance_error(scene, state).abs(), 1e-8);
    findings.at_most(&format!("{name}: steps not converged"), "-", state.ledger.unconverged as f64, 0.0);
    findings.at_most(&format!("{name}: steps cut"), "-", f64::from(cut), 0.0);
    let (l, stored) = (&state.ledger, strain_energy(scene, &state.fields));
    let spent = stored + l.friction + l.shocks + l.scheme;
    findings.relative(&format!("{name}: work of the plate"), "J/m", l.work_drives, spent, 1e-3);
    findings.at_most(&format!("{name}: worst penetration, in widths"), "-", l.worst_penetration / 0.01, 1e-3);
    Ok(simulation)
}

fn force(simulation: &Simulation<2>) -> f64 {
    simulation.resultant(&[1]).y
}

/// On the square of 1 cm, per depth [N/m].
fn exact_force() -> f64 {
    let (mu, lame) = (6e6 / 2.9, 6e6 * 0.45 / (1.45 * 0.1));
    let across = |x: f64| mu * (x * x - 1.0) + lame * (0.7 * x).ln();
    let (mut low, mut high) = (1.0, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if across(middle) > 0.0 { high = middle } else { low = middle }
    }
    -(mu * (0.49 - 1.0) + lame * (0.7 * low).ln()) / 0.7 * 0.01
}

fn ring() -> miette::Result<Simulation<2>> {
    let folder = tempfile::tempdir().into_diagnostic()?;
    std::fs::write(folder.path().join("ring.msh"), ring_mesh(48, 3)).into_diagnostic()?;
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, RING).into_diagnostic()?;
    match scene::read(&path, &[])?.scene {
        AnyScene::Plane(scene) => Ok(Simulation::new(scene)),
        AnyScene::Solid(_) => Err(miette!("the ring is in 2D")),
    }
}

/// A ring of radii 3.5 and 5 mm, as a Gmsh file.
fn ring_mesh(around: usize, through: usize) -> String {
    let mut text = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    writeln!(text, "$Nodes\n{}", around * (through + 1)).unwrap();
    for i in 0..around {
        for j in 0..=through {
            let angle = std::f64::consts::TAU * i as f64 / around as f64;
            let radius = 3.5e-3 + 1.5e-3 * j as f64 / through as f64;
            writeln!(text, "{} {} {} 0", 1 + i * (through + 1) + j, radius * angle.cos(), radius * angle.sin())
                .unwrap();
        }
    }
    writeln!(text, "$EndNodes\n$Elements\n{}", around * through).unwrap();
    for i in 0..around {
        for j in 0..through {
            let node = |i: usize, j: usize| 1 + i % around * (through + 1) + j;
            let corners = [node(i, j), node(i, j + 1), node(i + 1, j + 1), node(i + 1, j)];
            writeln!(
                text,
                "{} 3 2 1 1 {} {} {} {}",
                1 + i * through + j,
                corners[0],
                corners[1],
                corners[2],
                corners[3]
            )
            .unwrap();
        }
    }
    text + "$EndElements\n"
}
