//! Rectangles in quadrangles or triangles, with any spacing.

use crate::Vect;
use crate::mesh::{Kind, Mesh};

use super::patch;

/// How the rectangles of a lattice become cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flat {
    /// One quadrangle.
    Q4,
    /// Two triangles, all diagonals in the same direction.
    T3,
    /// Two triangles, diagonals in turns, like a union jack.
    T3Alternating,
    /// Four triangles around a node in the middle.
    T3Crossed,
}

/// The rectangle between the first and the last of the coordinates [m], which must increase.
///
/// Boundaries `left`, `right`, `bottom`, `top`.
pub fn rectangle(xs: &[f64], ys: &[f64], layout: Flat) -> Mesh<2> {
    let mut mesh = patch(xs, ys, |x, y| [x, y]);
    if layout != Flat::Q4 {
        let squares = std::mem::take(&mut mesh.cells).remove(0).nodes;
        let width = xs.len() - 1;
        for (index, square) in squares.chunks_exact(4).enumerate() {
            let [a, b, c, d] = [square[0], square[1], square[2], square[3]];
            let is_odd = (index % width + index / width) % 2 == 1;
            let triangles = match layout {
                Flat::T3Crossed => {
                    let middle = mesh.nodes.len() as u32;
                    let sum: Vect<2> = square.iter().map(|&n| mesh.nodes[n as usize]).sum();
                    mesh.nodes.push(sum * 0.25);
                    vec![a, b, middle, b, c, middle, c, d, middle, d, a, middle]
                }
                Flat::T3Alternating if is_odd => vec![a, b, d, b, c, d],
                _ => vec![a, b, c, a, c, d],
            };
            mesh.add_cells(Kind::T3, 0, &triangles);
        }
    }
    let (left, right) = (xs[0], xs[xs.len() - 1]);
    let (bottom, top) = (ys[0], ys[ys.len() - 1]);
    mesh.name_boundary("left", |x| x[0] == left);
    mesh.name_boundary("right", |x| x[0] == right);
    mesh.name_boundary("bottom", |x| x[1] == bottom);
    mesh.name_boundary("top", |x| x[1] == top);
    mesh
}
