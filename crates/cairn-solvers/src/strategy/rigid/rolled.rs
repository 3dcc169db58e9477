//! Moments that resist rolling beside impulses in one stored W, for the portfolio: N = 3 components a contact in the plane, 6 in space.
//!
//!   u = W r + q,   r = (R̃, M/L),   u = (Ũ, L Ω),   bounds μ, ℓ_T/L, ℓ_N/L        (see `moments.rs`)
//!
//! L, a length for each contact, makes a moment respond as an impulse does, so that methods with one ρ a contact see no units. What
//! does not resist has a response of its own in W, which nothing asks for. A joint's pull goes into q and its compliance on to the
//! diagonal, as in `strategy/stored.rs`; joints that spring or hold are not known.

use super::Reactions;
use crate::discrete::Problem;
use crate::moments;
use crate::nlgs::rho;
use crate::problem::{Link, Mass, Mat, Vect};
use crate::report::{Bounds, Report, Settings};
use crate::rolling::{self, Roll};
use crate::solver::Solver;

/// Parts of the tolerance that are asked for, one after the other until the residual of `residual.rs` has reached it: that of the
/// portfolio is another.
const PARTS: [f64; 3] = [0.3, 0.03, 0.003];

/// A contact problem with moments.
pub(super) struct Rolled<const D: usize, const N: usize> {
    masses: Vec<Mass<D>>,
    problem: Problem<N>,
    /// Axes of the moments times L; zero where nothing resists.
    axes: Vec<[Vect<3>; N]>,
    rho: Vec<f64>,
    bounds: Bounds,
}

/// True if the methods on a stored W know all joints.
pub(super) fn fits<const D: usize>(links: &[Link<D>]) -> bool {
    links.iter().all(|link| !link.form.joint.bilateral && link.form.joint.stiffness == [0.0; 2])
}

/// By one solver of the portfolio.
pub(super) fn solve<const D: usize>(
    solver: Solver,
    masses: &mut [Mass<D>],
    (links, rolls): (&mut [Link<D>], &mut [Roll]),
    settings: &Settings,
) -> Report {
    let report = match D {
        2 => Rolled::<D, 3>::new(masses, links, rolls).solve(solver, (links, rolls), settings),
        _ => Rolled::<D, 6>::new(masses, links, rolls).solve(solver, (links, rolls), settings),
    };
    Reactions::push(masses, links, rolls);
    report
}

impl<const D: usize, const N: usize> Rolled<D, N> {
    /// From masses with their free velocities.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>], rolls: &[Roll]) -> Self {
        let (mut problem, axes) = moments::problem::<D, N>(masses, links, rolls, |link| length(link, masses));
        let own: Vec<Mat<D>> = links.iter().map(|link| link.own_block(masses)).collect();
        let rho: Vec<f64> = links.iter().zip(&own).map(|(l, w)| rho(l.form.joint.block(w).trace(), D)).collect();
        let bounds = Bounds::of(masses, links, &rho, &Settings::default());
        for (a, own) in own.iter().enumerate() {
            let mean = own.trace() / D as f64;
            (D..N).filter(|&i| axes[a][i] == Vect::<3>::zeros()).for_each(|i| problem.w.own_mut(a)[(i, i)] = mean);
        }
        let pulls: Vec<Vect<N>> = links.iter().map(pull).collect();
        let pulled = problem.velocities(&pulls);
        problem.w.free_mut().copy_from_slice(&pulled);
        links.iter().enumerate().for_each(|(a, link)| link.form.joint.add_compliance(problem.w.own_mut(a)));
        Self { masses: masses.to_vec(), problem, axes, rho, bounds }
    }

    /// Solves from the impulses and moments given, which are the solution afterwards.
    pub fn solve(&self, solver: Solver, (links, rolls): (&mut [Link<D>], &mut [Roll]), settings: &Settings) -> Report {
        let mut report = Report { bounds: Bounds { most: settings.most_scale(), ..self.bounds }, ..Report::default() };
        let mut r: Vec<Vect<N>> = links
            .iter()
            .map(|link| Vect::from_fn(|i, _| if i < D { link.impulse[i] } else { 0.0 }) - pull(link))
            .collect();
        for roll in rolls.iter() {
            for (i, axis) in self.axes[roll.link].iter().enumerate().filter(|(_, axis)| axis.norm_squared() > 0.0) {
                r[roll.link][i] = axis.dot(&roll.moment) / axis.norm_squared();
            }
        }
        for part in PARTS {
            let left = settings.max_sweeps.saturating_sub(report.sweeps).max(1);
            let tolerance = part * settings.tolerance;
            let (done, _) = solver.solve(&self.problem, &mut r, &Settings { tolerance, max_sweeps: left, ..*settings });
            report.sweeps += done.sweeps;
            report.relaxations += done.relaxations;
            report.seconds_sweeping += done.seconds_sweeping;
            (report.painleve, report.unresponsive) = (done.painleve, done.unresponsive);
            self.put(&r, links, rolls);
            let mut masses = self.masses.clone();
            Reactions::push(&mut masses, links, rolls);
            rolling::assess(&masses, links, rolls, &self.rho, settings.tolerance, &mut report);
            let spent = report.sweeps >= settings.max_sweeps || settings.watch.is_stopped();
            if report.converged || report.not_finite || !done.converged || spent {
                break;
            }
        }
        report
    }

    /// Reactions back into links and rolls.
    fn put(&self, r: &[Vect<N>], links: &mut [Link<D>], rolls: &mut [Roll]) {
        for (link, r) in links.iter_mut().zip(r) {
            let whole = r + pull(link);
            link.impulse = Vect::from_fn(|i, _| whole[i]);
        }
        for roll in rolls.iter_mut() {
            let axes = self.axes[roll.link].iter().zip(r[roll.link].iter());
            roll.moment = axes.fold(Vect::zeros(), |sum, (axis, r)| sum + axis * *r);
        }
    }
}

/// What a joint pulls.
fn pull<const D: usize, const N: usize>(link: &Link<D>) -> Vect<N> {
    Vect::from_fn(|i, _| if i < D { link.form.joint.pull[i] } else { 0.0 })
}

/// L: the square root of how a contact responds to impulses beside how it does to moments.
fn length<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> f64 {
    let mobility = link.sides().fold(Mat::<3>::zeros(), |sum, (_, m, _)| sum + masses[m as usize].spin_mobility);
    let turn = if D == 2 { mobility[(2, 2)] } else { mobility.trace() / 3.0 };
    let push = link.own_block(masses).trace() / D as f64;
    if turn > 0.0 && push > 0.0 { (push / turn).sqrt() } else { 1.0 }
}
