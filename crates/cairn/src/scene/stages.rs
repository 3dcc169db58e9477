//! Reading `[[stage]]`, and which stage a quantity in time begins with.

use super::document::{Problem, Table, suggest};
use super::settings::quasi_static;
use super::spec::SceneSpec;
use super::{History, Stage, Time};

/// Default of the out-of-balance force that counts as equilibrium, relative to the weight.
pub const EQUILIBRIUM: f64 = 1e-3;

/// What a `[[stage]]` says; what it does not say, `[time]` does.
pub struct StageSpec {
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
    Some(StageSpec { name, duration, equilibrium, step, cancel_velocities })
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

/// The stages with what `[time]` says; `[time] until = "equilibrium"` alone is one stage.
pub fn stages(specs: Vec<StageSpec>, time: &Time, alone: Option<f64>) -> Vec<Stage> {
    let Time { step, end, cancel_velocities, .. } = *time;
    if let (true, Some(_)) = (specs.is_empty(), alone) {
        let name = "equilibrium".to_string();
        return vec![Stage { name, duration: end, equilibrium: alone, step, cancel_velocities }];
    }
    let stage = |s: StageSpec| Stage {
        name: s.name,
        duration: s.duration,
        equilibrium: s.equilibrium,
        step: s.step.unwrap_or(step),
        cancel_velocities: s.cancel_velocities.unwrap_or(cancel_velocities),
    };
    specs.into_iter().map(stage).collect()
}

/// How long all stages last at most [s].
pub fn longest(specs: &[StageSpec]) -> f64 {
    specs.iter().map(|s| s.duration).sum()
}

/// Complains if equilibrium is looked for while something never rests.
pub fn check_rest(t: &Table, spec: &SceneSpec) {
    fn never_rests(history: &History) -> bool {
        match history {
            History::Staged { then, .. } => never_rests(then),
            plain => plain.settles() == f64::INFINITY,
        }
    }
    let ground = spec.ground_acceleration.iter().map(|(_, history)| history);
    let moved = spec.drives.iter().map(|d| &d.history).chain(spec.loads.iter().map(|l| &l.history));
    let pressed = spec.membranes.iter().map(|m| &m.pressure);
    let mut histories = std::iter::once(&spec.gravity.1).chain(ground).chain(moved).chain(pressed);
    if spec.stages.iter().any(|s| s.equilibrium.is_some()) && histories.any(never_rests) {
        let message = "equilibrium is looked for, but a sine without `end` never rests";
        let help = "give the sine an `end`, or end the stages by their `duration`";
        t.reader.report(Problem::new(t.place, message, "never in equilibrium").help(help));
    }
}

/// `stage = NAME`: puts a quantity off until that stage begins.
pub fn from_stage(t: &Table, history: History) -> Option<History> {
    Some(beginning(t)?.of(history))
}

/// When a quantity begins.
pub struct Beginning(Option<usize>);

impl Beginning {
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
    let Some(name) = t.text("stage", doc).optional() else { return Some(Beginning(None)) };
    let stages = t.reader.stages.borrow();
    let found = stages.iter().position(|s| *s == name);
    if found.is_none() {
        let known: Vec<&str> = stages.iter().map(String::as_str).collect();
        let problem = Problem::new(t.place_of("stage"), format!("unknown stage `{name}`"), "not in [[stage]]");
        t.reader.report(problem.help(suggest(&name, "stages", &known)));
    }
    found.map(|stage| Beginning(Some(stage)))
}
