//! One step of the θ-scheme, from the state to the next one:
//!
//!   M (v(i+1) − v(i)) = h F_θ + H R,     q(i+1) = q(i) + h (1−θ) v(i) + h θ v(i+1)
//!
//! with contacts found, and H evaluated, in the shifted configuration q̃ = q(i) + (1−θ) h v(i).

mod account;
mod advance;
mod assemble;
mod cell;
mod compiled;
mod deform;
mod equilibrium;
mod free_motion;
mod impulses;
mod joints;
mod look_again;
mod membrane;
mod mixing;
mod newton;
mod pace;
mod prescribed;
mod repair;
mod servo;
mod shift;
mod sweep;
mod unbonded;

use crate::body::Motion;
use crate::contact::Contact;
use crate::detect::{Detector, detect, detect_images, track};
use crate::scene::{OnFailure, Scene};
use crate::space::{Ambient, Placement, Space, Spin, Vect};
use crate::state::{Margin, State};
use cairn_solvers::boundary::Boundary;
use cairn_solvers::clock::Clock;
use cairn_solvers::delassus::Stored;
use cairn_solvers::problem::{Link, Mass};
use cairn_solvers::report::{Report, Settings};
use cairn_solvers::rolling::Roll;
use cairn_solvers::strategy::rigid::RigidStrategy;
use cairn_solvers::watch::Watch;
pub use compiled::Compiled;
use deform::Deform;
pub use deform::Inertia;
pub use joints::is_touching;
use look_again::LookAgain;
pub use prescribed::prescribed_overlap;
use repair::Repair;
use std::sync::Arc;
use sweep::Sweep;
pub use unbonded::{bonded_at_start, unbonded};

/// How often a step that leaves no state may be halved: 2⁻⁶ of the scene's step at the least.
const MOST_HALVINGS: u32 = 6;

/// How often one that misses its tolerances may: most converge in halves, and what does not in quarters hardly ever does.
const FEW_HALVINGS: u32 = 2;

/// How often contacts are looked for in a step at most.
const MOST_SEARCHES: u32 = 8;

/// Buffers that are rebuilt in every step; kept only to save allocations.
pub struct Workspace<const D: usize>
where
    Space<D>: Ambient<D>,
{
    detector: Detector<D>,
    /// The lattice of a periodic cell.
    cell: Option<Box<cell::Moving<D>>>,
    strategy: RigidStrategy<D>,
    /// Bodies in the shifted configuration.
    shifted: Vec<Placement<D>>,
    /// Parts in the shifted configuration.
    places: Vec<Placement<D>>,
    reach: Vec<f64>,
    /// Bounds of the acceleration of each body by what acts on it [m/s²].
    accelerations: Vec<f64>,
    contacts: Vec<Contact<D>>,
    /// Velocities before the step in the shifted configuration (spins follow from the kept angular momentum).
    before: Vec<(Vect<D>, Spin<D>)>,
    /// External impulse h F_θ and moment h τ_θ per body.
    external: Vec<(Vect<D>, Spin<D>)>,
    /// Motions at the end of the step.
    next: Vec<Motion<D>>,
    masses: Vec<Mass<D>>,
    /// The same with their free velocities, if the contact problem may be solved more than once.
    free_masses: Vec<Mass<D>>,
    links: Vec<Link<D>>,
    /// How deformable bodies respond to their contacts.
    boundary: Boundary<D>,
    /// Of contacts that resist rolling, in the order of `links`.
    rolls: Vec<Roll>,
    /// In scenes with bonds: what the law of each contact looks at.
    bonded: Vec<joints::Bonded<D>>,
    /// Deformable bodies.
    deform: Deform<D>,
    /// Is the out-of-balance force wanted in scenes without stages, too?
    pub measures_equilibrium: bool,
    /// What makes good what single steps leave undone.
    repair: Repair<D>,
    /// What keeps fast bodies from passing others.
    sweep: Sweep<D>,
    /// What keeps bodies that turn from overlapping at the end of the step.
    look_again: LookAgain<D>,
    /// Who waits for the step: it is looked at between sweeps and between the parts of a step, and told how far the solver is.
    pub watch: Option<Arc<Watch>>,
}

impl<const D: usize> Default for Workspace<D>
where
    Space<D>: Ambient<D>,
{
    fn default() -> Self {
        Self {
            detector: Detector::default(),
            cell: None,
            strategy: RigidStrategy::default(),
            shifted: Vec::new(),
            places: Vec::new(),
            reach: Vec::new(),
            accelerations: Vec::new(),
            contacts: Vec::new(),
            before: Vec::new(),
            external: Vec::new(),
            next: Vec::new(),
            masses: Vec::new(),
            free_masses: Vec::new(),
            links: Vec::new(),
            boundary: Boundary::default(),
            rolls: Vec::new(),
            bonded: Vec::new(),
            deform: Deform::default(),
            measures_equilibrium: false,
            repair: Repair::default(),
            sweep: Sweep::default(),
            look_again: LookAgain::default(),
            watch: None,
        }
    }
}

impl<const D: usize> Workspace<D>
where
    Space<D>: Ambient<D>,
{
    /// Empty buffers with the same wishes: for a scene whose bodies have changed.
    pub fn fresh(&self) -> Self {
        let (measures_equilibrium, watch) = (self.measures_equilibrium, self.watch.clone());
        Self { measures_equilibrium, watch, ..Self::default() }
    }

    /// The problem of the last step, as solved.
    pub fn problem(&self) -> (&[Mass<D>], &[Link<D>]) {
        (&self.masses, &self.links)
    }

    /// The moments of contacts that resist rolling in it.
    pub fn rolls(&self) -> &[Roll] {
        &self.rolls
    }

    /// Has who waits for the step asked to stop?
    fn is_stopped(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_stopped())
    }

    /// An error if so.
    fn must_go_on(&self, state: &State<D>) -> Result<(), StepError> {
        if self.is_stopped() { Err(StepError::Interrupted { step: state.step + 1 }) } else { Ok(()) }
    }

    /// W and U_free of the last contact problem.
    pub fn delassus(&self) -> Stored<D> {
        let mut free = self.masses.clone();
        self.links.iter().for_each(|link| link.push(&mut free, &-link.impulse));
        self.boundary.whole(&free, &self.links)
    }
}

/// What a step says of itself.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Candidate contacts.
    pub contacts: usize,
    /// Contacts with a reaction.
    pub active: usize,
    /// What the contact solver says (of the worst sub-step if the step was halved).
    pub solver: Report,
    /// Key of the contact with the worst residual, as bodies.
    pub worst_contact: Option<[u32; 2]>,
    /// Bodies of the first contact without a unique solution.
    pub painleve_contact: Option<[u32; 2]>,
    /// Worst penetration found in this step [m].
    pub penetration: f64,
    /// What the contract is measured by, in the order of [`Margin::ALL`].
    pub margins: [f64; Margin::COUNT],
    /// Sub-steps taken: 1 unless the step was halved.
    pub substeps: u32,
    /// Newton iterations over all sub-steps; 0 without deformable bodies.
    pub iterations: usize,
    /// Out-of-balance impulse of deformable bodies, relative to the largest at work; the worst of the sub-steps.
    pub out_of_balance: f64,
    /// Out-of-balance force of all bodies relative to weight and other loads, in the last sub-step; with stages or velocity cancelling,
    /// or if the workspace is told to.
    pub unbalanced_force: f64,
    /// What fictitious masses add to the balance; the worst of the sub-steps.
    pub inertia: Inertia,
    /// Sweeps over all sub-steps.
    pub sweeps: usize,
    /// Contact relaxations over all sub-steps.
    pub contact_sweeps: u64,
    /// Time of detection [s] (see [`Clock`]).
    pub seconds_detect: f64,
    /// Time of the contact solver [s].
    pub seconds_solve: f64,
}

/// The contacts where the scene puts the bodies: like those of the first step, but not shifted by a part of it.
pub fn contacts_at_start<const D: usize>(scene: &Scene<D>) -> Vec<Contact<D>>
where
    Space<D>: Ambient<D>,
{
    let mut unshifted = scene.clone();
    unshifted.time.theta = 1.0;
    let mut work = Workspace::default();
    find_contacts(&unshifted, &State::start(scene), scene.time.step, &mut work);
    work.contacts
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A position or velocity has no end, or is not a number.
    #[error("the position or velocity of body {body} is not finite after step {step}")]
    NotFinite {
        /// Body.
        body: String,
        /// Step.
        step: u64,
    },
    /// A body is faster than light.
    #[error(
        "body {body} moves at {speed:.1e} m/s after step {step}, faster than light: look at its loads, its mass and the step"
    )]
    TooFast {
        /// Body.
        body: String,
        /// Step.
        step: u64,
        /// Its speed [m/s].
        speed: f64,
    },
    /// A body has moved through so many images of a periodic cell that they cannot be counted.
    #[error("body {body} is more than {} cells away in step {step}: what is so far from the others has left the sample", crate::contact::Image::MOST / 2)]
    TooFar {
        /// Body.
        body: String,
        /// Step.
        step: u64,
    },
    /// Newton's iterations of a deformable body lead nowhere, in steps cut as often as may be.
    #[error(
        "Newton's iterations of body {body} do not converge in step {step}: out of balance by {out_of_balance:.1e} of the forces at work after \
         {iterations} of them, with the step cut to h/{parts}"
    )]
    Newton {
        /// Body.
        body: String,
        /// Step.
        step: u64,
        /// Largest impulse out of balance, relative to those at work.
        out_of_balance: f64,
        /// Iterations made.
        iterations: usize,
        /// Part of the scene's step that was tried last.
        parts: u32,
    },
    /// Contacts of bodies at finite strain are missed by a length that matters, in steps cut as often as may be.
    #[error(
        "the contact between {} and {} is missed by {missed:.1e} m in step {step}, with the step cut to h/{parts}: \
         is there room for what is between them?",
        bodies[0], bodies[1]
    )]
    Missed {
        /// Bodies of the worst contact.
        bodies: [String; 2],
        /// Step.
        step: u64,
        /// Largest normal velocity by which the laws are missed, times the step [m].
        missed: f64,
        /// Part of the scene's step that was tried last.
        parts: u32,
    },
    /// A deformable body and another are so fast that they pass each other unseen, in steps cut as often as may be.
    #[error(
        "{} and {} pass through each other in step {step}: with the step cut to h/{parts}, at {speed:.1e} m/s, they still move by more than half of \
         their width, or of a facet, before contacts are looked for: take a shorter step, or θ = 1",
        bodies[0], bodies[1]
    )]
    Passed {
        /// The two bodies.
        bodies: [String; 2],
        /// Step.
        step: u64,
        /// How fast they approach [m/s].
        speed: f64,
        /// Part of the scene's step that was tried last.
        parts: u32,
    },
    /// The iteration matrix of a deformable body cannot be factorized.
    #[error("the iteration matrix of a deformable body cannot be factorized: {message}")]
    Matrix {
        /// What the factorization says.
        message: String,
    },
    /// The scene says `on_failure = "stop"`.
    #[error(
        "step {step} did not converge: residual {residual:.2e} after {sweeps} sweeps, worst between {} and {} \
         (the scene says on_failure = \"stop\")",
        worst[0], worst[1]
    )]
    NotConverged {
        /// Step.
        step: u64,
        /// Relative residual reached.
        residual: f64,
        /// Sweeps done.
        sweeps: usize,
        /// Bodies of the worst contact.
        worst: [String; 2],
    },
    /// Who waits for the step has asked to stop.
    #[error("step {step} was interrupted; the state is the one before it")]
    Interrupted {
        /// Step.
        step: u64,
    },
}

impl StepError {
    /// Is it worth another try with a shorter step?
    fn may_pass_in_halves(&self) -> bool {
        let hopeful = matches!(self, Self::NotFinite { .. } | Self::TooFast { .. } | Self::Newton { .. });
        hopeful || matches!(self, Self::Missed { .. } | Self::Matrix { .. } | Self::Passed { .. })
    }

    fn not_converged<const D: usize>(scene: &Scene<D>, step: u64, report: &Report, worst: Option<[u32; 2]>) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let worst = worst.map(|bodies| bodies.map(|body| scene.body_name(body)));
        let (residual, sweeps) = (report.residual, report.sweeps);
        Self::NotConverged { step, residual, sweeps, worst: worst.unwrap_or_default() }
    }
}

/// Advances `state` by one step of the scene; after an error the state is what it was.
pub fn step<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
) -> Result<StepReport, StepError>
where
    Space<D>: Ambient<D>,
{
    <Space<D> as Compiled<D>>::step(scene, state, work)
}

/// [`step`] itself.
fn take_step<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
) -> Result<StepReport, StepError>
where
    Space<D>: Ambient<D>,
{
    let number = state.step + 1;
    if let Some(watch) = &work.watch {
        watch.begin();
    }
    let report = pace::take(scene, state, work)?;
    state.step = number;
    // From the count, not by summation: no drift of time, and the same bits after a restart.
    let since = state.stages.last().copied().unwrap_or_default();
    state.time = since.time + (number - since.step) as f64 * scene.time.step;
    let ledger = &mut state.ledger;
    ledger.sweeps += report.sweeps as u64;
    ledger.contact_sweeps += report.contact_sweeps;
    ledger.unconverged += u64::from(!report.solver.converged);
    ledger.eased += u64::from(report.solver.converged && report.solver.eased);
    ledger.painleve += report.solver.painleve as u64;
    ledger.worst_residual = ledger.worst_residual.max(report.solver.residual);
    ledger.worst_penetration = ledger.worst_penetration.max(report.penetration);
    Ok(report)
}

/// What came of a step.
enum Attempt {
    /// The state is that of its end.
    Done(StepReport),
    /// It did not converge and is to be made again in halves: the state is that of its start. What it cost.
    Missed(StepReport),
}

/// A step of length `h`, made again as two halves if it does not converge and the scene wants that, or if what it leaves is no state.
fn sub_step<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
    h: f64,
    halvings: u32,
) -> Result<StepReport, StepError>
where
    Space<D>: Ambient<D>,
{
    let must_converge = match scene.solver.on_failure {
        OnFailure::QuarterStep => halvings < FEW_HALVINGS,
        OnFailure::HalveStep => halvings < MOST_HALVINGS,
        OnFailure::Accept | OnFailure::Stop => false,
    };
    // Until the step is accepted nothing of the state changes.
    let whole = match advance_by(scene, state, work, h, must_converge) {
        Ok(Attempt::Done(report)) => return Ok(report),
        Ok(Attempt::Missed(cost)) => cost,
        Err(error) if halvings < MOST_HALVINGS && error.may_pass_in_halves() => StepReport::default(),
        Err(error) => return Err(error),
    };
    let saved = state.clone();
    let mut half = |state: &mut State<D>| sub_step(scene, state, work, 0.5 * h, halvings + 1);
    let halves = half(state).and_then(|first| Ok(first.followed_by(half(state)?, &whole)));
    if halves.is_err() {
        *state = saved;
    }
    halves
}

impl StepReport {
    /// The report of two half steps, with the cost of the attempt that they replace.
    fn followed_by(self, second: StepReport, attempt: &StepReport) -> StepReport {
        let worse_first = self.solver.residual > second.solver.residual;
        let converged = self.solver.converged && second.solver.converged;
        let eased = converged && (self.solver.eased || second.solver.eased);
        let painleve = self.solver.painleve + second.solver.painleve;
        let (a, b) = if worse_first { (&self, &second) } else { (&second, &self) };
        StepReport {
            contacts: second.contacts,
            active: second.active,
            solver: Report { converged, eased, painleve, ..a.solver },
            worst_contact: a.worst_contact.or(b.worst_contact),
            painleve_contact: self.painleve_contact.or(second.painleve_contact),
            penetration: self.penetration.max(second.penetration),
            margins: std::array::from_fn(|i| self.margins[i].max(second.margins[i])),
            substeps: self.substeps + second.substeps,
            iterations: attempt.iterations + self.iterations + second.iterations,
            out_of_balance: self.out_of_balance.max(second.out_of_balance),
            unbalanced_force: second.unbalanced_force,
            inertia: self.inertia.or(second.inertia),
            sweeps: attempt.sweeps + self.sweeps + second.sweeps,
            contact_sweeps: attempt.contact_sweeps + self.contact_sweeps + second.contact_sweeps,
            seconds_detect: attempt.seconds_detect + self.seconds_detect + second.seconds_detect,
            seconds_solve: attempt.seconds_solve + self.seconds_solve + second.seconds_solve,
        }
    }
}

/// Contacts, and the velocities and impulses that they lead to. Where these make a body so fast that it may pass contacts that were not
/// looked for, or turn it into another, once more.
fn find_and_solve<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    h: f64,
    work: &mut Workspace<D>,
) -> Result<(newton::Newton, f64), StepError>
where
    Space<D>: Ambient<D>,
{
    let mut seconds_detect = 0.0;
    let mut cost = newton::Newton::default();
    let mut is_found = false;
    work.sweep.pushed.clear();
    work.deform.found.pushed.clear();
    work.look_again.begin();
    for attempt in 1.. {
        let start = Clock::start();
        if !is_found {
            work.look_again.forget_contacts();
            deform::must_not_pass(scene, state, h, work)?;
            find_contacts(scene, state, h, work);
            cell::must_be_near(scene, state, work)?;
        }
        let remembered = track(&work.contacts, &state.reactions);
        seconds_detect += start.seconds();
        work.must_go_on(state)?;

        free_motion::free_motion(scene, state, h, work);
        let newton = newton::iterate(scene, state, &remembered, h, work)?.after(&cost);
        let start = Clock::start();
        let may_go_on = attempt < MOST_SEARCHES;
        let outran = may_go_on && (sweep::outran(scene, h, work) | deform::outran(scene, h, work));
        is_found = may_go_on && !outran && look_again::found_more(scene, h, work);
        seconds_detect += start.seconds();
        if !outran && !is_found {
            return Ok((newton, seconds_detect));
        }
        cost = newton;
    }
    unreachable!("the last attempt returns")
}

/// The step itself: shift, detect, free motion, local problem, solve, advance.
fn advance_by<const D: usize>(
    scene: &Scene<D>,
    state: &mut State<D>,
    work: &mut Workspace<D>,
    h: f64,
    must_converge: bool,
) -> Result<Attempt, StepError>
where
    Space<D>: Ambient<D>,
{
    let (newton, seconds_detect) = find_and_solve(scene, state, h, work)?;
    let solver = newton.contacts;
    let cost = StepReport {
        iterations: newton.iterations,
        sweeps: solver.sweeps,
        contact_sweeps: solver.relaxations as u64,
        seconds_detect,
        seconds_solve: newton.seconds,
        ..StepReport::default()
    };

    let bodies = |link: usize| work.contacts[link].bodies;
    let worst_contact = solver.worst.map(bodies);
    let painleve_contact = solver.first_painleve.map(bodies);
    must_be_kept(scene, state, &solver, worst_contact, h)?;
    if !solver.converged && must_converge {
        return Ok(Attempt::Missed(cost));
    }
    if !solver.converged && scene.solver.on_failure == OnFailure::Stop {
        return Err(StepError::not_converged(scene, state.step + 1, &solver, worst_contact));
    }

    advance::next_motions(scene, state, h, work)?;
    let posted = account::post_impulses(scene, state, h, work);
    joints::post(scene, state, work, posted.worked);
    let mut margins = repair::post(scene, state, h, work, &solver);
    account::post_drift(scene, state, work);
    deform::post(scene, state, h, work);
    let inertia = deform::inertia(scene, work);
    let wanted = work.measures_equilibrium || !scene.stages.is_empty() || scene.time.cancel_velocities;
    let unbalanced_force = if wanted { equilibrium::out_of_balance(scene, state, h, work) } else { 0.0 };
    advance::commit(scene, state, h, work);
    account::post_throughput(scene, state, h, work);
    repair::post_energy(state, h, &mut margins);

    Ok(Attempt::Done(StepReport {
        contacts: work.contacts.len(),
        active: posted.active,
        worst_contact,
        painleve_contact,
        penetration: posted.penetration,
        margins,
        substeps: 1,
        out_of_balance: newton.out_of_balance,
        unbalanced_force,
        inertia,
        solver,
        ..cost
    }))
}

/// Part of the smallest facet by which contacts may be missed in a step that does not converge.
const MISSED: f64 = 1e-2;

/// An error if bodies at finite strain have gone through each other: what the step leaves then is no state, whatever its balance.
fn must_be_kept<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    solver: &Report,
    worst: Option<[u32; 2]>,
    h: f64,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let missed = h * solver.margins.normal_velocity;
    let size = scene.flexibles.iter().map(|body| body.skin.size()).fold(f64::INFINITY, f64::min);
    let (Some(worst), false) = (worst, solver.converged || deform::is_exact(scene)) else { return Ok(()) };
    if missed <= MISSED * size {
        return Ok(());
    }
    let parts = (scene.time.step / h).round() as u32;
    Err(StepError::Missed { bodies: worst.map(|body| scene.body_name(body)), step: state.step + 1, missed, parts })
}

/// Shifts the configuration and detects.
fn find_contacts<const D: usize>(scene: &Scene<D>, state: &State<D>, h: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    shift::shift(scene, state, h, work);
    let law_between = |a: u32, b: u32| scene.law_between_rigid(a, b);
    let Workspace { cell, places, reach, detector, contacts, .. } = work;
    match cell {
        None => detect(&scene.parts, places, reach, &law_between, detector, contacts),
        Some(cell) => {
            let parts = (scene.parts.as_slice(), places.as_slice());
            detect_images(parts, reach, &cell.lattice, &law_between, detector, contacts);
        }
    }
    deform::find_contacts(scene, state, h, work);
}

fn settings<const D: usize>(scene: &Scene<D>) -> Settings<'static>
where
    Space<D>: Ambient<D>,
{
    let solver = &scene.solver;
    Settings {
        tolerance: solver.tolerance,
        outliers: solver.outliers,
        max_sweeps: solver.max_sweeps,
        method: solver.method,
        order: solver.order,
        ..Default::default()
    }
}
