//! Non-linear block Gauss–Seidel on a stored W.
//!
//! Each contact in turn is solved exactly with the others frozen at their latest values:
//! U_loc = U − W_αα R_α, R_α ← local solution.
//!
//! Sweeps carry momentum (Nesterov), as in [`crate::matrix_free`]: x_{k+1} = S(y_k), y_{k+1} = x_{k+1} + β_k (x_{k+1} − x_k); the memory
//! is dropped when a sweep has to change more than the one before.
//!
//! Contacts that carry nothing are passed over but in one sweep of [`OPEN`]: most of them stay open.
//!
//! Sweeps read W in single precision ([`crate::swept`]), except where joints spring or hold: stiff ones would multiply its
//! round-off.
//!
//! Where W is large it is swept in two halves that nothing couples, by two threads if there are, then what lies between them
//! ([`crate::swept::Halves`]): the same bits for any number of threads.
//!
//! The residual costs more than a sweep. It is evaluated after the first, and then only when the largest change of an impulse,
//! ‖ΔR‖/ρ, has become so small that it may pass; how the two are related is learnt on the way.

use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::joint::Jointed;
use crate::local::reduced::{self, Reduced};
use crate::problem::{Link, Mat, Vect};
use crate::report::{Bounds, Order, Report, Settings};
use crate::residual;
use crate::swept::{self, Changes, Halves, Swept};
use cairn_sparse::wide;
use rayon::prelude::*;

/// The residual is never taken for smaller than this part of the largest change.
const LEAST_RATIO: f64 = 0.1;

/// The velocities are made exact again when a sweep changes less than this part of what one has changed since the last time, and
/// after so many sweeps at the latest: impulses may wander far where many of them move nothing.
const REBASE: f64 = 1e-3;
const LATEST: usize = 64;

/// Contacts that a thread evaluates at a time.
const CHUNK: usize = 64;

/// Contacts without impulse are relaxed once in so many sweeps. (In the plane to look at one costs no more than to pass it over.)
pub(crate) const OPEN: usize = 8;

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution. The order `Coloured`
/// means as listed here; `Symmetric` goes without momentum, which sweeps of two kinds in turn would only confuse.
pub fn solve<const D: usize>(w: &Stored<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
    let rho: Vec<f64> = links.iter().enumerate().map(|(a, l)| rho(l.form.joint.block(w.block(a)).trace(), D)).collect();
    let locals = Locals::new((0..links.len()).map(|a| w.block(a)).zip(links.iter()).zip(&rho));
    let drive = residual::drive(w.free().iter().copied(), &rho, links);
    let bounds = Bounds { drive, most: settings.most_scale(), ..Bounds::default() };
    let mut report = Report { bounds, ..Report::default() };
    for a in locals.painleve() {
        report.painleve += 1;
        report.first_painleve = report.first_painleve.or(Some(a));
    }
    let has_momentum = settings.momentum && settings.order != Order::Symmetric;
    let mut momentum = Momentum { last: impulses.clone(), t: 1.0, last_work: f64::INFINITY };
    let is_stiff = links.iter().any(|l| l.form.joint.bilateral || l.form.joint.stiffness != [0.0; 2]);
    let mut swept = (!is_stiff).then(|| Swept::new(w));
    let halves = swept.as_ref().and_then(Swept::halves);
    evaluate(w, links, &mut swept, halves.is_some(), &impulses);
    residual::assess(links, &rho, settings.tolerance, &mut report);
    let (mut ratio, mut largest, mut latest) = (1.0, 0.0f64, LATEST);
    loop {
        let clock = Clock::start();
        let backward = match settings.order {
            Order::Coloured | Order::Listed => false,
            Order::Reversed => true,
            Order::Symmetric => report.sweeps % 2 == 1,
        };
        let way = Way { backward, all: D == 2 || report.sweeps.is_multiple_of(OPEN) };
        let changed = match &mut swept {
            Some(swept) => sweep(swept, halves.as_ref(), way, &locals, &mut impulses),
            None => precise_sweep(w, links, way, &locals, &mut impulses),
        };
        report.sweeps += 1;
        report.relaxations += changed.relaxed;
        report.seconds_sweeping += clock.seconds();
        largest = largest.max(changed.change);
        let relative = if changed.change == 0.0 { 0.0 } else { changed.change.sqrt() / report.scale };
        let is_last = settings.watch.beat() || report.sweeps >= settings.max_sweeps.max(1);
        let far = relative * ratio > settings.tolerance && relative.is_finite(); // Not so either while there is no scale.
        if is_last || !far || report.sweeps >= latest || changed.change < REBASE * REBASE * largest {
            evaluate(w, links, &mut swept, halves.is_some(), &impulses);
            residual::assess(links, &rho, settings.tolerance, &mut report);
            settings.watch.tell(report.residual);
            (largest, latest) = (0.0, report.sweeps + LATEST);
            if report.converged || report.not_finite || is_last {
                return report;
            }
            if relative > 0.0 && relative.is_finite() {
                ratio = (report.residual / relative).max(LEAST_RATIO);
            }
        }
        if has_momentum {
            momentum.carry_on(changed.work, &mut impulses);
            if let Some(swept) = &mut swept {
                impulses.iter().enumerate().for_each(|(a, impulse)| swept.set(a, impulse));
            }
        }
    }
}

/// Impulses and velocities of the links, in double precision; the sweeps go on from them.
fn evaluate<const D: usize>(
    w: &Stored<D>,
    links: &mut [Link<D>],
    swept: &mut Option<Swept<D>>,
    is_shared: bool,
    impulses: &[Vect<D>],
) {
    let mut unused = Vec::new();
    let exact = match swept {
        Some(swept) => swept.rebase(impulses),
        None => {
            unused.resize(links.len(), Vect::zeros());
            unused.as_mut_slice()
        }
    };
    let some = |first: usize, links: &mut [Link<D>], exact: &mut [Vect<D>]| {
        wide(
            #[inline(always)]
            || {
                for (a, (link, exact)) in (first..).zip(links.iter_mut().zip(exact)) {
                    let others = w.others(a, impulses);
                    link.impulse = impulses[a];
                    link.velocity = others + w.block(a) * impulses[a];
                    *exact = others + link.form.bias;
                }
            },
        );
    };
    if !is_shared || rayon::current_num_threads() == 1 {
        return some(0, links, exact);
    }
    let chunks = links.par_chunks_mut(CHUNK).zip(exact.par_chunks_mut(CHUNK)).enumerate();
    chunks.for_each(|(k, (links, exact))| some(k * CHUNK, links, exact));
}

/// Impulses after the last sweep, and t of Nesterov's rule.
struct Momentum<const D: usize> {
    last: Vec<Vect<D>>,
    t: f64,
    last_work: f64,
}

impl<const D: usize> Momentum<D> {
    /// Impulses x → y after a sweep that changed them by `work` = Σ‖ΔR‖²/ρ².
    fn carry_on(&mut self, work: f64, impulses: &mut [Vect<D>]) {
        if work > self.last_work {
            self.t = 1.0;
        }
        self.last_work = work;
        let next = 0.5 + (0.25 + self.t * self.t).sqrt();
        let beta = (self.t - 1.0) / next;
        self.t = next;
        for (x, last) in impulses.iter_mut().zip(&mut self.last) {
            let here = *x;
            *x = here + (here - *last) * beta;
            *last = here;
        }
    }
}

/// What relaxations need beside W. What most of them need is kept apart, in little memory: a sweep waits for it.
#[derive(Default)]
pub(crate) struct Locals<const D: usize> {
    quick: Vec<Quick<D>>,
    whole: Vec<Kind<D>>,
}

/// A contact while it is open or sticks.
struct Quick<const D: usize> {
    /// −W⁻¹, where that is enough to know.
    stick: Option<Mat<D>>,
    friction: f64,
    /// 1/ρ², 0 where nothing responds.
    weight: f64,
}

/// Signorini–Coulomb alone, or with a joint.
enum Kind<const D: usize> {
    Plain(Reduced<D>),
    Jointed(Box<Jointed<D>>),
}

impl<const D: usize> Kind<D> {
    /// The new impulse, from U_loc with the bias.
    #[inline(always)]
    fn solve(&self, slips: bool, others: &Vect<D>, impulse: &Vect<D>, r: &mut Vect<D>) {
        *r = match self {
            Self::Plain(reduced) if slips => reduced.solve_slipping(others, impulse),
            Self::Plain(reduced) => reduced.solve(others, impulse),
            Self::Jointed(jointed) => jointed.relax(others, impulse),
        };
    }
}

impl<const D: usize> Locals<D> {
    /// From the own block, the link and ρ of each contact.
    pub fn new<'a>(contacts: impl Iterator<Item = ((&'a Mat<D>, &'a Link<D>), &'a f64)>) -> Self {
        let mut locals = Self::default();
        for ((block, link), &rho) in contacts {
            let weight = if rho > 0.0 { 1.0 / (rho * rho) } else { 0.0 };
            let mut quick = Quick { stick: None, friction: link.form.friction, weight };
            locals.whole.push(if link.form.joint.is_some() {
                Kind::Jointed(Box::new(Jointed::new(block, &link.form)))
            } else {
                let reduced = Reduced::new(block, link.form.friction);
                quick.stick = reduced.stick;
                Kind::Plain(reduced)
            });
            locals.quick.push(quick);
        }
        locals
    }

    /// The new impulse of a contact, from U_loc with the bias.
    #[inline(always)]
    pub fn relax(&self, a: usize, others: &Vect<D>, impulse: &Vect<D>) -> Vect<D> {
        let quick = &self.quick[a];
        if let Some(stick) = &quick.stick
            && let Some(r) = reduced::open_or_sticks(stick, quick.friction, others)
        {
            return r;
        }
        let mut r = Vect::zeros();
        self.whole[a].solve(quick.stick.is_some(), others, impulse, &mut r);
        // Number by number, so that a contact that sticks stays in registers.
        Vect::from_fn(|i, _| r[i])
    }

    /// 1/ρ² of a contact, 0 where nothing responds.
    #[inline(always)]
    pub fn weight(&self, a: usize) -> f64 {
        self.quick[a].weight
    }

    /// Contacts without a unique solution.
    pub fn painleve(&self) -> impl Iterator<Item = usize> {
        let is_one = |kind: &Kind<D>| match kind {
            Kind::Plain(reduced) => reduced.painleve,
            Kind::Jointed(jointed) => jointed.reduced.painleve,
        };
        self.whole.iter().enumerate().filter(move |(_, kind)| is_one(kind)).map(|(a, _)| a)
    }
}

/// How to sweep: from the last contact of a part to its first, and over all of them.
#[derive(Clone, Copy)]
struct Way {
    backward: bool,
    all: bool,
}

impl Way {
    /// The place of this step among `count`.
    #[inline(always)]
    fn place(self, step: usize, count: usize) -> usize {
        if self.backward { count - 1 - step } else { step }
    }

    /// Is a contact of this impulse relaxed?
    #[inline(always)]
    fn takes<const D: usize>(self, impulse: &Vect<D>) -> bool {
        self.all || *impulse != Vect::<D>::zeros()
    }
}

/// What a sweep changed: largest and sum of ‖ΔR‖²/ρ², not a number if one appeared that is none; contacts relaxed.
#[derive(Default)]
struct Changed {
    change: f64,
    work: f64,
    relaxed: usize,
}

impl Changed {
    #[inline(always)]
    fn note(&mut self, change: f64) {
        self.change = if change <= self.change { self.change } else { change };
        self.work += change;
        self.relaxed += 1;
    }

    /// With what another part of the sweep changed.
    fn followed_by(self, other: Self) -> Self {
        let is_more = other.change > self.change || other.change.is_nan();
        let change = if is_more { other.change } else { self.change };
        Self { change, work: self.work + other.work, relaxed: self.relaxed + other.relaxed }
    }
}

/// Sweeps all contacts as they are listed, or half by half.
fn sweep<const D: usize>(
    w: &mut Swept<D>,
    halves: Option<&Halves>,
    way: Way,
    locals: &Locals<D>,
    impulses: &mut [Vect<D>],
) -> Changed {
    let count = impulses.len();
    let sweep = Sweep { changes: w.changes(), impulses: impulses.as_mut_ptr(), w, way, locals };
    let Some(Halves { apart: [first, second], between }) = halves else {
        // SAFETY: nobody else sweeps.
        return unsafe { sweep.over(count, |place| place) };
    };
    // SAFETY: a half has contacts that the other has not, and none that is coupled with one of the other; what lies between is swept when
    // both are done.
    let part = |contacts: &[u32]| unsafe { sweep.over(contacts.len(), |place| contacts[place] as usize) };
    let (first, second) = if rayon::current_num_threads() == 1 {
        (part(first), part(second))
    } else {
        rayon::join(|| part(first), || part(second))
    };
    first.followed_by(second).followed_by(part(between))
}

/// A sweep that threads may share.
struct Sweep<'a, const D: usize> {
    w: &'a Swept<D>,
    changes: Changes,
    impulses: *mut Vect<D>,
    way: Way,
    locals: &'a Locals<D>,
}

// SAFETY: parts of a sweep are made for contacts that have no impulse and no change in common with another part.
unsafe impl<const D: usize> Sync for Sweep<'_, D> {}

impl<const D: usize> Sweep<'_, D> {
    /// Over `count` contacts.
    ///
    /// # Safety
    /// They are contacts of W, none of them in a part that another thread sweeps at the time, nor coupled with one that is.
    unsafe fn over(&self, count: usize, contact: impl Fn(usize) -> usize) -> Changed {
        // SAFETY: the processor was asked; the rest as the caller promises.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            if swept::is_wide() {
                return self.wide(count, contact);
            }
            self.any::<false>(count, contact)
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn wide(&self, count: usize, contact: impl Fn(usize) -> usize) -> Changed {
        // SAFETY: as the caller promises.
        unsafe { self.any::<true>(count, contact) }
    }

    /// # Safety
    /// As for [`over`](Self::over); `WIDE` only where the processor has the vector registers.
    #[inline(always)]
    unsafe fn any<const WIDE: bool>(&self, count: usize, contact: impl Fn(usize) -> usize) -> Changed {
        let Self { w, changes, way, locals, .. } = *self;
        let mut changed = Changed::default();
        for step in 0..count {
            let a = contact(way.place(step, count));
            // SAFETY: as the caller promises.
            let impulse = unsafe { &mut *self.impulses.add(a) };
            if !way.takes(impulse) {
                continue;
            }
            // SAFETY: as the caller promises.
            let others = unsafe { w.others_in::<WIDE>(changes, a) };
            let new = locals.relax(a, &others, impulse);
            // SAFETY: as the caller promises.
            unsafe { w.set_in(changes, a, &new) };
            changed.note((new - *impulse).norm_squared() * locals.weight(a));
            *impulse = new;
        }
        changed
    }
}

/// A sweep in double precision.
fn precise_sweep<const D: usize>(
    w: &Stored<D>,
    links: &[Link<D>],
    way: Way,
    locals: &Locals<D>,
    impulses: &mut [Vect<D>],
) -> Changed {
    let mut changed = Changed::default();
    for step in 0..impulses.len() {
        let a = way.place(step, impulses.len());
        if !way.takes(&impulses[a]) {
            continue;
        }
        let others = w.others(a, impulses) + links[a].form.bias;
        let new = locals.relax(a, &others, &impulses[a]);
        changed.note((new - impulses[a]).norm_squared() * locals.weight(a));
        impulses[a] = new;
    }
    changed
}

/// ρ = D/tr W, or 0 where nothing responds.
pub(crate) fn rho(trace: f64, dimension: usize) -> f64 {
    if trace > 0.0 { dimension as f64 / trace } else { 0.0 }
}
