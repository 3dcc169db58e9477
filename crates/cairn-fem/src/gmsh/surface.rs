//! Surfaces in space, to be made sheets: quadrangles, with physical groups of lines and points.

use std::collections::{BTreeMap, HashMap};

use super::kinds::GmshKind;
use super::source::Source;
use super::{Element, GmshError, Raw};
use crate::Vect;
use crate::generate::Surface;

pub(super) fn build(raw: Raw, source: &Source) -> Result<Surface, GmshError> {
    let numbers: HashMap<u64, u32> = raw.nodes.iter().enumerate().map(|(n, (tag, _))| (*tag, n as u32)).collect();
    let places: Vec<Vect<3>> = raw.nodes.iter().map(|(_, x)| Vect::from(*x)).collect();
    let mut surface = Surface::default();
    for element in &raw.elements {
        let error = |what: String| GmshError { place: source.place_of(element.at), what };
        let find = |tag: &u64| {
            let missing = || error(format!("element {} names node {tag}, which is not in $Nodes", element.tag));
            numbers.get(tag).copied().ok_or_else(missing)
        };
        let nodes = element.nodes.iter().map(find).collect::<Result<Vec<u32>, _>>()?;
        let list = match element.kind {
            GmshKind::Q4 => &mut surface.cells,
            GmshKind::Line2 => &mut surface.lines,
            GmshKind::Point => &mut surface.points,
            other => {
                return Err(error(format!(
                    "a sheet is extruded from quadrangles of four nodes, not from {other:?}: mesh with Mesh.RecombineAll = 1, Mesh.ElementOrder = 1"
                )));
            }
        };
        for name in names(&raw, element) {
            match list.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => own.extend(&nodes),
                None => list.push((name, nodes.clone())),
            }
        }
    }
    if surface.cells.is_empty() {
        return Err(GmshError { place: "end of file".into(), what: "the file holds no quadrangles".into() });
    }
    keep_used(&mut surface, &places);
    Ok(surface)
}

/// The groups of an element; quadrangles without one are of the region `body`.
fn names(raw: &Raw, element: &Element) -> Vec<String> {
    let dimension = element.kind.dimension() as u32;
    let of = |&group: &i64| {
        let found = raw.names.iter().find(|n| n.0 == dimension && n.1 == group);
        found.map_or_else(|| group.to_string(), |n| n.2.clone())
    };
    let names: Vec<String> = element.groups.iter().map(of).collect();
    if names.is_empty() && element.kind == GmshKind::Q4 { vec!["body".into()] } else { names }
}

/// Numbers the nodes that quadrangles have; lines and points elsewhere are left out.
fn keep_used(surface: &mut Surface, places: &[Vect<3>]) {
    let mut numbers: BTreeMap<u32, u32> = surface.cells.iter().flat_map(|(_, q)| q).map(|&n| (n, 0)).collect();
    numbers.values_mut().zip(0..).for_each(|(new, number)| *new = number);
    surface.nodes = numbers.keys().map(|&n| places[n as usize]).collect();
    let renumber = |list: &mut Vec<(String, Vec<u32>)>, corners: usize| {
        for (_, nodes) in list.iter_mut() {
            let kept = nodes
                .chunks_exact(corners)
                .filter_map(|c| c.iter().map(|n| numbers.get(n).copied()).collect::<Option<Vec<u32>>>());
            *nodes = kept.flatten().collect();
        }
        list.retain(|(_, nodes)| !nodes.is_empty());
    };
    renumber(&mut surface.cells, 4);
    renumber(&mut surface.lines, 2);
    renumber(&mut surface.points, 1);
}
