//! Cells that grains are laid out in, one grain to a cell: those of a lattice as wide as the largest grain, filled row by row
//! and layer by layer from below. Where the lattice has too few of them, cells are divided for small grains: into halves along
//! every axis, again and again, as long as the grain fits.
//!
//! ```text
//!   ┌───────┬───┬─┬─┐
//!   │       │ o ├─┼·┤     A grain takes the next free cell of its own size; if there is none, the next one
//!   │   O   ├───┼─┴─┤     twice as wide is divided. Grains of all sizes come mixed, as they were drawn.
//!   │       │ o │   │
//!   └───────┴───┴───┘
//! ```

/// Halvings after which all smaller grains share a size.
const FINEST: usize = 20;

/// Where a grain goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Position in the lattice, counted in cells of its own size.
    pub index: [usize; 3],
    /// How often a cell of the lattice was halved for it.
    pub halvings: usize,
}

/// The cells that are left.
pub struct Cells {
    dimension: usize,
    /// Cells of the lattice along each axis.
    counts: [usize; 3],
    /// Cells of the lattice that were given away.
    used: usize,
    /// Free parts of them, by halvings; the last goes first.
    free: Vec<Vec<Cell>>,
    is_divided: bool,
}

impl Cells {
    /// A lattice with these counts along the axes, for `grains` of them.
    pub fn new(counts: [usize; 3], dimension: usize, grains: usize) -> Self {
        let total: f64 = counts.iter().map(|n| *n as f64).product();
        let is_divided = total < grains as f64;
        Self { dimension, counts, used: 0, free: vec![Vec::new(); FINEST + 1], is_divided }
    }

    /// A cell for a grain that is `part` ≤ 1 times as wide as the largest; none if all are taken.
    pub fn take(&mut self, part: f64) -> Option<Cell> {
        let halvings =
            if self.is_divided { (-part.log2() + 1e-9).floor().clamp(0.0, FINEST as f64) as usize } else { 0 };
        self.take_at(halvings)
    }

    fn take_at(&mut self, halvings: usize) -> Option<Cell> {
        if let Some(cell) = self.free[halvings].pop() {
            return Some(cell);
        }
        let Some(coarser) = halvings.checked_sub(1) else {
            let (i, [nx, ny, nz]) = (self.used, self.counts);
            if nx == 0 || ny == 0 || i / (nx * ny) >= nz {
                return None;
            }
            self.used += 1;
            return Some(Cell { index: [i % nx, i / nx % ny, i / (nx * ny)], halvings });
        };
        let whole = self.take_at(coarser)?;
        // The last axis is upwards: the lowest part is the first.
        let part = |k: usize| {
            let index =
                std::array::from_fn(
                    |axis| if axis < self.dimension { 2 * whole.index[axis] + (k >> axis & 1) } else { 0 },
                );
            Cell { index, halvings }
        };
        let parts: Vec<Cell> = (1..1 << self.dimension).rev().map(part).collect();
        self.free[halvings].extend(parts);
        Some(part(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_that_suffices_is_not_divided() {
        let mut cells = Cells::new([2, 2, 1], 2, 4);
        let taken: Vec<_> = [1.0, 0.1, 0.01, 0.5].iter().map(|p| cells.take(*p).unwrap()).collect();
        assert!(taken.iter().all(|c| c.halvings == 0));
        assert_eq!(taken[3].index, [1, 1, 0]);
        assert_eq!(cells.take(1.0), None);
        assert_eq!(Cells::new([0, 5, 1], 2, 4).take(1.0), None);
    }

    #[test]
    fn small_grains_share_a_cell_and_never_meet() {
        for dimension in [2i32, 3] {
            let mut cells = Cells::new([3, 3, if dimension == 2 { 1 } else { 3 }], dimension as usize, 1_000_000);
            let mut boxes: Vec<([f64; 3], f64)> = Vec::new();
            for k in 0.. {
                let Some(cell) = cells.take([1.0, 0.5, 0.26, 0.125, 0.05][k * k % 5]) else { break };
                let width = 0.5f64.powi(cell.halvings as i32);
                boxes.push((cell.index.map(|i| i as f64 * width), width));
            }
            let volume: f64 = boxes.iter().map(|(_, w)| w.powi(dimension)).sum();
            assert!(boxes.len() > 20 && volume <= 3f64.powi(dimension), "{} cells of {volume}", boxes.len());
            let apart = |(a, v): &([f64; 3], f64), (b, w): &([f64; 3], f64)| {
                (0..dimension as usize).any(|k| a[k] + v <= b[k] || b[k] + w <= a[k])
            };
            for (i, a) in boxes.iter().enumerate() {
                assert!(boxes[..i].iter().all(|b| apart(a, b)), "{dimension}D, cell {i}");
            }
        }
    }
}
