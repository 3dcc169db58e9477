//! A8: an elastic bar, in all elements of the plane and of space, ν = 0: what is known in one dimension, with c = √(E/ρ).
//!
//! * Patch test: on a distorted mesh a linear displacement leaves no force at inner nodes and gives a uniform stress. Round-off: 1e-12.
//! * First eigenfrequency of the bar held at one end, ω = π c/(2L). The quotient of Rayleigh with the exact mode at the nodes converges
//!   with order 2p, p the order of the elements (masses consistent). In time, the bar started with the velocity of that mode:
//!   from the zeros of its displacement. θ = ½ lengthens the period by (ωh)²/12; 400 steps a period: 2e-5 and the mesh's share, 0.1 %.
//! * Free fall: q = ½ g t² exactly, no strain.
//! * Step load p on the free end: it moves with p/(ρc) until the wave comes back at 2L/c, to 2pL/E. Wave speed: the displacement of
//!   the middle at 1.4 L/c, run backwards with p/(ρc), begins when the wave has come. (Waves as short as an element are faster than c here, so
//!   that the front itself has no sharp place: half of the velocity is there one element early.) One element in 100: 1 %.
//! * Order in h: of the displacement of the end in free vibration, from steps h, h/2, h/4: 2 with θ = ½, 1 with θ = 1.

use super::deformable::centre_velocity;
use super::scene::{plane, run_to, solid};
use super::{Findings, Size};
use cairn::flexible::dot;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use cairn_fem::continuum::{Continuum, Options};
use cairn_fem::generate::{self, Flat, Solid, even};
use cairn_fem::material::{Isotropic, Law, Material};
use cairn_fem::mesh::Mesh;
use cairn_fem::section::Section;
use miette::{IntoDiagnostic, miette};
use std::f64::consts::{FRAC_PI_2, PI};

const DENSITY: f64 = 7800.0;
const YOUNG: f64 = 2e11;
const LENGTH: f64 = 1.0;
const TRACTION: f64 = 1e8;
const FLAT: [&str; 4] = ["T3", "Q4", "T6", "Q8"];
const SOLID: [&str; 4] = ["Tet4", "H8", "Tet10", "H20"];

fn celerity() -> f64 {
    (YOUNG / DENSITY).sqrt()
}

/// Order p of an element.
fn order(element: &str) -> i32 {
    if ["T6", "Q8", "Tet10", "H20"].contains(&element) { 2 } else { 1 }
}

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    patches(findings)?;
    let flat = |element: &str, cells: usize| {
        let changes = [
            ("deformable.0.mesh.element", format!("{element:?}")),
            ("deformable.0.mesh.cells", format!("[{cells}, 1]")),
        ];
        plane("elastic-bar", &changes)
    };
    let deep = |element: &str, cells: usize| {
        let changes = [
            ("deformable.0.mesh.element", format!("{element:?}")),
            ("deformable.0.mesh.cells", format!("[{cells}, 1, 1]")),
        ];
        solid("elastic-bar/scene-3d", &changes)
    };
    for element in FLAT {
        frequency(findings, element, |cells| flat(element, cells))?;
    }
    for element in SOLID {
        frequency(findings, element, |cells| deep(element, cells))?;
    }
    fall(findings, "Q4", plane("elastic-bar", &[("gravity.acceleration", "[3, -9.81]".into())])?)?;
    fall(findings, "H8", solid("elastic-bar/scene-3d", &[("gravity.acceleration", "[3, 2, -9.81]".into())])?)?;
    wave(findings, "Q4", plane("elastic-bar", &[])?)?;
    wave(findings, "H8", solid("elastic-bar/scene-3d", &[])?)?;
    for (theta, expected) in [(0.5, 2.0), (1.0, 1.0)] {
        let tip = |refined: u32| -> miette::Result<f64> {
            let mut simulation = flat("Q4", 20)?;
            simulation.scene.time.theta = theta;
            simulation.scene.time.xi = theta;
            simulation.scene.time.step = period() / (400.0 * f64::from(refined));
            vibrate(&mut simulation);
            run_to(&mut simulation, 0.35 * period())?;
            Ok(tip_of(&simulation, &simulation.state.fields[0].displacement))
        };
        let [a, b, c] = [tip(1)?, tip(2)?, tip(4)?];
        findings.absolute(&format!("order in h, θ = {theta}"), "-", ((a - b) / (b - c)).log2(), expected, 0.05);
    }
    Ok(())
}

fn period() -> f64 {
    4.0 * LENGTH / celerity()
}

/// Starts free vibration in the first mode, without the load.
fn vibrate<const D: usize>(simulation: &mut Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let body = &mut simulation.scene.flexibles[0];
    body.loads.clear();
    simulation.state.fields[0].velocity = mode(body);
}

/// sin(π x/2L) along the bar at the nodes.
fn mode<const D: usize>(body: &cairn::flexible::Flexible<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let at = |n: usize| (FRAC_PI_2 * body.reference(n)[0] / LENGTH).sin();
    (0..body.model.dofs()).map(|i| if i % D == 0 { at(i / D) } else { 0.0 }).collect()
}

/// Component along the bar of a node at its free end.
fn tip_of<const D: usize>(simulation: &Simulation<D>, nodal: &[f64]) -> f64
where
    Space<D>: Ambient<D>,
{
    let body = &simulation.scene.flexibles[0];
    let x = |n: &usize| body.reference(*n)[0];
    let tip = (0..body.model.nodes().len()).max_by(|a, b| x(a).total_cmp(&x(b)));
    tip.map_or(0.0, |n| nodal[D * n])
}

fn frequency<const D: usize>(
    findings: &mut Findings,
    element: &str,
    bar: impl Fn(usize) -> miette::Result<Simulation<D>>,
) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let exact = FRAC_PI_2 * celerity() / LENGTH;
    let quotient = |cells: usize| -> miette::Result<f64> {
        let body = &bar(cells)?.scene.flexibles[0];
        let mode = mode(body);
        let [mut stiff, mut heavy] = [vec![0.0; mode.len()], vec![0.0; mode.len()]];
        body.model.stiffness.multiply(&mode, &mut stiff);
        body.model.mass.multiply(&mode, &mut heavy);
        Ok((dot(&mode, &stiff) / dot(&mode, &heavy)).sqrt() / exact - 1.0)
    };
    let found = (quotient(8)? / quotient(16)?).log2();
    let expected = f64::from(2 * order(element));
    findings.absolute(&format!("{element}: order of the eigenfrequency in mesh size"), "-", found, expected, 0.05);

    let mut simulation = bar(20)?;
    simulation.scene.time.step = period() / 400.0;
    vibrate(&mut simulation);
    let mut zeros = Vec::new();
    let mut before = 1.0;
    while zeros.len() < 2 && simulation.state.time < 2.0 * period() {
        simulation.step().into_diagnostic()?;
        let now = tip_of(&simulation, &simulation.state.fields[0].displacement);
        if before * now < 0.0 {
            zeros.push(simulation.state.time - simulation.scene.time.step * now / (now - before));
        }
        before = now;
    }
    let half = zeros.get(1).unwrap_or(&f64::INFINITY) - zeros.first().unwrap_or(&0.0);
    findings.relative(&format!("{element}, 20 cells: first eigenfrequency"), "rad/s", PI / half, exact, 1e-3);
    Ok(())
}

fn fall<const D: usize>(findings: &mut Findings, element: &str, mut simulation: Simulation<D>) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let body = &mut simulation.scene.flexibles[0];
    body.loads.clear();
    body.drives.clear();
    let end = 500.0 * simulation.scene.time.step;
    run_to(&mut simulation, end)?;
    let time = simulation.state.time;
    let gravity = simulation.scene.gravity.0;
    let missed = (centre_velocity(&simulation, 0) - gravity * time).norm() / (gravity.norm() * time);
    findings.at_most(&format!("{element}: free fall, error of the velocity"), "-", missed, 1e-10);
    let fallen = gravity * (0.5 * time * time);
    let nodes = simulation.state.fields[0].displacement.chunks_exact(D);
    let strained = nodes.map(|u| (Vect::<D>::from_column_slice(u) - fallen).norm()).fold(0.0, f64::max);
    findings.at_most(&format!("{element}: free fall, error of any node's path"), "-", strained / fallen.norm(), 1e-9);
    Ok(())
}

fn wave<const D: usize>(findings: &mut Findings, element: &str, mut simulation: Simulation<D>) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    let body = &simulation.scene.flexibles[0];
    let distance = |n: &usize| (body.reference(*n)[0] - 0.5 * LENGTH).abs();
    let middle = (0..body.model.nodes().len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let speed = TRACTION / (DENSITY * celerity());
    let (mut arrival, mut reach, mut turn) = (0.0, 0.0, 0.0);
    while simulation.state.time < 3.0 * LENGTH / celerity() {
        simulation.step().into_diagnostic()?;
        let time = simulation.state.time;
        if time < 1.4 * LENGTH / celerity() {
            arrival = time - simulation.state.fields[0].displacement[D * middle] / speed;
        }
        let tip = tip_of(&simulation, &simulation.state.fields[0].displacement);
        if tip > reach {
            (reach, turn) = (tip, time);
        }
    }
    findings.relative(&format!("{element}: wave speed"), "m/s", 0.5 * LENGTH / arrival, celerity(), 0.01);
    findings.relative(&format!("{element}: the end turns round"), "s", turn, 2.0 * LENGTH / celerity(), 0.01);
    findings.relative(&format!("{element}: largest elongation"), "m", reach, 2.0 * TRACTION * LENGTH / YOUNG, 0.01);
    findings.sound(element, &simulation);
    Ok(())
}

fn patches(findings: &mut Findings) -> miette::Result<()> {
    let grid = even(0.0, 1.0, 3);
    let bent = |x: f64, y: f64| 0.08 * (5.0 * x + 3.0 * y).sin();
    for element in FLAT {
        let layout = if element.starts_with('T') { Flat::T3 } else { Flat::Q4 };
        let mut mesh = generate::rectangle(&grid, &grid, layout);
        mesh.map(|x| Vect::<2>::new(x[0] + bent(x[0], x[1]), x[1] + bent(x[1], -x[0])));
        let mesh = if order(element) == 2 { mesh.quadratic() } else { mesh };
        patch(findings, element, mesh, Section::PlaneStrain { thickness: 1.0 })?;
    }
    for element in SOLID {
        let layout = if element.starts_with('T') { Solid::Tet4 } else { Solid::H8 };
        let mut mesh = generate::block(&grid, &grid, &grid, layout);
        mesh.map(|x| Vect::<3>::new(x[0] + bent(x[0], x[2]), x[1] + bent(x[1], -x[0]), x[2] + bent(x[2], x[1])));
        let mesh = if order(element) == 2 { mesh.quadratic() } else { mesh };
        patch(findings, element, mesh, Section::Solid)?;
    }
    Ok(())
}

fn patch<const D: usize>(
    findings: &mut Findings,
    element: &str,
    mesh: Mesh<D>,
    section: Section,
) -> miette::Result<()> {
    let mut inner = vec![true; mesh.nodes.len()];
    mesh.skin().iter().flat_map(|b| &b.nodes).for_each(|&n| inner[n as usize] = false);
    // Some linear displacement, of the size of small strains.
    let u: Vec<f64> = mesh
        .nodes
        .iter()
        .flat_map(|x| (0..D).map(|i| 1e-3 * ((i + 1) as f64 * x[0] - 0.7 * x[1] + 0.3 * x[D - 1])))
        .collect();
    let law = Law::Isotropic(Isotropic { young: YOUNG, poisson: 0.3 });
    let continuum = Continuum::new(mesh, vec![Material { density: DENSITY, law }], section, Options::default());
    let continuum = continuum.map_err(|e| miette!("{element}: {e}"))?;
    let mut force = vec![0.0; u.len()];
    continuum.internal_force(&u, &mut force);
    let largest = force.iter().fold(0.0, |a, f| f64::max(a, f.abs()));
    let left = force.iter().enumerate().filter(|(i, _)| inner[i / D]).fold(0.0, |a, (_, f)| f64::max(a, f.abs()));
    findings.at_most(&format!("{element}: patch test, force left at inner nodes"), "-", left / largest, 1e-12);
    let samples = continuum.samples(&u, &[]);
    let first = samples[0].stress;
    let spread = samples.iter().map(|s| (s.stress - first).norm()).fold(0.0, f64::max) / first.norm();
    findings.at_most(&format!("{element}: patch test, spread of the stress"), "-", spread, 1e-12);
    Ok(())
}
