//! Gmsh files: reading formats 2.2 and 4.1, ASCII and binary; writing 2.2 ASCII.
//!
//! Physical groups give the names: those of full dimension become regions, those of one dimension less boundaries, those
//! of points (and of lines in space) node sets. Boundary facets are turned outwards, plane cells counter-clockwise; nodes
//! that no cell has (centres of arcs) are left out. A group without a name is called by its number, cells without a group
//! form the region `body`. A surface of quadrangles is read for a sheet ([`parse_surface`]): its lines become sides. If there is no cell of full dimension, lines become bars.

mod build;
mod kinds;
mod source;
mod surface;
mod version2;
mod version4;
mod write;

use std::path::Path;

pub use write::write;

use crate::generate::Surface;
use crate::mesh::Mesh;
use source::Source;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct GmshError {
    /// Line (`line 12`) of a text, offset (`byte 345`) in a binary file, or the file as a whole.
    pub place: String,
    /// What is wrong, and what was expected.
    pub what: String,
}

/// Reads a file.
pub fn read<const D: usize>(path: &Path) -> Result<Mesh<D>, GmshError> {
    let at = |place: &str| {
        if place.is_empty() { path.display().to_string() } else { format!("{}, {place}", path.display()) }
    };
    // A device or a pipe may have no end.
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(GmshError { place: at(""), what: "it is not a file".to_string() });
    }
    let bytes = std::fs::read(path).map_err(|e| GmshError { place: at(""), what: e.to_string() })?;
    parse(&bytes).map_err(|e| GmshError { place: at(&e.place), what: e.what })
}

/// Reads the contents of a file.
pub fn parse<const D: usize>(bytes: &[u8]) -> Result<Mesh<D>, GmshError> {
    let mut source = Source::new(bytes);
    let raw = raw(&mut source)?;
    build::build(raw, &source)
}

/// Reads the contents of a file that holds a surface of quadrangles in space.
pub fn parse_surface(bytes: &[u8]) -> Result<Surface, GmshError> {
    let mut source = Source::new(bytes);
    let raw = raw(&mut source)?;
    surface::build(raw, &source)
}

/// A file as it is: nodes by their tags, elements by their types.
#[derive(Debug, Default)]
struct Raw {
    /// (dimension, number, name).
    names: Vec<(u32, i64, String)>,
    /// Physical groups of the entities of a model (format 4): (dimension, tag, groups).
    entities: Vec<(u32, i64, Vec<i64>)>,
    /// (tag, position).
    nodes: Vec<(u64, [f64; 3])>,
    elements: Vec<Element>,
}

#[derive(Debug)]
struct Element {
    tag: u64,
    kind: kinds::GmshKind,
    groups: Vec<i64>,
    nodes: Vec<u64>,
    /// Where it is in the file.
    at: usize,
}

fn raw(source: &mut Source) -> Result<Raw, GmshError> {
    let is_four = header(source)?;
    let mut raw = Raw::default();
    let (mut has_nodes, mut has_elements) = (false, false);
    while let Some(section) = source.section()? {
        match (section.as_str(), is_four) {
            ("PhysicalNames", _) => names(source, &mut raw)?,
            ("Entities", true) => version4::entities(source, &mut raw)?,
            ("Nodes", true) => version4::nodes(source, &mut raw)?,
            ("Nodes", false) => version2::nodes(source, &mut raw)?,
            ("Elements", true) => version4::elements(source, &mut raw)?,
            ("Elements", false) => version2::elements(source, &mut raw)?,
            ("PartitionedEntities", _) => {
                return Err(source.error("partitioned meshes are not read: save one without partitions"));
            }
            (other, _) => {
                source.skip_section(other)?;
                continue;
            }
        }
        source.end_section(&section)?;
        has_nodes |= section == "Nodes";
        has_elements |= section == "Elements";
    }
    if !has_nodes || !has_elements {
        let missing = if has_nodes { "$Elements" } else { "$Nodes" };
        return Err(source.error(&format!("the file ends without a section {missing}: is it truncated?")));
    }
    Ok(raw)
}

/// Reads the format; returns whether it is 4.1.
fn header(source: &mut Source) -> Result<bool, GmshError> {
    if source.section()?.as_deref() != Some("MeshFormat") {
        return Err(source.error("a Gmsh file starts with $MeshFormat"));
    }
    let line = source.line()?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_four = match words.first().copied() {
        Some("2.2" | "2.1" | "2") => false,
        Some("4.1") => true,
        version => {
            let version = version.unwrap_or("nothing");
            let what = format!("format {version} is not read: save the mesh as 4.1 or 2.2 (Mesh.MshFileVersion)");
            return Err(source.error_before(&what));
        }
    };
    match words.get(1).copied() {
        Some("0") => {}
        Some("1") => source.binary()?,
        _ => return Err(source.error_before("expected 0 (ASCII) or 1 (binary) after the version")),
    }
    if words.get(2).copied() != Some("8") {
        return Err(source.error_before("expected a data size of 8"));
    }
    source.end_section("MeshFormat")?;
    Ok(is_four)
}

/// The names of the physical groups: text in binary files too.
fn names(source: &mut Source, raw: &mut Raw) -> Result<(), GmshError> {
    let line = source.line()?;
    let count: usize = line.trim().parse().map_err(|_| source.error_before("expected the number of names"))?;
    for _ in 0..count {
        let line = source.line()?;
        let mut parts = line.trim().splitn(3, char::is_whitespace);
        let dimension = parts.next().and_then(|p| p.parse().ok());
        let number = parts.next().and_then(|p| p.parse().ok());
        let name = parts.next().map(|p| p.trim().trim_matches('"').to_string());
        match (dimension, number, name) {
            (Some(d), Some(n), Some(name)) if !name.is_empty() => raw.names.push((d, n, name)),
            _ => return Err(source.error_before("expected: dimension number \"name\"")),
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "gmsh_tests.rs"]
mod tests;
