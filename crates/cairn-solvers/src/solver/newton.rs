//! Semismooth Newton on the function of Alart and Curnier, with a proximal term and a line search.
//!
//! With τ = R − ρŨ, ρ = D/tr W_αα and g = μ max(τ_N, 0), the function vanishes exactly at solutions:
//!
//!   Φ_N = R_N − max(τ_N, 0),   Φ_T = R_T − proj(τ_T, disk of radius g)
//!
//! | case                    | dΦ_N    | dΦ_T                                                                        |
//! | ----------------------- | ------- | --------------------------------------------------------------------------- |
//! | open    τ_N ≤ 0         | dR_N    | dR_T                                                                        |
//! | stick   ‖τ_T‖ ≤ g       | ρ dŨ_N  | ρ dŨ_T                                                                      |
//! | slip    otherwise       | ρ dŨ_N  | dR_T − μ d dτ_N − (g/‖τ_T‖)(I − d dᵀ) dτ_T,   d = τ_T/‖τ_T‖                  |
//!
//! so dΦ = A_R dR + A_U dŨ with dŨ = (W + ε/ρ) dR. Open contacts leave the system (dR = −R); the rest is factorized by blocks.
//! The proximal term ε/ρ, centred at the present iterate, makes the system regular where W is not (more contacts than freedoms)
//! and does not move its solutions: Φ itself is evaluated without it. ε falls when steps succeed and rises when they fail.
//! Merit for the line search: Σ‖Φ/ρ‖². [AC91]

use super::block_lu::{BlockLu, Symbolic};
use super::measure::Gauge;
use crate::cone::tangential_norm;
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::{Mat, Vect};

/// State of a contact in the present linearization.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case { Open, Stick, Slip }

/// Φ/ρ.
fn value<const D: usize>(r: &Vect<D>, u: &Vect<D>, mu: f64, rho: f64) -> (Case, Vect<D>) {
    let tau = r - u * rho;
    if tau[0] <= 0.0 {
        return (Case::Open, r / rho);
    }
    let radius = mu * tau[0];
    let length = tangential_norm(&tau);
    if length <= radius {
        return (Case::Stick, *u);
    }
    let mut phi = (r - tau * (radius / length)) / rho;
    phi[0] = u[0];
    (Case::Slip, phi)
}

/// A_R/ρ and A_U/ρ of a slipping contact.
fn slopes<const D: usize>(r: &Vect<D>, u: &Vect<D>, mu: f64, rho: f64) -> (Mat<D>, Mat<D>) {
    let tau = r - u * rho;
    let length = tangential_norm(&tau);
    let shrink = mu * tau[0] / length;
    let (mut a_r, mut a_u) = (Mat::<D>::zeros(), Mat::<D>::zeros());
    a_u[(0, 0)] = 1.0;
    for i in 1..D {
        let d_i = tau[i] / length;
        a_r[(i, 0)] = -mu * d_i / rho;
        a_u[(i, 0)] = mu * d_i;
        for j in 1..D {
            let one = if i == j { 1.0 } else { 0.0 };
            let turn = shrink * (one - d_i * tau[j] / length);
            a_r[(i, j)] = (one - turn) / rho;
            a_u[(i, j)] = turn;
        }
    }
    (a_r, a_u)
}

pub(super) struct Newton<const D: usize> {
    rho: Vec<f64>,
    pub epsilon: f64,
    active: Vec<u32>,
    symbolic: Option<Symbolic>,
}

impl<const D: usize> Newton<D> {
    pub fn new(problem: &Problem<D>) -> Self {
        let rho = (0..problem.contacts()).map(|a| rho(problem.w.block(a).trace(), D)).collect();
        Self { rho, epsilon: 1e-6, active: vec![], symbolic: None }
    }

    fn merit(&self, problem: &Problem<D>, r: &[Vect<D>], u: &[Vect<D>]) -> f64 {
        (0..r.len()).filter(|&a| self.rho[a] > 0.0).map(|a| value(&r[a], &u[a], problem.friction[a], self.rho[a]).1.norm_squared()).sum()
    }

    /// The direction of Newton.
    fn direction(&mut self, problem: &Problem<D>, r: &[Vect<D>], u: &[Vect<D>]) -> Option<Vec<Vect<D>>> {
        let n = r.len();
        let states: Vec<(Case, Vect<D>)> = (0..n).map(|a| if self.rho[a] > 0.0 { value(&r[a], &u[a], problem.friction[a], self.rho[a]) } else { (Case::Open, Vect::zeros()) }).collect();
        let active: Vec<u32> = (0..n as u32).filter(|&a| states[a as usize].0 != Case::Open).collect();
        let mut slot = vec![u32::MAX; n];
        active.iter().enumerate().for_each(|(i, &a)| slot[a as usize] = i as u32);
        if self.symbolic.is_none() || self.active != active {
            let edges = active.iter().enumerate().flat_map(|(i, &a)| {
                let slot = &slot;
                problem.w.neighbours(a as usize).filter_map(move |(b, _)| (slot[b] != u32::MAX).then_some((i, slot[b] as usize)))
            });
            self.symbolic = Symbolic::new(active.len(), edges, usize::MAX);
            self.active = active;
        }
        let mut step: Vec<Vect<D>> = (0..n).map(|a| if slot[a] == u32::MAX { -r[a] } else { Vect::zeros() }).collect();
        let slope: Vec<(Mat<D>, Mat<D>)> = self.active.iter().map(|&a| {
            let a = a as usize;
            match states[a].0 { Case::Slip => slopes(&r[a], &u[a], problem.friction[a], self.rho[a]), _ => (Mat::zeros(), Mat::identity()) }
        }).collect();
        let mut x: Vec<Vect<D>> = self.active.iter().zip(&slope).map(|(&a, (_, a_u))| {
            let a = a as usize;
            let drag = problem.w.neighbours(a).filter(|(b, _)| slot[*b] == u32::MAX).fold(Vect::zeros(), |s: Vect<D>, (b, w)| s + w * step[b]);
            -states[a].1 - a_u * drag
        }).collect();
        let symbolic = self.symbolic.as_ref()?;
        let mut lu = BlockLu::<D>::new(symbolic);
        let ok = lu.factorize(|i, add| {
            let a = self.active[i] as usize;
            let (a_r, a_u) = &slope[i];
            let prox = Mat::<D>::identity() * (self.epsilon / self.rho[a]);
            add(i, &(a_r + a_u * (problem.w.block(a) + prox)));
            let slip = states[a].0 == Case::Slip;
            for (b, w) in problem.w.neighbours(a) {
                if slot[b] != u32::MAX {
                    if slip { add(slot[b] as usize, &(a_u * w)) } else { add(slot[b] as usize, w) }
                }
            }
        });
        if !ok { return None; }
        lu.solve(&mut x);
        self.active.iter().zip(&x).for_each(|(&a, x)| step[a as usize] = *x);
        step.iter().all(|s| s.iter().all(|x| x.is_finite())).then_some(step)
    }
}

pub fn lab<const D: usize>(problem: &Problem<D>, measure: super::Measure, tol: f64, sweeps: usize, most: usize, trace: bool) -> (usize, f64) {
    let gauge = Gauge::new(problem, measure);
    let s = super::gauss_seidel::Sweeper::new(problem);
    let mut r = vec![Vect::<D>::zeros(); problem.contacts()];
    for _ in 0..sweeps { s.sweep(problem, &gauge, &mut r); }
    let mut newton = Newton::new(problem);
    let mut res = gauge.of(problem, &r);
    let mut u = problem.velocities(&r);
    let mut merit = newton.merit(problem, &r, &u);
    for i in 0..most {
        if trace { println!("   {i} res {res:.2e} merit {:.3e} eps {:.1e} active {} products {}", merit.sqrt(), newton.epsilon, newton.active.len(), newton.symbolic.as_ref().map_or(0, |s| s.products)); }
        if res <= tol { return (i, res); }
        let Some(step) = newton.direction(problem, &r, &u) else { newton.epsilon *= 100.0; println!("   singular"); continue };
        let mut best = (f64::INFINITY, 0.0);
        for k in 0..6 {
            let t = 0.5f64.powi(k);
            let rt: Vec<_> = r.iter().zip(&step).map(|(r, s)| r + s * t).collect();
            let m = newton.merit(problem, &rt, &problem.velocities(&rt));
            if m < best.0 { best = (m, t) }
            if m < merit * (1.0 - 0.2 * t) { break }
        }
        if trace { println!("      t {} m {:.3e}", best.1, best.0.sqrt()); }
        if best.0 < merit { newton.epsilon = (newton.epsilon * if best.1 == 1.0 { 0.1 } else { 1.0 }).max(1e-10); }
        else { newton.epsilon = (newton.epsilon * 100.0).min(1.0) ; 
          for _ in 0..10 { s.sweep(problem, &gauge, &mut r); } 
          u = problem.velocities(&r); merit = newton.merit(problem, &r, &u); res = gauge.of(problem, &r);
          continue; }
        r.iter_mut().zip(&step).for_each(|(r, s)| *r += s * best.1);
        u = problem.velocities(&r);
        merit = newton.merit(problem, &r, &u);
        res = gauge.of(problem, &r);
    }
    (most, res)
}
