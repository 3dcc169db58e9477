//! Symmetric matrices: values on a shared pattern.
//!
//! **Supports.** Unknowns that are prescribed stay in the matrix: their rows and columns become those of the identity
//! ([`Symmetric::fix`]). So matrices that differ in their supports share pattern, ordering and symbolic factorization,
//! and numbers of unknowns never shift. The solution of a fixed unknown is its right-hand side: put the prescribed value
//! x̄ there, and subtract A x̄ (taken before fixing) from the other rows.

use std::sync::Arc;

use crate::{Cliques, Error, Pattern, Scatter, wide};

/// A symmetric matrix; only the lower triangle is stored.
#[derive(Clone, Debug)]
pub struct Symmetric {
    pattern: Arc<Pattern>,
    /// Values of the stored entries, in the order of the pattern.
    pub values: Vec<f64>,
}

impl Symmetric {
    /// A matrix of zeros.
    pub fn zero(pattern: &Arc<Pattern>) -> Symmetric {
        Symmetric { pattern: pattern.clone(), values: vec![0.0; pattern.entries()] }
    }

    /// The pattern that it shares.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a full symmetric element matrix, stored by columns, its unknowns numbered as those of the whole: `B·(local
    /// node) + component`. Of each symmetric pair of entries one is read.
    ///
    /// `elements` are those that the scatter was made of.
    pub fn add(&mut self, scatter: &Scatter, elements: &Cliques, element: usize, matrix: &[f64]) {
        debug_assert!(Arc::ptr_eq(&scatter.pattern, &self.pattern), "scatter of another pattern");
        let nodes = elements.get(element);
        let block = self.pattern.block();
        let size = nodes.len() * block;
        assert_eq!(matrix.len(), size * size, "element matrix of the wrong size");
        let ranks = scatter.ranks(element, nodes.len());
        let mut pair = 0;
        for (p, &node) in nodes.iter().enumerate() {
            for j in 0..block {
                let from = (p * block + j) * size + p * block + j;
                let place = self.pattern.diagonal(node as usize * block + j);
                add_slices(&mut self.values[place..place + block - j], &matrix[from..from + block - j]);
            }
            for (q, &other) in nodes[..p].iter().enumerate() {
                let (high, low, column) = if node > other { (p, q, other) } else { (q, p, node) };
                for j in 0..block {
                    let from = (low * block + j) * size + high * block;
                    let place = self.pattern.place(column, j, ranks[pair]);
                    add_slices(&mut self.values[place..place + block], &matrix[from..from + block]);
                }
                pair += 1;
            }
        }
    }

    /// Adds to one entry, given in either triangle.
    pub fn add_entry(&mut self, row: usize, column: usize, value: f64) -> Result<(), Error> {
        let place = self.pattern.position(row, column).ok_or(Error::NoEntry { row, column })?;
        self.values[place] += value;
        Ok(())
    }

    /// One entry, zero where the pattern has none.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.pattern.position(row, column).map_or(0.0, |place| self.values[place])
    }

    /// Adds a multiple of another matrix of the same pattern.
    pub fn add_scaled(&mut self, factor: f64, other: &Symmetric) -> Result<(), Error> {
        if !Arc::ptr_eq(&self.pattern, &other.pattern) && self.pattern != other.pattern {
            return Err(Error::OtherPattern);
        }
        self.values.iter_mut().zip(&other.values).for_each(|(v, o)| *v += factor * o);
        Ok(())
    }

    /// Adds a multiple of a diagonal.
    pub fn add_diagonal(&mut self, factor: f64, diagonal: &[f64]) {
        for (j, d) in diagonal.iter().enumerate() {
            self.values[self.pattern.diagonal(j)] += factor * d;
        }
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.size()).map(|j| self.values[self.pattern.diagonal(j)]).collect()
    }

    /// y = A x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        self.multiply_add(1.0, x, y);
    }

    /// y += factor · A x.
    pub fn multiply_add(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        assert!(x.len() == self.size() && y.len() == self.size(), "vector of the wrong length");
        wide(
            #[inline(always)]
            || match self.pattern.block() {
                2 => self.multiply_blocks::<2>(factor, x, y),
                3 => self.multiply_blocks::<3>(factor, x, y),
                _ => self.multiply_entries(factor, x, y),
            },
        );
    }

    /// Entry by entry.
    #[inline(always)]
    fn multiply_entries(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        let (columns, rows) = (self.pattern.columns(), self.pattern.rows());
        for (j, &xj) in x.iter().enumerate() {
            let start = columns[j] as usize;
            let end = columns[j + 1] as usize;
            let scaled = factor * xj;
            // The diagonal comes first; each entry below stands for two.
            let mut sum = self.values[start] * xj;
            for (&row, &value) in rows[start + 1..end].iter().zip(&self.values[start + 1..end]) {
                y[row as usize] += value * scaled;
                sum += value * x[row as usize];
            }
            y[j] += factor * sum;
        }
    }

    /// The same by the B columns of a node at once: what is below their common block stands in the same rows, B of them to a node.
    #[inline(always)]
    fn multiply_blocks<const B: usize>(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        let (columns, rows) = (self.pattern.columns(), self.pattern.rows());
        for first in (0..x.len()).step_by(B) {
            let own: [f64; B] = std::array::from_fn(|j| x[first + j]);
            let scaled = own.map(|x| factor * x);
            let mut sums = [0.0; B];
            for j in 0..B {
                let diagonal = columns[first + j] as usize;
                sums[j] += self.values[diagonal] * own[j];
                for i in j + 1..B {
                    let value = self.values[diagonal + i - j];
                    sums[i] += value * own[j];
                    sums[j] += value * own[i];
                }
            }
            let start = |j: usize| columns[first + j] as usize + B - j;
            let (below, end) = (start(B - 1), columns[first + B] as usize);
            let values: [&[f64]; B] = std::array::from_fn(|j| &self.values[start(j)..start(j) + end - below]);
            for (k, node) in rows[below..end].chunks_exact(B).enumerate() {
                let row = node[0] as usize;
                let (y, x) = (&mut y[row..row + B], &x[row..row + B]);
                for j in 0..B {
                    let column = &values[j][B * k..B * (k + 1)];
                    for i in 0..B {
                        y[i] += column[i] * scaled[j];
                        sums[j] += column[i] * x[i];
                    }
                }
            }
            (0..B).for_each(|j| y[first + j] += factor * sums[j]);
        }
    }

    /// Calls a function for each entry (row, column, value) of both triangles.
    pub fn visit(&self, mut each: impl FnMut(usize, usize, f64)) {
        for column in 0..self.size() {
            for place in self.pattern.columns()[column] as usize..self.pattern.columns()[column + 1] as usize {
                let (row, value) = (self.pattern.rows()[place] as usize, self.values[place]);
                each(row, column, value);
                if row != column {
                    each(column, row, value);
                }
            }
        }
    }

    /// Makes the rows and columns of fixed unknowns those of the identity.
    pub fn fix(&mut self, fixed: &[bool]) {
        self.blank(fixed);
        let pattern = self.pattern.clone();
        fixed.iter().enumerate().filter(|(_, is_fixed)| **is_fixed).for_each(|(j, _)| {
            self.values[pattern.diagonal(j)] = 1.0;
        });
    }

    /// Makes the rows and columns of these unknowns zero.
    pub fn blank(&mut self, unknowns: &[bool]) {
        assert_eq!(unknowns.len(), self.size(), "one mark for each unknown");
        let pattern = self.pattern.clone();
        for (j, &is_blank) in unknowns.iter().enumerate() {
            let range = pattern.columns()[j] as usize..pattern.columns()[j + 1] as usize;
            if is_blank {
                self.values[range].fill(0.0);
            } else {
                for place in range {
                    if unknowns[pattern.rows()[place] as usize] {
                        self.values[place] = 0.0;
                    }
                }
            }
        }
    }

    /// An error that names the first entry that is not finite.
    pub(crate) fn check_finite(&self) -> Result<(), Error> {
        let Some(place) = self.values.iter().position(|v| !v.is_finite()) else { return Ok(()) };
        let column = self.pattern.columns().partition_point(|&start| start as usize <= place) - 1;
        Err(Error::NotFinite { row: self.pattern.rows()[place] as usize, column })
    }
}

fn add_slices(to: &mut [f64], from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t += f);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, dense_of};

    /// Elements with shuffled node numbers against a dense sum of the same element matrices.
    #[test]
    fn assembly_and_product_agree_with_dense_ones() {
        let mut random = Random(7);
        for block in 1..=3 {
            let elements = Cliques::from_lists([vec![4, 0, 2], vec![1, 3], vec![5, 2, 1, 0], vec![3]]);
            let pattern = Pattern::of_nodes(6, block, &elements).unwrap();
            let scatter = Scatter::new(&pattern, &elements).unwrap();
            let mut matrix = Symmetric::zero(&pattern);
            let n = 6 * block;
            let mut dense = vec![0.0; n * n];
            for e in 0..elements.len() {
                let nodes = elements.get(e);
                let size = nodes.len() * block;
                let mut local = vec![0.0; size * size];
                for j in 0..size {
                    for i in j..size {
                        local[j * size + i] = random.next();
                        local[i * size + j] = local[j * size + i];
                    }
                }
                let global = |k: usize| nodes[k / block] as usize * block + k % block;
                for j in 0..size {
                    for i in 0..size {
                        dense[global(j) * n + global(i)] += local[j * size + i];
                    }
                }
                matrix.add(&scatter, &elements, e, &local);
            }
            assert_eq!(dense_of(&matrix), dense);
            let x: Vec<f64> = (0..n).map(|_| random.next()).collect();
            let mut y = vec![0.0; n];
            matrix.multiply(&x, &mut y);
            for i in 0..n {
                let expected: f64 = (0..n).map(|j| dense[j * n + i] * x[j]).sum();
                assert!((y[i] - expected).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn fixed_unknowns_have_rows_and_columns_of_the_identity() {
        let pattern = Pattern::from_pairs(3, [(1, 0), (2, 1), (2, 0)]).unwrap();
        let mut matrix = Symmetric::zero(&pattern);
        matrix.values = vec![4.0, 1.0, 2.0, 5.0, 3.0, 6.0];
        matrix.fix(&[false, true, false]);
        assert_eq!(dense_of(&matrix), [4.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0, 0.0, 6.0]);
        assert_eq!(matrix.diagonal(), [4.0, 1.0, 6.0]);
    }

    #[test]
    fn an_entry_outside_of_the_pattern_and_a_bad_value_are_named() {
        let pattern = Pattern::from_pairs(3, [(1, 0)]).unwrap();
        let mut matrix = Symmetric::zero(&pattern);
        assert_eq!(matrix.add_entry(0, 2, 1.0), Err(Error::NoEntry { row: 0, column: 2 }));
        matrix.add_entry(0, 1, f64::NAN).unwrap();
        assert_eq!(matrix.check_finite(), Err(Error::NotFinite { row: 1, column: 0 }));
        let twice = Cliques::from_lists([[1, 1]]);
        assert_eq!(Scatter::new(&pattern, &twice).unwrap_err(), Error::Repeated { element: 0, node: 1 });
        let far = Cliques::from_lists([[1, 2]]);
        assert_eq!(Scatter::new(&pattern, &far).unwrap_err(), Error::NoEntry { row: 2, column: 1 });
    }
}
