//! A state as bytes, bit for bit: what a checkpoint and each stored state are made of.
//!
//! A record is a sequence of little-endian 64-bit words:
//!
//! ```text
//! 0 magic │ 1 version, D │ 2 blocks │ 3 words of their declarations │ 4 numbers of blocks │ 5 contacts │ 6 contacts with a memory
//! │ 7 step │ 8 time │ 9 last step │ 10 begun stages │ 11 controls
//! │ stages │ controls │ ledger │ declarations of the blocks │ numbers of each: coordinates, velocities, history
//! │ contacts, each with its memory if it has one │ checksum
//! ```
//!
//! A record says what its blocks are ([`Layout`]), names and units as well, so that it can be read without its scene. The number of words
//! follows from the header, so that a reader can walk from record to record without decoding.
//! The checksum is FNV-1a over words, c ← (c ⊕ w)·p with odd p: each factor is a bijection of c, so no change
//! within a single word can go unseen.

use crate::contact::{Anchor, Bond, Contact, Image, KEPT, Key, Memory, Reaction, Status, Touch};
use crate::scene::{Control, StageStart, Target};
use crate::space::{Ambient, Space, Vect};
use crate::state::block::{self, Kind, Layout, Numbers, Parts, Quantity, Table};
use crate::state::{Ledger, Margin, State, Worst};
use cairn_fem::material::Lost;
use std::borrow::Cow;
use std::sync::Arc;
use thiserror::Error;

const MAGIC: u64 = u64::from_le_bytes(*b"CAIRN\r\n\x1a");
const VERSION: u32 = 10;
const HEADER_WORDS: usize = 12;
const LEDGER_WORDS: usize = 25 + 3 * Margin::COUNT;

/// Bytes of the part of a record that [`Header::decode`] needs.
pub(super) const HEADER_BYTES: usize = 8 * HEADER_WORDS;

/// What is wrong with a saved state.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Damage {
    /// The first bytes are not those of a state.
    #[error("not a saved state")]
    NotAState,
    /// Written by another version.
    #[error(
        "saved in format {found} by {} version of the program, this one reads format {expected}: go on with that version, or run the scene \
         anew",
        if found < expected { "an earlier" } else { "a later" }
    )]
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
    /// Not the bodies of the scene.
    #[error("holds other bodies than the scene: {difference}")]
    OtherBodies {
        /// The first difference, in words.
        difference: String,
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
    pub(super) step: u64,
    pub(super) time: f64,
    last_step: f64,
    blocks: u64,
    lengths: Lengths,
    /// Length of the whole record in bytes.
    pub(super) bytes: u64,
}

/// Lengths of the parts of a record whose length is not always the same.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lengths {
    /// Words of the declarations.
    declared: u64,
    /// Numbers of all blocks.
    numbers: u64,
    contacts: u64,
    with_memory: u64,
    stages: u64,
    controls: u64,
}

impl Lengths {
    /// Words of a record; `None` if they are absurd.
    fn words(&self, dimension: u32) -> Option<u64> {
        let d = u64::from(dimension);
        let parts = [
            (self.declared, 1),
            (self.numbers, 1),
            (self.contacts, 4 + 3 + 5 * d),
            (self.with_memory, 3 + KEPT as u64 + d + 3),
            (self.stages, 2),
            (self.controls, 2),
            (1, (HEADER_WORDS + LEDGER_WORDS + 1) as u64),
        ];
        parts.into_iter().try_fold(0_u64, |sum, (count, words)| sum.checked_add(count.checked_mul(words)?))
    }
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
        let [blocks, declared, numbers, contacts, with_memory] = std::array::from_fn(|_| words.u64());
        let (step, time, last_step) = (words.u64(), words.f64(), words.f64());
        let (stages, controls) = (words.u64(), words.u64());
        let lengths = Lengths { declared, numbers, contacts, with_memory, stages, controls };
        let bytes = lengths.words(dimension).and_then(|w| w.checked_mul(8)).ok_or(Damage::Checksum)?;
        Ok(Self { step, time, last_step, blocks, lengths, bytes })
    }

    /// Contacts of the state.
    pub(super) fn contacts(&self) -> u64 {
        self.lengths.contacts
    }
}

/// The state as bytes.
pub fn encode<const D: usize>(state: &State<D>) -> Vec<u8>
where
    Space<D>: Ambient<D>,
{
    let State { step, time, last_step, blocks, motions: _, fields: _, reactions, stages, controls, ledger } = state;
    let mut declared = Sink { bytes: Vec::new() };
    blocks.iter().for_each(|layout| put_layout(&mut declared, layout));
    let numbers: Vec<Numbers<'_>> = state.numbers().map(|(_, numbers)| numbers).collect();
    let parts = || numbers.iter().flat_map(|n| [&n.coordinates, &n.velocities, &n.history]);
    let lengths = Lengths {
        declared: declared.bytes.len() as u64 / 8,
        numbers: parts().map(|part| part.len() as u64).sum(),
        contacts: reactions.len() as u64,
        with_memory: with_memory(reactions),
        stages: stages.len() as u64,
        controls: controls.len() as u64,
    };
    let mut out = Sink { bytes: Vec::with_capacity(8 * lengths.words(D as u32).unwrap_or(0) as usize) };
    out.u64(MAGIC);
    out.u64(join(VERSION, D as u32));
    out.u64(blocks.len() as u64);
    [lengths.declared, lengths.numbers, lengths.contacts, lengths.with_memory].into_iter().for_each(|n| out.u64(n));
    out.u64(*step);
    out.f64(*time);
    out.f64(*last_step);
    out.u64(lengths.stages);
    out.u64(lengths.controls);
    for start in stages {
        out.u64(start.step);
        out.f64(start.time);
    }
    for control in controls {
        out.u64(join(control.target as u32, control.number));
        out.f64(control.value);
    }
    put_ledger(&mut out, ledger);
    out.bytes.extend_from_slice(&declared.bytes);
    parts().for_each(|part| out.slice(part));
    for r in reactions {
        put_reaction(&mut out, r);
    }
    let sum = checksum(&out.bytes);
    out.u64(sum);
    out.bytes
}

/// The state in `bytes`, which must be exactly one record; of a scene whose blocks are `expected`, if these are known.
pub fn decode<const D: usize>(bytes: &[u8], expected: Option<&[Layout]>) -> Result<State<D>, Damage>
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
    let mut words = Words { bytes: &contents[HEADER_BYTES..] };
    let Header { step, time, last_step, blocks, lengths, .. } = header;
    let stages = (0..lengths.stages).map(|_| StageStart { step: words.u64(), time: words.f64() }).collect();
    let controls = (0..lengths.controls).map(|_| take_control(&mut words)).collect::<Result<_, _>>()?;
    let ledger = take_ledger(&mut words);
    let blocks = take_layouts::<D>(&mut words.part(lengths.declared)?, blocks)?;
    if let Some(difference) = expected.and_then(|expected| block::difference(&blocks, expected)) {
        return Err(Damage::OtherBodies { difference });
    }
    let Parts { motions, fields } = take_parts(&mut words.part(lengths.numbers)?, &blocks)?;
    let reactions: Vec<_> = (0..lengths.contacts).map(|_| take_reaction(&mut words)).collect::<Result<_, _>>()?;
    if with_memory(&reactions) != lengths.with_memory {
        return Err(Damage::Checksum);
    }
    Ok(State { step, time, last_step, blocks, motions, fields, reactions, stages, controls, ledger })
}

fn put_layout(out: &mut Sink, layout: &Layout) {
    out.u64(join(layout.kind as u32, layout.history.len() as u32));
    out.text(&layout.name);
    for table in layout.tables() {
        [table.rows, table.points, table.rest, table.quantities.len()].into_iter().for_each(|n| out.u64(n as u64));
        for quantity in &table.quantities {
            out.text(&quantity.name);
            out.text(&quantity.unit);
            out.u64(quantity.width as u64);
        }
    }
}

fn take_layouts<const D: usize>(words: &mut Words, count: u64) -> Result<Arc<[Layout]>, Damage>
where
    Space<D>: Ambient<D>,
{
    let layouts = (0..count).map(|_| take_layout(words)).collect::<Result<Arc<[Layout]>, _>>()?;
    let sound = words.bytes.is_empty() && layouts.iter().all(Layout::is_sound::<D>);
    if sound { Ok(layouts) } else { Err(Damage::Checksum) }
}

fn take_layout(words: &mut Words) -> Result<Layout, Damage> {
    let (kind, regions) = split(words.next().ok_or(Damage::Checksum)?);
    let kind = Kind::ALL.into_iter().find(|k| *k as u32 == kind).ok_or(Damage::Checksum)?;
    let name = words.text()?;
    let (coordinates, velocities) = (take_table(words)?, take_table(words)?);
    let history = (0..regions).map(|_| take_table(words)).collect::<Result<_, _>>()?;
    Ok(Layout { name, kind, coordinates, velocities, history })
}

fn take_table(words: &mut Words) -> Result<Table, Damage> {
    let [rows, points, rest] = [words.length()?, words.length()?, words.length()?];
    let quantity = |words: &mut Words| {
        let (name, unit) = (words.text()?.into(), words.text()?.into());
        let width = words.length()?;
        if width == 0 { Err(Damage::Checksum) } else { Ok(Quantity { name, unit, width }) }
    };
    let quantities = (0..words.length()?).map(|_| quantity(words)).collect::<Result<_, _>>()?;
    Ok(Table { rows, points, quantities, rest })
}

/// The numbers of blocks, which have to be exactly what is there.
fn take_parts<const D: usize>(words: &mut Words, blocks: &[Layout]) -> Result<Parts<D>, Damage>
where
    Space<D>: Ambient<D>,
{
    let mut parts = Parts::default();
    for layout in blocks {
        let length = |tables: &[Table]| {
            let mut lengths = tables.iter().map(Table::numbers);
            lengths.try_fold(0_usize, |sum, n| sum.checked_add(n?)).ok_or(Damage::Checksum)
        };
        let mut numbers = |tables: &[Table]| Ok(Cow::Owned(words.part(length(tables)? as u64)?.all()));
        let coordinates = numbers(std::slice::from_ref(&layout.coordinates))?;
        let velocities = numbers(std::slice::from_ref(&layout.velocities))?;
        let history = numbers(&layout.history)?;
        parts.take(layout.kind, Numbers { coordinates, velocities, history });
    }
    if words.bytes.is_empty() { Ok(parts) } else { Err(Damage::Checksum) }
}

fn take_control(words: &mut Words) -> Result<Control, Damage> {
    let (target, number) = split(words.u64());
    let known = [Target::Drive, Target::Load, Target::Friction, Target::CellStrain, Target::CellRate];
    let target = known.into_iter().find(|t| *t as u32 == target).ok_or(Damage::Checksum)?;
    Ok(Control { target, number, value: words.f64() })
}

/// Contacts with a memory.
fn with_memory<const D: usize>(reactions: &[Reaction<D>]) -> u64 {
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
        pace,
        margins,
    } = *ledger;
    out.slice(&[initial_energy, work_loads, work_drives, friction, rolling, shocks, scheme, damping, throughput]);
    out.slice(&[worst_residual, worst_penetration, damage, joints, cancelled]);
    out.slice(&[materials.plastic, materials.viscous, materials.damage]);
    for count in [broken, unconverged, eased, painleve, sweeps, contact_sweeps] {
        out.u64(count);
    }
    out.slice(&[scale, pace]);
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
        pace: words.f64(),
        margins: std::array::from_fn(|_| take_worst(words)),
    }
}

fn take_worst(words: &mut Words) -> Worst {
    let (value, time) = (words.f64(), words.f64());
    let (first, second) = split(words.u64());
    Worst { value, time, bodies: [first, second] }
}

/// Set in the word of law, status and image if the contact has a memory: laws are counted by 16 bits, statuses by 2.
const HAS_MEMORY: u32 = 1 << 16;

fn put_reaction<const D: usize>(out: &mut Sink, reaction: &Reaction<D>) {
    let Reaction { contact: Contact { key, bodies, touch, law }, impulse, velocity, status, anchor, .. } = reaction;
    out.u64(join(key.candidate, key.antagonist));
    out.u64(join(key.feature, touch.feature));
    out.u64(join(bodies[0], bodies[1]));
    let flag = if reaction.remembers() { HAS_MEMORY } else { 0 };
    let [x, y, z] = key.image.0.map(|cells| cells as u32 & 0x7fff);
    out.u64(join(u32::from(*law) | flag | (x << 17), *status as u32 | (y << 2) | (z << 17)));
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
    // Fifteen bits with their sign.
    let cells = |bits: u32| ((bits << 17) as i32 >> 17) as i16;
    let image = Image([cells(law >> 17), cells(status >> 2), cells(status >> 17)]);
    let key = Key { candidate, antagonist, image, feature: key_feature };
    let contact = Contact { key, bodies: [first, second], touch, law: law as u16 };
    let (impulse, velocity) = (words.vect(), words.vect());
    let status = match status & 3 {
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
    /// Its length in bytes, then the bytes, filled up to whole words.
    fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }
}

/// Words still to be read. The length is checked before, so that `u64` always finds one; it gives 0 otherwise.
struct Words<'a> {
    bytes: &'a [u8],
}

impl<'a> Words<'a> {
    /// The next `count` words, apart.
    fn part(&mut self, count: u64) -> Result<Words<'a>, Damage> {
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(8));
        let (part, rest) = bytes.and_then(|n| self.bytes.split_at_checked(n)).ok_or(Damage::Checksum)?;
        self.bytes = rest;
        Ok(Words { bytes: part })
    }
    /// All numbers that are left.
    fn all(&self) -> Vec<f64> {
        self.bytes.as_chunks::<8>().0.iter().map(|word| f64::from_le_bytes(*word)).collect()
    }
    /// A number of things.
    fn length(&mut self) -> Result<usize, Damage> {
        self.next().and_then(|n| usize::try_from(n).ok()).ok_or(Damage::Checksum)
    }
    fn text(&mut self) -> Result<String, Damage> {
        let length = self.length()?;
        let bytes = self.part(length.div_ceil(8) as u64)?.bytes;
        let text = bytes.get(..length).ok_or(Damage::Checksum)?;
        String::from_utf8(text.to_vec()).map_err(|_| Damage::Checksum)
    }
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
        assert_eq!(encode(&decode::<2>(&encode(&flat), Some(&flat.blocks)).unwrap()), encode(&flat));
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
        assert_eq!(decode::<3>(&bytes, None), Err(Damage::OtherDimension { found: 2, expected: 3 }));
        let other = block::layouts(&crate::output::testing::scene::<2>(Vec::new(), 0.1));
        assert!(matches!(decode::<2>(&bytes, Some(&other)), Err(Damage::OtherBodies { .. })));
        assert_eq!(decode::<2>(b"# a text file, not a state", None), Err(Damage::NotAState));
        let mut other = bytes.clone();
        other[8] = 9;
        let old = decode::<2>(&other, None).unwrap_err();
        assert_eq!(old, Damage::OtherVersion { found: 9, expected: VERSION });
        assert!(old.to_string().starts_with("saved in format 9 by an earlier version"), "{old}");
        let mut short = bytes.clone();
        short.truncate(bytes.len() - 1);
        assert!(matches!(decode::<2>(&short, None), Err(Damage::WrongLength { .. })));
    }
}
