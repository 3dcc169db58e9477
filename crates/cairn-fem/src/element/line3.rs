//! Three nodes on a line, the last in the middle: the side of a quadratic plane cell.
//!
//! N = ξ(ξ − 1)/2, ξ(ξ + 1)/2, 1 − ξ².

use super::Element;

/// Three-node line.
pub struct Line3;

impl Element<1, 3> for Line3 {
    const NODES: [[f64; 1]; 3] = [[-1.0], [1.0], [0.0]];

    fn shape([x]: [f64; 1]) -> [f64; 3] {
        [0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x * x]
    }

    fn gradient([x]: [f64; 1]) -> [[f64; 1]; 3] {
        [[x - 0.5], [x + 0.5], [-2.0 * x]]
    }
}
