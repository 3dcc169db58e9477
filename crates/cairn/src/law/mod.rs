//! Contact laws, one file each. A law reduces itself to the solver's normal form: a friction coefficient and a bias
//! added to the relative velocity, after which it reads Signorini–Coulomb; and, where there is a bond, what the joint adds
//! to the impulse (see [`cairn_solvers::joint`]). What it has to know of the past it declares itself (see [`kept`]).
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
mod elastic_coulomb;
mod exponential;
mod gap;
pub mod kept;
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
pub use elastic_coulomb::{ElasticCoulomb, Settled};
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
use kept::{JOINT, Kept, Numbers, OF_FRICTION};

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
pub struct ContactKinematics<const D: usize> {
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
    /// What the law keeps of the contact.
    pub kept: Numbers,
    /// Does a deformable body take part?
    pub is_deformable: bool,
}

impl<const D: usize> ContactKinematics<D> {
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
    pub fn prepare<const D: usize>(&self, kinematics: &ContactKinematics<D>, trial: &Trial) -> LocalForm<D> {
        let bias = match &self.unilateral {
            Unilateral::Natural if kinematics.is_deformable => gap::bias(kinematics),
            Unilateral::Natural | Unilateral::QuasiInelastic => quasi_inelastic::bias(kinematics),
            Unilateral::Gap => gap::bias(kinematics),
            Unilateral::Velocity(restitution) => restitution.bias(kinematics),
            Unilateral::Moreau(moreau) => moreau.bias(kinematics),
            Unilateral::Compliant(compliant) => compliant.bias(kinematics),
        };
        let mut form = LocalForm::plain(self.coefficient(kinematics), bias);
        if let Cohesion::ElasticCoulomb(law) = &self.cohesion {
            return law.join(form, kinematics, trial);
        }
        if trial.bond == Bond::Whole {
            form = self.cohesion.join(form, kinematics, trial);
        }
        if let Unilateral::Compliant(compliant) = &self.unilateral
            && !form.joint.bilateral
        {
            let borne = self.cohesion.springs().filter(|_| trial.bond == Bond::Whole).map_or(0.0, |s| s.normal);
            form.joint.compliance[0] = compliant.compliance(kinematics, borne * (1.0 - trial.damage));
        }
        form
    }

    /// μ of the step.
    fn coefficient<const D: usize>(&self, kinematics: &ContactKinematics<D>) -> f64 {
        self.friction.coefficient(kinematics.status, &kinematics.before, &kinematics.kept[OF_FRICTION])
    }

    /// What it keeps of a contact, with the place of each number.
    pub fn keeps(&self) -> impl Iterator<Item = (usize, &'static Kept)> {
        let friction = self.friction.keeps().iter().enumerate().map(|(i, kept)| (OF_FRICTION.start + i, kept));
        friction.chain(self.cohesion.keeps().iter().enumerate().map(|(i, kept)| (JOINT + i, kept)))
    }

    /// Completes what is known at the start of the step from what the law keeps; `is_new` where the bond is made in this step.
    pub fn recall<const D: usize>(&self, kinematics: &mut ContactKinematics<D>, is_new: bool) {
        if let Cohesion::ElasticCoulomb(law) = &self.cohesion {
            law.recall(kinematics, is_new);
        }
    }

    /// The contact after a step that ends with this velocity and impulse, local frame.
    pub fn settle<const D: usize>(
        &self,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
        velocity: &Vect<D>,
        impulse: &Vect<D>,
    ) -> Settled<D> {
        let mu = self.coefficient(kinematics);
        let status = if trial.bond == Bond::Whole { Status::Stick } else { Status::of(impulse, mu) };
        let mut settled = self.settle_joint(kinematics, trial, velocity, (impulse, mu));
        self.friction.keep(&mut settled.kept[OF_FRICTION], status, velocity, kinematics.h);
        settled
    }

    /// The same, of the joint.
    fn settle_joint<const D: usize>(
        &self,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
        velocity: &Vect<D>,
        (impulse, friction): (&Vect<D>, f64),
    ) -> Settled<D> {
        if let Cohesion::ElasticCoulomb(law) = &self.cohesion {
            return law.settle(kinematics, trial, velocity, impulse, friction);
        }
        let was_whole = kinematics.bond == Bond::Whole;
        let jump = if was_whole { kinematics.jump_after(velocity) } else { Vect::zeros() };
        let energy = self.energy(kinematics, trial, velocity);
        let damaged = self.dissipated(kinematics, trial, velocity);
        Settled { jump, kept: kinematics.kept, energy, damaged, rubbed: 0.0 }
    }

    /// Is a penetration meant, as of springs in compression?
    pub fn gives_way(&self) -> bool {
        matches!(self.unilateral, Unilateral::Compliant(_)) || self.springs_in_series().is_some()
    }

    /// The joint whose normal spring begins where the faces are at rest, and whose shear is kept also when it is broken.
    pub fn springs_in_series(&self) -> Option<&ElasticCoulomb> {
        if let Cohesion::ElasticCoulomb(law) = &self.cohesion { Some(law) } else { None }
    }

    /// Energy that is stored in the contact at the end of a step with this velocity [J].
    fn energy<const D: usize>(&self, kinematics: &ContactKinematics<D>, trial: &Trial, velocity: &Vect<D>) -> f64 {
        let bond = if trial.bond == Bond::Whole { self.cohesion.energy(kinematics, trial, velocity) } else { 0.0 };
        let Unilateral::Compliant(compliant) = &self.unilateral else { return bond };
        let borne = self.cohesion.springs().filter(|_| trial.bond == Bond::Whole).map_or(0.0, |s| s.normal);
        bond + compliant.energy(kinematics, borne * (1.0 - trial.damage), velocity)
    }

    /// Energy that damage to the bond dissipates in a step that ends so [J].
    fn dissipated<const D: usize>(&self, kinematics: &ContactKinematics<D>, trial: &Trial, velocity: &Vect<D>) -> f64 {
        let Some(springs) = self.cohesion.springs().filter(|_| kinematics.bond == Bond::Whole) else { return 0.0 };
        let damage = if trial.bond == Bond::Whole { trial.damage } else { 1.0 };
        let after = kinematics.jump_after(velocity);
        springs.dissipated([&kinematics.jump, &after], [kinematics.damage, damage], kinematics.area)
    }

    /// Does a contact of this law keep anything from step to step beside its impulse?
    pub fn remembers(&self) -> bool {
        self.cohesion != Cohesion::None
            || matches!(self.unilateral, Unilateral::Compliant(_))
            || self.keeps().next().is_some()
    }

    /// What becomes of the bond with this impulse R and velocity U in the local frame.
    pub fn judge<const D: usize>(
        &self,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
        impulse: &Vect<D>,
        velocity: &Vect<D>,
    ) -> Judgement {
        if trial.bond != Bond::Whole {
            return Judgement::Holds;
        }
        let force = impulse / kinematics.h;
        self.cohesion.judge(kinematics, trial, &force, velocity, self.friction.at_rest)
    }
}
