//! General square matrices, by columns: for Newton's method on equations that have no potential.

use std::sync::Arc;

use crate::{Error, Symmetric};

/// The pattern of a general square matrix, shared by all matrices that have it.
#[derive(Debug, PartialEq, Eq)]
pub struct GeneralPattern {
    columns: Vec<u32>,
    rows: Vec<u32>,
}

impl GeneralPattern {
    /// The pattern with the entries (row, column); repetitions count once.
    pub fn from_pairs(size: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Result<Arc<GeneralPattern>, Error> {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); size];
        let mut entries = 0usize;
        for (row, column) in pairs {
            let index = row.max(column) as usize;
            if index >= size {
                return Err(Error::OutOfRange { index, size });
            }
            lists[column as usize].push(row);
        }
        let mut columns = vec![0u32];
        let mut rows = Vec::new();
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            entries += list.len();
            if entries > i32::MAX as usize {
                return Err(Error::TooLarge { size });
            }
            rows.extend(list);
            columns.push(rows.len() as u32);
        }
        Ok(Arc::new(GeneralPattern { columns, rows }))
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.columns.len() - 1
    }

    /// Stored entries.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Where the rows of each column start, and the end.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Rows of the stored entries, column by column, increasing in each.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Place of an entry in the values.
    pub fn position(&self, row: usize, column: usize) -> Option<usize> {
        if column >= self.size() {
            return None;
        }
        let range = self.columns[column] as usize..self.columns[column + 1] as usize;
        self.rows[range.clone()].binary_search(&(row as u32)).ok().map(|k| range.start + k)
    }
}

/// A general square matrix.
#[derive(Clone, Debug)]
pub struct General {
    pattern: Arc<GeneralPattern>,
    /// Values of the stored entries, in the order of the pattern.
    pub values: Vec<f64>,
}

impl General {
    /// A matrix of zeros.
    pub fn zero(pattern: &Arc<GeneralPattern>) -> General {
        General { pattern: pattern.clone(), values: vec![0.0; pattern.entries()] }
    }

    /// A matrix from triplets (row, column, value); repeated ones add up in their order.
    pub fn from_triplets(size: usize, triplets: &[(u32, u32, f64)]) -> Result<General, Error> {
        let pattern = GeneralPattern::from_pairs(size, triplets.iter().map(|&(r, c, _)| (r, c)))?;
        let mut matrix = General::zero(&pattern);
        for &(row, column, value) in triplets {
            matrix.add(row as usize, column as usize, value)?;
        }
        Ok(matrix)
    }

    /// Both triangles of a symmetric matrix.
    pub fn from_symmetric(matrix: &Symmetric) -> Result<General, Error> {
        let pattern = matrix.pattern();
        let mut triplets = Vec::with_capacity(2 * pattern.entries());
        matrix.visit(|row, column, value| triplets.push((row as u32, column as u32, value)));
        General::from_triplets(pattern.size(), &triplets)
    }

    /// A + S of a symmetric A and a skew S, of which `skew` has the lower triangle, in the pattern of both triangles of A.
    pub fn with_skew(pattern: &Arc<GeneralPattern>, matrix: &Symmetric, skew: &Symmetric) -> Result<General, Error> {
        let mut full = General::zero(pattern);
        let lower = matrix.pattern();
        for column in 0..lower.size() {
            for place in lower.columns()[column] as usize..lower.columns()[column + 1] as usize {
                let (row, even, odd) = (lower.rows()[place] as usize, matrix.values[place], skew.values[place]);
                full.add(row, column, even + odd)?;
                if row != column {
                    full.add(column, row, even - odd)?;
                }
            }
        }
        Ok(full)
    }

    /// The pattern that it shares.
    pub fn pattern(&self) -> &Arc<GeneralPattern> {
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

    /// Adds to one entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) -> Result<(), Error> {
        let place = self.pattern.position(row, column).ok_or(Error::NoEntry { row, column })?;
        self.values[place] += value;
        Ok(())
    }

    /// One entry, zero where the pattern has none.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.pattern.position(row, column).map_or(0.0, |place| self.values[place])
    }

    /// y = A x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        assert!(x.len() == self.size() && y.len() == self.size(), "vector of the wrong length");
        y.fill(0.0);
        self.visit(|row, column, value| y[row] += value * x[column]);
    }

    /// Calls a function for each stored entry (row, column, value), column by column.
    pub fn visit(&self, mut each: impl FnMut(usize, usize, f64)) {
        for column in 0..self.size() {
            for place in self.pattern.columns[column] as usize..self.pattern.columns[column + 1] as usize {
                each(self.pattern.rows[place] as usize, column, self.values[place]);
            }
        }
    }

    /// An error that names the first entry that is not finite.
    pub(crate) fn check_finite(&self) -> Result<(), Error> {
        let Some(place) = self.values.iter().position(|v| !v.is_finite()) else { return Ok(()) };
        let column = self.pattern.columns.partition_point(|&start| start as usize <= place) - 1;
        Err(Error::NotFinite { row: self.pattern.rows[place] as usize, column })
    }
}
