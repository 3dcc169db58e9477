//! Rigid collections: which method, and when.
//!
//! Sweeps with momentum come first: most steps need nothing else. When [`PATIENCE`] sweeps were not enough, the proximal point over bodies
//! (`proximal.rs`) takes its turn, with as much work as was done before; and, where bodies meet face on face and a factorization costs
//! little (stacks, walls, columns, chains), alternating directions (`splitting.rs`). Sweeps go on in rounds that double; each round starts
//! from the best impulses so far, and the best are returned. Once the sweeps have cost as much as the interior point would
//! (`interior.rs`), and those that are left pay for it, it is tried; and after each round the proximal point again.
//!
//! In the plane, a round of sweeps that has not halved the residual is followed by the path of exact solutions (`path.rs`), for as long as the
//! round took. Where the path does not arrive, another start is better than more patience: some sweeps without momentum lead to one.
//! It knows no joints.
//!
//! Moments that resist rolling (see [`crate::rolling`]) are known to the sweeps and to the proximal point; the others are passed over where there
//! are any. A method of the portfolio that is asked for by name sees them too (`rolled.rs`), where no joint springs or holds.
//!
//!   sweeps ─ not enough ─▶ proximal point; splitting, if cheap ─▶ sweeps, a round ─▶ path, in the plane; interior point, once, or proximal point ─▶ more ─▶ …
//!
//! The rounds after the first sweeps end when the residual is small in the mean and not large anywhere ([`Settings::outliers`]).
//!
//! Where bodies are wedged impulses are not unique, and what comes from afar may press them on each other many times as strongly as the
//! sweeps, which stay near the impulses of the step before: such answers are not taken ([`RigidStrategy::strains`]).
//!
//! All decisions depend on counts and residuals, none on clocks: same bits for any number of threads.

mod coupling;
mod interior;
mod over_bodies;
mod path;
mod proximal;
mod rolled;
mod splitting;
mod unit;
mod updated;

use crate::clock::Clock;
use crate::driven::driven;
use crate::matrix_free::MatrixFree;
use crate::problem::{Link, Mass, Vect};
use crate::report::{Method, Report, Settings};
use crate::residual;
use crate::rolling::Roll;
use crate::strategy::stored;
use interior::Interior;
use path::Path;
use proximal::Proximal;
use splitting::Splitting;

/// Sweeps before anything else is tried.
const PATIENCE: usize = 300;
/// Splitting is tried when an iteration costs at most as much as this many sweeps.
const CHEAP: f64 = 4.0;
/// Contacts for each pair of bodies that touch, in the mean, from which on splitting is tried: faces on faces.
const FACES: f64 = 2.0;
/// Work of a relaxation, counted in entries of a factor that are gone through: measured.
const RELAXATION: f64 = 15.0;
/// Work of the contacts in an iteration of splitting, and of a factorization in solutions.
const PROJECTION: f64 = 30.0;
const FACTORIZATION: f64 = 15.0;
/// Iterations of splitting at most, and those after which it must be better than the sweeps were.
const MOST_ITERATIONS: usize = 400;
const TRIAL: usize = 60;
/// The interior point is tried when the sweeps that were made, and those that are left, pay for this many steps; it may take
/// so many.
const FEWEST_STEPS: f64 = 15.0;
const MOST_STEPS: f64 = 60.0;
/// Sweeps before its matrix is even looked at: that costs some dozens of them.
const BEFORE_LOOKING: f64 = 2000.0;
/// A round that leaves more than this of the residual has stalled.
const STALLED: f64 = 0.5;
/// What a path may cost at most, and the sweeps after one that did not arrive, in sweeps of the round before: some starts rather than one.
const SHARE_OF_A_PATH: f64 = 0.25;
const SHARE_BETWEEN: f64 = 0.125;
/// Events that must be possible.
const FEWEST_EVENTS: f64 = 8.0;
/// Work of an event of the path: solutions with its factor, and at each contact.
const EVENT: f64 = 2.0;
const EVENT_AT_CONTACT: f64 = 40.0;
/// Strength of impulses that are taken from other methods, in units of that of the first sweeps; or in units of what the resultants
/// on the bodies ask for: the first sweeps may not have reached all bodies.
const MOST_STRAIN: f64 = 2.0;
const NEEDED: f64 = 0.5;
/// A round that ends with a residual this many times the best goes back to the best.
const ASTRAY: f64 = 3.0;

/// The solver of rigid collections; workspace that is kept from step to step.
pub struct RigidStrategy<const D: usize> {
    matrix_free: MatrixFree<D>,
}

impl<const D: usize> Default for RigidStrategy<D> {
    fn default() -> Self {
        Self { matrix_free: MatrixFree::new() }
    }
}

/// Impulses and moments that can be taken up again.
struct Reactions<const D: usize> {
    impulses: Vec<Vect<D>>,
    moments: Vec<Vect<3>>,
}

impl<const D: usize> Reactions<D> {
    /// Those of the links and rolls.
    fn of(links: &[Link<D>], rolls: &[Roll]) -> Self {
        let (impulses, moments) = (links.iter().map(|l| l.impulse), rolls.iter().map(|r| r.moment));
        Self { impulses: impulses.collect(), moments: moments.collect() }
    }

    /// Back into them.
    fn put(&self, links: &mut [Link<D>], rolls: &mut [Roll]) {
        links.iter_mut().zip(&self.impulses).for_each(|(link, r)| link.impulse = *r);
        rolls.iter_mut().zip(&self.moments).for_each(|(roll, m)| roll.moment = *m);
    }

    /// Velocities of masses, free before, with all impulses and moments; those of the links follow.
    fn push(masses: &mut [Mass<D>], links: &mut [Link<D>], rolls: &[Roll]) {
        links.iter().for_each(|link| link.push(masses, &link.impulse));
        rolls.iter().for_each(|roll| roll.turn(&links[roll.link], masses));
        links.iter_mut().for_each(|link| link.velocity = link.relative_velocity(masses));
    }
}

/// What is solved: masses, links, rolls.
type Parts<'a, const D: usize> = (&'a mut [Mass<D>], &'a mut [Link<D>], &'a mut [Roll]);

/// Masses, links, rolls and report of the best so far.
struct Kept<const D: usize> {
    masses: Vec<Mass<D>>,
    links: Vec<Link<D>>,
    rolls: Vec<Roll>,
    report: Report,
}

impl<const D: usize> Kept<D> {
    fn new((masses, links, rolls): &Parts<'_, D>, report: Report) -> Self {
        Self { masses: masses.to_vec(), links: links.to_vec(), rolls: rolls.to_vec(), report }
    }
}

impl<const D: usize> RigidStrategy<D> {
    /// Solves in place, as [`MatrixFree::solve`] does, by the method of the settings.
    pub fn solve(
        &mut self,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        settings: &Settings,
    ) -> Report {
        if let Method::Stored(solver) = settings.method {
            if rolls.is_empty() {
                return stored::solve_masses(masses, links, settings);
            }
            if solver.knows_rolling() && rolled::fits(links) {
                return rolled::solve(solver, masses, (links, rolls), settings);
            }
        }
        let mut parts = (masses, links, rolls);
        let strict = Settings { outliers: 1.0, ..*settings };
        if settings.method != Method::Auto || settings.max_sweeps <= PATIENCE {
            return self.sweep(&mut parts, &strict);
        }
        let start: Vec<Mass<D>> = parts.0.to_vec();
        let begun = Reactions::of(parts.1, parts.2);
        let first = self.sweep(&mut parts, &Settings { max_sweeps: PATIENCE, ..strict });
        if first.converged || first.not_finite || settings.watch.is_stopped() {
            return first;
        }
        let mut spent = Spent::of(&first);
        let mut best = Kept::new(&parts, first);
        let mut proximal = Proximal::Unknown;
        let clock = Clock::start();
        let is_solved =
            self.approach(&mut proximal, &start, &mut parts, settings, (&mut best, first.strength), &mut spent);
        if !is_solved && parts.2.is_empty() {
            spent.split = self.split((&start, &begun), parts.1, settings, &best.report, &mut spent.equivalent);
        }
        spent.seconds_beside += clock.seconds();
        if !is_solved {
            self.go_on(&start, &mut parts, settings, (&mut best, first.strength), &mut proximal, &mut spent);
        }
        parts.0.copy_from_slice(&best.masses);
        parts.1.copy_from_slice(&best.links);
        parts.2.copy_from_slice(&best.rolls);
        spent.entered_in(best.report)
    }

    /// Sweeps, as those that keep a problem among deformable bodies for several solutions take them.
    pub fn matrix_free(&mut self) -> &mut MatrixFree<D> {
        &mut self.matrix_free
    }

    /// Rounds of sweeps from the impulses in `parts`, and what is tried between them, until the best is good or all sweeps are spent.
    fn go_on(
        &mut self,
        start: &[Mass<D>],
        parts: &mut Parts<'_, D>,
        settings: &Settings,
        (best, reference): (&mut Kept<D>, f64),
        proximal: &mut Proximal<D>,
        spent: &mut Spent,
    ) {
        let (mut inside, mut path) = (Inside::of(parts.1, parts.2), Following::of(parts.1, parts.2));
        let (mut round, mut arrived) = (PATIENCE, false);
        loop {
            let left = settings.max_sweeps as f64 - spent.equivalent;
            // Where the path has arrived is looked at in any case.
            if settings.watch.is_stopped() || left <= 0.0 && !arrived {
                return;
            }
            round = (2 * round).min(left.ceil().max(1.0) as usize);
            if self.strains(start, parts.1, reference) {
                Reactions::of(&best.links, &best.rolls).put(parts.1, parts.2);
            }
            parts.0.copy_from_slice(start);
            let report = self.sweep(parts, &Settings { max_sweeps: round, ..*settings });
            spent.add(&report);
            let stalled = report.residual > STALLED * best.report.residual;
            if report.residual < best.report.residual || report.converged || report.not_finite {
                *best = Kept::new(parts, report);
            }
            if report.converged || report.not_finite || left <= 0.0 {
                return;
            }
            let clock = Clock::start();
            let swept = spent.seconds;
            arrived = stalled && self.follow(&mut path, start, parts, settings, &report, spent);
            arrived = arrived && !self.strains(start, parts.1, reference);
            if !arrived {
                if report.residual > ASTRAY * best.report.residual {
                    Reactions::of(&best.links, &best.rolls).put(parts.1, parts.2);
                }
                let steps = inside.go(start, parts.1, settings, &best.report, &mut spent.equivalent);
                spent.split += steps;
                let is_solved = steps == 0 && self.approach(proximal, start, parts, settings, (best, reference), spent);
                if is_solved {
                    spent.seconds_beside += clock.seconds() - (spent.seconds - swept);
                    return;
                }
            }
            spent.seconds_beside += clock.seconds() - (spent.seconds - swept);
        }
    }

    /// Tries the proximal point, if it can be afforded; the impulses in `parts` are the better ones afterwards. True if it has solved the problem:
    /// then that is the best.
    fn approach(
        &mut self,
        proximal: &mut Proximal<D>,
        start: &[Mass<D>],
        parts: &mut Parts<'_, D>,
        settings: &Settings,
        (best, reference): (&mut Kept<D>, f64),
        spent: &mut Spent,
    ) -> bool {
        let (masses, links, rolls) = parts;
        let near = proximal.go(start, (&mut **links, &mut **rolls), settings, &best.report, &mut spent.equivalent);
        let Some((near, steps)) = near else { return false };
        spent.split += steps;
        if near.residual >= best.report.residual || self.strains(start, links, reference) {
            return false;
        }
        masses.copy_from_slice(start);
        Reactions::push(masses, links, rolls);
        *best = Kept::new(parts, near);
        near.converged
    }

    /// Follows the path from where a round of sweeps ended, then from where some plain sweeps more lead, and so on, for as long as the round
    /// took. True if it arrived: then the solution is in `links`, else what was there.
    fn follow(
        &mut self,
        path: &mut Following<D>,
        start: &[Mass<D>],
        parts: &mut Parts<'_, D>,
        settings: &Settings,
        round: &Report,
        spent: &mut Spent,
    ) -> bool {
        let Some((path, event)) = path.pays(start, parts.1, round) else { return false };
        let swept = Reactions::of(parts.1, parts.2);
        let until = (settings.max_sweeps as f64).min(spent.equivalent + round.sweeps as f64);
        let most = (SHARE_OF_A_PATH * round.sweeps as f64 / event) as usize;
        let between = (SHARE_BETWEEN * round.sweeps as f64).ceil() as usize;
        while spent.equivalent < until && !settings.watch.is_stopped() {
            let (residual, events) = path.run(parts.1, 0.1 * settings.tolerance, most, settings.watch);
            spent.split += events;
            spent.equivalent += (events + 1) as f64 * event;
            if residual <= settings.tolerance {
                return true;
            }
            parts.0.copy_from_slice(start);
            let plain = Settings { max_sweeps: between, momentum: false, outliers: 1.0, ..*settings };
            let report = self.sweep(parts, &plain);
            spent.add(&report);
            if report.converged {
                return true;
            }
            if report.not_finite {
                break;
            }
        }
        swept.put(parts.1, parts.2);
        false
    }

    /// Are the impulses in `links` much stronger than the first sweeps had them, and than anything needs them to be?
    fn strains(&self, start: &[Mass<D>], links: &[Link<D>], reference: f64) -> bool {
        let rho = self.matrix_free.rho();
        let strength = residual::strength(links, rho);
        strength > MOST_STRAIN * reference && strength > NEEDED * driven(start, links, rho)
    }

    fn sweep(&mut self, (masses, links, rolls): &mut Parts<'_, D>, settings: &Settings) -> Report {
        let mut report = self.matrix_free.solve(masses, links, rolls, settings);
        report.equivalent_sweeps = report.sweeps as f64;
        report
    }

    /// Tries splitting, if it is cheap; the impulses in `links` are the better ones afterwards. Iterations made.
    fn split(
        &mut self,
        (start, begun): (&[Mass<D>], &Reactions<D>),
        links: &mut [Link<D>],
        settings: &Settings,
        first: &Report,
        equivalent: &mut f64,
    ) -> usize {
        // Grains that meet in points slide and roll: sweeps are better there, and the analysis would be for nothing.
        let pairs = links.chunk_by(|a, b| a.masses == b.masses).count();
        if (links.len() as f64) < FACES * pairs as f64 {
            return 0;
        }
        // A contact that gives way is not a projection on a cone.
        if links.iter().any(|link| link.form.joint.gives_way()) {
            return 0;
        }
        // It starts where the sweeps started: what these left is smooth to them, and rough to it.
        let swept = Reactions::of(links, &[]);
        begun.put(links, &mut []);
        let split = self.split_from(start, links, settings, first, equivalent);
        if split.is_none_or(|(residual, _)| residual.is_nan() || residual >= first.residual) {
            swept.put(links, &mut []);
        }
        split.map_or(0, |(_, iterations)| iterations)
    }

    /// Splitting from the impulses in `links`: residual and iterations, or nothing if it costs too much.
    fn split_from(
        &mut self,
        start: &[Mass<D>],
        links: &mut [Link<D>],
        settings: &Settings,
        first: &Report,
        equivalent: &mut f64,
    ) -> Option<(f64, usize)> {
        let Ok(mut splitting) = Splitting::new(start, links, first.bounds) else { return None };
        let sweep = RELAXATION * (first.relaxations / first.sweeps.max(1)) as f64;
        let iteration = (splitting.entries() as f64 + PROJECTION * links.len() as f64) / sweep;
        let factorization = FACTORIZATION * splitting.entries() as f64 / sweep;
        let affordable = ((settings.max_sweeps as f64 - *equivalent - factorization) / iteration) as usize;
        if iteration > CHEAP || affordable < TRIAL {
            return None;
        }
        // A tenth of the tolerance, so that the sweep that follows finds nothing to do.
        let (tolerance, max_sweeps) = (0.1 * settings.tolerance, affordable.min(MOST_ITERATIONS));
        let asked = Settings { tolerance, max_sweeps, ..*settings };
        let outcome = splitting.run(links, &asked, (TRIAL, first.residual));
        let (residual, iterations, factorizations) = outcome.unwrap_or((f64::INFINITY, 0, 1));
        *equivalent += iterations as f64 * iteration + factorizations as f64 * factorization;
        Some((residual, iterations))
    }
}

/// The path of exact solutions of one problem.
enum Following<const D: usize> {
    Unknown,
    Ready(Box<Path<D>>),
    Done,
}

impl<const D: usize> Following<D> {
    /// It is linear piece by piece in the plane only, and knows no joints, nor moments.
    fn of(links: &[Link<D>], rolls: &[Roll]) -> Self {
        let fits = D == 2 && rolls.is_empty() && links.iter().all(|link| !link.form.joint.is_some());
        if fits { Self::Unknown } else { Self::Done }
    }

    /// The path, and the sweeps that an event costs as much as; nothing if the round of sweeps does not pay for enough of them.
    fn pays(&mut self, start: &[Mass<D>], links: &[Link<D>], round: &Report) -> Option<(&mut Path<D>, f64)> {
        if let Self::Unknown = self {
            *self = Path::new(start, links, round.bounds).map_or(Self::Done, |path| Self::Ready(Box::new(path)));
        }
        let Self::Ready(path) = self else { return None };
        let sweep = RELAXATION * (round.relaxations / round.sweeps.max(1)) as f64;
        let event = (EVENT * path.entries() as f64 + EVENT_AT_CONTACT * links.len() as f64) / sweep;
        (FEWEST_EVENTS * event <= SHARE_OF_A_PATH * round.sweeps as f64).then_some((path, event))
    }
}

/// The interior point of one problem.
enum Inside<const D: usize> {
    Unknown,
    Ready(Box<Interior<D>>),
    Done,
}

impl<const D: usize> Inside<D> {
    /// It knows cones, no joints, nor moments.
    fn of(links: &[Link<D>], rolls: &[Roll]) -> Self {
        let fits = rolls.is_empty() && links.iter().all(|link| !link.form.joint.is_some());
        if fits { Self::Unknown } else { Self::Done }
    }

    /// Tries it, if the time has come; the impulses in `links` are the better ones afterwards. Steps made.
    fn go(
        &mut self,
        start: &[Mass<D>],
        links: &mut [Link<D>],
        settings: &Settings,
        best: &Report,
        equivalent: &mut f64,
    ) -> usize {
        if *equivalent < BEFORE_LOOKING {
            return 0;
        }
        if let Self::Unknown = self {
            let interior = Interior::new(start, links, best.bounds).ok();
            *self = interior.map_or(Self::Done, |i| Self::Ready(Box::new(i)));
        }
        let Self::Ready(interior) = self else { return 0 };
        let sweep = RELAXATION * (best.relaxations / best.sweeps.max(1)) as f64;
        let step = (FACTORIZATION + 2.0) * interior.entries() as f64 / sweep;
        let affordable = (settings.max_sweeps as f64 - *equivalent) / step;
        if affordable < FEWEST_STEPS {
            *self = Self::Done;
            return 0;
        }
        if *equivalent < FEWEST_STEPS * step {
            return 0;
        }
        let swept = Reactions::of(links, &[]);
        let (tolerance, max_sweeps) = (0.1 * settings.tolerance, affordable.min(MOST_STEPS) as usize);
        let (residual, steps) = interior.run(links, &Settings { tolerance, max_sweeps, ..*settings });
        if residual.is_nan() || residual >= best.residual {
            swept.put(links, &mut []);
        }
        *equivalent += steps as f64 * step;
        *self = Self::Done;
        steps
    }
}

/// What the parts of a solution cost together.
struct Spent {
    sweeps: usize,
    relaxations: usize,
    seconds: f64,
    seconds_beside: f64,
    split: usize,
    equivalent: f64,
}

impl Spent {
    fn of(report: &Report) -> Self {
        let (sweeps, relaxations, split) = (0, 0, 0);
        let mut spent = Self { sweeps, relaxations, seconds: 0.0, seconds_beside: 0.0, split, equivalent: 0.0 };
        spent.add(report);
        spent
    }

    fn add(&mut self, report: &Report) {
        self.sweeps += report.sweeps;
        self.relaxations += report.relaxations;
        self.seconds += report.seconds_sweeping;
        self.equivalent += report.sweeps as f64;
    }

    fn entered_in(&self, report: Report) -> Report {
        Report {
            sweeps: self.sweeps,
            relaxations: self.relaxations,
            seconds_sweeping: self.seconds,
            seconds_beside: self.seconds_beside,
            split_iterations: self.split,
            equivalent_sweeps: self.equivalent,
            ..report
        }
    }
}
