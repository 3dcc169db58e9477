//! Alternating directions (ADMM): one sparse factorization carries impulses across the whole collection at once.
//!
//! Over unit masses (`unit.rs`), with de Saxcé's velocity û = Ũ + s n, s = μ‖Ũ_T‖, and a copy w of û that obeys the laws:
//!
//!   y ← (I + G ρ̂ρ Gᵀ)⁻¹ G (R + ρ̂ρ (w − û_free))          all bodies, the matrix factorized once
//!   û ← γ û(y) + (1 − γ) w                                over-relaxation
//!   R ← proj(R − ρ̂ρ û, K_μ),   w ← û + (R_new − R_old)/(ρ̂ρ)   contact by contact
//!   s ← μ‖Ũ_T(y)‖
//!
//! A joint (see [`crate::joint`]) pulls with a − B Ũ: its B is added to ρ̂ρ in the matrix, a − B Ũ_free to R on the right, and
//! R above is R̃. A joint that is held has the whole space in the place of K_μ.
//!
//! ρ = D/tr W_αα makes each contact's share of the matrix of order 1; ρ̂ weighs velocities against impulses, and is changed (and the
//! matrix factorized again) when one of them lags behind. Where bodies mostly stick (walls, stacks, columns) ten to fifty iterations do what
//! thousands of sweeps do; where many contacts slide it stalls at 1e-3, and sweeps are better.

use cairn_sparse::{Error, Factor};

use super::coupling::Coupling;
use super::unit::Unit;
use crate::cone::{project, tangential_norm};
use crate::joint::Joint;
use crate::problem::{Link, Mass, Mat, Vect};
use crate::report::{Bounds, Report, Settings};
use crate::residual;

/// γ.
const OVER_RELAXATION: f64 = 1.7;
/// First ρ̂, and its limits.
const FIRST_WEIGHT: f64 = 30.0;
const LIGHTEST: f64 = 1e-2;
const HEAVIEST: f64 = 1e6;
/// Iterations between looks at the residual, and between changes of ρ̂.
const LOOK: usize = 10;
const REWEIGH: usize = 20;
/// Ratio of the two lags beyond which ρ̂ is changed, and the largest change.
const UNBALANCED: f64 = 10.0;

/// The work of it.
pub(super) struct Splitting<const D: usize> {
    unit: Unit<D>,
    bounds: Bounds,
    friction: Vec<f64>,
    joints: Vec<Joint<D>>,
    matrix: Coupling,
    impulses: Vec<Vect<D>>,
    copies: Vec<Vect<D>>,
    shifts: Vec<f64>,
    y: Vec<f64>,
}

impl<const D: usize> Splitting<D> {
    /// From masses with free velocities and the impulses to start from.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>], bounds: Bounds) -> Result<Self, Error> {
        let unit = Unit::new(masses, links);
        let matrix = Coupling::new(&unit)?;
        let joints: Vec<Joint<D>> = links.iter().map(|l| l.form.joint).collect();
        let of = |l: &Link<D>| if l.form.joint.bilateral { 0.0 } else { l.form.friction };
        let friction: Vec<f64> = links.iter().map(of).collect();
        let mut y = vec![0.0; unit.size()];
        links.iter().enumerate().for_each(|(a, l)| unit.push(&l.impulse, a, &mut y));
        let share = |(a, l): (usize, &Link<D>)| l.form.reduced(&l.impulse, &unit.velocity(&y, a)).0;
        let impulses: Vec<_> = links.iter().enumerate().map(share).collect();
        let shift = |a: usize| friction[a] * tangential_norm(&unit.velocity(&y, a));
        let shifts: Vec<f64> = (0..links.len()).map(shift).collect();
        let copies = (0..links.len()).map(|a| lifted(unit.velocity(&y, a), shifts[a])).collect();
        Ok(Self { unit, bounds, friction, joints, matrix, impulses, copies, shifts, y })
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.matrix.entries()
    }

    /// Iterations, ended early when the residual reaches the tolerance or when it is not below `demand`
    /// after `patience` iterations. Leaves the best impulses in `links`; tells their residual, iterations, factorizations.
    pub fn run(
        &mut self,
        links: &mut [Link<D>],
        settings: &Settings,
        (patience, demand): (usize, f64),
    ) -> Result<(f64, usize, usize), Error> {
        let (tolerance, most) = (settings.tolerance, settings.max_sweeps);
        let mut weight = FIRST_WEIGHT;
        let mut factor = self.factorize(weight, None)?;
        let start = links.iter().map(|l| l.impulse).collect::<Vec<_>>();
        let (mut factorizations, mut best, mut best_impulses) = (1, f64::INFINITY, start);
        for iteration in 1..=most {
            let lags = self.iterate(&factor, weight);
            let is_last = settings.watch.beat() || iteration == most;
            if iteration % LOOK == 0 || is_last {
                let report = self.assess(links, tolerance);
                if report.residual < best {
                    best = report.residual;
                    settings.watch.tell(best);
                    best_impulses.iter_mut().zip(links.iter()).for_each(|(best, link)| *best = link.impulse);
                }
                let hopeless = iteration >= patience && best > demand;
                if report.converged || report.not_finite || hopeless || is_last {
                    links.iter_mut().zip(&best_impulses).for_each(|(link, r)| link.impulse = *r);
                    return Ok((best, iteration, factorizations));
                }
            }
            let ratio = lags[0] / lags[1];
            if iteration % REWEIGH == 0 && !(1.0 / UNBALANCED..=UNBALANCED).contains(&ratio) {
                let changed = (weight * ratio.clamp(1.0 / UNBALANCED, UNBALANCED)).clamp(LIGHTEST, HEAVIEST);
                if changed != weight && changed.is_finite() {
                    weight = changed;
                    factor = self.factorize(weight, Some(factor))?;
                    factorizations += 1;
                }
            }
        }
        Ok((best, most, factorizations))
    }

    /// I + G ρ̂ρ Gᵀ.
    fn factorize(&mut self, weight: f64, used: Option<Factor>) -> Result<Factor, Error> {
        let Self { unit, matrix, joints, .. } = self;
        let weights = |a: usize| {
            let [normal, tangential] = joints[a].stiffness.map(|b| weight * unit.rho[a] + b);
            Mat::from_diagonal(&Vect::<D>::from_fn(|i, _| if i == 0 { normal } else { tangential }))
        };
        matrix.factorize(unit, weights, used)
    }

    /// One iteration; tells how far û and w are apart, and how far w went (both as √energy, the latter times ρ̂).
    fn iterate(&mut self, factor: &Factor, weight: f64) -> [f64; 2] {
        self.y.fill(0.0);
        for a in 0..self.impulses.len() {
            let free = lifted(*self.unit.free(a), self.shifts[a]);
            let joint = &self.joints[a];
            let pull = self.impulses[a] + joint.pull - joint.resist(self.unit.free(a))
                + (self.copies[a] - free) * (weight * self.unit.rho[a]);
            self.unit.push(&pull, a, &mut self.y);
        }
        factor.solve(&mut self.y);
        let (mut apart, mut went) = (0.0, 0.0);
        for a in (0..self.impulses.len()).filter(|&a| self.unit.rho[a] > 0.0) {
            let rho = weight * self.unit.rho[a];
            let true_velocity = self.unit.velocity(&self.y, a);
            let lifted_velocity = lifted(true_velocity, self.shifts[a]);
            let relaxed = lifted_velocity * OVER_RELAXATION + self.copies[a] * (1.0 - OVER_RELAXATION);
            let target = self.impulses[a] - relaxed * rho;
            let held = self.joints[a].bilateral;
            let impulse = if held { target } else { project(&target, self.friction[a]) };
            let copy = relaxed + (impulse - self.impulses[a]) / rho;
            apart += (lifted_velocity - copy).norm_squared() * self.unit.rho[a];
            went += (copy - self.copies[a]).norm_squared() * self.unit.rho[a];
            // The copy follows the shift.
            let shift = self.friction[a] * tangential_norm(&true_velocity);
            self.copies[a] = lifted(copy, shift - self.shifts[a]);
            (self.impulses[a], self.shifts[a]) = (impulse, shift);
        }
        [apart.sqrt(), weight * went.sqrt()]
    }

    /// The residual of the present impulses, with the velocities that they give.
    fn assess(&mut self, links: &mut [Link<D>], tolerance: f64) -> Report {
        for (a, link) in links.iter_mut().enumerate() {
            let joint = &self.joints[a];
            link.impulse = self.impulses[a] + joint.pull - joint.resist(&self.unit.velocity(&self.y, a));
        }
        self.y.fill(0.0);
        links.iter().enumerate().for_each(|(a, link)| self.unit.push(&link.impulse, a, &mut self.y));
        for (a, link) in links.iter_mut().enumerate() {
            link.velocity = self.unit.velocity(&self.y, a) - link.form.bias;
        }
        let mut report = Report { bounds: self.bounds, ..Report::default() };
        residual::assess(links, &self.unit.rho, tolerance, &mut report);
        report
    }
}

/// u + s n.
fn lifted<const D: usize>(mut u: Vect<D>, s: f64) -> Vect<D> {
    u[0] += s;
    u
}
