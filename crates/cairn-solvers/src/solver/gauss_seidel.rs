//! Non-linear block Gauss–Seidel on a stored W.
//!
//! Each contact in turn is solved with the others frozen at their latest values, U_loc = q + Σ_{β≠α} W_αβ R_β, and moved by
//! the relaxation factor ω towards its local solution: R ← R + ω (local − R).
//!
//! What a contact violates just before it is relaxed is known almost for free; the sum of it over a sweep is a watch on
//! the true residual, which is evaluated only when the watch says that it may be small enough.

use super::measure::{Gauge, Tally};
use super::rolling::Extragradient;
use super::{Progress, unsolved};
use crate::cone::Cone;
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::local::reduced::Reduced;
use crate::local::{bipotential, quartic};
use crate::problem::{Mat, Vect};
use crate::report::{Order, Settings};

/// How one contact is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Local {
    /// Exactly: closed form in the plane, safeguarded Newton in space, enumeration where it may not be unique.
    #[default]
    Exact,
    /// By all candidates of stick and slip (see [`crate::local::quartic`]).
    Enumerated,
    /// By steps of the bi-potential, to a thousandth of the change (see [`crate::local::bipotential`]).
    Bipotential,
}

/// The method with its choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussSeidel {
    /// How one contact is solved.
    pub local: Local,
    /// Order of the sweeps; `Coloured` means as listed.
    pub order: Order,
    /// ω: 1 plain, below 1 under-relaxed, above 1 over-relaxed.
    pub relaxation: f64,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self { local: Local::Exact, order: Order::Listed, relaxation: 1.0 }
    }
}

/// What the sweeps need of the contacts.
pub(super) struct Sweeper<const D: usize> {
    contacts: Vec<Reduced<D>>,
    /// Of contacts that resist rolling; empty where none does.
    rolling: Vec<Extragradient<D>>,
}

impl<const D: usize> Sweeper<D> {
    pub fn new(problem: &Problem<D>) -> Self {
        let reduced = |a: usize| Reduced::new(problem.w.block(a), problem.friction[a]);
        let resists = |(a, _)| Extragradient::new(problem.w.block(a), &problem.cone(a));
        let rolling = problem.arms.iter().enumerate().map(resists).collect();
        Self { contacts: (0..problem.contacts()).map(reduced).collect(), rolling }
    }

    /// Number of contacts where the local solution may not be unique, or not exist.
    pub fn painleve(&self) -> usize {
        self.contacts.iter().filter(|c| c.painleve).count()
    }

    /// Number of contacts that approach although nothing there responds.
    pub fn unresponsive(&self, problem: &Problem<D>, r: &[Vect<D>]) -> usize {
        let stuck = |a: usize| self.contacts[a].normal <= 0.0 && problem.w.velocity(a, r)[0] < 0.0;
        (0..r.len()).filter(|&a| stuck(a)).count()
    }

    /// One sweep; the residual that the contacts had just before their turn.
    pub fn sweep(
        &self,
        problem: &Problem<D>,
        gauge: &Gauge,
        method: &GaussSeidel,
        backward: bool,
        r: &mut [Vect<D>],
    ) -> f64 {
        let mut tally = Tally::default();
        for step in 0..r.len() {
            let a = if backward { r.len() - 1 - step } else { step };
            let own = problem.w.block(a);
            let u_loc = problem.w.others(a, r);
            let old = r[a];
            gauge.add(&mut tally, (problem, a), &old, &(u_loc + own * old));
            let new = self.local(method.local, a, own, &u_loc, &old);
            r[a] = if method.relaxation == 1.0 { new } else { old + (new - old) * method.relaxation };
        }
        gauge.residual(&tally)
    }

    #[inline(always)]
    fn local(&self, local: Local, a: usize, own: &Mat<D>, u_loc: &Vect<D>, old: &Vect<D>) -> Vect<D> {
        let contact = &self.contacts[a];
        match local {
            Local::Exact | Local::Enumerated if !self.rolling.is_empty() => self.rolling[a].solve(u_loc, old),
            Local::Bipotential if !self.rolling.is_empty() => self.rolling[a].bipotential(u_loc, old),
            Local::Exact => contact.solve(u_loc, old),
            Local::Enumerated => quartic::solve(own, u_loc, contact.friction),
            Local::Bipotential => bipotential::solve(own, u_loc, &Cone::Coulomb(contact.friction), old, 1e-12, 1000),
        }
    }
}

/// What to do when sweeps would take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// Sweep to the limit.
    Endless,
    /// Stop when the present rate would need more than this number of further sweeps.
    Sweeps(usize),
}

/// Sweeps between two looks at the rate of convergence, and before the first.
const LOOK: usize = 10;

impl GaussSeidel {
    /// Sweeps until the residual is small enough; leaves the last iterate in `r`, or the first if no sweep made it better.
    pub(super) fn run<const D: usize>(
        &self,
        problem: &Problem<D>,
        gauge: &Gauge,
        sweeper: &Sweeper<D>,
        r: &mut Vec<Vect<D>>,
        settings: &Settings,
        patience: Patience,
    ) -> Progress {
        let tolerance = settings.tolerance;
        let start = (gauge.of(problem, r), r.clone());
        let mut iterations = 0;
        let (mut trust, mut last_look) = (tolerance, f64::INFINITY);
        let mut residual = start.0;
        while settings.goes_on(iterations) && unsolved(residual, tolerance) {
            let backward = match self.order {
                Order::Coloured | Order::Listed => false,
                Order::Reversed => true,
                Order::Symmetric => iterations % 2 == 1,
            };
            let watch = sweeper.sweep(problem, gauge, self, backward, r);
            iterations += 1;
            if watch <= trust {
                residual = gauge.of(problem, r);
                settings.watch.tell(residual);
                // The watch was too hopeful: it has to fall further before the next evaluation.
                trust = 0.7 * watch;
            } else if watch.is_nan() {
                break;
            }
            if iterations % LOOK == 0 {
                let rate = (watch / last_look).powf(1.0 / LOOK as f64);
                let ahead = (tolerance / watch).ln() / rate.ln();
                if let Patience::Sweeps(most) = patience
                    && last_look.is_finite()
                    && (rate >= 1.0 || ahead > most as f64)
                {
                    break;
                }
                last_look = watch;
            }
        }
        residual = gauge.of(problem, r);
        if unsolved(residual, start.0) {
            (residual, *r) = start;
        }
        Progress { iterations, residual }
    }
}
