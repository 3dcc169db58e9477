//! Disk and sphere.
/// Disk or sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Radius [m].
    pub radius: f64,
}
