//! Non-linear block Gauss–Seidel.

use super::measure::{Gauge, Tally};
use crate::discrete::Problem;
use crate::delassus::Delassus;
use crate::local::reduced::Reduced;
use crate::problem::{Mat, Vect};

pub(super) struct Sweeper<const D: usize> {
    contacts: Vec<Reduced<D>>,
}
impl<const D: usize> Sweeper<D> {
    pub fn new(problem: &Problem<D>) -> Self {
        Self { contacts: (0..problem.contacts()).map(|a| Reduced::new(problem.w.block(a), problem.friction[a])).collect() }
    }
    #[inline]
    pub fn relax(&self, problem: &Problem<D>, gauge: &Gauge, a: usize, r: &mut [Vect<D>], tally: &mut Tally) {
        let u_loc = problem.w.others(a, r);
        let own: &Mat<D> = problem.w.block(a);
        let old = r[a];
        gauge.add(tally, a, &old, &(u_loc + own * old), problem.friction[a]);
        r[a] = self.contacts[a].solve(&u_loc);
    }
    pub fn sweep(&self, problem: &Problem<D>, gauge: &Gauge, r: &mut [Vect<D>]) -> f64 {
        let mut tally = Tally::default();
        for a in 0..r.len() { self.relax(problem, gauge, a, r, &mut tally); }
        gauge.residual(&tally)
    }
}

pub fn lab<const D: usize>(problem: &Problem<D>, measure: super::Measure, tol: f64, most: usize, trace: bool) -> (usize, f64) {
    let gauge = Gauge::new(problem, measure);
    let s = Sweeper::new(problem);
    let mut r = vec![Vect::<D>::zeros(); problem.contacts()];
    let mut res = 1.0;
    for i in 0..most {
        let est = s.sweep(problem, &gauge, &mut r);
        if est < tol { res = gauge.of(problem, &r); if res <= tol { return (i+1, res); } }
        if trace && (i & (i+1)) == 0 { println!("   {i} est {est:.2e} true {:.2e}", gauge.of(problem,&r)); }
    }
    if res == 1.0 { res = gauge.of(problem,&r); }
    (most, res)
}
