//! Blocks in hexahedra or tetrahedra, with any spacing; rods.

use crate::mesh::{Kind, Mesh};

use super::{even, solid_patch};

/// How the boxes of a lattice become cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solid {
    /// One hexahedron.
    H8,
    /// Six tetrahedra around a diagonal, the same in all boxes, so that neighbours fit.
    Tet4,
}

/// Paths from corner 0 to corner 6 of a hexahedron along three edges, one tetrahedron each, turned positively.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

/// The block between the first and the last of the coordinates [m], which must increase.
///
/// Boundaries `left` and `right` (x), `front` and `back` (y), `bottom` and `top` (z).
pub fn block(xs: &[f64], ys: &[f64], zs: &[f64], layout: Solid) -> Mesh<3> {
    let mut mesh = solid_patch(xs, ys, zs, |x| x);
    if layout == Solid::Tet4 {
        let boxes = std::mem::take(&mut mesh.cells).remove(0).nodes;
        for corners in boxes.chunks_exact(8) {
            let tetrahedra: Vec<u32> = TETRAHEDRA.iter().flatten().map(|&c| corners[c]).collect();
            mesh.add_cells(Kind::Tet4, 0, &tetrahedra);
        }
    }
    for (axis, list, names) in [(0, xs, ["left", "right"]), (1, ys, ["front", "back"]), (2, zs, ["bottom", "top"])] {
        let (first, last) = (list[0], list[list.len() - 1]);
        mesh.name_boundary(names[0], |x| x[axis] == first);
        mesh.name_boundary(names[1], |x| x[axis] == last);
    }
    mesh
}

/// A rod along x from 0 to `length` [m], of square section with side `side` [m], in `along` × `across` × `across`
/// hexahedra. Boundaries as those of a [`block`].
pub fn rod(length: f64, side: f64, along: usize, across: usize) -> Mesh<3> {
    let section = even(-0.5 * side, 0.5 * side, across);
    block(&even(0.0, length, along), &section, &section, Solid::H8)
}
