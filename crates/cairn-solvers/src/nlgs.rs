//! Non-linear block Gauss–Seidel on a stored W.
//!
//! Each contact in turn is solved exactly with the others frozen at their latest values:
//! U_loc = U − W_αα R_α, R_α ← local solution.
//!
//! Contacts with the same neighbours, one after the other in the list, are the points of one manifold, a face on a face. What all others do to
//! them is summed up once, and then they are relaxed several times in turn: a second pass costs little, its blocks are at hand.
//!
//! From sweep to sweep the impulses are extrapolated ([`crate::anderson`]).
//!
//! The residual costs more than a sweep. It is evaluated after the first, and then only when the largest change of an impulse,
//! ‖ΔR‖/ρ, has become so small that it may pass; how the two are related is learnt on the way.

use crate::anderson::Anderson;
use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::joint::Jointed;
use crate::local::reduced::Reduced;
use crate::problem::{Link, Vect};
use crate::report::{Order, Report, Settings};
use crate::residual;
use crate::row;

/// The residual is never taken for smaller than this part of the largest change.
const LEAST_RATIO: f64 = 0.1;

/// Most points of a manifold that are relaxed together.
const MOST_POINTS: usize = 8;

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution. The order `Coloured`
/// means as listed here; `Symmetric` goes without momentum, which sweeps of two kinds in turn would only confuse.
pub fn solve<const D: usize>(w: &Stored<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
    let rho: Vec<f64> = links.iter().enumerate().map(|(a, l)| rho(l.form.joint.block(w.block(a)).trace(), D)).collect();
    let locals: Vec<Local<D>> = links.iter().enumerate().map(|(a, link)| Local::new(w, a, link, rho[a])).collect();
    let mut report = Report::default();
    for (a, _) in locals.iter().enumerate().filter(|(_, local)| local.contact.painleve()) {
        report.painleve += 1;
        report.first_painleve = report.first_painleve.or(Some(a));
    }
    let has_momentum = settings.momentum && settings.order != Order::Symmetric;
    let manifolds = manifolds(w);
    let passes = settings.passes.max(1);
    let mut before = impulses.clone();
    let mut anderson = Anderson::new(rho.iter().map(|&rho| if rho > 0.0 { 1.0 / rho } else { 0.0 }).collect());
    let mut ratio = 1.0;
    loop {
        let clock = Clock::start();
        let backward = match settings.order {
            Order::Coloured | Order::Listed => false,
            Order::Reversed => true,
            Order::Symmetric => report.sweeps % 2 == 1,
        };
        before.clone_from(&impulses);
        let seen = sweep(w, &manifolds, (backward, passes), &locals, &mut impulses);
        report.sweeps += 1;
        report.relaxations += seen.relaxations;
        report.seconds_sweeping += clock.seconds();
        let relative = if seen.change == 0.0 { 0.0 } else { seen.change.sqrt() / report.scale };
        let is_last = report.sweeps >= settings.max_sweeps.max(1);
        let far = relative * ratio > settings.tolerance; // Not so either if it is not a number.
        if is_last || report.sweeps == 1 || !far {
            for (a, link) in links.iter_mut().enumerate() {
                link.impulse = impulses[a];
                link.velocity = w.velocity(a, &impulses);
            }
            residual::assess(links, &rho, settings.tolerance, &mut report);
            if report.converged || report.broken || is_last {
                return report;
            }
            if report.sweeps > 1 && relative > 0.0 {
                ratio = (report.residual / relative).max(LEAST_RATIO);
            }
        }
        if has_momentum {
            let clock = Clock::start();
            anderson.extrapolate(&before, &mut impulses);
            report.seconds_sweeping += clock.seconds();
        }
    }
}

/// Contacts from `from` to below `to` with the same neighbours; in the row of each, those of its manifold stand from `place` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manifold {
    from: usize,
    to: usize,
    place: usize,
}

/// The manifolds, in the order of the contacts.
fn manifolds<const D: usize>(w: &Stored<D>) -> Vec<Manifold> {
    let mut manifolds: Vec<Manifold> = Vec::new();
    for a in 0..w.contacts() {
        match manifolds.last_mut() {
            Some(manifold) if a - manifold.from < MOST_POINTS && w.have_same_neighbours(a - 1, a) => {
                manifold.to = a + 1
            }
            _ => {
                let place = w.columns_of(a).partition_point(|&b| (b as usize) < a);
                manifolds.push(Manifold { from: a, to: a + 1, place });
            }
        }
    }
    manifolds
}

/// What a relaxation needs beside W.
struct Local<const D: usize> {
    contact: Kind<D>,
    bias: Vect<D>,
    /// 1/ρ², 0 where nothing responds.
    weight: f64,
}

impl<const D: usize> Local<D> {
    fn new(w: &Stored<D>, a: usize, link: &Link<D>, rho: f64) -> Self {
        let weight = if rho > 0.0 { 1.0 / (rho * rho) } else { 0.0 };
        let contact = if link.form.joint.is_some() {
            Kind::Jointed(Box::new(Jointed::new(w.block(a), &link.form)))
        } else {
            Kind::Plain(Reduced::new(w.block(a), link.form.friction))
        };
        Self { contact, bias: link.form.bias, weight }
    }
}

/// Signorini–Coulomb alone, or with a joint.
enum Kind<const D: usize> {
    Plain(Reduced<D>),
    Jointed(Box<Jointed<D>>),
}

impl<const D: usize> Kind<D> {
    fn painleve(&self) -> bool {
        match self {
            Self::Plain(reduced) => reduced.painleve,
            Self::Jointed(jointed) => jointed.reduced.painleve,
        }
    }
}

/// What a sweep did: largest ‖ΔR‖²/ρ², not a number if one appeared that is none; relaxations made.
struct Seen {
    change: f64,
    relaxations: usize,
}

fn sweep<const D: usize>(
    w: &Stored<D>,
    manifolds: &[Manifold],
    way: (bool, usize),
    locals: &[Local<D>],
    impulses: &mut [Vect<D>],
) -> Seen {
    // SAFETY: the processor was asked.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if row::is_wide() {
            return wide_sweep(w, manifolds, way, locals, impulses);
        }
        any_sweep::<D, false>(w, manifolds, way, locals, impulses)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn wide_sweep<const D: usize>(
    w: &Stored<D>,
    manifolds: &[Manifold],
    way: (bool, usize),
    locals: &[Local<D>],
    impulses: &mut [Vect<D>],
) -> Seen {
    // SAFETY: as the caller promises.
    unsafe { any_sweep::<D, true>(w, manifolds, way, locals, impulses) }
}

/// # Safety
/// `WIDE` only where the processor has the vector registers.
#[inline(always)]
unsafe fn any_sweep<const D: usize, const WIDE: bool>(
    w: &Stored<D>,
    manifolds: &[Manifold],
    (backward, passes): (bool, usize),
    locals: &[Local<D>],
    impulses: &mut [Vect<D>],
) -> Seen {
    let mut seen = Seen { change: 0.0, relaxations: 0 };
    let mut relax = |a: usize, velocity: &Vect<D>, impulses: &mut [Vect<D>]| {
        let local = &locals[a];
        let new = match &local.contact {
            Kind::Plain(reduced) => reduced.solve(&(velocity + local.bias)),
            Kind::Jointed(jointed) => jointed.relax(&(velocity + local.bias), &impulses[a]),
        };
        let change = (new - impulses[a]).norm_squared() * local.weight;
        seen.change = if change <= seen.change { seen.change } else { change };
        seen.relaxations += 1;
        impulses[a] = new;
    };
    for step in 0..manifolds.len() {
        let Manifold { from, to, place } = manifolds[if backward { manifolds.len() - 1 - step } else { step }];
        if to - from == 1 {
            // SAFETY: as the caller promises.
            let others = unsafe { w.others_by::<WIDE>(from, impulses) };
            relax(from, &others, impulses);
            continue;
        }
        let own = place..place + (to - from - 1);
        let mut outside = [Vect::<D>::zeros(); MOST_POINTS];
        for a in from..to {
            // SAFETY: as the caller promises.
            outside[a - from] = unsafe { w.others_but_by::<WIDE>(a, own.clone(), impulses) };
        }
        for _ in 0..passes {
            for step in from..to {
                let a = if backward { from + to - 1 - step } else { step };
                // SAFETY: as the caller promises.
                let inside = unsafe { w.some_by::<WIDE>(a, own.clone(), impulses) };
                relax(a, &(outside[a - from] + inside), impulses);
            }
        }
    }
    seen
}

/// ρ = D/tr W, or 0 where nothing responds.
pub(crate) fn rho(trace: f64, dimension: usize) -> f64 {
    if trace > 0.0 { dimension as f64 / trace } else { 0.0 }
}
