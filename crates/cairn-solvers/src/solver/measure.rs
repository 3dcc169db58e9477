//! How far impulses are from a solution of a stored problem: the measures that all solvers here share.
//!
//! With the natural map F_α(ρ) = R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ) of each contact:
//!
//!   relative   max_α η_α / scale,  η = ‖F(ρ_α)‖/ρ_α,  ρ_α = D/tr W_αα,  scale = rms of ‖R‖/ρ over contacts with R ≠ 0
//!   strict     (Σ_α ‖F_α(1)‖²)^½ / ‖q‖
//!
//! The scale of the first is at most [`MOST_SCALE`] times the largest ‖q‖, and at most [`AMPLE`] times ‖W R‖, or [`STRONGER`] times the
//! strength of the impulses that the method starts from: impulses that press bodies on each other and move nothing, W R = 0, can grow
//! without limit, and must not make an error small. It (see [`crate::residual`]) does not change with the units of length, mass and time. The second is the usual one of
//! published comparisons: ρ = 1 makes it depend on the units in which a problem is written down.

use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::Vect;
use crate::residual::MOST_SCALE;

/// The scale in units of ‖W R‖ at most. Impulses that carry loads through many bodies are stronger: those a start has to bring along,
/// or the test is stricter than it has to be.
const AMPLE: f64 = 3.0;
/// Strength of an answer from afar in units of that bound, at most: first sweeps may not have reached all contacts yet.
const FOREIGN: f64 = 1.5;
/// The scale in units of the strength at the start at most, if that is more.
const STRONGER: f64 = 2.0;

/// Which measure decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Free of units, the worst contact counts.
    #[default]
    Relative,
    /// (Σ‖F(1)‖²)^½ / ‖q‖.
    Strict,
}

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    squares: f64,
    most: f64,
    strength: f64,
    active: usize,
    moved: f64,
}

/// The measure of one problem.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    measure: Measure,
    /// ρ of the measure.
    rho: Vec<f64>,
    /// ‖q‖, or the largest scale.
    drive: f64,
    /// Scale that the impulses of the start explain.
    known: f64,
    /// The largest of them [N·s].
    largest: f64,
}

/// The largest impulse.
fn largest<const D: usize>(r: &[Vect<D>]) -> f64 {
    r.iter().map(|r| r.norm()).fold(0.0, f64::max)
}

impl Gauge {
    pub fn new<const D: usize>(problem: &Problem<D>, measure: Measure) -> Self {
        let own = |a: usize| rho(problem.w.block(a).trace(), D);
        let rho = match measure {
            Measure::Relative => (0..problem.contacts()).map(own).collect(),
            Measure::Strict => vec![1.0; problem.contacts()],
        };
        let squares = problem.w.free().iter().map(|q| q.norm_squared());
        let drive = match measure {
            Measure::Strict => squares.sum::<f64>().sqrt(),
            Measure::Relative => MOST_SCALE * squares.fold(0.0, f64::max).sqrt(),
        };
        Self { measure, rho, drive, known: 0.0, largest: 0.0 }
    }

    /// Takes the strength of these impulses for what the problem needs.
    pub fn knowing<const D: usize>(mut self, r: &[Vect<D>]) -> Self {
        self.known = STRONGER * self.strength(r);
        self.largest = largest(r);
        self
    }

    /// Are impulses no stronger than those known, up to [`FOREIGN`]? Without any known all are.
    pub fn explains<const D: usize>(&self, r: &[Vect<D>]) -> bool {
        self.known == 0.0 || self.strength(r) <= FOREIGN * self.known
    }

    /// Are impulses no stronger than twice those known, all in all and the largest? Without any known all are, and by the measure that does
    /// not look at strength.
    pub fn needs<const D: usize>(&self, r: &[Vect<D>]) -> bool {
        let is_modest = || self.strength(r) <= self.known && largest(r) <= STRONGER * self.largest;
        self.measure == Measure::Strict || self.known == 0.0 || is_modest()
    }

    /// Root mean square of ‖R‖/ρ over contacts with R ≠ 0.
    fn strength<const D: usize>(&self, r: &[Vect<D>]) -> f64 {
        let each = r.iter().zip(&self.rho).filter(|(r, rho)| **rho > 0.0 && **r != Vect::<D>::zeros());
        let (sum, count) = each.fold((0.0, 0.0), |(s, n), (r, rho)| (s + r.norm_squared() / (rho * rho), n + 1.0));
        if count > 0.0 { f64::sqrt(sum / count) } else { 0.0 }
    }

    /// Counts one contact of a problem with its r and u.
    #[inline]
    pub fn add<const D: usize>(
        &self,
        tally: &mut Tally,
        (problem, contact): (&Problem<D>, usize),
        r: &Vect<D>,
        u: &Vect<D>,
    ) {
        let (rho, cone) = (self.rho[contact], problem.cone(contact));
        if rho == 0.0 {
            return;
        }
        let square = cone.natural_map(r, u, rho).norm_squared();
        match self.measure {
            Measure::Strict => tally.squares += square,
            Measure::Relative => {
                let unit = 1.0 / (rho * rho);
                // Not f64::max, which would hide what is not a number.
                let eta = square * unit;
                if eta > tally.most || eta.is_nan() {
                    tally.most = eta;
                }
                let strength = r.norm_squared() * unit;
                tally.strength += strength;
                tally.active += usize::from(strength > 0.0);
                tally.moved += (u - problem.w.free()[contact]).norm_squared();
            }
        }
    }

    /// The residual of what was counted.
    pub fn residual(&self, tally: &Tally) -> f64 {
        let (size, unit) = match self.measure {
            Measure::Strict => (tally.squares.sqrt(), self.drive),
            Measure::Relative => {
                let scale = (tally.strength / tally.active.max(1) as f64).sqrt();
                let scale = scale.min(self.known.max(AMPLE * tally.moved.sqrt()));
                let bounded = if self.drive > 0.0 { scale.min(self.drive) } else { scale };
                // Without impulses, what drives the contacts is all that there is to compare with.
                (tally.most.sqrt(), if bounded > 0.0 { bounded } else { self.drive / MOST_SCALE })
            }
        };
        if size == 0.0 { 0.0 } else { size / unit }
    }

    /// The residual of impulses.
    pub fn of<const D: usize>(&self, problem: &Problem<D>, r: &[Vect<D>]) -> f64 {
        let mut tally = Tally::default();
        for a in 0..problem.contacts() {
            self.add(&mut tally, (problem, a), &r[a], &problem.w.velocity(a, r));
        }
        self.residual(&tally)
    }
}
