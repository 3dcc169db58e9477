//! Sparse matrices and their factorization: one small interface in front of the linear algebra library.
//!
//! Symmetric matrices keep their lower triangle by columns, with the pattern shared between matrices that differ in
//! values only, so that ordering and symbolic factorization are done once.
