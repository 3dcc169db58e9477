//! A contact: where two bodies touch or may touch within the step, and what is remembered of it.

use crate::space::Vect;

/// Which image of its antagonist a contact is seen in: cells of the lattice from the one that the state has it in, along each of the cell's
/// directions. Without periodic cell always [`Image::HOME`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Image(pub [i16; 3]);

impl Image {
    /// The most cells that can be told along an axis; checkpoints have 15 bits for each.
    pub const MOST: i32 = 0x3fff;
    /// The antagonist itself.
    pub const HOME: Self = Self([0; 3]);

    /// Cells along an axis.
    pub fn cells<const D: usize>(&self) -> Vect<D> {
        Vect::from_fn(|k, _| f64::from(self.0[k]))
    }
}

/// Identity of a contact, stable from step to step: the two parts and the features that face each other.
/// Contacts are always sorted by key, so that no result depends on memory layout or threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Part of the candidate (lower index of the two).
    pub candidate: u32,
    /// Part of the antagonist.
    pub antagonist: u32,
    /// Image of the antagonist.
    pub image: Image,
    /// Which features: vertex–face, edge–edge …, as numbered by the pair's file; 0 where only one point is possible.
    pub feature: u32,
}

impl Key {
    /// Of a contact with the antagonist itself.
    pub fn new(candidate: u32, antagonist: u32, feature: u32) -> Self {
        Self { candidate, antagonist, image: Image::HOME, feature }
    }

    /// Whose contact it is, without the features.
    pub fn pair(&self) -> (u32, u32, Image) {
        (self.candidate, self.antagonist, self.image)
    }
}

/// What a side of a contact is, with its index among those of its kind. Obstacles are rigid sides: they move, but do not respond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A rigid body, or a part of one: the contact holds it by an arm.
    Rigid(usize),
    /// A deformable body: the contact holds weighted nodes of it.
    Deformable(usize),
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
    #[inline]
    pub fn of<const D: usize>(impulse: &Vect<D>, friction: f64) -> Self {
        if impulse[0] <= 0.0 {
            return Status::Open;
        }
        let tangential = (impulse.norm_squared() - impulse[0] * impulse[0]).max(0.0).sqrt();
        if tangential < friction * impulse[0] * (1.0 - 1e-9) { Status::Stick } else { Status::Slip }
    }
}

/// Is there a bond in the contact?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Bond {
    /// There never was one.
    #[default]
    None = 0,
    /// It holds, perhaps weakened.
    Whole = 1,
    /// It is lost for good.
    Broken = 2,
}

/// Most numbers of its own that a law keeps of a contact (see [`crate::law::kept`]).
pub const KEPT: usize = 4;

/// What a law with a memory keeps of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory<const D: usize> {
    /// Bonded, broken, or neither.
    pub bond: Bond,
    /// [u]: how far the candidate has moved from the antagonist since the bond was made, world axes [m].
    pub jump: Vect<D>,
    /// Part of the stiffness that is lost, 0 to 1.
    pub damage: f64,
    /// Energy that is stored in the joint [J].
    pub energy: f64,
    /// What the law keeps besides (see [`crate::law::kept`]).
    pub kept: [f64; KEPT],
    /// Moment on the candidate over the step that resists rolling, world axes; in the plane about z [N·m·s].
    pub moment: Vect<3>,
}

impl<const D: usize> Default for Memory<D> {
    fn default() -> Self {
        let (jump, kept, moment) = (Vect::zeros(), [0.0; KEPT], Vect::zeros());
        Self { bond: Bond::None, jump, damage: 0.0, energy: 0.0, kept, moment }
    }
}

/// Where a contact between rigid bodies stuck, and what it started with: kept so that errors of single steps do not add up over a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor<const D: usize> {
    /// How far the candidate has been carried along the antagonist while the contact stuck, world axes [m].
    pub drift: Vect<D>,
    /// Overlap that the scene started with, and that is still there [m].
    pub overlap: f64,
}

impl<const D: usize> Default for Anchor<D> {
    fn default() -> Self {
        Self { drift: Vect::zeros(), overlap: 0.0 }
    }
}

/// What is kept of a contact after the step: warm start, law memory and output in one.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction<const D: usize> {
    /// The contact as it was solved.
    pub contact: Contact<D>,
    /// Impulse on the candidate over the step, world axes [N·s].
    pub impulse: Vect<D>,
    /// Relative velocity after the step, candidate minus antagonist, world axes [m/s].
    pub velocity: Vect<D>,
    /// Open, stick or slip.
    pub status: Status,
    /// Where it stuck.
    pub anchor: Anchor<D>,
    /// What its law remembers; most laws remember nothing, and have no room for it.
    memory: Option<Box<Memory<D>>>,
}

impl<const D: usize> Reaction<D> {
    /// A contact of which no law remembers anything yet.
    pub fn new(contact: Contact<D>, impulse: Vect<D>, velocity: Vect<D>, status: Status) -> Self {
        Self { contact, impulse, velocity, status, anchor: Anchor::default(), memory: None }
    }

    /// What its law remembers.
    pub fn memory(&self) -> Memory<D> {
        self.memory.as_deref().copied().unwrap_or_default()
    }

    /// Does its law remember anything?
    pub fn remembers(&self) -> bool {
        self.memory.is_some()
    }

    /// Keeps this for the next step.
    pub fn remember(&mut self, memory: Memory<D>) {
        self.memory = (memory != Memory::default()).then(|| Box::new(memory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_without_memory_has_no_room_for_one() {
        // A million contacts are kept from step to step.
        assert!(size_of::<Reaction<3>>() <= 200, "{} bytes", size_of::<Reaction<3>>());
        let touch = Touch { feature: 0, point: Vect::<3>::zeros(), normal: Vect::<3>::x(), gap: 0.0, area: 0.0 };
        let contact = Contact { key: Key::default(), bodies: [0, 1], touch, law: 0 };
        let mut reaction = Reaction::new(contact, Vect::<3>::zeros(), Vect::<3>::zeros(), Status::Open);
        let memory = Memory { bond: Bond::Whole, damage: 0.5, ..Memory::default() };
        reaction.remember(memory);
        assert!(reaction.remembers() && reaction.memory() == memory);
        reaction.remember(Memory::default());
        assert!(!reaction.remembers() && reaction.memory() == Memory::default());
    }
}
