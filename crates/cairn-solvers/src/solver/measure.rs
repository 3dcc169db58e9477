//! How far impulses are from a solution of a stored problem: the measures that all solvers here share.
//!
//! With the natural map F_α(ρ) = R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ) of each contact:
//!
//!   relative   max_α η_α / scale,  η = ‖F(ρ_α)‖/ρ_α,  ρ_α = D/tr W_αα,  scale = rms of ‖R‖/ρ over contacts with R ≠ 0
//!   strict     (Σ_α ‖F_α(1)‖²)^½ / ‖q‖
//!
//! The scale of the first is at most [`MOST_SCALE`] times the largest ‖q‖: impulses that grow without limit, as those of bodies wedged
//! between others do, must not make an error small. It (see [`crate::residual`]) does not change with the units of length, mass and time. The second is the usual one of
//! published comparisons: ρ = 1 makes it depend on the units in which a problem is written down.

use crate::cone::Cone;
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::Vect;
use crate::residual::MOST_SCALE;

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
}

/// The measure of one problem.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    measure: Measure,
    /// ρ of the measure.
    rho: Vec<f64>,
    /// ‖q‖, or the largest scale.
    drive: f64,
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
        Self { measure, rho, drive }
    }

    /// Counts one contact.
    #[inline]
    pub fn add<const D: usize>(&self, tally: &mut Tally, contact: usize, r: &Vect<D>, u: &Vect<D>, cone: &Cone) {
        let rho = self.rho[contact];
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
            }
        }
    }

    /// The residual of what was counted.
    pub fn residual(&self, tally: &Tally) -> f64 {
        let (size, unit) = match self.measure {
            Measure::Strict => (tally.squares.sqrt(), self.drive),
            Measure::Relative => {
                let scale = (tally.strength / tally.active.max(1) as f64).sqrt();
                (tally.most.sqrt(), if self.drive > 0.0 { scale.min(self.drive) } else { scale })
            }
        };
        if size == 0.0 { 0.0 } else { size / unit }
    }

    /// The residual of impulses.
    pub fn of<const D: usize>(&self, problem: &Problem<D>, r: &[Vect<D>]) -> f64 {
        let mut tally = Tally::default();
        for a in 0..problem.contacts() {
            self.add(&mut tally, a, &r[a], &problem.w.velocity(a, r), &problem.cone(a));
        }
        self.residual(&tally)
    }
}
