//! An eighth of a sphere in hexahedra, refined towards its lowest point: for contact with a plane below.
//!
//! A core, a cube that bulges, and three patches from its outer faces to the sphere. The faces of the cube seen from the
//! centre cut the sphere along equal angles: the direction of (u, v) is (tan πu/4, tan πv/4, 1).

use std::f64::consts::FRAC_PI_4;

use crate::mesh::Mesh;

use super::{even, graded, join, solid_patch};

/// Half width of the core on the axes, and the share by which its corner is drawn in.
const SIDE: f64 = 0.5;
const DRAWN: f64 = 0.25;

/// The part x ≥ 0, y ≥ 0, z ≤ 0 of a sphere of this radius [m] around the origin: `core`³ + 3 · `core`² · `layers`
/// hexahedra. `across` and `radial` are the ratios of the largest to the smallest cells from the lowest point outwards.
///
/// Boundaries `left` (x = 0), `front` (y = 0), `top` (z = 0) and `sphere`; the node set `lowest` is the lowest point.
pub fn eighth_sphere(radius: f64, core: usize, layers: usize, across: f64, radial: f64) -> Mesh<3> {
    let fine = graded(0.0, 1.0, core, across);
    let straight = even(0.0, 1.0, core);
    // From the rim (0) to the core (1).
    let depths = graded(0.0, 1.0, layers, radial);
    // Cyclic exchanges of axes keep the orientation; turning z downwards is undone by exchanging x and y.
    let below = |[x, y, z]: [f64; 3]| [y * radius, x * radius, -z * radius];
    let mut patches = vec![solid_patch(&fine, &fine, &straight, |p| below(inner(p)))];
    for turn in 0..3 {
        let (us, vs) = [(&fine, &fine), (&fine, &straight), (&straight, &fine)][turn];
        patches.push(solid_patch(us, vs, &reversed(&depths), |[u, v, depth]| {
            // In the patch `turn` the face of the core looks along axis 2, 0 or 1.
            let face = [[u, v, 1.0], [1.0, u, v], [v, 1.0, u]][turn];
            let core = inner(face);
            let direction = face.map(|w| (w * FRAC_PI_4).tan());
            let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
            below([0, 1, 2].map(|i| depth * core[i] + (1.0 - depth) * direction[i] / length))
        }));
    }
    let mut mesh = join(&patches, 1e-9 * radius);
    mesh.nodes.iter_mut().flat_map(|x| x.iter_mut()).filter(|c| c.abs() < 1e-12 * radius).for_each(|c| *c = 0.0);
    for (axis, name) in ["left", "front", "top"].into_iter().enumerate() {
        mesh.name_boundary(name, |x| x[axis] == 0.0);
    }
    mesh.name_boundary("sphere", |x| x.norm() > (1.0 - 1e-9) * radius);
    let lowest = (0..mesh.nodes.len() as u32).min_by(|&a, &b| {
        let z = |n: u32| mesh.nodes[n as usize][2];
        z(a).total_cmp(&z(b))
    });
    mesh.node_sets.push(("lowest".to_string(), lowest.into_iter().collect()));
    mesh
}

/// From the core outwards, so that a patch's third direction looks along the face of the core.
fn reversed(depths: &[f64]) -> Vec<f64> {
    depths.iter().rev().copied().collect()
}

/// The core as the image of the unit cube.
fn inner(p: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let (a, b) = (p[(i + 1) % 3], p[(i + 2) % 3]);
        SIDE * p[i] * (1.0 - 0.5 * DRAWN * (a * a + b * b))
    })
}
