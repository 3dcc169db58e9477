//! B1: granular Couette flow (Jean 1999, section 9.1).
//!
//! 2400 disks of 3.5 to 6.5 mm radius between a drum that turns at 0.1 turn/s and a membrane under 75 kPa; friction 0.5,
//! on drum and membrane 0.75; implicit Euler, quasi-inelastic; a quarter turn. The paper shows chains of forces, and says:
//! the sample behaves quasi rigidly, except near the drum, where a shear layer has developed inducing dilatancy.
//!
//! In numbers, with the mean diameter d = 10 mm:
//! * at rest the mean pressure from the contact forces is that of the membrane (theory: a virial identity);
//! * grains more than halfway out go round by less than 2 % of the drum's angle;
//! * the angle falls below a tenth of the drum's within 8 d: shear layers of granular matter are 5 to 10 grains wide;
//! * next to the drum the solid fraction falls, and the sample as a whole swells.
//!
//! The quick size has 300 grains and turns for half a second: its sample is only 7 d wide, so its layer reaches
//! farther out in proportion, and a tenth of the drum's angle is asked of its outer quarter only.

use super::couette::{self, drum_radius, enclosed, group, mean_pressure, solid_fraction};
use super::{Findings, Size};
use cairn::body::Motion;
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn_draw::{self as draw, Axis, Field, Panel, PictureOptions, PlotData, PlotOptions, Series, Style};
use miette::IntoDiagnostic;
use std::f64::consts::TAU;
use std::path::Path;

/// Mean diameter, smallest radius [m].
const DIAMETER: f64 = 10e-3;
const SMALLEST: f64 = 3.5e-3;
/// Angular velocity of the drum [rad/s].
const SPEED: f64 = 0.1 * TAU;

/// Runs the case; draws forces, displacements and profiles into the folder for plots, if there is one.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let full = size == Size::Full;
    let (grains, turning) = if full { (2400, 2.5) } else { (300, 0.5) };
    let mut simulation = couette::packed(grains)?;
    couette::give_friction(&mut simulation)?;
    let packed_at = simulation.state.time;
    simulation.run_to(packed_at + 0.1).into_diagnostic()?;
    at_rest(findings, &simulation);

    let before = simulation.state.motions.clone();
    let area = enclosed(&simulation).0;
    couette::turn_drum(&mut simulation, SPEED);
    let start = simulation.state.time;
    simulation.run_to(start + turning).into_diagnostic()?;

    let turned = SPEED * (turning - 0.005);
    let flow = Flow { rings: profile(&simulation, &before, drum_radius(grains), turned), simulation, before, grains };
    flow.shear_layer(findings, full);
    let swelling = enclosed(&flow.simulation).0 / area - 1.0;
    findings.holds(&format!("the sample swells (by {:.2} %)", 100.0 * swelling), swelling > 0.0);
    flow.dilatancy(findings, full);
    let state = &flow.simulation.state;
    let overlap = format!(
        "worst overlap / smallest radius ({} of {} steps at the limit of sweeps)",
        state.ledger.unconverged, state.step
    );
    findings.at_most(&overlap, "-", state.ledger.worst_penetration / SMALLEST, 0.03);
    findings.at_most("energy balance error", "-", balance_error(&flow.simulation.scene, state).abs(), 1e-10);
    match findings.plots.clone() {
        Some(folder) => flow.draw(folder.as_path()),
        None => Ok(()),
    }
}

fn at_rest(findings: &mut Findings, simulation: &Simulation<2>) {
    let (area, length) = enclosed(simulation);
    let membrane = &simulation.scene.membranes[0];
    let expected = membrane.pressure.at(simulation.state.time) + membrane.tension * length / (2.0 * area);
    findings.relative("mean pressure from contact forces, at rest", "Pa", mean_pressure(simulation), expected, 0.01);
}

/// Mean angle that grains went round, relative to the drum's, by their distance from the drum at the start in diameters.
fn profile(simulation: &Simulation<2>, before: &[Motion<2>], drum: f64, turned: f64) -> Vec<f64> {
    let mut rings: Vec<(f64, f64)> = Vec::new();
    for body in group(simulation, "grains") {
        let (from, to) = (before[body].place.centre, simulation.state.motions[body].place.centre);
        let ring = ((from.norm() - drum) / DIAMETER).max(0.0) as usize;
        if rings.len() <= ring {
            rings.resize(ring + 1, (0.0, 0.0));
        }
        rings[ring].0 += from.perp(&to).atan2(from.dot(&to)) / turned;
        rings[ring].1 += 1.0;
    }
    rings.iter().map(|(angle, count)| angle / f64::max(*count, 1.0)).collect()
}

/// The sample after turning, and what it was before.
struct Flow {
    simulation: Simulation<2>,
    before: Vec<Motion<2>>,
    grains: usize,
    /// Profile of the angle.
    rings: Vec<f64>,
}

impl Flow {
    fn shear_layer(&self, findings: &mut Findings, full: bool) {
        let rings = &self.rings;
        findings.holds("the ring next to the drum goes round most", rings.iter().all(|angle| *angle <= rings[0]));
        let (rigid, limit) = if full { (rings.len() / 2, 0.02) } else { (rings.len() * 3 / 4, 0.1) };
        let outside = rings[rigid..].iter().fold(0.0, |worst, angle| f64::max(worst, angle.abs()));
        let quantity = format!("angle of grains beyond {rigid} d / drum's");
        findings.at_most(&quantity, "-", outside, limit);
        let width = rings.iter().position(|angle| *angle < 0.1 * rings[0]).unwrap_or(rings.len());
        findings.at_most("width of the shear layer (to a tenth of the first ring)", "d", width as f64, 8.0);
    }

    /// Solid fraction between two distances from the drum, in diameters: before, after.
    fn solid(&self, from: f64, to: f64) -> [f64; 2] {
        let at = |distance: f64| drum_radius(self.grains) + distance * DIAMETER;
        [&self.before, &self.simulation.state.motions]
            .map(|motions| solid_fraction(&self.simulation, motions, at(from), at(to)))
    }

    fn dilatancy(&self, findings: &mut Findings, full: bool) {
        let [dense, loose] = self.solid(0.0, 3.0);
        let quantity = format!("solid fraction within 3 d of the drum falls ({dense:.3} to {loose:.3})");
        findings.holds(&quantity, loose < dense);
        if full {
            let [before, after] = self.solid(10.0, 15.0);
            let change = (after - before).abs() / (dense - loose);
            findings.at_most("change of solid fraction at 10 d to 15 d / that near the drum", "-", change, 0.25);
        }
    }

    /// Forces, displacements and profiles.
    fn draw(mut self, folder: &Path) -> miette::Result<()> {
        let rings = self.rings.len() - 1;
        let middle = |k: usize| k as f64 + 0.5;
        let line = |name: &str, value: &dyn Fn(usize) -> f64| Series {
            name: name.into(),
            style: Style::LinePoints,
            points: (0..rings).map(|k| (middle(k), value(k))).collect(),
        };
        let solid: Vec<[f64; 2]> = (0..rings).map(|k| self.solid(k as f64, k as f64 + 1.0)).collect();
        let angle = vec![line("", &|k| self.rings[k].max(1e-5))];
        let fractions = vec![line("packed", &|k| solid[k][0]), line("after turning", &|k| solid[k][1])];
        let data = PlotData {
            title: format!("{} disks: what the drum moves", self.grains),
            x: Axis::linear("distance from the drum / mean diameter", "-"),
            panels: vec![
                Panel { y: Axis::log("angle / drum's angle", "-"), series: angle },
                Panel { y: Axis::linear("solid fraction", "-"), series: fractions },
            ],
        };
        let options = PlotOptions { panel_height: 320, ..Default::default() };
        draw::plot(&data, &options).write(&folder.join("profile.svg")).into_diagnostic()?;
        self.simulation.scene.start = self.before;
        self.simulation.scene.title = format!("Granular Couette flow: {} disks", self.grains);
        let (scene, state) = (&self.simulation.scene, &self.simulation.state);
        let ways = [("forces.png", Field::None, true), ("displacements.png", Field::Displacement, false)];
        for (name, field, forces) in ways {
            let options = PictureOptions { field, forces, ..Default::default() };
            let picture = draw::picture(scene, &state.motions, &state.reactions, state.time, &options);
            picture.write(&folder.join(name)).into_diagnostic()?;
        }
        Ok(())
    }
}
