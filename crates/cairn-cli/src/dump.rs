//! `cairn dump-problem`: the contact problem of a step as a file for `cairn solve` and for other codes.

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use cairn::output;
use cairn::scene::{self, AnyScene, OnFailure, Scene};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::state::{State, block};
use cairn_solvers::discrete::{self, Problem};
use cairn_solvers::format::{fclib, siconos_dat};
use cairn_solvers::problem::Vect;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// Runs `cairn dump-problem`.
pub fn command(args: &args::DumpProblem) -> miette::Result<u8> {
    crate::run::use_threads(args.threads)?;
    let results = args.source.is_dir().then_some(args.source.as_path());
    let mut overrides = Vec::new();
    let mut scene_file = args.source.clone();
    if let Some(dir) = results {
        let manifest = output::open(dir).into_diagnostic()?;
        overrides.extend(manifest.set());
        scene_file = output::scene_file(dir).into_diagnostic()?;
    }
    overrides.extend(args.overrides.set.iter().cloned());
    let target = args.output.clone().unwrap_or_else(|| default_target(&args.source, args.step));
    match scene::read(&scene_file, &overrides)?.scene {
        AnyScene::Plane(scene) => dump(scene, results, args, &target),
        AnyScene::Solid(scene) => dump(scene, results, args, &target),
    }
}

/// NAME-STEP.hdf5 in the current folder, NAME being that of the scene or of its results.
fn default_target(source: &Path, step: u64) -> PathBuf {
    let results = if source.is_dir() { source.to_path_buf() } else { output::default_dir(source) };
    let name = results.file_stem().unwrap_or(results.as_os_str()).to_string_lossy().into_owned();
    PathBuf::from(format!("{name}-{step}.hdf5"))
}

fn dump<const D: usize>(
    scene: Scene<D>,
    results: Option<&Path>,
    args: &args::DumpProblem,
    target: &Path,
) -> miette::Result<u8>
where
    Space<D>: Ambient<D>,
{
    let step = args.step;
    let kind = target.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if !["hdf5", "h5", "dat"].contains(&kind) {
        return Err(miette!("{}: the name must end in .hdf5 (FCLIB) or .dat", target.display()));
    }
    let title = format!("{}, step {step}", scene.title);
    let mut simulation = match results.map(|dir| stored_before(&scene, dir, step)).transpose()?.flatten() {
        Some(state) => Simulation::resume(scene, state),
        None => Simulation::new(scene),
    };
    while simulation.state.step < step {
        // The problem is that of the whole step, also if it is one that does not converge.
        if simulation.state.step + 1 == step {
            simulation.scene.solver.on_failure = OnFailure::Accept;
        }
        simulation.step().into_diagnostic()?;
    }
    let (masses, links) = simulation.work.problem();
    let rolls = simulation.work.rolls();
    let misfits = discrete::misfits(links, rolls);
    if !misfits.is_empty() && !args.leave_out {
        let listed = misfits.join(", ");
        return Err(miette!("{}: the file has no place for {listed}; --leave-out writes the rest", target.display()));
    }
    if D == 3 && rolls.iter().any(|roll| roll.arms[0] > 0.0) {
        put(target, &title, &Problem::of_solved_rolling(masses, links, rolls))?;
    } else {
        put(target, &title, &Problem::of_stored(simulation.work.delassus(), links))?;
    }
    let without = if misfits.is_empty() { String::new() } else { format!(", without {}", misfits.join(", ")) };
    let (contacts, time) = (links.len(), simulation.state.time);
    out(&format!("{}: {contacts} contacts in {D}D{without}, t = {time} s\n", target.display()));
    Ok(SUCCESS)
}

/// Writes a problem with its impulses and velocities, as the name of the file says.
fn put<const N: usize>(
    target: &Path,
    title: &str,
    (problem, r, u): &(Problem<N>, Vec<Vect<N>>, Vec<Vect<N>>),
) -> miette::Result<()> {
    let written = match target.extension().and_then(|e| e.to_str()) {
        Some("dat") => std::fs::write(target, siconos_dat::write(problem)).into_diagnostic(),
        _ => fclib::write(target, problem, title, r, u).into_diagnostic(),
    };
    written.wrap_err_with(|| format!("cannot write {}", target.display()))
}

/// The last stored state before a step, if there is one.
fn stored_before<const D: usize>(scene: &Scene<D>, dir: &Path, step: u64) -> miette::Result<Option<State<D>>>
where
    Space<D>: Ambient<D>,
{
    let before = (step as f64 - 0.5) * scene.time.step;
    let times = output::times::<D>(dir).into_diagnostic()?;
    let Some(time) =
        times.into_iter().filter(|&t| t < before).fold(None, |a: Option<f64>, t| Some(a.map_or(t, |a| a.max(t))))
    else {
        return Ok(None);
    };
    let state = output::read_frame::<D>(dir, time).into_diagnostic()?;
    if let Some(difference) = block::difference(&state.blocks, &block::layouts(scene)) {
        return Err(miette!("{}: a stored state holds other bodies than the scene: {difference}", dir.display()));
    }
    Ok(Some(state))
}
