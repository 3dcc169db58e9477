//! I1: a cube of J2 material in a tensile test, to a logarithmic strain of 0.5.
//!
//! Kirchhoff's stress τ along the pull is the yield stress of p = ε − τ/E, for any steps: an equation for τ at each strain, solved to nine
//! digits in the table. One element, so that nothing is left but the tolerance of Newton's method: 1e-6, and p as well.

use super::scene::{run_to, solid};
use super::{Findings, Size};
use cairn::simulation::Simulation;

const STRAINS: [f64; 6] = [0.002, 0.01, 0.05, 0.1, 0.2, 0.5];
/// Name, Young's modulus [MPa], plasticity, τ at the strains [MPa].
const CURVES: [(&str, f64, &str, [f64; 6]); 3] = [
    (
        "linear",
        200e3,
        "{ yield_stress = 250e6, modulus = 1e9 }",
        [250.746269, 258.706468, 298.507463, 348.258706, 447.761194, 746.268657],
    ),
    (
        "Voce",
        200e3,
        "{ hardening = \"voce\", yield_stress = 250e6, gain = 200e6, saturation = 10 }",
        [251.479702, 266.604033, 326.696084, 375.031432, 422.355270, 448.621841],
    ),
    (
        "Swift",
        206e3,
        "{ hardening = \"swift\", strength = 565.32e6, offset = 0.007117, exponent = 0.2589 }",
        [163.625425, 194.336570, 267.813253, 315.866485, 375.205717, 473.626423],
    ),
];

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    for (name, young, plasticity, expected) in CURVES {
        let changes = [
            ("materials.steel.plasticity", plasticity.to_string()),
            ("materials.steel.young", format!("{:e}", young * 1e6)),
        ];
        let mut simulation = solid("tensile-test", &changes)?;
        for (k, (strain, tau)) in STRAINS.into_iter().zip(expected).enumerate() {
            run_to(&mut simulation, (k + 1) as f64)?;
            let (stress, plastic) = (kirchhoff(&simulation), plastic_strain(&simulation));
            findings.relative(&format!("{name}: stress at ε = {strain}"), "MPa", 1e-6 * stress, tau, 1e-6);
            let exact = strain - tau / young;
            findings.relative(&format!("{name}: plastic strain at ε = {strain}"), "-", plastic, exact, 1e-6);
        }
        findings.sound(name, &simulation);
    }
    Ok(())
}

/// J σ along x [Pa].
fn kirchhoff(simulation: &Simulation<3>) -> f64 {
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let samples = body.model.continuum.samples(&field.displacement, &field.history);
    // The trace of the logarithmic strain is the logarithm of J.
    samples[0].strain.trace().exp() * samples[0].stress[(0, 0)]
}

fn plastic_strain(simulation: &Simulation<3>) -> f64 {
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    let nodal = body.model.continuum.nodal_history(&field.history, "plastic_strain");
    nodal.and_then(|p| p.first().copied()).unwrap_or(f64::NAN)
}
