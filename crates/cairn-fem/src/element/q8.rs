//! Serendipity quadrangle.
//!
//! Corners: N = (1 + x)(1 + y)(x + y − 1)/4 with x = ξ ξ_a, y = η η_a; mid-sides: (1 − ξ²)(1 + y)/2, (1 − η²)(1 + x)/2.

use super::Element;

/// Eight-node quadrangle: corners, then the middles of sides 01, 12, 23, 30.
pub struct Q8;

impl Element<2, 8> for Q8 {
    const NODES: [[f64; 2]; 8] =
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];

    fn shape([x, y]: [f64; 2]) -> [f64; 8] {
        Self::NODES.map(|[a, b]| {
            if a == 0.0 {
                0.5 * (1.0 - x * x) * (1.0 + b * y)
            } else if b == 0.0 {
                0.5 * (1.0 - y * y) * (1.0 + a * x)
            } else {
                0.25 * (1.0 + a * x) * (1.0 + b * y) * (a * x + b * y - 1.0)
            }
        })
    }

    fn gradient([x, y]: [f64; 2]) -> [[f64; 2]; 8] {
        Self::NODES.map(|[a, b]| {
            if a == 0.0 {
                [-x * (1.0 + b * y), 0.5 * b * (1.0 - x * x)]
            } else if b == 0.0 {
                [0.5 * a * (1.0 - y * y), -y * (1.0 + a * x)]
            } else {
                [0.25 * a * (1.0 + b * y) * (2.0 * a * x + b * y), 0.25 * b * (1.0 + a * x) * (a * x + 2.0 * b * y)]
            }
        })
    }
}
