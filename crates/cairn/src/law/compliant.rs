//! Contact that gives way in compression: R_N = −k A g for g ≤ 0, 0 otherwise. The θ-scheme makes of it
//!
//!   R_N = h k A (−g_ξ)⁺,   g_ξ = ξ g(i+1) + (1−ξ) g(i) = g̃ − (1−ξ)(1−θ) h U_N⁻ + ξ θ h U_N,
//!
//! that is Signorini's condition on U_N + bias + C R_N with bias = (g̃ − (1−ξ)(1−θ) h U_N⁻)/(ξ θ h) and C = 1/(h² ξ θ k A): a
//! compliance on the diagonal of W. Faces that are apart at the start of the step, g(i) > 0, have ξ = 1: the mean of both ends would take less from
//! bodies that come together than the spring then stores, ½ k A g(i)² too little, and contacts that chatter in steps longer than 2/ω would feed themselves
//! without limit. From g(i) ≤ 0 on no scheme gives more than was stored. Where a bond's spring of stiffness κ is whole it bears its part, and k − κ is left. Contacts
//! without area (corners, edges, balls) need a stiffness per contact; with one per area they are rigid.

use super::ContactKinematics;
use crate::space::Vect;

/// Stiffness in compression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compliant {
    /// k [Pa/m].
    PerArea(f64),
    /// k A [N/m].
    PerContact(f64),
}

/// Part of the stiffness that the contact keeps beside a bond as stiff as itself.
const LEAST: f64 = 1e-9;

impl Compliant {
    /// What is left of k A beside a bond that bears `borne` per area [N/m]; 0 for a rigid contact.
    fn stiffness(&self, area: f64, borne: f64) -> f64 {
        match self {
            Compliant::PerArea(k) => (k - borne).max(LEAST * k) * area,
            Compliant::PerContact(k) => (k - borne * area).max(LEAST * k),
        }
    }

    /// The bias of the normal velocity.
    pub fn bias<const D: usize>(&self, kinematics: &ContactKinematics<D>) -> Vect<D> {
        if self.stiffness(kinematics.area, 0.0) == 0.0 {
            return super::quasi_inelastic::bias(kinematics);
        }
        let (h, theta, xi) = (kinematics.h, kinematics.scheme[0], xi_of(kinematics));
        let gap = kinematics.gap - (1.0 - xi) * (1.0 - theta) * h * kinematics.before[0];
        Vect::from_fn(|i, _| if i == 0 { gap / (xi * theta * h) } else { 0.0 })
    }

    /// C.
    pub fn compliance<const D: usize>(&self, kinematics: &ContactKinematics<D>, borne: f64) -> f64 {
        let stiffness = self.stiffness(kinematics.area, borne);
        let (h, theta, xi) = (kinematics.h, kinematics.scheme[0], xi_of(kinematics));
        if stiffness > 0.0 { 1.0 / (h * h * xi * theta * stiffness) } else { 0.0 }
    }

    /// ½ k A (g⁻)² at the end of the step [J].
    pub fn energy<const D: usize>(&self, kinematics: &ContactKinematics<D>, borne: f64, velocity: &Vect<D>) -> f64 {
        let overlap = (-kinematics.gap_after(velocity)).max(0.0);
        0.5 * self.stiffness(kinematics.area, borne) * overlap * overlap
    }
}

/// ξ: that of the scheme, or 1 where the faces are apart.
fn xi_of<const D: usize>(kinematics: &ContactKinematics<D>) -> f64 {
    let [theta, xi] = kinematics.scheme;
    let start = kinematics.gap - (1.0 - theta) * kinematics.h * kinematics.before[0];
    if start > 0.0 { 1.0 } else { xi }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Bond, Status};

    /// Compressed, unloaded, apart: −k A g of the mean of the gaps, or of the last one where the faces are apart, by the local solution of a mass
    /// on the spring.
    #[test]
    fn the_reaction_is_that_of_a_spring_in_compression() {
        let law = Compliant::PerArea(50.0);
        for (gap, velocity) in [(-0.1, -0.5), (-0.1, 0.5), (0.05, 0.2), (0.01, -1.0)] {
            let kinematics = ContactKinematics {
                h: 0.1,
                scheme: [0.5, 0.5],
                gap,
                area: 2.0,
                before: Vect::<2>::new(0.3, 0.0),
                free: Vect::zeros(),
                is_deformable: false,
                status: Status::Open,
                bond: Bond::None,
                jump: Vect::zeros(),
                damage: 0.0,
                kept: Default::default(),
            };
            let (bias, c) = (law.bias(&kinematics)[0], law.compliance(&kinematics, 0.0));
            // Signorini: Ũ + C R ≥ 0 ⟂ R ≥ 0 at the given velocity.
            let r = (-(velocity + bias) / c).max(0.0);
            let start = gap - 0.5 * 0.1 * 0.3;
            let end = start + 0.1 * 0.5 * (0.3 + velocity);
            let counted = if start > 0.0 { end } else { 0.5 * (start + end) };
            let expected = 0.1 * 50.0 * 2.0 * (-counted).max(0.0);
            assert!((r - expected).abs() < 1e-13, "{gap} {velocity}: {r} instead of {expected}");
        }
    }
}
