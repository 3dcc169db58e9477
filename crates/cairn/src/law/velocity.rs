//! Newton's restitution in velocity form: when a contact is forecast (g̃ + h U_N,free ≤ 0),
//!
//!   U_N⁺ + e_N U_N⁻ ≥ 0 ⟂ R_N ≥ 0,     Coulomb's law for U_T⁺ + e_T U_T⁻.
//!
//! A contact that is not forecast by the free motion alone may still be closed by the impulses of its neighbours; it
//! then obeys g̃/h + U_N ≥ 0, which leaves R = 0 for an isolated pair, and keeps a stack from sinking into itself.

use super::ContactKinematics;
use crate::space::Vect;

/// Coefficients of restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// e_N, 0 (inelastic) to 1 (elastic).
    pub normal: f64,
    /// e_T, 0 to 1: a ball that sticks leaves with its tangential velocity reversed by this factor.
    pub tangential: f64,
}

impl Restitution {
    /// e U⁻, for an approaching pair; a separating one gets nothing.
    pub fn bias<const D: usize>(&self, kinematics: &ContactKinematics<D>) -> Vect<D> {
        if !kinematics.is_forecast() {
            return super::quasi_inelastic::bias(kinematics);
        }
        let mut bias = kinematics.before * self.tangential;
        bias[0] = self.normal * kinematics.before[0].min(0.0);
        bias
    }
}
