//! A3: a ball bounces with Newton's restitution e.
//!
//! Falling from H, it strikes with v₀ = √(2gH); the n-th bounce reaches e²ⁿ H, and the ball rests after the Zeno time
//! t₀ (1 + e)/(1 − e), t₀ = √(2H/g).
//!
//! A shock falls within a step, and the scheme does not know where in it: the ball turns round up to h v above the
//! ground, and a step's worth of gravity, g h, is missing or too much. Each bounce so adds a height error of at most
//! (1 − e²) h v + h v ≤ 2 h v, and later bounces multiply it by e². The errors are of first order in h, and so is the tolerance:
//! 2 h v₀ Σ eⁿ·… ≤ 2 h v₀ for every height. It is checked for h and for h/4.
//!
//! The Zeno time: each bounce that lasts longer than a step shifts the next ones by at most h, and there are
//! n(h) = ln(g h/v₀)/ln e of them; the rest of the series is shorter than a few h. Tolerance: n(h) h.

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
    for (n, top) in tops.iter().take(BOUNCES).enumerate() {
        let expected = HEIGHT * RESTITUTION.powi(2 * (n as i32 + 1));
        findings.absolute(&format!("{run}: height of bounce {}", n + 1), "m", *top, expected, 2.0 * h * strike);
    }
    let long_bounces = (GRAVITY * h / strike).ln() / RESTITUTION.ln();
    findings.absolute(&format!("{run}: time of rest"), "s", last_motion, zeno, long_bounces * h);
    findings.sound(run, &simulation);
    Ok(())
}
