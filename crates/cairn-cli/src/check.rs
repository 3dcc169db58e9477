//! `cairn check` and `cairn schema`: a scene without running it.

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use cairn::contact::Contact;
use cairn::scene::{self, AnyScene, Loaded, Scene};
use cairn::space::{Ambient, Space};
use cairn::step;
use miette::miette;
use std::path::{Path, PathBuf};

/// The scene file: what was given, or `scene.toml` in it if it is a folder.
pub fn scene_in(given: &Path) -> miette::Result<PathBuf> {
    if !given.is_dir() {
        return Ok(given.to_path_buf());
    }
    let file = given.join("scene.toml");
    if file.is_file() {
        return Ok(file);
    }
    let help = match given.join("run.json").exists() {
        true => format!("it holds the results of a run: `cairn resume {}` goes on with it", given.display()),
        false => "give a scene file, or a folder with a `scene.toml`".to_string(),
    };
    Err(miette!(help = help, "{} is a folder without a scene.toml", given.display()))
}

/// Reads a scene, shows its warnings, and refuses bodies that overlap at the start.
pub fn checked(path: &Path, overrides: &[(String, String)], quiet: bool) -> miette::Result<Loaded> {
    let loaded = scene::read(path, overrides)?;
    let (overlaps, unbonded) = match &loaded.scene {
        AnyScene::Plane(scene) => at_start(scene, loaded.allow_overlap),
        AnyScene::Solid(scene) => at_start(scene, loaded.allow_overlap),
    };
    if !overlaps.errors.is_empty() {
        let help = "move them apart, or say `allow_overlap = true` in [contact_check]";
        return Err(miette!(help = help, "{}: {}", path.display(), overlaps.errors.join("\n")));
    }
    if !quiet {
        let long = match &loaded.scene {
            AnyScene::Plane(scene) => long_step(scene),
            AnyScene::Solid(scene) => long_step(scene),
        };
        for warning in loaded.warnings.iter().map(|w| w.plain()).chain(overlaps.warnings).chain(unbonded).chain(long) {
            eprintln!("warning: {warning}");
        }
    }
    Ok(loaded)
}

/// Steps, in units of the one that is suggested, from which on it is told.
const LONG: f64 = 10.0;

/// A step in which bodies move by about their own size: they may pass each other unseen.
fn long_step<const D: usize>(scene: &Scene<D>) -> Option<String>
where
    Space<D>: Ambient<D>,
{
    let (suggested, why) = scene::suggested_step(scene)?;
    let step = scene.time.step;
    let is_long = step > LONG * suggested && scene.flexibles.is_empty();
    is_long
        .then(|| format!("the step of {step} s is more than {LONG} times the one suggested, {suggested:e} s ({why})"))
}

/// What is wrong with the contacts of the start: bodies that overlap, joints that hold nothing.
fn at_start<const D: usize>(scene: &Scene<D>, allow_overlap: bool) -> (scene::Overlaps, Vec<String>)
where
    Space<D>: Ambient<D>,
{
    let contacts = step::contacts_at_start(scene);
    (scene::overlaps(scene, &contacts, allow_overlap), step::unbonded(scene, &contacts))
}

/// Runs `cairn check`.
pub fn check(args: &args::Check) -> miette::Result<u8> {
    let loaded = checked(&scene_in(&args.scene)?, &args.overrides.set, false)?;
    out(&scene::describe(&loaded.scene));
    out(&match &loaded.scene {
        AnyScene::Plane(scene) => contacts(scene, &step::contacts_at_start(scene)),
        AnyScene::Solid(scene) => contacts(scene, &step::contacts_at_start(scene)),
    });
    Ok(SUCCESS)
}

fn contacts<const D: usize>(scene: &Scene<D>, contacts: &[Contact<D>]) -> String
where
    Space<D>: Ambient<D>,
{
    let touching = contacts.iter().filter(|c| step::is_touching(scene, c)).count();
    let deepest = contacts.iter().fold(0.0, |d, c| f64::max(d, -c.touch.gap));
    let bonded = match step::bonded_at_start(scene, contacts).count() {
        0 => String::new(),
        count => format!(", {count} bonded"),
    };
    format!(
        "contacts    {} candidates in the first step, {touching} touching{bonded}, deepest overlap {deepest:.2e} m\n",
        contacts.len()
    )
}

/// Runs `cairn schema`.
pub fn schema() -> miette::Result<u8> {
    out(&(serde_json::to_string_pretty(&scene::schema()).expect("a schema is plain JSON") + "\n"));
    Ok(SUCCESS)
}
