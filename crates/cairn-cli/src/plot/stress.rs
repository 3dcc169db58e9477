//! Stress–strain curves of a collection as a whole, from its stored states: compression is positive, as in soil mechanics.
//!
//! Strain: 1 − L/L₀ of the box around all that can move, or of a periodic cell, L₀ in the first stored state. Stress: the mean in it.

use super::label;
use crate::results::{load, stored};
use cairn::measure;
use cairn::output::Stored;
use cairn::scene::{AnyScene, Measure, Quantity, Scene};
use cairn::space::{Ambient, Space};
use cairn::state::State;
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
            AnyScene::Plane(scene) => states(scene, &mut stored(folder)?),
            AnyScene::Solid(scene) => states(scene, &mut stored(folder)?),
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

/// Size of the collection and normal stresses in it, tension positive: of the box around all that can move, or of the cell.
fn measured<const D: usize>(scene: &Scene<D>, frame: &State<D>) -> Option<(Vec<f64>, Vec<f64>)>
where
    Space<D>: Ambient<D>,
{
    let Some(cell) = &scene.cell else {
        let now = measure::assembly(scene, &frame.motions, &frame.fields, &frame.reactions, frame.last_step)?;
        return Some((now.size.iter().copied().collect(), (0..D).map(|i| now.stress[(i, i)]).collect()));
    };
    let vectors = cell.vectors(&frame.now());
    let size = (0..D).map(|k| if cell.periodic[k] { vectors[(k, k)] } else { cell.size[k] }).collect();
    let movable = (0..scene.bodies.len() as u32).filter(|body| scene.bodies[*body as usize].mass.is_finite());
    let whole = Measure {
        name: String::new(),
        bodies: movable.collect(),
        region: None,
        node: None,
        of: vec![Quantity::Stress],
    };
    let mut stresses = measure::chosen_values(scene, frame, &whole);
    stresses.truncate(D);
    Some((size, stresses))
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
        let Some((size, stresses)) = measured(scene, &frame) else { continue };
        let start: &Vec<f64> = first.get_or_insert_with(|| size.clone());
        // Before the first step no force is known.
        if frame.last_step == 0.0 {
            continue;
        }
        points.push(Point {
            strain: 1.0 - size[D - 1] / start[D - 1],
            volume_loss: 1.0 - size.iter().product::<f64>() / start.iter().product::<f64>(),
            stresses: stresses.iter().map(|stress| -stress).collect(),
        });
    }
    points
}
