//! Hollow disk and hollow cylinder.
/// The outside of a circle (2D) or of an endless cylinder about the third body axis (3D).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hollow {
    /// Inner radius [m].
    pub radius: f64,
}
