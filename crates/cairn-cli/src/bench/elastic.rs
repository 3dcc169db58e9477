//! What the linear algebra of one large elastic body costs: assembly, ordering, factorization, solution.

use super::Measurement;
use cairn_fem::continuum::{Continuum, Options};
use cairn_fem::generate::{block, even};
use cairn_fem::material::{Isotropic, Law, Material};
use cairn_fem::section::Section;
use cairn_solvers::clock::Clock;
use cairn_sparse::{Analysis, Factor, Ordering, Symmetric};
use miette::IntoDiagnostic;

/// Hexahedra along each edge: 26³ nodes, 52 728 degrees of freedom.
const CELLS: usize = 25;

/// A cube of H8 on its fixed bottom, under a unit load on every node.
pub fn block_of_50k(name: &'static str) -> miette::Result<Measurement> {
    let edge = even(0.0, 1.0, CELLS);
    let mesh = block(&edge, &edge, &edge, cairn_fem::generate::Solid::H8);
    let held: Vec<bool> = mesh.nodes.iter().flat_map(|x| [x.z == 0.0; 3]).collect();
    let positions: Vec<f64> = mesh.nodes.iter().flat_map(|x| [x.x, x.y, x.z]).collect();
    let stone = Material { density: 2700.0, law: Law::Isotropic(Isotropic { young: 60e9, poisson: 0.27 }) };
    let mut lap = Laps(Clock::start());
    let continuum = Continuum::new(mesh, vec![stone], Section::Solid, Options::default()).into_diagnostic()?;
    let prepared = lap.next();
    let mut stiffness = Symmetric::zero(continuum.pattern());
    continuum.tangent(&vec![0.0; continuum.dofs()], &mut stiffness);
    let assembled = lap.next();
    stiffness.fix(&held);
    let analysis = Analysis::new(stiffness.pattern(), Ordering::Positions(&positions, 3)).into_diagnostic()?;
    let analysed = lap.next();
    let factor = Factor::new(&analysis, &stiffness).into_diagnostic()?;
    let factorized = lap.next();
    let load: Vec<f64> = held.iter().map(|&h| if h { 0.0 } else { 1.0 }).collect();
    let mut x = load.clone();
    factor.solve(&mut x);
    let solved = lap.next();
    let mut force = vec![0.0; x.len()];
    stiffness.multiply(&x, &mut force);
    let worst = force.iter().zip(&load).map(|(f, b)| (f - b).abs()).fold(0.0, f64::max);
    let figures = [
        ("degrees of freedom", continuum.dofs() as f64, ""),
        ("mesh to pattern", prepared, "s"),
        ("assembly of the stiffness", assembled, "s, of 1 allowed"),
        ("ordering and symbolic part", analysed, "s"),
        ("numerical factorization", factorized, "s"),
        ("solution", solved, "s"),
        ("numbers in the factor", 1e-6 * analysis.entries() as f64, "million"),
    ];
    Ok(Measurement {
        name: name.to_string(),
        bodies: 1,
        residual: worst,
        threads: rayon::current_num_threads(),
        extra: figures.map(|(what, value, unit)| (what.to_string(), value, unit.to_string())).into(),
        ..Measurement::default()
    })
}

/// Times between one call and the next.
struct Laps(Clock);

impl Laps {
    fn next(&mut self) -> f64 {
        let seconds = self.0.seconds();
        self.0 = Clock::start();
        seconds
    }
}
