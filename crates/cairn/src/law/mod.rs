//! Contact laws, one file each. A law reduces itself to the solver's normal form: a friction coefficient and a bias
//! added to the relative velocity, after which it reads Signorini–Coulomb.
//!
//! A new unilateral law is one file with a `bias` function, one variant of [`Unilateral`] and one line in
//! [`Law::prepare`]; its parameters are declared in `scene/contacts.rs`.

mod coulomb;
mod gap;
mod moreau;
mod quasi_inelastic;
mod velocity;

pub use coulomb::Friction;
pub use moreau::Moreau;
pub use velocity::Restitution;

use crate::contact::Status;
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
}

/// A contact law: unilateral condition and friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Name in the scene file.
    pub name: String,
    /// Unilateral condition.
    pub unilateral: Unilateral,
    /// Coulomb friction.
    pub friction: Friction,
}

/// What a law may look at before the step is solved; velocities in the local frame (n, t(, s)).
#[derive(Clone, Copy, Debug)]
pub struct Approach<const D: usize> {
    /// Step h [s].
    pub h: f64,
    /// Gap g̃ in the shifted configuration [m].
    pub gap: f64,
    /// U⁻: relative velocity before the step [m/s].
    pub before: Vect<D>,
    /// U_free: relative velocity without any reaction [m/s].
    pub free: Vect<D>,
    /// What the contact did in the previous step.
    pub status: Status,
    /// Does a deformable body take part?
    pub is_deformable: bool,
}

impl<const D: usize> Approach<D> {
    /// Would the gap close within the step if no reaction acted? g̃ + h U_N,free ≤ 0.
    pub fn is_forecast(&self) -> bool {
        self.gap + self.h * self.free[0] <= 0.0
    }
}

impl Law {
    /// The law in normal form.
    pub fn prepare<const D: usize>(&self, approach: &Approach<D>) -> LocalForm<D> {
        let bias = match &self.unilateral {
            Unilateral::Natural if approach.is_deformable => gap::bias(approach),
            Unilateral::Natural | Unilateral::QuasiInelastic => quasi_inelastic::bias(approach),
            Unilateral::Gap => gap::bias(approach),
            Unilateral::Velocity(restitution) => restitution.bias(approach),
            Unilateral::Moreau(moreau) => moreau.bias(approach),
        };
        LocalForm { friction: self.friction.coefficient(approach.status), bias }
    }
}
