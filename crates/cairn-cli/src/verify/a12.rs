//! A12: thirty cubes, the top one a hundred times as heavy, stand still.
//!
//! A stack of equal blocks is easy: the one with the heavy top makes the contact problem ill-conditioned (the impulse of
//! 100 weights has to go through 29 light blocks), and errors of each step add up: other programs lean, creep or
//! topple. Within 10 s no block may penetrate or drift by more than 1e-6 of its side.
//!
//! The solver's tolerance τ is relative to the velocity that the impulses would give to one light cube: here 100 g h. Thirty
//! joints that all yield by that much all the time sink the top by 30 · τ · 100 g h · 10 s = 1.5e3 m · τ, which is below 1e-6
//! of the side if τ < 7e-11. The example asks for 3e-11.

use super::scene::{plane, run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const SIDE: f64 = 0.1;

/// Runs the case: 2 s and 10 s.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let duration = if size == Size::Full { 10.0 } else { 2.0 };
    stand(findings, "cubes", duration, solid("heavy-top-stack", &[])?)?;
    stand(findings, "squares", duration, plane("heavy-top-stack/scene-2d", &[])?)
}

fn stand<const D: usize>(
    findings: &mut Findings,
    run: &str,
    duration: f64,
    mut simulation: Simulation<D>,
) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    run_to(&mut simulation, duration)?;
    let pairs = simulation.state.motions.iter().zip(&simulation.scene.start);
    let drift = pairs.map(|(now, start)| (now.place.centre - start.place.centre).norm()).fold(0.0, f64::max);
    let penetration = simulation.state.ledger.worst_penetration;
    findings.at_most(&format!("30 {run}, {duration} s: drift / side"), "-", drift / SIDE, 1e-6);
    findings.at_most(&format!("30 {run}, {duration} s: penetration / side"), "-", penetration / SIDE, 1e-6);
    findings.sound(run, &simulation);
    Ok(())
}
