//! Links → manifolds → tiles and colours → groups of lanes.

use super::batch::{Batch, Manifold};
use super::colouring::{self, COLOURS};
use super::tiles::Tiles;
use crate::problem::{GROUND, Link};
use crate::report::Order;
use std::ops::Range;

/// Manifolds that a colour must have for lanes to pay.
const LEAST_COLOUR: usize = 3;

/// Where each colour begins among the members of a section; what has no colour comes last.
type Starts = [usize; COLOURS + 2];

/// A tile: the slots of its bodies, and its groups, colour after colour.
pub(super) struct Tile {
    pub slots: Range<usize>,
    pub groups: Range<usize>,
}

/// Which manifolds are relaxed when; kept from step to step to save allocations.
#[derive(Default)]
pub(super) struct Arrangement {
    /// Where the bodies are.
    pub numbering: Tiles,
    /// None where the collection is not large.
    pub tiles: Vec<Tile>,
    /// The groups of each colour that are in no tile.
    pub colours: Vec<Range<usize>>,
    manifolds: Vec<Manifold>,
    /// Slots of the two bodies of each manifold.
    pairs: Vec<[u32; 2]>,
    /// Manifolds by tile, those between tiles last; then by colour too.
    sorted: Vec<u32>,
    scratch: Vec<u32>,
    colour_of: Vec<u8>,
    used: Vec<u64>,
}

impl Arrangement {
    /// Fills the batches, four lanes and one lane wide, with all links but the `elastic` ones, ascending.
    pub fn arrange<const D: usize>(
        &mut self,
        links: &[Link<D>],
        elastic: &[u32],
        responds: &[bool],
        order: Order,
        wide: &mut Batch,
        narrow: &mut Batch,
    ) {
        let ground = responds.len() as u32;
        self.list_manifolds(links, elastic, responds);
        self.numbering.arrange(responds.len(), &self.pairs, order == Order::Coloured);
        self.pairs.iter_mut().for_each(|pair| *pair = pair.map(|body| self.numbering.slot(body)));
        wide.clear();
        narrow.clear();
        self.tiles.clear();
        self.colours.clear();
        if order != Order::Coloured {
            for (&manifold, &pair) in self.manifolds.iter().zip(&self.pairs) {
                narrow.add(&[(manifold, pair)], ground);
            }
            return;
        }
        self.used.clear();
        self.used.resize(ground as usize + 1, 0);
        let mut begin = 0;
        for (end, slots) in self.sort_by_tile(ground).into_iter().zip(Tiles::ranges(responds.len())) {
            // Tiles share no body: what one has used says nothing in another.
            let starts = self.sort_by_colour(begin..end, ground);
            let first = wide.groups.len();
            (0..COLOURS).for_each(|c| self.add_fours(starts[c]..starts[c + 1], ground, wide));
            self.add_singles(starts[COLOURS]..end, ground, narrow);
            self.tiles.push(Tile { slots, groups: first..wide.groups.len() });
            begin = end;
        }
        self.used.fill(0);
        let starts = self.sort_by_colour(begin..self.pairs.len(), ground);
        for members in (0..=COLOURS).map(|c| starts[c]..starts[c + 1]) {
            if members.start == starts[COLOURS] || members.len() < LEAST_COLOUR {
                self.add_singles(members, ground, narrow);
                continue;
            }
            let first = wide.groups.len();
            self.add_fours(members, ground, wide);
            self.colours.push(first..wide.groups.len());
        }
    }

    /// Relaxations in a sweep: manifolds of several points are gone through several times.
    pub fn relaxations(&self, passes: usize) -> usize {
        let times = |m: &Manifold| if m.count > 1 { passes } else { 1 };
        self.manifolds.iter().map(|m| times(m) * m.count as usize).sum()
    }

    /// Consecutive links between the same bodies; one that does not respond counts as the ground.
    fn list_manifolds<const D: usize>(&mut self, links: &[Link<D>], elastic: &[u32], responds: &[bool]) {
        let ground = responds.len() as u32;
        let responding = |mass: u32| if mass != GROUND && responds[mass as usize] { mass } else { ground };
        self.manifolds.clear();
        self.pairs.clear();
        let mut first = 0;
        for end in elastic.iter().copied().chain([links.len() as u32]) {
            for same in links[first as usize..end as usize].chunk_by(|a, b| a.masses == b.masses) {
                let pair = same[0].masses.map(responding);
                if pair != [ground; 2] {
                    self.manifolds.push(Manifold { first, count: same.len() as u32 });
                    self.pairs.push(pair);
                }
                first += same.len() as u32;
            }
            first = end + 1;
        }
    }

    /// Sorts by tile, in the order of the list; where each tile ends.
    fn sort_by_tile(&mut self, ground: u32) -> Vec<usize> {
        self.sorted.clear();
        self.sorted.extend(0..self.pairs.len() as u32);
        if !self.numbering.large {
            return Vec::new();
        }
        let tiles = Tiles::ranges(ground as usize).count();
        let tile = |pair: &[u32; 2]| Tiles::within(*pair, ground).map_or(tiles, |tile| tile as usize);
        let mut ends = vec![0; tiles + 1];
        self.pairs.iter().for_each(|pair| ends[tile(pair)] += 1);
        let mut next = 0;
        ends.iter_mut().for_each(|end| next += std::mem::replace(end, next));
        for (i, pair) in self.pairs.iter().enumerate() {
            let place = &mut ends[tile(pair)];
            self.sorted[*place] = i as u32;
            *place += 1;
        }
        ends.pop();
        ends
    }

    /// Gives colours to the members of a section of `sorted`, and sorts it by them.
    fn sort_by_colour(&mut self, section: Range<usize>, ground: u32) -> Starts {
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.sorted[section.clone()]);
        let pairs = self.scratch.iter().map(|&i| self.pairs[i as usize]);
        colouring::colour(pairs, ground, &mut self.used, &mut self.colour_of);
        let bin = |colour: u8| (colour as usize).min(COLOURS);
        let mut starts = [section.start; COLOURS + 2];
        self.colour_of.iter().for_each(|&c| starts[bin(c) + 1] += 1);
        for c in 0..=COLOURS {
            starts[c + 1] += starts[c] - section.start;
        }
        let mut next = starts;
        for (&i, &c) in self.scratch.iter().zip(&self.colour_of) {
            self.sorted[next[bin(c)]] = i;
            next[bin(c)] += 1;
        }
        starts
    }

    fn manifold(&self, i: u32) -> (Manifold, [u32; 2]) {
        (self.manifolds[i as usize], self.pairs[i as usize])
    }

    /// Four at a time; they should have as many points each.
    fn add_fours(&mut self, members: Range<usize>, ground: u32, wide: &mut Batch) {
        self.sorted[members.clone()].sort_by_key(|&i| std::cmp::Reverse(self.manifolds[i as usize].count));
        for four in self.sorted[members].chunks(4) {
            let mut lanes = [self.manifold(four[0]); 4];
            lanes.iter_mut().zip(four).for_each(|(lane, &i)| *lane = self.manifold(i));
            wide.add(&lanes[..four.len()], ground);
        }
    }

    fn add_singles(&self, members: Range<usize>, ground: u32, narrow: &mut Batch) {
        self.sorted[members].iter().for_each(|&i| narrow.add(&[self.manifold(i)], ground));
    }
}
