//! Serendipity hexahedron.
//!
//! With x = ξ ξ_a, y = η η_a, z = ζ ζ_a: corners (1 + x)(1 + y)(1 + z)(x + y + z − 2)/8; the middle of an edge along ξ
//! (1 − ξ²)(1 + y)(1 + z)/4, and likewise for the others.

use super::Element;

/// Twenty-node hexahedron: corners, then the middles of edges 01, 03, 04, 12, 15, 23, 26, 37, 45, 47, 56, 67.
pub struct H20;

/// The factors of a node's function and their slopes. At a mid-edge one factor is 1 − x², elsewhere all are 1 + x.
fn factors(node: [f64; 3], point: [f64; 3]) -> [(f64, f64); 3] {
    std::array::from_fn(|i| {
        let (a, x) = (node[i], point[i]);
        if a == 0.0 { (1.0 - x * x, -2.0 * x) } else { (1.0 + a * x, a) }
    })
}

/// What multiplies the product of the factors.
fn last(node: [f64; 3], point: [f64; 3]) -> f64 {
    let is_corner = node.iter().all(|&a| a != 0.0);
    if is_corner { 0.125 * (node.iter().zip(point).map(|(a, x)| a * x).sum::<f64>() - 2.0) } else { 0.25 }
}

impl Element<3, 20> for H20 {
    const NODES: [[f64; 3]; 20] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [0.0, -1.0, -1.0],
        [-1.0, 0.0, -1.0],
        [-1.0, -1.0, 0.0],
        [1.0, 0.0, -1.0],
        [1.0, -1.0, 0.0],
        [0.0, 1.0, -1.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
        [0.0, -1.0, 1.0],
        [-1.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
    ];

    fn shape(point: [f64; 3]) -> [f64; 20] {
        Self::NODES.map(|node| factors(node, point).iter().map(|f| f.0).product::<f64>() * last(node, point))
    }

    fn gradient(point: [f64; 3]) -> [[f64; 3]; 20] {
        Self::NODES.map(|node| {
            let (f, last) = (factors(node, point), last(node, point));
            let is_corner = node.iter().all(|&a| a != 0.0);
            std::array::from_fn(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let slope_of_last = if is_corner { 0.125 * node[i] } else { 0.0 };
                (f[i].1 * last + f[i].0 * slope_of_last) * f[j].0 * f[k].0
            })
        })
    }
}
