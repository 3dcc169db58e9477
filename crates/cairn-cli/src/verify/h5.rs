//! H5: bonds on a face break at their strength, whatever is held.
//!
//! A block of 1 m hangs below a held one, bonded to it on a face of area A, and is pulled or pushed off by a force that grows by 1 kN/s.
//! A central pull tears it off at
//!
//!   N = f_t A                  however many points carry the bond, and whether the block may turn, or move aside, or not
//!
//! and a push along the joint shears it off at T = s A, or with Mohr and Coulomb, under a dead pull P, at T = c A − μ P. Held against rotation the
//! bond of the plain scheme, which judges its points one by one, had broken at half of that in 2D and at a third in 3D: what a support
//! takes of the moment is not the bond's. Times are those of the step in which the last point breaks: two steps of room.

use super::scene::written;
use super::{Findings, Size};
use cairn::contact::Bond;
use cairn::scene::AnyScene;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use miette::{IntoDiagnostic, miette};

/// Step [s], and what the force grows by [N/s].
const STEP: f64 = 1e-3;
const RATE: f64 = 1000.0;
/// Strengths [Pa] on 1 m² (1 m in the plane).
const TENSILE: f64 = 2000.0;
const SHEAR: f64 = 1500.0;
const COHESION: f64 = 2000.0;
/// The dead pull of the push by Mohr and Coulomb [N], and friction.
const PULL: f64 = 1000.0;
const FRICTION: f64 = 0.5;

/// A way to break a bond.
struct Trial {
    name: &'static str,
    joint: String,
    /// Direction of the force that grows, by axis, and the dead pull.
    force: [f64; 3],
    pull: f64,
    /// Force at which it breaks [N].
    expected: f64,
}

/// Runs the case; it is the same in all sizes.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    let brittle = format!("law = \"brittle\", tensile_strength = {TENSILE}, shear_strength = {SHEAR}");
    let coulomb = format!("law = \"mohr_coulomb\", cohesion = {COHESION}, tensile_strength = {TENSILE}");
    let pulled =
        Trial { name: "torn off", joint: brittle.clone(), force: [0.0, 0.0, -1.0], pull: 0.0, expected: TENSILE };
    let pushed = Trial { name: "sheared off", joint: brittle, force: [1.0, 0.0, 0.0], pull: 0.0, expected: SHEAR };
    let under_pull = Trial {
        name: "sheared off under a pull (Mohr–Coulomb)",
        joint: coulomb,
        force: [1.0, 0.0, 0.0],
        pull: PULL,
        expected: COHESION - FRICTION * PULL,
    };
    // Held against rotation where the push has a lever; in all ways where it has none.
    let in_plane: [&[&str]; 4] = [&[], &["x"], &["rotation"], &["x", "rotation"]];
    let in_space: [&[&str]; 4] = [&[], &["rx"], &["rx", "ry", "rz"], &["x", "y", "rx", "ry", "rz"]];
    for (dimension, ways, upright) in [(2, in_plane, &["rotation"][..]), (3, in_space, &["rx", "ry", "rz"][..])] {
        for held in ways {
            broken(findings, dimension, held, &pulled, None)?;
        }
        broken(findings, dimension, upright, &pulled, Some(1e-3))?;
        broken(findings, dimension, upright, &pushed, None)?;
        broken(findings, dimension, upright, &under_pull, None)?;
    }
    Ok(())
}

/// Pulls or pushes until no bond is left, and compares the force.
fn broken(
    findings: &mut Findings,
    dimension: usize,
    held: &[&str],
    trial: &Trial,
    tolerance: Option<f64>,
) -> miette::Result<()> {
    let name = match (held.is_empty(), tolerance) {
        (true, None) => format!("{dimension}D, free, {}", trial.name),
        (_, None) => format!("{dimension}D, {} held, {}", held.join(" "), trial.name),
        (_, Some(tolerance)) => {
            format!("{dimension}D, {} held, {}, tolerance {tolerance:e}", held.join(" "), trial.name)
        }
    };
    let solver = tolerance.map_or(String::new(), |tolerance| format!("solver = {{ tolerance = {tolerance} }}\n"));
    let text = scene(dimension, held, trial, &solver);
    let force = match written(&text, &[])? {
        AnyScene::Plane(scene) => force_of_break(Simulation::new(scene), trial)?,
        AnyScene::Solid(scene) => force_of_break(Simulation::new(scene), trial)?,
    };
    findings.absolute(&name, "N", force, trial.expected, 2.0 * STEP * RATE);
    Ok(())
}

/// The force [N] at the start of the step in which the last bond breaks.
fn force_of_break<const D: usize>(mut simulation: Simulation<D>, trial: &Trial) -> miette::Result<f64>
where
    Space<D>: Ambient<D>,
{
    while RATE * simulation.state.time < 2.0 * trial.expected {
        let before = simulation.state.time;
        simulation.step().into_diagnostic()?;
        if simulation.reactions().iter().all(|r| r.memory().bond != Bond::Whole) {
            return Ok(RATE * before);
        }
    }
    Err(miette!("nothing breaks"))
}

/// The scene as text. Vertical is the last axis.
fn scene(dimension: usize, held: &[&str], trial: &Trial, solver: &str) -> String {
    let kind = if dimension == 2 { "rectangle" } else { "box" };
    let list = |x: [f64; 3]| match dimension {
        2 => format!("[{}, {}]", x[0], x[2]),
        _ => format!("[{}, {}, {}]", x[0], x[1], x[2]),
    };
    let (size, below) = (list([1.0; 3]), list([0.0, 0.0, -1.0]));
    let held: Vec<String> = held.iter().map(|component| format!("\"{component}\"")).collect();
    let fixed = if held.is_empty() { String::new() } else { format!("fixed = [{}]\n", held.join(", ")) };
    let force = list(trial.force.map(|f| RATE * f));
    let pull = match trial.pull {
        0.0 => String::new(),
        pull => format!("[[load]]\nbodies = \"b\"\nforce = {}\n", list([0.0, 0.0, -pull])),
    };
    format!(
        "dimension = {dimension}\ntime = {{ step = {STEP}, end = 10 }}\nmaterials.m = {{ density = 1000 }}\n{solver}\
         contact = [{{ between = \"any\", friction = {FRICTION}, joint = {{ {} }} }}]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"{kind}\", size = {size} }}\n\
         [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = {below}\n{fixed}shape = {{ kind = \"{kind}\", size = {size} }}\n\
         [[load]]\nbodies = \"b\"\nforce = {force}\nhistory = {{ ramp = {{ to = 10, end = 10 }} }}\n{pull}",
        trial.joint
    )
}
