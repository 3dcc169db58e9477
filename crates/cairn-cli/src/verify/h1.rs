//! H1: a lattice of disks in a box, pressed by a lid: nothing can move.
//!
//! 8 × 8 disks of 1 cm stand in columns between walls, under a lid that presses with 100 kN per metre of depth, 12 500 times the
//! weight of a column. Each step lets every contact yield by the tolerance of the solver, always the same way: with the plain scheme
//! (`repair = false`) the lid sinks for ever, though every step converges. Over 10 s it may sink by a thousandth of a radius
//! with the default settings; by a hundredth, the margin of Jean's biaxial tests, at a tolerance of 10⁻³ and at ten times the step.
//! A floor that holds the lid exactly cannot be asked for: contacts yield by a quarter of a thousandth of a radius before anything is repaired.

use super::scene::{body, run_to, written_plane};
use super::{Findings, Size};

const SCENE: &str = include_str!("scenes/pressed-lattice.toml");
const RADIUS: f64 = 0.01;

/// Runs the case: 10 s in any size, it takes that little.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let sloppy = ("solver.tolerance", "1e-3".to_string());
    let long = ("time.step", "1e-2".to_string());
    let ways = [("default", None, 1e-3), ("tolerance 1e-3", Some(&sloppy), 1e-2), ("step 10 ms", Some(&long), 1e-2)];
    for (name, change, limit) in ways {
        let mut simulation = written_plane(SCENE, change.map_or(&[], std::slice::from_ref))?;
        let lid = body(&simulation, "lid")?;
        run_to(&mut simulation, 10.0)?;
        let sunk = simulation.scene.start[lid].place.centre.y - simulation.state.motions[lid].place.centre.y;
        findings.at_most(&format!("{name}: the lid sinks in 10 s, in radii"), "-", sunk.abs() / RADIUS, limit);
        findings.sound(name, &simulation);
        findings.kept(name, &simulation);
    }
    let plain = [sloppy, ("accuracy.repair", "false".to_string())];
    let mut simulation = written_plane(SCENE, &plain)?;
    run_to(&mut simulation, 10.0)?;
    let worst = simulation.state.ledger.margins[0].value;
    findings.holds("tolerance 1e-3, plain scheme: the margins tell that it sinks", worst > 0.1);
    Ok(())
}
