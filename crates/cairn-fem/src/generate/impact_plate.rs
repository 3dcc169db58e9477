//! The plate of the oblique impact (Feng, case "plate on a plane"): a rectangle with a rounded lower edge.
//!
//! The lower edge is an arc through the lower corners, its lowest point B is the origin:
//!
//! ```text
//!   y(x) = R − √(R² − x²),   −w/2 ≤ x ≤ w/2
//! ```

use crate::mesh::Mesh;

use super::{even, graded, patch};

/// A plate of this width and height over all [m], with a lower edge of this radius [m], in `across` × `along`
/// quadrangles, the uppermost `ratio` times as high as the lowest. An even number across puts a node at B.
///
/// Boundaries `left`, `right`, `top`, `arc`; the node set `B` is the lowest point.
pub fn impact_plate(width: f64, height: f64, radius: f64, across: usize, along: usize, ratio: f64) -> Mesh<2> {
    let edge = |x: f64| radius - (radius * radius - x * x).sqrt();
    let (xs, ss) = (even(-0.5 * width, 0.5 * width, across), graded(0.0, 1.0, along, ratio));
    let mut mesh = patch(&xs, &ss, |x, s| [x, edge(x) * (1.0 - s) + height * s]);
    mesh.name_boundary("left", |x| x[0] == -0.5 * width);
    mesh.name_boundary("right", |x| x[0] == 0.5 * width);
    mesh.name_boundary("top", |x| x[1] == height);
    mesh.name_boundary("arc", |x| x[1] <= edge(x[0]));
    let lowest: Vec<u32> = (0..=across as u32).filter(|&n| mesh.nodes[n as usize][1] <= edge(0.0)).collect();
    mesh.node_sets.push(("B".to_string(), lowest));
    mesh
}
