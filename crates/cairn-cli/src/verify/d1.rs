//! D1: masonry wall under its own weight (Acary and Jean).
//!
//! 150 blocks 500 × 300 × 250 mm³ in twelve courses, eight hexahedra each, on rigid ground; the weight acts from t = 0 on. Three
//! ways: dynamics, velocity cancelling, and numerical filtering (a large step with θ = 1).
//!
//! A column of height H, loaded at once, has at its foot the force W c t/H until the wave has come back from the top, with
//! c = √(E/ρ): the weight itself at H/c, twice of it at 2H/c, and so on with the period 4H/c. A wall is not a column: it swells
//! sideways, and its joints slip. So the first maximum stays below 2 W (another program: 1.90 W), and the times may differ by a
//! few percent: 5 % are allowed. The two other ways must settle on the weight.

use super::scene::{body, run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn_draw::{self as draw, Axis, Panel, PlotData, PlotOptions, Series, Style};
use miette::IntoDiagnostic;
use std::path::Path;

/// 6 × 3 × 0.3 m³ of 2700 kg/m³ [N].
const WEIGHT: f64 = 6.0 * 3.0 * 0.3 * 2700.0 * 9.81;
const HEIGHT: f64 = 3.0;

/// A run: the simulation at its end, and the resultant on the ground over the weight against time.
struct Curve {
    simulation: Simulation<3>,
    points: Vec<(f64, f64)>,
}

/// Runs the case; draws the three curves into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let full = size == Size::Full;
    let (dynamic_end, cancelled_end) = if full { (20e-3, 30e-3) } else { (3.6e-3, 2.5e-3) };
    let dynamics = curve(&[], dynamic_end)?;
    let cancelling = [("time.quasi_static", "\"velocity_cancelling\""), ("time.theta", "1.0")];
    let cancelling = curve(&cancelling, cancelled_end)?;
    let filtering = curve(&[("time.step", "1e-3"), ("time.theta", "1.0")], 12e-3)?;

    oscillates(findings, &dynamics, full);
    let last = |curve: &Curve| curve.points.last().map_or(0.0, |p| p.1);
    findings.absolute("filtering: resultant / weight after 12 steps", "-", last(&filtering), 1.0, 1e-3);
    let never_above = cancelling.points.iter().all(|p| p.1 < 1.01);
    findings.holds("velocity cancelling: the resultant never exceeds the weight by 1 %", never_above);
    if full {
        findings.absolute("velocity cancelling: resultant / weight at 30 ms", "-", last(&cancelling), 1.0, 0.02);
    }
    let (opened, kept) = (widest_head_joint(&dynamics.simulation), widest_head_joint(&cancelling.simulation));
    let quantity = format!("head joints open more in dynamics ({:.1} µm against {:.1} µm)", 1e6 * opened, 1e6 * kept);
    findings.holds(&quantity, opened > kept);
    for (name, curve) in [("dynamics", &dynamics), ("cancelling", &cancelling), ("filtering", &filtering)] {
        findings.sound(name, &curve.simulation);
    }
    match findings.plots.clone() {
        Some(folder) => draw([dynamics, cancelling, filtering], folder.as_path()),
        None => Ok(()),
    }
}

fn curve(changes: &[(&str, &str)], end: f64) -> miette::Result<Curve> {
    let changes: Vec<_> = changes.iter().map(|(key, value)| (*key, value.to_string())).collect();
    let mut simulation = solid("masonry-wall", &changes)?;
    let ground = body(&simulation, "ground")? as u32;
    let h = simulation.scene.time.step;
    let mut points = vec![(0.0, 0.0)];
    for step in 1..=(end / h).round() as u64 {
        run_to(&mut simulation, step as f64 * h)?;
        // The impulse of a step is the mean force over it.
        points.push(((step as f64 - 0.5) * h, -simulation.resultant(&[ground]).z / WEIGHT));
    }
    Ok(Curve { simulation, points })
}

fn oscillates(findings: &mut Findings, dynamics: &Curve, full: bool) {
    let material = &dynamics.simulation.scene.flexibles[0].model.continuum.materials()[0];
    let speed = (60e9 / material.density).sqrt();
    let points = &dynamics.points;
    let crossing = |up: bool, from: f64| {
        let crosses = |w: &&[(f64, f64)]| {
            w[0].0 >= from && if up { w[0].1 < 1.0 && w[1].1 >= 1.0 } else { w[0].1 > 1.0 && w[1].1 <= 1.0 }
        };
        points
            .windows(2)
            .find(crosses)
            .map_or(f64::NAN, |w| w[0].0 + (w[1].0 - w[0].0) * (1.0 - w[0].1) / (w[1].1 - w[0].1))
    };
    let first = crossing(true, 0.0);
    findings.relative("dynamics: the resultant first equals the weight at H/c", "s", first, HEIGHT / speed, 0.05);
    let early = points.iter().filter(|p| p.0 < 3.0 * HEIGHT / speed);
    let highest = early.fold((0.0, 0.0), |best, p| if p.1 > best.1 { *p } else { best });
    findings.relative("dynamics: first maximum of the resultant at 2H/c", "s", highest.0, 2.0 * HEIGHT / speed, 0.05);
    findings.relative("dynamics: first maximum / weight", "-", highest.1, 1.9, 0.05);
    let down = crossing(false, first);
    let again = crossing(true, down);
    findings.relative("dynamics: period 4H/c", "s", again - first, 4.0 * HEIGHT / speed, 0.05);
    if full {
        let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len() as f64;
        findings.absolute("dynamics: mean of the resultant / weight over 20 ms", "-", mean, 1.0, 0.05);
    }
}

/// Widest gap between neighbours in a course, as far as it is watched [m].
fn widest_head_joint(wall: &Simulation<3>) -> f64 {
    let touches = wall.reactions().iter().map(|r| &r.contact.touch);
    touches.filter(|t| t.normal.z.abs() < 0.5).fold(0.0, |widest, t| f64::max(widest, t.gap))
}

fn draw(curves: [Curve; 3], folder: &Path) -> miette::Result<()> {
    let names = ["dynamics, h = 0.025 ms", "velocity cancelling, h = 0.025 ms", "numerical filtering, h = 1 ms"];
    let series = names.into_iter().zip(curves).map(|(name, curve)| Series {
        name: name.into(),
        style: Style::Line,
        points: curve.points.into_iter().map(|(t, r)| (1e3 * t, r)).collect(),
    });
    let data = PlotData {
        title: "Masonry wall under gravity: resultant on the ground".into(),
        x: Axis::linear("time", "ms"),
        panels: vec![Panel { y: Axis::linear("resultant / weight", "-"), series: series.collect() }],
    };
    draw::plot(&data, &PlotOptions::default()).write(&folder.join("resultant.svg")).into_diagnostic()
}
