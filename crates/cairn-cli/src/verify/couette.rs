//! Disks between a drum and a membrane, in any number: what B1 and B2 have in common.

use super::scene::plane;
use cairn::body::Motion;
use cairn::scene::{Drive, DriveKind, History, Span};
use cairn::simulation::Simulation;
use cairn::space::Vect;
use miette::IntoDiagnostic;
use std::f64::consts::{PI, TAU};

/// Number and drum of the example.
const GRAINS: f64 = 2400.0;
const DRUM: f64 = 0.1;
/// Largest diameter, and distance of the beads at the start [m].
const CELL: f64 = 13e-3;
const BEADS: f64 = 11e-3;
/// Body of the drum.
const DRUM_BODY: u32 = 0;

/// Radius of the drum for this number of grains: the sample keeps its proportions.
pub fn drum_radius(grains: usize) -> f64 {
    DRUM * (grains as f64 / GRAINS).sqrt()
}

/// The packing example with this number of grains, run to its end: dense, under pressure, without friction.
pub fn packed(grains: usize) -> miette::Result<Simulation<2>> {
    let drum = drum_radius(grains);
    let outer = (drum * drum + grains as f64 * CELL * CELL / PI).sqrt() + 1.5 * CELL;
    let ring = outer + 6e-3;
    let changes = [
        ("bodies.0.shape.radius", drum.to_string()),
        ("generate.0.inner", drum.to_string()),
        ("generate.0.outer", outer.to_string()),
        ("generate.0.count", grains.to_string()),
        ("generate.1.radius", ring.to_string()),
        ("generate.1.count", (TAU * ring / BEADS).ceil().to_string()),
    ];
    let mut simulation = plane("couette-packing", &changes)?;
    let end = simulation.scene.time.end;
    simulation.run_to(end).into_diagnostic()?;
    Ok(simulation)
}

/// From now on with the friction, and the solver, of the Couette example.
pub fn give_friction(simulation: &mut Simulation<2>) -> miette::Result<()> {
    let rough = plane("couette", &[])?.scene;
    let names = |scene: &cairn::scene::Scene<2>| scene.materials.iter().map(|m| m.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&rough), names(&simulation.scene), "both examples have the same materials");
    (simulation.scene.laws, simulation.scene.law_of) = (rough.laws, rough.law_of);
    simulation.scene.solver = rough.solver;
    Ok(())
}

/// From now on the drum turns.
pub fn turn_drum(simulation: &mut Simulation<2>, speed: f64) {
    let start = simulation.state.time;
    let history = History::Ramp { from: 0.0, to: speed, start, end: start + 0.01 };
    let (name, kind) = ("drum".to_string(), DriveKind::Velocity);
    let (span, is_active) = (Span::ALWAYS, true);
    simulation.scene.drives.push(Drive { name, body: DRUM_BODY, component: 2, kind, history, span, is_active });
}

/// Numbers of the bodies of a group.
pub fn group(simulation: &Simulation<2>, name: &str) -> Vec<usize> {
    let scene = &simulation.scene;
    let is_in = |&b: &usize| scene.groups[scene.bodies[b].group as usize] == name;
    (0..scene.bodies.len()).filter(is_in).collect()
}

/// Radius of a disk.
pub fn radius(simulation: &Simulation<2>, body: usize) -> f64 {
    simulation.scene.parts[simulation.scene.bodies[body].parts.0 as usize].radius
}

/// Area within the membrane and its length.
pub fn enclosed(simulation: &Simulation<2>) -> (f64, f64) {
    let bodies = &simulation.scene.membranes[0].bodies;
    let corner = |k: usize| simulation.state.motions[bodies[k % bodies.len()] as usize].place.centre;
    let sides = (0..bodies.len()).map(|k| (corner(k), corner(k + 1)));
    sides.fold((0.0, 0.0), |(area, length), (a, b)| (area + 0.5 * a.perp(&b), length + (b - a).norm()))
}

/// Mean pressure within the membrane, drum included, from the contact forces: ½ Σ f·l / A, l from centre to centre.
///
/// In equilibrium Σ f·l = −Σ F·x over the external forces, here the membrane's: 2 p A + T × length, exactly.
pub fn mean_pressure(simulation: &Simulation<2>) -> f64 {
    let centre = |body: u32| simulation.state.motions[body as usize].place.centre;
    let virial: f64 = simulation
        .reactions()
        .iter()
        .map(|r| r.impulse.dot(&(centre(r.contact.bodies[0]) - centre(r.contact.bodies[1]))))
        .sum();
    virial / simulation.state.last_step / (2.0 * enclosed(simulation).0)
}

/// The part of the ring between two radii that is covered by grains, on a grid of points.
pub fn solid_fraction(simulation: &Simulation<2>, motions: &[Motion<2>], from: f64, to: f64) -> f64 {
    const ACROSS: usize = 60;
    const ROUND: usize = 1500;
    let disks: Vec<(Vect<2>, f64)> =
        group(simulation, "grains").iter().map(|&b| (motions[b].place.centre, radius(simulation, b))).collect();
    let near = |at: f64| disks.iter().filter(move |(c, r)| (c.norm() - at).abs() < *r).collect::<Vec<_>>();
    let (mut covered, mut all) = (0.0, 0.0);
    for i in 0..ACROSS {
        let at = from + (to - from) * (i as f64 + 0.5) / ACROSS as f64;
        let near = near(at);
        let point = |j: usize| {
            let (sin, cos) = (TAU * j as f64 / ROUND as f64).sin_cos();
            Vect::<2>::new(at * cos, at * sin)
        };
        let inside = (0..ROUND).filter(|&j| near.iter().any(|(c, r)| (point(j) - c).norm_squared() < r * r)).count();
        covered += at * inside as f64;
        all += at * ROUND as f64;
    }
    covered / all
}
