//! A disc in quadrangles: a core, a square with bulging sides, and four patches from it to the rim.

use std::f64::consts::FRAC_PI_4;

use crate::mesh::Mesh;

use super::{even, join, patch};

/// Half diagonal of the core, and half its width on the axes, as shares of the radius.
const CORNER: f64 = 0.55;
const SIDE: f64 = 0.48;

/// A disc of this radius [m] around the origin: `core`² + 4 · `core` · `layers` quadrangles. The boundary is `arc`.
///
/// For triangles see [`Mesh::triangles`].
pub fn disc(radius: f64, core: usize, layers: usize) -> Mesh<2> {
    let us = even(-1.0, 1.0, core);
    let vs = even(0.0, 1.0, layers);
    let mut patches = vec![patch(&us, &us, |u, v| inner(u, v).map(|x| x * radius))];
    for turn in 0..4 {
        patches.push(patch(&us, &vs, |u, v| {
            let (x, y) = outer(u, v);
            let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][turn];
            [x * radius, y * radius]
        }));
    }
    let mut mesh = join(&patches, 1e-9 * radius);
    mesh.name_boundary("arc", |_| true);
    mesh
}

/// The quarter of a disc with x, y ≥ 0, `core` cells along each side of its core: `core`² + 2 · `core` · `layers` quadrangles. The nodes of its straight
/// sides lie on the axes exactly, so that symmetry can be asked for.
pub fn quarter_disc(radius: f64, core: usize, layers: usize) -> Mesh<2> {
    let (us, vs) = (even(0.0, 1.0, core), even(0.0, 1.0, layers));
    let left: Vec<f64> = us.iter().rev().map(|u| -u).collect();
    let inside = patch(&us, &us, |u, v| inner(u, v).map(|x| x * radius));
    let beside = patch(&us, &vs, |u, v| {
        let (x, y) = outer(u, v);
        [-y * radius, x * radius]
    });
    let above = patch(&left, &vs, |u, v| {
        let (x, y) = outer(u, v);
        [-x * radius, -y * radius]
    });
    let mut mesh = join(&[inside, beside, above], 1e-9 * radius);
    mesh.name_boundary("arc", |x| x.norm() > (1.0 - 1e-9) * radius);
    mesh
}

/// The core as the image of a square, −1 ≤ u, v ≤ 1.
pub(super) fn inner(u: f64, v: f64) -> [f64; 2] {
    let corner = CORNER * std::f64::consts::FRAC_1_SQRT_2;
    let width = |w: f64| SIDE + (corner - SIDE) * w * w;
    [u * width(v), v * width(u)]
}

/// The patch below the core: v = 0 on the rim, 1 on the side of the core; u from left to right.
pub(super) fn outer(u: f64, v: f64) -> (f64, f64) {
    let [x, y] = inner(u, -1.0);
    let angle = u * FRAC_PI_4;
    (v * x + (1.0 - v) * angle.sin(), v * y - (1.0 - v) * angle.cos())
}
