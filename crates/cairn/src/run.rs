//! A run: steps, and what is written at which of them. Everything is scheduled by the number of the step, so that an
//! interrupted run that is resumed writes what an uninterrupted one writes.

mod warnings;

use crate::contact::Bond;
use crate::measure;
use crate::output::{Column, Progress, Results};
use crate::scene::{Scene, Stage, StageStart};
use crate::simulation::Simulation;
use crate::space::{Ambient, Space};
use crate::state::{Margin, State};
use crate::step::{StepError, StepReport};
use serde::Serialize;
use warnings::Warnings;

/// A failed run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The results could not be written.
    #[error(transparent)]
    Output(#[from] crate::output::Error),
}

/// Whether to go on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// On.
    On,
    /// Save a checkpoint and stop.
    Stop,
}

/// The last word on a run: how long, how good. Never hides a bad step.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Steps done since the start of the scene.
    pub steps: u64,
    /// Time reached [s].
    pub time: f64,
    /// Contacts in the last step.
    pub contacts: usize,
    /// Mean number of sweeps per step.
    pub sweeps_per_step: f64,
    /// Worst residual of a step.
    pub worst_residual: f64,
    /// Steps that did not converge.
    pub unconverged_steps: u64,
    /// Steps that converged by the mean of their contacts, the worst being above the tolerance.
    pub eased_steps: u64,
    /// The worst of the steps that did not converge in this session: step, residual, bodies.
    pub worst_step: Option<WorstStep>,
    /// Worst penetration [m].
    pub worst_penetration: f64,
    /// What the run had to keep to, and whether it did.
    pub contract: Contract,
    /// Local problems without a unique solution.
    pub painleve_events: u64,
    /// The first of these in this session: step and bodies.
    pub first_painleve: Option<Event>,
    /// Relative error of the energy balance.
    pub energy_balance_error: f64,
    /// Kinetic energy at the end [J].
    pub kinetic_energy: f64,
    /// Dissipated by friction [J].
    pub dissipated_by_friction: f64,
    /// Dissipated by rolling resistance [J].
    pub dissipated_by_rolling: f64,
    /// Dissipated by shocks [J].
    pub dissipated_by_shocks: f64,
    /// Dissipated by damage of joints [J].
    pub dissipated_by_damage: f64,
    /// Bonds lost.
    pub broken_bonds: u64,
    /// What a user should know beside the numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The stages that have ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageEnd>,
}

/// What a run had to keep to (`[accuracy]` of the scene).
#[derive(Clone, Debug, Serialize)]
pub struct Contract {
    /// Every step converged and every margin is within its limit.
    pub kept: bool,
    /// A broken one is accepted by the scene.
    pub accepted: bool,
    /// One by one.
    pub margins: Vec<MarginReport>,
}

/// A margin over the run, and its limit; both without a unit.
#[derive(Clone, Debug, Serialize)]
pub struct MarginReport {
    /// Key of its limit in `[accuracy]`.
    pub name: &'static str,
    /// What it is relative to.
    pub unit: &'static str,
    /// The worst of the run.
    pub worst: f64,
    /// The most that the scene allows.
    pub limit: f64,
    /// The worst is not above the limit.
    pub kept: bool,
    /// When it was worst [s].
    pub time: f64,
    /// Between which bodies.
    pub between: [String; 2],
}

/// Key of a margin's limit in `[accuracy]`, and what the margin is relative to.
fn naming(margin: Margin) -> (&'static str, &'static str) {
    let half_width = "half widths of the smaller body";
    match margin {
        Margin::Penetration => ("penetration", half_width),
        Margin::Sliding => ("sliding", half_width),
        Margin::Motion => ("motion", half_width),
        Margin::Impulse => ("impulse", "of the largest impulse"),
        Margin::SelfStress => ("self_stress", "times what loads explain"),
        Margin::Energy => ("energy", "of the energy that passed through, out of nothing"),
    }
}

/// What the run has kept to so far.
fn contract<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Contract
where
    Space<D>: Ambient<D>,
{
    let report = |margin: Margin| {
        let (worst, limit) = (state.ledger.margins[margin as usize], scene.accuracy.limits[margin as usize]);
        let (name, unit) = naming(margin);
        let has_bodies = worst.value > 0.0 && margin != Margin::Energy;
        let between = if has_bodies { worst.bodies.map(|b| scene.body_name(b)) } else { Default::default() };
        let kept = worst.value <= limit;
        MarginReport { name, unit, worst: worst.value, limit, kept, time: worst.time, between }
    };
    let margins: Vec<MarginReport> = Margin::ALL.into_iter().map(report).collect();
    let kept = state.ledger.unconverged == 0 && margins.iter().all(|m| m.kept);
    Contract { kept, accepted: scene.accuracy.accept, margins }
}

/// How a stage ended.
#[derive(Clone, Debug, Serialize)]
pub struct StageEnd {
    /// Its name.
    pub name: String,
    /// Its last step.
    pub step: u64,
    /// When it ended [s].
    pub time: f64,
    /// Was equilibrium found before its time was over?
    pub equilibrium: bool,
}

/// The stages of a state that have ended.
fn ended<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Vec<StageEnd>
where
    Space<D>: Ambient<D>,
{
    let ended = scene.stages.iter().zip(state.stages.windows(2));
    let end = |(stage, ends): (&Stage, &[StageStart])| StageEnd {
        name: stage.name.clone(),
        step: ends[1].step,
        time: ends[1].time,
        equilibrium: stage.equilibrium.is_some()
            && ((ends[1].step - ends[0].step) as f64 + 0.5) * stage.step < stage.duration,
    };
    ended.map(end).collect()
}

/// A step that did not converge.
#[derive(Clone, Debug, Serialize)]
pub struct WorstStep {
    /// Step.
    pub step: u64,
    /// Its residual.
    pub residual: f64,
    /// Bodies of the worst contact.
    pub between: [String; 2],
}

/// Something that happened between two bodies.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    /// Step.
    pub step: u64,
    /// Bodies.
    pub between: [String; 2],
}

/// Columns of the history after step and time.
pub fn columns<const D: usize>(scene: &Scene<D>) -> Vec<Column>
where
    Space<D>: Ambient<D>,
{
    let mut columns = vec![
        Column::new("kinetic energy", "J"),
        Column::new("potential energy", "J"),
        Column::new("strain energy", "J"),
        Column::new("work of loads", "J"),
        Column::new("work of drives", "J"),
        Column::new("dissipated by friction", "J"),
        Column::new("dissipated by rolling", "J"),
        Column::new("dissipated by shocks", "J"),
        Column::new("dissipated by damage", "J"),
        Column::new("dissipated by scheme", "J"),
        Column::new("dissipated by damping", "J"),
        Column::new("dissipated by materials", "J"),
        Column::new("dissipated by plastic flow", "J"),
        Column::new("dissipated by viscosity", "J"),
        Column::new("taken by velocity cancelling", "J"),
        Column::new("energy of joints", "J"),
        Column::new("energy balance error", "-"),
        Column::new("contacts", "-"),
        Column::new("active contacts", "-"),
        Column::new("bonded contacts", "-"),
        Column::new("broken bonds", "-"),
        Column::new("sweeps", "-"),
        Column::new("residual", "-"),
        Column::new("worst penetration", "m"),
        Column::new("margin of normal velocity", "m/s"),
        Column::new("margin of sliding velocity", "m/s"),
        Column::new("margin of impulse", "N·s"),
        Column::new("Painlevé events", "-"),
        Column::new("parts of the step", "-"),
    ];
    columns.extend(Margin::ALL.map(|margin| Column::new(format!("margin {}", naming(margin).0), "-")));
    if !scene.flexibles.is_empty() {
        columns.extend([Column::new("Newton iterations", "-"), Column::new("out of balance in Newton", "-")]);
    }
    if !scene.stages.is_empty() {
        columns.extend([Column::new("stage", "-"), Column::new("out-of-balance force", "-")]);
    }
    if has_fictitious_masses(scene) {
        columns
            .extend([Column::new("inertia over internal forces", "-"), Column::new("fictitious over true mass", "-")]);
    }
    if let Some(cell) = scene.cell.as_ref().filter(|cell| cell.deforms()) {
        let name = |(i, j): (usize, usize)| format!("cell strain {}{}", ["x", "y", "z"][i], ["x", "y", "z"][j]);
        columns.extend(cell.components().map(|component| Column::new(name(component), "-")));
    }
    for (name, _) in &scene.output.resultants {
        columns.extend(["x", "y", "z"][..D].iter().map(|axis| Column::new(format!("{name} force {axis}"), "N")));
    }
    for measure in &scene.measures {
        columns.extend(measure::chosen_columns(measure).into_iter().map(|(name, unit)| Column::new(name, unit)));
    }
    columns
}

/// Values of [`columns`]; those of the step come from its report.
pub fn row<const D: usize>(scene: &Scene<D>, state: &State<D>, report: &StepReport) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let l = &state.ledger;
    let mut row = vec![
        measure::kinetic_energy(scene, &state.motions, &state.fields),
        measure::potential_energy(scene, &state.motions, &state.fields),
        measure::strain_energy(scene, &state.fields),
        l.work_loads,
        l.work_drives,
        l.friction,
        l.rolling,
        l.shocks,
        l.damage,
        l.scheme,
        l.damping,
        l.materials.total(),
        l.materials.plastic,
        l.materials.viscous,
        l.cancelled,
        l.joints,
        measure::balance_error(scene, state),
        report.contacts as f64,
        report.active as f64,
        state.reactions.iter().filter(|r| r.memory().bond == Bond::Whole).count() as f64,
        l.broken as f64,
        report.sweeps as f64,
        report.solver.residual,
        report.penetration,
        report.solver.margins.normal_velocity,
        report.solver.margins.sliding_velocity,
        report.solver.margins.impulse,
        report.solver.painleve as f64,
        f64::from(report.substeps),
    ];
    row.extend(report.margins);
    if !scene.flexibles.is_empty() {
        row.extend([report.iterations as f64, report.out_of_balance]);
    }
    if !scene.stages.is_empty() {
        // The stage that the step belongs to: one that has just begun has no step yet.
        let done = state.stages.iter().filter(|start| start.step < state.step).count();
        row.extend([done.max(1) as f64, report.unbalanced_force]);
    }
    if has_fictitious_masses(scene) {
        row.extend([report.inertia.ratio, report.inertia.scaling]);
    }
    if let Some(cell) = scene.cell.as_ref().filter(|cell| cell.deforms()) {
        row.extend(cell.strain(&state.now()));
    }
    for (_, bodies) in &scene.output.resultants {
        row.extend(measure::resultant(&state.reactions, bodies, state.last_step).iter());
    }
    scene.measures.iter().for_each(|measure| row.extend(measure::chosen_values(scene, state, measure)));
    row
}

fn has_fictitious_masses<const D: usize>(scene: &Scene<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    scene.flexibles.iter().any(|body| body.fictitious.is_some())
}

/// How many steps an interval takes, at least one.
fn every(interval: f64, h: f64) -> u64 {
    ((interval / h).round() as u64).max(1)
}

/// Number of the last step of a scene; with stages, at most.
pub fn last_step<const D: usize>(scene: &Scene<D>) -> u64
where
    Space<D>: Ambient<D>,
{
    if scene.stages.is_empty() {
        return (scene.time.end / scene.time.step).round() as u64;
    }
    scene.stages.iter().map(|stage| (stage.duration / stage.step).round() as u64).sum()
}

/// Steps the simulation to the end of its scene, or until `watch` says stop or a step is interrupted, and closes the results.
/// When a step fails, what was computed before it stays on disk, with a checkpoint to look at or to go on from.
pub fn run<const D: usize>(
    simulation: &mut Simulation<D>,
    mut results: Results<D>,
    mut watch: impl FnMut(&State<D>, &StepReport) -> Go,
) -> Result<(Progress, Summary), RunError>
where
    Space<D>: Ambient<D>,
{
    let output = simulation.scene.output.clone();
    let mut diary = Diary::default();
    let mut progress = Progress::Finished;
    if simulation.state.step == 0 {
        results.append(&simulation.scene, &simulation.state)?;
        results.history_row(0, 0.0, &row(&simulation.scene, &simulation.state, &StepReport::default()))?;
        results.checkpoint(&simulation.state)?;
    }
    while !simulation.is_over() {
        // Counted within the stage, whose step may be its own.
        let h = simulation.scene.time.step;
        let within = simulation.state.step + 1 - simulation.state.stages.last().map_or(0, |since| since.step);
        let stages = simulation.state.stages.len();
        let due = |interval: f64| within.is_multiple_of(every(interval, h));
        let report = match simulation.step() {
            Ok(report) => report,
            // Part of a step is worth nothing: the run goes on later from before it.
            Err(StepError::Interrupted { .. }) => {
                results.checkpoint(&simulation.state)?;
                progress = Progress::Stopped;
                break;
            }
            Err(error) => {
                results.append(&simulation.scene, &simulation.state)?;
                results.checkpoint(&simulation.state)?;
                results.finish(Progress::Stopped, &diary.summary(simulation))?;
                return Err(error.into());
            }
        };
        diary.note(&simulation.scene, &simulation.state, &report);
        let (scene, state) = (&simulation.scene, &simulation.state);
        let last = simulation.is_over();
        let ends = last || state.stages.len() > stages;
        if due(output.history_interval) || ends {
            results.history_row(state.step, state.time, &row(scene, state, &report))?;
        }
        if due(output.interval) || ends {
            results.append(scene, state)?;
        }
        let stop = watch(state, &report) == Go::Stop && !last;
        if due(output.checkpoint_interval) || ends || stop {
            results.checkpoint(state)?;
        }
        if stop {
            progress = Progress::Stopped;
            break;
        }
    }
    let summary = diary.summary(simulation);
    results.finish(progress, &summary)?;
    Ok((progress, summary))
}

/// What a run remembers of its steps for the summary.
#[derive(Clone, Debug, Default)]
pub struct Diary {
    worst_step: Option<WorstStep>,
    first_painleve: Option<Event>,
    warnings: Warnings,
}

impl Diary {
    /// Takes note of a step that was done.
    pub fn note<const D: usize>(&mut self, scene: &Scene<D>, state: &State<D>, report: &StepReport)
    where
        Space<D>: Ambient<D>,
    {
        let names = |b: [u32; 2]| b.map(|i| scene.body_name(i));
        let worse = self.worst_step.as_ref().is_none_or(|w| report.solver.residual > w.residual);
        if !report.solver.converged && worse {
            let between = report.worst_contact.map(names).unwrap_or_default();
            self.worst_step = Some(WorstStep { step: state.step, residual: report.solver.residual, between });
        }
        if let (None, Some(bodies)) = (&self.first_painleve, report.painleve_contact) {
            self.first_painleve = Some(Event { step: state.step, between: names(bodies) });
        }
        self.warnings.note(scene, state, report);
    }

    /// The last word.
    pub fn summary<const D: usize>(&self, simulation: &Simulation<D>) -> Summary
    where
        Space<D>: Ambient<D>,
    {
        let (scene, state, l) = (&simulation.scene, &simulation.state, &simulation.state.ledger);
        Summary {
            steps: state.step,
            time: state.time,
            contacts: state.reactions.len(),
            sweeps_per_step: l.sweeps as f64 / state.step.max(1) as f64,
            worst_residual: l.worst_residual,
            unconverged_steps: l.unconverged,
            eased_steps: l.eased,
            worst_step: self.worst_step.clone(),
            worst_penetration: l.worst_penetration,
            contract: contract(scene, state),
            painleve_events: l.painleve,
            first_painleve: self.first_painleve.clone(),
            energy_balance_error: measure::balance_error(scene, state),
            kinetic_energy: measure::kinetic_energy(scene, &state.motions, &state.fields),
            dissipated_by_friction: l.friction,
            dissipated_by_rolling: l.rolling,
            dissipated_by_shocks: l.shocks,
            dissipated_by_damage: l.damage,
            broken_bonds: l.broken,
            warnings: self.warnings.tell(simulation),
            stages: ended(scene, state),
        }
    }
}
