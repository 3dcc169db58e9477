//! Adhesion of wet grains: where two bodies touch a bridge of liquid forms, which pulls with a constant force F until they
//! are farther apart than its range; then it is gone, and forms again at the next touch.
//!
//!   R_N = R̃_N − F h,   (U_N, R̃_N) obeys Signorini, (U_T, R_T) Coulomb(R̃_N)
//!
//! A bridge stores F g, g being the gap, and takes F times its range with it when it breaks.

use super::ContactKinematics;
use crate::space::Vect;
use cairn_solvers::problem::LocalForm;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capillary {
    /// F [N].
    pub force: f64,
    /// Range [m].
    pub range: f64,
}

impl Capillary {
    /// Is there a bridge at the start of a step with this gap?
    pub fn holds(&self, gap: f64, before: bool) -> bool {
        gap <= if before { self.range } else { 0.0 }
    }

    /// Stored in a bridge of this length [J].
    pub fn energy(&self, gap: f64) -> f64 {
        self.force * gap.max(0.0)
    }

    pub(super) fn join<const D: usize>(&self, plain: LocalForm<D>, kinematics: &ContactKinematics<D>) -> LocalForm<D> {
        let mut form = plain;
        form.joint.pull += Vect::<D>::from_fn(|i, _| if i == 0 { -self.force * kinematics.h } else { 0.0 });
        form
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bridge_forms_at_touch_and_breaks_at_its_range() {
        let law = Capillary { force: 2.0, range: 0.1 };
        let mut holds = false;
        let story =
            [(0.05, false), (0.0, true), (0.05, true), (0.1, true), (0.11, false), (0.05, false), (-0.01, true)];
        for (gap, expected) in story {
            holds = law.holds(gap, holds);
            assert_eq!(holds, expected, "{gap}");
        }
        assert_eq!(law.energy(0.1), 0.2);
    }
}
