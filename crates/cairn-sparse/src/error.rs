//! What can be wrong with a matrix.

/// Why a pattern, a matrix or a factorization could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An index is outside of the matrix.
    #[error("index {index} is outside of a matrix of size {size}")]
    OutOfRange {
        /// The index.
        index: usize,
        /// Size of the matrix.
        size: usize,
    },
    /// An element names a node twice.
    #[error("element {element} names node {node} twice")]
    Repeated {
        /// Position in the list of elements.
        element: usize,
        /// The node.
        node: usize,
    },
    /// An entry is asked for that the pattern does not have.
    #[error("the pattern has no entry ({row}, {column})")]
    NoEntry {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// An entry is infinite or not a number.
    #[error("the entry ({row}, {column}) is not a finite number")]
    NotFinite {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// The matrix is singular to working precision.
    #[error("the matrix is singular: unknown {index} is not determined (a body that nothing holds?)")]
    Singular {
        /// The unknown that responds most.
        index: usize,
    },
    /// The matrix does not belong to the pattern that was analysed.
    #[error("the matrix has another pattern than the one that was analysed")]
    OtherPattern,
    /// The factor does not fit into memory or into the index type.
    #[error("the factor of a matrix of size {size} does not fit into memory")]
    TooLarge {
        /// Size of the matrix.
        size: usize,
    },
}
