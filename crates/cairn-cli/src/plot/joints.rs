//! Plots of joints: how they open and slip in time, and where their forces act.

use super::label;
use super::state::{Reading, with_state};
use crate::picture::of_state;
use crate::results::{load, stored};
use cairn::draw::{Axis, Panel, Series, Style};
use cairn::output::{Frame, Stored};
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use cairn::step::contacts_at_start;
use miette::miette;
use std::collections::BTreeMap;
use std::path::Path;

/// The joints of a run that open, or slip, most.
pub fn jumps(folder: &Path, slips: bool) -> miette::Result<Vec<Series>> {
    let series = match &load(folder)?.scene {
        AnyScene::Plane(scene) => in_time(scene, &mut stored(folder)?, slips),
        AnyScene::Solid(scene) => in_time(scene, &mut stored(folder)?, slips),
    };
    match series.is_empty() {
        true => Err(miette!("{} has no contacts in its stored states", folder.display())),
        false => Ok(series),
    }
}

/// Opening or slip of each joint in time; those that move most. Damaged states are left out.
fn in_time<const D: usize>(scene: &Scene<D>, states: &mut Stored<D>, slips: bool) -> Vec<Series>
where
    Space<D>: Ambient<D>,
{
    let start = contacts_at_start(scene);
    let mut jumps: BTreeMap<[u32; 2], Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..states.times().len() {
        let Ok(frame) = states.read(k) else { continue };
        for joint in of_state(scene, &start, &frame) {
            let jump = if slips { joint.slip } else { joint.opening };
            jumps.entry(joint.bodies).or_default().push((frame.time, jump));
        }
    }
    let widest = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let mut pairs: Vec<_> = jumps.into_iter().collect();
    pairs.sort_by(|a, b| widest(&b.1).total_cmp(&widest(&a.1)));
    let name = |b: [u32; 2]| format!("{} – {}", scene.body_name(b[0]), scene.body_name(b[1]));
    let series = |(pair, points)| Series { name: name(pair), style: Style::Line, points };
    pairs.into_iter().take(7).map(series).collect()
}

/// Where the force acts in each joint, over its half width.
pub fn eccentricities(folder: &Path, at: Option<f64>) -> miette::Result<Panel> {
    let points = with_state(folder, at, EccentricitiesOf)?;
    if points.is_empty() {
        return Err(miette!("{}: no joint carries a force at that time", folder.display()));
    }
    let series = vec![Series { name: label(folder), style: Style::LinePoints, points }];
    Ok(Panel { y: Axis::linear("eccentricity / half width", "-"), series })
}

struct EccentricitiesOf;
impl Reading for EccentricitiesOf {
    type Gives = Vec<(f64, f64)>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &Frame<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let joints = of_state(scene, &contacts_at_start(scene), frame);
        let numbered = joints.iter().filter_map(|j| j.relative_eccentricity()).enumerate();
        numbered.map(|(k, e)| (k as f64, e)).collect()
    }
}
