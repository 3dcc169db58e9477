//! F1: two equal elastic rods collide (Ben Dhia and others; the classical test of impact algorithms).
//!
//! In one dimension: waves run from the contact to the free ends and back, c = √(E/ρ). The contact lasts 2L/c, with the
//! constant stress ρ c V; then both rods leave with exchanged velocities and without a wave in them. With ν = 0 the rods of hexahedra are
//! one-dimensional; with ν = 0.3 lateral inertia disperses the waves, and only mean and duration are those of the theory.
//!
//! Stress: contact force over the cross section, in each step; plateau: its largest deviation from ρ c V over 5 to 95 % of the contact;
//! mean: over the same. The contact ends with the last step in which there is an impulse.
//! Tolerances: 1 % (duration, mean, leaving speed), 2 % (plateau), as asked of 100 elements; plateau 10 % with ν = 0.3.
//!
//! Beside it, for comparison only, Newmark's scheme ([`super::newmark`]). With Signorini's condition on displacements and the parameters of
//! the paper its contact velocity does not stay at zero, and the plateau oscillates between 0.3 and 1.6. With a penalty in place of
//! the condition the peak of the force, and how far the rods overlap, are a matter of the stiffness that the user chooses.

use super::deformable::{centre_velocity, energy, pressed};
use super::newmark::{self, Newmark, Rod};
use super::scene::solid;
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use cairn_solvers::clock::Clock;
use miette::IntoDiagnostic;
use std::path::Path;

const DENSITY: f64 = 7800.0;
const YOUNG: f64 = 2e11;
const LENGTH: f64 = 1.0;
const AREA: f64 = 4e-4;
const SPEED: f64 = 10.0;

/// Time, contact stress over ρ c V, contact velocity over V, energy over that of the start.
type History = Vec<(f64, f64, f64, f64)>;

fn celerity() -> f64 {
    (YOUNG / DENSITY).sqrt()
}

/// Runs the case; draws `rods.svg` into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut simulation = solid("rods", &[])?;
    let clock = Clock::start();
    let ours = collide(&mut simulation)?;
    let seconds = clock.seconds();
    let plateau = judge(findings, "ν = 0", &ours, 0.02);
    let speed = -centre_velocity(&simulation, 0).x;
    findings.relative("ν = 0: leaving speed", "m/s", speed, SPEED, 0.01);
    findings.at_most("ν = 0: processor time", "s", seconds, 8.0);
    findings.sound("ν = 0", &simulation);

    let mut thick = solid("rods", &[("materials.steel.poisson", "0.3".into())])?;
    let with_lateral = collide(&mut thick)?;
    judge(findings, "ν = 0.3", &with_lateral, 0.1);
    findings.sound("ν = 0.3", &thick);

    let (theirs, _) = newmark(0.0);
    let measured = within_plateau(&theirs);
    let worst = |h: &History| h.iter().map(|p| p.2.abs()).fold(0.0, f64::max);
    let ratio = measured.iter().map(|p| (p.1 - 1.0).abs()).fold(0.0, f64::max) / plateau;
    findings.holds(&format!("Newmark's plateau deviates {ratio:.0} times as much"), ratio > 10.0);
    findings.at_most("contact velocity over V, ours", "-", worst(&within_plateau(&ours)), 0.01);
    let others = worst(&measured);
    findings.holds(&format!("contact velocity over V, Newmark: {others:.2}"), others > 0.5);
    let kept = |h: &History| h.last().map_or(0.0, |p| p.3);
    // A scheme for smooth motions, as it should be: nothing but the shocks of two nodes is lost.
    findings.at_most("ν = 0: share of the energy lost", "-", 1.0 - kept(&ours), 0.01);
    let (softest, overlap) = newmark(1.0 / STIFFNESSES[0]);
    let (stiffest, less) = newmark(1.0 / STIFFNESSES[1]);
    let peak = |h: &History| h.iter().map(|p| p.1).fold(0.0, f64::max);
    let [low, high] = [peak(&softest), peak(&stiffest)];
    let overlaps = format!("{:.1} or {:.1} µm", 1e6 * overlap, 1e6 * less);
    let choice = format!("penalty: its stiffness makes the peak {low:.2} or {high:.2}, the overlap {overlaps}");
    findings.holds(&choice, high > low + 0.2);
    if let Some(folder) = findings.plots.clone() {
        let folder = folder.as_path();
        let runs: [(&str, &History); 3] =
            [("Cairn, ν = 0", &ours), ("Cairn, ν = 0.3", &with_lateral), ("Newmark, ν = 0", &theirs)];
        draw("Two equal rods: contact stress and contact velocity", &runs, &folder.join("rods.svg"))?;
        let runs: [(&str, &History); 4] = [
            ("Cairn", &ours),
            ("Newmark, Signorini", &theirs),
            ("Newmark, penalty EA/Δx", &softest),
            ("Newmark, penalty 100 EA/Δx", &stiffest),
        ];
        draw("Two equal rods: for comparison, Newmark and penalties", &runs, &folder.join("comparison.svg"))?;
    }
    Ok(())
}

/// Stiffnesses of the penalty: that of an element, and a hundred times that [N/m].
const STIFFNESSES: [f64; 2] = [YOUNG * AREA * 100.0 / LENGTH, 1e4 * YOUNG * AREA / LENGTH];

/// Newmark's scheme with the parameters of the paper, and the largest overlap [m].
fn newmark(compliance: f64) -> (History, f64) {
    let rod = Rod { elements: 100, length: LENGTH, stiffness: YOUNG * AREA, mass: DENSITY * AREA, speed: SPEED };
    let scheme = Newmark { beta: 0.3025, gamma: 0.6, step: 1e-5, compliance };
    let (force, start) = (DENSITY * celerity() * SPEED * AREA, 0.5 * DENSITY * AREA * LENGTH * SPEED * SPEED);
    let instants = newmark::collide(&rod, scheme, 5e-4);
    let overlap = instants.iter().map(|i| i.overlap).fold(0.0, f64::max);
    (instants.iter().map(|i| (i.time, i.force / force, i.velocity / SPEED, i.energy / start)).collect(), overlap)
}

fn collide(simulation: &mut Simulation<3>) -> miette::Result<History> {
    let scale = DENSITY * celerity() * SPEED * AREA;
    let mut history = History::new();
    while simulation.state.time < simulation.scene.time.end {
        simulation.step().into_diagnostic()?;
        let pressed = pressed(simulation, 0);
        let force: f64 = pressed.iter().map(|p| -p.force.x).sum();
        // Candidate minus antagonist, along the normal of the antagonist.
        let velocity =
            pressed.iter().map(|p| -p.velocity.x).fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        let energy = energy(simulation) / (DENSITY * AREA * LENGTH * SPEED * SPEED);
        history.push((simulation.state.time, force / scale, 0.5 * velocity / SPEED, energy));
    }
    Ok(history)
}

fn last_contact(history: &History) -> f64 {
    history.iter().filter(|p| p.1 > 0.0).map(|p| p.0).fold(0.0, f64::max)
}

/// 5 to 95 % of the contact.
fn within_plateau(history: &History) -> History {
    let end = last_contact(history);
    history.iter().filter(|p| p.0 > 0.05 * end && p.0 < 0.95 * end).copied().collect()
}

/// Duration, plateau, mean; returns the deviation of the plateau.
fn judge(findings: &mut Findings, run: &str, history: &History, tolerance: f64) -> f64 {
    findings.relative(&format!("{run}: contact lasts"), "s", last_contact(history), 2.0 * LENGTH / celerity(), 0.01);
    let plateau = within_plateau(history);
    let stress = DENSITY * celerity() * SPEED;
    let mean = plateau.iter().map(|p| p.1).sum::<f64>() / plateau.len() as f64;
    findings.relative(&format!("{run}: mean stress"), "Pa", mean * stress, stress, 0.01);
    let deviation = plateau.iter().map(|p| (p.1 - 1.0).abs()).fold(0.0, f64::max);
    findings.at_most(&format!("{run}: largest deviation of the plateau"), "-", deviation, tolerance);
    deviation
}

fn draw(title: &str, runs: &[(&str, &History)], path: &Path) -> miette::Result<()> {
    let series = |value: fn(&(f64, f64, f64, f64)) -> f64| {
        let curve = |(name, history): &(&str, &History)| Series {
            name: name.to_string(),
            style: if name.starts_with("Newmark") { Style::Dashed } else { Style::Line },
            points: history.iter().map(|p| (p.0, value(p))).collect(),
        };
        runs.iter().map(curve).collect::<Vec<_>>()
    };
    let data = PlotData {
        title: title.into(),
        x: Axis::linear("time", "s"),
        panels: vec![
            Panel { y: Axis::linear("stress / ρcV", "-"), series: series(|p| p.1) },
            Panel { y: Axis::linear("contact velocity / V", "-"), series: series(|p| p.2) },
            Panel { y: Axis::linear("energy / start", "-"), series: series(|p| p.3) },
        ],
    };
    plot(&data, &PlotOptions::default()).write(path).into_diagnostic()
}
