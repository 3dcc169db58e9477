//! Quadratic triangle. With the barycentric coordinates l: N = l_a (2 l_a − 1) at corners, 4 l_a l_b at mid-sides.

use super::Element;

/// Six-node triangle: corners, then the middles of sides 01, 12, 20.
pub struct T6;

/// Corners at the ends of each side.
const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
/// Gradients of the barycentric coordinates.
const SLOPE: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];

impl Element<2, 6> for T6 {
    const NODES: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];

    fn shape([x, y]: [f64; 2]) -> [f64; 6] {
        let l = [1.0 - x - y, x, y];
        std::array::from_fn(|a| match a {
            0..3 => l[a] * (2.0 * l[a] - 1.0),
            _ => 4.0 * l[SIDES[a - 3][0]] * l[SIDES[a - 3][1]],
        })
    }

    fn gradient([x, y]: [f64; 2]) -> [[f64; 2]; 6] {
        let l = [1.0 - x - y, x, y];
        std::array::from_fn(|a| match a {
            0..3 => SLOPE[a].map(|s| (4.0 * l[a] - 1.0) * s),
            _ => {
                let [b, c] = SIDES[a - 3];
                std::array::from_fn(|i| 4.0 * (l[b] * SLOPE[c][i] + l[c] * SLOPE[b][i]))
            }
        })
    }
}
