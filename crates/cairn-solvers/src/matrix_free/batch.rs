//! Packed storage: bodies in rows, points in groups of lanes.

use super::layout::{Layout, MAX_POINT};
use super::simd::fetch_all;
use super::turning::Turn;
use crate::problem::{Link, Mat, Vect};

/// No link in this lane.
pub(super) const NONE: u32 = u32::MAX;

/// Points ahead of the one that is packed or read back whose links are fetched: by tile and colour they are far apart.
pub(super) const LINKS_AHEAD: usize = 4;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f64; 8]);

/// Numbers that start at a cache line.
#[derive(Default)]
pub(super) struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    /// Makes room for `len` numbers; what they are is up to the caller.
    pub fn resize(&mut self, len: usize) {
        self.len = len;
        self.lines.resize(len.div_ceil(8), Line([0.0; 8]));
    }

    pub fn numbers(&self) -> &[f64] {
        // SAFETY: a line is 8 numbers without padding, and `lines` holds at least `len` of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    pub fn numbers_mut(&mut self) -> &mut [f64] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

/// Consecutive links between the same two masses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manifold {
    pub first: u32,
    pub count: u32,
}

/// Manifolds relaxed together, one per lane: which bodies, which points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Candidate and antagonist of each lane; lanes without manifold have the ground's slot.
    pub slots: [[u32; 4]; 2],
    /// First point, and number of points of the longest manifold.
    pub first: u32,
    pub count: u32,
}

/// Groups and their points, `width` lanes wide.
pub(super) struct Batch {
    pub width: usize,
    pub groups: Vec<Group>,
    pub points: Buffer,
    /// The link of each lane of each point.
    pub links: Vec<[u32; 4]>,
}

/// What is made of a link before it is packed. `bias` holds the velocity of sides that do not respond, too; their `arms` are zero.
pub(super) struct Prepared<const D: usize> {
    pub arms: [Vect<D>; 2],
    pub bias: Vect<D>,
    pub w: Mat<D>,
    pub turn: Turn,
    /// τ of the sides (see `round.rs`).
    pub taken: [f64; 2],
}

impl Batch {
    pub fn new(width: usize) -> Self {
        Self { width, groups: Vec::new(), points: Buffer::default(), links: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.groups.clear();
        self.links.clear();
    }

    /// Adds a group of up to `width` manifolds.
    pub fn add(&mut self, manifolds: &[(Manifold, [u32; 2])], ground: u32) {
        let count = manifolds.iter().map(|(m, _)| m.count).max().unwrap_or(0);
        let mut slots = [[ground; 4]; 2];
        for (lane, (_, pair)) in manifolds.iter().enumerate() {
            (slots[0][lane], slots[1][lane]) = (pair[0], pair[1]);
        }
        self.groups.push(Group { slots, first: self.links.len() as u32, count });
        for point in 0..count {
            let mut links = [NONE; 4];
            for (link, (m, _)) in links.iter_mut().zip(manifolds).filter(|(_, (m, _))| point < m.count) {
                *link = m.first + point;
            }
            self.links.push(links);
        }
    }

    /// Writes the points of all groups. `prepare` gives nothing for a link that cannot respond; its lane stays inert.
    pub fn pack<K: Layout, const D: usize>(
        &mut self,
        links: &[Link<D>],
        mut prepare: impl FnMut(usize) -> Option<Prepared<D>>,
    ) {
        let width = self.width;
        self.points.resize(self.links.len() * K::POINT * width);
        let data = self.points.numbers_mut().chunks_exact_mut(K::POINT * width);
        let mut fields = [0.0; MAX_POINT];
        for (point, data) in data.enumerate() {
            let ahead = self.links.get(point + LINKS_AHEAD).into_iter().flatten();
            ahead.filter_map(|&id| links.get(id as usize)).for_each(|link| fetch_all(link));
            for (lane, id) in self.links[point].iter().enumerate().take(width) {
                let prepared = if *id == NONE { None } else { prepare(*id as usize) };
                match prepared {
                    Some(prepared) => K::write_point(&links[*id as usize], &prepared, &mut fields),
                    None => K::inert(&mut fields),
                }
                for (field, value) in fields[..K::POINT].iter().enumerate() {
                    data[field * width + lane] = *value;
                }
            }
        }
    }
}
