//! Plots of one stored state: forces, directions, velocities.

use super::label;
use crate::results::{load, nearest, stored};
use cairn::measure;
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use cairn::state::State;
use cairn::step::contacts_at_start;
use cairn_draw::{Axis, Panel, Rose, Series, Style, short_number};
use miette::miette;
use std::path::{Path, PathBuf};

/// Something read off a stored state, in 2D and in 3D.
pub(super) trait Reading {
    /// What is read.
    type Gives;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &State<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>;
}

pub(super) fn with_state<R: Reading>(folder: &Path, at: Option<f64>, reading: R) -> miette::Result<R::Gives> {
    Ok(match &load(folder)?.scene {
        AnyScene::Plane(scene) => reading.read(scene, &nearest(&mut stored(folder)?, at)?),
        AnyScene::Solid(scene) => reading.read(scene, &nearest(&mut stored(folder)?, at)?),
    })
}

struct ForcesOf;
impl Reading for ForcesOf {
    type Gives = Vec<f64>;
    fn read<const D: usize>(&self, _: &Scene<D>, frame: &State<D>) -> Vec<f64>
    where
        Space<D>: Ambient<D>,
    {
        measure::normal_forces(&frame.reactions, frame.last_step)
    }
}

struct RoseOf;
impl Reading for RoseOf {
    type Gives = Vec<(f64, f64)>;
    fn read<const D: usize>(&self, _: &Scene<D>, frame: &State<D>) -> Vec<(f64, f64)>
    where
        Space<D>: Ambient<D>,
    {
        measure::rose(&frame.reactions, 18)
    }
}

struct ProfileOf;
impl Reading for ProfileOf {
    type Gives = Vec<Vec<(f64, f64)>>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &State<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let slices = measure::velocity_profile(scene, &frame.motions, D - 1, 20);
        (0..D).map(|k| slices.iter().map(|s| (s.at, s.velocity[k])).collect()).collect()
    }
}

struct EccentricitiesOf;
impl Reading for EccentricitiesOf {
    type Gives = Vec<(f64, f64)>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &State<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let joints = measure::joints(scene, &contacts_at_start(scene), frame);
        let numbered = joints.iter().filter_map(|j| j.relative_eccentricity()).enumerate();
        numbered.map(|(k, e)| (k as f64, e)).collect()
    }
}

/// Where in each joint the force acts.
pub fn eccentricities(folders: &[PathBuf], at: Option<f64>) -> miette::Result<Panel> {
    let mut series = Vec::new();
    for folder in folders {
        let points = with_state(folder, at, EccentricitiesOf)?;
        if points.is_empty() {
            return Err(miette!("{}: no joint carries a force at that time", folder.display()));
        }
        series.push(Series { name: label(folder), style: Style::LinePoints, points });
    }
    Ok(Panel { y: Axis::linear("eccentricity / half width", "-"), series })
}

/// P(f/⟨f⟩) on a log axis, and the fit above the mean.
pub fn forces(folders: &[PathBuf], at: Option<f64>) -> miette::Result<(Axis, Vec<Panel>)> {
    let mut series = Vec::new();
    for folder in folders {
        let pressing: Vec<f64> = with_state(folder, at, ForcesOf)?.into_iter().filter(|f| *f > 0.0).collect();
        if pressing.is_empty() {
            return Err(miette!("{}: no contact carries a force at that time", folder.display()));
        }
        let mean = pressing.iter().sum::<f64>() / pressing.len() as f64;
        let scaled: Vec<f64> = pressing.iter().map(|f| f / mean).collect();
        let name = format!("{}: {} contacts, mean {} N", label(folder), scaled.len(), short_number(mean));
        let points = measure::density(&scaled, 0.0, 30);
        let end = points.last().map_or(2.0, |p| p.0);
        series.push(Series { name, style: Style::Points, points });
        if let Some(fit) = measure::tail(&scaled) {
            let density = |x: f64| fit.share * fit.rate * (-fit.rate * (x - 1.0)).exp();
            let points = (0..=50).map(|k| 1.0 + (end - 1.0) * f64::from(k) / 50.0).map(|x| (x, density(x))).collect();
            let run = if folders.len() > 1 { format!("{}: ", label(folder)) } else { String::new() };
            let name = format!("{run}exp(−β f/⟨f⟩), β = {:.2} ± {:.2}", fit.rate, fit.error);
            series.push(Series { name, style: Style::Dashed, points });
        }
    }
    let y = Axis::log("probability density", "-");
    Ok((Axis::linear("normal force / mean normal force", "-"), vec![Panel { y, series }]))
}

/// Contact directions of each run.
pub fn roses(folders: &[PathBuf], at: Option<f64>) -> miette::Result<Vec<Rose>> {
    let rose = |folder: &PathBuf| Ok(Rose { name: label(folder), sectors: with_state(folder, at, RoseOf)? });
    folders.iter().map(rose).collect()
}

/// Mean velocities in slices along the vertical, one series a component and run.
pub fn profiles(folders: &[PathBuf], at: Option<f64>) -> miette::Result<Panel> {
    let mut series = Vec::new();
    for folder in folders {
        for (axis, points) in ["x", "y", "z"].iter().zip(with_state(folder, at, ProfileOf)?) {
            let name = if folders.len() > 1 { format!("{}: v {axis}", label(folder)) } else { format!("v {axis}") };
            series.push(Series { name, style: Style::LinePoints, points });
        }
    }
    Ok(Panel { y: Axis::linear("mean velocity", "m/s"), series })
}
