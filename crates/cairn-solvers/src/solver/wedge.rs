//! Why a problem may have no solution although every contact responds: bodies wedged between others that close in.
//!
//! Impulses d in the cones with W d = 0 press on each other and move nothing. For any r then d·(W r + q) = q·d, while a solution
//! has û·d ≥ 0 with û = u + μ‖u_T‖ n: if q·d < 0 the contacts of d have to slide by Σ μ‖u_T‖ d_N ≥ −q·d, and where they are
//! too rough for that nothing is a solution. Sweeps on such a problem never end: the impulses grow along d.

use super::gauss_seidel::{GaussSeidel, Sweeper};
use super::measure::{Gauge, Measure};
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::problem::Vect;

/// Sweeps whose progress is taken for d, after as many that forget the start.
const SWEEPS: usize = 3000;
/// ‖W d‖ at most, in parts of ‖d‖ times the mean response.
const UNMOVED: f64 = 1e-6;
/// −q·d at least, in parts of ‖q‖‖d‖.
const CLOSING: f64 = 1e-3;
/// Contacts count that have this part of the largest impulse of d.
const SHARE: f64 = 1e-2;

/// Number of contacts wedged against each other, seen from the impulses of a solver that failed; 0 if there is no sign of it.
pub fn wedged<const D: usize>(problem: &Problem<D>, r: &[Vect<D>]) -> usize {
    let (gauge, sweeper) = (Gauge::new(problem, Measure::Strict), Sweeper::new(problem));
    let mut grown = r.to_vec();
    let mut sweep = || {
        (0..SWEEPS).for_each(|_| _ = sweeper.sweep(problem, &gauge, &GaussSeidel::default(), false, &mut grown));
        grown.clone()
    };
    let (before, after) = (sweep(), sweep());
    let d: Vec<Vect<D>> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
    let most = d.iter().map(|d| d.norm()).fold(0.0, f64::max);
    let part: Vec<usize> = (0..d.len()).filter(|&a| d[a].norm() > SHARE * most).collect();
    let sum = |of: &dyn Fn(usize) -> f64| part.iter().map(|&a| of(a)).sum::<f64>();
    let free = problem.w.free();
    let moved = sum(&|a| (problem.w.velocity(a, &d) - free[a]).norm_squared()).sqrt();
    let response = sum(&|a| problem.w.block(a).trace()) / (D * part.len().max(1)) as f64;
    let size = sum(&|a| d[a].norm_squared()).sqrt();
    let closing = -sum(&|a| free[a].dot(&d[a]));
    let is_wedged =
        moved <= UNMOVED * response * size && closing >= CLOSING * size * sum(&|a| free[a].norm_squared()).sqrt();
    if is_wedged && size > 0.0 { part.len() } else { 0 }
}
