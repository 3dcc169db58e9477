//! From what the file says to the [`Scene`]: names become numbers, forms become bodies.

use super::contacts::{ANY, laws};
use super::document::{Place, Problem, Reader};
use super::flexibles;
use super::geometry::{Build, lower, placement};
use super::joints;
use super::measures::followed;
use super::meshes::OfMesh;
use super::names::Names;
use super::rigid::{Given, rigid};
use super::spec::{Batch, DriveSpec, FixSpec, LoadSpecKind, MeshSpec, RegionSpec, SceneSpec, Selection};
use super::{Drive, Load, LoadKind, Material, Measure, Membrane, Quantity, Region, Scene, Span};
use super::{cells, chapters, widths};
use crate::body::{Body, Motion, Part};
use crate::contact::Side;
use crate::space::{Ambient, Space, Vect};
use std::collections::BTreeSet;

/// Builds the scene; none if something is wrong, which has then been reported.
pub fn build<const D: usize>(reader: &Reader, spec: SceneSpec) -> Option<Scene<D>>
where
    Space<D>: Build<D> + OfMesh<D>,
{
    let names = Names::new(reader, &spec);
    let numbers = Numbers::new(&spec);
    let held = chapters::held::<D>(&names, &spec);
    let mut scene = empty::<D>(&spec, &names);
    let mut body = 0;
    for batch in &spec.batches {
        if let Some(deformable) = &batch.deformable {
            flexibles::add(&mut scene, &names, &spec, batch, deformable);
        }
        if batch.pieces.iter().all(|piece| batch.deforms(piece)) {
            body += batch.pieces.len();
            continue;
        }
        let material = names.material(&batch.material.0, batch.material.1);
        let density = material.and_then(|m| spec.materials[m].density);
        let (Some(material), Some(density)) = (material, density) else {
            body += batch.pieces.len();
            continue;
        };
        let held: Vec<_> = held.iter().map(|held| &held[body..body + batch.pieces.len()]).collect();
        add_batch(&mut scene, reader, batch, (material as u16, density), &held);
        body += batch.pieces.len();
    }
    if scene.body_count() < body {
        // The numbers of bodies mean nothing now, their names do.
        look_up(&names, &spec);
        flexibles::look_up_boundaries::<D>(&names, &spec);
        return None;
    }
    number(&mut scene, &names, &numbers);
    scene.ignored = ignored(&names, &spec);
    scene.bonds = joints::rules(&names, &numbers, &spec.bonds, spec.time.step);
    (scene.laws, scene.law_of) = laws(&spec.contacts, &spec.materials);
    check_materials(&names, &spec);
    // A law that could not be read would only be missed again.
    if !spec.unread.laws && !reader.lost_sections.get() {
        check_laws(reader, &scene, &spec);
    }
    add_drives(&mut scene, &names, &spec, &numbers);
    flexibles::add_drives(&mut scene, &names, &spec, &numbers);
    add_loads(&mut scene, &names, &spec, &numbers);
    add_membranes(&mut scene, &names, &spec, &numbers);
    let resultant = |(name, place): &(String, Place)| {
        let mut bodies = numbers.select(&names, name, *place)?;
        bodies.sort_unstable();
        Some((name.clone(), bodies))
    };
    cells::add(&mut scene, reader, &spec);
    add_measures(&mut scene, &names, &spec, &numbers);
    chapters::add(&mut scene, &names, &spec, &numbers, &held);
    scene.output.resultants = spec.resultants.iter().filter_map(resultant).collect();
    reader.problems.borrow().iter().all(|p| p.warning).then_some(scene)
}

/// Bodies are listed piece by piece in the file; in the scene rigid ones come first, then deformable ones.
pub struct Numbers {
    /// What each piece is in the scene.
    of_piece: Vec<Side>,
    /// How many are rigid.
    rigid: usize,
    /// Where each deformable body is written.
    places: Vec<Place>,
}

impl Numbers {
    fn new(spec: &SceneSpec) -> Self {
        let mut numbers = Self { of_piece: Vec::new(), rigid: 0, places: Vec::new() };
        for batch in &spec.batches {
            for piece in &batch.pieces {
                if batch.deforms(piece) {
                    numbers.of_piece.push(Side::Deformable(numbers.places.len()));
                    numbers.places.push(batch.place);
                } else {
                    numbers.of_piece.push(Side::Rigid(numbers.rigid));
                    numbers.rigid += 1;
                }
            }
        }
        numbers
    }

    /// The bodies of a name, by their numbers in the scene.
    pub fn select(&self, names: &Names, name: &str, place: Place) -> Option<Vec<u32>> {
        let number = |&piece: &u32| match self.of_piece[piece as usize] {
            Side::Rigid(body) => body as u32,
            Side::Deformable(k) => (self.rigid + k) as u32,
        };
        Some(names.select(name, place)?.iter().map(number).collect())
    }

    /// What a piece is in the scene.
    pub fn of_piece(&self, piece: usize) -> Side {
        self.of_piece[piece]
    }

    /// The rigid bodies of a selection.
    pub fn rigid(&self, names: &Names, (name, place): &Selection) -> Vec<u32> {
        let pieces = names.select(name, *place).unwrap_or_default();
        let index = |&piece: &u32| match self.of_piece[piece as usize] {
            Side::Rigid(body) => Some(body as u32),
            Side::Deformable(_) => None,
        };
        pieces.iter().filter_map(index).collect()
    }

    /// The deformable bodies of a selection, counted among themselves.
    pub fn flexible(&self, names: &Names, (name, place): &Selection) -> Vec<usize> {
        let pieces = names.select(name, *place).unwrap_or_default();
        let index = |&piece: &u32| match self.of_piece[piece as usize] {
            Side::Rigid(_) => None,
            Side::Deformable(k) => Some(k),
        };
        pieces.iter().filter_map(index).collect()
    }

    /// Where a deformable body is written.
    pub fn place_of(&self, flexible: usize) -> Place {
        self.places[flexible]
    }
}

fn empty<const D: usize>(spec: &SceneSpec, names: &Names) -> Scene<D>
where
    Space<D>: Build<D>,
{
    let material = |m: &super::spec::MaterialSpec| Material { name: m.name.clone(), density: m.density.unwrap_or(1.0) };
    Scene {
        title: spec.title.clone(),
        materials: spec.materials.iter().map(material).collect(),
        groups: names.groups.clone(),
        bodies: Vec::new(),
        parts: Vec::new(),
        start: Vec::new(),
        laws: Vec::new(),
        law_of: Vec::new(),
        ignored: Vec::new(),
        bonds: Vec::new(),
        gravity: (lower(spec.gravity.acceleration), spec.gravity.history.clone()),
        tilt: chapters::tilted(&spec.gravity),
        ground_acceleration: spec.ground_acceleration.clone(),
        cell: None,
        drives: Vec::new(),
        loads: Vec::new(),
        flexibles: Vec::new(),
        membranes: Vec::new(),
        time: spec.time.clone(),
        stages: spec.stages.clone(),
        chapters: Vec::new(),
        varying: Vec::new(),
        solver: spec.solver.clone(),
        newton: spec.newton.clone(),
        accuracy: spec.accuracy.clone(),
        output: spec.output.clone(),
        measures: Vec::new(),
    }
}

fn add_batch<const D: usize>(
    scene: &mut Scene<D>,
    reader: &Reader,
    batch: &Batch,
    (material, density): (u16, f64),
    held: &[&[[bool; 6]]],
) where
    Space<D>: Build<D>,
{
    let components = D + Space::<D>::SPINS;
    const MOST_REPORTED: usize = 3;
    let whole = placement::<D>(&batch.pose);
    let mut wrong = 0;
    for (i, piece) in batch.pieces.iter().enumerate().filter(|(_, piece)| !batch.deforms(piece)) {
        // A body that is free in one stage has a mass in all.
        let always = |from: usize| held.iter().all(|held| held[i][from..components].iter().all(|h| *h));
        let held = &held[0][i];
        let given =
            Given { density, mass: batch.mass, inertia: batch.inertia, obstacle: always(0), cannot_turn: always(D) };
        let made = match rigid::<D>(&piece.parts, &given) {
            Ok(made) => made,
            Err(why) => {
                wrong += 1;
                if wrong <= MOST_REPORTED {
                    let name = &batch.groups[piece.group];
                    let name = if batch.pieces.len() > 1 { format!("{name}#{i}") } else { name.clone() };
                    reader.report(Problem::new(batch.place, format!("body `{name}` {why}"), "this body"));
                }
                continue;
            }
        };
        let place = whole.then(&placement(&piece.pose)).then(&made.frame);
        let body = scene.bodies.len() as u32;
        let first = scene.parts.len() as u32;
        for (shape, local, radius) in made.parts {
            scene.parts.push(Part { body, shape, local, radius });
        }
        scene.bodies.push(Body {
            group: 0,
            number: 0,
            material,
            mass: made.mass,
            moments: made.moments,
            parts: (first, scene.parts.len() as u32 - first),
            held: *held,
            is_gone: false,
        });
        scene.start.push(start::<D>(batch, place, held));
    }
}

/// The motion at the start; held components rest (drives set them later).
fn start<const D: usize>(batch: &Batch, place: crate::space::Placement<D>, held: &[bool; 6]) -> Motion<D>
where
    Space<D>: Ambient<D>,
{
    let mut velocity: Vect<D> = lower(batch.velocity);
    let mut spin = Space::<D>::lower_spin(&batch.spin);
    (0..D).filter(|&k| held[k]).for_each(|k| velocity[k] = 0.0);
    let spins = Space::<D>::spin_slice_mut(&mut spin);
    (0..spins.len()).filter(|&k| held[D + k]).for_each(|k| spins[k] = 0.0);
    Motion { place, velocity, spin }
}

/// Gives bodies their groups and numbers.
fn number<const D: usize>(scene: &mut Scene<D>, names: &Names, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for (group, members) in names.members.iter().enumerate() {
        for (number, &piece) in members.iter().enumerate() {
            // A body with a mistake in it was not made.
            let named = match numbers.of_piece[piece as usize] {
                Side::Rigid(body) => scene.bodies.get_mut(body).map(|b| (&mut b.group, &mut b.number)),
                Side::Deformable(k) => scene.flexibles.get_mut(k).map(|f| (&mut f.group, &mut f.number)),
            };
            if let Some((of_group, of_number)) = named {
                (*of_group, *of_number) = (group as u32, number as u32);
            }
        }
    }
}

fn ignored(names: &Names, spec: &SceneSpec) -> Vec<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for ([a, b], place) in &spec.ignored {
        let (Some(a), Some(b)) = (names.groups_of(a, *place), names.groups_of(b, *place)) else { continue };
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))) {
            pairs.insert((x.min(y), x.max(y)));
        }
    }
    pairs.into_iter().collect()
}

/// Looks the names up that bodies and materials are called by, so that unknown ones are reported.
fn look_up(names: &Names, spec: &SceneSpec) {
    let loads = spec.loads.iter().map(|load| &load.bodies);
    let membranes = spec.membranes.iter().map(|membrane| &membrane.bodies);
    let bonds = spec.bonds.iter().flat_map(|bond| &bond.between);
    let changed = spec.changes.iter().flat_map(|c| c.kicks.iter().map(|kick| &kick.bodies).chain(&c.removed));
    let measured = spec.measures.iter().filter_map(|measure| measure.bodies.as_ref());
    for (name, place) in loads.chain(membranes).chain(measured).chain(bonds).chain(changed).chain(&spec.resultants) {
        names.select(name, *place);
    }
    ignored(names, spec);
    check_materials(names, spec);
}

fn check_materials(names: &Names, spec: &SceneSpec) {
    for contact in &spec.contacts {
        for name in contact.between.iter().filter(|name| name.as_str() != ANY) {
            names.material(name, contact.place);
        }
    }
    for material in &spec.materials {
        if !spec.batches.iter().any(|batch| uses(batch, &material.name)) {
            let message = format!("no body is made of `{}`", material.name);
            names.reader.report(Problem::new(material.place, message, "not used").warn());
        }
    }
}

/// Is a body of the batch, or a region of its mesh, made of this?
fn uses(batch: &Batch, material: &str) -> bool {
    let regions = batch.deformable.as_ref().map(|deformable| match &deformable.mesh {
        MeshSpec::Plane(mesh) => mesh.regions.as_slice(),
        MeshSpec::Solid(mesh) => mesh.regions.as_slice(),
        MeshSpec::Cells { .. } => &[],
    });
    batch.material.0 == material || regions.is_some_and(|regions| regions.iter().any(|region| region == material))
}

/// Every two materials of bodies that could touch need a law.
fn check_laws<const D: usize>(reader: &Reader, scene: &Scene<D>, spec: &SceneSpec)
where
    Space<D>: Ambient<D>,
{
    // Per group: material, number of bodies, is one of them free to move?
    let mut groups = vec![(0usize, 0usize, false); scene.groups.len()];
    for body in &scene.bodies {
        let group = &mut groups[body.group as usize];
        *group = (body.material.into(), group.1 + 1, group.2 || body.mass.is_finite());
    }
    for body in &scene.flexibles {
        let group = &mut groups[body.group as usize];
        *group = (body.material.into(), group.1 + 1, true);
    }
    let ignored: BTreeSet<(u32, u32)> = scene.ignored.iter().copied().collect();
    let n = scene.materials.len();
    let mut missing = BTreeSet::new();
    for (i, a) in groups.iter().enumerate() {
        for (j, b) in groups.iter().enumerate().skip(i) {
            let (low, high) = (a.0.min(b.0), a.0.max(b.0));
            let lawless = scene.law_of[low * n + high] == u16::MAX;
            let may_touch = (a.2 || b.2) && (i != j || a.1 > 1);
            if lawless && may_touch && !ignored.contains(&(i as u32, j as u32)) {
                missing.insert((low, high));
            }
        }
    }
    for (a, b) in missing {
        let (a, b) = (&spec.materials[a], &spec.materials[b]);
        let message = format!("no contact law between `{}` and `{}`", a.name, b.name);
        let help = format!(
            "add [[contact]] between = [\"{}\", \"{}\"] with friction = …, or between = \"any\"",
            a.name, b.name
        );
        reader.report(Problem::new(b.place, message, "bodies of it could touch").help(help));
    }
}

fn add_drives<const D: usize>(scene: &mut Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    let mut driven: Vec<(u32, usize, Span)> = Vec::new();
    for drive in &spec.drives {
        let bodies = numbers.rigid(names, &drive.bodies);
        refuse_boundary(names, &drive.boundary, &bodies);
        refuse_fixed(names, spec, drive, |fix| {
            let fixed = numbers.rigid(names, &fix.bodies);
            [usize::from(bodies.iter().any(|body| fixed.contains(body))); 2]
        });
        for body in bodies {
            let twice = |d: &(u32, usize, Span)| (d.0, d.1) == (body, drive.component) && d.2.meets(&drive.span);
            if driven.iter().any(twice) {
                let message = format!("this component of `{}` is driven twice", drive.bodies.0);
                names.reader.report(Problem::new(drive.bodies.1, message, "driven before"));
                break;
            }
            let (component, kind, history) = (drive.component, drive.kind.clone(), drive.history.clone());
            driven.push((body, component, drive.span));
            let (span, is_active) = (drive.span, drive.span.holds(0));
            scene.drives.push(Drive { name: drive.name.clone(), body, component, kind, history, span, is_active });
        }
    }
}

/// What one entry fixes another cannot drive. `shared` says how many of the drive's bodies or nodes a `[[fix]]` of its component holds, and of
/// how many: an error with both places, or a warning if the drive has others, as where two boundaries meet.
pub fn refuse_fixed(names: &Names, spec: &SceneSpec, drive: &DriveSpec, shared: impl Fn(&FixSpec) -> [usize; 2]) {
    let fixes = spec.fixes.iter().filter(|fix| fix.held[drive.component] && fix.span.meets(&drive.span));
    let Some((fix, [both, all])) = fixes.map(|fix| (fix, shared(fix))).find(|(_, shared)| shared[0] > 0) else {
        return;
    };
    let place = names.reader.sources.borrow().locate(&fix.bodies.1);
    let part = if both < all { format!(" for {both} of {all} nodes, where the drive holds") } else { String::new() };
    let message = format!("this component of `{}` is driven here and fixed at {place}{part}", drive.bodies.0);
    let help = "`components` of [[fix]] lists what is held beside a drive";
    let problem = Problem::new(drive.bodies.1, message, "fixed and driven").help(help);
    names.reader.report(if both < all { problem.warn() } else { problem });
}

/// Rigid bodies have no boundaries to hold, drive or load.
fn refuse_boundary(names: &Names, boundary: &Option<(String, Place)>, rigid: &[u32]) {
    if let Some((name, place)) = boundary.as_ref().filter(|_| !rigid.is_empty()) {
        let message = format!("`boundary = \"{name}\"`: these bodies are rigid, they have no named boundaries");
        names.reader.report(Problem::new(*place, message, "for deformable bodies"));
    }
}

fn add_loads<const D: usize>(scene: &mut Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for load in &spec.loads {
        flexibles::add_loads(scene, names, load, numbers);
        let bodies = numbers.rigid(names, &load.bodies);
        refuse_boundary(names, &load.boundary, &bodies);
        for body in bodies {
            let place = &scene.start[body as usize].place;
            let kind = match &load.kind {
                LoadSpecKind::Force(force) => LoadKind::Force(lower(*force)),
                LoadSpecKind::Torque(torque) => LoadKind::Torque(*torque),
                LoadSpecKind::Traction(_) | LoadSpecKind::BoundaryPressure { .. } => continue,
                LoadSpecKind::Pressure { normal, point, area, between, place: at, follower } => {
                    let normal = lower(*normal);
                    let widths = match area {
                        Some(_) => Some(Vec::new()),
                        None => widths::widths(scene, (names, numbers), (between, *at), &normal),
                    };
                    let Some(widths) = widths else { continue };
                    LoadKind::Pressure {
                        normal: place.local_direction(&normal),
                        point: point.map_or(Vect::zeros(), |p| place.local_point(&lower(p))),
                        area: area.unwrap_or_else(|| widths.iter().map(|width| width.start).product()),
                        widths,
                        follower: *follower,
                    }
                }
            };
            scene.loads.push(Load { name: load.name.clone(), body, kind, history: load.history.clone() });
        }
    }
}

fn add_measures<const D: usize>(scene: &mut Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for measure in &spec.measures {
        let movable = |body: &u32| scene.bodies.get(*body as usize).is_none_or(|b| b.mass.is_finite());
        let mut bodies: Vec<u32> = match &measure.bodies {
            Some((name, place)) => numbers.select(names, name, *place).unwrap_or_default(),
            None => (0..scene.body_count() as u32).filter(movable).collect(),
        };
        bodies.sort_unstable();
        let is_angle = |quantity: &Quantity| matches!(quantity, Quantity::Rotation | Quantity::Spin);
        let is_rigid = bodies.iter().all(|body| scene.deformable_of(*body).is_none());
        if measure.of.iter().any(is_angle) && !(bodies.len() == 1 && is_rigid) {
            let message = format!("`{}`: rotation and spin are those of one rigid body", measure.name);
            names.reader.report(Problem::new(measure.place, message, "several, or deformable"));
        }
        let node = measure.at.and_then(|at| {
            let node = followed(scene, &bodies, measure, &lower(at));
            if node.is_none() {
                let message = format!(
                    "`{}`: `at` is for position, displacement and velocity of one deformable body",
                    measure.name
                );
                names.reader.report(Problem::new(measure.place, message, "no node to follow"));
            }
            node
        });
        let region = measure.region.map(|region| match region {
            RegionSpec::Box([low, high]) => Region::Box { low: lower(low), high: lower(high) },
            RegionSpec::Ball(centre, radius) => Region::Ball { centre: lower(centre), radius },
        });
        scene.measures.push(Measure { name: measure.name.clone(), bodies, node, region, of: measure.of.clone() });
    }
}

fn add_membranes<const D: usize>(scene: &mut Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for membrane in &spec.membranes {
        let (name, place) = &membrane.bodies;
        if names.select(name, *place).is_none() {
            continue;
        }
        let bodies = numbers.rigid(names, &membrane.bodies);
        if bodies.len() < 3 {
            let message = format!("a membrane needs 3 bodies or more, `{name}` has {}", bodies.len());
            names.reader.report(Problem::new(*place, message, "too few"));
            continue;
        }
        let (pressure, tension, stiffness) = (membrane.pressure.clone(), membrane.tension, membrane.stiffness);
        let made = Membrane { bodies, pressure, tension, stiffness };
        check_stiffness(scene, names, &made, *place);
        scene.membranes.push(made);
    }
}

/// Springs and tension are explicit. A bead of mass m on its spring k between segments l₁, l₂ under the tension T vibrates
/// at ω² ≤ (k + 2T/l₁ + 2T/l₂)/m; stable is ω²h² < 4, asked for is half of it, because segments become shorter.
fn check_stiffness<const D: usize>(scene: &Scene<D>, names: &Names, membrane: &Membrane, place: Place)
where
    Space<D>: Ambient<D>,
{
    let bodies = &membrane.bodies;
    let n = bodies.len();
    let centre = |k: usize| scene.start[bodies[k % n] as usize].place.centre;
    let length = |k: usize| (centre(k + 1) - centre(k)).norm();
    let bend = |k: usize| 1.0 / length(k + n - 1) + 1.0 / length(k);
    let excess = |k: usize| {
        let stiff = membrane.stiffness + if membrane.tension > 0.0 { 2.0 * membrane.tension * bend(k) } else { 0.0 };
        stiff * scene.time.step.powi(2) / (2.0 * scene.bodies[bodies[k] as usize].mass)
    };
    let worst = (0..n).map(excess).fold(0.0, f64::max);
    if worst > 1.0 {
        let message = format!("the membrane is too stiff for the step, {worst:.3} times");
        let help = "make the step smaller, the bodies heavier, or the stiffness and the tension less";
        names.reader.report(Problem::new(place, message, "this membrane").help(help));
    }
}
