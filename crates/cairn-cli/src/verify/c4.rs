//! C4: a single block under a sine ground motion.
//!
//! The reference is an integration of our own of Housner's piecewise equation (see [`super::rocking`]) by the
//! Runge–Kutta method with impacts found to round-off. Compared is the tilt over the whole motion, relative to α.
//!
//! Tolerance: each impact brings an error of the angular velocity of 4 h p² α at most (see A6). The inverted pendulum makes
//! of it a tilt of 4 h p α sinh(pτ) by the end of the swing, τ later, and Housner's impact damps what is carried over
//! to the next. The sum over the swings is the tolerance; the error must also fall in proportion to h.

use super::rocking::Block;
use super::scene::{body, plane};
use super::{Findings, Size};
use miette::IntoDiagnostic;
use std::f64::consts::TAU;

const AMPLITUDE: f64 = 4.0;
const FREQUENCY: f64 = 2.0;
const SHAKING: f64 = 1.0;
/// Time that is compared: the shaking and the first free swings after it.
const DURATION: f64 = 2.0;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let coarse = rock(findings, 5e-4)?;
    let fine = rock(findings, 1.25e-4)?;
    findings.absolute("error falls by, when h is divided by 4", "-", coarse / fine, 4.0, 1.5);
    Ok(())
}

fn rock(findings: &mut Findings, h: f64) -> miette::Result<f64> {
    let mut simulation = plane("shaken-block", &[("time.step", h.to_string())])?;
    let block = body(&simulation, "block")?;
    let reference = Block::new(0.2, 1.0);
    let ground = |t: f64| if t <= SHAKING { AMPLITUDE * (TAU * FREQUENCY * t).sin() } else { 0.0 };
    let count = (DURATION / h).round() as usize;
    let expected = reference.history(ground, h, count, 4);
    let (mut worst, mut largest) = (0.0f64, 0.0f64);
    for tilt in &expected[1..] {
        simulation.step().into_diagnostic()?;
        let computed = simulation.state.motions[block].place.turn.angle();
        worst = worst.max((computed - tilt).abs());
        largest = largest.max(computed.abs());
    }
    let reference_largest = expected.iter().fold(0.0f64, |m, t| m.max(t.abs()));
    let run = format!("h = {h}");
    let tolerance = 4.0 * h * reference.rate() * growth(&expected, h * reference.rate());
    findings.at_most(&format!("{run}: largest error of the tilt / α"), "-", worst / reference.slenderness, tolerance);
    findings.relative(&format!("{run}: largest tilt"), "rad", largest, reference_largest, tolerance);
    findings.sound(&run, &simulation);
    Ok(worst)
}

/// Σ sinh(pτ) over the swings, τ being the time between two passages through 0; `ph` is p times the interval.
fn growth(tilts: &[f64], ph: f64) -> f64 {
    let passages: Vec<usize> = (1..tilts.len()).filter(|&i| tilts[i - 1] * tilts[i] < 0.0).collect();
    let ends = passages.iter().skip(1).copied().chain([tilts.len()]);
    passages.iter().zip(ends).map(|(from, to)| (ph * (to - from) as f64).sinh()).sum()
}
