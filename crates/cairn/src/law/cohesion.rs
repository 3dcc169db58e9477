//! What bonds do, by law.

use super::kept::Kept;
use super::{
    Bilinear, Brittle, Capillary, ContactKinematics, Elastic, ElasticCoulomb, Exponential, MohrCoulomb,
    RaousCangemiCocou, Springs, elastic_coulomb,
};
use crate::contact::Bond;
use crate::space::Vect;
use cairn_solvers::joint::Joint;
use cairn_solvers::problem::LocalForm;

/// Law of a bond.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cohesion {
    /// No bonds.
    #[default]
    None,
    /// Rigid up to a threshold.
    Brittle(Brittle),
    /// Rigid up to Mohr–Coulomb's envelope with a cut-off.
    MohrCoulomb(MohrCoulomb),
    /// Springs, for ever or up to a threshold.
    Elastic(Elastic),
    /// Springs in series with Coulomb's friction, up to Mohr–Coulomb's envelope.
    ElasticCoulomb(ElasticCoulomb),
    /// Springs with an intensity of adhesion.
    RaousCangemiCocou(RaousCangemiCocou),
    /// Springs that soften on a straight line.
    Bilinear(Bilinear),
    /// Springs that soften exponentially.
    Exponential(Exponential),
    /// A constant pull within a range.
    Capillary(Capillary),
}

/// How a bond is supposed to end the step; corrected until it agrees with what the step makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Whole or broken.
    pub bond: Bond,
    /// Damage.
    pub damage: f64,
}

/// What a solved step means for a bond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judgement {
    /// It is as was supposed.
    Holds,
    /// It carries this many times what it stands.
    Overloaded(f64),
    /// It is damaged so far.
    Damaged(f64),
}

/// Change of damage that is none: well above the round-off of jumps where stiff bonds just begin to soften.
const SAME: f64 = 1e-6;

impl Cohesion {
    /// Energy that a whole bond stores at the end of a step with this velocity [J].
    pub fn energy<const D: usize>(&self, kinematics: &ContactKinematics<D>, trial: &Trial, velocity: &Vect<D>) -> f64 {
        match (self, self.springs()) {
            (Cohesion::Capillary(law), _) => law.energy(kinematics.gap_after(velocity)),
            (_, Some(springs)) => springs.energy(&kinematics.jump_after(velocity), trial.damage, kinematics.area),
            _ => 0.0,
        }
    }

    /// What it keeps of a contact beside bond, jump and damage.
    pub fn keeps(&self) -> &'static [Kept] {
        if let Cohesion::ElasticCoulomb(_) = self { &elastic_coulomb::KEEPS } else { &[] }
    }

    /// Are there no bonds to be made, whatever the area?
    pub fn never_bonds(&self) -> bool {
        match self {
            Cohesion::None | Cohesion::Capillary(_) => true,
            Cohesion::ElasticCoulomb(_) => !self.bonds(1.0),
            _ => false,
        }
    }

    /// Can a contact with this area be bonded at all?
    pub fn bonds(&self, area: f64) -> bool {
        match self {
            Cohesion::None => false,
            Cohesion::Brittle(law) => law.tension.force(area) > 0.0 || law.shear.force(area) > 0.0,
            Cohesion::MohrCoulomb(law) => law.cohesion.force(area) > 0.0,
            Cohesion::ElasticCoulomb(law) => law.envelope.cohesion.force(area) > 0.0,
            Cohesion::Capillary(_) => false,
            _ => area > 0.0,
        }
    }

    /// The springs of the bond, if it has any.
    pub fn springs(&self) -> Option<Springs> {
        match self {
            Cohesion::Elastic(law) => Some(law.springs),
            Cohesion::RaousCangemiCocou(law) => Some(law.springs),
            Cohesion::Bilinear(Bilinear { modes }) | Cohesion::Exponential(Exponential { modes }) => {
                Some(modes.springs())
            }
            _ => None,
        }
    }

    /// How far apart bodies may be that a bond still joins [m]: contacts are looked for up to there.
    pub fn range(&self) -> f64 {
        match self {
            Cohesion::RaousCangemiCocou(law) => 10.0 * (law.energy / law.springs.normal).sqrt(),
            Cohesion::Bilinear(law) => law.modes.longest(),
            Cohesion::Exponential(law) => 5.0 * law.modes.longest(),
            Cohesion::Capillary(law) => law.range,
            _ => 0.0,
        }
    }

    /// In words, for the description of a scene; nothing without bonds.
    pub fn describe(&self) -> String {
        match self {
            Cohesion::None => String::new(),
            Cohesion::Brittle(law) => format!(", brittle bonds ({} in tension, {} in shear)", law.tension, law.shear),
            Cohesion::MohrCoulomb(law) => {
                format!(", Mohr–Coulomb bonds (cohesion {}, cut-off {})", law.cohesion, law.tension)
            }
            Cohesion::Elastic(law) => {
                let strength = law.strength.map(|s| format!(", {} in tension, {} in shear", s.tension, s.shear));
                let Springs { normal, tangential } = law.springs;
                format!(", elastic bonds ({normal} and {tangential} Pa/m{})", strength.unwrap_or_default())
            }
            Cohesion::ElasticCoulomb(law) => {
                let (Springs { normal, tangential }, envelope) = (law.springs, law.envelope);
                format!(
                    ", elastic–Coulomb joints ({normal} and {tangential} Pa/m, cohesion {}, cut-off {})",
                    envelope.cohesion, envelope.tension
                )
            }
            Cohesion::RaousCangemiCocou(law) => {
                format!(", Raous–Cangémi–Cocou bonds (w = {} J/m², b = {} J·s/m²)", law.energy, law.viscosity)
            }
            Cohesion::Bilinear(law) => format!(", bilinear bonds ({})", law.modes),
            Cohesion::Exponential(law) => format!(", exponential bonds ({})", law.modes),
            Cohesion::Capillary(law) => format!(", capillary bridges ({} N up to {} m)", law.force, law.range),
        }
    }

    /// The normal form with the bond.
    pub(super) fn join<const D: usize>(
        &self,
        plain: LocalForm<D>,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
    ) -> LocalForm<D> {
        if let Some(springs) = self.springs() {
            return springs.join(plain, kinematics, trial);
        }
        match self {
            Cohesion::Capillary(law) => law.join(plain, kinematics),
            // What is glued does not move: neither gap nor restitution count.
            Cohesion::Brittle(_) | Cohesion::MohrCoulomb(_) => {
                LocalForm { bias: Vect::zeros(), joint: Joint::bilateral(), ..plain }
            }
            _ => plain,
        }
    }

    /// Damage after a step that ends with this jump.
    pub fn damage<const D: usize>(&self, kinematics: &ContactKinematics<D>, jump: &Vect<D>) -> f64 {
        match self {
            Cohesion::RaousCangemiCocou(law) => law.damage(jump, kinematics.damage, kinematics.h),
            Cohesion::Bilinear(law) => law.damage(jump, kinematics.damage),
            Cohesion::Exponential(law) => law.damage(jump, kinematics.damage),
            _ => kinematics.damage,
        }
    }

    /// What the force [N] and the velocity found mean for the bond.
    pub(super) fn judge<const D: usize>(
        &self,
        kinematics: &ContactKinematics<D>,
        trial: &Trial,
        force: &Vect<D>,
        velocity: &Vect<D>,
        friction: f64,
    ) -> Judgement {
        let jump = || kinematics.jump_after(velocity);
        let damage = self.damage(kinematics, &jump());
        if (damage - trial.damage).abs() > SAME {
            return Judgement::Damaged(damage);
        }
        let utilization = match self {
            Cohesion::Brittle(law) => law.utilization(force, kinematics.area, friction),
            Cohesion::MohrCoulomb(law) => law.utilization(force, kinematics.area, friction),
            Cohesion::Elastic(law) => law.utilization(&jump(), kinematics.area),
            Cohesion::ElasticCoulomb(law) => law.envelope.utilization(force, kinematics.area, friction),
            _ => 0.0,
        };
        if utilization > 1.0 { Judgement::Overloaded(utilization) } else { Judgement::Holds }
    }
}
