//! Resultants of contact forces.

use crate::contact::Reaction;
use crate::space::Vect;

/// Sum of the contact forces on the given bodies (sorted), mean over a step of length `h` [N].
pub fn resultant<const D: usize>(reactions: &[Reaction<D>], bodies: &[u32], h: f64) -> Vect<D> {
    let mut sum = Vect::zeros();
    for reaction in reactions {
        let [candidate, antagonist] = reaction.contact.bodies;
        if bodies.binary_search(&candidate).is_ok() {
            sum += reaction.impulse;
        }
        if bodies.binary_search(&antagonist).is_ok() {
            sum -= reaction.impulse;
        }
    }
    if h > 0.0 { sum / h } else { sum }
}
