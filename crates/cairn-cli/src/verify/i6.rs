//! I6: limit load of a rigid strip footing on weightless soil (Prandtl 1920), associated flow, footing and soil in contact with friction.
//!
//! Mean pressure over cohesion:
//!
//! ```text
//!   N_c = (e^{π tan φ} tan²(45° + φ/2) − 1)/tan φ:     2 + π for φ = 0,  14.835 for φ = 20°
//! ```
//!
//! Displacement elements come from above, the more so the coarser they are around the edge of the footing, where the stress jumps. For φ = 0, Q4 with mean
//! dilatation and 26 cells under half of the footing: within 2 %. For φ = 20°, T6 and 9 cells (12 in full size): within 3 %; the error falls with the size of the
//! cells, so that two meshes give the limit of small ones, within 0.5 %. Drucker–Prager fitted in plane strain and Mohr–Coulomb have the same limit.

use super::scene::plane;
use super::{Findings, Size};
use miette::IntoDiagnostic;

/// Half the width of the footing [m], cohesion [Pa].
const HALF: f64 = 1.0;
const COHESION: f64 = 1e4;

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    push(findings, "φ = 0", ("strip-footing", &[]), 24, (2.0 + std::f64::consts::PI, 0.02))?;

    let angle = 20.0_f64.to_radians();
    let wedge = (std::f64::consts::FRAC_PI_4 + 0.5 * angle).tan().powi(2);
    let exact = ((std::f64::consts::PI * angle.tan()).exp() * wedge - 1.0) / angle.tan();
    let full = size == Size::Full;
    let cells = if full { [84, 36] } else { [63, 27] };
    let mesh = |[x, y]: [usize; 2]| ("deformable.0.mesh.cells", format!("[{x}, {y}]"));
    let scene = "strip-footing/scene-friction";
    let fine = push(findings, "φ = 20°, Drucker–Prager", (scene, &[mesh(cells)]), 14, (exact, 0.03))?;
    if full {
        let pyramid = "{ density = 2000, young = 1e8, poisson = 0.3, \
                       mohr_coulomb = { cohesion = 1e4, friction_angle = 20, dilatancy_angle = 20 } }";
        let changes = [mesh(cells), ("materials.soil", pyramid.to_string())];
        push(findings, "φ = 20°, Mohr–Coulomb", (scene, &changes), 14, (exact, 0.03))?;
        let coarse = push(findings, "φ = 20°, cells twice as large", (scene, &[mesh([42, 18])]), 14, (exact, 0.05))?;
        findings.relative("φ = 20°, cells of no size", "c", 2.0 * fine - coarse, exact, 0.005);
    }
    Ok(())
}

/// Presses the footing down; the mean pressure at the end over the cohesion.
fn push(
    findings: &mut Findings,
    name: &str,
    (scene, changes): (&str, &[(&str, String)]),
    steps: usize,
    (exact, tolerance): (f64, f64),
) -> miette::Result<f64> {
    let mut simulation = plane(scene, changes)?;
    let footing = super::scene::body(&simulation, "footing")? as u32;
    let mut pressures = Vec::new();
    for _ in 0..steps {
        simulation.step().into_diagnostic()?;
        pressures.push(simulation.resultant(&[footing]).y / (HALF * COHESION));
    }
    let (last, before) = (pressures[steps - 1], pressures[steps - 1 - steps / 8]);
    findings.relative(&format!("{name}: limit pressure"), "c", last, exact, tolerance);
    findings.at_most(&format!("{name}: rise in the last eighth"), "-", ((last - before) / last).abs(), 0.001);
    findings.sound(name, &simulation);
    Ok(last)
}
