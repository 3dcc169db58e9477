//! Trilinear hexahedron: N_a = (1 + ξ ξ_a)(1 + η η_a)(1 + ζ ζ_a)/8.

use super::Element;

/// Eight-node hexahedron.
pub struct H8;

impl Element<3, 8> for H8 {
    const NODES: [[f64; 3]; 8] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
    ];

    fn shape([x, y, z]: [f64; 3]) -> [f64; 8] {
        Self::NODES.map(|[a, b, c]| 0.125 * (1.0 + a * x) * (1.0 + b * y) * (1.0 + c * z))
    }

    fn gradient([x, y, z]: [f64; 3]) -> [[f64; 3]; 8] {
        Self::NODES.map(|[a, b, c]| {
            let (p, q, r) = (1.0 + a * x, 1.0 + b * y, 1.0 + c * z);
            [0.125 * a * q * r, 0.125 * b * p * r, 0.125 * c * p * q]
        })
    }
}
