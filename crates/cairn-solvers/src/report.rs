//! What a solver is told, and what it tells.

use crate::solver::{Measure, Solver};
use crate::watch::Watched;

/// The order in which the contacts are relaxed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By colour: contacts of a colour share no mass and are relaxed together, in vector lanes and threads.
    #[default]
    Coloured,
    /// As listed, one after the other.
    Listed,
    /// From the last to the first.
    Reversed,
    /// Forward and backward in turn.
    Symmetric,
}

/// How the contacts of a step are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Sweeps first; where they take long, what pays.
    #[default]
    Auto,
    /// Sweeps alone.
    Nlgs,
    /// One solver of the portfolio, on a stored W.
    Stored(Solver),
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<'a> {
    /// Converged when the residual (see [`crate::residual`]) is not above this.
    pub tolerance: f64,
    /// What the worst contact may miss the tolerance by, as a factor, in a problem that [`crate::strategy::rigid`] has found hard, if the root
    /// mean square of all contacts keeps it (see [`crate::residual`]). 1 where the worst contact decides.
    pub outliers: f64,
    /// Which residual, where there is a choice: methods on a stored W.
    pub measure: Measure,
    /// Sweeps at most; at least one is made. In collections other iterations count by what they cost; a method on a stored W counts
    /// sweeps, factorizations or gradients, as it has them.
    pub max_sweeps: usize,
    /// Largest η [m/s] (see [`crate::residual`]) that counts as converged, whatever the tolerance says: who knows the sizes of the
    /// bodies knows what error in velocity moves them too far. Infinite for none.
    pub most_error: f64,
    /// The method, where there is a choice.
    pub method: Method,
    /// Order of the relaxations.
    pub order: Order,
    /// Sweep with momentum: 3 to 10 times fewer sweeps where many are needed.
    pub momentum: bool,
    /// Passes over the points of a manifold (a face on a face) in each sweep.
    pub passes: usize,
    /// Also compute [`Report::change`].
    pub measure_change: bool,
    /// Use plain arithmetic even where the processor has vector instructions; the bits are the same.
    pub portable: bool,
    /// Who waits for the answer, and may not want it any more.
    pub watch: Watched<'a>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            tolerance: 1e-6,
            outliers: 1.0,
            measure: Measure::Relative,
            max_sweeps: 10_000,
            most_error: f64::INFINITY,
            method: Method::Auto,
            order: Order::Coloured,
            momentum: true,
            passes: 2,
            measure_change: false,
            portable: false,
            watch: Watched::NONE,
        }
    }
}

impl Settings<'_> {
    /// May another iteration be made, after so many? It is counted.
    pub(crate) fn goes_on(&self, iterations: usize) -> bool {
        iterations < self.max_sweeps && !self.watch.beat()
    }

    /// The scale at which the tolerance is the largest error [m/s].
    pub(crate) fn most_scale(&self) -> f64 {
        if self.tolerance > 0.0 { self.most_error / self.tolerance } else { f64::INFINITY }
    }
}

/// What bounds the scale of the residual, and what is round-off in it (see [`crate::residual`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// What drives the contacts [m/s]; 0 where it is not known.
    pub drive: f64,
    /// The fastest velocity at a contact [m/s].
    pub speed: f64,
    /// The scale at which the tolerance is the largest error that is wanted [m/s].
    pub most: f64,
    /// The strength that the resultants on the bodies ask for [m/s] (see [`crate::driven`]); 0 where it was not looked at.
    pub driven: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { drive: 0.0, speed: 0.0, most: f64::INFINITY, driven: 0.0 }
    }
}

/// Margins of the relaxed laws ("thick graphs"): how far the contacts are from a state that satisfies the laws exactly.
///
/// Each contact is brought onto the graph of Signorini, then on Coulomb's, either by its velocity or by its impulse,
/// whichever is nearer (an impulse R counts as the velocity R/ρ); the largest moves are:
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// ΔŨ_N [m/s]: approach, or separation of a contact that carries an impulse.
    pub normal_velocity: f64,
    /// ΔR [N·s]: R_N of separating contacts, lack of friction of sliding ones.
    pub impulse: f64,
    /// ΔŨ_T [m/s]: sliding of contacts inside the cone.
    pub sliding_velocity: f64,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// The residual is not above the tolerance, or it is eased.
    pub converged: bool,
    /// Converged by the root mean square, the worst contact being above the tolerance (see [`Settings::outliers`]).
    pub eased: bool,
    /// Sweeps made, or iterations of the method on a stored W that took their place.
    pub sweeps: usize,
    /// Iterations of other methods than sweeps made (see [`crate::strategy::rigid`]).
    pub split_iterations: usize,
    /// All that was done, counted in sweeps that would have cost as much; 0 from solvers that make sweeps alone.
    pub equivalent_sweeps: f64,
    /// Time of the sweeps, with the watch that they keep on convergence; without the evaluation of the genuine residual
    /// [s] (see [`crate::clock::Clock`]).
    pub seconds_sweeping: f64,
    /// Time of other methods that took their turn: alternating directions, the interior and the proximal point [s].
    pub seconds_beside: f64,
    /// Contact relaxations made: contacts × sweeps, and times the passes for manifolds of several points.
    pub relaxations: usize,
    /// Largest natural-map residual relative to `scale`: the one that is compared with the tolerance.
    pub residual: f64,
    /// Root mean square of the same over contacts that carry an impulse.
    pub residual_rms: f64,
    /// Root mean square of ‖R‖/ρ over contacts that carry an impulse [m/s].
    pub strength: f64,
    /// The same within its bounds: what the residual is relative to [m/s].
    pub scale: f64,
    /// These bounds.
    pub bounds: Bounds,
    /// The contact with the largest residual, or with a number that is not finite.
    pub worst: Option<usize>,
    /// A number that is not finite appeared.
    pub not_finite: bool,
    /// Contacts whose local problem may have several solutions (Painlevé), and which carry an impulse.
    pub painleve: usize,
    /// The first of them.
    pub first_painleve: Option<usize>,
    /// Contacts that approach and cannot respond at all (W_αα = 0): no impulse helps them. Counted on a stored W.
    pub unresponsive: usize,
    /// Margins of the relaxed laws.
    pub margins: Margins,
    /// Change-based measure of other codes, if asked for (see [`crate::residual::change`]).
    pub change: Option<f64>,
}

/// One method at work, of several that found an answer together.
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

impl Report {
    /// Not converged, and contacts with μ‖W_NT‖ ≥ W_NN (Painlevé) or without any response say that the problem may be to blame: there may
    /// be no solution.
    pub fn perhaps_without_solution(&self) -> bool {
        !self.converged && self.painleve + self.unresponsive > 0
    }

    /// The report of a problem that was solved again with other laws: the later answer, and the work of both.
    pub fn followed_by(self, later: Report) -> Report {
        Report {
            sweeps: self.sweeps + later.sweeps,
            split_iterations: self.split_iterations + later.split_iterations,
            equivalent_sweeps: self.equivalent_sweeps + later.equivalent_sweeps,
            seconds_sweeping: self.seconds_sweeping + later.seconds_sweeping,
            seconds_beside: self.seconds_beside + later.seconds_beside,
            relaxations: self.relaxations + later.relaxations,
            ..later
        }
    }
}
