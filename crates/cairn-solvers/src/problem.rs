//! The statement of the problem.
//!
//! For each contact, in its frame (n, t) or (n, t, s), n from the antagonist to the candidate:
//!
//!   Ũ = U + bias,   0 ≤ Ũ_N ⟂ R_N ≥ 0,   ‖R_T‖ ≤ μ R_N,   Ũ_T ≠ 0 ⇒ R_T = −μ R_N Ũ_T/‖Ũ_T‖
//!
//! where U is the relative velocity (candidate minus antagonist) and R the impulse on the candidate over the step.
//! Every contact law reduces itself to this form by choosing μ and the bias; joints that pull, spring or hold add their own
//! part of the impulse, after which the rest obeys the same form (see [`crate::joint`]).

use crate::joint::Joint;
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
    /// What the impulse has beside Signorini–Coulomb's.
    pub joint: Joint<D>,
}

impl<const D: usize> LocalForm<D> {
    /// Signorini–Coulomb alone.
    pub fn plain(friction: f64, bias: Vect<D>) -> Self {
        Self { friction, bias, joint: Joint::none() }
    }
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

/// The vector in space: 2D vectors lie in the plane z = 0.
#[inline]
pub(crate) fn in_space<const D: usize>(v: &Vect<D>) -> Vect<3> {
    Vect::<3>::new(v[0], v[1], if D == 3 { v[2] } else { 0.0 })
}

impl<const D: usize> Mass<D> {
    /// True if an impulse can change its motion.
    #[inline]
    pub fn responds(&self) -> bool {
        self.inverse_mass.iter().any(|&x| x != 0.0) || self.spin_mobility.iter().any(|&x| x != 0.0)
    }

    /// Velocity of the point at `arm` from the centre.
    #[inline]
    pub fn velocity_at(&self, arm: &Vect<D>) -> Vect<D> {
        let turn = self.spin.cross(&in_space(arm));
        Vect::from_fn(|i, _| self.velocity[i] + turn[i])
    }

    /// How an impulse (world axes) at `arm` from the centre changes velocity and spin.
    #[inline]
    pub fn response(&self, arm: &Vect<D>, impulse: &Vect<D>) -> (Vect<D>, Vect<3>) {
        let moment = in_space(arm).cross(&in_space(impulse));
        (self.inverse_mass.component_mul(impulse), self.spin_mobility * moment)
    }

    /// Applies such an impulse.
    #[inline]
    pub fn push(&mut self, arm: &Vect<D>, impulse: &Vect<D>) {
        let (velocity, spin) = self.response(arm, impulse);
        self.velocity += velocity;
        self.spin += spin;
    }
}

impl<const D: usize> Link<D> {
    /// The sides that are masses: (+1, candidate, arm), (−1, antagonist, arm).
    #[inline]
    pub fn sides(&self) -> impl Iterator<Item = (f64, u32, &Vect<D>)> {
        [1.0, -1.0].into_iter().zip(self.masses).zip(&self.arms).map(|((s, m), a)| (s, m, a)).filter(|s| s.1 != GROUND)
    }

    /// U = Hᵀv, local frame, without bias.
    #[inline]
    pub fn relative_velocity(&self, masses: &[Mass<D>]) -> Vect<D> {
        let sum = self.sides().fold(Vect::<D>::zeros(), |u, (s, m, a)| u + masses[m as usize].velocity_at(a) * s);
        self.frame.tr_mul(&sum)
    }

    /// v += M⁻¹ H R for an impulse in the local frame.
    #[inline]
    pub fn push(&self, masses: &mut [Mass<D>], impulse: &Vect<D>) {
        let world = self.frame * impulse;
        for (s, m, a) in self.sides() {
            masses[m as usize].push(a, &(world * s));
        }
    }

    /// The contact's own block W_αα = Hᵀ M⁻¹ H.
    pub fn own_block(&self, masses: &[Mass<D>]) -> Mat<D> {
        let mut w = Mat::zeros();
        for (_, m, arm) in self.sides() {
            let mass = &masses[m as usize];
            let arm = in_space(arm);
            let scaled = Mat::<D>::from_fn(|i, j| mass.inverse_mass[i] * self.frame[(i, j)]);
            w += self.frame.tr_mul(&scaled);
            let moments: [Vect<3>; D] = std::array::from_fn(|j| arm.cross(&in_space(&self.frame.column(j).into())));
            for j in 0..D {
                let spin = mass.spin_mobility * moments[j];
                for i in 0..=j {
                    let part = moments[i].dot(&spin);
                    w[(i, j)] += part;
                    if i != j {
                        w[(j, i)] += part;
                    }
                }
            }
        }
        w
    }
}
