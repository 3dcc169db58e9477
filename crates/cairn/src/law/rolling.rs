//! Rolling resistance: a contact presses on a patch, not in a point, and its reaction acts up to ℓ_T ahead of where it
//! would:
//!
//!   ‖M_T‖ ≤ ℓ_T R_N,   Ω_T ≠ 0 ⇒ M_T = −ℓ_T R_N Ω_T/‖Ω_T‖
//!
//! M_T being the moment about axes in the tangent plane and Ω_T the relative angular velocity about them. In space the
//! moment about the normal resists twisting in the same way, with an arm ℓ_N of its own. A ball of radius r stays at
//! rest on a slope α iff tan α ≤ ℓ_T/r. The law as it stands goes to the solver ([`cairn_solvers::rolling`]); what it
//! dissipates has a place of its own in the account.

/// Arms of rolling resistance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rolling {
    /// ℓ_T, of rolling [m].
    pub rolling: f64,
    /// ℓ_N, of twisting about the normal [m].
    pub twisting: f64,
}

impl Rolling {
    /// Does it resist at all?
    pub fn resists(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }
}
