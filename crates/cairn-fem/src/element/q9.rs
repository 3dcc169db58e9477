//! Biquadratic quadrangle, of Lagrange's kind.
//!
//! N_a(ξ, η) = l(ξ, ξ_a) l(η, η_a) with l(x, 0) = 1 − x² and l(x, ±1) = x (x ± 1)/2.

use super::Element;

/// Nine-node quadrangle: corners, then the middles of sides 01, 12, 23, 30, then the centre.
pub struct Q9;

/// l(x, a) and its derivative.
fn along(x: f64, a: f64) -> [f64; 2] {
    if a == 0.0 { [1.0 - x * x, -2.0 * x] } else { [0.5 * x * (x + a), x + 0.5 * a] }
}

impl Element<2, 9> for Q9 {
    const NODES: [[f64; 2]; 9] = [
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [0.0, -1.0],
        [1.0, 0.0],
        [0.0, 1.0],
        [-1.0, 0.0],
        [0.0, 0.0],
    ];

    fn shape([x, y]: [f64; 2]) -> [f64; 9] {
        Self::NODES.map(|[a, b]| along(x, a)[0] * along(y, b)[0])
    }

    fn gradient([x, y]: [f64; 2]) -> [[f64; 2]; 9] {
        Self::NODES.map(|[a, b]| {
            let ([u, du], [v, dv]) = (along(x, a), along(y, b));
            [du * v, u * dv]
        })
    }
}
