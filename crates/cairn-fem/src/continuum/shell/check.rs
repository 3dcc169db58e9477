//! Meshes that can be sheets: hexahedra, all with the same direction through the thickness.

use std::collections::BTreeMap;

use super::strain::{Nodes, Reference};
use crate::continuum::ModelError;
use crate::mesh::{Kind, Mesh};

/// In the mean cells may be that many times thicker than they are long or wide.
const THICKEST: f64 = 4.0;
/// The facets of H8: the two faces of a sheet first.
const FACETS: [[usize; 4]; 6] = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// Can a mesh be a sheet, with ζ of its cells through the thickness?
pub fn check<const D: usize>(mesh: &Mesh<D>) -> Result<(), ModelError> {
    if mesh.cells.iter().any(|cells| cells.kind != Kind::H8) {
        return Err(ModelError::Options(
            "`solid_shell` is for hexahedra of eight nodes (H8): take `standard`, or a mesh of hexahedra alone",
        ));
    }
    let mut sizes = [0.0; 3];
    let mut facets: BTreeMap<[u32; 4], (usize, bool)> = BTreeMap::new();
    for (cell, _, _, nodes) in mesh.each_cell() {
        if nodes.iter().any(|&node| node as usize >= mesh.nodes.len()) {
            // Told by who prepares the integrals.
            return Ok(());
        }
        let places = Nodes::from_fn(|i, a| mesh.nodes[nodes[a] as usize][i]);
        let edges = 2.0 * places * Reference::centre();
        sizes.iter_mut().enumerate().for_each(|(k, sum)| *sum += edges.column(k).norm());
        for (k, corners) in FACETS.iter().enumerate() {
            let mut key = corners.map(|a| nodes[a]);
            key.sort_unstable();
            let is_face = k < 2;
            let other = facets.insert(key, (cell, is_face));
            if let Some((other, _)) = other.filter(|(_, was_face)| *was_face != is_face) {
                return Err(ModelError::Crossed { cells: [other, cell] });
            }
        }
    }
    let [length, width, thickness] = sizes.map(|sum| sum / mesh.cell_count() as f64);
    if thickness > THICKEST * length.min(width) {
        return Err(ModelError::Thick { sizes: [length, width, thickness] });
    }
    Ok(())
}
