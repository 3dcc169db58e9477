//! Coulomb friction: ‖R_T‖ ≤ μ R_N, with R_T opposite to the sliding velocity when there is one.
//!
//! μ is the static coefficient until the contact slips, and the dynamic one until it sticks again; the jump is taken
//! from one step to the next. Or, smoothly, μ = μ_d + (μ_s − μ_d) e^{−‖U_T‖/v} with the sliding velocity before the step.

use crate::contact::Status;
use crate::space::Vect;

/// Friction coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// While the contact does not slip.
    pub at_rest: f64,
    /// While it slips.
    pub sliding: f64,
    /// v [m/s] of a smooth transition; 0: a jump.
    pub transition: f64,
}

impl Friction {
    /// The same coefficient at rest and sliding.
    pub fn constant(mu: f64) -> Self {
        Self { at_rest: mu, sliding: mu, transition: 0.0 }
    }

    /// μ for a contact that did `status` in the previous step and ended it with the velocity U⁻, local frame.
    pub fn coefficient<const D: usize>(&self, status: Status, before: &Vect<D>) -> f64 {
        if self.transition > 0.0 {
            let speed = (1..D).map(|i| before[i] * before[i]).sum::<f64>().sqrt();
            return self.sliding + (self.at_rest - self.sliding) * (-speed / self.transition).exp();
        }
        if status == Status::Slip { self.sliding } else { self.at_rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_falls_smoothly_with_velocity_and_back() {
        let law = Friction { at_rest: 0.6, sliding: 0.2, transition: 0.5 };
        let at = |u: f64| law.coefficient(Status::Slip, &Vect::<3>::new(9.0, 0.6 * u, -0.8 * u));
        assert_eq!(at(0.0), 0.6);
        assert!((at(0.5) - (0.2 + 0.4 * (-1.0f64).exp())).abs() < 1e-15 && (at(50.0) - 0.2).abs() < 1e-15);
    }
}
