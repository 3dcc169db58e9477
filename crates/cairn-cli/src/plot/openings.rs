//! How joints open in time.

use crate::results::{load, stored};
use cairn::draw::{Series, Style};
use cairn::output::Stored;
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use miette::miette;
use std::collections::BTreeMap;
use std::path::Path;

/// The pairs of bodies of a run that open most.
pub fn openings(folder: &Path) -> miette::Result<Vec<Series>> {
    let series = match &load(folder)?.scene {
        AnyScene::Plane(scene) => widest(scene, &mut stored(folder)?),
        AnyScene::Solid(scene) => widest(scene, &mut stored(folder)?),
    };
    match series.is_empty() {
        true => Err(miette!("{} has no contacts in its stored states", folder.display())),
        false => Ok(series),
    }
}

/// Widest gap of each pair of bodies in time; the seven pairs that open most. Damaged states are left out.
fn widest<const D: usize>(scene: &Scene<D>, states: &mut Stored<D>) -> Vec<Series>
where
    Space<D>: Ambient<D>,
{
    let mut gaps: BTreeMap<[u32; 2], Vec<(f64, f64)>> = BTreeMap::new();
    for k in 0..states.times().len() {
        let Ok(frame) = states.read(k) else { continue };
        let mut now: BTreeMap<[u32; 2], f64> = BTreeMap::new();
        for reaction in &frame.reactions {
            let widest = now.entry(reaction.contact.bodies).or_insert(f64::NEG_INFINITY);
            *widest = widest.max(reaction.contact.touch.gap);
        }
        now.into_iter().for_each(|(pair, gap)| gaps.entry(pair).or_default().push((frame.time, gap)));
    }
    let widest = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let mut pairs: Vec<_> = gaps.into_iter().collect();
    pairs.sort_by(|a, b| widest(&b.1).total_cmp(&widest(&a.1)));
    let name = |b: [u32; 2]| format!("{} – {}", scene.body_name(b[0]), scene.body_name(b[1]));
    let series = |(pair, points)| Series { name: name(pair), style: Style::Line, points };
    pairs.into_iter().take(7).map(series).collect()
}
