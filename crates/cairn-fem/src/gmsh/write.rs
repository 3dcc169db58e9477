//! Writing: format 2.2 as text, which every version of Gmsh and most other programs read.

use std::fmt::Write;

use super::kinds::GmshKind;
use crate::mesh::Mesh;

/// The text of a file with this mesh. Regions, boundaries and node sets become physical groups.
pub fn write<const D: usize>(mesh: &Mesh<D>) -> String {
    // Groups are numbered through; those with the same name and dimension are one.
    let mut groups: Vec<(usize, &str)> = Vec::new();
    let mut elements: Vec<(GmshKind, usize, &[u32])> = Vec::new();
    let mut group = |dimension: usize, name| {
        let found = groups.iter().position(|g| *g == (dimension, name));
        found.unwrap_or_else(|| {
            groups.push((dimension, name));
            groups.len() - 1
        }) + 1
    };
    for (name, nodes) in &mesh.node_sets {
        let number = group(0, name.as_str());
        elements.extend(nodes.chunks(1).map(|n| (GmshKind::Point, number, n)));
    }
    for boundary in &mesh.boundaries {
        let kind = GmshKind::of_facet(boundary.kind);
        let number = group(kind.dimension(), boundary.name.as_str());
        elements.extend(boundary.nodes.chunks_exact(boundary.kind.nodes()).map(|n| (kind, number, n)));
    }
    for (_, kind, region, nodes) in mesh.each_cell() {
        let name = mesh.regions.get(region as usize).map_or("body", String::as_str);
        elements.push((GmshKind::of_cell(kind), group(kind.dimension(), name), nodes));
    }

    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n", groups.len());
    // Writing into a string does not fail.
    for (i, (dimension, name)) in groups.iter().enumerate() {
        let _ = writeln!(text, "{dimension} {} \"{name}\"", i + 1);
    }
    let _ = writeln!(text, "$EndPhysicalNames\n$Nodes\n{}", mesh.nodes.len());
    for (i, x) in mesh.nodes.iter().enumerate() {
        let z = if D > 2 { x[2] } else { 0.0 };
        let _ = writeln!(text, "{} {:?} {:?} {z:?}", i + 1, x[0], x[1]);
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", elements.len());
    for (i, (kind, number, nodes)) in elements.iter().enumerate() {
        let _ = write!(text, "{} {} 2 {number} {number}", i + 1, kind.number());
        nodes.iter().for_each(|n| {
            let _ = write!(text, " {}", n + 1);
        });
        text.push('\n');
    }
    text.push_str("$EndElements\n");
    text
}
