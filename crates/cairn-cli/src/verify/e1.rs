//! E1: oblique impact of an elastic plate on a rigid plane (Feng and others, bi-potential method, FER/Impact).
//!
//! Plane stress, small strain, μ = 0.2, v = (3, −5) m/s; θ = ξ = ½, h = 1e-5 s, 300 steps. The lowest point B of the round lower
//! edge touches at t = 0.
//!
//! Printed: B leaves at 1.85 ms (other codes: 1.7 to 1.9), largest Von Mises stress 916.5 kPa, no penetration. B has left at the end of
//! the last step in which its own contact had an impulse; ± 0.04 ms is what meshes and steps change.
//! The stress is a value of this coarse mesh: 916.5 kPa ± 5 %, taken at the nodes (extrapolated in each cell, averaged around a node,
//! largest over all nodes and steps), where a finite element program draws its contours; the value at the points of quadrature
//! and those of a mesh twice as fine are printed beside it, against what independent trials gave (970 to 990 kPa).
//! Friction costs 7 to 8 % of the energy, after which the centre of mass moves with (1.20, 4.84) m/s, by the same trials.
//!
//! Signorini's condition holds for the shifted gap: the gap itself may be penetrated by h V/4 while the shifted one is closed,
//! 1.3e-5 m with V = 5 m/s.

use super::deformable::{centre_velocity, energy, largest_von_mises, node, pressed};
use super::scene::plane;
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn_solvers::clock::Clock;
use miette::IntoDiagnostic;

const STEP: f64 = 1e-5;
const SPEED: f64 = 5.0;

/// What a run gives.
#[derive(Default)]
struct Impact {
    /// B leaves [s].
    leaves: f64,
    /// Largest Von Mises stress, points and nodes [Pa].
    stress: [f64; 2],
    /// Largest penetration at the end of a step [m].
    penetration: f64,
    seconds: f64,
}

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut simulation = plane("impact-plate", &[])?;
    let before = energy(&simulation);
    let coarse = impact(&mut simulation, 3e-3)?;
    findings.absolute("B leaves", "s", coarse.leaves, 1.85e-3, 4e-5);
    findings.relative("260 Q4: largest Von Mises stress, nodes", "Pa", coarse.stress[1], 916.5e3, 0.05);
    findings.relative("260 Q4: the same, points of quadrature", "Pa", coarse.stress[0], 916.5e3, 0.05);
    let lost = energy(&simulation) / before - 1.0;
    findings.absolute("energy change", "-", lost, -0.075, 0.005);
    let velocity = centre_velocity(&simulation, 0);
    findings.absolute("centre of mass leaves, x", "m/s", velocity.x, 1.20, 0.03);
    findings.absolute("centre of mass leaves, y", "m/s", velocity.y, 4.84, 0.03);
    // Attained in the first step: the limit needs room for the tolerance of the solver, 1e-8.
    findings.at_most("penetration", "m", coarse.penetration, 0.25 * STEP * SPEED * (1.0 + 1e-8));
    findings.at_most("300 steps", "s (processor)", coarse.seconds, 3.0);
    findings.sound("impact", &simulation);

    let smooth = &mut plane("impact-plate", &[("contact.0.friction", "0.0".into())])?;
    impact(smooth, 3e-3)?;
    findings.absolute("μ = 0: energy change", "-", energy(smooth) / before - 1.0, -0.003, 0.002);

    let changes = [("deformable.0.mesh.cells", "[20, 52]".into()), ("time.step", "5e-6".into())];
    let fine = impact(&mut plane("impact-plate", &changes)?, 2e-3)?;
    findings.absolute("1040 Q4: B leaves", "s", fine.leaves, 1.857e-3, 2e-5);
    findings.relative("1040 Q4: largest Von Mises stress, nodes", "Pa", fine.stress[1], 980e3, 0.02);
    Ok(())
}

fn impact(simulation: &mut Simulation<2>, end: f64) -> miette::Result<Impact> {
    let b = node(simulation, 0, "B")?;
    let mut impact = Impact::default();
    while simulation.state.time < end - 0.5 * simulation.scene.time.step {
        let clock = Clock::start();
        simulation.step().into_diagnostic()?;
        impact.seconds += clock.seconds();
        if pressed(simulation, 0).iter().any(|p| p.node == b) {
            impact.leaves = simulation.state.time;
        }
        let stress = largest_von_mises(simulation, 0);
        impact.stress = [impact.stress[0].max(stress[0]), impact.stress[1].max(stress[1])];
        let body = &simulation.scene.flexibles[0];
        let lowest = body.positions(&simulation.state.fields[0].displacement).iter().map(|x| x.y).fold(0.0, f64::min);
        impact.penetration = impact.penetration.max(-lowest);
    }
    Ok(impact)
}
