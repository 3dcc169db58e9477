//! Springs across a contact, over a step: the change of variables of all laws whose bonds give way before they break.
//!
//! The bond pulls with the force −κ [u], κ = (1 − d) k A, k per area and d the damage. The θ-scheme makes of it the impulse
//!
//!   f = −h (ξ κ₁ [u]₁ + (1−ξ) κ₀ [u]₀),   [u]₁ = [u]₀ + h (θ U⁺ + (1−θ) U⁻)
//!
//! which is affine in U⁺: a − B U⁺ with B = h² ξ θ κ₁. R − f obeys Signorini–Coulomb (Acary and Jean's change of variables).
//! With θ = ξ = ½ its work is exactly −(E₁ − E₀) − D, where E = ½ κ [u]² is stored and D = ½ (κ₀ − κ₁) [u]₀ [u]₁ is the
//! triangle between the two secants: what softening along the chord dissipates.

use super::{ContactKinematics, Trial};
use crate::space::Vect;
use cairn_solvers::joint::Joint;
use cairn_solvers::problem::LocalForm;

/// Stiffness k of a bond per area, normal and tangential [Pa/m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// k_N.
    pub normal: f64,
    /// k_T.
    pub tangential: f64,
}

impl Springs {
    fn along(&self, i: usize) -> f64 {
        if i == 0 { self.normal } else { self.tangential }
    }

    /// κ [u]: the force that the spring resists with, local frame [N].
    pub fn force<const D: usize>(&self, jump: &Vect<D>, damage: f64, area: f64) -> Vect<D> {
        Vect::from_fn(|i, _| (1.0 - damage) * area * self.along(i) * jump[i])
    }

    /// E [J].
    pub fn energy<const D: usize>(&self, jump: &Vect<D>, damage: f64, area: f64) -> f64 {
        0.5 * self.force(jump, damage, area).dot(jump)
    }

    /// D [J].
    pub fn dissipated<const D: usize>(&self, jumps: [&Vect<D>; 2], damages: [f64; 2], area: f64) -> f64 {
        let lost = (damages[1] - damages[0]) * area;
        (0..D).map(|i| 0.5 * lost * self.along(i) * (jumps[0][i] * jumps[1][i]).max(0.0)).sum()
    }

    /// k_N [u_N]⁺² + k_T ‖[u_T]‖² [J/m²].
    pub fn square<const D: usize>(&self, jump: &Vect<D>) -> f64 {
        let opening = jump[0].max(0.0);
        self.normal * opening * opening + (1..D).map(|i| self.tangential * jump[i] * jump[i]).sum::<f64>()
    }

    /// The normal form with the spring.
    pub(super) fn join<const D: usize>(
        &self,
        plain: LocalForm<D>,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
    ) -> LocalForm<D> {
        let (h, [theta, xi], area) = (kinematics.h, kinematics.scheme, kinematics.area);
        let shifted = kinematics.jump + kinematics.before * ((1.0 - theta) * h);
        let force = self.force(&shifted, trial.damage, area) * xi
            + self.force(&kinematics.jump, kinematics.damage, area) * (1.0 - xi);
        let answer = h * h * xi * theta * (1.0 - trial.damage) * area;
        let mut joint = Joint { stiffness: [answer * self.normal, answer * self.tangential], ..plain.joint };
        // The solver's Ũ has the bias in it, the spring's velocity has not.
        joint.pull += joint.resist(&plain.bias) - force * h;
        LocalForm { joint, ..plain }
    }
}
