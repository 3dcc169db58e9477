//! The lower half of a disc, or of a cylinder across, refined towards its lowest point: for contact with a plane below.

use crate::mesh::Mesh;

use super::disc::{inner, outer};
use super::{even, graded, graded_from_middle, join, patch};

/// The lower half of a disc of this radius [m] around the origin, in quadrangles.
///
/// The core has 2 · `half` cells across and `half` in height, and `layers` of cells lie between it and the rim. Cells in
/// the middle of the lower side and at the rim are smallest: `across` and `radial` are the ratios of the largest to the
/// smallest. Boundaries `arc` and `top`; the lowest point is the node set `lowest`.
pub fn half_disc(radius: f64, half: usize, layers: usize, across: f64, radial: f64) -> Mesh<2> {
    let us = graded_from_middle(1.0, half, across);
    let low = even(-1.0, 0.0, half);
    let up: Vec<f64> = low.iter().rev().map(|u| -u).collect();
    let vs = graded(0.0, 1.0, layers, radial);
    let scaled = |(x, y): (f64, f64)| [x * radius, y * radius];
    let patches = [
        patch(&us, &low, |u, v| inner(u, v).map(|x| x * radius)),
        patch(&us, &vs, |u, v| scaled(outer(u, v))),
        // The sides reach up to the flat top only: of the patch turned to the right the first half, and its mirror image.
        patch(&low, &vs, |u, v| {
            let (x, y) = outer(u, v);
            scaled((-y, x))
        }),
        patch(&up, &vs, |u, v| {
            let (x, y) = outer(u, v);
            scaled((y, -x))
        }),
    ];
    let mut mesh = join(&patches, 1e-9 * radius);
    mesh.nodes.iter_mut().filter(|x| x[1].abs() < 1e-12 * radius).for_each(|x| x[1] = 0.0);
    mesh.name_boundary("top", |x| x[1] == 0.0);
    mesh.name_boundary("arc", |x| x.norm() > (1.0 - 1e-9) * radius);
    let lowest = (0..mesh.nodes.len() as u32).min_by(|&a, &b| {
        let y = |n: u32| mesh.nodes[n as usize][1];
        y(a).total_cmp(&y(b))
    });
    mesh.node_sets.push(("lowest".to_string(), lowest.into_iter().collect()));
    mesh
}
