//! Two nodes on a line: a bar, or the side of a linear plane cell.
//!
//! N = (1 − ξ)/2, (1 + ξ)/2.

use super::Element;

/// Two-node line.
pub struct Bar2;

impl Element<1, 2> for Bar2 {
    const NODES: [[f64; 1]; 2] = [[-1.0], [1.0]];

    fn shape([x]: [f64; 1]) -> [f64; 2] {
        [0.5 * (1.0 - x), 0.5 * (1.0 + x)]
    }

    fn gradient(_: [f64; 1]) -> [[f64; 1]; 2] {
        [[-0.5], [0.5]]
    }
}
