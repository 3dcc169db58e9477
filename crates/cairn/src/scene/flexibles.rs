//! From meshes and materials to deformable bodies. Equal pieces get one model: it is factorized once.

use super::build::{Numbers, refuse_fixed};
use super::document::{Place, Problem};
use super::geometry::{Build, lower, placement};
use super::meshes::{self, OfMesh};
use super::names::Names;
use super::spec::{
    Batch, DeformableSpec, FixSpec, Form, InitialStress, LoadSpec, LoadSpecKind, MaterialSpec, MeshSpec, Piece,
    SceneSpec,
};
use super::{DriveKind, History, Scene};
use crate::detect::mesh::{Breadth, Skin, SkinChoice};
use crate::flexible::{Correction, Flexible, Kinematics, Model, NodeDrive, NodeLoad, NodeLoadKind, StepForce};
use crate::space::{Ambient, Placement, Space, Vect};
use cairn_fem::continuum::{Continuum, Formulation, Options};
use cairn_fem::material::Material;
use cairn_fem::mesh::{Boundary, Mesh};
use cairn_fem::section;
use std::sync::Arc;

/// A model that other pieces may share: the vertices that it was meshed from, model, skin.
type Made<const D: usize> = (Vec<[f64; 3]>, Arc<Model<D>>, Arc<Skin<D>>);

/// Adds the pieces of a deformable batch.
pub fn add<const D: usize>(
    scene: &mut Scene<D>,
    names: &Names,
    spec: &SceneSpec,
    batch: &Batch,
    deformable: &DeformableSpec,
) where
    Space<D>: Build<D> + OfMesh<D>,
{
    let Some(material) = names.material(&batch.material.0, batch.material.1) else { return };
    if spec.materials.iter().any(|material| !material.whole) {
        return;
    }
    let whole = placement::<D>(&batch.pose);
    let mut made: Vec<Made<D>> = Vec::new();
    for piece in batch.pieces.iter().filter(|piece| batch.deforms(piece)) {
        let vertices = vertices_of(piece);
        let shared = made.iter().find(|m| m.0 == vertices).map(|m| (m.1.clone(), m.2.clone()));
        let (model, skin) = match shared.map_or_else(|| model(&vertices, names, spec, (material, deformable)), Ok) {
            Ok(new) => new,
            Err(why) => {
                let name = &batch.groups[piece.group];
                names.reader.report(Problem::new(deformable.place, format!("`{name}`: {why}"), "this mesh"));
                return;
            }
        };
        made.push((vertices, model.clone(), skin.clone()));
        let place = whole.then(&placement(&piece.pose));
        let velocity = start_velocity(batch, &model, &place);
        let history = match start_history(scene, &model, &place, deformable.initial_stress) {
            Ok(history) => history,
            Err(why) => {
                let message = format!("`{}`: {why}", batch.groups[piece.group]);
                names.reader.report(Problem::new(deformable.place, message, "its initial stress"));
                return;
            }
        };
        let damping = spec.materials[material].elasticity.map_or([0.0; 2], |e| e.damping);
        // A co-rotational body of elastic materials has one matrix in its axes.
        let has_one_matrix = deformable.kinematics == Kinematics::Corotational && !model.continuum.has_memory();
        let correction = match deformable.correction {
            Correction::Tangent if has_one_matrix => Correction::FirstTangent,
            chosen => chosen,
        };
        scene.flexibles.push(Flexible {
            group: 0,
            number: 0,
            material: material as u16,
            model,
            skin,
            place,
            kinematics: deformable.kinematics,
            correction,
            fictitious: deformable.fictitious,
            step_force: deformable.step_force,
            damping,
            drives: Vec::new(),
            loads: Vec::new(),
            self_contact: deformable.self_contact,
            velocity,
            history,
        });
    }
}

/// Translation with the batch's velocity, turning about the centre of mass with its spin.
fn start_velocity<const D: usize>(batch: &Batch, model: &Model<D>, place: &Placement<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let velocity: Vect<D> = lower(batch.velocity);
    let spin = Space::<D>::lower_spin(&batch.spin);
    let mass = model.total_mass();
    let centre = model.nodes().iter().zip(&model.lumped).fold(Vect::zeros(), |c, (x, m)| c + x * (m / mass));
    let of_node = |x: &Vect<D>| velocity + Space::<D>::swing(&spin, &place.direction(&(x - centre)));
    model.nodes().iter().flat_map(|x| of_node(x).iter().copied().collect::<Vec<_>>()).collect()
}

/// The corners of a block to be meshed.
fn vertices_of(piece: &Piece) -> Vec<[f64; 3]> {
    match piece.parts.first().map(|part| &part.form) {
        Some(Form::Convex(vertices)) => vertices.to_vec(),
        _ => Vec::new(),
    }
}

/// What the materials of a body remember at the start.
fn start_history<const D: usize>(
    scene: &Scene<D>,
    model: &Model<D>,
    place: &Placement<D>,
    initial: Option<InitialStress>,
) -> Result<Vec<f64>, String>
where
    Space<D>: Ambient<D>,
{
    let continuum = &model.continuum;
    let Some(InitialStress { surface, ratio }) = initial else { return Ok(continuum.initial_history()) };
    let gravity = scene.steady_gravity();
    let Some(up) = (-gravity).try_normalize(0.0) else { return Err("an initial stress needs steady gravity".into()) };
    let densities: Vec<f64> = continuum.materials().iter().map(|m| m.density).collect();
    if densities.iter().any(|d| *d != densities[0]) {
        return Err("an initial stress needs one density: what lies above a place is not known otherwise".into());
    }
    // In the axes of the mesh; across the plane too.
    let own = Space::<D>::matrix(&place.turn).tr_mul(&up);
    let own = nalgebra::Vector3::from(Space::<D>::lift(&own));
    let shape = nalgebra::Matrix3::identity() * ratio + own * own.transpose() * (1.0 - ratio);
    let weight = densities[0] * gravity.norm();
    let stress = |_: usize, x: &Vect<D>| shape * (weight * (up.dot(&place.point(x)) - surface));
    continuum.prestressed_history(stress).map_err(|e| e.to_string())
}

fn mesh_of<const D: usize>(vertices: &[[f64; 3]], deformable: &DeformableSpec) -> Result<Mesh<D>, String>
where
    Space<D>: OfMesh<D>,
{
    match &deformable.mesh {
        MeshSpec::Cells { cells, cut } => Space::<D>::of_block(vertices, *cells, *cut),
        given => Space::<D>::given(given).ok_or("the mesh is of another dimension than the scene".into()),
    }
}

type Shared<const D: usize> = (Arc<Model<D>>, Arc<Skin<D>>);

fn model<const D: usize>(
    vertices: &[[f64; 3]],
    names: &Names,
    spec: &SceneSpec,
    (own, deformable): (usize, &DeformableSpec),
) -> Result<Shared<D>, String>
where
    Space<D>: OfMesh<D>,
{
    let mesh: Mesh<D> = mesh_of(vertices, deformable)?;
    let by_name = |region: &String| names.materials().iter().position(|m| m == region).unwrap_or(own);
    let regions: Vec<&MaterialSpec> = mesh.regions.iter().map(|r| &spec.materials[by_name(r)]).collect();
    let materials = regions.iter().map(|m| {
        let missing = || format!("material `{}` needs `young` (and `poisson`) to be deformable", m.name);
        let elasticity = m.elasticity.ok_or_else(missing)?;
        Ok(Material { density: m.density.unwrap_or(1.0), law: elasticity.law })
    });
    let materials = materials.collect::<Result<Vec<_>, String>>()?;
    let skin = skin_of(&mesh, deformable)?;
    let kinematics = match deformable.kinematics {
        Kinematics::Finite => section::Kinematics::Finite,
        _ => section::Kinematics::Small,
    };
    let formulation = match deformable.formulation {
        Formulation::SolidShell { .. } => {
            // A bending moment is exact with two points while the stress is linear through the thickness.
            let remembers = materials.iter().any(|m| m.law.inelastic().is_some());
            let points = deformable.thickness_points.unwrap_or(if remembers { 7 } else { 2 });
            Formulation::SolidShell { points }
        }
        other => other,
    };
    let options = Options { mass: deformable.mass, kinematics, formulation, ..Options::default() };
    let continuum = Continuum::new(mesh, materials, deformable.section, options).map_err(|e| e.to_string())?;
    if continuum.has_memory() && deformable.step_force == StepForce::Conserving {
        return Err(
            "force = \"conserving\" is for elastic materials: those with memory answer a step as a whole anyway".into(),
        );
    }
    Ok((Arc::new(Model::new(continuum)), Arc::new(skin)))
}

fn skin_of<const D: usize>(mesh: &Mesh<D>, deformable: &DeformableSpec) -> Result<Skin<D>, String>
where
    Space<D>: Ambient<D>,
{
    let boundaries: Vec<Boundary> = match &deformable.contact {
        None => meshes::whole_skin(mesh),
        Some(wanted) => {
            let mut found = Vec::new();
            for name in wanted {
                found.extend(meshes::boundary(mesh, name)?);
            }
            found
        }
    };
    let breadth = match deformable.section {
        section::Section::PlaneStress { thickness } | section::Section::PlaneStrain { thickness } => {
            Breadth::Constant(thickness)
        }
        section::Section::Axisymmetric => Breadth::Revolution,
        section::Section::Solid => Breadth::Constant(1.0),
    };
    let choice = SkinChoice { points: deformable.candidates, breadth, ..SkinChoice::default() };
    Skin::new(&boundaries, &mesh.nodes, &choice).map_err(|e| e.to_string())
}

/// The nodes of a boundary of a body, or all of them.
fn nodes_of<const D: usize>(names: &Names, body: &Flexible<D>, boundary: &Option<(String, Place)>) -> Option<Vec<u32>>
where
    Space<D>: Ambient<D>,
{
    let mesh = body.model.continuum.mesh();
    let Some((name, place)) = boundary else { return Some((0..mesh.nodes.len() as u32).collect()) };
    let found = nodes_named(mesh, name);
    found.map_err(|why| names.reader.report(Problem::new(*place, why, "no such boundary"))).ok()
}

/// The nodes of a set or of a boundary.
fn nodes_named<const D: usize>(mesh: &Mesh<D>, name: &str) -> Result<Vec<u32>, String> {
    if let Some((_, nodes)) = mesh.node_sets.iter().find(|(set, _)| set == name) {
        return Ok(nodes.clone());
    }
    let mut nodes: Vec<u32> = meshes::boundary(mesh, name)?.iter().flat_map(|b| b.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

/// Looks the boundaries up that are held, driven or loaded, in the meshes alone: for scenes in which not all bodies could be built.
pub fn look_up_boundaries<const D: usize>(names: &Names, spec: &SceneSpec)
where
    Space<D>: OfMesh<D>,
{
    let held = spec.fixes.iter().map(|fix| (&fix.bodies, &fix.boundary));
    let driven = spec.drives.iter().map(|drive| (&drive.bodies, &drive.boundary));
    let loaded = spec.loads.iter().map(|load| (&load.bodies, &load.boundary));
    let pieces: Vec<_> = spec.batches.iter().flat_map(|batch| batch.pieces.iter().map(move |p| (batch, p))).collect();
    for ((bodies, place), boundary) in held.chain(driven).chain(loaded) {
        let Some((name, at)) = boundary else { continue };
        let chosen = names.select(bodies, *place).unwrap_or_default();
        let mut chosen = chosen.iter().map(|&piece| pieces[piece as usize]);
        let Some((batch, piece)) = chosen.find(|(batch, piece)| batch.deforms(piece)) else { continue };
        let mesh = batch.deformable.as_ref().and_then(|deformable| mesh_of::<D>(&vertices_of(piece), deformable).ok());
        if let Some(Err(why)) = mesh.map(|mesh| nodes_named(&mesh, name)) {
            names.reader.report(Problem::new(*at, why, "no such boundary"));
        }
    }
}

/// Holds and drives what `[[fix]]` and `[[drive]]` say of deformable bodies.
pub fn add_drives<const D: usize>(scene: &mut Scene<D>, names: &Names, spec: &SceneSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for FixSpec { bodies, boundary, held, .. } in &spec.fixes {
        for k in numbers.flexible(names, bodies) {
            let body = &mut scene.flexibles[k];
            let Some(nodes) = nodes_of(names, body, boundary) else { break };
            for component in (0..D).filter(|c| held[*c]) {
                let (kind, history) = (DriveKind::Velocity, History::Constant(0.0));
                let (name, nodes) = (String::new(), nodes.clone());
                body.drives.push(NodeDrive { name, nodes, component, kind, history });
            }
        }
    }
    for drive in &spec.drives {
        for k in numbers.flexible(names, &drive.bodies) {
            let body = &mut scene.flexibles[k];
            let Some(nodes) = nodes_of(names, body, &drive.boundary) else { break };
            refuse_fixed(names, spec, drive, |fix| {
                // Another body need not have the boundary.
                let is_meant = numbers.flexible(names, &fix.bodies).contains(&k);
                let fixed = is_meant.then(|| nodes_of(names, body, &fix.boundary)).flatten().unwrap_or_default();
                [nodes.iter().filter(|node| fixed.contains(node)).count(), nodes.len()]
            });
            if drive.component >= D {
                let message = "nodes of a deformable body do not turn: drive x, y or z of a boundary";
                names.reader.report(Problem::new(drive.bodies.1, message, "a rotation"));
                break;
            }
            let (component, kind, history) = (drive.component, drive.kind.clone(), drive.history.clone());
            body.drives.push(NodeDrive { name: drive.name.clone(), nodes, component, kind, history });
        }
    }
    for (k, body) in scene.flexibles.iter_mut().enumerate().filter(|(_, b)| !b.drives.is_empty()) {
        if body.kinematics == Kinematics::Corotational {
            let message = format!("`{}` is corotational: its nodes cannot be held", names.groups[body.group as usize]);
            let help = "kinematics = \"small\" or \"finite\" for bodies that are held";
            names.reader.report(Problem::new(numbers.place_of(k), message, "held").help(help));
        } else if body.place.turn != Space::<D>::no_turn() {
            let message = format!("`{}` is turned: its nodes cannot be held", names.groups[body.group as usize]);
            let help = "turn the mesh itself, or hold all by an unturned body";
            names.reader.report(Problem::new(numbers.place_of(k), message, "held").help(help));
        }
        let held = body.held();
        body.velocity.iter_mut().zip(held).filter(|(_, held)| *held).for_each(|(v, _)| *v = 0.0);
    }
}

/// Loads what `[[load]]` says of deformable bodies.
pub fn add_loads<const D: usize>(scene: &mut Scene<D>, names: &Names, load: &LoadSpec, numbers: &Numbers)
where
    Space<D>: Ambient<D>,
{
    for k in numbers.flexible(names, &load.bodies) {
        let body = &mut scene.flexibles[k];
        let mut forces = vec![0.0; body.model.dofs()];
        let continuum = &body.model.continuum;
        let name = load.boundary.as_ref().map_or("", |(name, _)| name);
        let kind = match &load.kind {
            LoadSpecKind::Force(force) => {
                // Spread over the nodes like the mass: a force at the centre of mass.
                let (force, mass): (Vect<D>, f64) = (lower(*force), body.model.total_mass());
                for (f, share) in forces.chunks_exact_mut(D).zip(&body.model.shares) {
                    f.iter_mut().zip(force.iter()).for_each(|(f, x)| *f += x * share / mass);
                }
                Ok(NodeLoadKind::Dead(forces))
            }
            LoadSpecKind::Traction(traction) => {
                let local = body.place.local_direction(&lower(*traction));
                let done = continuum.traction(name, &local, &mut forces);
                done.map(|()| NodeLoadKind::Dead(turned(&body.place, forces)))
            }
            LoadSpecKind::BoundaryPressure { follower: false } => {
                let still = vec![0.0; forces.len()];
                let done = continuum.pressure(name, 1.0, &still, false, &mut forces);
                done.map(|()| NodeLoadKind::Dead(turned(&body.place, forces)))
            }
            LoadSpecKind::BoundaryPressure { follower: true } => {
                continuum.area(name).map(|_| NodeLoadKind::Follower(name.to_string()))
            }
            LoadSpecKind::Torque(_) | LoadSpecKind::Pressure { .. } => {
                let message = "a deformable body takes `force`, or `traction` or `pressure` on a `boundary`";
                names.reader.report(Problem::new(load.bodies.1, message, "this load"));
                return;
            }
        };
        match kind {
            Ok(kind) => {
                body.loads.push(NodeLoad { name: load.name.clone(), kind, history: load.history.clone() });
            }
            Err(why) => {
                let place = load.boundary.as_ref().map_or(load.bodies.1, |(_, place)| *place);
                names.reader.report(Problem::new(place, why.to_string(), "this boundary"));
                return;
            }
        }
    }
}

/// Nodal forces in world axes.
fn turned<const D: usize>(place: &Placement<D>, mut forces: Vec<f64>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    crate::flexible::turn_all(&Space::<D>::matrix(&place.turn), &mut forces);
    forces
}
