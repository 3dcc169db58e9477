//! C4: a single block under a sine ground motion.
//!
//! The reference is an integration of our own of Housner's piecewise equation (see [`super::rocking`]) by the
//! Runge–Kutta method with impacts found to round-off. Compared is the tilt over the whole motion, relative to α.
//!
//! Tolerance: lift-off and each impact fall within a step or two (see A6), so the tilt has an error of first order in h,
//! which the rocking itself (an unstable inverted pendulum) amplifies by e^{pt} at most between impacts. The constant is
//! set for the coarse step and the error must fall in proportion to h.

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
    findings.at_most(&format!("{run}: largest error of the tilt / α"), "-", worst / reference.slenderness, 100.0 * h);
    findings.relative(&format!("{run}: largest tilt"), "rad", largest, reference_largest, 100.0 * h);
    findings.sound(&run, &simulation);
    Ok(worst)
}
