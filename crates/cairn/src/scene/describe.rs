//! What a scene contains, in words: the body of `cairn check`.

use super::{AnyScene, Cell, Chapter, Component, DriveKind, History, Scene};
use crate::law::{Compliant, Rolling, Unilateral};
use crate::shape::{ConvexShape, Shape};
use crate::space::{Ambient, Space, Vect};
use std::fmt::Write;

/// Groups that are listed one by one.
const LISTED: usize = 30;
/// Part of the smallest size that a body may move in a step.
const FRACTION: f64 = 0.1;

/// Describes a scene, several lines.
pub fn describe(scene: &AnyScene) -> String {
    let mut out = String::new();
    let written = match scene {
        AnyScene::Plane(scene) => write_all(scene, &mut out),
        AnyScene::Solid(scene) => write_all(scene, &mut out),
    };
    written.expect("writing to a string");
    out
}

fn write_all<const D: usize>(scene: &Scene<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    let obstacles = scene.bodies.iter().filter(|b| b.is_obstacle()).count();
    let title = if scene.title.is_empty() { "(no title)" } else { &scene.title };
    let deformable =
        if scene.flexibles.is_empty() { String::new() } else { format!(", {} deformable", scene.flexibles.len()) };
    writeln!(out, "{title}: {D}D, {} bodies, {obstacles} of them fixed or driven{deformable}", scene.bodies.len())?;
    write_groups(scene, out)?;
    write_sizes(scene, out)?;
    write_laws(scene, out)?;
    write_motions(scene, out)?;
    let (step, end) = (scene.time.step, scene.time.end);
    let steps = (end / step).round();
    let unit = scene.time.unit;
    let [end, step] = [end, step].map(|time| format!("{} {}", time / unit.seconds(), unit.symbol()));
    writeln!(out, "time: {end} in {steps} steps of {step}, θ = {}", scene.time.theta)?;
    match suggested_step(scene) {
        Some((suggested, why)) => writeln!(out, "suggested step: {suggested:e} s ({why})"),
        None => Ok(()),
    }
}

fn write_groups<const D: usize>(scene: &Scene<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    let unit = if D == 2 { "kg/m" } else { "kg" };
    let mut counts = vec![(0usize, 0.0f64, 0u16, 0usize); scene.groups.len()];
    for body in &scene.bodies {
        let group = &mut counts[body.group as usize];
        *group = (group.0 + 1, group.1 + if body.mass.is_finite() { body.mass } else { 0.0 }, body.material, 0);
    }
    for body in &scene.flexibles {
        let group = &mut counts[body.group as usize];
        let (mass, nodes) = (body.model.total_mass(), body.model.nodes().len());
        *group = (group.0 + 1, group.1 + mass, body.material, group.3 + nodes);
    }
    for (name, (count, mass, material, nodes)) in scene.groups.iter().zip(&counts).take(LISTED) {
        let material = scene.materials.get(usize::from(*material)).map_or("", |m| &m.name);
        // A mesh in the plane has a thickness.
        let unit = if *nodes > 0 { "kg" } else { unit };
        let mass = if *mass > 0.0 { format!("{mass:.6} {unit}") } else { "no finite mass".into() };
        let nodes = if *nodes > 0 { format!(", {nodes} nodes") } else { String::new() };
        writeln!(out, "  {name}: {count} × {material}, {mass}{nodes}")?;
    }
    if scene.groups.len() > LISTED {
        writeln!(out, "  and {} more groups", scene.groups.len() - LISTED)?;
    }
    let total: f64 = counts.iter().map(|c| c.1).sum();
    writeln!(out, "total mass: {total:.6} {unit}")
}

fn write_sizes<const D: usize>(scene: &Scene<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    if let Some((low, high)) = bounds(scene) {
        let corner = |x: Vect<D>| x.iter().map(|c| format!("{c:.6}")).collect::<Vec<_>>().join(", ");
        writeln!(out, "box of the bounded bodies: ({}) to ({}) m", corner(low), corner(high))?;
    }
    if let Some((small, large)) = sizes(scene) {
        writeln!(out, "sizes: {small:.6} to {large:.6} m")?;
    }
    Ok(())
}

/// Corners of the box round all bounded parts.
fn bounds<const D: usize>(scene: &Scene<D>) -> Option<(Vect<D>, Vect<D>)>
where
    Space<D>: Ambient<D>,
{
    let mut corners: Option<(Vect<D>, Vect<D>)> = None;
    let mut take_in = |x: Vect<D>| {
        corners = Some(corners.map_or((x, x), |(low, high)| (low.inf(&x), high.sup(&x))));
    };
    for part in &scene.parts {
        let place = scene.start[part.body as usize].place.then(&part.local);
        match &part.shape {
            Shape::Ball(ball) => {
                take_in(place.centre.add_scalar(-ball.radius));
                take_in(place.centre.add_scalar(ball.radius));
            }
            Shape::Convex(convex) => convex.vertices().iter().for_each(|v| take_in(place.point(v))),
            Shape::Surface(surface) => surface.vertices.iter().for_each(|v| take_in(place.point(v))),
            Shape::HalfSpace(_) | Shape::Hollow(_) => {}
        }
    }
    corners
}

/// Smallest and largest size of the bodies that can move: diameter of the ball of the same volume, of balls the diameter.
fn sizes<const D: usize>(scene: &Scene<D>) -> Option<(f64, f64)>
where
    Space<D>: Ambient<D>,
{
    let unit_ball = if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI };
    let mut range: Option<(f64, f64)> = None;
    for body in scene.bodies.iter().filter(|b| !b.is_obstacle()) {
        let parts = &scene.parts[body.parts.0 as usize..(body.parts.0 + body.parts.1) as usize];
        let volume: f64 = parts.iter().filter_map(|p| p.shape.mass_properties()).map(|m| m.volume).sum();
        if volume > 0.0 {
            let size = 2.0 * (volume / unit_ball).powf(1.0 / D as f64);
            range = Some(range.map_or((size, size), |(a, b)| (a.min(size), b.max(size))));
        }
    }
    range
}

fn write_laws<const D: usize>(scene: &Scene<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    let n = scene.materials.len();
    for a in 0..n {
        for b in a..n {
            let Some(law) = scene.laws.get(usize::from(scene.law_of[a * n + b])) else { continue };
            let (mu, nu) = (law.friction.at_rest, law.friction.sliding);
            let friction = if mu == nu { format!("μ = {mu}") } else { format!("μ = {mu} at rest, {nu} sliding") };
            let form = match &law.unilateral {
                Unilateral::Natural if scene.flexibles.is_empty() => "quasi-inelastic".to_string(),
                Unilateral::Natural => "gap on deformable bodies, else quasi-inelastic".to_string(),
                Unilateral::QuasiInelastic => "quasi-inelastic".to_string(),
                Unilateral::Gap => "gap".to_string(),
                Unilateral::Velocity(e) => format!("restitution {} (tangential {})", e.normal, e.tangential),
                Unilateral::Moreau(m) => format!("Moreau, dissipation {}", m.dissipation),
                Unilateral::Compliant(Compliant::PerArea(k)) => format!("{k} Pa/m in compression"),
                Unilateral::Compliant(Compliant::PerContact(k)) => format!("{k} N/m in compression"),
            };
            let bond = law.cohesion.describe();
            let rolling = match law.rolling {
                Rolling { rolling, twisting: 0.0 } if rolling > 0.0 => format!(", resists rolling with {rolling} m"),
                Rolling { rolling, twisting } if twisting > 0.0 => {
                    format!(", resists rolling with {rolling} m and twisting with {twisting} m")
                }
                _ => String::new(),
            };
            writeln!(
                out,
                "contact {} – {}: {friction}{rolling}, {form}{bond}",
                scene.materials[a].name, scene.materials[b].name
            )?;
        }
    }
    Ok(())
}

fn write_motions<const D: usize>(scene: &Scene<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    if scene.gravity.0 != Vect::<D>::zeros() {
        let g: Vec<String> = scene.gravity.0.iter().map(|x| x.to_string()).collect();
        writeln!(out, "gravity: ({}) m/s²", g.join(", "))?;
    }
    if let Some(cell) = &scene.cell {
        let axes: Vec<&str> = (0..D).filter(|k| cell.periodic[*k]).map(|k| ["x", "y", "z"][k]).collect();
        let size: Vec<String> = cell.size.iter().map(|x| format!("{x:.6}")).collect();
        writeln!(out, "periodic cell: ({}) m, periodic in {}", size.join(", "), axes.join(", "))?;
        write_deformation(scene, cell, out)?;
    }
    let gravity = |chapter: &Chapter<D>| (chapter.gravity.clone(), chapter.tilt.clone());
    for (k, (stage, chapter)) in scene.stages.iter().zip(&scene.chapters).enumerate() {
        let before = k.checked_sub(1).map_or(chapter, |before| &scene.chapters[before]);
        let gone = |c: &Chapter<D>| c.is_gone.iter().filter(|gone| **gone).count();
        let changes = [
            (gravity(before) != gravity(chapter), "gravity".to_string()),
            (before.law_of != chapter.law_of, "laws of contact".to_string()),
            (before.solver != chapter.solver, "settings of the solver".to_string()),
            (before.held != chapter.held, "who is held".to_string()),
            (!chapter.kicks.is_empty(), format!("{} velocities", chapter.kicks.len())),
            (gone(chapter) > gone(before), format!("takes {} bodies away", gone(chapter) - gone(before))),
        ];
        let changes: Vec<String> = changes.into_iter().filter(|(changes, _)| *changes).map(|(_, what)| what).collect();
        if !changes.is_empty() {
            writeln!(out, "stage {} changes: {}", stage.name, changes.join(", "))?;
        }
    }
    let counts = [
        (scene.ground_acceleration.len(), "components of ground acceleration"),
        (scene.drives.len(), "driven components"),
        (scene.loads.len(), "loads"),
        (scene.membranes.len(), "membranes"),
    ];
    for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "{what}: {count}")?;
    }
    Ok(())
}

/// How the cell deforms: at which rates at most, to which strains, under which stresses, and in which stages.
fn write_deformation<const D: usize>(scene: &Scene<D>, cell: &Cell<D>, out: &mut String) -> std::fmt::Result
where
    Space<D>: Ambient<D>,
{
    let name = |(row, column): (usize, usize)| format!("{}{}", ["x", "y", "z"][row], ["x", "y", "z"][column]);
    let stage = |k: usize| scene.stages.get(k).map_or("", |stage| stage.name.as_str());
    for strain in &cell.strains {
        let from = match &strain.history {
            History::Staged { stage: k, .. } => format!(" from stage {}", stage(*k)),
            _ => String::new(),
        };
        let most = strain.history.bound();
        writeln!(out, "  strain {} is prescribed{from}, {most} at most", name((strain.row, strain.column)))?;
    }
    for servo in &cell.servos {
        let what = match servo.component {
            Component::Mean(_) => "mean".to_string(),
            Component::One(row, column) => name((row, column)),
        };
        let from = if servo.span.from > 0 { format!(" from stage {}", stage(servo.span.from)) } else { String::new() };
        let until = if servo.span.until < usize::MAX {
            format!(" until stage {}", stage(servo.span.until))
        } else {
            String::new()
        };
        writeln!(out, "  stress {what} is kept{from}{until}, {} Pa at most: the cell gives way", servo.stress.bound())?;
    }
    Ok(())
}

/// A step for which no body moves more than a tenth of the smallest size d within it, at the largest of: the initial
/// speeds, the prescribed speeds, and √(2 g d), the speed after a fall through its own size. Rounded down to 1, 2, 5 × 10ᵏ;
/// with the reason in words.
pub fn suggested_step<const D: usize>(scene: &Scene<D>) -> Option<(f64, String)>
where
    Space<D>: Ambient<D>,
{
    let (size, _) = sizes(scene)?;
    let initial = scene.start.iter().map(|m| m.velocity.norm()).fold(0.0, f64::max);
    let driven = driven_speed(scene);
    let falling = (2.0 * scene.gravity.0.norm() * size).sqrt();
    let speed = initial.max(driven).max(falling);
    if !(speed > 0.0 && size.is_finite() && speed.is_finite()) {
        return None;
    }
    let raw = FRACTION * size / speed;
    let power = 10f64.powf(raw.log10().floor());
    let digit = [5.0, 2.0, 1.0].into_iter().find(|d| d * power <= raw * (1.0 + 1e-12)).unwrap_or(1.0);
    let source = match speed {
        s if s == driven => "of the drives",
        s if s == initial => "at the start",
        _ => "after a fall through that size",
    };
    Some((digit * power, format!("a tenth of the smallest size, {size:.3e} m, at {speed:.3e} m/s {source}")))
}

/// Largest prescribed speed of a point, sampled over the run; rotations at the body's own radius.
fn driven_speed<const D: usize>(scene: &Scene<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    const SAMPLES: usize = 500;
    let mut fastest: f64 = 0.0;
    for drive in &scene.drives {
        let dt = scene.time.end / SAMPLES as f64;
        let at = |i: usize| drive.history.at(i as f64 * dt);
        let speed = |i: usize| match drive.kind {
            DriveKind::Velocity => at(i).abs(),
            DriveKind::Displacement => (at(i + 1) - at(i)).abs() / dt,
        };
        let top = (0..SAMPLES).map(speed).fold(0.0, f64::max);
        fastest = fastest.max(if drive.component < D { top } else { top * reach(scene, drive.body) });
    }
    fastest
}

/// Radius of a body: of its hollow parts the inner radius, none for half-spaces.
fn reach<const D: usize>(scene: &Scene<D>, body: u32) -> f64
where
    Space<D>: Ambient<D>,
{
    let parts = scene.parts.iter().filter(|p| p.body == body);
    let radius = |p: &crate::body::Part<D>| match &p.shape {
        Shape::Hollow(hollow) => hollow.radius,
        Shape::HalfSpace(_) => 0.0,
        _ => p.radius,
    };
    parts.map(radius).fold(0.0, f64::max)
}
