//! Quasi-inelastic shock law: max(0, g̃)/h + U_N ≥ 0 ⟂ R_N ≥ 0.
//!
//! An approaching pair first closes its gap exactly, and is stopped in the next step: a shock takes two steps. No
//! forecast is needed, and a penetration (g̃ < 0, round-off or an inherited state) is kept, not pushed out, so that no
//! energy is pumped in. (Jean 1999, for large collections of rigid bodies.)

use super::ContactKinematics;
use crate::space::Vect;

/// max(0, g̃)/h on the normal component.
pub fn bias<const D: usize>(kinematics: &ContactKinematics<D>) -> Vect<D> {
    let mut bias = Vect::zeros();
    bias[0] = kinematics.gap.max(0.0) / kinematics.h;
    bias
}
