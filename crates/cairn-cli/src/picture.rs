//! `cairn picture` and `cairn plot`.

use crate::args;
use crate::print::out;
use cairn::draw::{self, Background, Camera, Field, PictureOptions};
use cairn::output::{self, Column, History};
use cairn::scene::{self, AnyScene, Scene};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use miette::{IntoDiagnostic, miette};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs `cairn picture`.
pub fn picture(args: &args::Picture) -> miette::Result<ExitCode> {
    let manifest = output::open(&args.folder).into_diagnostic()?;
    let overrides: Vec<_> = manifest.overrides.iter().filter_map(|o| o.split_once('=')).collect();
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let loaded = scene::read(&output::scene_file(&args.folder).into_diagnostic()?, &overrides)?;
    let path = match &loaded.scene {
        AnyScene::Plane(scene) => stored_state(scene, args),
        AnyScene::Solid(scene) => stored_state(scene, args),
    }?;
    out(&format!("{}\n", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn stored_state<const D: usize>(scene: &Scene<D>, args: &args::Picture) -> miette::Result<PathBuf>
where
    Space<D>: Ambient<D>,
{
    let frame = output::read_frame::<D>(&args.folder, args.at.unwrap_or(f64::INFINITY)).into_diagnostic()?;
    let path = args.output.clone().unwrap_or_else(|| args.folder.join(format!("picture-{:.6}.png", frame.time)));
    let options = options(args)?;
    let picture = draw::picture(scene, &frame.motions, &frame.reactions, frame.time, &options);
    picture.write(&path).into_diagnostic()?;
    Ok(path)
}

fn options(args: &args::Picture) -> miette::Result<PictureOptions> {
    let field = match &args.field {
        None => Field::None,
        Some(name) => name.parse().map_err(|e| miette!("--field {name}: {e}"))?,
    };
    let background = if args.dark { Background::Dark } else { Background::Light };
    let camera = args.camera.as_deref().map(camera).transpose()?.unwrap_or_default();
    Ok(PictureOptions { width: args.width, field, forces: args.forces, camera, background, ..Default::default() })
}

fn camera(text: &str) -> miette::Result<Camera> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|t| t.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([azimuth, elevation]) => Ok(Camera { azimuth: *azimuth, elevation: *elevation, zoom: 1.0 }),
        Ok([azimuth, elevation, zoom]) if *zoom > 0.0 => {
            Ok(Camera { azimuth: *azimuth, elevation: *elevation, zoom: *zoom })
        }
        _ => Err(miette!("--camera takes AZIMUTH,ELEVATION[,ZOOM] in degrees, as in 30,20,1.5; found {text:?}")),
    }
}

/// Draws the state that a run ended with, forces and all.
pub fn draw_last_state<const D: usize>(simulation: &Simulation<D>, dir: &Path) -> miette::Result<PathBuf>
where
    Space<D>: Ambient<D>,
{
    let path = dir.join("picture.png");
    let state = &simulation.state;
    let picture =
        draw::picture(&simulation.scene, &state.motions, &state.reactions, state.time, &PictureOptions::default());
    picture.write(&path).into_diagnostic()?;
    Ok(path)
}

/// Runs `cairn plot`.
pub fn plot(args: &args::Plot) -> miette::Result<ExitCode> {
    let path = args.output.clone().unwrap_or_else(|| args.folder.join("history.svg"));
    draw_history(&args.folder, &path)?;
    out(&format!("{}\n", path.display()));
    Ok(ExitCode::SUCCESS)
}

/// Plots the history of a results folder.
pub fn draw_history(dir: &Path, path: &Path) -> miette::Result<()> {
    let manifest = output::open(dir).into_diagnostic()?;
    let history = History::read(dir).into_diagnostic()?;
    for bad in &history.damaged {
        eprintln!("warning: {}, line {} of the history: {}", dir.display(), bad.line, bad.problem);
    }
    let columns: Vec<_> = history.columns.iter().map(|Column { name, unit }| (name, unit)).collect();
    draw::history_plot(&manifest.title, &columns, &history.rows).write(path).into_diagnostic()
}
