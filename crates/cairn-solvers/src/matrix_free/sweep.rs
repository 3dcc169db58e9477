//! One sweep over groups, and the read-only pass after the last one.
//!
//! A group's bodies are loaded once, its points relaxed one after the other while the bodies stay in registers, and the bodies
//! stored once. The same source serves single lanes, portable lanes and AVX2.

use super::batch::{Group, LINKS_AHEAD, NONE};
use super::layout::{Layout, Pulse, Start, fields};
use super::rolls::Rolls;
use super::simd::{Lane, Plain, fetch, fetch_all};
use crate::problem::{Link, Vect};
use crate::residual::Tally;
use crate::rolling::{self, Roll};

/// Where the data are. The pointers are shared by threads that work on disjoint bodies and points.
#[derive(Clone, Copy)]
pub(super) struct Data {
    pub bodies: *mut f64,
    pub points: *mut f64,
    /// The slot that is never written.
    pub ground: u32,
}

// SAFETY: groups of one colour touch disjoint bodies (except the ground's row, which is only read) and points.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

/// Sums over a chunk of groups: max ‖dR‖²/ρ², Σ‖dR‖²/ρ², Σ‖R‖²/ρ², number of active points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Partial {
    pub change: f64,
    pub work: f64,
    pub strength: f64,
    pub active: f64,
}

impl Partial {
    pub fn merge(&mut self, other: &Self) {
        self.change = Lane::max(other.change, self.change);
        self.work += other.work;
        self.strength += other.strength;
        self.active += other.active;
    }
}

/// Which arithmetic carries the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// One lane, groups from first to last.
    Single,
    /// One lane, groups and points from last to first.
    SingleBackward,
    /// Four lanes in arrays.
    Plain,
    /// Four lanes in AVX2 registers.
    #[cfg(target_arch = "x86_64")]
    Avx,
}

impl Engine {
    /// The fastest four lanes of this processor.
    pub fn wide(portable: bool) -> Self {
        #[cfg(target_arch = "x86_64")]
        if !portable && is_x86_feature_detected!("avx2") {
            return Self::Avx;
        }
        let _ = portable;
        Self::Plain
    }
}

/// Groups ahead of the one that is relaxed whose points and bodies are fetched: those of large collections come from far, and one after the
/// other is not soon enough.
const AHEAD: usize = 4;

/// How to sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// β of the momentum: impulses start from R + β (R − R_last).
    pub carry: f64,
    /// Passes over the points of a group that has several.
    pub passes: usize,
}

/// Relaxes every point of the groups.
///
/// # Safety
/// `data` fits the layout and the groups, whose width is the engine's; no one else uses their bodies or points.
pub(super) unsafe fn sweep<K: Layout>(engine: Engine, manner: Manner, data: Data, groups: &[Group]) -> Partial {
    // SAFETY: the caller's, in all of this function.
    unsafe {
        match engine {
            Engine::Single => relax_groups::<K, f64, false>(manner, data, groups),
            Engine::SingleBackward => relax_groups::<K, f64, true>(manner, data, groups),
            Engine::Plain => relax_groups::<K, Plain, false>(manner, data, groups),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx => sweep_avx::<K>(manner, data, groups),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn sweep_avx<K: Layout>(manner: Manner, data: Data, groups: &[Group]) -> Partial {
    // SAFETY: the caller's, in all of this function.
    unsafe { relax_groups::<K, super::simd::Four, false>(manner, data, groups) }
}

/// The rows of a group's bodies, to read.
#[inline(always)]
fn rows<K: Layout>(data: Data, group: &Group) -> [[*mut f64; 4]; 2] {
    group.slots.map(|side| side.map(|slot| data.bodies.wrapping_add(slot as usize * K::BODY)))
}

/// The same, to write: none for the ground.
#[inline(always)]
fn own_rows(data: Data, group: &Group, mut rows: [[*mut f64; 4]; 2]) -> [[*mut f64; 4]; 2] {
    for (rows, slots) in rows.iter_mut().zip(&group.slots) {
        for (row, &slot) in rows.iter_mut().zip(slots) {
            if slot == data.ground {
                *row = std::ptr::null_mut();
            }
        }
    }
    rows
}

/// Asks for the first point of a group, and for its bodies.
#[inline(always)]
fn fetch_group<K: Layout, V: Lane>(data: Data, group: &Group) {
    fetch(data.points.wrapping_add(group.first as usize * K::POINT * V::WIDTH), K::POINT * V::WIDTH);
    for row in rows::<K>(data, group).as_flattened() {
        fetch(*row, K::BODY);
    }
}

#[inline(always)]
unsafe fn relax_groups<K: Layout, V: Lane, const BACKWARD: bool>(
    manner: Manner,
    data: Data,
    groups: &[Group],
) -> Partial {
    let mut pulse = Pulse::<V>::new();
    let carry = V::splat(manner.carry);
    for step in 0..groups.len() {
        let group = if BACKWARD { &groups[groups.len() - 1 - step] } else { &groups[step] };
        if !BACKWARD && step + AHEAD < groups.len() {
            fetch_group::<K, V>(data, &groups[step + AHEAD]);
        }
        let rows = rows::<K>(data, group);
        // SAFETY: the caller's.
        unsafe {
            let mut pair = K::load::<V>(rows);
            for point in 0..group.count {
                let point = if BACKWARD { group.count - 1 - point } else { point };
                let at = (group.first + point) as usize * K::POINT * V::WIDTH;
                K::relax(&mut pair, data.points.add(at), Start::Carried(carry), &mut pulse);
            }
            // Again, without a look at convergence: the first pass told.
            let again = if group.count > 1 { manner.passes - 1 } else { 0 };
            for point in (0..again).flat_map(|_| 0..group.count) {
                let at = (group.first + point) as usize * K::POINT * V::WIDTH;
                K::relax(&mut pair, data.points.add(at), Start::Present, &mut Pulse::new());
            }
            K::store(&pair, own_rows(data, group, rows));
        }
    }
    let (change, work) = (pulse.change.lanes(), pulse.work.lanes());
    let (strength, active) = (pulse.strength.lanes(), pulse.active.lanes());
    let mut partial = Partial::default();
    for lane in 0..V::WIDTH {
        let lane = Partial { change: change[lane], work: work[lane], strength: strength[lane], active: active[lane] };
        partial.merge(&lane);
    }
    partial
}

/// Links and moments that threads write to, each some of its own; ρ of the links and the laws of the moments.
pub(super) struct Links<'a, const D: usize> {
    links: *mut Link<D>,
    rho: &'a [f64],
    moments: *mut Roll,
    rolls: &'a Rolls,
}

// SAFETY: see `export`.
unsafe impl<const D: usize> Sync for Links<'_, D> {}

impl<'a, const D: usize> Links<'a, D> {
    /// `rolls` is of these moments and links.
    pub fn new(links: &'a mut [Link<D>], rho: &'a [f64], moments: &'a mut [Roll], rolls: &'a Rolls) -> Self {
        Self { links: links.as_mut_ptr(), rho, moments: moments.as_mut_ptr(), rolls }
    }

    /// Writes a moment of which Ω and M are known, if the link has one, and counts it.
    ///
    /// # Safety
    /// As for [`export`].
    unsafe fn write_moment(&self, link: usize, spin: Vect<3>, moment: Vect<3>, tally: &mut Tally) {
        let Some((index, law)) = self.rolls.of(link) else { return };
        // SAFETY: the caller's, in all of this function.
        let pressing = rolling::pressing(unsafe { &*self.links.add(link) });
        tally.add_moment(link, law.eta(&moment, &spin, pressing, self.rho[link]));
        // SAFETY: as above.
        unsafe { (*self.moments.add(index)).moment = moment };
    }
}

/// Writes impulses and velocities (without bias) of the groups' points into their links, and moments; what the residual is made of.
///
/// # Safety
/// As for [`sweep`], but nothing is written in `data`; `links` is the list from which the groups were made, and no one else uses
/// the links of these groups, nor their moments.
pub(super) unsafe fn export<K: Layout, const D: usize>(
    width: usize,
    data: Data,
    groups: &[Group],
    ids: &[[u32; 4]],
    links: &Links<D>,
) -> Tally {
    // SAFETY: the caller's, in all of this function.
    unsafe {
        match width {
            1 => export_groups::<K, f64, D>(data, groups, ids, links),
            _ => export_groups::<K, Plain, D>(data, groups, ids, links),
        }
    }
}

unsafe fn export_groups<K: Layout, V: Lane, const D: usize>(
    data: Data,
    groups: &[Group],
    ids: &[[u32; 4]],
    list: &Links<D>,
) -> Tally {
    let Links { links, rho, .. } = list;
    let mut tally = Tally::default();
    for group in groups {
        let ahead = ids.get(group.first as usize + LINKS_AHEAD).into_iter().flatten();
        ahead.filter(|id| **id != NONE).for_each(|&id| fetch_all(links.wrapping_add(id as usize)));
        // SAFETY: the caller's.
        let pair = unsafe { K::load::<V>(rows::<K>(data, group)) };
        for point in group.first..group.first + group.count {
            let start = data.points.wrapping_add(point as usize * K::POINT * V::WIDTH);
            // SAFETY: as above.
            let (velocity, impulse) = unsafe {
                let velocity = K::velocity(&pair, start).map(V::lanes);
                (velocity, fields::<V, 3>(start, K::IMPULSE).map(V::lanes))
            };
            // SAFETY: as above.
            let turning = K::ROLLING.then(|| unsafe { K::turning(&pair, start) }.map(|x: [V; 3]| x.map(V::lanes)));
            for (lane, &id) in ids[point as usize].iter().enumerate().take(V::WIDTH).filter(|(_, id)| **id != NONE) {
                let rho = rho[id as usize];
                // What cannot respond, or not by a number, is inert.
                if rho == 0.0 || rho == f64::INFINITY {
                    continue;
                }
                // SAFETY: as above.
                let link = unsafe { &mut *links.add(id as usize) };
                link.impulse = K::in_frame(link, impulse.map(|x| x[lane]));
                link.velocity = K::in_frame(link, velocity.map(|x| x[lane])) - link.form.bias;
                tally.add(id as usize, link, rho);
                if let Some(turning) = turning {
                    let [spin, moment] = turning.map(|x| Vect::from(x.map(|x| x[lane])));
                    // SAFETY: as above.
                    unsafe { list.write_moment(id as usize, spin, moment, &mut tally) };
                }
            }
        }
    }
    tally
}
