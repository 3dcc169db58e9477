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
use miette::IntoDiagnostic;
use std::f64::consts::TAU;

/// Mean diameter, smallest radius [m].
const DIAMETER: f64 = 10e-3;
const SMALLEST: f64 = 3.5e-3;
/// Angular velocity of the drum [rad/s].
const SPEED: f64 = 0.1 * TAU;

/// Runs the case.
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

    let drum = drum_radius(grains);
    let turned = SPEED * (turning - 0.005);
    let rings = profile(&simulation, &before, drum, turned);
    shear_layer(findings, &rings, full);
    let swelling = enclosed(&simulation).0 / area - 1.0;
    findings.holds("the sample swells", swelling > 0.0);
    let layer = |motions: &[Motion<2>]| solid_fraction(&simulation, motions, drum, drum + 3.0 * DIAMETER);
    let (dense, loose) = (layer(&before), layer(&simulation.state.motions));
    findings.holds("solid fraction within 3 d of the drum falls", loose < dense);
    if full {
        let outside = |motions: &[Motion<2>]| solid_fraction(&simulation, motions, drum + 0.1, drum + 0.15);
        let change = outside(&simulation.state.motions) - outside(&before);
        findings.absolute("change of solid fraction 10 d to 15 d from the drum", "-", change, 0.0, 0.25 * (dense - loose));
    }
    findings.at_most("worst overlap / smallest radius", "-", simulation.state.ledger.worst_penetration / SMALLEST, 0.03);
    findings.at_most("energy balance error", "-", balance_error(&simulation.scene, &simulation.state).abs(), 1e-10);
    Ok(())
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

fn shear_layer(findings: &mut Findings, rings: &[f64], full: bool) {
    findings.holds("the ring next to the drum goes round most", rings.iter().all(|angle| *angle <= rings[0]));
    let (rigid, limit) = if full { (rings.len() / 2, 0.02) } else { (rings.len() * 3 / 4, 0.1) };
    let outside = rings[rigid..].iter().fold(0.0, |worst, angle| f64::max(worst, angle.abs()));
    let quantity = format!("angle of grains beyond {rigid} d / drum's");
    findings.at_most(&quantity, "-", outside, limit);
    let width = rings.iter().position(|angle| *angle < 0.1 * rings[0]).unwrap_or(rings.len());
    findings.at_most("width of the shear layer (to a tenth of the first ring)", "d", width as f64, 8.0);
}
