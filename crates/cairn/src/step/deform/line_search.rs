//! Newton's step of a body, shortened where all of it leads away from balance.
//!
//! An iteration leads from v with the impulses r to v + Δv with r + Δr. On the way, at v + s Δv with r + s Δr, the body is out of balance by
//!
//!   φ(s) = ‖ρ(v + s Δv) + r + s Δr‖ = (1 − s) φ(0) + O(s²)
//!
//! whatever the contacts do, since ρ(v) + r = M̂ Δv − Δr for the exact tangent: a part of the step is nearer to balance
//! even if all of it is farther away, or turns a cell inside out. So s is halved until φ(s) ≤ φ(0), unless all of it is
//! near. The first iteration starts from the velocities before the step, which the contacts of the step know nothing
//! of: there, only what is not finite is shortened. Bodies that turn with one matrix in their axes are left alone: that
//! is not their tangent, and their iterations come to rest by themselves. A step that has been shortened is never the
//! last: the impulses of the body are not those of the links then.

use super::iterate::BodyIterate;

/// What is out of balance by less than this part of the forces at work is near: the contacts, which are not solved exactly, move it about.
pub(super) const NEAR: f64 = 1e-4;
/// Halvings of s at the most.
const MOST_HALVINGS: i32 = 6;

/// Where Newton's step began.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    velocity: Vec<f64>,
    contact: Vec<f64>,
    /// φ(0).
    rest: f64,
}

impl BodyIterate {
    /// Keeps the present iterate, out of balance by `rest`, as the one that the next step begins from.
    pub(super) fn keep_origin(&mut self, rest: f64) {
        self.origin.velocity.clone_from(&self.velocity);
        self.origin.contact.clone_from(&self.contact);
        self.origin.rest = rest;
    }

    /// Shortens a step that leads to φ(1) = `rest`, if it has to be, with what is near enough; `evaluate` tells φ of an iterate. Returns
    /// whether it did.
    pub(super) fn search(&mut self, (rest, enough): (f64, f64), mut evaluate: impl FnMut(&mut Self) -> f64) -> bool {
        if rest <= enough.max(self.origin.rest) {
            return false;
        }
        let full = (self.velocity.clone(), self.contact.clone());
        let mut best = (if rest.is_finite() { rest } else { f64::INFINITY }, 1.0);
        for halving in 1..=MOST_HALVINGS {
            let part = 0.5f64.powi(halving);
            self.go(part, &full);
            let rest = evaluate(self);
            if rest <= self.origin.rest {
                return true;
            }
            if rest < best.0 {
                best = (rest, part);
            }
        }
        self.go(best.1, &full);
        evaluate(self);
        best.1 < 1.0
    }

    /// To v + s Δv with r + s Δr.
    fn go(&mut self, part: f64, (velocity, contact): &(Vec<f64>, Vec<f64>)) {
        let between = |now: &mut [f64], from: &[f64], to: &[f64]| {
            now.iter_mut().zip(from.iter().zip(to)).for_each(|(x, (a, b))| *x = a + part * (b - a));
        };
        between(&mut self.velocity, &self.origin.velocity, velocity);
        between(&mut self.contact, &self.origin.contact, contact);
    }
}
