//! H2: triaxial compression of spheres between smooth walls, a pressed packing from its loose beginning on.
//!
//! 2000 spheres of 1 to 1.5 mm, μ = 0.3 among them, are pressed together with 100 kPa from three sides, then half as hard again from above;
//! 125 in a box of the same shape in the quick size. Forces go through all of the packing in each of the 2000 steps, and half of the
//! contacts slide: errors of single steps that add up compact it beyond what spheres can be (a solid fraction of 0.73 at
//! a tolerance of 10⁻³, each step converged, with the plain scheme).
//!
//! Held to be true: overlaps stay below a hundredth of the least radius, the margin of the biaxial tests [JEAN99]; void ratio and stresses
//! do not depend on the tolerance within 2 %; and what the loaded walls press with arrives at those opposite to them, within the
//! 2 % that grains which still move may make.

use super::scene::{body, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;
use miette::IntoDiagnostic;
use std::f64::consts::PI;

const LEAST_RADIUS: f64 = 1e-3;
/// Half the thickness of a wall [m].
const HALF_WALL: f64 = 0.002;
/// Steps over which stresses are averaged at the end of a stage.
const AVERAGED: u64 = 200;
/// Spheres of the example, and of the two sizes.
const SPHERES: f64 = 500.0;
const FEW: usize = 125;
const MANY: usize = 2000;

/// The packing at the end of a stage.
struct Packing {
    void_ratio: f64,
    /// Pressures of the grains on right, back, top, and on left, front, bottom [Pa].
    pressures: [f64; 6],
}

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let default = compressed(findings, size, "default", None)?;
    let sloppy = compressed(findings, size, "tolerance 1e-3", Some("1e-3"))?;
    for (stage, (a, b)) in ["compacted", "compressed"].iter().zip(default.iter().zip(&sloppy)) {
        let name = |what: &str| format!("{stage}: {what} at tolerance 1e-3 as by default");
        findings.relative(&name("void ratio"), "-", b.void_ratio, a.void_ratio, 0.02);
        findings.relative(&name("axial stress"), "Pa", b.pressures[2], a.pressures[2], 0.02);
        let across = |p: &Packing| 0.5 * (p.pressures[0] + p.pressures[1]);
        findings.relative(&name("lateral stress"), "Pa", across(b), across(a), 0.02);
    }
    Ok(())
}

/// The packing after each stage.
fn compressed(findings: &mut Findings, size: Size, run: &str, tolerance: Option<&str>) -> miette::Result<Vec<Packing>> {
    let mut changes = sample(if size == Size::Quick { FEW } else { MANY });
    changes.extend(tolerance.map(|tolerance| ("solver.tolerance", tolerance.to_string())));
    let mut simulation = solid("triaxial", &changes)?;
    let ends: Vec<u64> =
        simulation.scene.stages.iter().map(|s| (s.duration / simulation.scene.time.step).round() as u64).collect();
    let mut packings = Vec::new();
    let mut end = 0;
    for steps in ends {
        end += steps;
        packings.push(packed(&mut simulation, end)?);
        let here = packings.last().map_or([0.0; 6], |p: &Packing| p.pressures);
        for (axis, wall) in ["x", "y", "z"].iter().enumerate() {
            let name = format!("{run}, until {:.3} s: stress that arrives along {wall}", simulation.state.time);
            findings.relative(&name, "Pa", here[axis + 3], here[axis], 0.02);
        }
    }
    let overlap = simulation.state.ledger.worst_penetration / LEAST_RADIUS;
    findings.at_most(&format!("{run}: worst overlap, in least radii"), "-", overlap, 0.01);
    findings.sound(run, &simulation);
    findings.kept(run, &simulation);
    Ok(packings)
}

/// Runs to a step; the mean over the last ones before it.
fn packed(simulation: &mut Simulation<3>, end: u64) -> miette::Result<Packing> {
    let walls = ["right", "back", "top", "left", "front", "bottom"];
    let walls: Vec<u32> = walls.iter().map(|w| body(simulation, w).map(|b| b as u32)).collect::<Result<_, _>>()?;
    let solid: f64 = simulation
        .scene
        .parts
        .iter()
        .filter(|p| p.radius.is_finite() && p.radius < 2.0 * LEAST_RADIUS)
        .map(|p| 4.0 / 3.0 * PI * p.radius.powi(3))
        .sum();
    let mut packing = Packing { void_ratio: 0.0, pressures: [0.0; 6] };
    while simulation.state.step < end {
        simulation.step().into_diagnostic()?;
        if simulation.state.step + AVERAGED <= end {
            continue;
        }
        let side = |axis: usize| simulation.state.motions[walls[axis] as usize].place.centre[axis] - HALF_WALL;
        let sides = [side(0), side(1), side(2)];
        let volume: f64 = sides.iter().product();
        packing.void_ratio += (volume / solid - 1.0) / AVERAGED as f64;
        for (k, pressure) in packing.pressures.iter_mut().enumerate() {
            let force = simulation.resultant(&[walls[k]])[k % 3].abs();
            *pressure += force * sides[k % 3] / volume / AVERAGED as f64;
        }
    }
    Ok(packing)
}

/// What makes a sample of so many spheres of the example: its box, and loads and masses of its walls.
fn sample(count: usize) -> Vec<(&'static str, String)> {
    let scale = (count as f64 / SPHERES).cbrt();
    let (side, area) = (0.0246 * scale, scale * scale);
    let (wall, middle) = (side + HALF_WALL, 0.5 * side);
    let (wide, thick) = (0.04 * scale, 2.0 * HALF_WALL);
    let weight = (0.02 * area).to_string();
    vec![
        ("generate.0.count", count.to_string()),
        ("generate.0.high", format!("[{side}, {side}, {side}]")),
        ("bodies.3.position", format!("[{wall}, {middle}, {middle}]")),
        ("bodies.4.position", format!("[{middle}, {wall}, {middle}]")),
        ("bodies.5.position", format!("[{middle}, {middle}, {wall}]")),
        ("bodies.3.shape.size", format!("[{thick}, {wide}, {wide}]")),
        ("bodies.4.shape.size", format!("[{wide}, {thick}, {wide}]")),
        ("bodies.5.shape.size", format!("[{wide}, {wide}, {thick}]")),
        ("bodies.3.mass", weight.clone()),
        ("bodies.4.mass", weight.clone()),
        ("bodies.5.mass", weight),
        ("load.0.force", format!("[{}, 0, 0]", -36.0 * area)),
        ("load.1.force", format!("[0, {}, 0]", -36.0 * area)),
        ("load.2.force", format!("[0, 0, {}]", -36.0 * area)),
        ("load.3.force", format!("[0, 0, {}]", -18.0 * area)),
    ]
}
