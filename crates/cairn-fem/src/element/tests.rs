//! The suite that every element passes.

use super::*;

/// Points inside every reference cell of its dimension.
const PLACES: [[f64; 3]; 3] = [[0.2, 0.3, 0.1], [0.15, 0.05, 0.4], [0.6, 0.11, 0.23]];

fn suite<E: Element<R, N>, const R: usize, const N: usize>(name: &str) {
    for (a, node) in E::NODES.iter().enumerate() {
        for (b, value) in E::shape(*node).iter().enumerate() {
            let expected = if a == b { 1.0 } else { 0.0 };
            assert!((value - expected).abs() < 1e-15, "{name}: function {b} at node {a} is {value}");
        }
    }
    for place in PLACES {
        let point: [f64; R] = std::array::from_fn(|i| place[i]);
        let shape = E::shape(point);
        assert!((shape.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{name}: no partition of unity");
        // Linear completeness: the position is reproduced.
        for (i, expected) in point.iter().enumerate() {
            let x: f64 = (0..N).map(|a| shape[a] * E::NODES[a][i]).sum();
            assert!((x - expected).abs() < 1e-15, "{name}: coordinate {i} comes out as {x}");
        }
        let gradient = E::gradient(point);
        for i in 0..R {
            let step = 1e-5;
            let moved = |s: f64| E::shape(std::array::from_fn(|j| if i == j { point[j] + s } else { point[j] }));
            let (ahead, behind) = (moved(step), moved(-step));
            for (a, slope) in gradient.iter().enumerate() {
                let difference = (ahead[a] - behind[a]) / (2.0 * step);
                // Central differences of cubic functions: error step² times the third derivative, and round-off.
                assert!((slope[i] - difference).abs() < 1e-9, "{name}: gradient of {a} along {i}");
            }
        }
    }
}

#[test]
fn every_element_interpolates_and_its_gradients_match_differences() {
    suite::<Bar2, 1, 2>("bar2");
    suite::<Line3, 1, 3>("line3");
    suite::<T3, 2, 3>("t3");
    suite::<T6, 2, 6>("t6");
    suite::<Q4, 2, 4>("q4");
    suite::<Q8, 2, 8>("q8");
    suite::<Tet4, 3, 4>("tet4");
    suite::<Tet10, 3, 10>("tet10");
    suite::<H8, 3, 8>("h8");
    suite::<H20, 3, 20>("h20");
}
