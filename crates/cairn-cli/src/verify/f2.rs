//! F2: an elastic cylinder hits a rigid wall at 500 m/s (Ben Dhia and others).
//!
//! Plane strain, ν = 0, small strain. The wall is touched at 40 µs. The paper shows a frame at 73 µs in which the cylinder has left;
//! independent trials with small strain give 74.0 ± 1 µs, a largest force of 1083 MN/m ± 3 % and a peak pressure of 49.7 GPa (the largest
//! nodal force over its share of the rim; of trials on one mesh, so 5 %).
//!
//! Contact velocity: of the lowest point while it is in contact. The paper's Newmark scheme (β = 0.4, γ = 0.7, h = 1 µs) has
//! oscillations of up to 125 m/s there. Ours vanishes from the second step in contact on: the first one ends the approach.

use super::deformable::{centre_velocity, pressed};
use super::scene::plane;
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use cairn_solvers::clock::Clock;
use miette::IntoDiagnostic;
use std::path::Path;

/// What a run gives.
#[derive(Default)]
struct Impact {
    /// First and last instant of contact [s].
    touches: f64,
    leaves: f64,
    /// Largest force [N/m] and pressure [Pa].
    force: f64,
    pressure: f64,
    /// Largest normal velocity of the lowest point from its second step in contact to its last but one [m/s].
    velocity: f64,
    /// Time, force, velocity of the lowest point.
    history: Vec<(f64, f64, f64)>,
}

/// Runs the case; draws `cylinder.svg` into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let mut simulation = plane("cylinder-impact", &[])?;
    let clock = Clock::start();
    let impact = collide(&mut simulation)?;
    let seconds = clock.seconds();
    findings.absolute("touches", "s", impact.touches, 40e-6, 1.001 * simulation.scene.time.step);
    findings.absolute("leaves", "s", impact.leaves, 74.0e-6, 1e-6);
    findings.relative("largest force", "N/m", impact.force, 1083e6, 0.03);
    findings.relative("peak pressure", "Pa", impact.pressure, 49.7e9, 0.05);
    findings.at_most("contact velocity of the lowest point", "m/s", impact.velocity, 1.0);
    findings.absolute("centre of mass stays on its line, x", "m/s", centre_velocity(&simulation, 0).x, 0.0, 1e-3);
    findings.at_most("processor time", "s", seconds, 60.0);
    findings.sound("impact", &simulation);
    if size == Size::Full {
        let changes = [
            ("deformable.0.mesh.core", "30".into()),
            ("deformable.0.mesh.layers", "30".into()),
            ("time.step", "6e-8".into()),
        ];
        let fine = collide(&mut plane("cylinder-impact", &changes)?)?;
        findings.absolute("4500 Q4: leaves", "s", fine.leaves, 74.0e-6, 1e-6);
        findings.relative("4500 Q4: largest force", "N/m", fine.force, 1083e6, 0.03);
        findings.relative("4500 Q4: peak pressure", "Pa", fine.pressure, 49.7e9, 0.05);
    }
    match findings.plots.clone() {
        Some(folder) => draw(&impact, &folder.as_path().join("cylinder.svg")),
        None => Ok(()),
    }
}

fn collide(simulation: &mut Simulation<2>) -> miette::Result<Impact> {
    let nodes = simulation.scene.flexibles[0].model.nodes();
    let lowest = (0..nodes.len()).min_by(|&a, &b| nodes[a].y.total_cmp(&nodes[b].y)).unwrap_or(0);
    let mut impact = Impact::default();
    let mut held = Vec::new();
    while simulation.state.time < simulation.scene.time.end - 0.5 * simulation.scene.time.step {
        simulation.step().into_diagnostic()?;
        let pressed = pressed(simulation, 0);
        let time = simulation.state.time;
        let velocity = simulation.state.fields[0].velocity[2 * lowest + 1];
        let force: f64 = pressed.iter().map(|p| p.force.y).sum();
        if !pressed.is_empty() {
            impact.touches = if impact.touches == 0.0 { time } else { impact.touches };
            impact.leaves = time;
        }
        if pressed.iter().any(|p| p.node as usize == lowest) {
            held.push(velocity);
        }
        impact.force = impact.force.max(force);
        impact.pressure = pressed.iter().map(|p| p.pressure).fold(impact.pressure, f64::max);
        impact.history.push((time, force, velocity));
    }
    let settled = held.get(1..held.len().saturating_sub(1)).unwrap_or_default();
    impact.velocity = settled.iter().fold(0.0, |worst, v| f64::max(worst, v.abs()));
    Ok(impact)
}

fn draw(impact: &Impact, path: &Path) -> miette::Result<()> {
    let series = |name: &str, value: fn(&(f64, f64, f64)) -> f64| Series {
        name: name.into(),
        style: Style::Line,
        points: impact.history.iter().map(|p| (p.0, value(p))).collect(),
    };
    let data = PlotData {
        title: "Cylinder on a rigid wall".into(),
        x: Axis::linear("time", "s"),
        panels: vec![
            Panel { y: Axis::linear("force", "N/m"), series: vec![series("contact force", |p| p.1)] },
            Panel { y: Axis::linear("velocity", "m/s"), series: vec![series("lowest point", |p| p.2)] },
        ],
    };
    plot(&data, &PlotOptions::default()).write(path).into_diagnostic()
}
