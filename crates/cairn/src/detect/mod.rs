//! Contact detection: shapes and places in, sorted contacts out.
//!
//! Broad phase ([`broad`]) → pairs of parts whose bounds, grown by their reach, meet, sorted; narrow phase ([`pair`]) →
//! points, normals, gaps; [`track`](track::track) → what is remembered of each from the step before. Pairs are sorted
//! before the narrow phase, so that contacts come out sorted by key and the same for any number of threads.

mod bounds;
mod broad;
mod lattice;
pub mod mesh;
pub mod pair;
#[cfg(test)]
mod tests;
mod track;

pub use lattice::{Lattice, Seen};
pub use track::track;

use crate::body::Part;
use crate::contact::{Contact, Image, Key, Touch};
use crate::shape::Shape;
use crate::space::{Ambient, Placement, Space};
use bounds::Bounds;
use broad::Broad;
use rayon::prelude::*;

/// Pairs that one task of the narrow phase takes; fixed, so that tasks do not depend on the number of threads.
const CHUNK: usize = 4096;

/// Buffers of the detection, kept between steps to save allocations. They carry no state.
#[derive(Debug)]
pub struct Detector<const D: usize> {
    bounds: Bounds<D>,
    broad: Broad<D>,
    pairs: Vec<[u32; 2]>,
    seen: Vec<Seen>,
    found: Vec<Vec<Contact<D>>>,
}

impl<const D: usize> Default for Detector<D> {
    fn default() -> Self {
        Self {
            bounds: Bounds::default(),
            broad: Broad::default(),
            pairs: Vec::new(),
            seen: Vec::new(),
            found: Vec::new(),
        }
    }
}

/// Finds all contacts with a gap of at most `reach[a] + reach[b]` between parts of different bodies for which
/// `law_between(a, b)`, asked with the two bodies, names a law. `places` are the parts' placements in the world. `out` is sorted by key.
pub fn detect<const D: usize>(
    parts: &[Part<D>],
    places: &[Placement<D>],
    reach: &[f64],
    law_between: &(impl Fn(u32, u32) -> Option<u16> + Sync),
    work: &mut Detector<D>,
    out: &mut Vec<Contact<D>>,
) where
    Space<D>: Ambient<D>,
{
    work.bounds.fill(parts, places, reach);
    work.broad.pairs(parts, places, &work.bounds, &mut work.pairs);
    let narrow = |pairs: &[[u32; 2]], out: &mut Vec<Contact<D>>| {
        let mut touches = Vec::new();
        for &[a, b] in pairs {
            let bodies = [a, b].map(|part| work.bounds.balls[part as usize].body);
            if bodies[0] != bodies[1]
                && let Some(law) = law_between(bodies[0], bodies[1])
            {
                contacts_of_pair(parts, places, &work.bounds, [a, b], law, &mut touches, out);
            }
        }
    };
    out.clear();
    if rayon::current_num_threads() == 1 || work.pairs.len() <= CHUNK {
        narrow(&work.pairs, out);
        return;
    }
    work.found.resize_with(work.pairs.len().div_ceil(CHUNK), Vec::new);
    work.found.par_iter_mut().zip(work.pairs.par_chunks(CHUNK)).for_each(|(found, pairs)| {
        found.clear();
        narrow(pairs, found);
    });
    work.found.iter().for_each(|found| out.extend_from_slice(found));
}

/// The same in a periodic cell, whose images move by the last of it while contacts are looked for.
pub fn detect_images<const D: usize>(
    (parts, places): (&[Part<D>], &[Placement<D>]),
    reach: &[f64],
    lattice: &Lattice<D>,
    law_between: &(impl Fn(u32, u32) -> Option<u16> + Sync),
    work: &mut Detector<D>,
    out: &mut Vec<Contact<D>>,
) where
    Space<D>: Ambient<D>,
{
    near(parts, places, reach, Some(lattice), work);
    let narrow = |seen: &[Seen], out: &mut Vec<Contact<D>>| {
        let mut touches = Vec::new();
        for &Seen { parts: pair, image } in seen {
            let bodies = pair.map(|part| parts[part as usize].body);
            let law = law_between(bodies[0], bodies[1]).filter(|_| bodies[0] != bodies[1]);
            let Some(law) = law else { continue };
            let [a, b] = pair.map(|part| part as usize);
            let there = lattice.image_of(&places[b], image);
            touches.clear();
            let is_bounded = |part: usize| matches!(parts[part].shape, Shape::Ball(_) | Shape::Convex(_));
            let travel = || lattice.travel(image, [a, b].map(|part| &places[part].centre));
            let reach = reach[a] + reach[b] + if is_bounded(a) && is_bounded(b) { travel() } else { 0.0 };
            pair::touches((&parts[a].shape, &places[a]), (&parts[b].shape, &there), reach, &mut touches);
            touches.sort_unstable_by_key(|touch| touch.feature);
            let key = |touch: &Touch<D>| Key { image, ..Key::new(pair[0], pair[1], touch.feature) };
            out.extend(touches.iter().map(|touch| Contact { key: key(touch), bodies, touch: *touch, law }));
        }
    };
    out.clear();
    work.found.resize_with(work.seen.len().div_ceil(CHUNK), Vec::new);
    work.found.par_iter_mut().zip(work.seen.par_chunks(CHUNK)).for_each(|(found, seen)| {
        found.clear();
        narrow(seen, found);
    });
    work.found.iter().for_each(|found| out.extend_from_slice(found));
}

/// Pairs of parts whose bounds, grown by their reach, meet, with the image of the second that meets the first; sorted.
pub fn near<'w, const D: usize>(
    parts: &[Part<D>],
    places: &[Placement<D>],
    reach: &[f64],
    lattice: Option<&Lattice<D>>,
    work: &'w mut Detector<D>,
) -> &'w [Seen]
where
    Space<D>: Ambient<D>,
{
    work.bounds.fill(parts, places, reach);
    let images = lattice.map(|lattice| lattice.fold(&mut work.bounds));
    work.broad.pairs(parts, places, &work.bounds, &mut work.pairs);
    work.seen.clear();
    match &images {
        None => work.seen.extend(work.pairs.iter().map(|pair| Seen { parts: *pair, image: Image::HOME })),
        Some(images) => {
            work.seen.extend(work.pairs.iter().filter_map(|pair| images.seen(*pair)));
            work.seen.sort_unstable();
        }
    }
    &work.seen
}

/// Narrow phase of one pair; two balls, by far the most frequent, need their bounds only.
fn contacts_of_pair<const D: usize>(
    parts: &[Part<D>],
    places: &[Placement<D>],
    bounds: &Bounds<D>,
    [a, b]: [u32; 2],
    law: u16,
    touches: &mut Vec<Touch<D>>,
    out: &mut Vec<Contact<D>>,
) where
    Space<D>: Ambient<D>,
{
    let (i, j) = (a as usize, b as usize);
    let (x, y) = (&bounds.balls[i], &bounds.balls[j]);
    let reach = x.reach + y.reach;
    let bodies = [x.body, y.body];
    let contact = |touch: Touch<D>| Contact { key: Key::new(a, b, touch.feature), bodies, touch, law };
    if x.is_ball && y.is_ball {
        out.extend(pair::ball_ball::touch(&x.centre, x.radius, &y.centre, y.radius, reach).map(contact));
        return;
    }
    touches.clear();
    pair::touches((&parts[i].shape, &places[i]), (&parts[j].shape, &places[j]), reach, touches);
    touches.sort_unstable_by_key(|t| t.feature);
    out.extend(touches.iter().copied().map(contact));
}

/// The deepest overlaps, worst first: bodies and gap of each contact that overlaps by more than `tolerance` [m].
pub fn worst_overlaps<const D: usize>(contacts: &[Contact<D>], tolerance: f64) -> Vec<([u32; 2], f64)> {
    let mut deep: Vec<_> =
        contacts.iter().filter(|c| c.touch.gap < -tolerance).map(|c| (c.bodies, c.touch.gap)).collect();
    deep.sort_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)));
    deep
}

/// The deepest overlap: the two bodies and the gap, if any contact has a negative one.
pub fn worst_overlap<const D: usize>(contacts: &[Contact<D>]) -> Option<([u32; 2], f64)> {
    worst_overlaps(contacts, 0.0).first().copied()
}
