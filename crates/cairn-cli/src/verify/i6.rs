//! I6: limit load of a rigid strip footing on weightless soil (Prandtl 1920), Drucker–Prager fitted in plane strain, associated flow.
//!
//! Mean pressure over cohesion: 2 + π for φ = 0, within 2 %: displacement elements come from above, the more so the coarser they are around the edge of the
//! footing, where the stress jumps (26 cells under half of it: the outermost node carries half a cell more).

use super::scene::plane;
use super::{Findings, Size};
use miette::IntoDiagnostic;

/// Half the width of the footing [m], cohesion [Pa].
const HALF: f64 = 1.0;
const COHESION: f64 = 1e4;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut simulation = plane("strip-footing", &[])?;
    let footing = super::scene::body(&simulation, "footing")? as u32;
    let mut pressures = Vec::new();
    for _ in 0..24 {
        simulation.step().into_diagnostic()?;
        pressures.push(simulation.resultant(&[footing]).y / (HALF * COHESION));
    }
    let last = pressures[23];
    findings.relative("φ = 0: limit pressure", "c", last, 2.0 + std::f64::consts::PI, 0.02);
    findings.at_most("φ = 0: rise in the last eighth", "-", ((last - pressures[20]) / last).abs(), 0.001);
    findings.sound("φ = 0", &simulation);
    Ok(())
}
