//! Stress–strain curves of a collection as a whole, from its stored states: compression is positive, as in soil mechanics.
//!
//! Strain: 1 − L/L₀ of the box around all that can move, L₀ in the first stored state. Stress: the mean in that box.

use super::label;
use crate::results::{load, stored};
use cairn::measure;
use cairn::output::Stored;
use cairn::scene::{AnyScene, Scene};
use cairn::space::{Ambient, Space};
use cairn_draw::{Axis, Panel, Series, Style};
use miette::miette;
use std::path::PathBuf;

/// A state of the collection.
struct Point {
    /// Vertical strain.
    strain: f64,
    /// Share of the volume that was lost.
    volume_loss: f64,
    /// Mean normal stresses along the axes [Pa].
    stresses: Vec<f64>,
}

/// Mean stresses, and the change of volume, against the vertical strain.
pub fn panels(folders: &[PathBuf]) -> miette::Result<(Axis, Vec<Panel>)> {
    let (mut stresses, mut volumes) = (Vec::new(), Vec::new());
    for folder in folders {
        let points = match &load(folder)?.scene {
            AnyScene::Plane(scene) => refuse_cell(scene).and_then(|()| Ok(states(scene, &mut stored(folder)?)))?,
            AnyScene::Solid(scene) => refuse_cell(scene).and_then(|()| Ok(states(scene, &mut stored(folder)?)))?,
        };
        if points.len() < 2 {
            return Err(miette!(
                "{}: a strain needs two stored states after the first step, with bodies that move",
                folder.display()
            ));
        }
        let named =
            |what: &str| if folders.len() > 1 { format!("{}: {what}", label(folder)) } else { what.to_string() };
        for (k, axis) in ["x", "y", "z"].iter().enumerate().take(points[0].stresses.len()) {
            let points = points.iter().map(|p| (p.strain, p.stresses[k])).collect();
            stresses.push(Series { name: named(&format!("stress {axis}")), style: Style::LinePoints, points });
        }
        let points = points.iter().map(|p| (p.strain, p.volume_loss)).collect();
        volumes.push(Series { name: named("loss of volume"), style: Style::LinePoints, points });
    }
    let stress = Panel { y: Axis::linear("mean stress", "Pa"), series: stresses };
    let volume = Panel { y: Axis::linear("loss of volume", "-"), series: volumes };
    Ok((Axis::linear("vertical strain", "-"), vec![stress, volume]))
}

/// The box around bodies in a periodic cell means nothing.
fn refuse_cell<const D: usize>(scene: &Scene<D>) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    match &scene.cell {
        None => Ok(()),
        Some(_) => Err(miette!(
            help = "[[measure]] of = [\"stress\", \"solid_fraction\"] has them in the history: cairn plot DIR measures",
            "the box around bodies in a periodic cell is not the sample"
        )),
    }
}

/// Damaged states, and those in which nothing moves, are left out.
fn states<const D: usize>(scene: &Scene<D>, stored: &mut Stored<D>) -> Vec<Point>
where
    Space<D>: Ambient<D>,
{
    let mut first = None;
    let mut points = Vec::new();
    for k in 0..stored.times().len() {
        let Ok(frame) = stored.read(k) else { continue };
        let now = measure::assembly(scene, &frame.motions, &frame.fields, &frame.reactions, frame.last_step);
        let Some(now) = now else { continue };
        let size = *first.get_or_insert(now.size);
        // Before the first step no force is known.
        if frame.last_step == 0.0 {
            continue;
        }
        points.push(Point {
            strain: 1.0 - now.size[D - 1] / size[D - 1],
            volume_loss: 1.0 - now.size.iter().product::<f64>() / size.iter().product::<f64>(),
            stresses: (0..D).map(|i| -now.stress[(i, i)]).collect(),
        });
    }
    points
}
