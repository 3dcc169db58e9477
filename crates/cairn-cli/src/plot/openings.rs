//! How joints open and slip in time.

use super::label;
use crate::results::{load, stored};
use cairn::measure::joints;
use cairn::output::Stored;
use cairn::scene::{AnyScene, Scene, TimeUnit};
use cairn::space::{Ambient, Space};
use cairn::step::contacts_at_start;
use cairn_draw::{Series, Style};
use miette::miette;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The joints that open, or slip, most: seven of one run, fewer each of several.
pub fn jumps(folders: &[PathBuf], slips: bool, unit: TimeUnit) -> miette::Result<Vec<Series>> {
    let count = [7, 3, 2].get(folders.len().saturating_sub(1)).copied().unwrap_or(1);
    let mut all = Vec::new();
    for folder in folders {
        let mut series = of_run(folder, slips)?;
        series.truncate(count);
        series.iter_mut().flat_map(|s| &mut s.points).for_each(|p| p.0 /= unit.seconds());
        if folders.len() > 1 {
            series.iter_mut().for_each(|s| s.name = format!("{}: {}", label(folder), s.name));
        }
        all.append(&mut series);
    }
    Ok(all)
}

fn of_run(folder: &Path, slips: bool) -> miette::Result<Vec<Series>> {
    let series = match &load(folder)?.scene {
        AnyScene::Plane(scene) => largest(scene, &mut stored(folder)?, slips),
        AnyScene::Solid(scene) => largest(scene, &mut stored(folder)?, slips),
    };
    match series.is_empty() {
        true => Err(miette!("{} has no joints in its stored states", folder.display())),
        false => Ok(series),
    }
}

/// Opening or slip of each joint in time; those that move most come first. Damaged states are left out.
fn largest<const D: usize>(scene: &Scene<D>, states: &mut Stored<D>, slips: bool) -> Vec<Series>
where
    Space<D>: Ambient<D>,
{
    let start = contacts_at_start(scene);
    let mut jumps: BTreeMap<[u32; 2], Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..states.times().len() {
        let Ok(frame) = states.read(k) else { continue };
        for joint in joints(scene, &start, &frame) {
            let jump = if slips { joint.slip } else { joint.opening };
            jumps.entry(joint.bodies).or_default().push((frame.time, jump));
        }
    }
    let most = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let mut pairs: Vec<_> = jumps.into_iter().collect();
    pairs.sort_by(|a, b| most(&b.1).total_cmp(&most(&a.1)));
    let name = |b: [u32; 2]| format!("{} – {}", scene.body_name(b[0]), scene.body_name(b[1]));
    let series = |(pair, points)| Series { name: name(pair), style: Style::Line, points };
    pairs.into_iter().map(series).collect()
}
