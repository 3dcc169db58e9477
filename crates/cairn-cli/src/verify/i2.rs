//! I2: a thick sphere, elastic and perfectly plastic, under internal pressure; radii a = 1, b = 2, σ_y = 250 MPa, E = 200 GPa, ν = 0.3.
//!
//! The plastic zone a ≤ r ≤ c is in equilibrium with σ_θ − σ_r = σ_y, the rest is elastic (Hill 1950):
//!
//! ```text
//!   p = 2σ_y (ln(c/a) + (1 − c³/b³)/3),      first yield c = a: 145.833 MPa,   c = 1.4: 277.736118 MPa,   limit c = b: 346.573590 MPa
//! ```
//!
//! At c = 1.4 the inner face has moved by 1.845528 mm. Unloading is elastic and leaves −226.119 MPa along the hoop at a. Axisymmetry with
//! mean dilatation, 32 × 16 cells: 1 %. Stresses are those of points of quadrature, taken to r = a along a line through the first two cells.

use super::scene::{plane, run_to};
use super::{Findings, Size};
use cairn::simulation::Simulation;

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let mut simulation = plane("thick-sphere", &[])?;
    run_to(&mut simulation, 10.0)?;
    findings.holds("no flow below 145.833 MPa", plastic_radius(&simulation) == 1.0);
    run_to(&mut simulation, 20.0)?;
    findings.relative(
        "displacement of the inner face at 277.7 MPa",
        "m",
        inner_displacement(&simulation),
        1.845528e-3,
        0.01,
    );
    findings.absolute("radius of the plastic zone", "m", plastic_radius(&simulation), 1.4, 1.0 / 32.0);
    run_to(&mut simulation, 30.0)?;
    findings.relative("residual hoop stress at the inner face", "MPa", 1e-6 * inner_hoop(&simulation), -226.119, 0.01);
    findings.sound("sphere", &simulation);
    let limit = limit()?;
    findings.relative("limit pressure", "MPa", 1e-6 * limit, 346.573590, 0.01);
    Ok(())
}

/// Mean displacement outwards of the nodes at r = 1.
fn inner_displacement(simulation: &Simulation<2>) -> f64 {
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let inner: Vec<f64> = body
        .model
        .nodes()
        .iter()
        .zip(field.displacement.chunks_exact(2))
        .filter(|(x, _)| x.norm() < 1.0 + 1e-9)
        .map(|(x, u)| x[0] * u[0] + x[1] * u[1])
        .collect();
    inner.iter().sum::<f64>() / inner.len() as f64
}

/// The largest radius at which a point has flowed: the outer edge of its cell; 1 if none has.
fn plastic_radius(simulation: &Simulation<2>) -> f64 {
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let continuum = &body.model.continuum;
    let flowed = continuum.nodal_history(&field.history, "plastic_strain").unwrap_or_default();
    let nodes = continuum.mesh().nodes.iter().zip(&flowed).filter(|(_, p)| **p > 1e-12);
    nodes.map(|(x, _)| x.norm() - 0.5 / 32.0).fold(1.0, f64::max)
}

/// Hoop stress about the axis, extrapolated from the two innermost rows of points of quadrature to r = 1, mean along the arc [Pa].
fn inner_hoop(simulation: &Simulation<2>) -> f64 {
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let samples = body.model.continuum.samples(&field.displacement, &field.history);
    let width = 1.0 / 32.0;
    let row = |k: f64| {
        let near =
            samples.iter().filter(|s| s.place.norm() > 1.0 + k * width && s.place.norm() < 1.0 + (k + 1.0) * width);
        let rows: Vec<(f64, f64)> = near.map(|s| (s.place.norm(), s.stress[(2, 2)])).collect();
        let count = rows.len() as f64;
        (rows.iter().map(|r| r.0).sum::<f64>() / count, rows.iter().map(|r| r.1).sum::<f64>() / count)
    };
    let (first, second) = (row(0.0), row(1.0));
    first.1 + (1.0 - first.0) * (second.1 - first.1) / (second.0 - first.0)
}

/// The pressure at which the inner face runs away, in steps of 0.2 %: beyond the limit nothing but inertia holds it [Pa].
fn limit() -> miette::Result<f64> {
    let mut simulation =
        plane("thick-sphere", &[("load.0.pressure", "{ ramp = { to = 360e6, end = 100 } }".to_string())])?;
    for step in 1..=100 {
        if simulation.step().is_err() || inner_displacement(&simulation) > 0.05 {
            return Ok(360e6 * (f64::from(step) - 0.5) / 100.0);
        }
    }
    Ok(f64::NAN)
}
