//! L2: the strength of a sand of disks does not depend on how it is held: biaxial tests in a periodic cell, and between walls under stress.
//!
//! 400 disks are pressed without friction from all sides by σ₀, and then compressed slowly with a friction of 0.3, the lateral stress kept:
//! by a stress of the cell, or by smooth walls whose pressure acts on their current length. With the stresses σ₁ (vertical) and σ₃ the
//! mobilized angle of friction is φ, sin φ = (σ₁ − σ₃)/(σ₁ + σ₃). The peak is the largest mean over 1 % of strain, the residual angle the mean
//! beyond 12 %.
//!
//! Single samples of this size scatter: peaks by 4°, residual angles by 2°. So means over three packings are compared, in every size: they may
//! differ by 2° and 1.5°. Walls order what is next to them, so that samples between them are looser by 0.02.

use super::scene::{body, plane};
use super::{Findings, Size};
use cairn::measure::{chosen_columns, chosen_values};
use cairn::simulation::Simulation;
use miette::miette;

/// Samples.
const PACKINGS: u32 = 3;
/// Side of the sample before it is pressed [m], and the stress [Pa].
const SIDE: f64 = 0.26;
const STRESS: f64 = 100.0;
/// Strain over which a peak is averaged, and beyond which the angle counts as residual.
const WINDOW: f64 = 0.01;
const RESIDUAL: f64 = 0.12;

/// Vertical strain since the compression began, σ₁ and σ₃ [Pa].
type Point = [f64; 3];

/// Angles of a test [°], and the mean of σ₃ over σ₀.
struct Test {
    peak: f64,
    residual: f64,
    lateral: f64,
}

/// Runs the case: all samples in any size.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut sums = [[0.0; 2]; 2];
    for packing in 1..=PACKINGS {
        let from = [("bodies.0.from", format!("grains-{packing}.csv"))];
        for (way, scene) in ["biaxial-cell", "biaxial-cell/walls"].into_iter().enumerate() {
            let name = format!("packing {packing}, {}", if way == 0 { "cell" } else { "walls" });
            let mut simulation = plane(scene, &from)?;
            let test = compressed(&mut simulation, way == 1)?;
            findings.sound(&name, &simulation);
            findings.kept(&name, &simulation);
            findings.absolute(&format!("{name}: lateral stress / prescribed"), "-", test.lateral, 1.0, 0.02);
            sums[way][0] += test.peak / f64::from(PACKINGS);
            sums[way][1] += test.residual / f64::from(PACKINGS);
        }
    }
    for (k, (what, tolerance)) in [("peak", 2.0), ("residual", 1.5)].into_iter().enumerate() {
        findings.absolute(
            &format!("{what} angle of friction, cell against walls"),
            "°",
            sums[0][k],
            sums[1][k],
            tolerance,
        );
    }
    let softens = sums.iter().all(|[peak, residual]| peak - residual > 2.0);
    findings.holds("dense samples lose strength after the peak", softens);
    Ok(())
}

/// The test from its start to its end.
fn compressed(simulation: &mut Simulation<2>, by_walls: bool) -> miette::Result<Test> {
    while simulation.state.stages.len() < 2 {
        simulation.step().map_err(|e| miette!("{e}"))?;
    }
    let height = if by_walls { walls(simulation)?.0 } else { height(simulation) };
    let mut points: Vec<Point> = Vec::new();
    while !simulation.is_over() {
        simulation.step().map_err(|e| miette!("{e}"))?;
        let (now, vertical, lateral) = if by_walls { walls(simulation)? } else { cell(simulation)? };
        points.push([1.0 - now / height, vertical, lateral]);
    }
    let within = |from: f64, to: f64| {
        let counted: Vec<&Point> = points.iter().filter(|p| p[0] >= from && p[0] < to).collect();
        [1, 2].map(|k| counted.iter().map(|p| p[k]).sum::<f64>() / counted.len() as f64)
    };
    let angle = |[major, minor]: [f64; 2]| ((major - minor) / (major + minor)).asin().to_degrees();
    let peak = (0..30).map(|k| 0.5 * WINDOW * f64::from(k)).map(|from| angle(within(from, from + WINDOW)));
    let residual = within(RESIDUAL, 1.0);
    let lateral = within(WINDOW, 1.0)[1] / STRESS;
    Ok(Test { peak: peak.fold(0.0, f64::max), residual: angle(residual), lateral })
}

/// Height of the cell [m].
fn height(simulation: &Simulation<2>) -> f64 {
    let cell = simulation.scene.cell.as_ref();
    cell.map_or(SIDE, |cell| cell.vectors(&simulation.state.now())[(1, 1)])
}

/// Height [m] and stresses [Pa] of the cell, pressure positive.
fn cell(simulation: &Simulation<2>) -> miette::Result<(f64, f64, f64)> {
    let measure = &simulation.scene.measures[0];
    let values = chosen_values(&simulation.scene, &simulation.state, measure);
    let columns = chosen_columns(measure);
    let stress = |name: &str| {
        let k = columns.iter().position(|(column, _)| column == name);
        k.map(|k| -values[k]).ok_or_else(|| miette!("the example has no {name}"))
    };
    Ok((height(simulation), stress("sample stress yy")?, stress("sample stress xx")?))
}

/// Height between the walls [m], and the forces on them over their lengths [Pa].
fn walls(simulation: &Simulation<2>) -> miette::Result<(f64, f64, f64)> {
    let (right, top) = (body(simulation, "right")?, body(simulation, "top")?);
    let moved = |body: usize| simulation.state.motions[body].place.centre - simulation.scene.start[body].place.centre;
    let (width, height) = (SIDE + moved(right).x, SIDE + moved(top).y);
    let force = |body: usize| simulation.resultant(&[body as u32]);
    Ok((height, force(top).y.abs() / width, force(right).x.abs() / height))
}
