//! Non-linear block Gauss–Seidel on a stored W.
//!
//! Each contact in turn is solved exactly with the others frozen at their latest values:
//! U_loc = U − W_αα R_α, R_α ← local solution.
//!
//! The residual costs as much as a sweep. It is evaluated after the first, and then only when the largest change of an impulse,
//! ‖ΔR‖/ρ, has become so small that it may pass.

use crate::clock::Clock;
use crate::delassus::Delassus;
use crate::local::reduced::Reduced;
use crate::problem::{Link, Vect};
use crate::report::{Order, Report, Settings};
use crate::residual;

/// Changes of this many tolerances make the residual worth its evaluation.
const NEAR: f64 = 2.0;
/// The residual is evaluated at least every so many sweeps: its scale changes with the impulses.
const PATIENCE: usize = 50;

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution. The order `Coloured`
/// means as listed here.
pub fn solve<const D: usize>(w: &impl Delassus<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    let contacts = w.contacts();
    let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
    let rho: Vec<f64> = (0..contacts).map(|a| rho(w.block(a).trace(), D)).collect();
    let locals: Vec<Local<D>> = links.iter().enumerate().map(|(a, link)| Local::new(w, a, link, rho[a])).collect();
    let mut report = Report::default();
    for (a, local) in locals.iter().enumerate().filter(|(_, local)| local.reduced.painleve) {
        report.painleve += usize::from(local.reduced.normal > 0.0);
        report.first_painleve = report.first_painleve.or(Some(a));
    }
    let env = |name: &str, default: usize| std::env::var(name).ok().and_then(|x| x.parse().ok()).unwrap_or(default);
    let (use_momentum, passes, skip) = (env("W_MOM", 1) == 1, env("W_PASS", 1), env("W_SKIP", 1));
    let faces = faces(links);
    let mut last = impulses.clone();
    let mut momentum = Momentum::default();
    let mut ratio = 1.0;
    loop {
        let clock = Clock::start();
        // Sweeps until the residual is worth a look.
        let relative = loop {
            let seen = sweep(w, &faces, passes, report.sweeps % skip != 0, &locals, &mut impulses);
            report.sweeps += 1;
            report.relaxations += seen.count;
            let relative = if seen.change == 0.0 { 0.0 } else { seen.change.sqrt() / report.scale };
            let is_last = report.sweeps >= settings.max_sweeps.max(1);
            if is_last || report.sweeps == 1 || !(relative * ratio > settings.tolerance) {
                break relative;
            }
            if use_momentum {
                momentum.carry_on(seen.work, &mut impulses, &mut last);
            }
        };
        report.seconds_sweeping += clock.seconds();
        for (a, link) in links.iter_mut().enumerate() {
            link.impulse = impulses[a];
            link.velocity = w.velocity(a, &impulses);
        }
        residual::assess(links, &rho, settings.tolerance, &mut report);
        if std::env::var("W_TRACE").is_ok() { eprintln!("{} rel {relative:.2e} res {:.2e} worst {:?}", report.sweeps, report.residual, report.worst); }
        if report.converged || report.broken || report.sweeps >= settings.max_sweeps.max(1) {
            return report;
        }
        if relative > 0.0 && relative.is_finite() && report.sweeps > 1 {
            ratio = (report.residual / relative).max(0.1);
        }
        momentum = Momentum::default();
        last.copy_from_slice(&impulses);
    }
}

/// Nesterov's extrapolation, as in the exchange of rigid bodies.
struct Momentum {
    t: f64,
    last_work: f64,
}

impl Default for Momentum {
    fn default() -> Self {
        Self { t: 1.0, last_work: f64::INFINITY }
    }
}

impl Momentum {
    fn carry_on<const D: usize>(&mut self, work: f64, impulses: &mut [Vect<D>], last: &mut [Vect<D>]) {
        if work > self.last_work {
            self.t = 1.0;
        }
        self.last_work = work;
        let next = 0.5 + (0.25 + self.t * self.t).sqrt();
        let beta = (self.t - 1.0) / next;
        self.t = next;
        for (x, last) in impulses.iter_mut().zip(last) {
            let here = *x;
            *x = here + (here - *last) * beta;
            *last = here;
        }
    }
}

/// Runs of contacts that were found between the same two sides: points of a face.
fn faces<const D: usize>(links: &[Link<D>]) -> Vec<(u32, u32)> {
    let mut faces = Vec::new();
    let mut start = 0;
    for a in 1..=links.len() {
        if a == links.len() || a - start >= 4 {
            faces.push((start as u32, a as u32));
            start = a;
        }
    }
    faces
}

/// What a relaxation needs beside W.
struct Local<const D: usize> {
    reduced: Reduced<D>,
    bias: Vect<D>,
    /// 1/ρ², 0 where nothing responds.
    weight: f64,
}

impl<const D: usize> Local<D> {
    fn new(w: &impl Delassus<D>, a: usize, link: &Link<D>, rho: f64) -> Self {
        let weight = if rho > 0.0 { 1.0 / (rho * rho) } else { 0.0 };
        Self { reduced: Reduced::new(w.block(a), link.form.friction), bias: link.form.bias, weight }
    }
}

struct Seen {
    change: f64,
    work: f64,
    count: usize,
}

fn sweep<const D: usize>(
    w: &impl Delassus<D>,
    faces: &[(u32, u32)],
    passes: usize,
    active_only: bool,
    locals: &[Local<D>],
    impulses: &mut [Vect<D>],
) -> Seen {
    let mut seen = Seen { change: 0.0, work: 0.0, count: 0 };
    for &(from, to) in faces {
        for pass in 0..passes {
            for a in from as usize..to as usize {
                if active_only && impulses[a][0] == 0.0 {
                    continue;
                }
                seen.count += 1;
                let local = &locals[a];
                let new = local.reduced.solve(&(w.others(a, impulses) + local.bias));
                if pass == 0 {
                    let change = (new - impulses[a]).norm_squared() * local.weight;
                    // Written so that a number that is none stays.
                    if !(change <= seen.change) {
                        seen.change = change;
                    }
                    seen.work += change;
                }
                impulses[a] = new;
            }
        }
    }
    seen
}

/// ρ = D/tr W, or 0 where nothing responds.
pub(crate) fn rho(trace: f64, dimension: usize) -> f64 {
    if trace > 0.0 { dimension as f64 / trace } else { 0.0 }
}
