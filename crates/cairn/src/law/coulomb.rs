//! Coulomb friction: ‖R_T‖ ≤ μ R_N, with R_T opposite to the sliding velocity when there is one.
//!
//! μ is the static coefficient until the contact slips, and the dynamic one until it sticks again; the jump is taken
//! from one step to the next. Or, smoothly, μ = μ_d + (μ_s − μ_d) e^{−‖U_T‖/v} with the sliding velocity before the step.
//! Or with the way s that the contact has slipped since it closed, as faults and polished faces do (slip weakening):
//!
//!   μ = μ_s − (μ_s − μ_d) min(1, s/D),   ṡ = ‖U_T‖ while it slips,   s = 0 once it opens
//!
//! with s at the start of the step. Sliding through D costs (μ_s − μ_d) R_N D/2 more than at μ_d all the way.

use super::kept::Kept;
use crate::contact::Status;
use crate::space::Vect;

/// What friction that weakens keeps, and where s is in it.
const KEEPS: [Kept; 1] = [Kept { name: "slip", unit: "m" }];
const SLIP: usize = 0;

/// Friction coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// While the contact does not slip.
    pub at_rest: f64,
    /// While it slips.
    pub sliding: f64,
    /// v [m/s] of a smooth transition; 0: a jump.
    pub transition: f64,
    /// D [m] of slip weakening; 0: none.
    pub weakening: f64,
}

impl Friction {
    /// The same coefficient at rest and sliding.
    pub fn constant(mu: f64) -> Self {
        Self { at_rest: mu, sliding: mu, transition: 0.0, weakening: 0.0 }
    }

    /// What it keeps of a contact.
    pub fn keeps(&self) -> &'static [Kept] {
        if self.weakening > 0.0 { &KEEPS } else { &[] }
    }

    /// Brings what is kept to the end of a step of length h in which the contact slides with the velocity U, local frame.
    pub(super) fn keep<const D: usize>(&self, kept: &mut [f64], status: Status, velocity: &Vect<D>, h: f64) {
        match status {
            _ if self.weakening == 0.0 => {}
            Status::Open => kept[SLIP] = 0.0,
            Status::Stick => {}
            Status::Slip => kept[SLIP] += h * tangential_norm(velocity),
        }
    }

    /// μ for a contact that did `status` in the previous step and ended it with the velocity U⁻, local frame, and that keeps these numbers.
    pub fn coefficient<const D: usize>(&self, status: Status, before: &Vect<D>, kept: &[f64]) -> f64 {
        if self.weakening > 0.0 {
            let worn = (kept[SLIP] / self.weakening).min(1.0);
            return self.at_rest - (self.at_rest - self.sliding) * worn;
        }
        if self.transition > 0.0 {
            let speed = tangential_norm(before);
            return self.sliding + (self.at_rest - self.sliding) * (-speed / self.transition).exp();
        }
        if status == Status::Slip { self.sliding } else { self.at_rest }
    }
}

fn tangential_norm<const D: usize>(velocity: &Vect<D>) -> f64 {
    (1..D).map(|i| velocity[i] * velocity[i]).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_weakens_with_slip_and_heals_when_the_contact_opens() {
        let law = Friction { weakening: 0.1, sliding: 0.2, ..Friction::constant(0.6) };
        let (mut kept, velocity) = ([0.0], Vect::<3>::new(0.0, 3.0, 4.0));
        let mu = |kept: &[f64]| law.coefficient(Status::Slip, &velocity, kept);
        assert_eq!(mu(&kept), 0.6);
        law.keep(&mut kept, Status::Slip, &velocity, 1e-2);
        assert!((kept[SLIP] - 0.05).abs() < 1e-15 && (mu(&kept) - 0.4).abs() < 1e-15);
        law.keep(&mut kept, Status::Stick, &velocity, 1e-2);
        assert!((kept[SLIP] - 0.05).abs() < 1e-15);
        assert!((mu(&[7.0]) - 0.2).abs() < 1e-15);
        law.keep(&mut kept, Status::Open, &velocity, 1e-2);
        assert_eq!(kept, [0.0]);
    }

    #[test]
    fn friction_falls_smoothly_with_velocity_and_back() {
        let law = Friction { at_rest: 0.6, sliding: 0.2, transition: 0.5, weakening: 0.0 };
        let at = |u: f64| law.coefficient(Status::Slip, &Vect::<3>::new(9.0, 0.6 * u, -0.8 * u), &[]);
        assert_eq!(at(0.0), 0.6);
        assert!((at(0.5) - (0.2 + 0.4 * (-1.0f64).exp())).abs() < 1e-15 && (at(50.0) - 0.2).abs() < 1e-15);
    }
}
