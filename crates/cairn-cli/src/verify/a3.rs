//! A3: a ball bounces with Newton's restitution e.
//!
//! Falling from H, it strikes with v₀ = √(2gH); the n-th bounce reaches e²ⁿ H, and the ball rests after the Zeno time
//! t₀ (1 + e)/(1 − e), t₀ = √(2H/g).
//!
//! A shock falls within a step, and the scheme does not know where in it. A ball that comes with V is turned round when
//! the shifted gap is s V, 0 < s ≤ h, not 0: compared with the exact motion it is too high by (1 + e) s V afterwards,
//! and too fast by ½(1 − e) g h − (1 + e) g s. Brought back to the ground, with the new speed eV, this is a gain of speed
//!
//!   ΔV = ((1 − e²)/e · s/h + ½(1 − e)) g h,     and after many bounces     ΔV ≤ ((1 + e)/e + ½) g h =: c g h,
//!
//! since each bounce keeps the fraction e of the gains before it. So the heights are too large by V ΔV/g ≤ c h eⁿ v₀ at most, and
//! each flight lasts at most 2c h too long; n(h) = ln(g h/v₀)/ln e flights are longer than a step. These are the
//! tolerances, of first order in h (but for the logarithm); they are checked for h and for h/4.

use super::scene::{body, plane, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use miette::IntoDiagnostic;

const GRAVITY: f64 = 9.81;
const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.05;
const RESTITUTION: f64 = 0.8;
/// Bounces whose height is compared.
const BOUNCES: usize = 5;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    for h in [1e-3, 2.5e-4] {
        let step = [("time.step", h.to_string())];
        bounce(findings, &format!("2D, h = {h}"), plane("bouncing-ball", &step)?)?;
    }
    bounce(findings, "3D, h = 0.001", solid("bouncing-ball/scene-3d", &[])?)
}

fn bounce<const D: usize>(findings: &mut Findings, run: &str, mut simulation: Simulation<D>) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let ball = body(&simulation, "ball")?;
    let h = simulation.scene.time.step;
    let strike = (2.0 * GRAVITY * HEIGHT).sqrt();
    let zeno = strike / GRAVITY * (1.0 + RESTITUTION) / (1.0 - RESTITUTION);
    let mut tops = Vec::new();
    let mut last_motion = 0.0;
    let mut rising = 0.0;
    while simulation.state.time < 1.2 * zeno {
        simulation.step().into_diagnostic()?;
        let motion = &simulation.state.motions[ball];
        let velocity = motion.velocity[D - 1];
        if rising > 0.0 && velocity <= 0.0 {
            // The parabola goes on from here to its top, or comes from it.
            tops.push(motion.place.centre[D - 1] - RADIUS + velocity * velocity / (2.0 * GRAVITY));
        }
        if velocity.abs() > 1e-9 * strike {
            last_motion = simulation.state.time;
        }
        rising = velocity;
    }
    let gain = (1.0 + RESTITUTION) / RESTITUTION + 0.5;
    for (n, top) in tops.iter().take(BOUNCES).enumerate() {
        let speed_share = RESTITUTION.powi(n as i32 + 1);
        let (expected, tolerance) = (HEIGHT * speed_share * speed_share, gain * h * speed_share * strike);
        findings.absolute(&format!("{run}: height of bounce {}", n + 1), "m", *top, expected, tolerance);
    }
    let long_flights = (GRAVITY * h / strike).ln() / RESTITUTION.ln();
    findings.absolute(&format!("{run}: time of rest"), "s", last_motion, zeno, 2.0 * gain * h * long_flights);
    findings.sound(run, &simulation);
    Ok(())
}
