//! Numbers that a law keeps of a contact from step to step, declared in the law's own file.
//!
//! Bond, jump, damage and stored energy are common to all joints ([`crate::contact::Memory`]). Whatever else a law needs to know of the past
//! it declares as its `KEEPS`, finds in [`ContactKinematics::kept`](super::ContactKinematics::kept) and gives anew with
//! [`Settled::kept`](super::Settled::kept). Steps that are taken back and checkpoints carry the numbers along; files for ParaView, the viewer
//! and programs that use the library read them as [`columns`] under their names. Nothing else knows what they mean. They are zero in a new
//! contact.

use super::Law;
use crate::contact::{KEPT, Reaction};
use std::ops::Range;

/// Numbers of a contact: first those of friction, then those of the joint.
pub type Numbers = [f64; KEPT];

/// Most numbers that friction keeps, or a joint.
const MOST: usize = KEPT / 2;
/// Where those of friction are.
pub(super) const OF_FRICTION: Range<usize> = 0..MOST;
/// Where those of the joint begin.
pub(super) const JOINT: usize = MOST;

/// A number that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name in results.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

/// A number of contacts that laws of a scene keep under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its declaration.
    pub kept: Kept,
    /// Where each law has it.
    places: Vec<Option<usize>>,
}

/// All that these laws keep, each name once, sorted by name.
pub fn columns(laws: &[Law]) -> Vec<Column> {
    let mut all: Vec<Kept> = laws.iter().flat_map(|law| law.keeps().map(|(_, kept)| *kept)).collect();
    all.sort_unstable_by_key(|kept| kept.name);
    all.dedup_by_key(|kept| kept.name);
    let place = |law: &Law, name: &str| law.keeps().find(|(_, kept)| kept.name == name).map(|(place, _)| place);
    let column = |kept: Kept| Column { kept, places: laws.iter().map(|law| place(law, kept.name)).collect() };
    all.into_iter().map(column).collect()
}

impl Column {
    /// The number of a contact; zero if its law does not keep it.
    pub fn of<const D: usize>(&self, reaction: &Reaction<D>) -> f64 {
        self.places[reaction.contact.law as usize].map_or(0.0, |place| reaction.memory().kept[place])
    }
}
