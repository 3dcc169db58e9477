//! A state as bytes, bit for bit: what a checkpoint and each stored state are made of.
//!
//! A record is a sequence of little-endian 64-bit words:
//!
//! ```text
//! 0 magic │ 1 version, D │ 2 bodies │ 3 contacts │ 4 contacts with a memory │ 5 deformable bodies
//! │ 6 their degrees of freedom │ 7 what they remember │ 8 step │ 9 time │ 10 last step │ 11 begun stages │ 12 controls
//! │ stages │ controls │ ledger │ motions │ fields, each after its two lengths │ contacts, each with its memory if it has one │ checksum
//! ```
//!
//! The number of words follows from the header, so that a reader can walk from record to record without decoding.
//! The checksum is FNV-1a over words, c ← (c ⊕ w)·p with odd p: each factor is a bijection of c, so no change
//! within a single word can go unseen.

use crate::body::Motion;
use crate::contact::{Anchor, Bond, Contact, KEPT, Key, Memory, Reaction, Status, Touch};
use crate::flexible::Field;
use crate::scene::{Control, StageStart, Target};
use crate::space::{Ambient, Placement, Space, Vect};
use crate::state::{Ledger, Margin, State, Worst};
use cairn_fem::material::Lost;
use thiserror::Error;

const MAGIC: u64 = u64::from_le_bytes(*b"CAIRN\r\n\x1a");
const VERSION: u32 = 9;
const HEADER_WORDS: usize = 13;
const LEDGER_WORDS: usize = 24 + 3 * Margin::COUNT;

/// Bytes of the part of a record that [`Header::decode`] needs.
pub(super) const HEADER_BYTES: usize = 8 * HEADER_WORDS;

/// What is wrong with a saved state.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Damage {
    /// The first bytes are not those of a state.
    #[error("not a saved state")]
    NotAState,
    /// Written by another version.
    #[error("saved in format {found}, this program reads format {expected}")]
    OtherVersion {
        /// Format of the file.
        found: u32,
        /// Format of this program.
        expected: u32,
    },
    /// 2D instead of 3D, or the other way.
    #[error("saved from a {found}D scene, this one is {expected}D")]
    OtherDimension {
        /// Dimension of the file.
        found: u32,
        /// Dimension of the scene.
        expected: u32,
    },
    /// Not the scene's number of bodies.
    #[error("holds {found} bodies, the scene has {expected}")]
    OtherBodies {
        /// Bodies in the file.
        found: u64,
        /// Bodies of the scene.
        expected: u64,
    },
    /// The file ends early (or has more than it should).
    #[error("{found} bytes instead of {expected}: the file is cut off or was changed")]
    WrongLength {
        /// Bytes there.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// The contents do not match the checksum.
    #[error("the contents do not match the checksum")]
    Checksum,
}

/// What a record says about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) bodies: u64,
    pub(super) step: u64,
    pub(super) time: f64,
    last_step: f64,
    pub(super) contacts: u64,
    mindful: u64,
    fields: u64,
    dofs: u64,
    remembered: u64,
    stages: u64,
    controls: u64,
    /// Length of the whole record in bytes.
    pub(super) bytes: u64,
}

impl Header {
    /// Reads the header of a record of dimension `dimension`.
    pub(super) fn decode(bytes: &[u8], dimension: u32) -> Result<Self, Damage> {
        let short = Damage::WrongLength { found: bytes.len() as u64, expected: HEADER_BYTES as u64 };
        let mut words = Words { bytes };
        if words.next().ok_or(short.clone())? != MAGIC {
            return Err(Damage::NotAState);
        }
        let (version, found) = split(words.next().ok_or(short.clone())?);
        if version != VERSION {
            return Err(Damage::OtherVersion { found: version, expected: VERSION });
        }
        if found != dimension {
            return Err(Damage::OtherDimension { found, expected: dimension });
        }
        if bytes.len() < HEADER_BYTES {
            return Err(short);
        }
        let (bodies, contacts, mindful) = (words.u64(), words.u64(), words.u64());
        let (fields, dofs, remembered) = (words.u64(), words.u64(), words.u64());
        let (step, time, last_step) = (words.u64(), words.f64(), words.f64());
        let (stages, controls) = (words.u64(), words.u64());
        let words =
            record_words(dimension, bodies, [contacts, mindful], [fields, dofs, remembered], [stages, controls]);
        let bytes = words.and_then(|w| w.checked_mul(8)).ok_or(Damage::Checksum)?;
        let counts = Self {
            bodies,
            step,
            time,
            last_step,
            contacts,
            mindful,
            fields,
            dofs,
            remembered,
            stages,
            controls,
            bytes,
        };
        Ok(counts)
    }
}

/// Words of a record; `None` if the counts are absurd.
fn record_words(
    dimension: u32,
    bodies: u64,
    [contacts, mindful]: [u64; 2],
    [fields, dofs, remembered]: [u64; 3],
    [stages, controls]: [u64; 2],
) -> Option<u64> {
    let d = u64::from(dimension);
    let spins = if d == 2 { 1 } else { 3 };
    let motions = bodies.checked_mul(2 * d + 4 + spins)?;
    let reactions = contacts.checked_mul(4 + 3 + 5 * d)?.checked_add(mindful.checked_mul(3 + KEPT as u64 + d + 3)?)?;
    let nodal = dofs.checked_mul(2)?.checked_add(fields.checked_mul(3)?)?.checked_add(remembered)?;
    let set = stages.checked_add(controls)?.checked_mul(2)?;
    let moving = motions.checked_add(reactions)?.checked_add(nodal)?.checked_add(set)?;
    moving.checked_add((HEADER_WORDS + LEDGER_WORDS + 1) as u64)
}

/// The state as bytes.
pub fn encode<const D: usize>(state: &State<D>) -> Vec<u8>
where
    Space<D>: Ambient<D>,
{
    let State { step, time, last_step, motions, fields, reactions, stages, controls, ledger } = state;
    let sum = |length: fn(&Field) -> usize| fields.iter().map(|f| length(f) as u64).sum();
    let nodal = [fields.len() as u64, sum(|f| f.displacement.len()), sum(|f| f.history.len())];
    let contacts = [reactions.len() as u64, mindful(reactions)];
    let begun = [stages.len() as u64, controls.len() as u64];
    let words = record_words(D as u32, motions.len() as u64, contacts, nodal, begun).unwrap_or(0);
    let mut out = Sink { bytes: Vec::with_capacity(8 * words as usize) };
    out.u64(MAGIC);
    out.u64(join(VERSION, D as u32));
    out.u64(motions.len() as u64);
    contacts.iter().for_each(|&n| out.u64(n));
    nodal.iter().for_each(|&n| out.u64(n));
    out.u64(*step);
    out.f64(*time);
    out.f64(*last_step);
    out.u64(stages.len() as u64);
    out.u64(controls.len() as u64);
    for start in stages {
        out.u64(start.step);
        out.f64(start.time);
    }
    for control in controls {
        out.u64(join(control.target as u32, control.number));
        out.f64(control.value);
    }
    put_ledger(&mut out, ledger);
    for m in motions {
        out.slice(m.place.centre.as_slice());
        out.slice(&Space::<D>::turn_numbers(&m.place.turn));
        out.slice(m.velocity.as_slice());
        out.slice(Space::<D>::spin_slice(&m.spin));
    }
    for field in fields {
        out.u64(field.displacement.len() as u64);
        out.u64(field.history.len() as u64);
        out.slice(&field.displacement);
        out.slice(&field.velocity);
        out.slice(&field.history);
        out.f64(field.pace);
    }
    for r in reactions {
        put_reaction(&mut out, r);
    }
    let sum = checksum(&out.bytes);
    out.u64(sum);
    out.bytes
}

/// The state in `bytes`, which must be exactly one record of a scene with `bodies` bodies.
pub fn decode<const D: usize>(bytes: &[u8], bodies: Option<usize>) -> Result<State<D>, Damage>
where
    Space<D>: Ambient<D>,
{
    let header = Header::decode(bytes, D as u32)?;
    if header.bytes != bytes.len() as u64 {
        return Err(Damage::WrongLength { found: bytes.len() as u64, expected: header.bytes });
    }
    let (contents, sum) = bytes.split_at(bytes.len() - 8);
    if checksum(contents) != (Words { bytes: sum }).u64() {
        return Err(Damage::Checksum);
    }
    if let Some(expected) = bodies.filter(|&n| n as u64 != header.bodies) {
        return Err(Damage::OtherBodies { found: header.bodies, expected: expected as u64 });
    }
    let mut words = Words { bytes: &contents[HEADER_BYTES..] };
    let stages = (0..header.stages).map(|_| StageStart { step: words.u64(), time: words.f64() }).collect();
    let controls = (0..header.controls).map(|_| take_control(&mut words)).collect::<Result<_, _>>()?;
    let ledger = take_ledger(&mut words);
    let motions = (0..header.bodies).map(|_| take_motion(&mut words)).collect();
    let fields = take_fields(&mut words, header.fields, [header.dofs, header.remembered])?;
    let reactions: Vec<_> = (0..header.contacts).map(|_| take_reaction(&mut words)).collect::<Result<_, _>>()?;
    if mindful(&reactions) != header.mindful {
        return Err(Damage::Checksum);
    }
    let Header { step, time, last_step, .. } = header;
    Ok(State { step, time, last_step, motions, fields, reactions, stages, controls, ledger })
}

fn take_control(words: &mut Words) -> Result<Control, Damage> {
    let (target, number) = split(words.u64());
    let known = [Target::Drive, Target::Load, Target::Friction];
    let target = known.into_iter().find(|t| *t as u32 == target).ok_or(Damage::Checksum)?;
    Ok(Control { target, number, value: words.f64() })
}

fn take_fields(words: &mut Words, count: u64, mut left: [u64; 2]) -> Result<Vec<Field>, Damage> {
    let fields = (0..count).map(|_| {
        let lengths = [words.u64(), words.u64()];
        for (left, length) in left.iter_mut().zip(lengths) {
            *left = left.checked_sub(length).ok_or(Damage::Checksum)?;
        }
        let mut numbers = |length: u64| (0..length).map(|_| words.f64()).collect::<Vec<f64>>();
        let [dofs, remembered] = lengths;
        let [displacement, velocity, history] = [dofs, dofs, remembered].map(&mut numbers);
        Ok(Field { displacement, velocity, history, pace: words.f64() })
    });
    let fields = fields.collect::<Result<_, _>>()?;
    if left == [0; 2] { Ok(fields) } else { Err(Damage::Checksum) }
}

/// Contacts with a memory.
fn mindful<const D: usize>(reactions: &[Reaction<D>]) -> u64 {
    reactions.iter().filter(|r| r.remembers()).count() as u64
}

fn put_ledger(out: &mut Sink, ledger: &Ledger) {
    let Ledger {
        initial_energy,
        work_loads,
        work_drives,
        friction,
        rolling,
        shocks,
        scheme,
        damage,
        joints,
        damping,
        materials,
        cancelled,
        throughput,
        broken,
        unconverged,
        eased,
        worst_residual,
        worst_penetration,
        painleve,
        sweeps,
        contact_sweeps,
        scale,
        margins,
    } = *ledger;
    out.slice(&[initial_energy, work_loads, work_drives, friction, rolling, shocks, scheme, damping, throughput]);
    out.slice(&[worst_residual, worst_penetration, damage, joints, cancelled]);
    out.slice(&[materials.plastic, materials.viscous, materials.damage]);
    for count in [broken, unconverged, eased, painleve, sweeps, contact_sweeps] {
        out.u64(count);
    }
    out.f64(scale);
    for Worst { value, time, bodies } in margins {
        out.slice(&[value, time]);
        out.u64(join(bodies[0], bodies[1]));
    }
}

fn take_ledger(words: &mut Words) -> Ledger {
    Ledger {
        initial_energy: words.f64(),
        work_loads: words.f64(),
        work_drives: words.f64(),
        friction: words.f64(),
        rolling: words.f64(),
        shocks: words.f64(),
        scheme: words.f64(),
        damping: words.f64(),
        throughput: words.f64(),
        worst_residual: words.f64(),
        worst_penetration: words.f64(),
        damage: words.f64(),
        joints: words.f64(),
        cancelled: words.f64(),
        materials: Lost { plastic: words.f64(), viscous: words.f64(), damage: words.f64() },
        broken: words.u64(),
        unconverged: words.u64(),
        eased: words.u64(),
        painleve: words.u64(),
        sweeps: words.u64(),
        contact_sweeps: words.u64(),
        scale: words.f64(),
        margins: std::array::from_fn(|_| take_worst(words)),
    }
}

fn take_worst(words: &mut Words) -> Worst {
    let (value, time) = (words.f64(), words.f64());
    let (first, second) = split(words.u64());
    Worst { value, time, bodies: [first, second] }
}

fn take_motion<const D: usize>(words: &mut Words) -> Motion<D>
where
    Space<D>: Ambient<D>,
{
    let centre = words.vect();
    let turn = Space::<D>::turn_from_numbers(std::array::from_fn(|_| words.f64()));
    let velocity = words.vect();
    let mut motion = Motion { place: Placement { centre, turn }, velocity, spin: Default::default() };
    for s in Space::<D>::spin_slice_mut(&mut motion.spin) {
        *s = words.f64();
    }
    motion
}

/// Set in the word of law and status if the contact has a memory: laws are counted by 16 bits.
const HAS_MEMORY: u32 = 1 << 16;

fn put_reaction<const D: usize>(out: &mut Sink, reaction: &Reaction<D>) {
    let Reaction { contact: Contact { key, bodies, touch, law }, impulse, velocity, status, anchor, .. } = reaction;
    out.u64(join(key.candidate, key.antagonist));
    out.u64(join(key.feature, touch.feature));
    out.u64(join(bodies[0], bodies[1]));
    let flag = if reaction.remembers() { HAS_MEMORY } else { 0 };
    out.u64(join(u32::from(*law) | flag, *status as u32));
    out.slice(&[touch.gap, touch.area]);
    for v in [&touch.point, &touch.normal, impulse, velocity] {
        out.slice(v.as_slice());
    }
    out.slice(anchor.drift.as_slice());
    out.f64(anchor.overlap);
    if reaction.remembers() {
        let Memory { bond, jump, damage, energy, kept, moment } = reaction.memory();
        out.u64(bond as u64);
        out.slice(&[damage, energy]);
        out.slice(&kept);
        out.slice(jump.as_slice());
        out.slice(moment.as_slice());
    }
}

fn take_reaction<const D: usize>(words: &mut Words) -> Result<Reaction<D>, Damage> {
    let (candidate, antagonist) = split(words.u64());
    let (key_feature, feature) = split(words.u64());
    let (first, second) = split(words.u64());
    let (law, status) = split(words.u64());
    let (gap, area) = (words.f64(), words.f64());
    let touch = Touch { feature, gap, area, point: words.vect(), normal: words.vect() };
    let key = Key { candidate, antagonist, feature: key_feature };
    let contact = Contact { key, bodies: [first, second], touch, law: law as u16 };
    let (impulse, velocity) = (words.vect(), words.vect());
    let status = match status {
        0 => Status::Open,
        1 => Status::Stick,
        2 => Status::Slip,
        _ => return Err(Damage::Checksum),
    };
    let mut reaction = Reaction::new(contact, impulse, velocity, status);
    reaction.anchor = Anchor { drift: words.vect(), overlap: words.f64() };
    if law & HAS_MEMORY != 0 {
        reaction.remember(take_memory(words)?);
    }
    Ok(reaction)
}

fn take_memory<const D: usize>(words: &mut Words) -> Result<Memory<D>, Damage> {
    let bond = match words.u64() {
        0 => Bond::None,
        1 => Bond::Whole,
        2 => Bond::Broken,
        _ => return Err(Damage::Checksum),
    };
    let (damage, energy) = (words.f64(), words.f64());
    let kept = std::array::from_fn(|_| words.f64());
    Ok(Memory { bond, damage, energy, kept, jump: words.vect(), moment: words.vect() })
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn split(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0xcbf2_9ce4_8422_2325, |c, w| (c ^ u64::from_le_bytes(*w)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Growing record.
struct Sink {
    bytes: Vec<u8>,
}

impl Sink {
    fn u64(&mut self, x: u64) {
        self.bytes.extend_from_slice(&x.to_le_bytes());
    }
    fn f64(&mut self, x: f64) {
        self.u64(x.to_bits());
    }
    fn slice(&mut self, xs: &[f64]) {
        for &x in xs {
            self.f64(x);
        }
    }
}

/// Words still to be read. The length is checked before, so that `u64` always finds one; it gives 0 otherwise.
struct Words<'a> {
    bytes: &'a [u8],
}

impl Words<'_> {
    fn next(&mut self) -> Option<u64> {
        let (word, rest) = self.bytes.split_first_chunk::<8>()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*word))
    }
    fn u64(&mut self) -> u64 {
        self.next().unwrap_or(0)
    }
    fn f64(&mut self) -> f64 {
        f64::from_bits(self.u64())
    }
    fn vect<const D: usize>(&mut self) -> Vect<D> {
        Vect::from_fn(|_, _| self.f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::{flat_state, solid_state};

    #[test]
    fn bits_survive() {
        let (flat, solid) = (flat_state(3), solid_state(5));
        assert_eq!(encode(&decode::<2>(&encode(&flat), Some(flat.motions.len())).unwrap()), encode(&flat));
        assert_eq!(decode::<3>(&encode(&solid), None).unwrap(), solid);
    }

    #[test]
    fn nan_and_negative_zero_survive() {
        let mut state = flat_state(1);
        state.motions[0].velocity = Vect::<2>::new(-0.0, f64::NAN);
        let back = decode::<2>(&encode(&state), None).unwrap();
        assert_eq!(back.motions[0].velocity.map(f64::to_bits), state.motions[0].velocity.map(f64::to_bits));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = encode(&solid_state(2));
        for n in 0..bytes.len() {
            assert!(decode::<3>(&bytes[..n], None).is_err(), "{n} bytes");
        }
    }

    #[test]
    fn every_flipped_byte_is_an_error() {
        let good = encode(&flat_state(2));
        for n in 0..good.len() {
            for flip in [1, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[n] ^= flip;
                assert!(decode::<2>(&bytes, None).is_err(), "byte {n}");
            }
        }
    }

    #[test]
    fn the_reason_is_told() {
        let bytes = encode(&flat_state(2));
        let bodies = flat_state(2).motions.len() as u64;
        assert_eq!(decode::<3>(&bytes, None), Err(Damage::OtherDimension { found: 2, expected: 3 }));
        assert_eq!(decode::<2>(&bytes, Some(99)), Err(Damage::OtherBodies { found: bodies, expected: 99 }));
        assert_eq!(decode::<2>(b"# a text file, not a state", None), Err(Damage::NotAState));
        let mut other = bytes.clone();
        other[8] = 10;
        assert_eq!(decode::<2>(&other, None), Err(Damage::OtherVersion { found: 10, expected: VERSION }));
        let mut short = bytes.clone();
        short.truncate(bytes.len() - 1);
        assert!(matches!(decode::<2>(&short, None), Err(Damage::WrongLength { .. })));
    }
}
