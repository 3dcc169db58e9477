//! How much a bond stands: a stress on its share of the contact area, or a force whatever its area.

/// Strength of a bond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Per area [Pa].
    Stress(f64),
    /// Per contact [N].
    Force(f64),
}

impl Strength {
    /// The force that a contact with this area stands [N].
    pub fn force(&self, area: f64) -> f64 {
        match self {
            Strength::Stress(stress) => stress * area,
            Strength::Force(force) => *force,
        }
    }
}

impl std::fmt::Display for Strength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Strength::Stress(stress) => write!(f, "{stress} Pa"),
            Strength::Force(force) if force.is_infinite() => write!(f, "any"),
            Strength::Force(force) => write!(f, "{force} N"),
        }
    }
}

/// Load over strength; no strength stands no load.
pub(super) fn utilization(load: f64, strength: f64) -> f64 {
    if load <= 0.0 { 0.0 } else { load / strength }
}
