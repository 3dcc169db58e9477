//! The statement of the problem.
//!
//! For each contact, in its frame (n, t) or (n, t, s), n from the antagonist to the candidate:
//!
//!   Ũ = U + bias,   0 ≤ Ũ_N ⟂ R_N ≥ 0,   ‖R_T‖ ≤ μ R_N,   Ũ_T ≠ 0 ⇒ R_T = −μ R_N Ũ_T/‖Ũ_T‖
//!
//! where U is the relative velocity (candidate minus antagonist) and R the impulse on the candidate over the step.
//! Every contact law reduces itself to this form by choosing μ and the bias.

use nalgebra::{SMatrix, SVector};

/// A vector in the local frame or in the ambient space.
pub type Vect<const D: usize> = SVector<f64, D>;
/// A square matrix of the same size.
pub type Mat<const D: usize> = SMatrix<f64, D, D>;

/// The other side of a contact with something that does not respond.
pub const GROUND: u32 = u32::MAX;

/// A contact law reduced to Signorini–Coulomb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalForm<const D: usize> {
    /// Friction coefficient μ.
    pub friction: f64,
    /// Added to the relative velocity before the laws are written [m/s]: approach allowed by the gap, restitution,
    /// velocity of an obstacle.
    pub bias: Vect<D>,
}

/// A rigid mass: its velocity and how it responds. In 2D it turns about z only: `spin[2]`, `spin_mobility[(2, 2)]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass<const D: usize> {
    /// Velocity of the centre [m/s]; on input the free one, on output the one with all impulses applied.
    pub velocity: Vect<D>,
    /// Angular velocity [rad/s].
    pub spin: Vect<3>,
    /// Inverse mass per component; 0 where the component is held [1/kg].
    pub inverse_mass: Vect<D>,
    /// Inverse inertia, world axes, symmetric [1/(kg·m²)].
    pub spin_mobility: Mat<3>,
}

/// A contact between two masses, or a mass and the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<const D: usize> {
    /// Candidate and antagonist: indices of masses, or [`GROUND`] (at most one of them).
    pub masses: [u32; 2],
    /// Columns n, t(, s).
    pub frame: Mat<D>,
    /// From each mass's centre to the contact point [m]; ignored for the ground.
    pub arms: [Vect<D>; 2],
    /// The law.
    pub form: LocalForm<D>,
    /// Impulse in the local frame [N·s]: start value on input, solution on output.
    pub impulse: Vect<D>,
    /// Relative velocity U in the local frame, without bias [m/s]: output.
    pub velocity: Vect<D>,
}
