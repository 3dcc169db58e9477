//! Contact laws, one file each.

/// Discrete form of the unilateral condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unilateral {
    /// max(0, g̃)/h + U_N ≥ 0 ⟂ R_N ≥ 0.
    QuasiInelastic,
    /// g̃/h + U_N ≥ 0 ⟂ R_N ≥ 0.
    Gap,
    /// If g̃ + h U_N,free ≤ 0: U_N + e U_N⁻ ≥ 0 ⟂ R_N ≥ 0, tangential restitution alike; else R = 0.
    Velocity {
        /// Newton's restitution, 0 ≤ e ≤ 1.
        restitution: f64,
        /// Tangential restitution, 0 ≤ e ≤ 1.
        tangential_restitution: f64,
    },
    /// If forecast: the law holds for (1−δ)/2 U⁻ + (1+δ)/2 U⁺.
    Moreau {
        /// δ, 0 ≤ δ ≤ 1: 1 is fully inelastic, 0 conserves energy.
        dissipation: f64,
    },
}

/// Friction coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// While the contact sticks.
    pub static_: f64,
    /// While it slips.
    pub dynamic: f64,
}

/// A contact law: unilateral condition and friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Name in the scene file.
    pub name: String,
    /// Unilateral condition.
    pub unilateral: Unilateral,
    /// Coulomb friction.
    pub friction: Friction,
}
