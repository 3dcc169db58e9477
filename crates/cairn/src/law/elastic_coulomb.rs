//! Elastic–Coulomb joint in series, as rock and masonry engineers know it from distinct elements: a spring between the two faces, and a
//! slider behind it. With stresses per area, σ in compression and τ in shear, [u_N] the opening and e the elastic part of the shear jump,
//!
//!   σ = −k_N [u_N],   τ = −k_T e,   ė = U_T − ṡ
//!
//! *Whole*, the joint stands σ ≥ −f_t and ‖τ‖ ≤ c + μσ without slip, ṡ = 0. Once one is exceeded tension and cohesion are lost for good, and
//! what is left is friction on springs:
//!
//!   σ ≥ 0,   ‖τ‖ ≤ μσ,   ṡ ≠ 0 only against τ on the limit,
//!
//! and with an angle of dilatancy ψ the faces ride up: the opening at which σ vanishes grows by ‖s‖ tan ψ.
//!
//! Over a step of the θ-scheme R_T = −h κ e_ξ, κ = k_T A, e_ξ = e₀ + ξ h (θU⁺ + (1−θ)U⁻ − ṡ) gives
//!
//!   ṡ/θ = U⁺ + bias + C R,   bias = e₀/(ξθh) + (1−θ)/θ U⁻,   C = 1/(h² ξθ κ)
//!
//! and the same holds in the normal direction: Signorini–Coulomb with a compliance on the diagonal of W. A whole joint has ṡ = 0 in all
//! directions, and the ξ of the scheme. Once it is lost ξ = 1, whatever the scheme has: springs that only push store a convex energy E([u]), so that with
//! the force of the end and θ = ½ the work E'(u₁)(u₁ − u₀) ≥ E(u₁) − E(u₀) is never less than what is stored, while a mean of both ends gives faces
//! that chatter energy out of nothing, without limit where the step is longer than 2/ω. After slip e is what the force found stands for. The step's
//! normal springs see the ride of the step before.
//!
//! Work: ½κ‖e‖² and ½k_N A [u_N]² are stored, R_T·s less the lift against σ is lost in friction; when a whole joint gives way, the tension
//! in its springs and the part of the shear that drops at once are lost to damage. Contacts without area (corners, edges, balls) are rigid.

use super::kept::{JOINT, Kept, Numbers};
use super::{ContactKinematics, MohrCoulomb, Springs, Trial};
use crate::contact::{Bond, Status};
use crate::space::Vect;
use cairn_solvers::joint::Joint;
use cairn_solvers::problem::LocalForm;

/// Springs, what a whole joint stands, and how faces ride up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticCoulomb {
    /// k_N and k_T.
    pub springs: Springs,
    /// c and f_t; μ is the friction coefficient of the contact.
    pub envelope: MohrCoulomb,
    /// tan ψ.
    pub dilatancy: f64,
}

/// The gap at which the faces are at rest, kept at [`JOINT`]: where they were when the bond was made, and how far they have ridden up since.
pub(super) const KEEPS: [Kept; 1] = [Kept { name: "rest_gap", unit: "m" }];

/// What a step leaves in a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled<const D: usize> {
    /// [u] or its elastic part, local frame [m].
    pub jump: Vect<D>,
    /// What the law keeps.
    pub kept: Numbers,
    /// Stored [J].
    pub energy: f64,
    /// Lost in damage in this step [J].
    pub damaged: f64,
    /// Lost in friction in this step, as far as the joint knows it and not the account of the contact [J].
    pub rubbed: f64,
}

impl ElasticCoulomb {
    /// The opening at the start of the step, from the gap and what is kept; a bond is made where the faces are.
    pub(super) fn recall<const D: usize>(&self, kinematics: &mut ContactKinematics<D>, is_new: bool) {
        let start = kinematics.gap - (1.0 - kinematics.scheme[0]) * kinematics.h * kinematics.before[0];
        if is_new {
            kinematics.kept[JOINT] = start;
        }
        kinematics.jump[0] = start - kinematics.kept[JOINT];
    }

    /// The normal form, whole or not.
    pub(super) fn join<const D: usize>(
        &self,
        plain: LocalForm<D>,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
    ) -> LocalForm<D> {
        if kinematics.area == 0.0 {
            return plain;
        }
        let is_whole = trial.bond == Bond::Whole;
        let (h, [theta, xi]) = (kinematics.h, kinematics.scheme);
        let xi = if is_whole { xi } else { 1.0 };
        let bias = kinematics.jump / (xi * theta * h) + kinematics.before * ((1.0 - theta) / theta);
        let give = |k: f64| 1.0 / (h * h * xi * theta * k * kinematics.area);
        let compliance = [give(self.springs.normal), give(self.springs.tangential)];
        let joint = Joint { bilateral: is_whole, compliance, ..Joint::none() };
        LocalForm { bias, joint, ..plain }
    }

    /// ½ k A [u]² of the springs, without tension unless the joint is whole [J].
    fn energy<const D: usize>(&self, jump: &Vect<D>, area: f64, is_whole: bool) -> f64 {
        let pressed = if is_whole { jump[0] } else { jump[0].min(0.0) };
        self.springs.energy(&Vect::<D>::from_fn(|i, _| if i == 0 { pressed } else { jump[i] }), 0.0, area)
    }

    /// The joint after a step that ends with this velocity and impulse, local frame.
    pub(super) fn settle<const D: usize>(
        &self,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
        velocity: &Vect<D>,
        impulse: &Vect<D>,
        friction: f64,
    ) -> Settled<D> {
        let (h, area) = (kinematics.h, kinematics.area);
        let mut kept = kinematics.kept;
        let nothing = Settled { jump: Vect::zeros(), kept, energy: 0.0, damaged: 0.0, rubbed: 0.0 };
        if area == 0.0 {
            return nothing;
        }
        let moved = kinematics.jump_after(velocity);
        if trial.bond == Bond::Whole {
            return Settled { jump: moved, energy: self.energy(&moved, area, true), ..nothing };
        }
        let kappa = self.springs.tangential * area;
        let status = Status::of(impulse, friction);
        let elastic = |i: usize| if status == Status::Stick { moved[i] } else { -impulse[i] / (h * kappa) };
        let jump = Vect::<D>::from_fn(|i, _| if i == 0 { moved[0] } else { elastic(i) });
        let slip = moved - jump;
        let risen = if status == Status::Slip { self.dilatancy * slip.norm() } else { 0.0 };
        let mut lifted = jump;
        lifted[0] -= risen;
        kept[JOINT] += risen;
        let energy = self.energy(&lifted, area, false);
        let lift = energy - self.energy(&jump, area, false);
        let mut damaged = 0.0;
        if kinematics.bond == Bond::Whole {
            // What drops at once: the tension, and the shear beyond what is left of it.
            let dropped =
                Vect::<D>::from_fn(
                    |i, _| if i == 0 { kinematics.jump[0].max(0.0) } else { kinematics.jump[i] - jump[i] },
                );
            damaged = self.springs.energy(&dropped, 0.0, area);
        }
        Settled { jump: lifted, kept, energy, damaged, rubbed: -impulse.dot(&slip) / h - lift }
    }
}
