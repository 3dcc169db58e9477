//! Boxes along the axes that hold things.

use nalgebra::Vector3;

/// A box along the axes; empty until something is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower corner.
    pub low: Vector3<f64>,
    /// Upper corner.
    pub high: Vector3<f64>,
}

impl Bounds {
    /// Nothing.
    pub const EMPTY: Self =
        Self { low: Vector3::new(f64::MAX, f64::MAX, f64::MAX), high: Vector3::new(f64::MIN, f64::MIN, f64::MIN) };

    /// Holds nothing?
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.low[k] > self.high[k])
    }

    /// Also holds a ball.
    pub fn add(&mut self, centre: &Vector3<f64>, radius: f64) {
        self.low = self.low.inf(&centre.add_scalar(-radius));
        self.high = self.high.sup(&centre.add_scalar(radius));
    }

    /// Also holds another box.
    pub fn merge(&mut self, other: &Self) {
        self.low = self.low.inf(&other.low);
        self.high = self.high.sup(&other.high);
    }

    /// What two boxes share.
    pub fn shared(&self, other: &Self) -> Self {
        Self { low: self.low.sup(&other.low), high: self.high.inf(&other.high) }
    }

    /// Larger by the same length on every side.
    pub fn padded(&self, by: f64) -> Self {
        Self { low: self.low.add_scalar(-by), high: self.high.add_scalar(by) }
    }

    /// Lengths of the sides.
    pub fn size(&self) -> Vector3<f64> {
        self.high - self.low
    }

    /// Middle.
    pub fn centre(&self) -> Vector3<f64> {
        self.low + 0.5 * self.size()
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vector3<f64>; 8] {
        std::array::from_fn(|c| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { self.high[k] } else { self.low[k] }))
    }
}
