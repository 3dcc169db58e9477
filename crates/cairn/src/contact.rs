//! A contact: where two bodies touch or may touch within the step, and what is remembered of it.

use crate::space::Vect;

/// Identity of a contact, stable from step to step: the two parts and the features that face each other.
/// Contacts are always sorted by key, so that no result depends on memory layout or threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Part of the candidate (lower index of the two).
    pub candidate: u32,
    /// Part of the antagonist.
    pub antagonist: u32,
    /// Which features: vertex–face, edge–edge …, as numbered by the pair's file; 0 where only one point is possible.
    pub feature: u32,
}

/// A point found by the narrow phase between two shapes, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<const D: usize> {
    /// Feature number, unique within the pair.
    pub feature: u32,
    /// Contact point: the middle of the segment between the two surfaces [m].
    pub point: Vect<D>,
    /// Unit normal, from the antagonist (second shape) to the candidate (first shape).
    pub normal: Vect<D>,
    /// Signed distance along the normal, negative when the shapes overlap [m].
    pub gap: f64,
    /// Share of the contact area [m²; 2D: m, unit depth]; 0 for point contacts.
    pub area: f64,
}

/// A contact of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const D: usize> {
    /// Identity.
    pub key: Key,
    /// Candidate and antagonist body.
    pub bodies: [u32; 2],
    /// Geometry.
    pub touch: Touch<D>,
    /// Index in the scene's list of laws.
    pub law: u16,
}

/// What the contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// No reaction.
    #[default]
    Open = 0,
    /// Reaction inside the cone.
    Stick = 1,
    /// Reaction on the cone.
    Slip = 2,
}

impl Status {
    /// Reads the status off the impulse in the local frame: on the cone (up to round-off) means slip.
    pub fn of<const D: usize>(impulse: &Vect<D>, friction: f64) -> Self {
        if impulse[0] <= 0.0 {
            return Status::Open;
        }
        let tangential = (impulse.norm_squared() - impulse[0] * impulse[0]).max(0.0).sqrt();
        if tangential < friction * impulse[0] * (1.0 - 1e-9) { Status::Stick } else { Status::Slip }
    }
}

/// What is kept of a contact after the step: warm start, law memory and output in one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction<const D: usize> {
    /// The contact as it was solved.
    pub contact: Contact<D>,
    /// Impulse on the candidate over the step, world axes [N·s].
    pub impulse: Vect<D>,
    /// Relative velocity after the step, candidate minus antagonist, world axes [m/s].
    pub velocity: Vect<D>,
    /// Open, stick or slip.
    pub status: Status,
}
