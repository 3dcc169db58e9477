//! Solvers for problems with a stored W: one problem, one measure, many methods.
//!
//! | solver          | what it is good at                                                               |
//! | --------------- | -------------------------------------------------------------------------------- |
//! | `auto`          | everything: begins with sweeps, finishes with Newton, falls back on the others   |
//! | `nlgs`          | a first answer at once; slow where forces travel far                             |
//! | `newton`        | the last digits, from an answer that is almost right                             |
//! | `proximal`      | the same where there are more contacts than dofs                             |
//! | `admm`          | a rough answer from anywhere, with one factorization                             |
//! | `interior`      | marginal or overdetermined equilibrium; a factorization for each of some twenty steps |
//! | `gradient`      | no factorization, no order of contacts                                           |
//! | `bipotential`   | the plain form of it                                                             |

mod admm;
mod auto;
pub(crate) mod block_lu;
pub mod gauss_seidel;
mod gradient;
pub(crate) mod interior;
pub(crate) mod joined;
pub mod measure;
mod newton;
mod proximal;
mod rolling;
pub mod wedge;

use crate::clock::Clock;
use crate::discrete::Problem;
use crate::problem::Vect;
use crate::report::{Order, Report, Settings, Stage};
use gauss_seidel::{GaussSeidel, Local, Patience, Sweeper};
use measure::Gauge;
pub use measure::Measure;
use newton::Newton;

/// A method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Solver {
    /// Picks and combines the others.
    #[default]
    Auto,
    /// Block Gauss–Seidel.
    GaussSeidel(GaussSeidel),
    /// Semismooth Newton.
    Newton,
    /// Proximal point with Newton inside.
    Proximal,
    /// Alternating directions.
    Admm,
    /// Interior point.
    Interior,
    /// Accelerated projected gradient.
    Gradient,
    /// The bi-potential's predictor and corrector on all contacts at once.
    Bipotential,
}

/// Sweeps before a method that comes from afar.
const APPROACH: usize = 100;

/// True if a residual does not reach the tolerance, or is not a number.
fn unsolved(residual: f64, tolerance: f64) -> bool {
    residual > tolerance || residual.is_nan()
}

/// Where a method ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    pub iterations: usize,
    pub residual: f64,
}

impl Solver {
    /// The names that [`Solver::named`] knows.
    pub const NAMES: [&'static str; 13] = [
        "auto",
        "nlgs",
        "nlgs-enumerated",
        "nlgs-bipotential",
        "nlgs-symmetric",
        "nlgs-under",
        "nlgs-over",
        "newton",
        "proximal",
        "admm",
        "interior",
        "gradient",
        "bipotential",
    ];

    /// The solver of a name; `nlgs-under` and `nlgs-over` have ω = 0.7 and 1.3.
    pub fn named(name: &str) -> Option<Self> {
        let nlgs = GaussSeidel::default();
        Some(match name {
            "auto" => Self::Auto,
            "nlgs" => Self::GaussSeidel(nlgs),
            "nlgs-enumerated" => Self::GaussSeidel(GaussSeidel { local: Local::Enumerated, ..nlgs }),
            "nlgs-bipotential" => Self::GaussSeidel(GaussSeidel { local: Local::Bipotential, ..nlgs }),
            "nlgs-symmetric" => Self::GaussSeidel(GaussSeidel { order: Order::Symmetric, ..nlgs }),
            "nlgs-under" => Self::GaussSeidel(GaussSeidel { relaxation: 0.7, ..nlgs }),
            "nlgs-over" => Self::GaussSeidel(GaussSeidel { relaxation: 1.3, ..nlgs }),
            "newton" => Self::Newton,
            "proximal" => Self::Proximal,
            "admm" => Self::Admm,
            "interior" => Self::Interior,
            "gradient" => Self::Gradient,
            "bipotential" => Self::Bipotential,
            _ => return None,
        })
    }

    /// Does it know moments that resist rolling? The interior point works in the algebra of cones with one bound, and the enumeration of a
    /// contact's cases has none for moments.
    pub fn knows_rolling(&self) -> bool {
        let enumerates = matches!(self, Self::GaussSeidel(GaussSeidel { local: Local::Enumerated, .. }));
        *self != Self::Interior && !enumerates
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::GaussSeidel(_) => "nlgs",
            Self::Newton => "newton",
            Self::Proximal => "proximal",
            Self::Admm => "admm",
            Self::Interior => "interior",
            Self::Gradient => "gradient",
            Self::Bipotential => "bipotential",
        }
    }

    /// Solves in place: `r` is the start and then the best impulses found [N·s]. One vector is taken for each contact: if
    /// there are fewer they are filled up with zeros, and what is not finite counts as zero. Also the methods in the order of
    /// their work.
    pub fn solve<const D: usize>(
        &self,
        problem: &Problem<D>,
        r: &mut Vec<Vect<D>>,
        settings: &Settings,
    ) -> (Report, Vec<Stage>) {
        let clock = Clock::start();
        r.resize(problem.contacts(), Vect::zeros());
        r.iter_mut().filter(|r| r.iter().any(|x| !x.is_finite())).for_each(|r| *r = Vect::zeros());
        let from_nothing = self.comes_from_afar() && r.iter().all(|r| *r == Vect::<D>::zeros());
        let gauge = Gauge::new(problem, settings.measure).knowing(r);
        let sweeper = Sweeper::new(problem);
        let (stages, gauge) = if *self == Self::Auto {
            (auto::run(problem, &gauge, &sweeper, r, settings), gauge)
        } else {
            self.stages(problem, gauge, &sweeper, (r, from_nothing), settings)
        };
        let residual = stages.last().map_or(0.0, |s| s.residual);
        let sweeps = stages.iter().map(|s| s.iterations).sum();
        let report = Report {
            converged: residual <= settings.tolerance
                && (!from_nothing || gauge.needs(r) || !Self::is_too_strong(problem, gauge, &sweeper, r, settings)),
            not_finite: residual.is_nan(),
            residual,
            sweeps,
            relaxations: sweeps * problem.contacts(),
            painleve: sweeper.painleve(),
            unresponsive: sweeper.unresponsive(problem, r),
            seconds_sweeping: clock.seconds(),
            ..Report::default()
        };
        (report, stages)
    }

    /// Do sweeps solve the problem with impulses less than half as strong? A few of them may not have come that far: here they are made
    /// until they have solved it, or as many as may be.
    fn is_too_strong<const D: usize>(
        problem: &Problem<D>,
        gauge: Gauge,
        sweeper: &Sweeper<D>,
        r: &[Vect<D>],
        settings: &Settings,
    ) -> bool {
        let mut swept = vec![Vect::zeros(); r.len()];
        let sweeps = GaussSeidel::default();
        let done = sweeps.run(problem, &gauge, sweeper, &mut swept, settings, Patience::Endless);
        done.residual <= settings.tolerance && !gauge.knowing(&swept).needs(r)
    }

    /// Does it not stay near where it starts? Where impulses are not unique it may press bodies on each other for nothing.
    fn comes_from_afar(&self) -> bool {
        matches!(self, Self::Newton | Self::Proximal | Self::Interior)
    }

    /// The method; also the measure that knows how strong impulses have to be. One that comes from afar and starts from nothing has it from
    /// some sweeps. The proximal point goes on from these: it ends not much farther from a solution than it starts.
    fn stages<const D: usize>(
        &self,
        problem: &Problem<D>,
        mut gauge: Gauge,
        sweeper: &Sweeper<D>,
        (r, from_nothing): (&mut Vec<Vect<D>>, bool),
        settings: &Settings,
    ) -> (Vec<Stage>, Gauge) {
        let mut stages = vec![];
        let mut stage = |solver: &'static str, method: &mut dyn FnMut() -> Progress| {
            let clock = Clock::start();
            let Progress { iterations, residual } = method();
            stages.push(Stage { solver, iterations, residual, seconds: clock.seconds() });
        };
        if from_nothing {
            let some = Settings { max_sweeps: settings.max_sweeps.min(APPROACH), ..*settings };
            let sweeps = GaussSeidel::default();
            let mut swept = r.clone();
            stage("nlgs", &mut || sweeps.run(problem, &gauge, sweeper, &mut swept, &some, Patience::Endless));
            gauge = gauge.knowing(&swept);
            if *self == Self::Proximal {
                *r = swept;
            }
        }
        stage(self.name(), &mut || self.run(problem, &gauge, sweeper, r, settings));
        (stages, gauge)
    }

    fn run<const D: usize>(
        &self,
        problem: &Problem<D>,
        gauge: &Gauge,
        sweeper: &Sweeper<D>,
        r: &mut Vec<Vect<D>>,
        settings: &Settings,
    ) -> Progress {
        match self {
            Self::Auto | Self::Newton => newton::run(&mut Newton::new(problem), gauge, r, settings, None),
            Self::GaussSeidel(method) => method.run(problem, gauge, sweeper, r, settings, Patience::Endless),
            Self::Proximal => proximal::run(problem, &mut Newton::new(problem), gauge, r, settings),
            Self::Admm => admm::run(problem, gauge, r, settings),
            Self::Interior => interior::run(problem, gauge, r, settings, true),
            Self::Gradient => gradient::run(problem, gauge, r, settings, true),
            Self::Bipotential => gradient::run(problem, gauge, r, settings, false),
        }
    }
}
