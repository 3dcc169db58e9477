//! A1: blocks on an incline.
//!
//! Coulomb's law with tan θ < μ: the block stays, for ever. Regularized friction creeps; ours must not: the limit of
//! 1e-9 m in 10 s is a millionth of a millimetre, about what 10⁴ steps of round-off and solver tolerance may add up to.
//!
//! With tan θ > μ it slides with the constant acceleration a = g (sin θ − μ cos θ). The scheme integrates constant
//! accelerations exactly, so only the contact solver's tolerance (1e-6) is left: 1e-6 relative.
//!
//! The example has tan θ = 3/4 and two blocks, with tan θ = 0.99 μ and tan θ = 1.5 μ.

use super::scene::{body, plane, run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const SIN: f64 = 0.6;
const COS: f64 = 0.8;
const GRAVITY: f64 = 9.81;
const SLIDING_FRICTION: f64 = 0.5;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    blocks(findings, "2D", plane("incline", &[])?)?;
    blocks(findings, "3D", solid("incline/scene-3d", &[])?)
}

fn blocks<const D: usize>(findings: &mut Findings, run: &str, mut simulation: Simulation<D>) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let (rough, smooth) = (body(&simulation, "rough")?, body(&simulation, "smooth")?);
    let (early, late) = (0.1, 2.0);
    run_to(&mut simulation, early)?;
    let before = simulation.state.motions[smooth].velocity;
    run_to(&mut simulation, late)?;
    let acceleration = (simulation.state.motions[smooth].velocity - before).norm() / (late - early);
    run_to(&mut simulation, 10.0)?;
    let creep = simulation.state.motions[rough].place.centre - simulation.scene.start[rough].place.centre;
    findings.at_most(&format!("{run}: creep in 10 s at tan θ = 0.99 μ"), "m", creep.norm(), 1e-9);
    let expected = GRAVITY * (SIN - SLIDING_FRICTION * COS);
    findings.relative(&format!("{run}: acceleration at tan θ = 1.5 μ"), "m/s²", acceleration, expected, 1e-6);
    findings.sound(run, &simulation);
    Ok(())
}
