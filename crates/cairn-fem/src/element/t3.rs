//! Linear triangle: N = 1 − ξ − η, ξ, η.

use super::Element;

/// Three-node triangle.
pub struct T3;

impl Element<2, 3> for T3 {
    const NODES: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

    fn shape([x, y]: [f64; 2]) -> [f64; 3] {
        [1.0 - x - y, x, y]
    }

    fn gradient(_: [f64; 2]) -> [[f64; 2]; 3] {
        [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]
    }
}
