//! Solvers for problems with a stored W: one problem, one measure, many methods.
//!
//! | solver          | what it is good at                                                               |
//! | --------------- | -------------------------------------------------------------------------------- |
//! | `auto`          | everything: begins with sweeps, finishes with Newton, falls back on the others   |
//! | `nlgs`          | a first answer at once; slow where forces travel far                             |
//! | `newton`        | the last digits, from an answer that is almost right                             |
//! | `proximal`      | the same where there are more contacts than freedoms                             |
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
pub(crate) mod rolling;
pub mod wedge;

use crate::clock::Clock;
use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::problem::Vect;
use crate::report::Order;
use block_lu::Symbolic;
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

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The residual to reach.
    pub tolerance: f64,
    /// Which residual.
    pub measure: Measure,
    /// Iterations at most: sweeps, factorizations or gradients, as the method has it; for `auto` all together.
    pub iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-8, measure: Measure::Relative, iterations: 100_000 }
    }
}

/// One method at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Its name.
    pub solver: &'static str,
    /// Its iterations.
    pub iterations: usize,
    /// Residual at its end.
    pub residual: f64,
    /// Its time [s] (see [`crate::clock::Clock`]).
    pub seconds: f64,
}

/// What is known of an answer that is not good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The residual is not above the tolerance.
    Solved,
    /// It is, and nothing says that the problem is to blame.
    NotConverged,
    /// It is, and contacts with μ‖W_NT‖ ≥ W_NN (Painlevé) or without any response mean that there may be no solution.
    PerhapsWithoutSolution,
}

/// How it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What is known of the answer.
    pub verdict: Verdict,
    /// The residual of the answer, in the measure asked for.
    pub residual: f64,
    /// The methods in the order of their work.
    pub stages: Vec<Stage>,
    /// Contacts where the local problem may have several solutions, or none (Painlevé).
    pub painleve: usize,
    /// Contacts that approach and cannot respond at all (W_αα = 0): no impulse helps them.
    pub unresponsive: usize,
    /// Time in all [s].
    pub seconds: f64,
}

impl Report {
    /// True if the residual is not above the tolerance.
    pub fn converged(&self) -> bool {
        self.verdict == Verdict::Solved
    }

    /// Iterations of all stages.
    pub fn iterations(&self) -> usize {
        self.stages.iter().map(|s| s.iterations).sum()
    }
}

/// Block products of a factorization over all contacts; nothing if they are more than `most`.
pub(crate) fn factorization_products<const D: usize>(w: &Stored<D>, most: usize) -> Option<usize> {
    let edges = (0..w.contacts()).flat_map(|a| w.neighbours(a).map(move |(b, _)| (a, b)));
    Symbolic::new(w.contacts(), edges, most).map(|symbolic| symbolic.products)
}

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
    /// there are fewer they are filled up with zeros, and what is not finite counts as zero.
    pub fn solve<const D: usize>(&self, problem: &Problem<D>, r: &mut Vec<Vect<D>>, settings: &Settings) -> Report {
        let clock = Clock::start();
        r.resize(problem.contacts(), Vect::zeros());
        r.iter_mut().filter(|r| r.iter().any(|x| !x.is_finite())).for_each(|r| *r = Vect::zeros());
        let gauge = Gauge::new(problem, settings.measure).knowing(r);
        let sweeper = Sweeper::new(problem);
        let stages = if *self == Self::Auto {
            auto::run(problem, &gauge, &sweeper, r, settings)
        } else {
            let progress = self.run(problem, &gauge, &sweeper, r, settings);
            let (iterations, residual, seconds) = (progress.iterations, progress.residual, clock.seconds());
            vec![Stage { solver: self.name(), iterations, residual, seconds }]
        };
        let residual = stages.last().map_or(0.0, |s| s.residual);
        let painleve = sweeper.painleve();
        let unresponsive = sweeper.unresponsive(problem, r);
        let verdict = match residual <= settings.tolerance {
            true => Verdict::Solved,
            false if painleve + unresponsive > 0 => Verdict::PerhapsWithoutSolution,
            false => Verdict::NotConverged,
        };
        Report { verdict, residual, stages, painleve, unresponsive, seconds: clock.seconds() }
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
