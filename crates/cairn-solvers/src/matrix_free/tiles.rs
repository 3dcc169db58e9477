//! Tiles: neighbourhoods of a large collection, each small enough to stay in a core's cache while its contacts are swept.
//!
//! Swept by colours alone, a collection of 100 000 bodies goes through the cache once for each colour. A tile grows from a body along
//! the contacts until it is full; the next one starts at the rim of those before. Manifolds within a tile are swept tile by tile, those
//! between tiles afterwards. Tiles share no body, so that threads may sweep them side by side, and which tile a body is in follows from
//! the list of contacts alone.
//!
//! The rows of a tile's bodies stand next to each other: bodies get new numbers, their *slots*.

/// Bodies of a tile.
const TILE: usize = 4096;
/// Bodies from which on a collection is large.
const LARGE: usize = 4 * TILE;

/// No slot yet.
const NONE: u32 = u32::MAX;

/// Bodies by tiles; kept from step to step to save allocations.
#[derive(Default)]
pub(super) struct Tiles {
    /// The slot of each body.
    slots: Vec<u32>,
    /// Are there tiles at all?
    pub large: bool,
    /// Neighbours of body b: `neighbours[starts[b]..starts[b + 1]]`.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Bodies of the tile that grows, in order; bodies at the rims of the tiles before.
    growing: Vec<u32>,
    rim: Vec<u32>,
}

impl Tiles {
    /// Numbers `bodies` bodies anew, `pairs` being the manifolds between them, with `bodies` for the ground. Without tiles, and for small
    /// collections, slots are numbers of bodies.
    pub fn arrange(&mut self, bodies: usize, pairs: &[[u32; 2]], wanted: bool) {
        self.large = wanted && bodies >= LARGE;
        self.slots.clear();
        if !self.large {
            self.slots.extend(0..=bodies as u32);
            return;
        }
        self.slots.resize(bodies, NONE);
        self.slots.push(bodies as u32);
        self.list_neighbours(bodies, pairs);
        self.rim.clear();
        let (mut next_rim, mut next_body, mut slot) = (0, 0, 0);
        while slot < bodies {
            let from_rim = self.rim[next_rim..].iter().position(|&b| self.slots[b as usize] == NONE);
            next_rim = from_rim.map_or(self.rim.len(), |skipped| next_rim + skipped);
            let seed = match self.rim.get(next_rim) {
                Some(&body) => body as usize,
                None => {
                    while self.slots[next_body] != NONE {
                        next_body += 1;
                    }
                    next_body
                }
            };
            let room = TILE - slot % TILE;
            slot += self.grow(seed, slot as u32, room);
        }
    }

    /// The slot of a body; the ground keeps its own.
    pub fn slot(&self, body: u32) -> u32 {
        self.slots[body as usize]
    }

    /// The tile of a manifold between two slots, if it lies within one.
    pub fn within([a, b]: [u32; 2], ground: u32) -> Option<u32> {
        let tile = |slot: u32| slot / TILE as u32;
        (a == ground || b == ground || tile(a) == tile(b)).then(|| tile(a.min(b)))
    }

    /// The slots of each tile.
    pub fn ranges(bodies: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..bodies).step_by(TILE).map(move |first| first..(first + TILE).min(bodies))
    }

    fn list_neighbours(&mut self, bodies: usize, pairs: &[[u32; 2]]) {
        let between = |pair: &&[u32; 2]| pair.iter().all(|&b| (b as usize) < bodies);
        self.starts.clear();
        self.starts.resize(bodies + 2, 0);
        // Counted two places ahead: filling moves the starts to where they belong.
        pairs.iter().filter(between).flatten().for_each(|&b| self.starts[b as usize + 2] += 1);
        for b in 2..self.starts.len() {
            self.starts[b] += self.starts[b - 1];
        }
        self.neighbours.clear();
        self.neighbours.resize(self.starts[bodies + 1] as usize, 0);
        for &[a, b] in pairs.iter().filter(between) {
            for (from, to) in [(a, b), (b, a)] {
                let place = &mut self.starts[from as usize + 1];
                self.neighbours[*place as usize] = to;
                *place += 1;
            }
        }
    }

    /// Gives slots from `first` on to a body and those around it, `room` at most; how many there were.
    fn grow(&mut self, seed: usize, first: u32, room: usize) -> usize {
        self.growing.clear();
        self.growing.push(seed as u32);
        self.slots[seed] = first;
        let mut read = 0;
        while let Some(&body) = self.growing.get(read) {
            read += 1;
            let row = self.starts[body as usize] as usize..self.starts[body as usize + 1] as usize;
            for &other in &self.neighbours[row] {
                if self.slots[other as usize] != NONE {
                    continue;
                }
                if self.growing.len() == room {
                    self.rim.push(other);
                    continue;
                }
                self.slots[other as usize] = first + self.growing.len() as u32;
                self.growing.push(other);
            }
        }
        self.growing.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies on a square grid, numbered in disorder.
    fn grid(side: u32) -> Vec<[u32; 2]> {
        let bodies = side * side;
        let number = |x: u32, y: u32| (x + side * y) * 7919 % bodies;
        let right =
            (0..bodies).filter(|i| i % side + 1 < side).map(|i| [(i % side, i / side), (i % side + 1, i / side)]);
        let up = (0..bodies - side).map(|i| [(i % side, i / side), (i % side, i / side + 1)]);
        right.chain(up).map(|pair| pair.map(|(x, y)| number(x, y))).collect()
    }

    #[test]
    fn every_body_has_one_slot_and_most_neighbours_share_a_tile() {
        let (side, ground) = (200, 200 * 200);
        let mut pairs = grid(side);
        pairs.extend([[3, ground], [ground, 5]]);
        let mut tiles = Tiles::default();
        tiles.arrange(ground as usize, &pairs, true);
        assert!(tiles.large);
        let mut slots: Vec<u32> = (0..=ground).map(|b| tiles.slot(b)).collect();
        slots.sort_unstable();
        assert!(slots.iter().enumerate().all(|(i, &slot)| slot == i as u32));
        let within = |pair: &&[u32; 2]| Tiles::within(pair.map(|b| tiles.slot(b)), ground).is_some();
        let share = pairs.iter().filter(within).count() as f64 / pairs.len() as f64;
        assert!(share > 0.9, "{share}");
        assert_eq!(Tiles::ranges(ground as usize).map(|r| r.len()).sum::<usize>(), ground as usize);
    }

    #[test]
    fn bodies_without_contacts_have_slots_too_and_small_collections_keep_their_numbers() {
        let mut tiles = Tiles::default();
        tiles.arrange(LARGE, &[], true);
        assert!(tiles.large && (0..LARGE as u32).all(|b| tiles.slot(b) == b));
        tiles.arrange(30, &[[29, 2], [2, 30]], true);
        assert!(!tiles.large && tiles.slot(29) == 29 && tiles.slot(30) == 30);
    }
}
