//! Slip and sliding velocity along faults, against depth.

use super::label;
use super::state::{Reading, with_state};
use cairn::measure::{Slip, slips};
use cairn::scene::Scene;
use cairn::space::{Ambient, Space};
use cairn::state::State;
use cairn::step::contacts_at_start;
use cairn_draw::{Axis, Panel, Series, Style};
use miette::miette;
use std::path::PathBuf;

struct SlipsOf;
impl Reading for SlipsOf {
    type Gives = Vec<(String, Vec<Slip>)>;
    fn read<const D: usize>(&self, scene: &Scene<D>, frame: &State<D>) -> Self::Gives
    where
        Space<D>: Ambient<D>,
    {
        let points = slips(scene, &contacts_at_start(scene), frame);
        let name = |b: [u32; 2]| format!("{} – {}", scene.body_name(b[0]), scene.body_name(b[1]));
        points.chunk_by(|a, b| a.bodies == b.bodies).map(|p| (name(p[0].bodies), p.to_vec())).collect()
    }
}

/// The slip, and the sliding velocity where points touch.
pub fn panels(folders: &[PathBuf], at: Option<f64>) -> miette::Result<Vec<Panel>> {
    let panel = |name: &str, unit: &str| Panel { y: Axis::linear(name, unit), series: Vec::new() };
    let mut panels = vec![panel("slip", "m"), panel("sliding velocity", "m/s")];
    for folder in folders {
        let faults = with_state(folder, at, SlipsOf)?;
        if faults.is_empty() {
            return Err(miette!("{}: no bodies touch at the start", folder.display()));
        }
        for (name, points) in faults {
            let name = if folders.len() > 1 { format!("{}: {name}", label(folder)) } else { name };
            let slip = points.iter().map(|p| (p.depth, p.slip)).collect();
            let rate = points.iter().filter_map(|p| Some((p.depth, p.rate?))).collect();
            for (panel, points) in panels.iter_mut().zip([slip, rate]) {
                panel.series.push(Series { name: name.clone(), style: Style::LinePoints, points });
            }
        }
    }
    Ok(panels)
}
