//! A mesh from what a file holds.

use std::collections::HashMap;

use super::kinds::GmshKind;
use super::source::Source;
use super::{Element, GmshError, Raw};
use crate::Vect;
use crate::mesh::{Boundary, Kind, Mesh};

pub(super) fn build<const D: usize>(raw: Raw, source: &Source) -> Result<Mesh<D>, GmshError> {
    let mut mesh = Mesh::<D>::default();
    let numbers = add_nodes(&mut mesh, &raw)?;
    let name = |dimension: usize, group: i64| -> String {
        let found = raw.names.iter().find(|n| n.0 as usize == dimension && n.1 == group);
        found.map_or_else(|| group.to_string(), |n| n.2.clone())
    };
    let top = raw.elements.iter().map(|e| e.kind.dimension()).max().unwrap_or(0);
    if top > D {
        let element = raw.elements.iter().find(|e| e.kind.dimension() > D);
        let place = element.map_or(String::new(), |e| source.place_of(e.at));
        let what = format!("the file holds solid elements ({:?}), but the scene is plane", element.map(|e| e.kind));
        return Err(GmshError { place, what });
    }
    let cell_dimension = if top == D { D } else { 1 };
    if top < D && top != 1 {
        let way = if D == 3 { " (a surface of quadrangles becomes a sheet with `extrude`)" } else { "" };
        let what =
            format!("the file holds no cells of dimension {D}: was the mesh generated and its groups saved?{way}");
        return Err(GmshError { place: "end of file".into(), what });
    }

    let mut facets: Vec<(String, GmshKind, Vec<u32>, usize)> = Vec::new();
    for element in &raw.elements {
        let nodes = nodes_of(element, &numbers, source)?;
        let dimension = element.kind.dimension();
        let mut names: Vec<String> = element.groups.iter().map(|&g| name(dimension, g)).collect();
        if dimension == cell_dimension {
            if names.len() > 1 {
                let what =
                    format!("element {} is in the groups {}: a cell has one material", element.tag, names.join(", "));
                return Err(GmshError { place: source.place_of(element.at), what });
            }
            add_cell(&mut mesh, element, names.pop(), nodes)
                .map_err(|what| GmshError { place: source.place_of(element.at), what })?;
        } else if dimension + 1 == D && dimension > 0 {
            facets.extend(names.into_iter().map(|n| (n, element.kind, nodes.clone(), element.at)));
        } else {
            names.into_iter().for_each(|name| add_to_set(&mut mesh, name, &nodes));
        }
    }
    add_facets(&mut mesh, facets, source)?;
    for (_, set) in &mut mesh.node_sets {
        set.sort_unstable();
        set.dedup();
    }
    mesh.drop_unused_nodes();
    mesh.node_sets.retain(|(_, nodes)| !nodes.is_empty());
    Ok(mesh)
}

/// Adds the nodes; returns their places by tag.
fn add_nodes<const D: usize>(mesh: &mut Mesh<D>, raw: &Raw) -> Result<HashMap<u64, u32>, GmshError> {
    let mut numbers = HashMap::with_capacity(raw.nodes.len());
    let height = raw.nodes.first().map_or(0.0, |n| n.1[2]);
    let size = raw.nodes.iter().flat_map(|n| n.1).fold(0.0f64, |m, c| m.max(c.abs()));
    for (tag, x) in &raw.nodes {
        let whole = |what: String| GmshError { place: "$Nodes".into(), what };
        if D == 2 && (x[2] - height).abs() > 1e-9 * size {
            return Err(whole(format!("node {tag} has z = {}: a plane mesh lies in a plane of constant z", x[2])));
        }
        if numbers.insert(*tag, mesh.nodes.len() as u32).is_some() {
            return Err(whole(format!("node {tag} occurs twice")));
        }
        mesh.nodes.push(Vect::from_fn(|i, _| x[i]));
    }
    Ok(numbers)
}

fn nodes_of(element: &Element, numbers: &HashMap<u64, u32>, source: &Source) -> Result<Vec<u32>, GmshError> {
    let find = |tag: &u64| {
        let what = || format!("element {} names node {tag}, which is not in $Nodes", element.tag);
        numbers.get(tag).copied().ok_or_else(|| GmshError { place: source.place_of(element.at), what: what() })
    };
    element.nodes.iter().map(find).collect()
}

fn add_cell<const D: usize>(
    mesh: &mut Mesh<D>,
    element: &Element,
    name: Option<String>,
    mut nodes: Vec<u32>,
) -> Result<(), String> {
    let Some(kind) = element.kind.cell() else {
        return Err(format!("element {} ({:?}) cannot be a cell: bars have two nodes", element.tag, element.kind));
    };
    // The normal of a plane surface is a matter of how it was drawn.
    if D == 2 && kind != Kind::Bar2 && mesh.cell_moments(kind, &nodes).0 < 0.0 {
        let corners = kind.corners();
        nodes[1..corners].reverse();
        nodes[corners..].reverse();
    }
    let region = mesh.region(name.as_deref().unwrap_or("body"));
    mesh.add_cells(kind, region, &nodes);
    Ok(())
}

fn add_to_set<const D: usize>(mesh: &mut Mesh<D>, name: String, nodes: &[u32]) {
    match mesh.node_sets.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => own.extend_from_slice(nodes),
        None => mesh.node_sets.push((name, nodes.to_vec())),
    }
}

/// Adds boundary facets, turned as the cells have them.
fn add_facets<const D: usize>(
    mesh: &mut Mesh<D>,
    facets: Vec<(String, GmshKind, Vec<u32>, usize)>,
    source: &Source,
) -> Result<(), GmshError> {
    let known = mesh.facets();
    for (name, kind, nodes, at) in facets {
        let Some(facet) = kind.facet() else { continue };
        let Some(own) = known.find(&nodes[..facet.corners()]).filter(|own| own.kind == facet) else {
            let what =
                format!("the element of boundary \"{name}\" is no side of a cell: is the group of the cells missing?");
            return Err(GmshError { place: source.place_of(at), what });
        };
        match mesh.boundaries.iter_mut().find(|b| b.name == name && b.kind == facet) {
            Some(boundary) => boundary.nodes.extend(&own.nodes),
            None => mesh.boundaries.push(Boundary { name, kind: facet, nodes: own.nodes.clone() }),
        }
    }
    Ok(())
}
