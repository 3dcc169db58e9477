//! Coulomb friction: ‖R_T‖ ≤ μ R_N, with R_T opposite to the sliding velocity when there is one.
//!
//! μ is the static coefficient until the contact slips, and the dynamic one until it sticks again; the jump is taken
//! from one step to the next.

use crate::contact::Status;

/// Friction coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// While the contact does not slip.
    pub at_rest: f64,
    /// While it slips.
    pub sliding: f64,
}

impl Friction {
    /// The same coefficient at rest and sliding.
    pub fn constant(mu: f64) -> Self {
        Self { at_rest: mu, sliding: mu }
    }

    /// μ for a contact that did `status` in the previous step.
    pub fn coefficient(&self, status: Status) -> f64 {
        if status == Status::Slip { self.sliding } else { self.at_rest }
    }
}
