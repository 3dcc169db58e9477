//! What a joint adds to a contact: part of the impulse that is not Signorini–Coulomb's.
//!
//!   R = R̃ + a − B Ũ,   Ũ = U + bias,   (Ũ + C R̃, R̃) obeys Signorini–Coulomb
//!
//! a is what the joint pulls or pushes whatever happens, B ≥ 0 how it answers a velocity (a spring over a step, implicitly:
//! h² times its stiffness), C ≥ 0 how the contact gives way to its own share of the impulse (a spring in series with it). A *bilateral* joint transmits any
//! impulse: Ũ + C R = 0.
//!
//! With all other contacts frozen, U = U_loc + W R becomes, with B eliminated,
//!
//!   Ũ = Ũ₀ + W̃ (R̃ − R̃₀),   W̃ = (W⁻¹ + B)⁻¹ = (I + W B)⁻¹ W,   R̃₀ = R₀ − a + B Ũ₀
//!
//! from any state (R₀, Ũ₀) of that contact: the local solution depends on U_loc = U₀ − W R₀ alone, so that no other
//! memory than the whole impulse R is needed.

use crate::cone::natural_map;
use crate::local::Schur;
use crate::local::reduced::Reduced;
use crate::problem::{LocalForm, Mat, Vect};

/// The part of a law that is not Signorini–Coulomb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<const D: usize> {
    /// Transmits any impulse: Ũ + C R = 0. The rest has no meaning then.
    pub bilateral: bool,
    /// a [N·s].
    pub pull: Vect<D>,
    /// B, normal and tangential [N·s per m/s].
    pub stiffness: [f64; 2],
    /// C, normal and tangential [m/s per N·s].
    pub compliance: [f64; 2],
}

impl<const D: usize> Joint<D> {
    /// Nothing.
    pub fn none() -> Self {
        Self { bilateral: false, pull: Vect::zeros(), stiffness: [0.0; 2], compliance: [0.0; 2] }
    }

    /// Glued: Ũ = 0 whatever it takes.
    pub fn bilateral() -> Self {
        Self { bilateral: true, ..Self::none() }
    }

    /// Is there a joint at all?
    #[inline]
    pub fn is_some(&self) -> bool {
        self.bilateral || self.stiffness != [0.0; 2] || self.gives_way() || self.pull != Vect::<D>::zeros()
    }

    /// Is there a spring in series with the contact?
    #[inline]
    pub fn gives_way(&self) -> bool {
        self.compliance != [0.0; 2]
    }

    /// C x.
    #[inline]
    pub fn yielding(&self, x: &Vect<D>) -> Vect<D> {
        let [normal, tangential] = self.compliance;
        Vect::from_fn(|i, _| x[i] * if i == 0 { normal } else { tangential })
    }

    /// B x.
    #[inline]
    pub fn resist(&self, x: &Vect<D>) -> Vect<D> {
        let [normal, tangential] = self.stiffness;
        Vect::from_fn(|i, _| x[i] * if i == 0 { normal } else { tangential })
    }

    /// W̃: how the contact responds to its own share of the impulse, the joint answering.
    pub fn eased(&self, w: &Mat<D>) -> Mat<D> {
        if self.stiffness == [0.0; 2] {
            return *w;
        }
        let [normal, tangential] = self.stiffness;
        let system = Mat::<D>::from_fn(|i, j| {
            f64::from(u8::from(i == j)) + w[(i, j)] * if j == 0 { normal } else { tangential }
        });
        // I + W B is regular for any W, B ≥ 0.
        let eased = system.try_inverse().map_or_else(Mat::<D>::zeros, |inverse| inverse * w);
        (eased + eased.transpose()) * 0.5
    }

    /// W̃ + C: the block of the local problem.
    pub fn block(&self, w: &Mat<D>) -> Mat<D> {
        let mut block = self.eased(w);
        self.add_compliance(&mut block);
        block
    }

    /// Adds C to the first D components of a block, which may have more for moments.
    pub fn add_compliance<const N: usize>(&self, block: &mut Mat<N>) {
        let [normal, tangential] = self.compliance;
        (0..D).for_each(|i| block[(i, i)] += if i == 0 { normal } else { tangential });
    }
}

impl<const D: usize> LocalForm<D> {
    /// R̃ and Ũ + C R̃, for the whole impulse and Ũ.
    pub fn reduced(&self, impulse: &Vect<D>, velocity: &Vect<D>) -> (Vect<D>, Vect<D>) {
        let joint = &self.joint;
        let share = impulse - joint.pull + joint.resist(velocity);
        (share, velocity + joint.yielding(&share))
    }

    /// The natural map of the law in force, for the whole impulse and Ũ: zero exactly at solutions.
    pub fn defect(&self, impulse: &Vect<D>, velocity: &Vect<D>, rho: f64) -> Vect<D> {
        if self.joint.bilateral {
            return (velocity + self.joint.yielding(impulse)) * rho;
        }
        let (share, velocity) = self.reduced(impulse, velocity);
        natural_map(&share, &velocity, self.friction, rho)
    }
}

/// A contact with a joint, ready to be relaxed many times.
#[derive(Clone, Copy, Debug)]
pub struct Jointed<const D: usize> {
    joint: Joint<D>,
    /// Of W̃ + C.
    pub reduced: Reduced<D>,
    /// W, for U = U_loc + W R.
    own: Mat<D>,
    /// W̃.
    eased: Mat<D>,
    /// W̃ + C.
    block: Mat<D>,
    schur: Schur<D>,
}

impl<const D: usize> Jointed<D> {
    /// Of a contact's own block W and its law.
    pub fn new(w: &Mat<D>, form: &LocalForm<D>) -> Self {
        let joint = form.joint;
        let block = joint.block(w);
        let mut bilateral_block = *w;
        joint.add_compliance(&mut bilateral_block);
        let mut reduced = Reduced::new(&block, form.friction);
        reduced.painleve &= !joint.bilateral;
        Self { joint, reduced, own: *w, eased: joint.eased(w), block, schur: Schur::regular(&bilateral_block) }
    }

    /// The new whole impulse, from U_loc with bias and the impulse at present.
    #[inline]
    pub fn relax(&self, others: &Vect<D>, impulse: &Vect<D>) -> Vect<D> {
        let velocity = others + self.own * impulse;
        if self.joint.bilateral {
            let velocity = velocity + self.joint.yielding(impulse);
            return if self.schur.normal > 0.0 { impulse - self.schur.solve(&velocity) } else { *impulse };
        }
        let share = impulse - self.joint.pull + self.joint.resist(&velocity);
        let without = velocity - self.block * share + self.joint.yielding(&share);
        let change = self.reduced.solve(&without, &share) - share;
        impulse + change - self.joint.resist(&(self.eased * change))
    }
}

impl<const D: usize> Schur<D> {
    /// W⁻¹ u.
    pub(crate) fn solve(&self, u: &Vect<D>) -> Vect<D> {
        let (k, s) = (&self.lean, &self.tangent);
        let c = Vect::<D>::from_fn(|i, _| if i > 0 { u[i] - k[i] * u[0] } else { 0.0 });
        let mut x = Vect::<D>::zeros();
        if D == 2 {
            x[1] = c[1] / s[(1, 1)];
        } else {
            let determinant = s[(1, 1)] * s[(2, 2)] - s[(1, 2)] * s[(2, 1)];
            x[1] = (s[(2, 2)] * c[1] - s[(1, 2)] * c[2]) / determinant;
            x[2] = (s[(1, 1)] * c[2] - s[(2, 1)] * c[1]) / determinant;
        }
        x[0] = u[0] / self.normal - (1..D).map(|i| k[i] * x[i]).sum::<f64>();
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spd(f: [f64; 9]) -> Mat<3> {
        let f = Mat::<3>::from_column_slice(&f);
        f * f.transpose() + Mat::<3>::identity() * 0.05
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever impulse it starts from, one relaxation solves the contact: the law in force holds exactly.
        #[test]
        fn one_relaxation_solves_a_jointed_contact(
            f in prop::array::uniform9(-1.0..1.0f64), u in prop::array::uniform3(-5.0..5.0f64),
            r in prop::array::uniform3(-2.0..2.0f64), a in prop::array::uniform3(-2.0..2.0f64),
            b in prop::array::uniform2(0.0..20.0f64), c in prop::array::uniform2(0.0..3.0f64), mu in 0.0..1.0f64, bilateral in any::<bool>(),
        ) {
            let w = spd(f);
            let joint = Joint { bilateral, pull: Vect::<3>::from(a), stiffness: b, compliance: c };
            let form = LocalForm { friction: mu, bias: Vect::zeros(), joint };
            let jointed = Jointed::new(&w, &form);
            prop_assume!(bilateral || !jointed.reduced.painleve);
            let (u_loc, start) = (Vect::<3>::from(u), Vect::<3>::from(r));
            let solved = jointed.relax(&u_loc, &start);
            let velocity = u_loc + w * solved;
            let rho = 3.0 / joint.block(&w).trace();
            let size = solved.norm() + rho * u_loc.norm() + form.joint.pull.norm();
            prop_assert!(form.defect(&solved, &velocity, rho).norm() <= 1e-11 * size * (1.0 + b[0].max(b[1])));
            // The answer depends on U_loc alone.
            let again = jointed.relax(&u_loc, &Vect::zeros());
            prop_assert!((again - solved).norm() <= 1e-10 * (1.0 + size));
        }
    }

    #[test]
    fn a_spring_alone_is_a_damped_mass() {
        // W = 2, B = 3, a = −1, no contact: U = U_loc + 2(a − 3U).
        let w = Mat::<2>::identity() * 2.0;
        let joint = Joint { stiffness: [3.0, 3.0], pull: Vect::<2>::new(-1.0, 0.5), ..Joint::none() };
        let form = LocalForm { friction: 0.0, bias: Vect::zeros(), joint };
        let r = Jointed::new(&w, &form).relax(&Vect::<2>::new(9.0, 6.0), &Vect::zeros());
        let u = Vect::<2>::new(9.0, 6.0) + r * 2.0;
        assert!((u - Vect::<2>::new(1.0, 1.0)).norm() < 1e-14, "{u}");
    }
}
