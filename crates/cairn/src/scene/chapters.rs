//! Making the [`Chapter`]s of a scene: what its stages change, said in full for each.

use super::build::Numbers;
use super::contacts::{ANY, replace_laws};
use super::document::{Place, Problem};
use super::geometry::lower;
use super::names::Names;
use super::spec::{Batch, GravitySpec, SceneSpec, Selection};
use super::{Chapter, History, Kick, Scene, Span, Varying};
use crate::contact::Side;
use crate::space::{Ambient, Space, Vect};
use nalgebra::Vector3;

/// Which components of each body, piece by piece, are fixed or driven: in each stage, or once if that is the same in all.
pub fn held<const D: usize>(names: &Names, spec: &SceneSpec) -> Vec<Vec<[bool; 6]>>
where
    Space<D>: Ambient<D>,
{
    let varies = spans(spec).any(|span| span != Span::ALWAYS);
    let stages = if varies { spec.stages.len() } else { 1 };
    (0..stages).map(|stage| held_in::<D>(names, spec, stage)).collect()
}

fn spans(spec: &SceneSpec) -> impl Iterator<Item = Span> {
    spec.fixes.iter().map(|fix| fix.span).chain(spec.drives.iter().map(|drive| drive.span))
}

/// The same in one stage.
fn held_in<const D: usize>(names: &Names, spec: &SceneSpec, stage: usize) -> Vec<[bool; 6]>
where
    Space<D>: Ambient<D>,
{
    let components = D + Space::<D>::SPINS;
    let of = |batch: &Batch, fixed: bool| std::array::from_fn(|k| k < components && (fixed || batch.held[k]));
    let mut held: Vec<[bool; 6]> =
        spec.batches.iter().flat_map(|batch| batch.pieces.iter().map(move |p| of(batch, p.fixed))).collect();
    for fix in spec.fixes.iter().filter(|fix| fix.span.holds(stage)) {
        for body in names.select(&fix.bodies.0, fix.bodies.1).unwrap_or_default() {
            (0..components).for_each(|k| held[body as usize][k] |= fix.held[k]);
        }
    }
    for drive in spec.drives.iter().filter(|drive| drive.span.holds(stage)) {
        for body in names.select(&drive.bodies.0, drive.bodies.1).unwrap_or_default() {
            held[body as usize][drive.component] = true;
        }
    }
    held
}

/// The parts of a gravity that turns by −φ about k, in a scene that is tilted by φ: g = g∥ + g⊥ cos φ − k × g sin φ.
pub fn tilted<const D: usize>(gravity: &GravitySpec) -> Vec<(Vect<D>, History)> {
    let Some((axis, angle)) = &gravity.tilt else { return Vec::new() };
    let (axis, whole) = (Vector3::from(*axis), Vector3::from(gravity.acceleration));
    let along = axis * axis.dot(&whole);
    let turned = |sine: bool| History::Turned { angle: Box::new(angle.clone()), sine };
    vec![
        (lower(along.into()), History::Constant(1.0)),
        (lower((whole - along).into()), turned(false)),
        (lower((-axis.cross(&whole)).into()), turned(true)),
    ]
}

/// Gives the scene its chapters, if its stages change anything.
pub fn add<const D: usize>(
    scene: &mut Scene<D>,
    names: &Names,
    spec: &SceneSpec,
    numbers: &Numbers,
    held: &[Vec<[bool; 6]>],
) where
    Space<D>: Ambient<D>,
{
    let solver = |c: &super::spec::SolverChanges| {
        c.tolerance.is_some() || c.outliers.is_some() || c.max_sweeps.is_some() || c.on_failure.is_some()
    };
    let changes = spec.changes.iter().any(|c| {
        c.gravity.is_some()
            || !c.contacts.is_empty()
            || solver(&c.solver)
            || !c.kicks.is_empty()
            || !c.removed.is_empty()
    });
    if !changes && spans(spec).all(|span| span == Span::ALWAYS) {
        return;
    }
    refuse_deformable(names, spec, numbers);
    let gone = gone(scene, names, spec, numbers);
    let held = held_by_body(scene, numbers, held);
    scene.varying = varying(scene, &held, &gone);
    let (mut gravity, mut tilt) = (scene.gravity.clone(), scene.tilt.clone());
    let (mut laws, mut law_of, mut solver) = (scene.laws.clone(), scene.law_of.clone(), scene.solver.clone());
    for (stage, change) in spec.changes.iter().enumerate() {
        if let Some(new) = &change.gravity {
            (gravity, tilt) = ((lower(new.acceleration), new.history.clone()), tilted(new));
        }
        check_materials(names, change);
        replace_laws(&change.contacts, &spec.materials, &mut laws, &mut law_of);
        solver.tolerance = change.solver.tolerance.unwrap_or(solver.tolerance);
        solver.outliers = change.solver.outliers.unwrap_or(solver.outliers);
        solver.max_sweeps = change.solver.max_sweeps.unwrap_or(solver.max_sweeps);
        solver.on_failure = change.solver.on_failure.unwrap_or(solver.on_failure);
        let is_gone = |body: u32| gone.iter().any(|(from, bodies)| *from <= stage && bodies.contains(&body));
        let held_here = |body: u32| {
            let held = held[stage.min(held.len() - 1)][body as usize];
            if is_gone(body) { std::array::from_fn(|k| k < D + Space::<D>::SPINS) } else { held }
        };
        let kicks = change.kicks.iter().flat_map(|kick| {
            let (velocity, spin) = (lower(kick.velocity), Space::<D>::lower_spin(&kick.spin));
            numbers.rigid(names, &kick.bodies).into_iter().map(move |body| Kick { body, velocity, spin })
        });
        let chapter = Chapter {
            gravity: gravity.clone(),
            tilt: tilt.clone(),
            laws: laws.clone(),
            law_of: law_of.clone(),
            solver: solver.clone(),
            held: scene.varying.iter().map(|v| held_here(v.body)).collect(),
            is_gone: scene.varying.iter().map(|v| is_gone(v.body)).collect(),
            kicks: kicks.collect(),
        };
        scene.chapters.push(chapter);
    }
    // Laws that come later keep what they need from the start: every stage has the same list.
    scene.chapters.iter_mut().for_each(|chapter| chapter.laws.clone_from(&laws));
    scene.open_chapter(0);
}

/// Who is taken away, and from which stage on.
fn gone<const D: usize>(scene: &Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers) -> Vec<(usize, Vec<u32>)>
where
    Space<D>: Ambient<D>,
{
    let of = |(stage, selection): (usize, &Selection)| (stage, numbers.rigid(names, selection));
    let removed = spec.changes.iter().enumerate().flat_map(|(stage, c)| c.removed.iter().map(move |s| (stage, s)));
    let gone: Vec<_> = removed.map(of).collect();
    for (body, place) in spec.membranes.iter().map(|m| (numbers.rigid(names, &m.bodies), m.bodies.1)) {
        if body.iter().any(|b| gone.iter().any(|(_, bodies)| bodies.contains(b))) {
            let message = format!("a stage takes away {} of a membrane", scene.body_name(body[0]));
            names.reader.report(Problem::new(place, message, "this membrane"));
        }
    }
    gone
}

/// Held components by rigid body instead of by piece.
fn held_by_body<const D: usize>(scene: &Scene<D>, numbers: &Numbers, held: &[Vec<[bool; 6]>]) -> Vec<Vec<[bool; 6]>>
where
    Space<D>: Ambient<D>,
{
    let by_body = |held: &Vec<[bool; 6]>| {
        let mut bodies = vec![[false; 6]; scene.bodies.len()];
        for (piece, held) in held.iter().enumerate() {
            if let Side::Rigid(body) = numbers.of_piece(piece) {
                bodies[body] = *held;
            }
        }
        bodies
    };
    held.iter().map(by_body).collect()
}

/// The bodies that are not held alike in all stages, or taken away.
fn varying<const D: usize>(scene: &Scene<D>, held: &[Vec<[bool; 6]>], gone: &[(usize, Vec<u32>)]) -> Vec<Varying<D>>
where
    Space<D>: Ambient<D>,
{
    let mut varies: Vec<bool> =
        (0..scene.bodies.len()).map(|body| held.windows(2).any(|two| two[0][body] != two[1][body])).collect();
    gone.iter().flat_map(|(_, bodies)| bodies).for_each(|&body| varies[body as usize] = true);
    let varying = |(body, _): (usize, &bool)| {
        let (number, body) = (body as u32, &scene.bodies[body]);
        Varying { body: number, mass: body.mass, moments: body.moments }
    };
    varies.iter().enumerate().filter(|(_, varies)| **varies).map(varying).collect()
}

fn check_materials(names: &Names, change: &super::spec::StageChanges) {
    for contact in &change.contacts {
        for name in contact.between.iter().filter(|name| name.as_str() != ANY) {
            names.material(name, contact.place);
        }
    }
}

/// Stages release, take away and push rigid bodies only.
fn refuse_deformable(names: &Names, spec: &SceneSpec, numbers: &Numbers) {
    let refuse = |selection: &Selection, what: &str| {
        let place: Place = selection.1;
        if !numbers.flexible(names, selection).is_empty() {
            let message = format!("`{}` has deformable bodies: {what}", selection.0);
            names.reader.report(Problem::new(place, message, "for rigid bodies"));
        }
    };
    let changing = |span: Span| span != Span::ALWAYS;
    let fixed = spec.fixes.iter().filter(|f| changing(f.span)).map(|f| &f.bodies);
    let driven = spec.drives.iter().filter(|d| changing(d.span)).map(|d| &d.bodies);
    fixed.chain(driven).for_each(|s| refuse(s, "what holds or drives their nodes does so in all stages"));
    let kicked = spec.changes.iter().flat_map(|c| c.kicks.iter().map(|kick| &kick.bodies));
    kicked.for_each(|s| refuse(s, "stages give velocities to rigid bodies"));
    let removed = spec.changes.iter().flat_map(|c| &c.removed);
    removed.for_each(|s| refuse(s, "stages take away rigid bodies"));
}
