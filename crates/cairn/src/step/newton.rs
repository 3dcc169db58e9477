//! Velocities at the end of the step and the impulses between bodies: predict, solve, correct, until Newton is content.
//!
//! In each iteration every deformable body predicts its velocity without contact, v + M̂⁻¹ρ(v); the contacts of all bodies, rigid and
//! deformable, are solved with W = Hᵀ M̂⁻¹ H; and the impulses found give the next iterate. Contacts are found, and H is evaluated, once, in
//! the shifted configuration. Rigid bodies and small perturbations have M̂ for good: one pass is exact, and the last.

use super::deform::{self, Scheme};
use super::{FEW_HALVINGS, MOST_HALVINGS, StepError, Workspace, assemble, impulses};
use crate::contact::Reaction;
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;
use cairn_solvers::clock::Clock;
use cairn_solvers::report::Report;

/// Out of balance by more than this part of the forces at work, an iterate is no state of the body.
const LOST: f64 = 1e-2;
/// By more than this, a step is cut as often as it may be; by less a few times: where a body is about to buckle M̂ is not definite, and that of a
/// shorter step is.
const POOR: f64 = 1e-4;
/// Iterations without a tenth less out of balance than ever before, after which there is nothing to hope for.
const PATIENCE: usize = 20;

/// How the iterations went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Newton {
    /// Iterations made of deformable bodies; 0 without them.
    pub iterations: usize,
    /// Largest out-of-balance impulse of a deformable body, relative to the largest impulse at work in it.
    pub out_of_balance: f64,
    /// The contact solver's report of the last iteration, sweeps of all; not converged if Newton is not.
    pub contacts: Report,
    /// Time of all but the assembly of the contact problem [s].
    pub seconds: f64,
}

/// The velocities at the end of the step, of rigid masses and of nodes, and the impulses between them.
pub(super) fn iterate<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    remembered: &[Option<&Reaction<D>>],
    h: f64,
    work: &mut Workspace<D>,
) -> Result<Newton, StepError>
where
    Space<D>: Ambient<D>,
{
    let scheme = Scheme::of(&scene.time, h);
    let is_exact = deform::is_exact(scene);
    let most = if is_exact { 1 } else { scene.newton.max_iterations.max(1) };
    let mut newton = Newton::default();
    let mut clock = Clock::start();
    let (mut best, mut since_best) = (f64::INFINITY, 0);
    deform::begin(scene, state, scheme, work)?;
    for iteration in 0..most {
        work.must_go_on(state)?;
        let changed = deform::predict(scene, (state, remembered), iteration, work)?;
        if iteration == 0 {
            newton.seconds += clock.seconds();
            assemble::links(scene, state, remembered, h, work);
            clock = Clock::start();
            impulses::begin(scene, work, most);
        }
        let contacts = impulses::solve(scene, work, h, changed, iteration);
        work.must_go_on(state)?;
        newton.add(contacts);
        let worst = deform::correct(scene, state, scheme, (iteration, iteration + 1 == most), work)?;
        newton.out_of_balance = worst.out_of_balance;
        if worst.out_of_balance <= scene.newton.tolerance && !worst.is_damped || is_exact {
            break;
        }
        since_best = if worst.out_of_balance < 0.9 * best { 0 } else { since_best + 1 };
        best = best.min(worst.out_of_balance);
        if iteration + 1 == most || since_best >= PATIENCE && !worst.is_damped {
            newton.contacts.converged = false;
            newton.must_be_near(scene, state, worst.body, h)?;
            break;
        }
    }
    newton.iterations *= usize::from(!scene.flexibles.is_empty());
    newton.seconds += clock.seconds();
    Ok(newton)
}

impl Newton {
    /// An error if the last iterate is too far from balance to be taken for a state, or so far that the step should be cut.
    fn must_be_near<const D: usize>(
        &self,
        scene: &Scene<D>,
        state: &State<D>,
        worst: usize,
        h: f64,
    ) -> Result<(), StepError>
    where
        Space<D>: Ambient<D>,
    {
        let parts = (scene.time.step / h).round() as u32;
        let halvings = if self.out_of_balance > POOR { MOST_HALVINGS } else { FEW_HALVINGS };
        // An explicit scheme makes one iteration, and is not meant to come to balance.
        let may_be_cut = parts < 1 << halvings && self.iterations >= PATIENCE;
        if self.out_of_balance <= LOST && !may_be_cut {
            return Ok(());
        }
        Err(StepError::Newton {
            body: scene.body_name(scene.number_of_deformable(worst)),
            step: state.step + 1,
            out_of_balance: self.out_of_balance,
            iterations: self.iterations,
            parts,
        })
    }

    /// The last report counts, but the sweeps of all.
    fn add(&mut self, last: Report) {
        self.iterations += 1;
        self.contacts = with_cost(last, &self.contacts);
    }

    /// The same with the cost of an attempt that it replaces.
    pub fn after(self, attempt: &Newton) -> Newton {
        Newton {
            iterations: self.iterations + attempt.iterations,
            out_of_balance: self.out_of_balance,
            contacts: with_cost(self.contacts, &attempt.contacts),
            seconds: self.seconds + attempt.seconds,
        }
    }
}

/// A report with the cost of one before it.
fn with_cost(last: Report, before: &Report) -> Report {
    Report {
        sweeps: last.sweeps + before.sweeps,
        relaxations: last.relaxations + before.relaxations,
        seconds_sweeping: last.seconds_sweeping + before.seconds_sweeping,
        ..last
    }
}
