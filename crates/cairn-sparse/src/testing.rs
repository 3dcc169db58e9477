//! What the tests share: random numbers, dense elimination, matrices of blocks.

use std::sync::Arc;

use crate::{Cliques, Pattern, Scatter, Symmetric};

/// Random numbers in (−1, 1), the same in each run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }
}

/// Solution by dense elimination with pivots; the matrix by columns.
pub fn gauss(matrix: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| matrix[j * n + i]).chain([b[i]]).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let pivot_row = a[k].clone();
            a[i].iter_mut().zip(&pivot_row).skip(k).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (a[i][n] - sum) / a[i][i];
    }
    x
}

/// All entries, by columns.
pub fn dense_of(matrix: &Symmetric) -> Vec<f64> {
    let n = matrix.size();
    let mut dense = vec![0.0; n * n];
    matrix.visit(|row, column, value| dense[column * n + row] = value);
    dense
}

/// A block of hexahedra with unit sides: their nodes, and the positions of the nodes.
pub fn grid(cells: [usize; 3]) -> (Cliques, Vec<f64>) {
    let [nx, ny, nz] = cells.map(|c| c + 1);
    let number = |i: usize, j: usize, k: usize| (i + nx * (j + ny * k)) as u32;
    let mut elements = Cliques::default();
    let mut points = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                points.extend([i as f64, j as f64, k as f64]);
                if i + 1 < nx && j + 1 < ny && k + 1 < nz {
                    let corner = |c: usize| number(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
                    elements.push(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner));
                }
            }
        }
    }
    (elements, points)
}

/// A matrix like a stiffness on a block of hexahedra with three unknowns a node: springs between all nodes of a cell
/// along and across the line between them, and `ground` on the diagonal.
pub fn block_matrix(cells: [usize; 3], ground: f64) -> (Arc<Pattern>, Symmetric, Vec<f64>) {
    let (elements, points) = grid(cells);
    let pattern = Pattern::of_nodes(points.len() / 3, 3, &elements).unwrap();
    let scatter = Scatter::new(&pattern, &elements).unwrap();
    let mut matrix = Symmetric::zero(&pattern);
    let mut local = vec![0.0; 24 * 24];
    for (e, nodes) in elements.iter().enumerate() {
        local.fill(0.0);
        for p in 0..8 {
            for q in 0..p {
                let at = |n: usize, i: usize| points[3 * nodes[n] as usize + i];
                for i in 0..3 {
                    for j in 0..3 {
                        let direction = (at(p, i) - at(q, i)) * (at(p, j) - at(q, j));
                        let k = direction + if i == j { 0.3 } else { 0.0 };
                        local[(3 * p + j) * 24 + 3 * p + i] += k;
                        local[(3 * q + j) * 24 + 3 * q + i] += k;
                        local[(3 * p + j) * 24 + 3 * q + i] -= k;
                        local[(3 * q + j) * 24 + 3 * p + i] -= k;
                    }
                }
            }
        }
        matrix.add(&scatter, &elements, e, &local);
    }
    matrix.add_diagonal(1.0, &vec![ground; pattern.size()]);
    (pattern, matrix, points)
}
