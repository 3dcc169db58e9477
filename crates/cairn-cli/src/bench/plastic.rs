//! What force and tangent of a body at finite strain cost per element: elastic, and J2 with memory while all of it flows.

use super::Measurement;
use cairn_fem::continuum::{Advance, Continuum, Formulation, Options};
use cairn_fem::generate::{Solid, block, even};
use cairn_fem::material::{Hardening, Isotropic, Law, Material, NeoHookean, Plastic};
use cairn_fem::section::{Kinematics, Section};
use cairn_solvers::clock::Clock;
use cairn_sparse::Symmetric;
use miette::IntoDiagnostic;

/// Hexahedra along each edge.
const CELLS: usize = 16;
/// Assemblies of which the fastest counts: the others were disturbed.
const TRIALS: usize = 5;

/// A cube of H8 that is stretched and sheared by a tenth, differently at every node.
pub fn cube(name: &'static str) -> miette::Result<Measurement> {
    let elastic = Isotropic { young: 200e9, poisson: 0.3 };
    let hardening = Hardening::Linear { start: 250e6, modulus: 1e9 };
    let metal = Law::Plastic(Plastic { elastic, hardening, kinematic: None, rate: None });
    let mut figures = Vec::new();
    for formulation in [Formulation::Standard, Formulation::BBar] {
        let plain = timed(Law::NeoHookean(NeoHookean(elastic)), formulation)?;
        let flowing = timed(metal, formulation)?;
        let what = if formulation == Formulation::Standard { "H8" } else { "H8 with mean dilatation" };
        figures.push((format!("{what}: elastic"), 1e6 * plain, "µs per element"));
        figures.push((format!("{what}: J2"), 1e6 * flowing, "µs per element"));
        figures.push((format!("{what}: J2 over elastic"), flowing / plain, "of 3 allowed"));
    }
    Ok(Measurement {
        name: name.to_string(),
        bodies: 1,
        threads: rayon::current_num_threads(),
        extra: figures.into_iter().map(|(what, value, unit)| (what, value, unit.to_string())).collect(),
        ..Measurement::default()
    })
}

/// Time of one assembly of force and tangent, per element [s].
fn timed(law: Law, formulation: Formulation) -> miette::Result<f64> {
    let edge = even(0.0, 1.0, CELLS);
    let mesh = block(&edge, &edge, &edge, Solid::H8);
    let motion = |x: &[f64]| [0.1 * x[0] + 0.02 * (9.0 * x[1]).sin(), 0.05 * x[0] * x[2], -0.04 * x[2]];
    let after: Vec<f64> = mesh.nodes.iter().flat_map(|x| motion(x.as_slice())).collect();
    let options = Options { kinematics: Kinematics::Finite, formulation, ..Options::default() };
    let body =
        Continuum::new(mesh, vec![Material { density: 7800.0, law }], Section::Solid, options).into_diagnostic()?;
    let (mut force, mut tangent) = (vec![0.0; after.len()], Symmetric::zero(body.pattern()));
    let (before, start) = (vec![0.0; after.len()], body.initial_history());
    let mut history = start.clone();
    let step = Advance { before: &before, after: &after, history: &start, h: 1.0, xi: 1.0 };
    let mut best = f64::INFINITY;
    for _ in 0..TRIALS {
        let clock = Clock::start();
        if body.has_memory() {
            body.advance(&step, &mut force, [Some(&mut tangent), None], &mut history);
        } else {
            body.force_and_tangent(&after, &mut force, &mut tangent);
        }
        best = best.min(clock.seconds());
    }
    Ok(best / CELLS.pow(3) as f64)
}
