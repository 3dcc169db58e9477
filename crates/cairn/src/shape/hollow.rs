//! Hollow disk and hollow cylinder.

use crate::space::Vect;

/// The outside of a circle (2D) or of an endless cylinder about the third body axis (3D).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hollow {
    /// Inner radius [m].
    pub radius: f64,
}

impl Hollow {
    /// What of a point in the hollow's frame lies across its axis: all of it in 2D, (x, y, 0) in 3D.
    pub fn across<const D: usize>(x: &Vect<D>) -> Vect<D> {
        let mut across = *x;
        if D == 3 {
            across[2] = 0.0;
        }
        across
    }
}
