//! `cairn run` and `cairn resume`.

use crate::args::{self, Overrides, Show};
use crate::check::{checked, scene_in};
use crate::picture::draw_last_state;
use crate::plot::draw_history;
use crate::print::out;
use crate::progress::{Progress, duration};
use crate::{INTERRUPTED, SUCCESS};
use cairn::output::{self, Progress as Ending, Results, Run};
use cairn::run::{self, Contract, Go, Summary};
use cairn::scene::{self, AnyScene, Loaded, Scene, TimeUnit};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn_solvers::watch::Watch;
use miette::{IntoDiagnostic, miette};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;

/// Exit code of a run that went to its end but did not keep to what the scene asks for.
const BROKEN_CONTRACT: u8 = 3;

/// Makes the pool of threads; all cores unless told otherwise. A process has one: a second command uses that of the first.
pub fn use_threads(threads: Option<u16>) -> miette::Result<()> {
    let number = threads.map_or(0, usize::from);
    let made = rayon::ThreadPoolBuilder::new().num_threads(number).build_global();
    if made.is_err() && (number == 0 || number == rayon::current_num_threads()) {
        return Ok(());
    }
    made.into_diagnostic()
}

/// What signals and the run share. A process can catch a signal only once: all its runs have this.
static WATCH: LazyLock<Arc<Watch>> = LazyLock::new(Arc::default);

/// Is this process one of many runs, which a signal stops all?
static MANY: AtomicBool = AtomicBool::new(false);

/// From now on a signal stops all runs of this process, also those that have not begun.
pub fn keep_stopped() {
    MANY.store(true, Ordering::Relaxed);
}

/// Begins a run of a study, or goes on with it, without a word; false if it was stopped.
pub fn finished(scene_file: &Path, set: &[(String, String)], dir: &Path) -> miette::Result<bool> {
    let show = Show { quiet: true, log: false, threads: None, no_picture: true };
    let overrides = Overrides { set: if dir.exists() { Vec::new() } else { set.to_vec() } };
    let code = if dir.exists() {
        resume_in_pool(&args::Resume { folder: dir.to_path_buf(), end: None, salvage: false, overrides, show })?
    } else {
        let (scene, output) = (scene_file.to_path_buf(), Some(dir.to_path_buf()));
        run_in_pool(&args::Run { scene, output, overwrite: false, overrides, show })?
    };
    Ok(code != INTERRUPTED)
}

/// The watch of a run that begins. Ctrl-C and its like stop the run with a checkpoint, also in the middle of a step, which is given up; a
/// second one ends the program at once: what the last checkpoint promised is on the disk.
fn watch() -> miette::Result<Arc<Watch>> {
    static CAUGHT: OnceLock<Result<(), String>> = OnceLock::new();
    let heard = || {
        if WATCH.is_stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        WATCH.stop();
        if std::io::stderr().is_terminal() {
            eprintln!("stopping with a checkpoint; once more ends at once");
        }
    };
    CAUGHT.get_or_init(|| ctrlc::set_handler(heard).map_err(|e| e.to_string())).clone().map_err(|e| miette!("{e}"))?;
    if !MANY.load(Ordering::Relaxed) {
        WATCH.go_on();
    }
    Ok(WATCH.clone())
}

/// Runs `cairn run`.
pub fn run(args: &args::Run) -> miette::Result<u8> {
    use_threads(args.show.threads)?;
    run_in_pool(args)
}

fn run_in_pool(args: &args::Run) -> miette::Result<u8> {
    let scene_file = scene_in(&args.scene)?;
    let loaded = checked(&scene_file, &args.overrides.set, args.show.quiet)?;
    let default = || {
        let dir = output::default_dir(&scene_file);
        if args.overwrite { dir } else { output::free_dir(&dir) }
    };
    let dir = args.output.clone().unwrap_or_else(default);
    let overrides = args.overrides.set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let Loaded { scene, sources, .. } = loaded;
    match scene {
        AnyScene::Plane(scene) => start(scene, (scene_file, sources), overrides, &dir, args),
        AnyScene::Solid(scene) => start(scene, (scene_file, sources), overrides, &dir, args),
    }
}

fn start<const D: usize>(
    scene: Scene<D>,
    (scene_file, sources): (PathBuf, Vec<PathBuf>),
    overrides: Vec<String>,
    dir: &Path,
    args: &args::Run,
) -> miette::Result<u8>
where
    Space<D>: Ambient<D>,
{
    let run = Run { scene_file, sources, overrides, columns: run::columns(&scene) };
    let results = Results::create(dir, args.overwrite, &scene, &run).map_err(|error| match error {
        output::Error::Exists { .. } => {
            miette!(
                help = "--overwrite replaces it, -o DIR writes elsewhere, `cairn resume DIR` goes on with it",
                "{error}"
            )
        }
        other => miette!("{other}"),
    })?;
    go_on(Simulation::new(scene), results, &args.show)
}

/// Runs `cairn resume`.
pub fn resume(args: &args::Resume) -> miette::Result<u8> {
    use_threads(args.show.threads)?;
    resume_in_pool(args)
}

fn resume_in_pool(args: &args::Resume) -> miette::Result<u8> {
    let manifest = output::open(&args.folder).into_diagnostic()?;
    output::unchanged(&args.folder).map_err(|error| {
        miette!(help = "put the files back as they were; a wanted change goes on by --set KEY=VALUE", "{error}")
    })?;
    let mut overrides = manifest.set();
    overrides.extend(args.overrides.set.iter().cloned());
    let file = output::scene_file(&args.folder).into_diagnostic()?;
    let begun = scene::read(&file, &overrides)?.scene;
    let is_set = args.overrides.set.iter().any(|(key, _)| key == "time.end");
    if let Some(end) = args.end.or(Some(manifest.end).filter(|_| !is_set)) {
        overrides.push(("time.end".to_string(), end.to_string()));
    }
    // Intervals of output may be parts of the end that the run began with: they stay as they were.
    match (begun, scene::read(&file, &overrides)?.scene) {
        (AnyScene::Plane(begun), AnyScene::Plane(scene)) => reopen(Scene { output: begun.output, ..scene }, args),
        (AnyScene::Solid(begun), AnyScene::Solid(scene)) => reopen(Scene { output: begun.output, ..scene }, args),
        _ => unreachable!("the same file has one dimension"),
    }
}

fn reopen<const D: usize>(scene: Scene<D>, args: &args::Resume) -> miette::Result<u8>
where
    Space<D>: Ambient<D>,
{
    if args.salvage {
        let aside = output::salvage::<D>(&args.folder).into_diagnostic()?;
        if !args.show.quiet {
            out(&format!("what the run had written is copied to {}\n", aside.display()));
        }
    }
    let set: Vec<String> = args.overrides.set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let (results, restored) = Results::resume(&args.folder, &scene, &run::columns(&scene), &set).into_diagnostic()?;
    let Some(restored) = restored else {
        if !args.show.quiet {
            out("the run was stopped before its first checkpoint: it begins again\n");
        }
        return go_on(Simulation::new(scene), results, &args.show);
    };
    // Also of a quiet run: what is lost must not go by unseen.
    restored.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if scene.is_over(&restored.state.stages, restored.state.time) && !args.show.quiet {
        let [time, end] = [restored.state.time, scene.time.end].map(|time| time / scene.time.unit.seconds());
        let unit = scene.time.unit.symbol();
        out(&format!("the run is at its end, {end} {unit}, with t = {time} {unit}; --end T goes on\n"));
    }
    go_on(Simulation::resume(scene, restored.state), results, &args.show)
}

fn go_on<const D: usize>(mut simulation: Simulation<D>, results: Results<D>, show: &Show) -> miette::Result<u8>
where
    Space<D>: Ambient<D>,
{
    let watch = watch()?;
    simulation.work.watch = Some(watch.clone());
    let dir = results.dir().to_path_buf();
    let clock = Instant::now();
    let unit = simulation.scene.time.unit;
    let mut progress = Progress::new(show, simulation.state.step, run::last_step(&simulation.scene), &watch);
    let outcome = run::run(&mut simulation, results, |state, report| {
        progress.step((state.time, unit), state.step, report);
        if watch.is_stopped() { Go::Stop } else { Go::On }
    });
    progress.finish();
    let (ending, summary) = outcome.map_err(|e| {
        let help = match dir.exists() {
            true => format!("the state before the failure is kept: cairn picture {}", dir.display()),
            false => format!("{} was removed or renamed while the run wrote to it", dir.display()),
        };
        miette!(help = help, "{e}")
    })?;
    let picture = match show.no_picture {
        true => None,
        false => {
            draw_history(&dir, unit, &dir.join("history.svg"))?;
            Some(draw_last_state(&simulation, &dir)?)
        }
    };
    if !show.quiet {
        let seconds = clock.elapsed().as_secs_f64();
        out(&text(&summary, ending, seconds, unit));
        out(&format!("results   {}\n", dir.display()));
        if let Some(picture) = picture {
            out(&format!("picture   {}\n", picture.display()));
        }
        if ending == Ending::Stopped {
            out(&format!("go on with: cairn resume {}\n", dir.display()));
        }
    }
    Ok(match ending {
        Ending::Stopped => INTERRUPTED,
        _ if summary.contract.kept || summary.contract.accepted => SUCCESS,
        _ => BROKEN_CONTRACT,
    })
}

/// What the run had to keep to: in one line if it did, with what is broken, where and when if it did not.
fn contract_text(contract: &Contract, unit: TimeUnit) -> String {
    let kept = contract.margins.iter().filter(|m| m.kept);
    let kept: Vec<String> = kept.map(|m| format!("{} {:.1e} of {:.0e}", m.name, m.worst, m.limit)).collect();
    let verdict = match (contract.kept, contract.accepted) {
        (true, _) => "kept",
        (false, true) => "BROKEN, which the scene accepts",
        (false, false) => "BROKEN: see docs/accuracy.md for what to do",
    };
    let mut text = format!("contract  {verdict}\n");
    for m in contract.margins.iter().filter(|m| !m.kept) {
        let [a, b] = &m.between;
        let place = if a.is_empty() { String::new() } else { format!(", between {a} and {b}") };
        text += &format!(
            "          {} broken: {:.1e} {}, {:.1} times the limit of {:.0e}{place} at t = {}\n",
            m.name,
            m.worst,
            m.unit,
            m.worst / m.limit,
            m.limit,
            unit.show(m.time, 6)
        );
    }
    if !kept.is_empty() {
        text += &format!("          within limits: {}\n", kept.join(", "));
    }
    text
}

/// The summary as a user reads it.
fn text(s: &Summary, ending: Ending, seconds: f64, unit: TimeUnit) -> String {
    let ended = if ending == Ending::Stopped { "stopped" } else { "done" };
    let mut text = format!(
        "{ended} at t = {}: {} steps in {}, {} contacts, {:.1} sweeps per step\n",
        unit.show(s.time, 6),
        s.steps,
        duration(seconds),
        s.contacts,
        s.sweeps_per_step
    );
    text += &format!(
        "quality   worst residual {:.1e}, worst penetration {:.1e} m, energy balance {:.1e}, kinetic energy {:.2e} J\n",
        s.worst_residual,
        s.worst_penetration,
        s.energy_balance_error.abs(),
        s.kinetic_energy
    );
    for stage in &s.stages {
        let how = if stage.equilibrium { "equilibrium" } else { "its time was over" };
        text += &format!(
            "stage     {} ended at t = {}, step {}: {how}\n",
            stage.name,
            unit.show(stage.time, 6),
            stage.step
        );
    }
    text += &match (&s.worst_step, s.unconverged_steps) {
        (_, 0) if s.eased_steps > 0 => format!(
            "          every step reached the solver's tolerance, {} of them in the mean of their contacts\n",
            s.eased_steps
        ),
        (_, 0) => "          every step reached the solver's tolerance\n".to_string(),
        (Some(w), n) => {
            // Without a contact that is the worst, masses of deformable bodies are to blame.
            let [one, other] = &w.between;
            let place = match one.is_empty() {
                true => String::new(),
                false => format!(" (residual {:.1e}) between {one} and {other}", w.residual),
            };
            format!("          {n} steps did not converge; the worst is step {}{place}\n", w.step)
        }
        (None, n) => format!("          {n} steps did not converge\n"),
    };
    text += &contract_text(&s.contract, unit);
    if s.painleve_events > 0 {
        let first = s.first_painleve.as_ref();
        let place = first.map(|e| format!("; first at step {} between {} and {}", e.step, e.between[0], e.between[1]));
        text += &format!(
            "          {} contact problems without a unique solution (Painlevé){}: less friction, or a smaller step\n",
            s.painleve_events,
            place.unwrap_or_default()
        );
    }
    for warning in &s.warnings {
        text += &format!("warning   {warning}\n");
    }
    text
}
