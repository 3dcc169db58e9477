//! Contact laws, one file each. A law reduces itself to the solver's normal form: a friction coefficient and a bias
//! added to the relative velocity, after which it reads Signorini–Coulomb; and, where there is a bond, what the joint adds
//! to the impulse (see [`cairn_solvers::joint`]).
//!
//! A new unilateral law is one file with a `bias` function, one variant of [`Unilateral`] and one line in
//! [`Law::prepare`]; a new law of a bond is one file and one variant of [`Cohesion`]. Parameters are declared in
//! `scene/contacts.rs` and `scene/joints.rs`.

mod bilinear;
mod brittle;
mod capillary;
mod cohesion;
mod compliant;
mod coulomb;
mod elastic;
mod exponential;
mod gap;
mod mixed_mode;
mod mohr_coulomb;
mod moreau;
mod quasi_inelastic;
mod raous_cangemi_cocou;
mod rolling;
mod spring;
mod strength;
mod velocity;

pub use bilinear::Bilinear;
pub use brittle::Brittle;
pub use capillary::Capillary;
pub use cohesion::{Cohesion, Judgement, Trial};
pub use compliant::Compliant;
pub use coulomb::Friction;
pub use elastic::Elastic;
pub use exponential::Exponential;
pub use mixed_mode::MixedMode;
pub use mohr_coulomb::MohrCoulomb;
pub use moreau::Moreau;
pub use raous_cangemi_cocou::RaousCangemiCocou;
pub use rolling::Rolling;
pub use spring::Springs;
pub use strength::Strength;
pub use velocity::Restitution;

use crate::contact::{Bond, Status};
use crate::space::Vect;
use cairn_solvers::problem::LocalForm;

/// Discrete form of the unilateral condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unilateral {
    /// The gap form where a deformable body takes part, else the quasi-inelastic one.
    Natural,
    /// max(0, g̃)/h + U_N ≥ 0 ⟂ R_N ≥ 0: rigid collections without restitution.
    QuasiInelastic,
    /// g̃/h + U_N ≥ 0 ⟂ R_N ≥ 0: pushes a penetration out in the next step.
    Gap,
    /// Newton's restitution, once a contact is forecast.
    Velocity(Restitution),
    /// Moreau's law on a mean of the velocities before and after, once a contact is forecast.
    Moreau(Moreau),
    /// A spring in compression.
    Compliant(Compliant),
}

/// A contact law: unilateral condition, friction and what bonds do.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Name in the scene file.
    pub name: String,
    /// Unilateral condition.
    pub unilateral: Unilateral,
    /// Coulomb friction.
    pub friction: Friction,
    /// Rolling resistance.
    pub rolling: Rolling,
    /// Law of the bond, where there is one.
    pub cohesion: Cohesion,
}

/// What a law may look at before the step is solved; velocities and jumps in the local frame (n, t(, s)).
#[derive(Clone, Copy, Debug)]
pub struct Approach<const D: usize> {
    /// Step h [s].
    pub h: f64,
    /// θ of displacements and ξ of forces.
    pub scheme: [f64; 2],
    /// Gap g̃ in the shifted configuration [m].
    pub gap: f64,
    /// The contact's share of the area [m²; 2D: m].
    pub area: f64,
    /// U⁻: relative velocity before the step [m/s].
    pub before: Vect<D>,
    /// U_free: relative velocity without any reaction [m/s].
    pub free: Vect<D>,
    /// What the contact did in the previous step.
    pub status: Status,
    /// Is there a bond?
    pub bond: Bond,
    /// [u] at the start of the step [m].
    pub jump: Vect<D>,
    /// Damage at the start of the step.
    pub damage: f64,
    /// Does a deformable body take part?
    pub is_deformable: bool,
}

impl<const D: usize> Approach<D> {
    /// Would the gap close within the step if no reaction acted? g̃ + h U_N,free ≤ 0.
    pub fn is_forecast(&self) -> bool {
        self.gap + self.h * self.free[0] <= 0.0
    }

    /// The gap at the end of the step, if it ends with this velocity: g̃ + θ h U_N.
    pub fn gap_after(&self, velocity: &Vect<D>) -> f64 {
        self.gap + self.scheme[0] * self.h * velocity[0]
    }

    /// [u] at the end of the step, if it ends with this velocity: [u] + h(θ U + (1−θ) U⁻).
    pub fn jump_after(&self, velocity: &Vect<D>) -> Vect<D> {
        let theta = self.scheme[0];
        self.jump + (velocity * theta + self.before * (1.0 - theta)) * self.h
    }
}

impl Law {
    /// The law in normal form, if the bond ends the step as `trial` says.
    pub fn prepare<const D: usize>(&self, approach: &Approach<D>, trial: &Trial) -> LocalForm<D> {
        let bias = match &self.unilateral {
            Unilateral::Natural if approach.is_deformable => gap::bias(approach),
            Unilateral::Natural | Unilateral::QuasiInelastic => quasi_inelastic::bias(approach),
            Unilateral::Gap => gap::bias(approach),
            Unilateral::Velocity(restitution) => restitution.bias(approach),
            Unilateral::Moreau(moreau) => moreau.bias(approach),
            Unilateral::Compliant(compliant) => compliant.bias(approach),
        };
        let mut form = LocalForm::plain(self.friction.coefficient(approach.status, &approach.before), bias);
        if trial.bond == Bond::Whole {
            form = self.cohesion.join(form, approach, trial);
        }
        if let Unilateral::Compliant(compliant) = &self.unilateral
            && !form.joint.held
        {
            let borne = self.cohesion.springs().filter(|_| trial.bond == Bond::Whole).map_or(0.0, |s| s.normal);
            form.joint.compliance = compliant.compliance(approach, borne * (1.0 - trial.damage));
        }
        form
    }

    /// Energy that is stored in the contact at the end of a step with this velocity [J].
    pub fn energy<const D: usize>(&self, approach: &Approach<D>, trial: &Trial, velocity: &Vect<D>) -> f64 {
        let bond = if trial.bond == Bond::Whole { self.cohesion.energy(approach, trial, velocity) } else { 0.0 };
        let Unilateral::Compliant(compliant) = &self.unilateral else { return bond };
        let borne = self.cohesion.springs().filter(|_| trial.bond == Bond::Whole).map_or(0.0, |s| s.normal);
        bond + compliant.energy(approach, borne * (1.0 - trial.damage), velocity)
    }

    /// Energy that damage to the bond dissipates in a step that ends so [J].
    pub fn dissipated<const D: usize>(&self, approach: &Approach<D>, trial: &Trial, velocity: &Vect<D>) -> f64 {
        let Some(springs) = self.cohesion.springs().filter(|_| approach.bond == Bond::Whole) else { return 0.0 };
        let damage = if trial.bond == Bond::Whole { trial.damage } else { 1.0 };
        let after = approach.jump_after(velocity);
        springs.dissipated([&approach.jump, &after], [approach.damage, damage], approach.area)
    }

    /// Does a contact of this law keep anything from step to step beside its impulse?
    pub fn remembers(&self) -> bool {
        self.cohesion != Cohesion::None || matches!(self.unilateral, Unilateral::Compliant(_))
    }

    /// What becomes of the bond with this impulse R and velocity U in the local frame.
    pub fn judge<const D: usize>(
        &self,
        approach: &Approach<D>,
        trial: &Trial,
        impulse: &Vect<D>,
        velocity: &Vect<D>,
    ) -> Judgement {
        if trial.bond != Bond::Whole {
            return Judgement::Holds;
        }
        let force = impulse / approach.h;
        self.cohesion.judge(approach, trial, &force, velocity, self.friction.at_rest)
    }
}
