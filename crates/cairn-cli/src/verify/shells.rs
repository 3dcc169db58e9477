//! Static equilibrium of sheets, for the shell tests: what is held, what pulls, Newton's method.

use cairn_fem::Vect;
use cairn_fem::continuum::{Continuum, Formulation, Options};
use cairn_fem::generate::{even, shell};
use cairn_fem::material::{Isotropic, Law, Material};
use cairn_fem::mesh::Mesh;
use cairn_fem::section::{Kinematics, Section};
use cairn_sparse::{Analysis, Factor, Ordering, Symmetric};
use miette::{IntoDiagnostic, miette};
use std::sync::Arc;

/// Newton's iterations of a load, and the change relative to the displacements that ends them.
const ITERATIONS: usize = 40;
const TOLERANCE: f64 = 1e-9;

/// A sheet that is held and loaded.
pub struct Sheet {
    /// The body.
    pub body: Continuum<3>,
    held: Vec<bool>,
    /// Loads [N].
    pub load: Vec<f64>,
}

/// The points of a surface at a height above it.
pub type Place<'a> = &'a dyn Fn([f64; 3]) -> [f64; 3];

/// One layer of cells over a patch, `from` to `to` in each coordinate.
pub fn patch(us: [f64; 2], vs: [f64; 2], thickness: f64, cells: [usize; 2], place: Place<'_>) -> Mesh<3> {
    let line = |[from, to]: [f64; 2], count| even(from, to, count);
    shell(&line(us, cells[0]), &line(vs, cells[1]), &line([-0.5 * thickness, 0.5 * thickness], 1), place)
}

impl Sheet {
    /// An elastic sheet of unit density.
    pub fn new(mesh: Mesh<3>, young: f64, poisson: f64, kinematics: Kinematics) -> miette::Result<Self> {
        let material = Material { density: 1.0, law: Law::Isotropic(Isotropic { young, poisson }) };
        let formulation = Formulation::SolidShell { points: 2 };
        let options = Options { kinematics, formulation, ..Options::default() };
        let body = Continuum::new(mesh, vec![material], Section::Solid, options).into_diagnostic()?;
        let size = body.dofs();
        Ok(Sheet { body, held: vec![false; size], load: vec![0.0; size] })
    }

    /// Nodes of a boundary.
    pub fn nodes(&self, boundary: &str) -> Vec<usize> {
        let all = self.body.mesh().boundaries.iter().filter(|b| b.name == boundary).flat_map(|b| &b.nodes);
        let mut nodes: Vec<usize> = all.map(|&n| n as usize).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Both nodes through the thickness at the nearest place in the reference configuration.
    pub fn column(&self, place: [f64; 3]) -> [usize; 2] {
        let away = |n: usize| (self.body.mesh().nodes[n] - Vect::from(place)).norm();
        let mut nodes: Vec<usize> = (0..self.body.mesh().nodes.len()).collect();
        nodes.sort_by(|&a, &b| away(a).total_cmp(&away(b)));
        [nodes[0], nodes[1]]
    }

    /// Holds a component of nodes.
    pub fn hold(&mut self, nodes: &[usize], components: &[usize]) {
        nodes.iter().flat_map(|n| components.iter().map(move |c| 3 * n + c)).for_each(|i| self.held[i] = true);
    }

    /// Spreads a force over nodes.
    pub fn pull(&mut self, nodes: &[usize], component: usize, force: f64) {
        nodes.iter().for_each(|n| self.load[3 * n + component] += force / nodes.len() as f64);
    }

    /// Mean displacement of nodes.
    pub fn moved(&self, u: &[f64], nodes: &[usize], component: usize) -> f64 {
        nodes.iter().map(|n| u[3 * n + component]).sum::<f64>() / nodes.len() as f64
    }

    /// The displacements under a share of the loads and of `extra` ones that depend on them, from those that are near; the number of iterations.
    pub fn settle(&self, share: f64, extra: impl Fn(&[f64], &mut [f64]), u: &mut [f64]) -> miette::Result<usize> {
        let mut newton = Newton::new(self)?;
        for iteration in 0..ITERATIONS {
            let change = newton.iterate(self, share, &extra, u)?;
            if change <= TOLERANCE * largest(u) {
                return Ok(iteration + 1);
            }
        }
        Err(miette!("a sheet has not come to rest in {ITERATIONS} iterations, at {share} of its load"))
    }

    /// The displacements of a linear sheet: solved, and what round-off has left solved again.
    pub fn linear(&self) -> miette::Result<Vec<f64>> {
        let (mut u, mut newton) = (vec![0.0; self.body.dofs()], Newton::new(self)?);
        for _ in 0..2 {
            newton.iterate(self, 1.0, &|_, _| {}, &mut u)?;
        }
        Ok(u)
    }
}

/// What Newton's iterations work with.
struct Newton {
    tangent: Symmetric,
    force: Vec<f64>,
    analysis: Arc<Analysis>,
}

impl Newton {
    fn new(sheet: &Sheet) -> miette::Result<Self> {
        let pattern = sheet.body.pattern();
        let analysis = Analysis::new(pattern, Ordering::Automatic).into_diagnostic()?;
        Ok(Newton { tangent: Symmetric::zero(pattern), force: vec![0.0; sheet.body.dofs()], analysis })
    }

    /// One iteration; the largest change.
    fn iterate(
        &mut self,
        sheet: &Sheet,
        share: f64,
        extra: &impl Fn(&[f64], &mut [f64]),
        u: &mut [f64],
    ) -> miette::Result<f64> {
        sheet.body.force_and_tangent(u, &mut self.force, &mut self.tangent);
        let mut right: Vec<f64> = sheet.load.iter().zip(&self.force).map(|(l, f)| share * l - f).collect();
        extra(u, &mut right);
        right.iter_mut().zip(&sheet.held).filter(|(_, held)| **held).for_each(|(r, _)| *r = 0.0);
        self.tangent.fix(&sheet.held);
        Factor::new(&self.analysis, &self.tangent).into_diagnostic()?.solve(&mut right);
        u.iter_mut().zip(&right).for_each(|(u, c)| *u += c);
        Ok(largest(&right))
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}
