//! Contacts with a stored W: which method, and when.
//!
//! Sweeps come first. When [`PATIENCE`] of them are not enough the portfolio's `auto` goes on from there; what it returns is kept
//! if the residual of `residual.rs`, evaluated here apart from it, is better. A method asked for by name does all the work.
//!
//! The portfolio knows Signorini–Coulomb alone. What a joint pulls goes into its free velocity, W a, and how it gives way on
//! to its diagonal, W_NN + C; joints that spring or hold are left to the sweeps.

use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::nlgs::{self, rho};
use crate::problem::{Link, Mass, Vect};
use crate::report::{Method, Report, Settings};
use crate::residual;
use crate::solver::{self, Measure, Solver};

/// Sweeps before anything else is tried.
const PATIENCE: usize = 300;

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution.
pub fn solve<const D: usize>(w: &Stored<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    let only_swept = links.iter().any(|l| l.form.joint.held || l.form.joint.stiffness != [0.0; 2]);
    match settings.method {
        Method::Nlgs => nlgs::solve(w, links, settings),
        _ if only_swept => nlgs::solve(w, links, settings),
        Method::Stored(solver) => by(solver, w, links, settings, Report::default()),
        Method::Auto => {
            let most = settings.max_sweeps.min(PATIENCE);
            let first = nlgs::solve(w, links, &Settings { max_sweeps: most, ..*settings });
            if first.converged || first.broken || settings.max_sweeps <= PATIENCE {
                return first;
            }
            let swept: Vec<(Vect<D>, Vect<D>)> = links.iter().map(|l| (l.impulse, l.velocity)).collect();
            let left = Settings { max_sweeps: settings.max_sweeps - most, ..*settings };
            let report = by(Solver::Auto, w, links, &left, first);
            if report.residual < first.residual {
                return report;
            }
            links.iter_mut().zip(swept).for_each(|(l, (r, u))| (l.impulse, l.velocity) = (r, u));
            Report { sweeps: report.sweeps, relaxations: report.relaxations, ..first }
        }
    }
}

/// The same for rigid masses, whose W is formed for it; velocities of the masses are brought up to date.
pub fn solve_masses<const D: usize>(masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
    let report = solve(&Stored::new(masses, links), links, settings);
    links.iter().for_each(|link| link.push(masses, &link.impulse));
    report
}

/// By one solver of the portfolio; counts are added to those of `before`.
fn by<const D: usize>(
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
    let wanted = solver::Settings {
        tolerance: settings.tolerance,
        measure: Measure::Relative,
        iterations: settings.max_sweeps.max(1),
    };
    let done = solver.solve(&problem, &mut impulses, &wanted);
    impulses.iter_mut().zip(&pulls).for_each(|(r, a)| *r += a);
    for (a, link) in links.iter_mut().enumerate() {
        link.impulse = impulses[a];
        link.velocity = w.velocity(a, &impulses);
    }
    let rhos: Vec<f64> =
        links.iter().enumerate().map(|(a, l)| rho(l.form.joint.block(w.block(a)).trace(), D)).collect();
    let iterations = done.iterations();
    let mut report = Report {
        sweeps: before.sweeps + iterations,
        relaxations: before.relaxations + iterations * links.len(),
        painleve: done.painleve,
        ..before
    };
    report.seconds_sweeping += done.seconds;
    residual::assess(links, &rhos, settings.tolerance, &mut report);
    // The portfolio's scale has a limit: an error does not become small because impulses grow for ever.
    report.converged &= done.converged() || links.iter().any(|l| l.form.joint.is_some());
    report
}
