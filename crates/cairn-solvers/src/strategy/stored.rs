//! Contacts among deformable bodies: which method, and when.
//!
//! Sweeps come first: matrix-free over the velocities of rigid masses, with the stored response of deformable bodies beside them
//! ([`crate::boundary`]); over the stored W where no mass responds. When [`PATIENCE`] of them are not enough the portfolio's `auto` goes
//! on from there on the whole W, which is formed for it; what it returns is kept if the residual of `residual.rs`, evaluated here apart
//! from it, is better. Where most contacts are rigid and there are many of them W is never formed, and sweeps go on. A method asked for
//! by name does all the work.
//!
//! The portfolio knows Signorini–Coulomb alone. What a joint pulls goes into its free velocity, W a, and how it gives
//! way on to its diagonal, W + C; joints that spring or hold have a Newton of their own (`solver/joined.rs`), with
//! sweeps where it gets caught. In collections of rigid bodies, where joints hold or break, they are clamped instead.

use crate::boundary::Boundary;
use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::matrix_free::MatrixFree;
use crate::nlgs::{self, rho};
use crate::problem::{Link, Mass, Mat, Vect};
use crate::report::{Bounds, Method, Report, Settings};
use crate::residual;
use crate::rolling::Roll;
use crate::solver::Solver;
use crate::solver::joined::{Joined, Kind, put};
use std::borrow::Cow;
use std::cell::OnceCell;

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

/// Contacts from which on W is formed only if a good part of them is on deformable bodies: one in [`SHARE`].
const MANY: usize = 1500;
const SHARE: usize = 4;

/// One W, for problems that differ in their laws.
pub struct StoredStrategy<'a, const D: usize> {
    /// With their free velocities.
    masses: &'a [Mass<D>],
    boundary: &'a Boundary<D>,
    /// B is W: no mass responds, and every contact is on a deformable body.
    is_whole: bool,
    /// W, once it was needed.
    whole: OnceCell<Cow<'a, Stored<D>>>,
    /// Kept from one problem to the next.
    joined: Option<Joined<D>>,
}

impl<'a, const D: usize> StoredStrategy<'a, D> {
    /// Contacts `links` of masses with their free velocities and of deformable bodies.
    pub fn new(masses: &'a [Mass<D>], boundary: &'a Boundary<D>, links: &[Link<D>]) -> Self {
        let is_whole = boundary.is_whole(masses, links);
        Self { masses, boundary, is_whole, whole: OnceCell::new(), joined: None }
    }

    /// W with U_free.
    fn w(&self, links: &[Link<D>]) -> &Stored<D> {
        let form = || match self.is_whole {
            true => Cow::Borrowed(self.boundary.response()),
            false => Cow::Owned(self.boundary.whole(self.masses, links)),
        };
        self.whole.get_or_init(form)
    }

    /// Solves in place: impulses in `links` are the start, impulses and velocities the solution; `masses` leave with their velocities.
    pub fn solve(
        &mut self,
        matrix_free: &mut MatrixFree<D>,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        settings: &Settings,
    ) -> Report {
        match settings.method {
            // Moments beside deformable bodies are known to sweeps alone.
            _ if !rolls.is_empty() => self.sweep(matrix_free, masses, links, rolls, settings),
            Method::Nlgs => self.sweep(matrix_free, masses, links, rolls, settings),
            Method::Stored(solver) => {
                self.by(solver, matrix_free, masses, links, settings, self.begun(links, settings))
            }
            Method::Auto if self.is_stiff(links) => {
                self.by(Solver::Auto, matrix_free, masses, links, settings, self.begun(links, settings))
            }
            Method::Auto if !self.forms_w(links) => self.sweep(matrix_free, masses, links, rolls, settings),
            Method::Auto => {
                let most = settings.max_sweeps.min(PATIENCE);
                let first = self.sweep(matrix_free, masses, links, rolls, &Settings { max_sweeps: most, ..*settings });
                let ended = first.converged || first.not_finite || settings.watch.is_stopped();
                if ended || settings.max_sweeps <= PATIENCE {
                    return first;
                }
                // Impulses are not unique everywhere: those that sweeps come to tell how strong they have to be.
                let bounds = Bounds { driven: STRONGER * first.strength, ..first.bounds };
                let first = Report { bounds, ..first };
                let swept: Vec<(Vect<D>, Vect<D>)> = links.iter().map(|l| (l.impulse, l.velocity)).collect();
                let left = Settings { max_sweeps: settings.max_sweeps - most, ..*settings };
                let report = self.by(Solver::Auto, matrix_free, masses, links, &left, first);
                if report.residual < first.residual {
                    return report;
                }
                links.iter_mut().zip(swept).for_each(|(l, (r, u))| (l.impulse, l.velocity) = (r, u));
                self.push(masses, links);
                Report { sweeps: report.sweeps, relaxations: report.relaxations, ..first }
            }
        }
    }

    /// Does it pay to form W where sweeps take long?
    fn forms_w(&self, links: &[Link<D>]) -> bool {
        links.len() < MANY || SHARE * self.boundary.links().len() >= links.len()
    }

    fn sweep(
        &self,
        matrix_free: &mut MatrixFree<D>,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        settings: &Settings,
    ) -> Report {
        masses.copy_from_slice(self.masses);
        if self.is_whole {
            return nlgs::solve(self.boundary.response(), links, settings);
        }
        matrix_free.solve_with(masses, links, rolls, self.boundary, settings)
    }

    /// Masses with the impulses in `links`.
    fn push(&self, masses: &mut [Mass<D>], links: &[Link<D>]) {
        masses.copy_from_slice(self.masses);
        links.iter().for_each(|link| link.push(masses, &link.impulse));
    }

    /// The impulses in `links`, if they solve the problem as they are; velocities there and of `masses` are brought up to date.
    pub fn stands(&self, masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Option<Report> {
        self.push(masses, links);
        links.iter_mut().for_each(|link| link.velocity = link.relative_velocity(masses));
        self.boundary.add_velocities(links);
        let mut report = self.begun(links, settings);
        residual::assess(links, &self.rhos(links), settings.tolerance, &mut report);
        report.converged.then_some(report)
    }

    /// The own block of each contact.
    fn own_blocks(&self, links: &[Link<D>]) -> Vec<Mat<D>> {
        let mut blocks: Vec<Mat<D>> = links.iter().map(|link| link.own_block(self.masses)).collect();
        for (k, &link) in self.boundary.links().iter().enumerate() {
            blocks[link as usize] += self.boundary.response().block(k);
        }
        blocks
    }

    /// ρ of each contact, its joint answering.
    fn rhos(&self, links: &[Link<D>]) -> Vec<f64> {
        let blocks = self.own_blocks(links);
        links.iter().zip(&blocks).map(|(l, w)| rho(l.form.joint.block(w).trace(), D)).collect()
    }

    /// Is there a spring much stiffer than what it joins? Sweeps would take a number of the order of the ratio.
    fn is_stiff(&self, links: &[Link<D>]) -> bool {
        let stiff = |(a, link): (usize, &Link<D>)| {
            let [normal, tangential] = link.form.joint.stiffness;
            !link.form.joint.bilateral && normal.max(tangential) > STIFF * rho(self.w(links).block(a).trace(), D)
        };
        has_springs(links) && links.iter().enumerate().any(stiff)
    }

    /// The report of a problem on which nothing has been done yet.
    fn begun(&self, links: &[Link<D>], settings: &Settings) -> Report {
        let mut free: Vec<Vect<D>> = links.iter().map(|link| link.relative_velocity(self.masses)).collect();
        for (q, &link) in self.boundary.response().free().iter().zip(self.boundary.links()) {
            free[link as usize] += q;
        }
        let drive = residual::drive(free.into_iter(), &self.rhos(links), links);
        Report { bounds: Bounds { drive, most: settings.most_scale(), ..Bounds::default() }, ..Report::default() }
    }

    /// By one solver of the portfolio; counts are added to those of `before`. With springs, by Newton with sweeps
    /// between.
    fn by(
        &mut self,
        solver: Solver,
        matrix_free: &mut MatrixFree<D>,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        settings: &Settings,
        before: Report,
    ) -> Report {
        if !has_springs(links) {
            let report = plain(solver, self.w(links), links, settings, before);
            self.push(masses, links);
            return report;
        }
        let mut joined = self.joined.take().or_else(|| Joined::new(self.w(links)));
        let report = match &mut joined {
            Some(joined) => with_springs(joined, self.w(links), links, settings, before),
            None => before.followed_by(self.sweep(matrix_free, masses, links, &mut [], settings)),
        };
        self.joined = joined;
        self.push(masses, links);
        report
    }
}

fn has_springs<const D: usize>(links: &[Link<D>]) -> bool {
    links.iter().any(|l| l.form.joint.bilateral || l.form.joint.stiffness != [0.0; 2])
}

/// Rigid masses alone, whose W is formed where it is needed; velocities of the masses are brought up to date.
pub fn solve_masses<const D: usize>(masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
    let (free, boundary) = (masses.to_vec(), Boundary::default());
    StoredStrategy::new(&free, &boundary, links).solve(&mut MatrixFree::new(), masses, links, &mut [], settings)
}

/// Part of a bound on the error that is asked for: impulses may become stronger than those of the start by its inverse.
const AS_STRONG: f64 = 0.5;

/// By one solver of the portfolio, no joint having a spring; counts are added to those of `before`.
///
/// A joint that is held is clamped: with a = −P n, P large beside all impulses, R̃ = R + P n lies inside the cone of
/// μ = 1, where all sticks, whatever R is.
fn plain<const D: usize>(
    solver: Solver,
    w: &Stored<D>,
    links: &mut [Link<D>],
    settings: &Settings,
    before: Report,
) -> Report {
    let clamp = CLAMP * links.iter().map(|l| l.impulse.norm()).fold(0.0, f64::max);
    let clamped = Vect::from_fn(|i, _| if i == 0 { -clamp } else { 0.0 });
    let pull = |l: &Link<D>| if l.form.joint.bilateral { clamped } else { l.form.joint.pull };
    let friction = |l: &Link<D>| if l.form.joint.bilateral { 1.0 } else { l.form.friction };
    // In the problem as the portfolio states it the bias is part of the free velocity.
    let mut problem = Problem { w: w.clone(), friction: links.iter().map(friction).collect(), arms: vec![] };
    let pulls: Vec<Vect<D>> = links.iter().map(pull).collect();
    for (a, link) in links.iter().enumerate() {
        // A clamp is not part of what a held joint gives way to.
        let joint = &link.form.joint;
        let clamp = if joint.bilateral { joint.yielding(&pulls[a]) } else { Vect::zeros() };
        problem.w.free_mut()[a] = link.form.bias + w.velocity(a, &pulls) + clamp;
        link.form.joint.add_compliance(problem.w.own_mut(a));
    }
    let mut impulses: Vec<Vect<D>> = links.iter().zip(&pulls).map(|(l, a)| l.impulse - a).collect();
    // Its residual is relative to R̃, which pulls make larger than R.
    let rho = rhos(w, links);
    let stronger = strength(&rho, impulses.iter());
    let larger = stronger / strength(&rho, links.iter().map(|l| &l.impulse));
    let tolerance = if larger > 1.0 && larger.is_finite() { settings.tolerance / larger } else { settings.tolerance };
    // Nor does it know a bound on the error itself.
    let bound = AS_STRONG * settings.most_scale() / stronger;
    let tolerance = if bound < 1.0 { tolerance * bound } else { tolerance };
    let asked = Settings { tolerance, max_sweeps: settings.max_sweeps.max(1), ..*settings };
    let (done, _) = solver.solve(&problem, &mut impulses, &asked);
    impulses.iter_mut().zip(&pulls).for_each(|(r, a)| *r += a);
    put(w, links, &impulses);
    let mut report = assessed(w, links, settings, before, &done);
    // It does not trust its own answer, though the residual is small: impulses are stronger than they have to be.
    report.converged &= done.converged || done.residual > asked.tolerance;
    report
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
            if report.converged || report.not_finite || settings.watch.is_stopped() {
                return report;
            }
        }
        let most = ((PATIENCE / 4) << round).min(settings.max_sweeps.saturating_sub(report.sweeps));
        if most == 0 {
            break;
        }
        report = report.followed_by(nlgs::solve(w, links, &Settings { max_sweeps: most, ..*settings }));
        if report.converged || report.not_finite {
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
        let made = joined.step(w, rho, links, kind, settings.watch);
        report.sweeps += 1;
        report.relaxations += links.len();
        residual::assess(links, rho, settings.tolerance, report);
        if report.residual < best.0 {
            *best = (report.residual, links.iter().map(|l| l.impulse).collect());
        }
        settings.watch.tell(report.residual);
        if report.converged || report.not_finite || !made || settings.watch.beat() {
            break;
        }
    }
    report.seconds_sweeping += clock.seconds();
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
    done: &Report,
) -> Report {
    let mut report = Report {
        sweeps: before.sweeps + done.sweeps,
        relaxations: before.relaxations + done.relaxations,
        seconds_sweeping: before.seconds_sweeping + done.seconds_sweeping,
        painleve: done.painleve,
        unresponsive: done.unresponsive,
        ..before
    };
    residual::assess(links, &rhos(w, links), settings.tolerance, &mut report);
    report
}
