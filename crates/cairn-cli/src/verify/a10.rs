//! A10: Painlevé's rod.
//!
//! A thin rod (J = m L²/12) at the angle φ to the floor slides on one end. In the local problem of that contact
//! W_NN = (1 + 3 cos² φ)/m, |W_NT| = 3 sin φ cos φ/m, and the solution is unique iff μ |W_NT| < W_NN, that is below
//!
//!   μ_c = (1 + 3 cos² φ)/(3 sin φ cos φ) = 4/3 at tan φ = 2.
//!
//! Above, friction pushes the end into the floor faster than the normal reaction can lift it: rigid bodies and
//! Coulomb's law have several solutions or none. The program must count this, and say at which contact and step. φ grows
//! slowly as the rod moves, so the first step decides: no tolerance but 1 % on either side of μ_c.

use super::scene::{body, plane};
use super::{Findings, Size};
use miette::IntoDiagnostic;

const CRITICAL: f64 = 4.0 / 3.0;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    for (factor, expected) in [(0.99, 0.0), (1.01, 1.0)] {
        let mut simulation = plane("painleve-rod", &[("contact.0.friction", (factor * CRITICAL).to_string())])?;
        let pair = [body(&simulation, "board")?, body(&simulation, "rod")?].map(|b| b as u32);
        let report = simulation.step().into_diagnostic()?;
        let run = format!("μ = {factor} × 4/3");
        let count = simulation.state.ledger.painleve as f64;
        findings.absolute(
            &format!("{run}: local problems without unique solution in step 1"),
            "-",
            count,
            expected,
            0.0,
        );
        let named = report.painleve_contact.map(|mut bodies| {
            bodies.sort_unstable();
            bodies == pair
        });
        let as_expected = if expected > 0.0 { named == Some(true) } else { named.is_none() };
        findings.holds(&format!("{run}: the report names the right contact, or none"), as_expected);
    }
    Ok(())
}
