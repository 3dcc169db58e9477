//! Contacts with a stored W: which method, and when.
//!
//! Sweeps come first. When [`PATIENCE`] of them are not enough the portfolio's `auto` goes on from there; what it returns is kept
//! if the residual of `residual.rs`, evaluated here apart from it, is better. A method asked for by name does all the work.
//!
//! The portfolio knows Signorini–Coulomb alone. What a joint pulls goes into its free velocity, W a, and how it gives way on
//! to its diagonal, W_NN + C; joints that spring or hold have a Newton of their own (`solver/joined.rs`), with sweeps where it gets caught.

use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::nlgs::{self, rho};
use crate::problem::{Link, Mass, Vect};
use crate::report::{Method, Report, Settings};
use crate::residual;
use crate::solver::joined::{Joined, put};
use crate::solver::{self, Measure, Solver};

/// Sweeps before anything else is tried.
const PATIENCE: usize = 300;
/// The same with joints that spring or hold, in parts of the number of contacts: a step of Newton costs some of these.
const PATIENCE_WITH_SPRINGS: f64 = 0.25;
/// Steps of Newton in a row, and how often it starts again after sweeps.
const STEPS: usize = 30;
const ROUNDS: usize = 8;

/// One W, for problems that differ in their laws.
pub struct Coupled<'a, const D: usize> {
    w: &'a Stored<D>,
    /// Kept from one problem to the next.
    joined: Option<Joined<D>>,
}

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution.
pub fn solve<const D: usize>(w: &Stored<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    Coupled::new(w).solve(links, settings)
}

impl<'a, const D: usize> Coupled<'a, D> {
    /// Contacts with this W.
    pub fn new(w: &'a Stored<D>) -> Self {
        Self { w, joined: None }
    }

    /// Solves in place: impulses in `links` are the start, impulses and velocities the solution.
    pub fn solve(&mut self, links: &mut [Link<D>], settings: &Settings) -> Report {
        match settings.method {
            Method::Nlgs => nlgs::solve(self.w, links, settings),
            Method::Stored(solver) => self.by(solver, links, settings, Report::default()),
            Method::Auto => {
                let patience = self.patience(links);
                let most = settings.max_sweeps.min(patience);
                let first = nlgs::solve(self.w, links, &Settings { max_sweeps: most, ..*settings });
                if first.converged || first.broken || settings.max_sweeps <= patience {
                    return first;
                }
                let swept: Vec<(Vect<D>, Vect<D>)> = links.iter().map(|l| (l.impulse, l.velocity)).collect();
                let left = Settings { max_sweeps: settings.max_sweeps - most, ..*settings };
                let report = self.by(Solver::Auto, links, &left, first);
                if report.residual < first.residual {
                    return report;
                }
                links.iter_mut().zip(swept).for_each(|(l, (r, u))| (l.impulse, l.velocity) = (r, u));
                Report { sweeps: report.sweeps, relaxations: report.relaxations, ..first }
            }
        }
    }

    /// Sweeps before anything else is tried; hardly any where they were not enough the last time.
    fn patience(&self, links: &[Link<D>]) -> usize {
        match (has_springs(links), &self.joined) {
            (false, _) => PATIENCE,
            (true, Some(_)) => 1,
            (true, None) => ((PATIENCE_WITH_SPRINGS * links.len() as f64) as usize).clamp(10, PATIENCE),
        }
    }

    /// By one solver of the portfolio; counts are added to those of `before`. With springs, by Newton with sweeps between.
    fn by(&mut self, solver: Solver, links: &mut [Link<D>], settings: &Settings, before: Report) -> Report {
        if !has_springs(links) {
            return plain(solver, self.w, links, settings, before);
        }
        if self.joined.is_none() {
            self.joined = Joined::new(self.w);
        }
        match &mut self.joined {
            Some(joined) => with_springs(joined, self.w, links, settings, before),
            None => before.followed_by(nlgs::solve(self.w, links, settings)),
        }
    }
}

fn has_springs<const D: usize>(links: &[Link<D>]) -> bool {
    links.iter().any(|l| l.form.joint.held || l.form.joint.stiffness != [0.0; 2])
}

/// The same for rigid masses, whose W is formed for it; velocities of the masses are brought up to date.
pub fn solve_masses<const D: usize>(masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
    let report = solve(&Stored::new(masses, links), links, settings);
    links.iter().for_each(|link| link.push(masses, &link.impulse));
    report
}

/// By one solver of the portfolio, no joint having a spring.
fn plain<const D: usize>(
    solver: Solver,
    w: &Stored<D>,
    links: &mut [Link<D>],
    settings: &Settings,
    before: Report,
) -> Report {
    // In the problem as the portfolio states it the bias is part of the free velocity.
    let mut problem = Problem { w: w.clone(), friction: links.iter().map(|l| l.form.friction).collect() };
    let pulls: Vec<Vect<D>> = links.iter().map(|l| l.form.joint.pull).collect();
    for (a, link) in links.iter().enumerate() {
        problem.w.free_mut()[a] = link.form.bias + w.velocity(a, &pulls);
        problem.w.own_mut(a)[(0, 0)] += link.form.joint.compliance;
    }
    let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse - l.form.joint.pull).collect();
    let done = solver.solve(&problem, &mut impulses, &wanted(settings));
    impulses.iter_mut().zip(&pulls).for_each(|(r, a)| *r += a);
    put(w, links, &impulses);
    assessed(w, links, settings, before, &done)
}

/// Newton until it is done or gets caught, then sweeps, twice as many in each round.
fn with_springs<const D: usize>(
    joined: &mut Joined<D>,
    w: &Stored<D>,
    links: &mut [Link<D>],
    settings: &Settings,
    before: Report,
) -> Report {
    let rho = rhos(w, links);
    let start: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
    put(w, links, &start);
    let mut report = before;
    let mut sweeps = PATIENCE / 4;
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        for _ in 0..STEPS {
            let better = joined.step(w, &rho, links);
            report.sweeps += 1;
            report.relaxations += links.len();
            residual::assess(links, &rho, settings.tolerance, &mut report);
            if report.converged || report.broken || !better {
                break;
            }
        }
        report.seconds_sweeping += clock.seconds();
        if report.converged || report.broken || report.sweeps >= settings.max_sweeps {
            return report;
        }
        let most = sweeps.min(settings.max_sweeps - report.sweeps);
        report = report.followed_by(nlgs::solve(w, links, &Settings { max_sweeps: most, ..*settings }));
        if report.converged || report.broken {
            return report;
        }
        sweeps *= 2;
    }
    report
}

fn wanted(settings: &Settings) -> solver::Settings {
    solver::Settings {
        tolerance: settings.tolerance,
        measure: Measure::Relative,
        iterations: settings.max_sweeps.max(1),
    }
}

/// ρ of each contact, its joint answering.
fn rhos<const D: usize>(w: &Stored<D>, links: &[Link<D>]) -> Vec<f64> {
    links.iter().enumerate().map(|(a, l)| rho(l.form.joint.block(w.block(a)).trace(), D)).collect()
}

/// The report of what is in the links, counts added to those of `before`.
fn assessed<const D: usize>(
    w: &Stored<D>,
    links: &[Link<D>],
    settings: &Settings,
    before: Report,
    done: &solver::Report,
) -> Report {
    let iterations = done.iterations();
    let mut report = Report {
        sweeps: before.sweeps + iterations,
        relaxations: before.relaxations + iterations * links.len(),
        painleve: done.painleve,
        ..before
    };
    report.seconds_sweeping += done.seconds;
    residual::assess(links, &rhos(w, links), settings.tolerance, &mut report);
    // The portfolio's scale has a limit: an error does not become small because impulses grow for ever.
    report.converged &= done.converged() || links.iter().any(|l| l.form.joint.is_some());
    report
}
