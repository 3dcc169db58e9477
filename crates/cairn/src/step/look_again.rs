//! A second look at the end of the step, where bodies have turned so far that contacts found at its start do not hold them apart.
//!
//! Contacts are linear in the step: g + h n·U ≥ 0 with points and normals of the shifted configuration. A plane between two convex bodies
//! that only translate is never crossed that way. A body that turns by φ takes its corners ½φ²R off the straight line, meets edges
//! with normals that nobody foresaw, and what has once overlapped is not pushed out by the quasi-inelastic law. So, where
//! φ (½φR + motion) is a length that matters, the pair is followed along the solved velocities U*. If it overlaps at the end of the step by
//! more than it may, the step is solved once more with the contacts of the place where it meets on the way, after a part s of the step
//! (or at the end, s = 1, if it overlaps all the way):
//!
//!   g(U) ≈ g(s) + h n·(U − s U*),     i.e. a contact with the normal of that place and the gap g(s) − s h n·U* at the start:
//!
//! one step of Newton for the true gap, around the motion that was found. What bodies turn into each other in the step (a gap that is negative
//! though they do not approach) is taken back, up to the bound of what turning can do; what has overlapped before is not. The point of the contact is
//! the mean of where it is at the start on either body: impulses stay opposite on one line. A pair that overlaps as deep as before in the
//! second solution is left to the repair of the next steps.

use super::assemble::is_ball;
use super::shift::drift;
use super::sweep::seen_in;
use super::{Workspace, deform, repair};
use crate::body::Part;
use crate::contact::{Contact, Image, Key, Touch};
use crate::detect::{Detector, Seen, near, pair};
use crate::scene::Scene;
use crate::shape::Shape;
use crate::space::{Ambient, Placement, Space, Vect};
use rayon::prelude::*;

/// Overlap beyond that of the start, in units of the penetration that is allowed, for which a step is solved once more.
const TOO_DEEP: f64 = 0.25;
/// The same for pairs that overlap already as deep as they may, in units of that.
const LEAST_SHARE: f64 = 0.1;
/// Overlap at the end, in half widths, that is too shallow for its normals to be wrong.
const SHALLOW: f64 = 0.02;
/// Part of its overlap that a pair may keep in another solution to be looked at once more.
const LESS: f64 = 0.9;
/// Places that are tried on the way of a pair to find where it meets.
const MOST_HALVINGS: usize = 20;
/// Features have smaller numbers.
const NO_FEATURE: u32 = u32::MAX - 1000;
/// Pairs that a task takes; fixed, so that nothing depends on the number of threads.
const CHUNK: usize = 256;

/// Buffers, and what the solution before has found.
pub(super) struct LookAgain<const D: usize> {
    detector: Detector<D>,
    /// Impulses of the solution before, world axes, sorted by key; empty unless the step is solved once more.
    pub impulses: Vec<(Key, Vect<D>)>,
    /// How deep pairs overlapped that have got contacts from here, sorted by pair [m].
    depths: Vec<(Seen, f64)>,
    /// How far contacts from here push what turns out of what it turned into, sorted by key [m].
    pushes: Vec<(Key, f64)>,
}

impl<const D: usize> Default for LookAgain<D> {
    fn default() -> Self {
        Self { detector: Detector::default(), impulses: Vec::new(), depths: Vec::new(), pushes: Vec::new() }
    }
}

impl<const D: usize> LookAgain<D> {
    /// Forgets the step before.
    pub fn begin(&mut self) {
        self.impulses.clear();
        self.depths.clear();
        self.forget_contacts();
    }

    /// Forgets what is known of contacts from here, where all are looked for anew.
    pub fn forget_contacts(&mut self) {
        self.pushes.clear();
    }

    /// How far a contact pushes apart what has turned into each other [m].
    pub fn push(&self, key: &Key) -> f64 {
        self.pushes.binary_search_by(|(other, _)| other.cmp(key)).map_or(0.0, |i| self.pushes[i].1)
    }

    /// How deep a pair overlapped at the end when it was last given contacts [m].
    fn depth(&self, pair: Seen) -> Option<f64> {
        let found = self.depths.binary_search_by(|(other, _)| other.cmp(&pair));
        found.ok().map(|i| self.depths[i].1)
    }

    /// Has a pair that overlaps as deep at the end got contacts from here before, which have not helped?
    pub fn is_hopeless(&self, pair: Seen, depth: f64) -> bool {
        self.depth(pair).is_some_and(|before| depth > LESS * before)
    }

    /// Keeps how deep a pair overlapped that is given contacts.
    pub fn note(&mut self, pair: Seen, depth: f64) {
        match self.depths.binary_search_by(|(other, _)| other.cmp(&pair)) {
            Ok(i) => self.depths[i].1 = depth,
            Err(i) => self.depths.insert(i, (pair, depth)),
        }
    }

    /// The impulse that the solution before found for a contact, if there was one.
    pub fn impulse(&self, key: &Key) -> Option<Vect<D>> {
        let found = self.impulses.binary_search_by(|(other, _)| other.cmp(key));
        found.ok().map(|i| self.impulses[i].1)
    }
}

/// How a part has moved: angle, and a bound of how far its points went [m].
#[derive(Clone, Copy, Default)]
struct Moved {
    angle: f64,
    way: f64,
    radius: f64,
}

/// Bounds the overlap of two parts that linear contacts do not see [m].
fn unseen([a, b]: [Moved; 2]) -> f64 {
    let off = |part: Moved| part.angle * (0.5 * part.angle * part.radius + a.way + b.way);
    off(a) + off(b)
}

/// Looks where the solved velocities take the bodies; adds to the contacts of the step, or puts right, what overlaps there. Returns
/// whether there was any: the step is to be solved once more.
pub(super) fn found_more<const D: usize>(scene: &Scene<D>, h: f64, work: &mut Workspace<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    work.look_again.impulses.clear();
    let allowed = TOO_DEEP * work.repair.allowed;
    if !scene.accuracy.repair || !allowed.is_finite() {
        return false;
    }
    let (mut rigid, mut meshes) = (overlaps(scene, h, allowed, work), deform::overlaps(scene, h, allowed, work));
    rigid.retain(|found| !work.look_again.is_hopeless(found.pair, found.depth));
    meshes.retain(|found| !work.look_again.is_hopeless(found.pair, found.depth));
    if rigid.is_empty() && meshes.is_empty() {
        return false;
    }
    let impulse = |i: usize| (work.contacts[i].key, work.links[i].frame * work.links[i].impulse);
    work.look_again.impulses = (0..work.links.len()).map(impulse).collect();
    for Overlap { pair, depth, contacts } in rigid {
        work.look_again.note(pair, depth);
        merge(&mut work.contacts, contacts, &mut work.look_again.pushes);
    }
    deform::add(scene, meshes, work);
    true
}

/// The pairs of rigid parts that overlap at the end of the step by more than they may.
fn overlaps<const D: usize>(scene: &Scene<D>, h: f64, allowed: f64, work: &mut Workspace<D>) -> Vec<Overlap<D>>
where
    Space<D>: Ambient<D>,
{
    let moved = |part: &Part<D>| {
        let motion = seen_in(work.cell.as_deref(), &work.kicked(part.body as usize));
        let angle = if turns_visibly(part) { h * Space::<D>::spin_dot(&motion.spin, &motion.spin).sqrt() } else { 0.0 };
        let radius = if part.radius.is_finite() { part.radius + part.local.centre.norm() } else { 0.0 };
        Moved { angle, way: h * motion.velocity.norm() + angle * radius, radius }
    };
    let moved: Vec<Moved> = scene.parts.iter().map(moved).collect();
    let fastest = moved.iter().fold(Moved::default(), |x, y| Moved {
        angle: x.angle.max(y.angle),
        way: x.way.max(y.way),
        radius: x.radius.max(y.radius),
    });
    if unseen([fastest; 2]) <= LEAST_SHARE * allowed * work.repair.smallest {
        return Vec::new();
    }
    let ends: Vec<Placement<D>> =
        (0..scene.bodies.len()).map(|i| drift(&scene.bodies[i], &work.kicked(i), h)).collect();
    let places: Vec<Placement<D>> = scene.parts.iter().map(|part| ends[part.body as usize].then(&part.local)).collect();
    let mut detector = std::mem::take(&mut work.look_again.detector);
    let lattice = work.cell.as_ref().map(|cell| cell.at_end(h));
    let pairs = near(&scene.parts, &places, &vec![0.0; places.len()], lattice.as_ref(), &mut detector);
    let looked = Looked { scene, h, work, moved: &moved };
    let found: Vec<Vec<Overlap<D>>> = pairs
        .par_chunks(CHUNK)
        .map(|pairs| {
            let mut touches = Vec::new();
            pairs.iter().filter_map(|pair| looked.overlap(*pair, &mut touches)).collect()
        })
        .collect();
    work.look_again.detector = detector;
    found.concat()
}

/// Two parts that overlap at the end of the step, and the contacts that keep them from it.
#[derive(Clone)]
struct Overlap<const D: usize> {
    pair: Seen,
    depth: f64,
    /// Each with how far it pushes [m].
    contacts: Vec<(Contact<D>, f64)>,
}

/// A ball, or a drum around its centre, looks the same however it turns.
fn turns_visibly<const D: usize>(part: &Part<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    !matches!(part.shape, Shape::Ball(_)) || part.local.centre != Vect::<D>::zeros()
}

/// Puts contacts, with how far they push, into lists sorted by key. What is there stays: every solution of the step has to keep clear of
/// all places where one before it met something. A second contact between the same features gets a number that no feature has.
fn merge<const D: usize>(contacts: &mut Vec<Contact<D>>, found: Vec<(Contact<D>, f64)>, pushes: &mut Vec<(Key, f64)>) {
    for (mut contact, push) in found {
        let free = loop {
            match contacts.binary_search_by(|other| other.key.cmp(&contact.key)) {
                Err(free) => break free,
                Ok(_) => contact.key.feature = contact.key.feature.max(NO_FEATURE) + 1,
            }
        };
        contact.touch.feature = contact.key.feature;
        contacts.insert(free, contact);
        if push > 0.0 {
            let place = pushes.partition_point(|(key, _)| *key < contact.key);
            pushes.insert(place, (contact.key, push));
        }
    }
}

/// What pairs are looked at with.
struct Looked<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    h: f64,
    work: &'a Workspace<D>,
    moved: &'a [Moved],
}

impl<const D: usize> Looked<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// Two parts that overlap by more than they may at the end of the step: with their contacts there, or where they meet on the way, as
    /// contacts of this step.
    fn overlap(&self, pair: Seen, touches: &mut Vec<Touch<D>>) -> Option<Overlap<D>> {
        let Self { scene, work, .. } = *self;
        let Seen { parts, image } = pair;
        let bodies = parts.map(|p| scene.parts[p as usize].body);
        let law = scene.law_between_rigid(bodies[0], bodies[1]).filter(|_| bodies[0] != bodies[1])?;
        let is_kept = !repair::is_repaired(&scene.laws[law as usize]) || scene.laws[law as usize].remembers();
        let key = (parts[0], parts[1], image);
        let first = work.contacts.partition_point(|c| c.key.pair() < key);
        let there = &work.contacts[first..];
        let there = &there[..there.partition_point(|c| c.key.pair() == key)];
        let before = there.iter().map(|c| -c.touch.gap).fold(0.0, f64::max);
        // The repair takes back a fifth of what is too much: what overlaps already may grow by less.
        let most = work.repair.allowed * work.repair.length_of(parts);
        let deep = TOO_DEEP * most * (1.0 - before / most).max(LEAST_SHARE);
        let unseen = unseen(parts.map(|p| self.moved[p as usize]));
        if is_kept || unseen <= deep {
            return None;
        }
        let end = self.depth(pair, 1.0, touches);
        if end <= before + deep {
            return None;
        }
        let part = if end > SHALLOW * work.repair.length_of(parts) && before < deep {
            self.meeting(pair, before + deep, touches)
        } else {
            1.0
        };
        let contact = |touch: &Touch<D>| {
            let key = Key { image, ..Key::new(parts[0], parts[1], touch.feature) };
            let (touch, missing) = self.at_start(touch, (bodies, image), part);
            let push = if part < 1.0 { 0.0 } else { (missing - before).clamp(0.0, unseen) };
            (Contact { key, bodies, touch, law }, push)
        };
        let contacts = touches.iter().filter(|touch| touch.gap < 0.0).map(contact).collect();
        Some(Overlap { pair, depth: end, contacts })
    }

    /// Where a body is after a part of the step.
    fn place(&self, body: u32, part: f64) -> Placement<D> {
        drift(&self.scene.bodies[body as usize], &self.work.kicked(body as usize), part * self.h)
    }

    /// Where an image is after a part of the step, seen from the body itself.
    fn image(&self, image: Image, part: f64) -> Vect<D> {
        self.work.image(image) + self.work.image_velocity(image)[1] * (part * self.h)
    }

    /// How deep two parts overlap after a part of the step, and where [m].
    fn depth(&self, pair: Seen, part: f64, touches: &mut Vec<Touch<D>>) -> f64 {
        let parts = pair.parts.map(|p| &self.scene.parts[p as usize]);
        let mut places = parts.map(|p| self.place(p.body, part).then(&p.local));
        places[1].centre += self.image(pair.image, part);
        touches.clear();
        pair::touches((&parts[0].shape, &places[0]), (&parts[1].shape, &places[1]), 0.0, touches);
        touches.iter().map(|touch| -touch.gap).fold(0.0, f64::max)
    }

    /// The part of the step after which two parts that are all but apart at its start have met: they overlap, but by no more than `deep`.
    fn meeting(&self, pair: Seen, deep: f64, touches: &mut Vec<Touch<D>>) -> f64 {
        let (mut apart, mut met) = (0.0, 1.0);
        for _ in 0..MOST_HALVINGS {
            let part = 0.5 * (apart + met);
            match self.depth(pair, part, touches) {
                depth if depth > deep => met = part,
                depth if depth > 0.0 => return part,
                _ => apart = part,
            }
        }
        self.depth(pair, met, touches);
        met
    }

    /// A contact after a part s of the step, as one of its start: g = g(s) − s h n·U*; and by how much that gap is negative [m].
    fn at_start(&self, touch: &Touch<D>, (bodies, image): ([u32; 2], Image), part: f64) -> (Touch<D>, f64) {
        let (scene, work) = (self.scene, self.work);
        let moves = bodies.map(|b| !scene.bodies[b as usize].is_obstacle());
        let lattice = [Vect::zeros(), work.image_velocity(image)[1]];
        let carried = [0, 1].map(|k| {
            let b = bodies[k];
            self.place(b, part).centre - work.shifted[b as usize].centre + lattice[k] * (part * self.h)
        });
        // The arm of a ball is along the normal: the point has to stay over its centre, or the impulses are not on one line.
        let back = match (moves, bodies.map(|b| is_ball(scene, b))) {
            ([true, false], _) | ([true, true], [true, false]) => carried[0],
            ([false, true], _) | ([true, true], [false, true]) => carried[1],
            _ => (carried[0] + carried[1]) * 0.5,
        };
        let point = touch.point - back;
        let seen_at = [Vect::zeros(), work.image(image)];
        let velocity = [0, 1].map(|k| {
            let motion = work.kicked(bodies[k] as usize);
            let arm = point - (motion.place.centre + seen_at[k]);
            motion.velocity + lattice[k] + Space::<D>::swing(&motion.spin, &arm)
        });
        let gap = touch.gap - part * self.h * touch.normal.dot(&(velocity[0] - velocity[1]));
        (Touch { point, gap: gap.max(0.0), ..*touch }, (-gap).max(0.0))
    }
}
