//! Semismooth Newton on the function of Alart and Curnier.
//!
//! With τ = R − ρŨ, ρ = D/tr W_αα and g = μ max(τ_N, 0), the function vanishes exactly at solutions:
//!
//!   Φ_N = R_N − max(τ_N, 0),   Φ_T = R_T − proj(τ_T, disk of radius g)
//!
//! | case              | dΦ_N    | dΦ_T                                                         |
//! | ----------------- | ------- | ------------------------------------------------------------ |
//! | open    τ_N ≤ 0   | dR_N    | dR_T                                                         |
//! | stick   ‖τ_T‖ ≤ g | ρ dŨ_N  | ρ dŨ_T                                                       |
//! | slip    otherwise | ρ dŨ_N  | dR_T − μ d dτ_N − (g/‖τ_T‖)(I − d dᵀ) dτ_T,   d = τ_T/‖τ_T‖   |
//!
//! (where contacts resist rolling each group of components, see `cone.rs`, sticks or slips for itself),
//! so dΦ = A_R dR + A_U dŨ with dŨ = (W + ε/ρ) dR. Open contacts have dR = −R; the others are one system, factorized by blocks.
//! The term ε/ρ makes it regular where W is not (more contacts than dofs). It is centred at the present iterate: Φ itself
//! is evaluated without it, so it does not move solutions. The steps are damped by the merit Σ‖Φ/ρ‖², but never
//! refused: strict descent gets caught where no solution is. [AC91]

use super::block_lu::{BlockLu, Symbolic};
use super::gauss_seidel::{GaussSeidel, Sweeper};
use super::measure::Gauge;
use super::{Progress, unsolved};
use crate::cone::{Cone, norm_of};
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::{Mat, Vect};
use crate::report::Settings;
use crate::watch::Watched;

/// State of a contact in a linearization.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Open,
    Stick,
    Slip,
}

/// Φ/ρ.
pub(super) fn value<const D: usize>(r: &Vect<D>, u: &Vect<D>, cone: &Cone, rho: f64) -> (Case, Vect<D>) {
    let tau = r - u * rho;
    if tau[0] <= 0.0 {
        return (Case::Open, r / rho);
    }
    let (mut case, mut phi) = (Case::Stick, *u);
    for (group, mu) in cone.groups::<D>() {
        let (radius, length) = (mu * tau[0], norm_of(&tau, group.clone()));
        if length > radius {
            case = Case::Slip;
            group.for_each(|i| phi[i] = (r[i] - tau[i] * (radius / length)) / rho);
        }
    }
    (case, phi)
}

/// A_R/ρ and A_U/ρ of a slipping contact.
pub(super) fn slopes<const D: usize>(r: &Vect<D>, u: &Vect<D>, cone: &Cone, rho: f64) -> (Mat<D>, Mat<D>) {
    let tau = r - u * rho;
    let (mut a_r, mut a_u) = (Mat::<D>::zeros(), Mat::<D>::identity());
    for (group, mu) in cone.groups::<D>() {
        let length = norm_of(&tau, group.clone());
        let shrink = mu * tau[0] / length;
        if length <= mu * tau[0] {
            continue;
        }
        for i in group.clone() {
            let d_i = tau[i] / length;
            a_r[(i, 0)] = -mu * d_i / rho;
            a_u[(i, 0)] = mu * d_i;
            for j in group.clone() {
                let one = if i == j { 1.0 } else { 0.0 };
                let turn = shrink * (one - d_i * tau[j] / length);
                a_r[(i, j)] = (one - turn) / rho;
                a_u[(i, j)] = turn;
            }
        }
    }
    (a_r, a_u)
}

/// Newton steps for one problem, with what can be kept between them.
pub(super) struct Newton<'a, const D: usize> {
    problem: &'a Problem<D>,
    rho: Vec<f64>,
    /// ε.
    pub epsilon: f64,
    /// ρ in Φ, in units of D/tr W_αα.
    pub stretch: f64,
    /// Contacts of the factorized system, in ascending order, and the place of each contact among them.
    nodes: Vec<u32>,
    slot: Vec<u32>,
    lu: Option<BlockLu<D>>,
}

impl<'a, const D: usize> Newton<'a, D> {
    pub fn new(problem: &'a Problem<D>) -> Self {
        let rho: Vec<f64> = (0..problem.contacts()).map(|a| rho(problem.w.block(a).trace(), D)).collect();
        Self { problem, rho, epsilon: 1e-6, stretch: 1.0, nodes: vec![], slot: vec![], lu: None }
    }

    /// Ũ, with the proximal term ε/ρ (R − R̄) if there is a centre R̄.
    pub fn velocities(&self, r: &[Vect<D>], centre: Option<&[Vect<D>]>) -> Vec<Vect<D>> {
        let mut u = self.problem.velocities(r);
        if let Some(centre) = centre {
            for a in (0..r.len()).filter(|&a| self.rho[a] > 0.0) {
                u[a] += (r[a] - centre[a]) * (self.epsilon / self.rho[a]);
            }
        }
        u
    }

    fn value(&self, a: usize, r: &[Vect<D>], u: &[Vect<D>]) -> (Case, Vect<D>) {
        if self.rho[a] == 0.0 {
            return (Case::Open, Vect::zeros());
        }
        value(&r[a], &u[a], &self.problem.cone(a), self.stretch * self.rho[a])
    }

    /// Σ‖Φ/ρ‖².
    pub fn merit(&self, r: &[Vect<D>], u: &[Vect<D>]) -> f64 {
        (0..r.len()).map(|a| self.value(a, r, u).1.norm_squared()).sum()
    }

    /// Sees to it that the pattern covers the contacts that are not open. Some more do no harm, and save a new ordering.
    fn cover(&mut self, states: &[(Case, Vect<D>)]) -> Option<()> {
        let contacts = states.len();
        let active: Vec<u32> = (0..contacts as u32).filter(|&a| states[a as usize].0 != Case::Open).collect();
        let covered = self.lu.is_some() && active.iter().all(|&a| self.slot[a as usize] != u32::MAX);
        if covered && 4 * self.nodes.len() <= 5 * active.len() + 32 {
            return Some(());
        }
        self.nodes = if 5 * active.len() >= 4 * contacts { (0..contacts as u32).collect() } else { active };
        self.slot = vec![u32::MAX; contacts];
        self.nodes.iter().enumerate().for_each(|(i, &a)| self.slot[a as usize] = i as u32);
        let slot = &self.slot;
        let edges = self.nodes.iter().enumerate().flat_map(|(i, &a)| {
            let inside = move |(b, _): (usize, &Mat<D>)| (slot[b] != u32::MAX).then_some((i, slot[b] as usize));
            self.problem.w.neighbours(a as usize).filter_map(inside)
        });
        self.lu = Symbolic::of_graph(self.nodes.len(), edges).map(BlockLu::new);
        self.lu.is_some().then_some(())
    }

    /// The step of Newton from R with velocities Ũ; nothing if the system cannot be solved.
    pub fn direction(&mut self, r: &[Vect<D>], u: &[Vect<D>], watch: Watched) -> Option<Vec<Vect<D>>> {
        let problem = self.problem;
        let states: Vec<(Case, Vect<D>)> = (0..r.len()).map(|a| self.value(a, r, u)).collect();
        self.cover(&states)?;
        let mut step: Vec<Vect<D>> = r.iter().map(|r| -r).collect();
        let slope = |a: usize| match states[a].0 {
            Case::Slip => slopes(&r[a], &u[a], &problem.cone(a), self.stretch * self.rho[a]),
            _ => (Mat::zeros(), Mat::identity()),
        };
        let slopes: Vec<(Mat<D>, Mat<D>)> = self.nodes.iter().map(|&a| slope(a as usize)).collect();
        // −Φ, less what the contacts outside do as they open.
        let right = |(&a, (_, a_u)): (&u32, &(Mat<D>, Mat<D>))| {
            let a = a as usize;
            if states[a].0 == Case::Open {
                return -r[a];
            }
            let outside = problem.w.neighbours(a).filter(|(b, _)| self.slot[*b] == u32::MAX);
            -states[a].1 - a_u * outside.fold(Vect::<D>::zeros(), |sum, (b, w)| sum + w * step[b])
        };
        let mut x: Vec<Vect<D>> = self.nodes.iter().zip(&slopes).map(right).collect();
        let lu = self.lu.as_mut()?;
        let regular = lu.factorize(watch, |i, add| {
            let a = self.nodes[i] as usize;
            if states[a].0 == Case::Open {
                return add(i, &Mat::identity());
            }
            let (a_r, a_u) = &slopes[i];
            let near = Mat::<D>::identity() * (self.epsilon / self.rho[a]);
            add(i, &(a_r + a_u * (problem.w.block(a) + near)));
            for (b, w) in problem.w.neighbours(a).filter(|(b, _)| self.slot[*b] != u32::MAX) {
                let column = self.slot[b] as usize;
                if states[a].0 == Case::Slip { add(column, &(a_u * w)) } else { add(column, w) }
            }
        });
        if !regular {
            return None;
        }
        lu.solve(&mut x);
        self.nodes.iter().zip(&x).for_each(|(&a, x)| step[a as usize] = *x);
        step.iter().all(|s| s.iter().all(|x| x.is_finite())).then_some(step)
    }

    /// Moves R along a step by the share among 1, ½, … that makes the merit clearly smaller, or else by the best of them.
    /// Returns the share and the merit there.
    pub fn advance(&self, r: &mut [Vect<D>], step: &[Vect<D>], merit: f64, centre: Option<&[Vect<D>]>) -> (f64, f64) {
        let (mut best, mut best_share) = (f64::INFINITY, 1.0);
        let mut share = 1.0;
        for _ in 0..4 {
            let there: Vec<Vect<D>> = r.iter().zip(step).map(|(r, s)| r + s * share).collect();
            let here = self.merit(&there, &self.velocities(&there, centre));
            if here < best {
                (best, best_share) = (here, share);
            }
            if here < merit * (1.0 - 0.2 * share) {
                break;
            }
            share *= 0.5;
        }
        r.iter_mut().zip(step).for_each(|(r, s)| *r += s * best_share);
        (best_share, best)
    }
}

/// Steps in a row without a better residual after which Newton gives up.
const STALLED: usize = 8;

/// Newton steps until the residual is small enough; leaves the best iterate in `r`. With a sweeper, steps that fail are
/// followed by sweeps, more with each failure in a row: they lead out of the cycles of active sets.
pub(super) fn run<const D: usize>(
    newton: &mut Newton<'_, D>,
    gauge: &Gauge,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
    sweeper: Option<&Sweeper<D>>,
) -> Progress {
    let mut best = (gauge.of(newton.problem, r), r.clone());
    let (mut iterations, mut stalled, mut failures) = (0, 0, 0);
    let most_stalled = if sweeper.is_some() { 4 * STALLED } else { STALLED };
    newton.epsilon = 1e-6;
    while settings.goes_on(iterations) && stalled < most_stalled && unsolved(best.0, settings.tolerance) {
        let u = newton.velocities(r, None);
        let merit = newton.merit(r, &u);
        iterations += 1;
        let Some(step) = newton.direction(r, &u, settings.watch) else {
            stalled += 2;
            newton.epsilon *= 100.0;
            continue;
        };
        let (share, after) = newton.advance(r, &step, merit, None);
        newton.epsilon = match after < 0.8 * merit {
            true if share == 1.0 => (0.1 * newton.epsilon).max(1e-9),
            true => newton.epsilon,
            false => (10.0 * newton.epsilon).min(0.1),
        };
        failures = if after < 0.8 * merit { 0 } else { failures + 1 };
        if let Some(sweeper) = sweeper {
            for _ in 0..4 * failures {
                sweeper.sweep(newton.problem, gauge, &GaussSeidel::default(), false, r);
            }
        }
        let residual = gauge.of(newton.problem, r);
        stalled += 1;
        if residual < best.0 {
            best = (residual, r.clone());
            settings.watch.tell(residual);
            stalled = 0;
        }
    }
    *r = best.1;
    Progress { iterations, residual: best.0 }
}
