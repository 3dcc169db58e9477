//! A sparse matrix of any shape, stored by columns, with what reading and checking a problem asks of it.
//!
//! Nothing is assumed about symmetry: what a file says is kept as it is.

/// A matrix A of `rows` × `columns`, its entries column by column, rows ascending, none twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csc {
    rows: usize,
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Csc {
    /// From entries (row, column, value) in any order; those of the same place are added up in the order given.
    /// `None` if an entry lies outside.
    pub fn from_triplets(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> Option<Self> {
        if rows > u32::MAX as usize || entries.iter().any(|e| e.0 >= rows || e.1 >= columns) {
            return None;
        }
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|&k| (entries[k].1, entries[k].0));
        let mut a = Self { rows, starts: vec![0; columns + 1], ..Self::default() };
        let mut last = None;
        for (row, column, value) in order.into_iter().map(|k| entries[k]) {
            if last == Some((row, column)) {
                if let Some(sum) = a.values.last_mut() {
                    *sum += value;
                }
                continue;
            }
            last = Some((row, column));
            a.indices.push(row as u32);
            a.values.push(value);
            a.starts[column + 1] += 1;
        }
        for j in 0..columns {
            a.starts[j + 1] += a.starts[j];
        }
        Some(a)
    }

    /// From all values, column by column; zeros are left out. `None` if their number is not rows × columns.
    pub fn from_dense(rows: usize, columns: usize, values: &[f64]) -> Option<Self> {
        if rows.checked_mul(columns)? != values.len() {
            return None;
        }
        let place = |(k, &x): (usize, &f64)| (k % rows, k / rows, x);
        let entries: Vec<_> = values.iter().enumerate().filter(|e| *e.1 != 0.0).map(place).collect();
        Self::from_triplets(rows, columns, &entries)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of entries kept.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// The entries (row, value) of column j.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[j]..self.starts[j + 1];
        self.indices[range.clone()].iter().map(|&i| i as usize).zip(self.values[range].iter().copied())
    }

    /// All entries (row, column, value), column by column.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.columns()).flat_map(|j| self.column(j).map(move |(i, a)| (i, j, a)))
    }

    /// Where each column begins, the rows, the values: the three arrays of the usual storage.
    pub fn arrays(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.starts, &self.indices, &self.values)
    }

    /// y += A x.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for (j, &x) in x.iter().enumerate() {
            self.column(j).for_each(|(i, a)| y[i] += a * x);
        }
    }

    /// y += Aᵀ x.
    pub fn add_transposed_product(&self, x: &[f64], y: &mut [f64]) {
        for (j, y) in y.iter_mut().enumerate() {
            *y += self.column(j).map(|(i, a)| a * x[i]).sum::<f64>();
        }
    }

    /// Aᵀ.
    pub fn transposed(&self) -> Self {
        let entries: Vec<_> = self.triplets().map(|(i, j, a)| (j, i, a)).collect();
        Self::from_triplets(self.columns(), self.rows, &entries).unwrap_or_default()
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> f64 {
        self.triplets().filter(|e| e.0 == e.1).map(|e| e.2).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_the_same_place_are_added_up_and_products_are_those_of_the_dense_matrix() {
        let a = Csc::from_triplets(2, 3, &[(1, 2, 4.0), (0, 0, 1.0), (1, 2, -1.0), (1, 0, 2.0)]).unwrap();
        assert_eq!(a.entries(), 3);
        let mut y = [10.0, 0.0];
        a.add_product(&[1.0, 5.0, 2.0], &mut y);
        assert_eq!(y, [11.0, 8.0]);
        let mut x = [0.0; 3];
        a.add_transposed_product(&[1.0, 2.0], &mut x);
        assert_eq!(x, [5.0, 0.0, 6.0]);
        assert_eq!(a, Csc::from_dense(2, 3, &[1.0, 2.0, 0.0, 0.0, 0.0, 3.0]).unwrap());
        assert_eq!(a, a.transposed().transposed());
    }

    #[test]
    fn an_entry_outside_is_refused_and_no_columns_are_fine() {
        assert!(Csc::from_triplets(2, 2, &[(2, 0, 1.0)]).is_none());
        let none = Csc::from_triplets(5, 0, &[]).unwrap();
        assert_eq!((none.rows(), none.columns()), (5, 0));
    }
}
