//! Deformable bodies in the page: **this is the one place where they come in.**
//!
//! A deformable body is shown by its skin: a triangle mesh with a position of each node in each stored state, and named
//! numbers at the nodes. Rigid bodies have none of this; a scene without deformable bodies has an empty skin.
//!
//! To show a new kind of deformable body, fill [`Skin::of`] (once a run) and [`NodalFrame::of`] (once a state); the
//! page, the server and the export need no change. Fields that jump between elements are given at nodes that belong to
//! one element only: repeat the node. Bodies of a skin also have a place in the list of motions, after the rigid ones
//! (their centre), which carries names, groups, picking and force chains.

use crate::bundle::Bundle;
use cairn::flexible::Flexible;
use cairn::measure;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space, Vect};
use cairn::state::State;
use cairn_draw::{self as draw, Field, PictureOptions};
use serde_json::json;

/// What is shown at the nodes, beside what materials remember.
const FIELDS: [Field; 8] = [
    Field::VonMises,
    Field::Pressure,
    Field::LargestStress,
    Field::SmallestStress,
    Field::DeviatoricStrain,
    Field::VolumetricStrain,
    Field::Displacement,
    Field::Speed,
];

/// All that is shown at the nodes of a scene.
fn fields<const D: usize>(scene: &Scene<D>) -> Vec<Field>
where
    Space<D>: Ambient<D>,
{
    let kept = measure::remembered(&scene.flexibles);
    FIELDS.into_iter().chain(kept.iter().map(|q| Field::Remembered { name: q.name, unit: q.unit })).collect()
}

/// Centre of mass of a deformable body at the start [m].
pub fn centre<const D: usize>(body: &Flexible<D>) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let lumped = body.model.lumped.iter().enumerate();
    lumped.fold(Vect::zeros(), |sum, (n, m)| sum + body.reference(n) * *m) / body.model.total_mass()
}

/// What does not change of the deformable bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Nodes at the start, world axes [m].
    pub nodes: Vec<[f64; 3]>,
    /// The body that each node belongs to.
    pub node_body: Vec<u32>,
    /// Triangles over the nodes: faces of a solid seen from outside, or the elements of a plane body.
    pub triangles: Vec<[u32; 3]>,
    /// Edges of elements over the nodes.
    pub edges: Vec<[u32; 2]>,
    /// Numbers at the nodes that states carry, in their order.
    pub fields: Vec<NodalField>,
}

/// A number at each node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodalField {
    /// Name, e.g. `Von Mises stress`.
    pub name: String,
    /// Unit, e.g. `Pa`; empty for a pure number.
    pub unit: String,
}

/// Deformable bodies in one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodalFrame {
    /// Nodes, world axes [m].
    pub positions: Vec<[f64; 3]>,
    /// Values of each of [`Skin::fields`], node by node.
    pub values: Vec<Vec<f64>>,
}

impl Skin {
    /// The skin of a scene's deformable bodies.
    pub fn of<const D: usize>(scene: &Scene<D>) -> Self
    where
        Space<D>: Ambient<D>,
    {
        if scene.flexibles.is_empty() {
            return Self::default();
        }
        let fields = fields(scene).into_iter().map(|field| {
            let (name, unit) = field.label();
            NodalField { name: name.to_string(), unit: unit.to_string() }
        });
        let mut skin = Self { fields: fields.collect(), ..Self::default() };
        let still: Vec<_> = scene.flexibles.iter().map(|body| body.start()).collect();
        let drawn = draw::meshes(scene, &still, &[], &PictureOptions::default());
        for (k, view) in drawn.views.into_iter().enumerate() {
            let first = skin.nodes.len() as u32;
            skin.node_body.extend(std::iter::repeat_n(scene.number_of_deformable(k), view.nodes.len()));
            skin.nodes.extend(view.nodes);
            skin.triangles.extend(view.facets.iter().map(|t| t.map(|n| first + n)));
            skin.edges.extend(view.edges.iter().map(|e| e.map(|n| first + n)));
        }
        skin
    }

    /// Adds it to the description of a run; positions are relative to `origin`.
    pub fn describe(&self, bundle: &mut Bundle, origin: [f64; 3]) {
        let fields: Vec<_> = self.fields.iter().map(|f| json!({ "name": f.name, "unit": f.unit })).collect();
        bundle.set("nodalFields", fields);
        bundle.array("node.start", 3, relative(&self.nodes, origin));
        bundle.array("node.body", 1, self.node_body.iter().copied());
        bundle.array("node.triangles", 3, self.triangles.iter().flatten().copied());
        bundle.array("node.edges", 2, self.edges.iter().flatten().copied());
    }
}

impl NodalFrame {
    /// The deformable bodies in a stored state.
    pub fn of<const D: usize>(scene: &Scene<D>, frame: &State<D>) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let shown = fields(scene);
        let mut nodal = Self { positions: Vec::new(), values: vec![Vec::new(); shown.len()] };
        for (body, field) in scene.flexibles.iter().zip(&frame.fields) {
            nodal.positions.extend(body.positions(&field.displacement).iter().map(Space::<D>::lift));
            for (which, values) in shown.iter().zip(&mut nodal.values) {
                let known = draw::nodal_values(body, field, *which);
                values.extend(known.unwrap_or_else(|| vec![0.0; body.model.nodes().len()]));
            }
        }
        nodal
    }

    /// Adds it to a state, as displacements from the start; `wanted` says which fields.
    pub fn describe(&self, bundle: &mut Bundle, skin: &Skin, wanted: impl Fn(&str) -> bool) {
        if self.positions.is_empty() {
            return;
        }
        let moved: Vec<[f64; 3]> =
            self.positions.iter().zip(&skin.nodes).map(|(x, start)| [0, 1, 2].map(|k| x[k] - start[k])).collect();
        bundle.array("node.displacement", 3, relative(&moved, [0.0; 3]));
        for (field, values) in skin.fields.iter().zip(&self.values) {
            if wanted(&field.name) {
                bundle.array(&format!("node.field.{}", field.name), 1, values.iter().map(|&v| v as f32));
            }
        }
    }
}

/// Points as `f32` relative to an origin near them, so that nothing is lost where it matters.
pub fn relative(points: &[[f64; 3]], origin: [f64; 3]) -> impl Iterator<Item = f32> {
    points.iter().flat_map(move |x| [0, 1, 2].map(|k| (x[k] - origin[k]) as f32))
}
