//! Reading `[time]`, `[solver]`, `[output]`.

use super::document::{Ask, Table, Value};
use super::spec::{Selection, SolverChanges};
use super::stages;
use super::{Accuracy, Method, Newton, OnFailure, Order, Output, Solver, Start, Time};
use cairn_solvers::solver::Solver as Portfolio;

/// Most steps of a run.
const MOST_STEPS: f64 = 1e12;
/// What can be done with a step that did not converge.
const FAILURES: [(&str, &str, OnFailure); 4] = [
    ("accept", "keep the result and count it", OnFailure::Accept),
    (
        "quarter_step",
        "do the step again in halves, and these in quarters; keep and count what does not converge there",
        OnFailure::QuarterStep,
    ),
    ("halve_step", "the same down to 1/64 of the step", OnFailure::HalveStep),
    ("stop", "end the run with an error", OnFailure::Stop),
];
/// Rows of the history up to which every step is written.
const HISTORY_ROWS: f64 = 10_000.0;

/// `[time]`, and the out-of-balance force that ends the run; `longest` is how long all stages last [s], 0 without stages.
pub fn time(t: &Table, longest: f64) -> Option<(Time, Option<f64>)> {
    let step = t.number("step", "time step h [s]").positive().time().required();
    // Without stages nothing else says when the run ends.
    let stages_end = (longest > 0.0).then_some(longest);
    let end = t.number("end", "end of the run, with stages at the latest [s]").positive().time();
    let end = end.or_required("with `[[stage]]`: the sum of their durations; required without", stages_end);
    let theta =
        t.number("theta", "θ of the time scheme: ½ conserves energy, 1 is implicit Euler").between(0.5, 1.0).or(0.5);
    let xi = t.number("xi", "ξ of the time scheme, the same for forces [default: theta]").between(0.5, 1.0).optional();
    let cancel_velocities = quasi_static(t).or_as("\"none\"", false);
    let equilibrium = stages::until(t);
    let (step, end, unit) = (step?, end?, t.reader.time_unit.get());
    let [shown, shown_end] = [step, end].map(|time| time / unit.seconds());
    if step > end {
        let message = format!("`{}` = {shown} is longer than the run: `end` = {shown_end}", t.path_of("step"));
        t.wrong("step", message, "too long");
        return None;
    }
    if end / step > MOST_STEPS {
        t.wrong("step", format!("`{}` = {shown} makes more than {MOST_STEPS:e} steps", t.path_of("step")), "too short");
        return None;
    }
    if equilibrium.is_some() && longest > 0.0 {
        let message = format!("`{}`: with [[stage]], each stage says how it ends", t.path_of("until"));
        t.wrong("until", message, "not with stages");
        return None;
    }
    Some((Time { step, end, theta, xi: xi.unwrap_or(theta), cancel_velocities, unit }, equilibrium))
}

/// `quasi_static`: are velocities cancelled?
pub fn quasi_static<'t>(t: &'t Table) -> Ask<'t, bool> {
    let ways = [
        ("none", "true dynamics", false),
        ("velocity_cancelling", "all velocities are set to zero after each step", true),
    ];
    t.choice("quasi_static", "quasi-static equilibrium instead of dynamics", &ways)
}

/// `[newton]`.
pub fn newton(t: &Table) -> Newton {
    let default = Newton::default();
    let doc = "out-of-balance impulse that counts as converged, relative to the largest impulse at work";
    let tolerance = t.number("tolerance", doc).check(|x| (1e-14..=0.1).contains(x), "from 1e-14 to 0.1");
    let most = t.integer("max_iterations", "most iterations in a step", 1, 100_000);
    Newton {
        tolerance: tolerance.or(default.tolerance),
        max_iterations: most.or(default.max_iterations as i64) as usize,
    }
}

/// `[solver]`.
pub fn solver(t: &Table) -> Solver {
    let doc = "residual that counts as converged, relative to the problem's own velocity scale";
    let tolerance = t.number("tolerance", doc).check(|x| (1e-14..=0.1).contains(x), "from 1e-14 to 0.1").or(1e-5);
    let max_sweeps =
        t.integer("max_sweeps", "most relaxation sweeps in a step, or what costs as much", 1, 1_000_000_000).or(10_000);
    let doc = "factor by which the worst contact may miss the tolerance in a hard step of rigid bodies (more than 300 sweeps), \
               if the root mean square of all contacts keeps it; 1: never";
    let outliers = t.number("outliers", doc).check(|x| (1.0..=1000.0).contains(x), "from 1 to 1000").or(10.0);
    let stored = |name| Method::Stored(Portfolio::named(name).unwrap_or_default());
    let methods = [
        ("auto", "sweeps first; where they take long, what pays", Method::Auto),
        ("nlgs", "sweeps of Gauss–Seidel alone", Method::Nlgs),
        ("nlgs-bipotential", "stored W: sweeps with the bi-potential's local solver", stored("nlgs-bipotential")),
        ("nlgs-enumerated", "stored W: sweeps with a local solver that tries all cases", stored("nlgs-enumerated")),
        ("nlgs-symmetric", "stored W: sweeps forwards and backwards", stored("nlgs-symmetric")),
        ("newton", "stored W: semismooth Newton", stored("newton")),
        ("proximal", "stored W: proximal point with Newton inside", stored("proximal")),
        ("admm", "stored W: alternating directions", stored("admm")),
        ("interior", "stored W: interior point", stored("interior")),
        ("gradient", "stored W: accelerated projected gradient", stored("gradient")),
        ("bipotential", "stored W: the bi-potential on all contacts at once", stored("bipotential")),
        ("portfolio", "stored W: the portfolio's own choice from the start", stored("auto")),
    ];
    let method = t.choice("method", "how the contacts are solved", &methods).or_as("\"auto\"", Method::Auto);
    let orders = [
        ("coloured", "by independent sets of contacts: fastest, runs on several threads", Order::Coloured),
        ("listed", "as the contacts are listed", Order::Listed),
        ("reversed", "the list backwards", Order::Reversed),
        ("symmetric", "forwards, then backwards", Order::Symmetric),
    ];
    let order =
        t.choice("order", "order in which a sweep visits the contacts", &orders).or_as("\"coloured\"", Order::Coloured);
    let doc = "what to do with a step that did not converge";
    let on_failure = t.choice("on_failure", doc, &FAILURES).or_as("\"quarter_step\"", OnFailure::QuarterStep);
    let starts = [
        ("last_step", "impulses of the step before", Start::LastStep),
        ("rigid_modes", "impulses as if all bodies were rigid: for large steps towards equilibrium", Start::RigidModes),
    ];
    let doc = "what the contact solver starts from, with deformable bodies";
    let start = t.choice("start", doc, &starts).or_as("\"last_step\"", Start::LastStep);
    Solver { tolerance, outliers, max_sweeps: max_sweeps as usize, method, order, on_failure, start }
}

/// `[stage.solver]`: what is not said stays.
pub fn solver_changes(t: &Table) -> SolverChanges {
    let doc = "residual that counts as converged [default: as before]";
    let tolerance = t.number("tolerance", doc).check(|x| (1e-14..=0.1).contains(x), "from 1e-14 to 0.1").optional();
    let doc = "factor by which the worst contact may miss it in a hard step [default: as before]";
    let outliers = t.number("outliers", doc).check(|x| (1.0..=1000.0).contains(x), "from 1 to 1000").optional();
    let doc = "most relaxation sweeps in a step [default: as before]";
    let max_sweeps = t.integer("max_sweeps", doc, 1, 1_000_000_000).optional().map(|most| most as usize);
    let doc = "what to do with a step that did not converge [default: as before]";
    let on_failure = t.choice("on_failure", doc, &FAILURES).optional();
    SolverChanges { tolerance, outliers, max_sweeps, on_failure }
}

/// `[accuracy]`; lengths follow from the tolerance of the solver unless given.
pub fn accuracy(t: &Table, tolerance: f64) -> Accuracy {
    let default = Accuracy::of(tolerance);
    let [penetration, sliding, motion, impulse, self_stress, energy] = default.limits;
    let lengths = "1e-3 at a tolerance of 1e-5 or less, 1e-2 at 1e-3 or more, by its root between";
    let doc = "penetration beyond that of the start, at most, in half widths of the smaller body";
    let penetration = t.number("penetration", doc).positive().or_as(lengths, penetration);
    let doc = "drift of a contact while it sticks, at most, in half widths of the smaller body";
    let sliding = t.number("sliding", doc).positive().or_as("twice the default of `penetration`", sliding);
    let doc =
        "motion of two touching bodies relative to each other in a step, at most, in half widths of the smaller one";
    let motion = t.number("motion", doc).positive().or(motion);
    let doc = "impulse by which the laws are missed in a step, at most, in parts of the largest";
    let impulse = t.number("impulse", doc).positive().or(impulse);
    let doc = "strength of the impulses, at most, in units of what the loads can explain";
    let self_stress = t.number("self_stress", doc).positive().or(self_stress);
    let doc =
        "energy that the time scheme and contacts bring in over the run, at most, in parts of what passed through";
    let energy = t.number("energy", doc).positive().or(energy);
    let doc = "make good in positions what single steps leave undone?";
    let repair = t.flag("repair", doc).or(default.repair);
    let doc = "accept a run that breaks a limit, or has steps that did not converge: exit code 0?";
    let accept = t.flag("accept", doc).or(default.accept);
    Accuracy { limits: [penetration, sliding, motion, impulse, self_stress, energy], repair, accept }
}

/// `[output]`: the intervals, and the bodies whose resultants are wanted.
pub fn output(t: &Table, time: Option<&Time>) -> (Output, Vec<Selection>) {
    let (step, end) = time.map_or((1.0, 1.0), |time| (time.step, time.end));
    let interval =
        t.number("interval", "time between stored states [s]").positive().time().or_as("end / 100", end / 100.0);
    let every = step.max(end / HISTORY_ROWS);
    let doc = "time between rows of the history [s]";
    let history = t.number("history_interval", doc).positive().time().or_as("every step, up to 10 000 rows", every);
    let doc = "simulated time between checkpoints [s]";
    let checkpoint = t.number("checkpoint_interval", doc).positive().time().or_as("end / 20", end / 20.0);
    let doc = "write the files for ParaView? Without them a stored state costs a third of the time or less, and nothing else changes";
    let paraview = t.flag("paraview", doc).or(true);
    let doc = "bodies (as in `[[drive]]`) whose resultant of contact forces is a column of the history";
    let names = t.words("resultants", doc).or_as("none", Vec::new());
    let places = match t.node("resultants").map(|node| &node.value) {
        Some(Value::List(items)) => items.iter().map(|item| item.place).collect(),
        _ => Vec::new(),
    };
    let output = Output {
        interval: interval.max(step),
        history_interval: history.max(step),
        checkpoint_interval: checkpoint.max(step),
        paraview,
        resultants: Vec::new(),
    };
    (output, names.into_iter().zip(places).collect())
}
