//! Deformable bodies of a state, as meshes to be drawn.

use super::PictureOptions;
use super::field::Field;
use super::mesh::{Cross, MeshValues, MeshView, Meshes};
use cairn::contact::Reaction;
use cairn::flexible::{self, Flexible};
use cairn::measure;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space, Vect};
use cairn_fem::mesh::{FacetKind, Kind, Mesh};
use cairn_fem::tensor::{equivalent_strain, principal, von_mises};
use std::collections::BTreeSet;

/// The deformable bodies of `scene` with the fields of a state.
pub fn meshes<const D: usize>(
    scene: &Scene<D>,
    fields: &[flexible::Field],
    reactions: &[Reaction<D>],
    options: &PictureOptions,
) -> Meshes
where
    Space<D>: Ambient<D>,
{
    let (name, unit) = options.field.label();
    let shown = options.bodies.shown(scene);
    let bodies =
        scene.flexibles.iter().zip(fields).enumerate().filter(|(k, _)| shown[scene.number_of_deformable(*k) as usize]);
    let pressed = options.field == Field::ContactPressure;
    let pressures =
        if pressed { measure::contact_pressures(scene, fields, reactions, scene.time.step) } else { vec![] };
    let views = bodies.map(|(k, (body, field))| view(body, field, pressures.get(k), options)).collect();
    Meshes { views, name: name.to_string(), unit: unit.to_string(), magnification: options.magnification }
}

fn view<const D: usize>(
    body: &Flexible<D>,
    field: &flexible::Field,
    pressures: Option<&Vec<f64>>,
    options: &PictureOptions,
) -> MeshView
where
    Space<D>: Ambient<D>,
{
    let mesh = body.model.continuum.mesh();
    let lifted = |x: Vect<D>| Space::<D>::lift(&x);
    let (facets, edges) = if D == 2 { cells(mesh) } else { skin(mesh) };
    let at_start = (0..mesh.nodes.len()).map(|n| body.reference(n));
    let displacements = field.displacement.chunks_exact(D).map(Vect::<D>::from_column_slice);
    MeshView {
        nodes: at_start.map(lifted).collect(),
        displacements: displacements.map(lifted).collect(),
        facets,
        edges,
        values: pressures
            .cloned()
            .or_else(|| values(body, field, options.field))
            .map_or(MeshValues::None, MeshValues::Nodes),
        crosses: if options.crosses { vec![cross(body, field)] } else { Vec::new() },
    }
}

/// The field at the nodes; none if it is no field of deformable bodies.
pub fn values<const D: usize>(body: &Flexible<D>, field: &flexible::Field, which: Field) -> Option<Vec<f64>>
where
    Space<D>: Ambient<D>,
{
    let lengths = |nodal: &[f64]| nodal.chunks_exact(D).map(|x| x.iter().map(|c| c * c).sum::<f64>().sqrt()).collect();
    let stresses = || measure::nodal_stresses(body, field).into_iter();
    let strains = || measure::nodal_strains(body, field).into_iter();
    let remembered = |name: &str| body.model.continuum.nodal_history(&field.history, name);
    Some(match which {
        Field::Speed => lengths(&field.velocity),
        Field::Displacement => lengths(&field.displacement),
        Field::VonMises => stresses().map(|s| von_mises(&s)).collect(),
        Field::Pressure => stresses().map(|s| -s.trace() / 3.0).collect(),
        Field::LargestStress => stresses().map(|s| principal(&s).0.max()).collect(),
        Field::SmallestStress => stresses().map(|s| principal(&s).0.min()).collect(),
        Field::DeviatoricStrain => strains().map(|e| equivalent_strain(&e)).collect(),
        Field::VolumetricStrain => strains().map(|e| e.trace()).collect(),
        Field::MajorStrain => strains().map(|e| principal(&e).0.max()).collect(),
        Field::MinorStrain => strains().map(|e| principal(&e).0.min()).collect(),
        Field::Damage => return remembered("damage"),
        Field::Remembered { name, .. } => return remembered(name),
        Field::None
        | Field::Spin
        | Field::Rotation
        | Field::Contacts
        | Field::Group
        | Field::Force
        | Field::ContactPressure => return None,
    })
}

/// Principal directions of the mean stress at the middle of the body.
fn cross<const D: usize>(body: &Flexible<D>, field: &flexible::Field) -> Cross
where
    Space<D>: Ambient<D>,
{
    let mass = body.model.total_mass();
    let lumped = body.model.lumped.iter().enumerate();
    let middle = lumped.fold(Vect::<D>::zeros(), |sum, (n, m)| sum + body.reference(n) * (m / mass));
    let shift = measure::flexible::moment_of_mass(body, &field.displacement) / mass;
    let (sizes, directions) = principal(&measure::mean_stress(body, field));
    let in_view = |k: &usize| D == 3 || directions[(2, *k)].abs() < 0.5;
    let axes = (0..3).filter(in_view).map(|k| (directions.column(k).into_owned().into(), sizes[k])).collect();
    Cross { at: Space::<D>::lift(&middle), displacement: Space::<D>::lift(&shift), axes }
}

type Drawn = (Vec<[u32; 3]>, Vec<[u32; 2]>);

/// The cells of a plane mesh as triangles, and their edges.
fn cells<const D: usize>(mesh: &Mesh<D>) -> Drawn {
    let mut facets = Vec::new();
    let mut edges = BTreeSet::new();
    for (_, kind, _, nodes) in mesh.each_cell() {
        let triangles: &[[usize; 3]] = match kind {
            Kind::T3 => &[[0, 1, 2]],
            Kind::T6 => &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
            Kind::Q4 => &[[0, 1, 2], [0, 2, 3]],
            Kind::Q8 => &[[0, 4, 7], [4, 1, 5], [5, 2, 6], [6, 3, 7], [4, 5, 7], [5, 6, 7]],
            _ => &[],
        };
        facets.extend(triangles.iter().map(|t| t.map(|i| nodes[i])));
        add_edges(kind, nodes, &mut edges);
    }
    (facets, edges.into_iter().collect())
}

/// The edges of a cell, in two pieces where they have a node in the middle.
fn add_edges(kind: Kind, nodes: &[u32], edges: &mut BTreeSet<[u32; 2]>) {
    let mut add = |a: u32, b: u32| {
        edges.insert([a.min(b), a.max(b)]);
    };
    for (k, ends) in kind.edges().iter().enumerate() {
        let [a, b] = ends.map(|i| nodes[i as usize]);
        match nodes.get(kind.corners() + k) {
            Some(&middle) => {
                add(a, middle);
                add(middle, b);
            }
            None => add(a, b),
        }
    }
}

/// The skin of a solid mesh as triangles, and the edges of its facets.
fn skin<const D: usize>(mesh: &Mesh<D>) -> Drawn {
    let mut facets = Vec::new();
    let mut edges = BTreeSet::new();
    for boundary in mesh.skin() {
        let (triangles, kind): (&[[usize; 3]], Kind) = match boundary.kind {
            FacetKind::T3 => (&[[0, 1, 2]], Kind::T3),
            FacetKind::T6 => (&[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]], Kind::T6),
            FacetKind::Q4 => (&[[0, 1, 2], [0, 2, 3]], Kind::Q4),
            FacetKind::Q8 => (&[[0, 4, 7], [4, 1, 5], [5, 2, 6], [6, 3, 7], [4, 5, 7], [5, 6, 7]], Kind::Q8),
            FacetKind::Line2 | FacetKind::Line3 => continue,
        };
        for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
            facets.extend(triangles.iter().map(|t| t.map(|i| nodes[i])));
            add_edges(kind, nodes, &mut edges);
        }
    }
    (facets, edges.into_iter().collect())
}
