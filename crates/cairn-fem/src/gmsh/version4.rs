//! Format 4.1: entities of the model carry the physical groups; nodes and elements come in blocks of one entity.

use super::kinds::GmshKind;
use super::source::Source;
use super::{Element, GmshError, Raw};

/// The entities: points with a position, the others with a box and their boundary.
pub(super) fn entities(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = source.count(8)?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            let tag = source.int()?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                source.real()?;
            }
            let mut groups = Vec::new();
            for _ in 0..source.count(2)? {
                groups.push(source.int()?.abs());
            }
            if dimension > 0 {
                for _ in 0..source.count(2)? {
                    source.int()?;
                }
            }
            raw.entities.push((dimension as u32, tag, groups));
        }
    }
    raw.entities.sort();
    Ok(())
}

/// Blocks of nodes: all tags, then all positions (and parameters on the entity, which are not needed).
pub(super) fn nodes(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let (blocks, total) = header(source)?;
    for _ in 0..blocks {
        let (dimension, _) = entity(source)?;
        let has_parameters = source.int()? != 0;
        let count = source.count(8)?;
        let first = raw.nodes.len();
        for _ in 0..count {
            raw.nodes.push((source.size()?, [0.0; 3]));
        }
        for node in &mut raw.nodes[first..] {
            node.1 = [source.real()?, source.real()?, source.real()?];
            for _ in 0..if has_parameters { dimension } else { 0 } {
                source.real()?;
            }
        }
    }
    whole(source, "nodes", raw.nodes.len(), total)
}

/// Blocks of elements of one type and entity.
pub(super) fn elements(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let (blocks, total) = header(source)?;
    for _ in 0..blocks {
        let (dimension, tag) = entity(source)?;
        let number = source.int()?;
        let kind = GmshKind::from_number(number).map_err(|what| source.error_before(&what))?;
        let found = raw.entities.binary_search_by(|e| (e.0, e.1).cmp(&(dimension, tag)));
        let groups = found.map(|i| raw.entities[i].2.clone()).unwrap_or_default();
        for _ in 0..source.count(4)? {
            let tag = source.size()?;
            let at = source.offset();
            let mut nodes = Vec::with_capacity(kind.nodes());
            for _ in 0..kind.nodes() {
                nodes.push(source.size()?);
            }
            raw.elements.push(Element { tag, kind, groups: groups.clone(), nodes, at });
        }
    }
    whole(source, "elements", raw.elements.len(), total)
}

/// Number of blocks and of all items; the least and the greatest tag are not needed.
fn header(source: &mut Source) -> Result<(usize, u64), GmshError> {
    let blocks = source.count(8)?;
    let total = source.size()?;
    source.size()?;
    source.size()?;
    Ok((blocks, total))
}

fn entity(source: &mut Source) -> Result<(u32, i64), GmshError> {
    let dimension = source.int()?;
    if !(0..=3).contains(&dimension) {
        return Err(source.error_before(&format!("expected the dimension of an entity, 0 to 3, and found {dimension}")));
    }
    Ok((dimension as u32, source.int()?))
}

fn whole(source: &Source, what: &str, count: usize, total: u64) -> Result<(), GmshError> {
    if count as u64 == total {
        return Ok(());
    }
    Err(source.error_before(&format!("the blocks hold {count} {what}, but {total} were announced")))
}
