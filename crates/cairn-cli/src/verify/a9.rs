//! A9: Hertz' contact, an elastic cylinder and an elastic sphere pressed on a rigid plane.
//!
//! With E* = E/(1 − ν²), the radius R and the force P (cylinder: per length) half-width or radius a of the contact and peak pressure p₀ are
//!
//!   cylinder:  a² = 4 P R/(π E*),   p₀ = 2P/(π a);     sphere:  a³ = 3 P R/(4 E*),   p₀ = 3P/(2π a²);
//!
//! p = p₀ √(1 − r²/a²) in both. P is the computed resultant. The computed a and p₀ are those of the ellipse through the nodal pressures
//! (force over share of the surface): p² is linear in r², fitted by least squares over the nodes with p above a tenth of the largest (those at
//! the rim carry the error of a contact that can only end at a node). Hertz takes the bodies for half-spaces, true up to
//! (a/R)²; the meshes have cells of a/16 (cylinder, 5400 Q4) and a/8 (sphere, 6912 H8) in the contact. 3 % in all.

use super::deformable::pressed;
use super::scene::{plane, run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use std::f64::consts::PI;

const RADIUS: f64 = 0.01;
/// E/(1 − ν²).
const MODULUS: f64 = 2e11 / (1.0 - 0.3 * 0.3);

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut cylinder = plane("hertz", &[])?;
    let (force, a, peak) = press(&mut cylinder)?;
    let width = (4.0 * force * RADIUS / (PI * MODULUS)).sqrt();
    findings.relative("cylinder: half-width", "m", a, width, 0.03);
    findings.relative("cylinder: peak pressure", "Pa", peak, 2.0 * force / (PI * width), 0.03);
    findings.sound("cylinder", &cylinder);

    let mut sphere = solid("hertz/scene-3d", &[])?;
    let (force, a, peak) = press(&mut sphere)?;
    // A quarter of the contact is there.
    let force = 4.0 * force;
    let radius = (0.75 * force * RADIUS / MODULUS).cbrt();
    findings.relative("sphere: radius of the contact", "m", a, radius, 0.03);
    findings.relative("sphere: peak pressure", "Pa", peak, 1.5 * force / (PI * radius * radius), 0.03);
    findings.sound("sphere", &sphere);
    Ok(())
}

/// Resultant, half-width, peak pressure.
fn press<const D: usize>(simulation: &mut Simulation<D>) -> miette::Result<(f64, f64, f64)>
where
    Space<D>: Ambient<D>,
{
    let end = simulation.scene.time.end;
    run_to(simulation, end)?;
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let pressed = pressed(simulation, 0);
    let force = pressed.iter().map(|p| p.force[D - 1]).sum();
    let largest = pressed.iter().map(|p| p.pressure).fold(0.0, f64::max);
    let positions = body.positions(&field.displacement);
    let points: Vec<(f64, f64)> = pressed
        .iter()
        .filter(|p| p.pressure > 0.1 * largest)
        .map(|p| {
            let x = positions[p.node as usize];
            (x.norm_squared() - x[D - 1] * x[D - 1], p.pressure * p.pressure)
        })
        .collect();
    // p² = p₀² − (p₀/a)² r².
    let count = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let slope = (mean(|p| p.0 * p.1) - x * y) / (mean(|p| p.0 * p.0) - x * x);
    let peak_squared = y - slope * x;
    Ok((force, (-peak_squared / slope).sqrt(), peak_squared.sqrt()))
}
