//! Half-plane and half-space.

use crate::space::Vect;

/// All points with `normal · x ≤ 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<const D: usize> {
    /// Outward unit normal.
    pub normal: Vect<D>,
}
