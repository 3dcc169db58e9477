//! Results folders, also those that lost something: a warning tells what is missing, and the rest is read.

use cairn::output::{self, Manifest, Stored};
use cairn::scene::{self, AnyScene, Loaded, TimeUnit};
use cairn::space::{Ambient, Space};
use cairn::state::State;
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// Refuses what is no folder, and a folder without one of the `needed` files.
pub fn require(dir: &Path, needed: &[&'static str]) -> miette::Result<()> {
    let incomplete = |missing| output::Error::Incomplete { dir: dir.to_path_buf(), missing };
    if !dir.is_dir() {
        return Err(incomplete("the folder itself")).into_diagnostic();
    }
    match needed.iter().find(|f| !dir.join(f).exists()) {
        Some(missing) => Err(incomplete(missing)).into_diagnostic(),
        None => Ok(()),
    }
}

/// Title of a run; a warning and the name of the folder if the manifest cannot be read.
pub fn title(dir: &Path) -> String {
    match Manifest::read(dir) {
        Ok(manifest) => manifest.title,
        Err(error) => {
            eprintln!("warning: {error}; the title is the name of the folder");
            name(dir)
        }
    }
}

/// Name of a run in legends.
pub fn name(dir: &Path) -> String {
    let name = dir.file_name().map_or("run".into(), |n| n.to_string_lossy().into_owned());
    name.strip_suffix(".results").unwrap_or(&name).to_string()
}

/// The scene of a results folder with stored states.
pub fn load(dir: &Path) -> miette::Result<Loaded> {
    require(dir, &["states.cairn", "scene"])?;
    let found = output::find_scene(dir).ok_or_else(|| {
        miette!(help = "without it nobody knows the bodies of the stored states", "{} holds no scene", dir.display())
    })?;
    if let Some(problem) = &found.problem {
        eprintln!("warning: {problem}");
    }
    Ok(scene::read(&found.file, &found.overrides)?)
}

/// The unit of times of a run; seconds if its scene is lost.
pub fn time_unit(dir: &Path) -> TimeUnit {
    let found = output::find_scene(dir).and_then(|found| scene::read(&found.file, &found.overrides).ok());
    found.map_or(TimeUnit::Second, |loaded| match loaded.scene {
        AnyScene::Plane(scene) => scene.time.unit,
        AnyScene::Solid(scene) => scene.time.unit,
    })
}

/// The stored states of a folder; a warning tells what of them is lost.
pub fn stored<const D: usize>(dir: &Path) -> miette::Result<Stored<D>>
where
    Space<D>: Ambient<D>,
{
    let stored = Stored::open(dir).into_diagnostic()?;
    if let Some(damage) = &stored.damage {
        eprintln!("warning: {damage}");
    }
    Ok(stored)
}

/// The state nearest to a time; if that is damaged, a warning and the whole one nearest to it.
pub fn nearest<const D: usize>(stored: &mut Stored<D>, time: Option<f64>) -> miette::Result<State<D>>
where
    Space<D>: Ambient<D>,
{
    let wanted = stored.nearest(time.unwrap_or(f64::INFINITY));
    let mut order: Vec<usize> = (0..stored.times().len()).collect();
    order.sort_by_key(|k| k.abs_diff(wanted));
    let mut last = miette!("no stored state");
    for k in order {
        match stored.read(k) {
            Ok(frame) => return Ok(frame),
            Err(error) => {
                eprintln!("warning: state {k} at t = {} s is left out: {error}", stored.times()[k]);
                last = miette!("{error}");
            }
        }
    }
    Err(last)
}
