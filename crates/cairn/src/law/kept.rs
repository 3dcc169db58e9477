//! Numbers that a law keeps of a contact from step to step, declared in the law's own file.
//!
//! Bond, jump, damage and stored energy are common to all joints ([`crate::contact::Memory`]). Whatever else a law needs to know of the past
//! it declares as its `KEEPS`, finds in [`ContactKinematics::kept`](super::ContactKinematics::kept) and gives anew with
//! [`Settled::kept`](super::Settled::kept). Steps that are taken back, checkpoints and the files for ParaView carry the numbers along under
//! their names; nothing else knows what they mean. They are zero in a new contact.

use crate::contact::KEPT;

/// Numbers of a contact: first those of friction, then those of the joint.
pub type Numbers = [f64; KEPT];

/// Most numbers that friction keeps, or a joint.
pub const MOST: usize = KEPT / 2;
/// Where those of friction begin.
pub const FRICTION: usize = 0;
/// Where those of the joint begin.
pub const JOINT: usize = MOST;

/// A number that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name in results.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}
