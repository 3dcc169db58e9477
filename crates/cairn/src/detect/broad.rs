//! Broad phase: a hierarchical grid.
//!
//! Every bounded part lives in the level of its size s = 2 (radius + reach): level k holds sizes in
//! (s_max/2ᵏ⁺¹, s_max/2ᵏ], and its cells are as wide as its largest part. So a part meets parts of its own level only in
//! the 3ᴰ cells around it (half of them are visited: each pair once), and parts of a coarser level only in the 2ᴰ to
//! 3ᴰ cells there that its own box, grown by half a cell, touches. Grains of 1:20 in size cost about the same as equal ones.
//!
//! A level is sorted by cell (counting sort) into one compact list. Cells wrap around (cell i is i mod n): a stone far
//! away cannot blow up the grid; what wrapping brings together by mistake, the test of the bounding balls rejects.
//!
//! Half-spaces, hollows and surfaces are tested against every other part.

use super::bounds::{BoundingBall, Bounds};
use crate::body::Part;
use crate::shape::{Hollow, Shape};
use crate::space::{Ambient, Placement, Space, Vect};
use rayon::prelude::*;
use std::ops::Range;

/// Sizes below s_max/2¹⁵ share the last level.
const LEVELS: usize = 16;
/// Parts that one task takes; fixed, so that tasks do not depend on the number of threads.
const CHUNK: usize = 4096;
/// Cells per part that a level may have at the most.
const CELLS_PER_PART: usize = 4;
/// Fewest cells along an axis: neighbours on both sides are different ones.
const FEWEST: usize = 3;
/// Cells are a little wider than their largest part, so that round-off cannot put neighbours two cells apart.
const ROOM: f64 = 1.0 + 1e-9;

/// A part in its cell.
#[derive(Clone, Copy, Debug)]
struct Item<const D: usize> {
    centre: Vect<D>,
    /// Radius with reach.
    radius: f64,
    part: u32,
    cell: u32,
}

/// Parts of about one size, sorted by cell.
#[derive(Debug)]
struct Level<const D: usize> {
    origin: Vect<D>,
    width: f64,
    per_width: f64,
    /// Cells along each axis, 1 along the third in 2D; the first axis runs fastest.
    count: [usize; 3],
    /// Items of cell c: `start[c] .. start[c + 1]`.
    start: Vec<u32>,
    items: Vec<Item<D>>,
    unsorted: Vec<Item<D>>,
}

impl<const D: usize> Default for Level<D> {
    fn default() -> Self {
        let (start, items, unsorted) = (Vec::new(), Vec::new(), Vec::new());
        Self { width: 0.0, origin: Vect::zeros(), per_width: 0.0, count: [1; 3], start, items, unsorted }
    }
}

/// Buffers of the broad phase.
#[derive(Debug)]
pub(super) struct Broad<const D: usize> {
    levels: Vec<Level<D>>,
    found: Vec<[u32; 2]>,
    chunks: Vec<Vec<[u32; 2]>>,
    start: Vec<u32>,
}

impl<const D: usize> Default for Broad<D> {
    fn default() -> Self {
        Self { levels: Vec::new(), found: Vec::new(), chunks: Vec::new(), start: Vec::new() }
    }
}

impl<const D: usize> Broad<D>
where
    Space<D>: Ambient<D>,
{
    /// Pairs (a, b), a < b, whose bounds grown by their reach meet; sorted.
    pub fn pairs(&mut self, parts: &[Part<D>], places: &[Placement<D>], bounds: &Bounds<D>, pairs: &mut Vec<[u32; 2]>) {
        self.fill_levels(&bounds.balls);
        self.found.clear();
        for level in 0..self.levels.len() {
            self.search_level(level, bounds);
        }
        for (w, ball) in bounds.balls.iter().enumerate().filter(|(_, ball)| ball.is_wide) {
            against_all(w as u32, ball, &parts[w].shape, &places[w], &bounds.balls, &mut self.found);
        }
        sort_pairs(&self.found, bounds.balls.len(), &mut self.start, pairs);
    }

    fn fill_levels(&mut self, balls: &[BoundingBall<D>]) {
        let bounded = || balls.iter().enumerate().filter(|(_, ball)| !ball.is_wide);
        let size = |ball: &BoundingBall<D>| 2.0 * (ball.radius + ball.reach);
        let largest = bounded().map(|(_, ball)| size(ball)).fold(0.0, f64::max);
        self.levels.resize_with(LEVELS, Level::default);
        self.levels.iter_mut().for_each(|level| level.unsorted.clear());
        for (part, ball) in bounded() {
            let (mut level, mut limit) = (0, 0.5 * largest);
            while size(ball) <= limit && level + 1 < LEVELS {
                level += 1;
                limit *= 0.5;
            }
            let radius = ball.radius + ball.reach;
            self.levels[level].unsorted.push(Item { centre: ball.centre, radius, part: part as u32, cell: 0 });
        }
        self.levels.iter_mut().for_each(Level::sort);
    }

    /// Pairs of a level with itself and with all coarser ones.
    fn search_level(&mut self, fine: usize, bounds: &Bounds<D>) {
        let (coarser, level) = (&self.levels[..fine], &self.levels[fine]);
        let search = |items: Range<usize>, found: &mut Vec<[u32; 2]>| {
            level.pairs_within(items.clone(), bounds, found);
            for coarse in coarser.iter().filter(|c| !c.items.is_empty()) {
                for item in &level.items[items.clone()] {
                    coarse.pairs_with(item, bounds, found);
                }
            }
        };
        let total = level.items.len();
        if rayon::current_num_threads() == 1 || total <= CHUNK {
            search(0..total, &mut self.found);
            return;
        }
        let chunks = total.div_ceil(CHUNK);
        self.chunks.resize_with(chunks.max(self.chunks.len()), Vec::new);
        self.chunks[..chunks].par_iter_mut().enumerate().for_each(|(i, found)| {
            found.clear();
            search(i * CHUNK..((i + 1) * CHUNK).min(total), found);
        });
        self.chunks[..chunks].iter().for_each(|found| self.found.extend_from_slice(found));
    }
}

impl<const D: usize> Level<D> {
    /// Chooses the cells and sorts the items by them.
    fn sort(&mut self) {
        self.items.clear();
        let Some(first) = self.unsorted.first().copied() else { return };
        let (mut low, mut high, mut radius) = (first.centre, first.centre, 0f64);
        for item in &self.unsorted {
            low = low.inf(&item.centre);
            high = high.sup(&item.centre);
            radius = radius.max(item.radius);
        }
        self.origin = low;
        // Points of no size still need cells of some width.
        self.width = (2.0 * radius * ROOM).max(f64::MIN_POSITIVE);
        self.per_width = 1.0 / self.width;
        self.choose_counts(&(high - low));
        let cells = self.count.iter().product::<usize>();
        self.start.clear();
        self.start.resize(cells + 1, 0);
        for i in 0..self.unsorted.len() {
            let cell = self.cell_of(&self.unsorted[i].centre);
            self.unsorted[i].cell = cell as u32;
            self.start[cell] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        // Filling each cell from its end backwards leaves `start` at the cells' beginnings.
        self.items.resize(self.unsorted.len(), first);
        for item in self.unsorted.iter().rev() {
            let slot = &mut self.start[item.cell as usize];
            *slot -= 1;
            self.items[*slot as usize] = *item;
        }
    }

    /// As many cells as the extent needs, the longest axis halved until their number is in proportion to the parts.
    fn choose_counts(&mut self, extent: &Vect<D>) {
        let most = CELLS_PER_PART * self.unsorted.len() + FEWEST.pow(D as u32);
        for k in 0..D {
            // The cast saturates, also for an infinite extent.
            self.count[k] = ((extent[k] / self.width) as usize).clamp(FEWEST - 1, most) + 1;
        }
        while self.count.iter().map(|&n| n as u128).product::<u128>() > most as u128 {
            let longest = (0..D).max_by_key(|&k| self.count[k]).unwrap_or(0);
            self.count[longest] = self.count[longest].div_ceil(2).max(FEWEST);
        }
    }

    /// Number of the cell along an axis, before wrapping.
    #[inline]
    fn index(&self, x: f64, axis: usize) -> i64 {
        let cells = (x - self.origin[axis]) * self.per_width;
        // Rounding down by hand: without SSE 4.1 `floor` is a call.
        let whole = cells as i64;
        whole - i64::from(cells < whole as f64)
    }

    /// Number of the cell along an axis, wrapped; the division is for the few that wrap.
    #[inline]
    fn wrapped(&self, index: i64, axis: usize) -> usize {
        let n = self.count[axis] as i64;
        if (0..n).contains(&index) { index as usize } else { index.rem_euclid(n) as usize }
    }

    #[inline]
    fn cell_of(&self, centre: &Vect<D>) -> usize {
        (0..D).rev().fold(0, |cell, k| cell * self.count[k] + self.wrapped(self.index(centre[k], k), k))
    }

    /// Visits the items of a block of cells, row by row: `number` cells along each axis from `first` on, wrapping.
    #[inline]
    fn visit_block(&self, first: [usize; 3], number: [usize; 3], mut visit: impl FnMut(Range<usize>)) {
        let [nx, ny, nz] = self.count;
        let straight = number[0].min(nx - first[0]);
        for z in 0..number[2] {
            let z = if first[2] + z < nz { first[2] + z } else { first[2] + z - nz };
            for y in 0..number[1] {
                let y = if first[1] + y < ny { first[1] + y } else { first[1] + y - ny };
                let row = (z * ny + y) * nx;
                let items = |from: usize, to: usize| self.start[row + from] as usize..self.start[row + to] as usize;
                visit(items(first[0], first[0] + straight));
                if straight < number[0] {
                    visit(items(0, number[0] - straight));
                }
            }
        }
    }

    /// Pairs of the given items with the later ones of their cell and with those of half the cells around it.
    fn pairs_within(&self, items: Range<usize>, bounds: &Bounds<D>, found: &mut Vec<[u32; 2]>) {
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(16);
        let (mut cell, mut end) = (u32::MAX, 0);
        for i in items {
            let item = &self.items[i];
            if item.cell != cell {
                cell = item.cell;
                end = self.start[cell as usize + 1] as usize;
                self.forward_ranges(cell as usize, &mut ranges);
            }
            push_near(item, &self.items[i + 1..end], bounds, found);
            for range in &ranges {
                push_near(item, &self.items[range.clone()], bounds, found);
            }
        }
    }

    /// Items of half of the cells around this one: the next of its row, the row after, and in 3D the layer above.
    fn forward_ranges(&self, cell: usize, ranges: &mut Vec<Range<usize>>) {
        ranges.clear();
        let [nx, ny, nz] = self.count;
        let [x, y, z] = [cell % nx, cell / nx % ny, cell / nx / ny];
        let before = |i: usize, n: usize| if i == 0 { n - 1 } else { i - 1 };
        let after = |i: usize, n: usize| if i + 1 == n { 0 } else { i + 1 };
        let mut add = |range: Range<usize>| {
            if !range.is_empty() {
                ranges.push(range);
            }
        };
        self.visit_block([after(x, nx), y, z], [1, 1, 1], &mut add);
        self.visit_block([before(x, nx), after(y, ny), z], [3, 1, 1], &mut add);
        if D == 3 {
            self.visit_block([before(x, nx), before(y, ny), after(z, nz)], [3, 3, 1], &mut add);
        }
    }

    /// Pairs of an item of a finer level with the items here.
    fn pairs_with(&self, item: &Item<D>, bounds: &Bounds<D>, found: &mut Vec<[u32; 2]>) {
        let range = item.radius + 0.5 * self.width;
        let (mut first, mut number) = ([0; 3], [1; 3]);
        for k in 0..D {
            let low = self.index(item.centre[k] - range, k);
            let high = self.index(item.centre[k] + range, k);
            first[k] = self.wrapped(low, k);
            number[k] = (high.saturating_sub(low) as usize + 1).min(self.count[k]);
        }
        self.visit_block(first, number, |items| push_near(item, &self.items[items], bounds, found));
    }
}

/// Pairs of an item with others, as far as their bounding balls and boxes meet.
#[inline(always)]
fn push_near<const D: usize>(x: &Item<D>, others: &[Item<D>], bounds: &Bounds<D>, found: &mut Vec<[u32; 2]>) {
    for y in others {
        let sum = x.radius + y.radius;
        if (x.centre - y.centre).norm_squared() <= sum * sum && bounds.boxes_meet(x.part, y.part) {
            found.push([x.part.min(y.part), x.part.max(y.part)]);
        }
    }
}

/// Pairs of a half-space, hollow or surface with all bounded parts.
fn against_all<const D: usize>(
    wide: u32,
    ball: &BoundingBall<D>,
    shape: &Shape<D>,
    place: &Placement<D>,
    balls: &[BoundingBall<D>],
    found: &mut Vec<[u32; 2]>,
) where
    Space<D>: Ambient<D>,
{
    let mut keep = |near: &dyn Fn(&Vect<D>, f64) -> bool| {
        for (part, other) in balls.iter().enumerate().filter(|(_, other)| !other.is_wide) {
            if near(&other.centre, other.radius + other.reach + ball.reach) {
                let part = part as u32;
                found.push([wide.min(part), wide.max(part)]);
            }
        }
    };
    match shape {
        Shape::HalfSpace(half) => {
            let normal = place.direction(&half.normal);
            keep(&|x, radius| normal.dot(&(x - place.centre)) <= radius);
        }
        Shape::Hollow(hollow) => {
            keep(&|x, radius| Hollow::across(&place.local_point(x)).norm() + radius >= hollow.radius);
        }
        Shape::Surface(surface) => {
            let around = surface.bounds();
            keep(&|x, radius| {
                let local = place.local_point(x);
                (0..D).all(|k| local[k] + radius >= around.min[k] && local[k] - radius <= around.max[k])
            });
        }
        Shape::Ball(_) | Shape::Convex(_) => {}
    }
}

/// Counting sort by the first part, then each part's few partners among themselves.
fn sort_pairs(found: &[[u32; 2]], parts: usize, start: &mut Vec<u32>, pairs: &mut Vec<[u32; 2]>) {
    start.clear();
    start.resize(parts + 1, 0);
    for [a, _] in found {
        start[*a as usize] += 1;
    }
    let mut sum = 0;
    for start in start.iter_mut() {
        sum += *start;
        *start = sum;
    }
    pairs.clear();
    pairs.resize(found.len(), [0; 2]);
    for pair in found {
        let slot = &mut start[pair[0] as usize];
        *slot -= 1;
        pairs[*slot as usize] = *pair;
    }
    for a in 0..parts {
        pairs[start[a] as usize..start[a + 1] as usize].sort_unstable_by_key(|pair| pair[1]);
    }
}
