//! Contacts that resist rolling: beside its impulse a contact exerts a moment M on the candidate, −M on the
//! antagonist. With Ω the relative angular velocity, split into rolling Ω_T (axis in the tangent plane; the only one
//! in 2D) and twisting Ω_N (about the normal),
//!
//!   ‖M_T‖ ≤ ℓ_T R_N,   Ω_T ≠ 0 ⇒ M_T = −ℓ_T R_N Ω_T/‖Ω_T‖,      and the same for M_N, Ω_N and ℓ_N
//!
//! with arms ℓ in metres: Coulomb's law for moments, set-valued at rest,
//!
//!   M_T = proj(M_T − Ω_T/λ, disk of radius ℓ_T R_N)   for any λ > 0,   and the same for M_N.
//!
//! λ is the largest response of Ω_T (of Ω_N) to the contact's own moment, λ = max eig P (I₁⁻¹ + I₂⁻¹) P with P = 1 − n nᵀ:
//! the projection then solves the moment of a ball, and any in the plane, exactly with all else frozen. R_N is the share of the normal
//! impulse that a joint leaves to the contact (see [`crate::joint`]).
//!
//! Solvers take moments as a list beside the contacts, so that a contact without one is none the larger for it: sweeps in
//! [`crate::matrix_free`] relax a contact's impulse and then its moment, and methods on a stored W see both together (see
//! [`crate::cone`] and `strategy/rigid/rolled.rs`).
//!
//! Residual: that of `residual.rs`, and for each moment η = ‖M − proj(M − Ω/λ)‖ (λ/ρ)^½, a velocity, too.

use crate::problem::{Link, Mass, Mat, Vect, in_space};
use crate::report::Report;
use crate::residual;

/// Rolling resistance of one contact. Lists of them are sorted by link, with one at most for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roll {
    /// Its link.
    pub link: usize,
    /// Arms ℓ_T of rolling and ℓ_N of twisting [m].
    pub arms: [f64; 2],
    /// Relative angular velocity of what is ground to the solver [rad/s].
    pub bias: Vect<3>,
    /// M, world axes [N·m·s]: the start and then the solution.
    pub moment: Vect<3>,
}

impl Roll {
    /// Ω.
    pub fn spin<const D: usize>(&self, link: &Link<D>, masses: &[Mass<D>]) -> Vect<3> {
        link.sides().fold(self.bias, |sum, (sign, m, _)| sum + masses[m as usize].spin * sign)
    }

    /// ω += I⁻¹ M on both sides.
    pub fn turn<const D: usize>(&self, link: &Link<D>, masses: &mut [Mass<D>]) {
        for (sign, m, _) in link.sides() {
            let mass = &mut masses[m as usize];
            mass.spin += mass.spin_mobility * self.moment * sign;
        }
    }
}

/// 1/λ of what turns as it is told to and answers no moment: any Ω ≠ 0 then leads to the rim of the disk, as the law has it.
const UNANSWERED: f64 = 1e77;

/// The law of one contact's moment, ready to be asked often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resistance {
    normal: Vect<3>,
    arms: [f64; 2],
    /// λ of rolling and of twisting [1/(kg·m²)].
    response: [f64; 2],
}

impl Resistance {
    pub fn new<const D: usize>(roll: &Roll, link: &Link<D>, masses: &[Mass<D>]) -> Self {
        let normal = in_space(&link.frame.column(0).into());
        let mobility = link.sides().fold(Mat::<3>::zeros(), |sum, (_, m, _)| sum + masses[m as usize].spin_mobility);
        let tangent = Mat::<3>::identity() - normal * normal.transpose();
        let rolling = largest(&(tangent * mobility * tangent));
        Self { normal, arms: roll.arms, response: [rolling, normal.dot(&(mobility * normal))] }
    }

    /// 1/λ of rolling and of twisting.
    pub fn inverses(&self) -> [f64; 2] {
        self.response.map(|response| if response > 0.0 { (1.0 / response).min(UNANSWERED) } else { UNANSWERED })
    }

    /// The larger λ, by which moments are measured.
    pub fn response(&self) -> f64 {
        self.response[0].max(self.response[1])
    }

    /// proj(M − Ω/λ), R_N being `pressing`.
    pub fn wanted(&self, moment: &Vect<3>, spin: &Vect<3>, pressing: f64) -> Vect<3> {
        let along = |x: &Vect<3>| self.normal * self.normal.dot(x);
        let [rolling, twisting] = self.inverses();
        let aims = [moment - along(moment) - (spin - along(spin)) * rolling, along(moment) - along(spin) * twisting];
        let mut wanted = Vect::<3>::zeros();
        for (aim, arm) in aims.iter().zip(self.arms) {
            let (bound, size) = (arm * pressing.max(0.0), aim.norm());
            wanted += if size <= bound { *aim } else { aim * (bound / size) };
        }
        wanted
    }

    /// η of a moment [m/s].
    pub fn eta(&self, moment: &Vect<3>, spin: &Vect<3>, pressing: f64, rho: f64) -> f64 {
        (moment - self.wanted(moment, spin, pressing)).norm() * (self.response() / rho).sqrt()
    }
}

/// The largest eigenvalue of a symmetric matrix with a zero one.
fn largest(w: &Mat<3>) -> f64 {
    // Of λ² − s λ + p: s the trace, p the sum of principal minors.
    let minor = |i: usize, j: usize| w[(i, i)] * w[(j, j)] - w[(i, j)] * w[(j, i)];
    let (s, p) = (w.trace(), minor(0, 1) + minor(0, 2) + minor(1, 2));
    0.5 * (s + (s * s - 4.0 * p).max(0.0).sqrt())
}

/// Fills in the residual part of a report from links and moments, with the masses that these have brought to their velocities; `rho` holds ρ per
/// contact, 0 where nothing responds.
pub(crate) fn assess<const D: usize>(
    masses: &[Mass<D>],
    links: &[Link<D>],
    rolls: &[Roll],
    rho: &[f64],
    tolerance: f64,
    report: &mut Report,
) {
    let eta = |roll: &Roll| {
        let link = &links[roll.link];
        let law = Resistance::new(roll, link, masses);
        (roll.link, law.eta(&roll.moment, &roll.spin(link, masses), pressing(link), rho[roll.link]))
    };
    let etas: Vec<(usize, f64)> = rolls.iter().filter(|roll| rho[roll.link] > 0.0).map(eta).collect();
    residual::assess_with(links, rho, &etas, tolerance, report);
}

/// The normal impulse that rolling and friction depend on: the contact's own share.
pub(crate) fn pressing<const D: usize>(link: &Link<D>) -> f64 {
    if link.form.joint.bilateral {
        return link.impulse[0];
    }
    link.form.reduced(&link.impulse, &(link.velocity + link.form.bias)).0[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{GROUND, LocalForm};

    /// A body on the ground whose mobilities are 2, 5 and 3 about x, y and the normal z.
    fn resistance(mobilities: [f64; 3]) -> Resistance {
        let mass = Mass::<3> {
            velocity: Vect::zeros(),
            spin: Vect::zeros(),
            inverse_mass: Vect::repeat(1.0),
            spin_mobility: Mat::<3>::from_diagonal(&Vect::from(mobilities)),
        };
        let frame = Mat::<3>::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
        let (arms, form) = ([-Vect::<3>::z(); 2], LocalForm::plain(0.5, Vect::zeros()));
        let link = Link { masses: [0, GROUND], frame, arms, form, impulse: Vect::zeros(), velocity: Vect::zeros() };
        let roll = Roll { link: 0, arms: [0.1, 0.2], bias: Vect::zeros(), moment: Vect::zeros() };
        Resistance::new(&roll, &link, &[mass])
    }

    #[test]
    fn responses_are_the_largest_about_the_tangents_and_the_one_about_the_normal() {
        let found = resistance([2.0, 5.0, 3.0]).response;
        assert!((found[0] - 5.0).abs() < 1e-14 && (found[1] - 3.0).abs() < 1e-14, "{found:?}");
    }

    #[test]
    fn moments_stay_within_their_bounds_and_oppose_what_turns() {
        let law = resistance([5.0, 5.0, 5.0]);
        // Within the bounds: what stops it, −Ω/λ.
        let spin = Vect::<3>::new(0.1, -0.2, 0.3);
        assert!((law.wanted(&Vect::zeros(), &spin, 10.0) + spin / 5.0).norm() < 1e-15);
        // Beyond: ℓ R_N against the axis, rolling and twisting each for itself.
        let fast = law.wanted(&Vect::zeros(), &Vect::<3>::new(30.0, -40.0, 50.0), 10.0);
        assert!((fast - Vect::<3>::new(-0.6, 0.8, -2.0)).norm() < 1e-14, "{fast}");
        assert_eq!(law.wanted(&fast, &spin, -1.0), Vect::<3>::zeros());
    }

    #[test]
    fn what_answers_no_moment_is_resisted_all_the_same() {
        let law = resistance([0.0; 3]);
        let moment = law.wanted(&Vect::<3>::new(0.5, 0.5, 0.1), &Vect::<3>::new(0.0, 1e-9, 0.0), 10.0);
        assert!((moment - Vect::<3>::new(0.0, -1.0, 0.1)).norm() < 1e-14, "{moment}");
    }
}
