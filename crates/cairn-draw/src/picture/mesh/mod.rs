//! Deformable bodies: triangles with values that vary smoothly, thin element edges, crosses of principal directions.
//!
//! Whoever has the data fills a [`MeshView`]; nothing here knows about finite elements. A node is drawn at x + m u, with
//! the magnification m. Inside a triangle values are linear, v = Σ λᵢ vᵢ, and so are colours.

pub mod plane;

use super::PictureOptions;
use super::bounds::Bounds;
use super::field::Scale;
use nalgebra::Vector3;

/// Values that colour a mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum MeshValues {
    /// One colour.
    #[default]
    None,
    /// One per node: colours vary smoothly.
    Nodes(Vec<f64>),
    /// One per facet: each facet has one colour.
    Facets(Vec<f64>),
}

/// Principal directions and values at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Cross {
    /// Where, before deformation [m].
    pub at: [f64; 3],
    /// Displacement there [m].
    pub displacement: [f64; 3],
    /// Unit directions with their values, in the unit of the field; tension is positive.
    pub axes: Vec<([f64; 3], f64)>,
}

/// A mesh as it is drawn: the faces of a plane body, or the skin of a solid one.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MeshView {
    /// Nodes before deformation [m]; z = 0 in 2D.
    pub nodes: Vec<[f64; 3]>,
    /// Displacement of each node [m]; empty if there is none.
    pub displacements: Vec<[f64; 3]>,
    /// Triangles, counter-clockwise seen from outside.
    pub facets: Vec<[u32; 3]>,
    /// Edges of elements, drawn thin.
    pub edges: Vec<[u32; 2]>,
    /// What colours it.
    pub values: MeshValues,
    /// Principal directions.
    pub crosses: Vec<Cross>,
}

/// All meshes of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Meshes {
    /// The bodies.
    pub views: Vec<MeshView>,
    /// Name of the values in the legend.
    pub name: String,
    /// SI unit of the values.
    pub unit: String,
    /// Displacements are multiplied by this.
    pub magnification: f64,
}

impl Default for Meshes {
    fn default() -> Self {
        Self { views: vec![], name: String::new(), unit: String::new(), magnification: 1.0 }
    }
}

/// A mesh in its place, with the colours of its corners.
pub struct Placed {
    /// Nodes as drawn [m].
    pub nodes: Vec<Vector3<f64>>,
    /// Triangles, each with the places 0…1 of its corners on the colour scale; NaN for no value.
    pub facets: Vec<([u32; 3], [f64; 3])>,
    /// Edges of elements.
    pub edges: Vec<[u32; 2]>,
    /// Arms of crosses: two ends [m] and whether it pulls.
    pub arms: Vec<([Vector3<f64>; 2], bool)>,
    /// The colour scale, if there are values.
    pub scale: Option<Scale>,
}

/// The colour scale of all meshes, if any of them has values.
pub fn scale(meshes: &Meshes, options: &PictureOptions) -> Option<Scale> {
    let values = || {
        meshes.views.iter().flat_map(|v| match &v.values {
            MeshValues::None => &[][..],
            MeshValues::Nodes(values) | MeshValues::Facets(values) => values,
        })
    };
    values().next().map(|_| Scale::over(values().copied(), options))
}

/// Moves the nodes and finds the places of values. Facets and edges that name no node are left out.
pub fn place(meshes: &Meshes, scale: Option<Scale>) -> Vec<Placed> {
    let largest = meshes.views.iter().flat_map(|v| &v.crosses).flat_map(|c| &c.axes);
    let largest = largest.map(|a| a.1.abs()).filter(|v| v.is_finite()).fold(0.0, f64::max);
    meshes.views.iter().map(|view| place_one(view, meshes.magnification, scale, largest)).collect()
}

fn place_one(view: &MeshView, magnification: f64, scale: Option<Scale>, largest: f64) -> Placed {
    let moved = |at: &[f64; 3], by: &[f64; 3]| Vector3::from(*at) + Vector3::from(*by) * magnification;
    let shift = |k: usize| view.displacements.get(k).copied().unwrap_or_default();
    let nodes: Vec<Vector3<f64>> = view.nodes.iter().enumerate().map(|(k, x)| moved(x, &shift(k))).collect();
    let known = |&n: &u32| nodes.get(n as usize).is_some_and(|x| x.iter().all(|c| c.is_finite()));
    let value = |facet: usize, node: u32| match (&view.values, scale) {
        (MeshValues::Nodes(v), Some(s)) => v.get(node as usize).map_or(f64::NAN, |v| s.place(*v)),
        (MeshValues::Facets(v), Some(s)) => v.get(facet).map_or(f64::NAN, |v| s.place(*v)),
        _ => f64::NAN,
    };
    let facets = view.facets.iter().enumerate().filter(|(_, f)| f.iter().all(known));
    let facets: Vec<_> = facets.map(|(k, f)| (*f, f.map(|n| value(k, n)))).collect();
    let edges = view.edges.iter().filter(|e| e.iter().all(known)).copied().collect();
    let arms = view.crosses.iter().flat_map(|cross| {
        let at = moved(&cross.at, &cross.displacement);
        let half = 0.45 * typical_edge(&nodes, &facets);
        let arm = move |(direction, value): &([f64; 3], f64)| {
            let along = Vector3::from(*direction) * (half * value.abs() / largest.max(f64::MIN_POSITIVE));
            ([at - along, at + along], *value > 0.0)
        };
        cross.axes.iter().map(arm).collect::<Vec<_>>()
    });
    Placed { arms: arms.collect(), nodes, facets, edges, scale: scale.filter(|_| view.values != MeshValues::None) }
}

/// Longest side of the first triangles, on average [m].
fn typical_edge(nodes: &[Vector3<f64>], facets: &[([u32; 3], [f64; 3])]) -> f64 {
    let few = &facets[..facets.len().min(200)];
    let longest = |f: &[u32; 3]| {
        let x = f.map(|n| nodes[n as usize]);
        (0..3).map(|k| (x[k] - x[(k + 1) % 3]).norm()).fold(0.0, f64::max)
    };
    few.iter().map(|(f, _)| longest(f)).sum::<f64>() / few.len().max(1) as f64
}

/// The box around all meshes.
pub fn bounds(placed: &[Placed]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for mesh in placed {
        mesh.facets.iter().flat_map(|(f, _)| f).for_each(|&n| bounds.add(&mesh.nodes[n as usize], 0.0));
    }
    bounds
}

#[cfg(test)]
mod tests;
