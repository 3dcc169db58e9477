//! Benchmarks on given states: load, settle into the warm regime, measure.

use super::Measurement;
use crate::verify::scene::{plane, solid};
use cairn::body::Part;
use cairn::law::Rolling;
use cairn::measure::kinetic_energy;
use cairn::scene::Scene;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use cairn::step::StepReport;
use cairn_solvers::clock::Clock;
use cairn_solvers::residual;
use miette::IntoDiagnostic;

/// Steps before the clock starts, and steps measured.
const WARM_UP: usize = 20;
const MEASURED: usize = 100;

/// 2000 disks.
pub fn disks(name: &'static str) -> miette::Result<Measurement> {
    measure(name, &mut plane("packed-disks", &[])?, WARM_UP, MEASURED)
}

/// 4993 spheres.
pub fn spheres(name: &'static str) -> miette::Result<Measurement> {
    measure(name, &mut solid("packed-spheres", &[])?, WARM_UP, MEASURED)
}

/// An elastic lid on the 4993 spheres, and once far above them, against the spheres alone: they share the work of a sweep, but no more.
pub fn mixed(name: &'static str) -> miette::Result<Measurement> {
    let lid = |height: f64| [("deformable.0.position", format!("[0.0175, 0.0175, {height}]"))];
    let alone = measure("alone", &mut solid("packed-spheres", &[])?, WARM_UP, MEASURED)?;
    let mut lying = measure(name, &mut solid("packed-spheres/scene-lid", &[])?, WARM_UP, MEASURED)?;
    let away = measure("away", &mut solid("packed-spheres/scene-lid", &lid(0.09))?, WARM_UP, MEASURED)?;
    let total = lying.seconds_total;
    let mut tell = |what: &str, value: f64, unit: &str| lying.extra.push((what.into(), value, unit.into()));
    tell("spheres alone", 1e3 * alone.seconds_total, "ms a step");
    tell("with the lid on them, against that", total / alone.seconds_total, "×");
    tell("with the lid far away, against that", away.seconds_total / alone.seconds_total, "×");
    tell("sweeps alone", alone.sweeps, "a step");
    Ok(lying)
}

/// Arms of rolling and twisting resistance, in radii of the mean grain: those of rough sand.
const ROLLING: f64 = 0.1;
const TWISTING: f64 = 0.05;

/// The same spheres with contacts that resist rolling and twisting, against those that do not.
pub fn rolling(name: &'static str) -> miette::Result<Measurement> {
    let plain = measure("without", &mut solid("packed-spheres", &[])?, WARM_UP, MEASURED)?;
    let mut spheres = solid("packed-spheres", &[])?;
    let (_, radius) = mass_and_radius(&spheres);
    for law in &mut spheres.scene.laws {
        law.rolling = Rolling { rolling: ROLLING * radius, twisting: TWISTING * radius };
    }
    let mut measurement = measure(name, &mut spheres, WARM_UP, MEASURED)?;
    let mut tell = |what: &str, of: &dyn Fn(&Measurement) -> f64| {
        measurement.extra.push((format!("{what} against no resistance"), of(&measurement) / of(&plain), "×".into()));
    };
    tell("time of a step", &|m| m.seconds_total);
    tell("sweeps", &|m| m.sweeps);
    tell("time per contact-iteration", &|m| m.ns_per_contact_iteration);
    Ok(measurement)
}

/// 410 bricks, from rest with zero impulses: no warm-up.
pub fn wall(name: &'static str) -> miette::Result<Measurement> {
    measure(name, &mut solid("brick-wall", &[])?, 0, MEASURED)
}

/// 150 elastic blocks in the plane.
pub fn blocks(name: &'static str) -> miette::Result<Measurement> {
    measure(name, &mut plane("elastic-blocks", &[])?, WARM_UP, MEASURED)
}

/// 150 elastic blocks in space, from rest with zero impulses: no warm-up.
pub fn masonry(name: &'static str) -> miette::Result<Measurement> {
    let mut measurement = measure(name, &mut solid("masonry-wall", &[])?, 0, MEASURED)?;
    let hundred = 100.0 * measurement.seconds_total;
    measurement.extra.push(("processor time of 100 steps".into(), hundred, "s".into()));
    Ok(measurement)
}

/// Copies of the box in a row, and how far apart: as wide as the box, so that grains of neighbours touch.
const COPIES: u32 = 20;
const SPACING: f64 = 0.035;
/// How often one copy is measured: it takes little time, and that of a busy machine would be luck.
const REPEATED: usize = 5;

/// The box of spheres twenty times over in one long box: growth with size alone. Fifty sweeps a step, converged or not: what
/// is measured is their cost.
pub fn many_spheres(name: &'static str) -> miette::Result<Measurement> {
    let sweeps = [
        ("solver.max_sweeps", "50".to_string()),
        ("solver.tolerance", "1e-14".to_string()),
        ("solver.on_failure", "\"accept\"".to_string()),
    ];
    let one = solid("packed-spheres", &sweeps)?.scene;
    let mut many = Simulation::new(row_of_copies(&one));
    let mut measurement = measure(name, &mut many, 5, 20)?;
    let mut singles = Vec::new();
    for _ in 0..REPEATED {
        singles.push(measure("one copy", &mut Simulation::new(one.clone()), 5, 20)?);
    }
    let mean = |f: &dyn Fn(&Measurement) -> f64| singles.iter().map(f).sum::<f64>() / REPEATED as f64;
    let growth = measurement.seconds_total / (f64::from(COPIES) * mean(&|m| m.seconds_total));
    let per_contact = growth * f64::from(COPIES) * mean(&|m| m.contacts) / measurement.contacts;
    let mut tell = |what: &str, value: f64, unit: &str| measurement.extra.push((what.into(), value, unit.into()));
    tell("time per body against one copy", growth, "×");
    tell("time per contact against one copy", per_contact, "×");
    tell("one copy, per contact-iteration", mean(&|m| m.ns_per_contact_iteration), "ns");
    tell("one copy, rest per contact", mean(&|m| m.us_outside_sweeps_per_contact), "µs");
    Ok(measurement)
}

/// The grains again and again along y; the back wall moves to the far end, and no walls stand in between.
pub fn row_of_copies(scene: &Scene<3>) -> Scene<3> {
    let mut many = scene.clone();
    for (body, motion) in many.bodies.iter().zip(&mut many.start) {
        if many.groups[body.group as usize].ends_with(".back") {
            motion.place.centre.y += SPACING * f64::from(COPIES - 1);
        }
    }
    for copy in 1..COPIES {
        for (body, motion) in scene.bodies.iter().zip(&scene.start).filter(|(body, _)| body.mass.is_finite()) {
            let (first, count) = (body.parts.0 as usize, body.parts.1 as usize);
            let mut body = body.clone();
            body.parts.0 = many.parts.len() as u32;
            for part in &scene.parts[first..first + count] {
                many.parts.push(Part { body: many.bodies.len() as u32, ..part.clone() });
            }
            many.bodies.push(body);
            let mut motion = *motion;
            motion.place.centre.y += SPACING * f64::from(copy);
            many.start.push(motion);
        }
    }
    many
}

/// 1000 spheres poured into a box and left to settle; then all velocities are set to zero, and it must stay at rest for a
/// second. (Without that a few grains sheltered on the floor go on spinning about the vertical for ever: a point contact
/// does not resist spin about its normal.)
pub fn pile(name: &'static str) -> miette::Result<Measurement> {
    let mut pile = solid("pile", &[])?;
    let h = pile.scene.time.step;
    let pouring = Clock::start();
    let poured = (pile.scene.time.end / h) as usize;
    for _ in 0..poured {
        pile.step().into_diagnostic()?;
    }
    let seconds_pouring = pouring.seconds();
    let (mass, radius) = mass_and_radius(&pile);
    let relative_energy = |pile: &Simulation<3>| {
        1e8 * kinetic_energy(&pile.scene, &pile.state.motions, &pile.state.fields) / (mass * 9.81 * radius)
    };
    let spinning = relative_energy(&pile);
    for motion in &mut pile.state.motions {
        (motion.velocity, motion.spin) = (Vect::zeros(), Vect::zeros());
    }
    let mut measurement = measure(name, &mut pile, 0, (1.0 / h).round() as usize)?;
    let kinetic = relative_energy(&pile);
    let overlap = pile.state.ledger.worst_penetration / radius;
    let steps = pile.state.step as f64;
    measurement.extra.extend([
        ("CPU s per simulated second at rest".to_string(), measurement.seconds_total / h, "s/s".to_string()),
        ("the same while pouring".to_string(), seconds_pouring / (poured as f64 * h), "s/s".to_string()),
        ("1e8 × kinetic energy / (M g r) after the second at rest".to_string(), kinetic, "-".to_string()),
        ("the same after pouring, before the stop".to_string(), spinning, "-".to_string()),
        ("worst overlap of the whole run".to_string(), 100.0 * overlap, "% of a radius".to_string()),
        ("steps that did not converge".to_string(), pile.state.ledger.unconverged as f64, format!("of {steps}")),
    ]);
    Ok(measurement)
}

fn mass_and_radius(pile: &Simulation<3>) -> (f64, f64) {
    let scene = &pile.scene;
    let movable = scene.bodies.iter().filter(|b| b.mass.is_finite());
    let radii: Vec<f64> = movable.clone().map(|b| scene.parts[b.parts.0 as usize].radius).collect();
    (movable.map(|b| b.mass).sum(), radii.iter().sum::<f64>() / radii.len() as f64)
}

/// Runs `warm_up` steps, then measures `steps`.
fn measure<const D: usize>(
    name: &str,
    simulation: &mut Simulation<D>,
    warm_up: usize,
    steps: usize,
) -> miette::Result<Measurement>
where
    Space<D>: Ambient<D>,
{
    for _ in 0..warm_up {
        simulation.step().into_diagnostic()?;
    }
    let mut reports: Vec<StepReport> = Vec::with_capacity(steps);
    let clock = Clock::start();
    for _ in 0..steps {
        reports.push(simulation.step().into_diagnostic()?);
    }
    let total = clock.seconds();
    let sum = |f: &dyn Fn(&StepReport) -> f64| reports.iter().map(f).sum::<f64>();
    let contact_sweeps = sum(&|r| r.contact_sweeps as f64);
    let contacts = sum(&|r| r.contacts as f64);
    let sweeping = sum(&|r| r.solver.seconds_sweeping);
    let beside = sum(&|r| r.solver.seconds_beside);
    let (masses, links) = simulation.work.problem();
    let n = steps as f64;
    let mut extra = Vec::new();
    if beside > 0.0 {
        extra.push(("of it other methods than sweeps".to_string(), 1e3 * beside / n, "ms a step".to_string()));
    }
    Ok(Measurement {
        name: name.to_string(),
        bodies: simulation.scene.bodies.iter().filter(|b| b.mass.is_finite()).count()
            + simulation.scene.flexibles.len(),
        contacts: contacts / n,
        sweeps: sum(&|r| r.sweeps as f64) / n,
        seconds_detect: sum(&|r| r.seconds_detect) / n,
        seconds_solve: sum(&|r| r.seconds_solve) / n,
        seconds_total: total / n,
        ns_per_contact_iteration: 1e9 * sweeping / contact_sweeps,
        residual: reports.iter().fold(0.0, |w, r| f64::max(w, r.solver.residual)),
        threads: rayon::current_num_threads(),
        us_outside_sweeps_per_contact: 1e6 * (total - sweeping - beside) / contacts,
        change: residual::change(masses, links),
        extra,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks are those of the state that other codes were measured on: the same nodes, block by block.
    #[test]
    fn blocks_are_where_the_common_state_has_them() {
        let wall = plane("elastic-blocks", &[]).unwrap().scene;
        let text = include_str!("../../../../examples/elastic-blocks/nodes.csv");
        let mut given = vec![Vec::new(); wall.flexibles.len()];
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
            given[numbers[0] as usize].push([numbers[1], numbers[2]]);
        }
        for (body, given) in wall.flexibles.iter().zip(&given) {
            assert_eq!(body.model.nodes().len(), given.len());
            for node in 0..given.len() {
                let x = body.reference(node);
                assert!(given.iter().any(|g| (x[0] - g[0]).hypot(x[1] - g[1]) < 1e-6), "{x}");
            }
        }
    }
}
