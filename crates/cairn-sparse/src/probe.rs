//! One solution with a known right-hand side tells whether a factor can be trusted.
//!
//! Rows are scaled by their largest entries, ρ_i = max_j |A_ij|, then columns likewise, γ_j = max_i |A_ij| / ρ_i, so that
//! the units of equations and unknowns do not matter. The probe solves A x = ρ r for signs r = ±1 that follow no pattern.
//! With y_j = γ_j x_j, the solution of the scaled system,
//!
//! ```text
//!   growth = max |y|                                   about the condition number: infinite if A is singular
//!   error  = max_i |(A x)_i / ρ_i − r_i| / (‖A‖ max |y| + 1)      round-off if the factor is stable
//! ```
//!
//! where ‖A‖ is the largest absolute row sum of the scaled matrix.

use crate::Error;

/// A matrix is taken for singular if the scaled response to unit loads is greater: no digit would be left.
const GREATEST_GROWTH: f64 = 1e14;
/// Backward error above which a factor is not stable.
const GREATEST_ERROR: f64 = 1e-10;

/// What a probe found.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    Good,
    /// The factor is not accurate: another method is needed.
    Unstable,
    /// The matrix is singular; this unknown responds most.
    Singular(usize),
}

/// A sign for each index that follows no pattern.
fn sign(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    if (mixed >> 40) & 1 == 0 { 1.0 } else { -1.0 }
}

/// Judges a factor; `visit` calls a function for each entry (row, column, value) of the matrix.
pub(crate) fn probe(
    size: usize,
    visit: impl Fn(&mut dyn FnMut(usize, usize, f64)),
    solve: impl Fn(&mut [f64]),
) -> Verdict {
    let mut of_row = vec![0.0f64; size];
    visit(&mut |row, _, value| of_row[row] = of_row[row].max(value.abs()));
    let mut of_column = vec![0.0f64; size];
    visit(&mut |row, column, value| of_column[column] = of_column[column].max(value.abs() / of_row[row]));
    if let Some(index) = of_row.iter().position(|s| *s == 0.0).or(of_column.iter().position(|s| *s == 0.0)) {
        return Verdict::Singular(index);
    }

    let mut x: Vec<f64> = of_row.iter().enumerate().map(|(i, s)| s * sign(i)).collect();
    solve(&mut x);
    let scaled = |i: usize| (of_column[i] * x[i]).abs();
    if let Some(index) = (0..size).find(|&i| !scaled(i).is_finite()) {
        return Verdict::Singular(index);
    }
    let worst = (0..size).fold(0, |worst, i| if scaled(i) > scaled(worst) { i } else { worst });
    let growth = if size == 0 { 0.0 } else { scaled(worst) };
    if growth > GREATEST_GROWTH {
        return Verdict::Singular(worst);
    }

    let mut product = vec![0.0; size];
    let mut sums = vec![0.0; size];
    visit(&mut |row, column, value| {
        product[row] += value / of_row[row] * x[column];
        sums[row] += value.abs() / (of_row[row] * of_column[column]);
    });
    let norm = sums.into_iter().fold(0.0, f64::max);
    let error = product.iter().enumerate().map(|(i, p)| (p - sign(i)).abs()).fold(0.0, f64::max);
    if error <= GREATEST_ERROR * (norm * growth + 1.0) { Verdict::Good } else { Verdict::Unstable }
}

impl Verdict {
    /// An error unless the factor is good; an inaccurate factor of the last resort means a matrix without digits left.
    pub(crate) fn must_be_good(self) -> Result<(), Error> {
        match self {
            Verdict::Good => Ok(()),
            Verdict::Unstable => Err(Error::Singular { index: 0 }),
            Verdict::Singular(index) => Err(Error::Singular { index }),
        }
    }
}
