//! A6: the rocking block (Housner 1963), see [`super::rocking`] for the formulas.
//!
//! Let go from rest at half of the angle at which it would fall over, the block rocks from corner to corner. From the
//! turning points θ₀, θ₁, θ₂ … alone, energy between the impacts gives the ratio of angular velocities at each impact:
//! r² = (cos(α − θ₁) − cos α)/(cos(α − θ₀) − cos α), to be 1 − (3/2) sin² α. The first impact comes after the quarter period
//! of the inverted pendulum; the linearized one is printed with it.
//!
//! Tolerances: an impact takes two steps (the gap is closed, then the block turns on the new corner), in each of which
//! gravity's moment ±p² α may act with the wrong sign: Δθ̇ ≤ 2 · 2 h p² α, relative to θ̇ at the impact. The time of the impact is
//! known to a step, two with the shock. Both are of first order, and checked for h and h/4.

use super::rocking::Block;
use super::scene::{body, plane};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use miette::IntoDiagnostic;

/// Swings that are compared.
const SWINGS: usize = 4;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    for h in [5e-4, 1.25e-4] {
        rock(findings, h)?;
    }
    Ok(())
}

fn rock(findings: &mut Findings, h: f64) -> miette::Result<()> {
    let mut simulation = plane("rocking-block", &[("time.step", h.to_string())])?;
    let reference = Block::new(0.2, 1.0);
    let Swings { first_impact, tilts } = swings(&mut simulation)?;
    let run = format!("h = {h}");
    let start = 0.5 * reference.slenderness;
    let quarter = reference.quarter_period(start);
    findings.absolute(&format!("{run}: quarter period, exact pendulum"), "s", first_impact, quarter, 2.0 * h);
    let linear = reference.linear_quarter_period(start);
    findings.relative(&format!("{run}: quarter period, linearized"), "s", first_impact, linear, 0.01);
    for n in 1..=SWINGS {
        let (before, after) = (reference.impact_speed_squared(tilts[n - 1]), reference.impact_speed_squared(tilts[n]));
        let tolerance = 4.0 * h * reference.rate().powi(2) * reference.slenderness / before.sqrt();
        let ratio = (after / before).sqrt();
        findings.relative(&format!("{run}: θ̇⁺/θ̇⁻ of impact {n}"), "-", ratio, reference.restitution(), tolerance);
    }
    findings.sound(&run, &simulation);
    Ok(())
}

struct Swings {
    /// Time of the first impact [s].
    first_impact: f64,
    /// |θ| at the start and at the turning points.
    tilts: Vec<f64>,
}

/// Follows the tilt through the turning points; between two steps it is a parabola.
fn swings(simulation: &mut Simulation<2>) -> miette::Result<Swings> {
    let block = body(simulation, "block")?;
    let tilt = |s: &Simulation<2>| s.state.motions[block].place.turn.angle();
    let mut found = Swings { first_impact: f64::NAN, tilts: vec![tilt(simulation).abs()] };
    let (mut before, mut spin_before) = (tilt(simulation), 0.0);
    while found.tilts.len() <= SWINGS && simulation.state.time < simulation.scene.time.end {
        simulation.step().into_diagnostic()?;
        let (now, spin) = (tilt(simulation), simulation.state.motions[block].spin);
        let h = simulation.scene.time.step;
        if found.first_impact.is_nan() && now <= 0.0 {
            found.first_impact = simulation.state.time - h * now / (now - before);
        }
        if spin * spin_before < 0.0 {
            let rest = spin_before / (spin_before - spin);
            found.tilts.push((before + 0.5 * h * rest * spin_before).abs());
        }
        (before, spin_before) = (now, spin);
    }
    // A block that stopped early has no more turning points: zeros, so that the comparison fails instead of the program.
    found.tilts.resize(SWINGS + 1, 0.0);
    Ok(found)
}
