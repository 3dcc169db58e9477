//! A7: blocks on a table that is pushed off with the acceleration a.
//!
//! A block with half width b and half height h lifts off iff a > g b/h (its weight can no longer hold it down), and
//! slips iff a > μ g. The example has a slender block (b/h = 0.25, ample friction) and a squat one with μ = 0.25, so that both
//! thresholds are at a = g/4: 1 % below, both ride along; 1 % above, one slips with the relative acceleration a − μ g and the
//! other topples, at first by
//!
//!   θ = (ε/κ)(cosh(√(¾ κ/R) t) − 1),     ε = a cos α − g sin α,     κ = a sin α + g cos α.
//!
//! The table may be driven, or stand still in the accelerated frame of the ground (`ground_acceleration`): both are run.
//! Tolerances: nothing may move below the threshold but by the tolerance of the solver (1e-8 m, rad); slip has a constant
//! acceleration and is exact but for one step (h of the 1 s that it lasts, twice); the tilt is of first order in h too,
//! and the formula itself linear in θ: 2 %.

use super::rocking::{Block, GRAVITY};
use super::scene::{body, plane, run_to};
use super::{Findings, Size};

/// Both thresholds: b/h and μ.
const THRESHOLD: f64 = 0.25;
/// Times at which tilt and slip are read.
const TILT_TIME: f64 = 0.5;
const SLIP_TIME: f64 = 1.0;

/// How the table is moved.
#[derive(Clone, Copy)]
enum Way {
    Driven,
    GroundAcceleration,
}

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    for (name, way) in [("driven", Way::Driven), ("ground acceleration", Way::GroundAcceleration)] {
        below(findings, name, way)?;
        above(findings, name, way)?;
    }
    Ok(())
}

/// Tilt of the slender block, slip of the squat one at their times.
fn shake(findings: &mut Findings, run: &str, way: Way, acceleration: f64) -> miette::Result<(f64, f64)> {
    let mut changes = Vec::new();
    let end = 2.0;
    match way {
        Way::Driven => changes.push(("drive.0.velocity.ramp.to", (acceleration * end).to_string())),
        Way::GroundAcceleration => {
            changes.push(("drive.0.velocity", "0.0".to_string()));
            changes.push(("ground_acceleration.x", acceleration.to_string()));
        }
    }
    let mut simulation = plane("shaken-table", &changes)?;
    let [table, slender, squat] = ["table", "slender", "squat"].map(|name| body(&simulation, name));
    let (table, slender, squat) = (table?, slender?, squat?);
    run_to(&mut simulation, TILT_TIME)?;
    let tilt = simulation.state.motions[slender].place.turn.angle();
    run_to(&mut simulation, SLIP_TIME)?;
    let moved = |b: usize| simulation.state.motions[b].place.centre.x - simulation.scene.start[b].place.centre.x;
    let slip = moved(table) - moved(squat);
    findings.sound(run, &simulation);
    Ok((tilt, slip))
}

fn below(findings: &mut Findings, name: &str, way: Way) -> miette::Result<()> {
    let run = format!("{name}, 0.99 × threshold");
    let (tilt, slip) = shake(findings, &run, way, 0.99 * THRESHOLD * GRAVITY)?;
    findings.at_most(&format!("{run}: tilt of the slender block"), "rad", tilt.abs(), 1e-8);
    findings.at_most(&format!("{run}: slip of the squat block"), "m", slip.abs(), 1e-8);
    Ok(())
}

fn above(findings: &mut Findings, name: &str, way: Way) -> miette::Result<()> {
    let run = format!("{name}, 1.01 × threshold");
    let acceleration = 1.01 * THRESHOLD * GRAVITY;
    let (tilt, slip) = shake(findings, &run, way, acceleration)?;
    let block = Block::new(0.2, 0.8);
    let (sin, cos) = block.slenderness.sin_cos();
    let (excess, stiffness) = (acceleration * cos - GRAVITY * sin, acceleration * sin + GRAVITY * cos);
    let growth = (0.75 * stiffness / block.radius).sqrt() * TILT_TIME;
    let expected = excess / stiffness * (growth.cosh() - 1.0);
    findings.relative(&format!("{run}: tilt of the slender block"), "rad", tilt, expected, 0.02);
    let expected = 0.5 * (acceleration - THRESHOLD * GRAVITY) * SLIP_TIME * SLIP_TIME;
    findings.relative(&format!("{run}: slip of the squat block"), "m", slip, expected, 2e-3);
    Ok(())
}
