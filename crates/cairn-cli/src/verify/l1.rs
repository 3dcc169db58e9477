//! L1: the law of dense flows of disks, from simple shear in a periodic cell (da Cruz, Emam, Prochnow, Roux, Chevoir 2005).
//!
//! 400 disks with friction 0.4 and a restitution of 0.1, diameters ± 20 %, are sheared at a constant rate in a cell that is free in height
//! under a constant pressure P. With m the mass of a mean grain, the inertial number I = γ̇ √(m/P) says how fast; the effective friction
//! μ* = |σ_xy/σ_yy| and the solid fraction ν follow it by
//!
//!   μ* ≈ 0.25 + 1.1 I   up to I = 0.2,      ν falls linearly, by about 0.3 I from 0.81.
//!
//! Stresses are the means over the strain beyond 1, contacts and motion together; I is taken from the pressure that was there.
//!
//! The published line is a fit to points that scatter; ours lie on it or above it, by up to 0.05 at I = 0.1: one sample of 20 grains across.
//! That is the tolerance for each point. A line through all points of the full size up to I = 0.2 has to have 0.25 ± 0.04 and 1.1 ± 0.3.

use super::scene::plane;
use super::{Findings, Size};
use cairn::measure::{chosen_columns, chosen_values};
use cairn::simulation::Simulation;
use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// Pressure [Pa], mass of a mean grain [kg/m] and the time √(m/P) [s].
const PRESSURE: f64 = 100.0;
const MASS: f64 = 1000.0 * std::f64::consts::PI * 0.005 * 0.005;
/// Strain before stresses count, and while they do.
const BEFORE: f64 = 1.0;
/// Largest step in units of √(m/P), and largest strain of a step.
const STEP: f64 = 0.2;
const STRAIN: f64 = 2e-3;
/// Error of a point.
const POINT: [f64; 2] = [0.05, 0.015];

/// One rate.
struct Flow {
    inertial: f64,
    friction: f64,
    solid: f64,
    /// Pressure that was there, over that prescribed.
    pressure: f64,
}

/// Runs the case; draws `law.svg` into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let rates: &[(f64, f64)] = match size {
        Size::Full => {
            &[(3e-4, 2.0), (1e-3, 2.5), (3e-3, 3.0), (0.01, 5.0), (0.03, 8.0), (0.1, 15.0), (0.2, 20.0), (0.3, 30.0)]
        }
        Size::Quick => &[(0.03, 3.0), (0.1, 5.0)],
    };
    let mut flows = Vec::new();
    for &(inertial, strain) in rates {
        let flow = sheared(findings, inertial, strain)?;
        let name = |what: &str| format!("I = {inertial}: {what}");
        findings.absolute(&name("pressure / prescribed"), "-", flow.pressure, 1.0, 0.05);
        if inertial <= 0.2 {
            findings.absolute(&name("effective friction"), "-", flow.friction, 0.25 + 1.1 * flow.inertial, POINT[0]);
        }
        findings.absolute(&name("solid fraction"), "-", flow.solid, 0.81 - 0.3 * flow.inertial, POINT[1]);
        flows.push(flow);
    }
    if size == Size::Full {
        let [start, slope] =
            line(flows.iter().filter(|flow| flow.inertial < 0.21).map(|flow| (flow.inertial, flow.friction)));
        findings.absolute("line through the effective frictions: at I = 0", "-", start, 0.25, 0.04);
        findings.absolute("line through the effective frictions: slope", "-", slope, 1.1, 0.3);
    }
    match &findings.plots {
        Some(folder) => draw(&flows, &folder.join("law.svg")),
        None => Ok(()),
    }
}

/// Means of a flow at a rate, over a strain.
fn sheared(findings: &mut Findings, inertial: f64, strain: f64) -> miette::Result<Flow> {
    let time = (MASS / PRESSURE).sqrt();
    let rate = inertial / time;
    let changes = [
        ("cell.strain.0.strain.ramp.to", strain.to_string()),
        ("cell.strain.0.strain.ramp.end", (strain / rate).to_string()),
        ("stage.1.duration", (strain / rate).to_string()),
        ("stage.1.step", (STEP * time).min(STRAIN / rate).to_string()),
        ("time.end", (10.0 + strain / rate).to_string()),
    ];
    let mut simulation = plane("simple-shear", &changes)?;
    let columns: Vec<String> =
        chosen_columns(&simulation.scene.measures[0]).into_iter().map(|(name, _)| name).collect();
    let number = |name: &str| {
        let found = columns.iter().position(|column| column == &format!("sample {name}"));
        found.ok_or_else(|| miette!("the example measures no {name}"))
    };
    let wanted = ["stress xy", "kinetic stress xy", "stress yy", "kinetic stress yy", "solid fraction"];
    let wanted: Vec<usize> = wanted.into_iter().map(number).collect::<miette::Result<_>>()?;
    let (mut sums, mut count) = ([0.0; 5], 0.0);
    while !simulation.is_over() {
        simulation.step().map_err(|e| miette!("{e}"))?;
        if sheared_by(&simulation) > BEFORE {
            let values = chosen_values(&simulation.scene, &simulation.state, &simulation.scene.measures[0]);
            sums.iter_mut().zip(&wanted).for_each(|(sum, k)| *sum += values[*k]);
            count += 1.0;
        }
    }
    let name = format!("I = {inertial}");
    findings.sound(&name, &simulation);
    findings.kept(&name, &simulation);
    let [xy, kinetic_xy, yy, kinetic_yy, solid] = sums.map(|sum| sum / count);
    let pressure = -(yy + kinetic_yy);
    Ok(Flow {
        inertial: rate * (MASS / pressure).sqrt(),
        friction: (xy + kinetic_xy) / pressure,
        solid,
        pressure: pressure / PRESSURE,
    })
}

/// Shear strain of the cell.
fn sheared_by(simulation: &Simulation<2>) -> f64 {
    let cell = simulation.scene.cell.as_ref();
    cell.and_then(|cell| cell.strain(&simulation.state.now()).last().copied()).unwrap_or(0.0)
}

/// The line a + b x nearest to points, in the mean of squares.
fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> [f64; 2] {
    let n = points.clone().count() as f64;
    let mean = |of: fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let slope = (mean(|p| p.0 * p.1) - x * y) / (mean(|p| p.0 * p.0) - x * x);
    [y - slope * x, slope]
}

fn draw(flows: &[Flow], path: &Path) -> miette::Result<()> {
    let points = |of: fn(&Flow) -> f64| flows.iter().map(|flow| (flow.inertial, of(flow))).collect::<Vec<_>>();
    let law = |of: fn(f64) -> f64, end: f64| {
        (0..=60).map(|k| 3e-4 * (end / 3e-4_f64).powf(f64::from(k) / 60.0)).map(|i| (i, of(i))).collect::<Vec<_>>()
    };
    let series = |name: &str, style: Style, points: Vec<(f64, f64)>| Series { name: name.to_string(), style, points };
    let friction = Panel {
        y: Axis::linear("effective friction", "-"),
        series: vec![
            series("0.25 + 1.1 I", Style::Dashed, law(|i| 0.25 + 1.1 * i, 0.2)),
            series("400 disks", Style::Points, points(|flow| flow.friction)),
        ],
    };
    let solid = Panel {
        y: Axis::linear("solid fraction", "-"),
        series: vec![
            series("0.81 − 0.3 I", Style::Dashed, law(|i| 0.81 - 0.3 * i, 0.3)),
            series("400 disks", Style::Points, points(|flow| flow.solid)),
        ],
    };
    let x = Axis::log("inertial number", "-");
    let data = PlotData { title: "Simple shear of disks".to_string(), x, panels: vec![friction, solid] };
    plot(&data, &PlotOptions::default()).write(path).into_diagnostic()
}
