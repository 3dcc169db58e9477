//! `cairn bench cold` and `cairn bench stacks`: how long it takes to reach a residual, by plain sweeps, by sweeps with momentum and
//! by `auto`.
//!
//! Cold starts are the first steps of the packings and of the wall, with all impulses zero. Stacks are hard on sweeps: a heavy body far
//! from the ground.

use super::Measurement;
use crate::verify::scene::{plane, solid};
use cairn::scene::{self, AnyScene, Method, OnFailure, Scene};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn_solvers::clock::Clock;
use cairn_solvers::problem::{Link, Mass, Vect};
use cairn_solvers::report::Settings;
use cairn_solvers::strategy::rigid::RigidStrategy;
use miette::{IntoDiagnostic, miette};

/// Most sweeps of a cold start: 1e-6 takes plain sweeps longer than anyone would wait.
const MOST_SWEEPS: usize = 30_000;
/// Steps of each stack.
const STEPS: usize = 2;

/// The three ways that are compared.
const WAYS: [(&str, bool, Method); 3] =
    [("plain", false, Method::Nlgs), ("momentum", true, Method::Nlgs), ("auto", true, Method::Auto)];

/// Cold starts of the disks, the spheres and the wall.
pub fn cold(name: &'static str) -> miette::Result<Measurement> {
    let mut measurement = empty(name);
    cold_start("disks", &mut plane("packed-disks", &[])?, &mut measurement)?;
    cold_start("spheres", &mut solid("packed-spheres", &[])?, &mut measurement)?;
    cold_start("wall", &mut solid("brick-wall", &[])?, &mut measurement)?;
    Ok(measurement)
}

fn empty(name: &str) -> Measurement {
    Measurement { name: name.to_string(), threads: rayon::current_num_threads(), ..Default::default() }
}

fn cold_start<const D: usize>(
    case: &str,
    simulation: &mut Simulation<D>,
    measurement: &mut Measurement,
) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    // The step is wanted for its problem only.
    simulation.scene.solver.max_sweeps = 1;
    simulation.scene.solver.on_failure = OnFailure::Accept;
    simulation.step().into_diagnostic()?;
    let (masses, links) = without_impulses(simulation.work.problem());
    for tolerance in [1e-4, 1e-6] {
        for (way, momentum, method) in WAYS {
            let settings = Settings { tolerance, max_sweeps: MOST_SWEEPS, momentum, method, ..Settings::default() };
            let (mut masses, mut links) = (masses.clone(), links.clone());
            let clock = Clock::start();
            let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
            let seconds = clock.seconds();
            measurement.sweeps = measurement.sweeps.max(report.equivalent_sweeps);
            measurement.residual = measurement.residual.max(report.residual);
            let what = format!(
                "{case} to {tolerance:.0e} by {way}: {:.0} sweeps or as good, {} iterations, residual {:.1e}, CPU",
                report.equivalent_sweeps, report.split_iterations, report.residual
            );
            measurement.extra.push((what, seconds, "s".into()));
        }
    }
    Ok(())
}

/// The problem as it was before the step: impulses taken back out of the velocities, and set to zero.
fn without_impulses<const D: usize>((masses, links): (&[Mass<D>], &[Link<D>])) -> (Vec<Mass<D>>, Vec<Link<D>>) {
    let (mut masses, mut links) = (masses.to_vec(), links.to_vec());
    for link in &mut links {
        link.push(&mut masses, &-link.impulse);
        link.impulse = Vect::zeros();
    }
    (masses, links)
}

/// Stacks, each for a few steps from rest at a residual of 1e-8.
pub fn stacks(name: &'static str) -> miette::Result<Measurement> {
    let mut measurement = empty(name);
    let heavy = |count: usize, times: f64| cubes("kind = \"box\", size = [0.1, 0.1, 0.1]", 0.1, count, times);
    let drums = cubes("kind = \"box\", size = [1, 1, 0.4]", 0.4, 1000, 1.0);
    for (case, text) in [
        ("A12: 30 cubes, top 100 times as heavy", heavy(30, 100.0)),
        ("100 cubes, top 1000 times as heavy", heavy(100, 1000.0)),
        ("column of 1000 drums", drums),
        ("pyramid of 4900 spheres", pyramid(24)),
    ] {
        plain(case, &text, &mut measurement)?;
        for (way, _, method) in &WAYS[1..] {
            stack(case, &text, way, *method, &mut measurement)?;
        }
    }
    Ok(measurement)
}

fn read(text: &str) -> miette::Result<Scene<3>> {
    let folder = tempfile::tempdir().map_err(|e| miette!("no temporary folder: {e}"))?;
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).into_diagnostic()?;
    match scene::read(&path, &[])?.scene {
        AnyScene::Solid(scene) => Ok(scene),
        AnyScene::Plane(_) => Err(miette!("the stack is in space")),
    }
}

/// Sweeps without momentum on the first step's problem.
fn plain(case: &str, text: &str, measurement: &mut Measurement) -> miette::Result<()> {
    let mut scene = read(text)?;
    let max_sweeps = std::mem::replace(&mut scene.solver.max_sweeps, 1);
    scene.solver.on_failure = OnFailure::Accept;
    let mut simulation = Simulation::new(scene);
    simulation.step().into_diagnostic()?;
    let (mut masses, mut links) = without_impulses(simulation.work.problem());
    let (_, momentum, method) = WAYS[0];
    let settings = Settings { tolerance: 1e-8, max_sweeps, momentum, method, ..Settings::default() };
    let clock = Clock::start();
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    let what =
        format!("{case} by plain sweeps: {} in the first step, residual {:.1e}, CPU", report.sweeps, report.residual);
    measurement.extra.push((what, clock.seconds(), "s".into()));
    Ok(())
}

fn stack(case: &str, text: &str, way: &str, method: Method, measurement: &mut Measurement) -> miette::Result<()> {
    let mut scene = read(text)?;
    scene.solver.method = method;
    let mut simulation = Simulation::new(scene);
    let clock = Clock::start();
    let (mut sweeps, mut iterations, mut worst, mut failed) = (Vec::new(), 0, 0.0, 0);
    for _ in 0..STEPS {
        let report = simulation.step().into_diagnostic()?.solver;
        sweeps.push(format!("{:.0}", report.equivalent_sweeps));
        iterations += report.split_iterations;
        worst = f64::max(worst, report.residual);
        failed += usize::from(!report.converged);
    }
    let what = format!(
        "{case} by {way}: {} sweeps or as good in {STEPS} steps, {iterations} iterations, residual {worst:.1e}, {failed} steps not \
         converged, CPU per step",
        sweeps.join(", ")
    );
    measurement.residual = measurement.residual.max(worst);
    measurement.extra.push((what, clock.seconds() / STEPS as f64, "s".into()));
    Ok(())
}

/// What all stacks share.
const HEAD: &str = r#"
title = "Stack"
dimension = 3
time = { step = 5e-3, end = 1.0 }
gravity = { acceleration = [0, 0, -9.81] }
solver = { tolerance = 1e-8, max_sweeps = 50000 }

[[contact]]
between = "any"
friction = 0.5

[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
"#;

/// Bodies of a shape and height on top of each other, the highest heavier.
fn cubes(shape: &str, height: f64, count: usize, times: f64) -> String {
    let (middle, top) = (0.5 * height, height * (count as f64 - 0.5));
    format!(
        "materials.stone = {{ density = 200 }}\nmaterials.top = {{ density = {} }}\n{HEAD}
[[bodies]]
name = \"stack\"
material = \"stone\"
position = [0, 0, {middle}]
shape = {{ {shape} }}
copies = {{ count = {}, step = [0, 0, {height}] }}

[[bodies]]
name = \"top\"
material = \"top\"
position = [0, 0, {top}]
shape = {{ {shape} }}
",
        200.0 * times,
        count - 1
    )
}

/// Square layers of touching spheres, `side`² in the lowest; rough enough to stand, which they do not at 0.5.
fn pyramid(side: usize) -> String {
    let radius = 0.05;
    let mut text =
        format!("materials.stone = {{ density = 2500 }}\n{}", HEAD.replace("friction = 0.5", "friction = 0.7"));
    for layer in 0..side {
        let n = side - layer;
        let low = -radius * (n as f64 - 1.0);
        let z = radius + layer as f64 * radius * std::f64::consts::SQRT_2;
        for row in 0..n {
            let y = low + 2.0 * radius * row as f64;
            text += &format!(
                "\n[[bodies]]\nname = \"l{layer}r{row}\"\nmaterial = \"stone\"\nshape = {{ kind = \"sphere\", radius = {radius} }}\n\
                 position = [{low}, {y}, {z}]\ncopies = {{ count = {n}, step = [{}, 0, 0] }}\n",
                2.0 * radius
            );
        }
    }
    text
}
