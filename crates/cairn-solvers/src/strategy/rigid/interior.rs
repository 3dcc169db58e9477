//! The interior point over bodies: see `solver/interior.rs` for the method.
//!
//! Its matrix B W B + Θ has a row for each contact; over unit masses (`unit.rs`), W = Gᵀ G, it is solved with one for each body:
//!
//!   x = Θ⁻¹ (b − B Gᵀ y),   (I + G B Θ⁻¹ B Gᵀ) y = G B Θ⁻¹ b

use cairn_sparse::{Error, Factor};

use super::coupling::Coupling;
use super::unit::Unit;
use crate::problem::{Link, Mass, Mat, Vect};
use crate::report::{Bounds, Report, Settings};
use crate::residual;
use crate::solver::interior::{Limits, System, follow};

/// The work of it.
pub(super) struct Interior<const D: usize> {
    unit: Unit<D>,
    bounds: Bounds,
    matrix: Coupling,
    factor: Option<Factor>,
    /// Θ⁻¹.
    inverse: Vec<Mat<D>>,
}

impl<const D: usize> Interior<D> {
    /// From masses with free velocities.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>], bounds: Bounds) -> Result<Self, Error> {
        let unit = Unit::new(masses, links);
        let matrix = Coupling::new(&unit)?;
        Ok(Self { unit, bounds, matrix, factor: None, inverse: vec![] })
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.matrix.entries()
    }

    /// Steps from the impulses in `links`; leaves the best there. Tells their residual and the steps.
    pub fn run(&mut self, links: &mut [Link<D>], settings: &Settings) -> (f64, usize) {
        let tolerance = settings.tolerance;
        let friction: Vec<f64> = links.iter().map(|l| l.form.friction).collect();
        let (rho, bounds) = (self.unit.rho.clone(), self.bounds);
        let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
        let assess = |r: &[Vect<D>], u: &[Vect<D>]| {
            for (link, (r, u)) in links.iter_mut().zip(r.iter().zip(u)) {
                (link.impulse, link.velocity) = (*r, u - link.form.bias);
            }
            let mut report = Report { bounds, ..Report::default() };
            residual::assess(links, &rho, tolerance, &mut report);
            report.residual
        };
        // Where things slide, sweeps are cheaper than to look for s.
        let limits = Limits { settings, futile: 1, near: false };
        let progress = follow(self, (&friction, &rho), &mut impulses, limits, assess);
        links.iter_mut().zip(&impulses).for_each(|(link, r)| link.impulse = *r);
        (progress.residual, progress.iterations)
    }
}

impl<const D: usize> System<D> for Interior<D> {
    fn velocities(&self, r: &[Vect<D>]) -> Vec<Vect<D>> {
        let mut y = vec![0.0; self.unit.size()];
        r.iter().enumerate().for_each(|(a, r)| self.unit.push(r, a, &mut y));
        (0..r.len()).map(|a| self.unit.velocity(&y, a)).collect()
    }

    fn factorize(&mut self, friction: &[f64], theta: &[Mat<D>]) -> bool {
        let inverses: Option<Vec<Mat<D>>> = theta.iter().map(|t| t.try_inverse()).collect();
        let Some(inverse) = inverses else { return false };
        let weight = |a: usize| {
            let b = |k: usize| if k == 0 { 1.0 } else { friction[a] };
            Mat::from_fn(|i, j| b(i) * inverse[a][(i, j)] * b(j))
        };
        self.factor = self.matrix.factorize(&self.unit, weight, self.factor.take()).ok();
        self.inverse = inverse;
        self.factor.is_some()
    }

    fn solve(&self, friction: &[f64], x: &mut [Vect<D>]) {
        let Some(factor) = &self.factor else { return };
        let scaled = |mut v: Vect<D>, a: usize| {
            v.iter_mut().skip(1).for_each(|t| *t *= friction[a]);
            v
        };
        let mut y = vec![0.0; self.unit.size()];
        for (a, x) in x.iter().enumerate() {
            self.unit.push(&scaled(self.inverse[a] * x, a), a, &mut y);
        }
        factor.solve(&mut y);
        for (a, x) in x.iter_mut().enumerate() {
            let moved = self.unit.velocity(&y, a) - self.unit.free(a);
            *x = self.inverse[a] * (*x - scaled(moved, a));
        }
    }
}
