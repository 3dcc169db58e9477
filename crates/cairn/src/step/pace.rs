//! The pace of fictitious masses: masses are made for a step τ of their own, m = τ² Σ|K|/3.2, and the scene's step is cut into parts no longer
//! than τ, so that inertia stays below what the scene allows.
//!
//! ```text
//!   ‖M Δv‖ > limit ‖h F‖     the part is done again with τ ← τ · (0.8 limit/ratio, at least ¼), unless that has not helped
//!   ‖M Δv‖ < limit ‖h F‖/2   τ grows by 1/300, up to the scene's step
//! ```
//!
//! Inertia of what begins (a push, a drive that turns) goes with τ; a swing that is there already keeps its share, k A, whatever its mass is,
//! and so does a force that is let go at once, as where a node leaves the end of a face. How τ changes matters because of that: a swing that
//! is met by smaller masses at its largest speed becomes narrower, A ← A τ/τ_old, and at its largest displacement keeps its width, but larger
//! masses at once widen it again, on the average by more than it lost: steps that are halved and doubled pump. Grown slowly, over many
//! periods, masses keep E/ω: A² ∝ 1/τ, and the swing becomes narrower. So τ falls at once and grows by so little that it takes some hundred
//! parts, the longest period of a body of some fifty elements, to grow by half. And because a push swells to its full width over some parts,
//! when it is too late for smaller masses, a run begins with small ones, so small that the first part has a tenth of what is allowed.

use super::{StepError, StepReport, Workspace, sub_step};
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;

/// How much τ grows in a part, and what share of the scene's step it is at first.
const GROWTH: f64 = 1.0 / 300.0;
const FIRST: f64 = 1.0 / 16.0;
/// Of the limit: below that τ grows, what a cut aims at, and what the first part of a run may have.
const CALM: f64 = 0.5;
const AIM: f64 = 0.8;
const SWELL: f64 = 0.1;
/// Least share of τ that is left by a cut, and of the scene's step that is left by all of them.
const CUT: f64 = 0.25;
const LEAST: f64 = 1e-3;
/// Parts as long as τ, up to this share of them, are none too long.
const ROUND_OFF: f64 = 1e-9;
/// A cut helps if inertia falls below that share of what it was.
const HELPED: f64 = 0.8;

/// A step of the scene: in one part, but for bodies with fictitious masses.
pub(super) fn take<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
) -> Result<StepReport, StepError>
where
    Space<D>: Ambient<D>,
{
    if scene.flexibles.iter().all(|body| body.fictitious.is_none()) {
        return sub_step(scene, state, work, scene.time.step, 0);
    }
    let saved = state.clone();
    let report = in_parts(scene, state, work);
    if report.is_err() {
        *state = saved;
    }
    report
}

fn in_parts<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
) -> Result<StepReport, StepError>
where
    Space<D>: Ambient<D>,
{
    let mut left = scene.time.step;
    let mut done: Option<StepReport> = None;
    loop {
        let (report, parts) = part(scene, state, work, left)?;
        let all = match done.take() {
            Some(before) => before.followed_by(report, &StepReport::default()),
            None => report,
        };
        if parts <= 1.0 {
            return Ok(all);
        }
        done = Some(all);
        left -= left / parts;
    }
}

/// One part of what is `left` of the step, and how many such parts it has.
fn part<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
    left: f64,
) -> Result<(StepReport, f64), StepError>
where
    Space<D>: Ambient<D>,
{
    let longest = scene.time.step;
    let known = state.ledger.pace;
    let is_first = known == 0.0;
    let (mut pace, allowed) = if is_first { (FIRST * longest, SWELL) } else { (known.min(longest), 1.0) };
    let mut tried: Option<(State<D>, StepReport, f64)> = None;
    loop {
        let before = state.clone();
        state.ledger.pace = pace;
        let parts = (left / pace - ROUND_OFF).ceil().max(1.0);
        let mut report = sub_step(scene, state, work, left / parts, 0)?;
        let share = report.inertia.share;
        report.solver.converged &= share <= 1.0;
        if share <= allowed {
            let growth = if share < CALM { 1.0 + GROWTH } else { 1.0 };
            state.ledger.pace = (growth * pace).min(longest);
            return Ok((report, parts));
        }
        if let Some((kept, told, parts)) = tried.take()
            && share > HELPED * told.inertia.share
        {
            *state = kept;
            return Ok((told, parts));
        }
        if pace <= LEAST * longest {
            return Ok((report, parts));
        }
        tried = Some((std::mem::replace(state, before), report, parts));
        pace *= (AIM * allowed / share).max(CUT);
    }
}
