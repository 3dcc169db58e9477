//! Contacts with a stored W: which method, and when.
//!
//! Sweeps come first. When [`PATIENCE`] of them are not enough the portfolio's `auto` goes on from there; what it
//! returns is kept if the residual of `residual.rs`, evaluated here apart from it, is better. A method asked for by
//! name does all the work.
//!
//! The portfolio knows Signorini–Coulomb alone. What a joint pulls goes into its free velocity, W a, and how it gives
//! way on to its diagonal, W_NN + C; joints that spring or hold have a Newton of their own (`solver/joined.rs`), with
//! sweeps where it gets caught. In collections of rigid bodies, where joints hold or break, they are clamped instead.

use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::nlgs::{self, rho};
use crate::problem::{Link, Mass, Vect};
use crate::report::{Bounds, Method, Report, Settings};
use crate::residual;
use crate::solver::joined::{Joined, Kind, put};
use crate::solver::{self, Measure, Solver};

/// Sweeps before anything else is tried.
const PATIENCE: usize = 300;
/// B in units of ρ = D/tr W_αα from which on sweeps are not even tried.
const STIFF: f64 = 100.0;
/// Steps of Newton in a row at least; as many as there are contacts, too: where two beams touch, the edge of the
/// contact may move by one point a step.
const STEPS: usize = 30;
/// How often it starts again after sweeps.
const ROUNDS: usize = 8;
/// Strength of the impulses that count, in units of that of the first sweeps.
const STRONGER: f64 = 2.0;
/// P in units of the largest impulse.
const CLAMP: f64 = 10.0;

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
            Method::Stored(solver) => self.by(solver, links, settings, self.begun(links, settings)),
            Method::Auto if self.is_stiff(links) => self.by(Solver::Auto, links, settings, self.begun(links, settings)),
            Method::Auto => {
                let most = settings.max_sweeps.min(PATIENCE);
                let first = nlgs::solve(self.w, links, &Settings { max_sweeps: most, ..*settings });
                if first.converged || first.broken || settings.max_sweeps <= PATIENCE {
                    return first;
                }
                // Impulses are not unique everywhere: those that sweeps come to tell how strong they have to be.
                let bounds = Bounds { driven: STRONGER * first.strength, ..first.bounds };
                let first = Report { bounds, ..first };
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

    /// The impulses in `links`, if they solve the problem as they are; their velocities are brought up to date.
    pub fn stands(&self, links: &mut [Link<D>], settings: &Settings) -> Option<Report> {
        let impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
        put(self.w, links, &impulses);
        let mut report = self.begun(links, settings);
        residual::assess(links, &rhos(self.w, links), settings.tolerance, &mut report);
        report.converged.then_some(report)
    }

    /// Is there a spring much stiffer than what it joins? Sweeps would take a number of the order of the ratio.
    fn is_stiff(&self, links: &[Link<D>]) -> bool {
        let stiff = |(a, link): (usize, &Link<D>)| {
            let [normal, tangential] = link.form.joint.stiffness;
            !link.form.joint.held && normal.max(tangential) > STIFF * rho(self.w.block(a).trace(), D)
        };
        links.iter().enumerate().any(stiff)
    }

    /// The report of a problem on which nothing has been done yet.
    fn begun(&self, links: &[Link<D>], settings: &Settings) -> Report {
        let drive = residual::drive(self.w.free().iter().copied(), &rhos(self.w, links), links);
        Report { bounds: Bounds { drive, most: settings.most_scale(), ..Bounds::default() }, ..Report::default() }
    }

    /// By one solver of the portfolio; counts are added to those of `before`. With springs, by Newton with sweeps
    /// between.
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

/// By one solver of the portfolio, no joint having a spring; counts are added to those of `before`.
///
/// A joint that is held is clamped: with a = −P n, P large beside all impulses, R̃ = R + P n lies inside the cone of
/// μ = 1, where all sticks, whatever R is.
pub(crate) fn plain<const D: usize>(
    solver: Solver,
    w: &Stored<D>,
    links: &mut [Link<D>],
    settings: &Settings,
    before: Report,
) -> Report {
    let clamp = CLAMP * links.iter().map(|l| l.impulse.norm()).fold(0.0, f64::max);
    let clamped = Vect::from_fn(|i, _| if i == 0 { -clamp } else { 0.0 });
    let pull = |l: &Link<D>| if l.form.joint.held { clamped } else { l.form.joint.pull };
    let friction = |l: &Link<D>| if l.form.joint.held { 1.0 } else { l.form.friction };
    // In the problem as the portfolio states it the bias is part of the free velocity.
    let mut problem = Problem { w: w.clone(), friction: links.iter().map(friction).collect() };
    let pulls: Vec<Vect<D>> = links.iter().map(pull).collect();
    for (a, link) in links.iter().enumerate() {
        problem.w.free_mut()[a] = link.form.bias + w.velocity(a, &pulls);
        problem.w.own_mut(a)[(0, 0)] += link.form.joint.compliance;
    }
    let mut impulses: Vec<Vect<D>> = links.iter().zip(&pulls).map(|(l, a)| l.impulse - a).collect();
    // Its residual is relative to R̃, which pulls make larger than R.
    let rho = rhos(w, links);
    let larger = strength(&rho, impulses.iter()) / strength(&rho, links.iter().map(|l| &l.impulse));
    let tolerance = if larger > 1.0 && larger.is_finite() { settings.tolerance / larger } else { settings.tolerance };
    let done = solver.solve(&problem, &mut impulses, &wanted(&Settings { tolerance, ..*settings }));
    impulses.iter_mut().zip(&pulls).for_each(|(r, a)| *r += a);
    put(w, links, &impulses);
    assessed(w, links, settings, before, &done)
}

/// Root mean square of ‖R‖/ρ over contacts with R ≠ 0.
fn strength<'a, const D: usize>(rho: &[f64], impulses: impl Iterator<Item = &'a Vect<D>>) -> f64 {
    let each = impulses.zip(rho).filter(|(r, rho)| **rho > 0.0 && **r != Vect::<D>::zeros());
    let (sum, count) = each.fold((0.0, 0.0), |(s, n), (r, rho)| (s + r.norm_squared() / (rho * rho), n + 1.0));
    (sum / count).sqrt()
}

/// Newton until it is done or gets caught, then sweeps, twice as many in each round; the best answer is kept.
fn with_springs<const D: usize>(
    joined: &mut Joined<D>,
    w: &Stored<D>,
    links: &mut [Link<D>],
    settings: &Settings,
    before: Report,
) -> Report {
    let rho = rhos(w, links);
    let impulses = |links: &[Link<D>]| links.iter().map(|l| l.impulse).collect::<Vec<Vect<D>>>();
    put(w, links, &impulses(links));
    let mut report = before;
    let mut best = (f64::INFINITY, impulses(links));
    for round in 0..ROUNDS {
        let first = if round == 0 { Kind::First } else { Kind::Whole };
        for kind in [first, Kind::Damped] {
            newton(joined, w, (&rho, kind), links, settings, &mut report, &mut best);
            put(w, links, &best.1);
            residual::assess(links, &rho, settings.tolerance, &mut report);
            if report.converged || report.broken {
                return report;
            }
        }
        let most = ((PATIENCE / 4) << round).min(settings.max_sweeps.saturating_sub(report.sweeps));
        if most == 0 {
            break;
        }
        report = report.followed_by(nlgs::solve(w, links, &Settings { max_sweeps: most, ..*settings }));
        if report.converged || report.broken {
            return report;
        }
    }
    put(w, links, &best.1);
    residual::assess(links, &rho, settings.tolerance, &mut report);
    report
}

/// Steps of Newton; `best` is the smallest residual with its impulses.
fn newton<const D: usize>(
    joined: &mut Joined<D>,
    w: &Stored<D>,
    (rho, first): (&[f64], Kind),
    links: &mut [Link<D>],
    settings: &Settings,
    report: &mut Report,
    best: &mut (f64, Vec<Vect<D>>),
) {
    let clock = Clock::start();
    for step in 0..STEPS.max(links.len()) {
        let kind = if step > 0 && first == Kind::First { Kind::Whole } else { first };
        let made = joined.step(w, rho, links, kind);
        report.sweeps += 1;
        report.relaxations += links.len();
        residual::assess(links, rho, settings.tolerance, report);
        if report.residual < best.0 {
            *best = (report.residual, links.iter().map(|l| l.impulse).collect());
        }
        if report.converged || report.broken || !made {
            break;
        }
    }
    report.seconds_sweeping += clock.seconds();
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
    report
}
