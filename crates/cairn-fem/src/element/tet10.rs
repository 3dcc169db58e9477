//! Quadratic tetrahedron. With the barycentric coordinates l: N = l_a (2 l_a − 1) at corners, 4 l_a l_b at mid-edges.

use super::Element;

/// Ten-node tetrahedron: corners, then the middles of edges 01, 12, 02, 03, 23, 13.
pub struct Tet10;

/// Corners at the ends of each edge.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [2, 3], [1, 3]];
/// Gradients of the barycentric coordinates.
const SLOPE: [[f64; 3]; 4] = [[-1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Element<3, 10> for Tet10 {
    const NODES: [[f64; 3]; 10] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.0, 0.5],
        [0.0, 0.5, 0.5],
        [0.5, 0.0, 0.5],
    ];

    fn shape([x, y, z]: [f64; 3]) -> [f64; 10] {
        let l = [1.0 - x - y - z, x, y, z];
        std::array::from_fn(|a| match a {
            0..4 => l[a] * (2.0 * l[a] - 1.0),
            _ => 4.0 * l[EDGES[a - 4][0]] * l[EDGES[a - 4][1]],
        })
    }

    fn gradient([x, y, z]: [f64; 3]) -> [[f64; 3]; 10] {
        let l = [1.0 - x - y - z, x, y, z];
        std::array::from_fn(|a| match a {
            0..4 => SLOPE[a].map(|s| (4.0 * l[a] - 1.0) * s),
            _ => {
                let [b, c] = EDGES[a - 4];
                std::array::from_fn(|i| 4.0 * (l[b] * SLOPE[c][i] + l[c] * SLOPE[b][i]))
            }
        })
    }
}
