//! Bilinear quadrangle: N_a = (1 + ξ ξ_a)(1 + η η_a)/4.

use super::Element;

/// Four-node quadrangle.
pub struct Q4;

impl Element<2, 4> for Q4 {
    const NODES: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

    fn shape([x, y]: [f64; 2]) -> [f64; 4] {
        Self::NODES.map(|[a, b]| 0.25 * (1.0 + a * x) * (1.0 + b * y))
    }

    fn gradient([x, y]: [f64; 2]) -> [[f64; 2]; 4] {
        Self::NODES.map(|[a, b]| [0.25 * a * (1.0 + b * y), 0.25 * b * (1.0 + a * x)])
    }
}
