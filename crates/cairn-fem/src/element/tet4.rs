//! Linear tetrahedron: N = 1 − ξ − η − ζ, ξ, η, ζ.

use super::Element;

/// Four-node tetrahedron.
pub struct Tet4;

impl Element<3, 4> for Tet4 {
    const NODES: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn shape([x, y, z]: [f64; 3]) -> [f64; 4] {
        [1.0 - x - y - z, x, y, z]
    }

    fn gradient(_: [f64; 3]) -> [[f64; 3]; 4] {
        [[-1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    }
}
