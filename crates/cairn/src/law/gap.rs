//! Signorini's condition on the predicted gap: g̃/h + U_N ≥ 0 ⟂ R_N ≥ 0, the gap at the end of the step being
//! g̃(i+1) = g̃(i) + h U_N(i+1).
//!
//! Self-correcting: a penetration is pushed out in the next step, at a velocity |g̃|/h that stays in the motion. The
//! right form where a deformable body takes part; in big rigid collections it pumps energy in.

use super::ContactKinematics;
use crate::space::Vect;

/// g̃/h on the normal component.
pub fn bias<const D: usize>(kinematics: &ContactKinematics<D>) -> Vect<D> {
    let mut bias = Vect::zeros();
    bias[0] = kinematics.gap / kinematics.h;
    bias
}
