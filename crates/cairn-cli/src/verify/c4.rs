//! C4: a single block under a sine ground motion.
//!
//! The reference is an integration of our own of Housner's piecewise equation (see [`super::rocking`]) by the
//! Runge–Kutta method with impacts found to round-off. Compared is the tilt over the whole motion, relative to α.
//!
//! Each impact brings an error of the angular velocity of first order in h (see A6), which the inverted pendulum
//! amplifies from swing to swing. So the error of the tilt must fall in proportion to h, and what is left when its first
//! order is taken off, θ* = (4 θ(h/4) − θ(h))/3, must be of the order of its square: with an error of a tenth
//! of α at h that is a hundredth, and twice that is the tolerance.

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
const STEP: f64 = 5e-4;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let block = Block::new(0.2, 1.0);
    let ground = |t: f64| if t <= SHAKING { AMPLITUDE * (TAU * FREQUENCY * t).sin() } else { 0.0 };
    let expected = block.history(ground, STEP, (DURATION / STEP).round() as usize, 4);
    let coarse = tilts(findings, STEP, 1)?;
    let fine = tilts(findings, STEP / 4.0, 4)?;
    let extrapolated: Vec<f64> = coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect();
    let error = |tilts: &[f64]| {
        let differences = tilts.iter().zip(&expected[1..]).map(|(t, e)| (t - e).abs());
        differences.fold(0.0, f64::max) / block.slenderness
    };
    findings.at_most("largest error of the tilt / α, h → 0", "-", error(&extrapolated), 0.02);
    findings.absolute("error at h / error at h/4", "-", error(&coarse) / error(&fine), 4.0, 1.0);
    let largest = |tilts: &[f64]| tilts.iter().fold(0.0f64, |m, t| m.max(t.abs()));
    findings.relative("largest tilt, h → 0", "rad", largest(&extrapolated), largest(&expected), 0.02);
    Ok(())
}

/// The tilt after every `every` steps.
fn tilts(findings: &mut Findings, h: f64, every: usize) -> miette::Result<Vec<f64>> {
    let mut simulation = plane("shaken-block", &[("time.step", h.to_string())])?;
    let block = body(&simulation, "block")?;
    let mut tilts = Vec::new();
    for step in 1..=(DURATION / h).round() as usize {
        simulation.step().into_diagnostic()?;
        if step % every == 0 {
            tilts.push(simulation.state.motions[block].place.turn.angle());
        }
    }
    findings.sound(&format!("h = {h}"), &simulation);
    Ok(tilts)
}
