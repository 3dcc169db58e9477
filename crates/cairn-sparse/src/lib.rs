//! Sparse matrices and their factorization: one small interface in front of the linear algebra library.
//!
//! Symmetric matrices keep their lower triangle by columns, with the pattern shared between matrices that differ in
//! values only, so that ordering and symbolic factorization are done once:
//!
//! ```
//! use cairn_sparse::{Analysis, Cliques, Factor, Ordering, Pattern, Scatter, Symmetric};
//!
//! // Two springs in a row, held at the left end: nodes 0, 1, 2.
//! let elements = Cliques::from_lists([[0, 1], [1, 2]]);
//! let pattern = Pattern::of_nodes(3, 1, &elements)?;
//! let scatter = Scatter::new(&pattern, &elements)?;
//! let mut stiffness = Symmetric::zero(&pattern);
//! for e in 0..elements.len() {
//!     stiffness.add(&scatter, &elements, e, &[1.0, -1.0, -1.0, 1.0]);
//! }
//! stiffness.fix(&[true, false, false]);
//! let analysis = Analysis::new(&pattern, Ordering::Automatic)?;
//! let factor = Factor::new(&analysis, &stiffness)?;
//! let mut x = [0.0, 0.0, 3.0];
//! factor.solve(&mut x);
//! assert!((x[1] - 3.0).abs() < 1e-14 && (x[2] - 6.0).abs() < 1e-14);
//! # Ok::<(), cairn_sparse::Error>(())
//! ```
//!
//! Everything runs on the calling thread: results do not depend on the number of threads, and callers that have many
//! bodies share the threads between them.

mod cliques;
mod cover;
mod dissection;
mod error;
mod factor;
mod general;
mod lu;
mod pattern;
mod probe;
mod scatter;
mod symmetric;
#[cfg(test)]
mod testing;
mod wide;

pub use cliques::Cliques;
pub use dissection::nested_dissection;
pub use error::Error;
pub use factor::{Analysis, Factor, Method, Ordering};
pub use general::{General, GeneralPattern};
pub use lu::{LuAnalysis, LuFactor};
pub use pattern::Pattern;
pub use scatter::Scatter;
pub use symmetric::Symmetric;
pub use wide::wide;
