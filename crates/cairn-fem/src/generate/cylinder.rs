//! A cylinder in hexahedra: a disc, drawn along its axis.

use crate::Vect;
use crate::mesh::{Kind, Mesh};

use super::{disc, quarter_disc};

/// A cylinder of this radius [m] about the third axis: the cells of a [`disc`] in layers between the heights `zs` [m], which must
/// increase. Boundaries `side`, `bottom`, `top`.
pub fn cylinder(radius: f64, core: usize, layers: usize, zs: &[f64]) -> Mesh<3> {
    drawn(&disc(radius, core, layers), radius, zs)
}

/// The quarter of a cylinder with x, y ≥ 0, of the cells of a [`quarter_disc`]. Boundaries `side`, `bottom`, `top`, and the planes of symmetry `left`
/// (x = 0) and `front` (y = 0).
pub fn quarter_cylinder(radius: f64, core: usize, layers: usize, zs: &[f64]) -> Mesh<3> {
    let mut mesh = drawn(&quarter_disc(radius, core, layers), radius, zs);
    mesh.name_boundary("left", |x| x[0] == 0.0);
    mesh.name_boundary("front", |x| x[1] == 0.0);
    mesh
}

fn drawn(base: &Mesh<2>, radius: f64, zs: &[f64]) -> Mesh<3> {
    let mut mesh = Mesh { regions: vec!["body".to_string()], ..Default::default() };
    for &z in zs {
        mesh.nodes.extend(base.nodes.iter().map(|x| Vect::from([x[0], x[1], z])));
    }
    let count = base.nodes.len() as u32;
    let mut cells = Vec::new();
    for layer in 0..zs.len() as u32 - 1 {
        for (_, _, _, nodes) in base.each_cell() {
            cells.extend(nodes.iter().map(|n| n + layer * count));
            cells.extend(nodes.iter().map(|n| n + (layer + 1) * count));
        }
    }
    mesh.add_cells(Kind::H8, 0, &cells);
    let (first, last) = (zs[0], zs[zs.len() - 1]);
    mesh.name_boundary("bottom", |x| x[2] == first);
    mesh.name_boundary("top", |x| x[2] == last);
    mesh.name_boundary("side", |x| x[0].hypot(x[1]) > (1.0 - 1e-9) * radius);
    mesh
}
