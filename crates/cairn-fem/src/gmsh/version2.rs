//! Format 2.2: one list of nodes, one list of elements with their tags; counts are text, the rest may be binary.

use super::kinds::GmshKind;
use super::source::Source;
use super::{Element, GmshError, Raw};

/// `count`, then `number x y z` each.
pub(super) fn nodes(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let count = source.count_line(if source.is_binary() { 28 } else { 8 })?;
    for _ in 0..count {
        let tag = source.int()? as u64;
        raw.nodes.push((tag, [source.real()?, source.real()?, source.real()?]));
    }
    Ok(())
}

/// `count`, then `number type tags… nodes…` each; in binary files runs of one type have the type in front.
pub(super) fn elements(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let count = source.count_line(8)?;
    let mut left = count;
    while left > 0 {
        if source.is_binary() {
            let kind = kind(source)?;
            let run = source.int()?;
            let run = source.must_hold(run.max(0) as u64, 4)?;
            if run == 0 || run > left {
                return Err(source.error_before(&format!("a run of {run} elements where {left} are left")));
            }
            let tags = tags_count(source)?;
            for _ in 0..run {
                let tag = source.int()? as u64;
                let at = source.offset();
                element(source, raw, tag, kind, tags, at)?;
            }
            left -= run;
        } else {
            let tag = source.int()? as u64;
            let at = source.offset();
            let kind = kind(source)?;
            let tags = tags_count(source)?;
            element(source, raw, tag, kind, tags, at)?;
            left -= 1;
        }
    }
    Ok(())
}

fn kind(source: &mut Source) -> Result<GmshKind, GmshError> {
    let number = source.int()?;
    GmshKind::from_number(number).map_err(|what| source.error_before(&what))
}

fn tags_count(source: &mut Source) -> Result<usize, GmshError> {
    let count = source.int()?;
    if !(0..=1000).contains(&count) {
        return Err(source.error_before(&format!("expected the number of tags and found {count}")));
    }
    Ok(count as usize)
}

fn element(
    source: &mut Source,
    raw: &mut Raw,
    tag: u64,
    kind: GmshKind,
    tags: usize,
    at: usize,
) -> Result<(), GmshError> {
    let mut groups = Vec::new();
    for i in 0..tags {
        let group = source.int()?;
        if i == 0 && group != 0 {
            groups.push(group);
        }
    }
    let mut nodes = Vec::with_capacity(kind.nodes());
    for _ in 0..kind.nodes() {
        nodes.push(source.int()? as u64);
    }
    raw.elements.push(Element { tag, kind, groups, nodes, at });
    Ok(())
}
