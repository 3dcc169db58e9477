//! Reading `[[stage]]`, and which stage a quantity in time begins with.

use super::document::{Problem, Table, suggest};
use super::settings::{self, quasi_static};
use super::spec::{KickSpec, SceneSpec, StageChanges};
use super::{History, Stage, Time, contacts, motions};

/// Default of the out-of-balance force that counts as equilibrium, relative to the weight.
pub const EQUILIBRIUM: f64 = 1e-3;

/// What a `[[stage]]` says; what it does not say, `[time]` or the stage before does.
pub struct StageSpec {
    changes: StageChanges,
    name: String,
    duration: f64,
    equilibrium: Option<f64>,
    step: Option<f64>,
    cancel_velocities: Option<bool>,
}

/// Reads one `[[stage]]`.
pub fn stage(t: &Table) -> Option<StageSpec> {
    let name = t.text("name", "name of the stage: loads and drives refer to it").required();
    let duration =
        t.number("duration", "how long it lasts; with until = \"equilibrium\", at most [s]").positive().time();
    let duration = duration.required();
    let equilibrium = until(t);
    let step = t.number("step", "time step of this stage [s] [default: that of `[time]`]").positive().time().optional();
    let cancel_velocities = quasi_static(t).optional();
    let changes = changes(t);
    let name = name?;
    if t.reader.stages.borrow().contains(&name) {
        t.wrong("name", format!("the name `{name}` is taken already"), "second use");
        return None;
    }
    t.reader.stages.borrow_mut().push(name.clone());
    let duration = duration?;
    if let Some(step) = step.filter(|step| *step > duration) {
        let [step, duration] = [step, duration].map(|time| time / t.reader.time_unit.get().seconds());
        let message = format!("`{}` = {step} is longer than the stage: `duration` = {duration}", t.path_of("step"));
        t.wrong("step", message, "too long");
        return None;
    }
    Some(StageSpec { changes: changes?, name, duration, equilibrium, step, cancel_velocities })
}

/// What it changes besides; none if something of it could not be read.
fn changes(t: &Table) -> Option<StageChanges> {
    let number = t.reader.stages.borrow().len();
    let gravity = t.table("gravity", "gravity from now on", |t| motions::gravity_of_stage(t, number));
    let gravity = if t.has("gravity") { Some(gravity.optional()?) } else { gravity.optional() };
    let doc = "laws of contact from now on, in place of those before, also of those that name materials where these say \"any\"";
    let contacts: Option<Vec<_>> = t.list("contact", doc, contacts::contact).into_iter().collect();
    let solver = t.section("solver", "settings of the contact solver from now on", settings::solver_changes);
    let kicks: Option<Vec<_>> =
        t.list("velocity", "velocities given to rigid bodies at its start", kick).into_iter().collect();
    let removed = t.words("remove", "rigid bodies (as in `[[drive]]`) that are taken away").or_as("none", Vec::new());
    let removed = removed.into_iter().map(|name| (name, t.place_of("remove"))).collect();
    Some(StageChanges { gravity, contacts: contacts?, solver, kicks: kicks?, removed })
}

fn kick(t: &Table) -> Option<KickSpec> {
    let bodies = motions::selection(t);
    let velocity = t.vector("velocity", "velocity of each centre of mass [m/s]").or_as("0", [0.0; 3]);
    let spin = t.angular("spin", "angular velocity of each [rad/s]").or_as("0", [0.0; 3]);
    Some(KickSpec { bodies: bodies?, velocity, spin })
}

/// `until` and `tolerance`: the out-of-balance force at which a stage or a run ends by itself.
pub fn until(t: &Table) -> Option<f64> {
    let ways = [
        ("time", "the time is over", false),
        ("equilibrium", "all histories rest and the out-of-balance force is small", true),
    ];
    let equilibrium = t.choice("until", "when it ends", &ways).or_as("\"time\"", false);
    let doc = "with until = \"equilibrium\": out-of-balance force that ends it, relative to the weight and other loads";
    let tolerance = t.number("tolerance", doc).check(|x| (1e-12..=0.1).contains(x), "from 1e-12 to 0.1");
    let tolerance = tolerance.or(EQUILIBRIUM);
    if t.has("tolerance") && !equilibrium {
        let message = format!("`{}` needs until = \"equilibrium\"", t.path_of("tolerance"));
        t.wrong("tolerance", message, "of what?");
    }
    equilibrium.then_some(tolerance)
}

/// The stages with what `[time]` says, and what they change; `[time] until = "equilibrium"` alone is one stage.
pub fn stages(specs: Vec<StageSpec>, time: &Time, alone: Option<f64>) -> (Vec<Stage>, Vec<StageChanges>) {
    let Time { step, end, cancel_velocities, .. } = *time;
    if let (true, Some(_)) = (specs.is_empty(), alone) {
        let name = "equilibrium".to_string();
        let stage = Stage { name, duration: end, equilibrium: alone, step, cancel_velocities };
        return (vec![stage], vec![StageChanges::default()]);
    }
    let stage = |s: StageSpec| {
        let stage = Stage {
            name: s.name,
            duration: s.duration,
            equilibrium: s.equilibrium,
            step: s.step.unwrap_or(step),
            cancel_velocities: s.cancel_velocities.unwrap_or(cancel_velocities),
        };
        (stage, s.changes)
    };
    specs.into_iter().map(stage).unzip()
}

/// How long all stages last at most [s].
pub fn longest(specs: &[StageSpec]) -> f64 {
    specs.iter().map(|s| s.duration).sum()
}

/// Complains if equilibrium is looked for while something never rests.
pub fn check_rest(t: &Table, spec: &SceneSpec) {
    let ground = spec.ground_acceleration.iter().map(|(_, history)| history);
    let moved = spec.drives.iter().map(|d| &d.history).chain(spec.loads.iter().map(|l| &l.history));
    let pressed = spec.membranes.iter().map(|m| &m.pressure);
    let gravities = std::iter::once(&spec.gravity).chain(spec.changes.iter().filter_map(|c| c.gravity.as_ref()));
    let gravities =
        gravities.flat_map(|g| std::iter::once(&g.history).chain(g.tilt.iter().map(|(_, history)| history)));
    let strains = spec.cell.iter().flat_map(|cell| cell.strains.iter().map(|strain| &strain.history));
    let stresses = spec.cell.iter().flat_map(|cell| cell.servos.iter().map(|servo| &servo.stress));
    let mut histories = gravities.chain(strains).chain(stresses).chain(ground).chain(moved).chain(pressed);
    if spec.stages.iter().any(|s| s.equilibrium.is_some()) && histories.any(History::never_rests) {
        let message = "equilibrium is looked for, but a sine without `end` never rests";
        let help = "give the sine an `end`, or end the stages by their `duration`";
        t.reader.report(Problem::new(t.place, message, "never in equilibrium").help(help));
    }
}

/// When a quantity begins.
pub struct Beginning(Option<usize>);

impl Beginning {
    /// With a stage.
    pub fn of_stage(stage: usize) -> Self {
        Self(Some(stage))
    }

    /// The stage, if it is not from the start.
    pub fn stage(&self) -> Option<usize> {
        self.0
    }

    /// The quantity, put off.
    pub fn of(&self, history: History) -> History {
        match self.0 {
            None => history,
            Some(stage) => History::Staged { stage, start: f64::INFINITY, then: Box::new(history) },
        }
    }
}

/// `stage = NAME`, for several quantities; nothing if there is no such stage.
pub fn beginning(t: &Table) -> Option<Beginning> {
    let doc = "it begins with this stage, 0 before; times count from there [default: from the start]";
    stage_named(t, "stage", doc).map(Beginning)
}

/// The number of the stage that a key names, if it is given; nothing if there is no such stage.
pub fn stage_named(t: &Table, key: &'static str, doc: &'static str) -> Option<Option<usize>> {
    let Some(name) = t.text(key, doc).optional() else { return Some(None) };
    let stages = t.reader.stages.borrow();
    let found = stages.iter().position(|s| *s == name);
    if found.is_none() {
        let known: Vec<&str> = stages.iter().map(String::as_str).collect();
        let problem = Problem::new(t.place_of(key), format!("unknown stage `{name}`"), "not in [[stage]]");
        t.reader.report(problem.help(suggest(&name, "stages", &known)));
    }
    found.map(Some)
}
