//! Rigid collections: which method, and when.
//!
//! Sweeps with momentum come first: most steps need nothing else. When [`PATIENCE`] sweeps were not enough and a factorization costs
//! little beside them (stacks, walls, columns, chains), alternating directions (`splitting.rs`) take their turn, and sweeps
//! polish. Sweeps go on in rounds that double; each round starts from the best impulses so far, and the best are returned. Once
//! the sweeps have cost as much as the interior point would (`interior.rs`), and those that are left pay for it, it is tried;
//! and after each round the proximal point (`proximal.rs`), with as much work as was done before.
//!
//! In the plane, a round of sweeps that has not halved the residual is followed by the path of exact solutions (`path.rs`), for as long as the
//! round took. Where the path does not arrive, another start is better than more patience: some sweeps without momentum lead to one.
//! It knows no joints; the proximal point takes its place then, and in space.
//!
//!   sweeps ─ not enough ─▶ splitting, if cheap ─▶ sweeps, a round ─▶ path, in the plane; interior point, once, or proximal point ─▶ more ─▶ …
//!
//! Where bodies are wedged impulses are not unique, and what comes from afar may press them on each other many times as strongly as the
//! sweeps, which stay near the impulses of the step before: such answers are not taken ([`Collection::strains`]).
//!
//! All decisions depend on counts and residuals, none on clocks: same bits for any number of threads.

mod coupling;
mod interior;
mod path;
mod proximal;
mod splitting;
mod unit;
mod updated;

use crate::clock::Clock;
use crate::coupled;
use crate::driven::driven;
use crate::exchange::Exchange;
use crate::problem::{Link, Mass, Vect};
use crate::report::{Method, Report, Settings};
use crate::residual;
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
pub struct Collection<const D: usize> {
    exchange: Exchange<D>,
}

impl<const D: usize> Default for Collection<D> {
    fn default() -> Self {
        Self { exchange: Exchange::new() }
    }
}

/// Masses, links and report of the best so far.
type Kept<const D: usize> = (Vec<Mass<D>>, Vec<Link<D>>, Report);

impl<const D: usize> Collection<D> {
    /// Solves in place, as [`Exchange::solve`] does, by the method of the settings.
    pub fn solve(&mut self, masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
        if let Method::Stored(_) = settings.method {
            return coupled::solve_masses(masses, links, settings);
        }
        if settings.method == Method::Nlgs || settings.max_sweeps <= PATIENCE {
            return self.sweep(masses, links, settings);
        }
        let start: Vec<Mass<D>> = masses.to_vec();
        let begun: Vec<Vect<D>> = links.iter().map(|link| link.impulse).collect();
        let first = self.sweep(masses, links, &Settings { max_sweeps: PATIENCE, ..*settings });
        if first.converged || first.broken {
            return first;
        }
        let early: Vec<Vect<D>> = links.iter().map(|link| link.impulse).collect();
        let mut spent = Spent::of(&first);
        let mut best: Kept<D> = (masses.to_vec(), links.to_vec(), first);
        let clock = Clock::start();
        spent.split = self.split((&start, &begun), links, settings, &first, &mut spent.equivalent);
        spent.seconds_beside += clock.seconds();

        self.go_on((&start, &early), (masses, links), settings, &mut best, &mut spent);
        masses.copy_from_slice(&best.0);
        links.copy_from_slice(&best.1);
        spent.entered_in(best.2)
    }

    /// Rounds of sweeps from the impulses in `links`, and what is tried between them, until the best is good or all sweeps are spent.
    fn go_on(
        &mut self,
        (start, early): (&[Mass<D>], &[Vect<D>]),
        (masses, links): (&mut [Mass<D>], &mut [Link<D>]),
        settings: &Settings,
        best: &mut Kept<D>,
        spent: &mut Spent,
    ) {
        let (mut inside, mut path, mut proximal) = (Inside::Unknown, Following::of(links), Proximal::Unknown);
        let (mut round, mut arrived) = (PATIENCE, false);
        let reference = best.2.strength;
        loop {
            let left = settings.max_sweeps as f64 - spent.equivalent;
            // Where the path has arrived is looked at in any case.
            if left <= 0.0 && !arrived {
                return;
            }
            round = (2 * round).min(left.ceil().max(1.0) as usize);
            if self.strains(start, links, reference) {
                links.iter_mut().zip(&best.1).for_each(|(link, kept)| link.impulse = kept.impulse);
            }
            masses.copy_from_slice(start);
            let report = self.sweep(masses, links, &Settings { max_sweeps: round, ..*settings });
            spent.add(&report);
            let stalled = report.residual > STALLED * best.2.residual;
            if report.residual < best.2.residual || report.broken {
                *best = (masses.to_vec(), links.to_vec(), report);
            }
            if report.converged || report.broken || left <= 0.0 {
                return;
            }
            let clock = Clock::start();
            let swept = spent.seconds;
            arrived = stalled && self.follow(&mut path, start, (masses, links), settings, &report, spent);
            arrived = arrived && !self.strains(start, links, reference);
            if !arrived {
                if report.residual > ASTRAY * best.2.residual {
                    links.iter_mut().zip(&best.1).for_each(|(link, kept)| link.impulse = kept.impulse);
                }
                let steps = inside.go(start, links, settings, &best.2, &mut spent.equivalent);
                spent.split += steps;
                if steps == 0 && matches!(path, Following::Done) {
                    let near = proximal.go((start, early), links, settings, &best.2, &mut spent.equivalent);
                    spent.split += near.map_or(0, |near| near.sweeps);
                    if let Some(near) = near.filter(|near| near.converged && !self.strains(start, links, reference)) {
                        masses.copy_from_slice(start);
                        links.iter().for_each(|link| link.push(masses, &link.impulse));
                        links.iter_mut().for_each(|link| link.velocity = link.relative_velocity(masses));
                        *best = (masses.to_vec(), links.to_vec(), near);
                        spent.seconds_beside += clock.seconds() - (spent.seconds - swept);
                        return;
                    }
                }
            }
            spent.seconds_beside += clock.seconds() - (spent.seconds - swept);
        }
    }

    /// Follows the path from where a round of sweeps ended, then from where some plain sweeps more lead, and so on, for as long as the round
    /// took. True if it arrived: then the solution is in `links`, else what was there.
    fn follow(
        &mut self,
        path: &mut Following<D>,
        start: &[Mass<D>],
        (masses, links): (&mut [Mass<D>], &mut [Link<D>]),
        settings: &Settings,
        round: &Report,
        spent: &mut Spent,
    ) -> bool {
        let Some((path, event)) = path.pays(start, links, round) else { return false };
        let swept: Vec<_> = links.iter().map(|link| link.impulse).collect();
        let until = (settings.max_sweeps as f64).min(spent.equivalent + round.sweeps as f64);
        let most = (SHARE_OF_A_PATH * round.sweeps as f64 / event) as usize;
        let between = (SHARE_BETWEEN * round.sweeps as f64).ceil() as usize;
        while spent.equivalent < until {
            let (residual, events) = path.run(links, 0.1 * settings.tolerance, most);
            spent.split += events;
            spent.equivalent += (events + 1) as f64 * event;
            if residual <= settings.tolerance {
                return true;
            }
            masses.copy_from_slice(start);
            let plain = Settings { max_sweeps: between, momentum: false, ..*settings };
            let report = self.sweep(masses, links, &plain);
            spent.add(&report);
            if report.converged {
                return true;
            }
            if report.broken {
                break;
            }
        }
        links.iter_mut().zip(&swept).for_each(|(link, r)| link.impulse = *r);
        false
    }

    /// Are the impulses in `links` much stronger than the first sweeps had them, and than anything needs them to be?
    fn strains(&self, start: &[Mass<D>], links: &[Link<D>], reference: f64) -> bool {
        let rho = self.exchange.rho();
        let strength = residual::strength(links, rho);
        strength > MOST_STRAIN * reference && strength > NEEDED * driven(start, links, rho)
    }

    fn sweep(&mut self, masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
        let mut report = self.exchange.solve(masses, links, settings);
        report.equivalent_sweeps = report.sweeps as f64;
        report
    }

    /// Tries splitting, if it is cheap; the impulses in `links` are the better ones afterwards. Iterations made.
    fn split(
        &mut self,
        (start, begun): (&[Mass<D>], &[Vect<D>]),
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
        if links.iter().any(|link| link.form.joint.compliance > 0.0) {
            return 0;
        }
        // It starts where the sweeps started: what these left is smooth to them, and rough to it.
        let swept: Vec<_> = links.iter().map(|link| link.impulse).collect();
        links.iter_mut().zip(begun).for_each(|(link, r)| link.impulse = *r);
        let split = self.split_from(start, links, settings, first, equivalent);
        if split.is_none_or(|(residual, _)| residual.is_nan() || residual >= first.residual) {
            links.iter_mut().zip(&swept).for_each(|(link, r)| link.impulse = *r);
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
        let outcome =
            splitting.run(links, 0.1 * settings.tolerance, affordable.min(MOST_ITERATIONS), (TRIAL, first.residual));
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
    /// It is linear piece by piece in the plane only, and knows no joints.
    fn of(links: &[Link<D>]) -> Self {
        let fits = D == 2 && links.iter().all(|link| !link.form.joint.is_some());
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
            // It knows cones, no joints.
            let fits = links.iter().all(|link| !link.form.joint.is_some());
            let interior = fits.then(|| Interior::new(start, links, best.bounds).ok()).flatten();
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
        let swept: Vec<_> = links.iter().map(|link| link.impulse).collect();
        let (residual, steps) = interior.run(links, 0.1 * settings.tolerance, affordable.min(MOST_STEPS) as usize);
        if residual.is_nan() || residual >= best.residual {
            links.iter_mut().zip(&swept).for_each(|(link, r)| link.impulse = *r);
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
