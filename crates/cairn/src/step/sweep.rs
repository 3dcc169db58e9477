//! Fast bodies do not pass each other on the way to the shifted configuration.
//!
//! Contacts are found in q̃ = q(i) + (1−θ) h v(i). A body that moves by more than about its own half width on this way may have gone
//! through a thin wall, or be nearer to its far side: there is no contact then, or one with the wrong normal. The way itself is known:
//! for pairs that come that close, it is followed by *conservative advancement*. With d(s) the distance of the two shapes after a part
//! s of the way and L a bound of how much they can approach on all of it,
//!
//!   s ← s + d(s)/L     until d(s) is next to nothing (they meet) or s ≥ 1 (they do not),
//!
//! and bodies that meet wait there for the rest of the way, carried along by what is driven. Beyond q̃ nothing can be missed: contacts
//! are looked for as far as bodies can move, and a plane that separates two convex bodies is not crossed. Where the solution makes a
//! body faster than was expected, contacts are found anew (`outran`).
//!
//! What a body that waits does not fall, or rise, is accounted to the scheme.

use super::Workspace;
use super::cell::Moving;
use super::repair::half_width;
use super::shift::drift;
use crate::body::{Motion, Part};
use crate::contact::{Image, Touch};
use crate::detect::{Detector, Seen, near, pair};
use crate::scene::Scene;
use crate::space::{Ambient, Placement, Space, Vect};
use crate::state::State;

/// Approach, in half widths of the thinner body, that detection in q̃ cannot mistake: pairs that may approach more are followed.
const SAFE: f64 = 0.5;
/// Distance, in half widths, at which bodies have met.
const MET: f64 = 1e-3;
/// Part of the way after which bodies that touch but do not approach are looked at again.
const LOOK: f64 = 0.125;
/// Positions tried on the way of a pair; after that it counts as met there.
const MOST_TRIES: usize = 100;
/// Times that all pairs are looked at: a body that waits may be in the way of another.
const MOST_PASSES: usize = 8;

/// What is kept from step to step to save work, and where bodies wait in this one.
#[derive(Default)]
pub(super) struct Sweep<const D: usize> {
    /// Half width of each part, infinite without an inside [m].
    half_widths: Vec<f64>,
    /// The smallest of all [m].
    smallest: f64,
    /// How far the bodies that wait are from where they would have been, in the order of bodies; empty if none does [m].
    pub held_back: Vec<Vect<D>>,
    /// Speeds that bodies were found to have at the end of this step; empty unless contacts are found anew [m/s].
    pub pushed: Vec<f64>,
    detector: Detector<D>,
}

/// The way of a body to the shifted configuration: freely up to a part of it, then carried.
#[derive(Clone, Copy)]
struct Way<const D: usize> {
    stop: f64,
    carried: Vect<D>,
}

/// What all pairs are followed with.
struct Follower<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    motions: &'a [Motion<D>],
    cell: Option<&'a Moving<D>>,
    /// (1−θ) h.
    dt: f64,
    ways: Vec<Way<D>>,
}

impl<const D: usize> Sweep<D> {
    fn measure(&mut self, parts: &[Part<D>])
    where
        Space<D>: Ambient<D>,
    {
        if self.half_widths.len() != parts.len() {
            self.half_widths = parts.iter().map(|part| half_width(&part.shape)).collect();
            self.smallest = self.half_widths.iter().copied().fold(f64::INFINITY, f64::min);
        }
    }
}

/// A motion with the velocity that is seen in a periodic cell.
pub(super) fn seen_in<const D: usize>(cell: Option<&Moving<D>>, motion: &Motion<D>) -> Motion<D>
where
    Space<D>: Ambient<D>,
{
    let velocity = cell.map_or(motion.velocity, |cell| cell.seen(&motion.place.centre, &motion.velocity));
    Motion { velocity, ..*motion }
}

/// Bounds how far a point of a part moves in `dt`.
pub(super) fn travel<const D: usize>(part: &Part<D>, motion: &Motion<D>, dt: f64) -> f64
where
    Space<D>: Ambient<D>,
{
    let arm = if part.radius.is_finite() { part.radius + part.local.centre.norm() } else { 0.0 };
    dt * (motion.velocity.norm() + Space::<D>::spin_dot(&motion.spin, &motion.spin).sqrt() * arm)
}

/// Makes bodies wait in `shifted` where they meet others on the way there.
pub(super) fn hold_back<const D: usize>(scene: &Scene<D>, state: &State<D>, dt: f64, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Workspace { sweep, cell, shifted, .. } = work;
    sweep.held_back.clear();
    sweep.measure(&scene.parts);
    let travels = || {
        let motion = |part: &Part<D>| seen_in(cell.as_deref(), &state.motions[part.body as usize]);
        scene.parts.iter().map(move |part| travel(part, &motion(part), dt))
    };
    if dt == 0.0 || 2.0 * travels().fold(0.0, f64::max) <= SAFE * sweep.smallest {
        return;
    }
    let reach: Vec<f64> = travels().collect();
    let places: Vec<Placement<D>> =
        scene.parts.iter().map(|part| state.motions[part.body as usize].place.then(&part.local)).collect();
    let lattice = cell.as_ref().map(|cell| cell.at_start(dt));
    let pairs = near(&scene.parts, &places, &reach, lattice.as_ref(), &mut sweep.detector);
    let of = |part: u32| &scene.parts[part as usize];
    let fast: Vec<(Seen, f64)> = pairs
        .iter()
        .filter(|Seen { parts: [a, b], .. }| {
            of(*a).body != of(*b).body && scene.law_between_rigid(of(*a).body, of(*b).body).is_some()
        })
        .map(|pair| {
            (*pair, pair.parts.map(|p| sweep.half_widths[p as usize]).into_iter().fold(f64::INFINITY, f64::min))
        })
        .filter(|(Seen { parts: [a, b], .. }, width)| reach[*a as usize] + reach[*b as usize] > SAFE * width)
        .collect();
    let ways = vec![Way { stop: 1.0, carried: Vect::zeros() }; scene.bodies.len()];
    let mut follower = Follower { scene, motions: &state.motions, cell: cell.as_deref(), dt, ways };
    for _ in 0..MOST_PASSES {
        let mut met: Vec<(f64, Seen, Touch<D>)> = Vec::new();
        for &(pair, width) in &fast {
            met.extend(follower.meet(pair, width).map(|(s, touch)| (s, pair, touch)));
        }
        met.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        if met.is_empty() {
            break;
        }
        follower.stop(&met);
    }
    if follower.ways.iter().all(|way| way.stop == 1.0) {
        return;
    }
    sweep.held_back.resize(scene.bodies.len(), Vect::zeros());
    for (body, _) in follower.ways.iter().enumerate().filter(|(_, way)| way.stop < 1.0) {
        let place = follower.place(body, 1.0);
        sweep.held_back[body] = place.centre - shifted[body].centre;
        shifted[body] = place;
    }
}

impl<const D: usize> Follower<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// Where a body is after a part of the way.
    fn place(&self, body: usize, s: f64) -> Placement<D> {
        let way = &self.ways[body];
        let mut place = drift(&self.scene.bodies[body], &self.motions[body], s.min(way.stop) * self.dt);
        place.centre += way.carried * (s - way.stop).max(0.0);
        place
    }

    /// Where the image of the second of a pair is after a part of the way, and how it moves over all of it, beyond the body itself [m].
    fn image(&self, pair: &Seen, s: f64) -> [Vect<D>; 2] {
        let Some(cell) = self.cell.filter(|_| pair.image != Image::HOME) else { return [Vect::zeros(); 2] };
        let moved = cell.before * pair.image.cells::<D>() * self.dt;
        [cell.at_start(self.dt).offset(pair.image) + moved * s, moved]
    }

    /// How a point of a body moves there, over the whole way at this rate [m].
    fn rate(&self, body: usize, point: &Vect<D>, s: f64) -> Vect<D> {
        if s >= self.ways[body].stop {
            return self.ways[body].carried;
        }
        let motion = &self.motions[body];
        let arm = point - self.place(body, s).centre;
        (motion.velocity + Space::<D>::swing(&motion.spin, &arm)) * self.dt
    }

    /// The part of the way after which two parts meet, and where.
    fn meet(&self, pair: Seen, width: f64) -> Option<(f64, Touch<D>)> {
        let parts = pair.parts.map(|p| &self.scene.parts[p as usize]);
        let bodies = parts.map(|part| part.body as usize);
        let most: f64 = parts
            .iter()
            .map(|part| {
                let body = part.body as usize;
                travel(part, &self.motions[body], self.dt).max(self.ways[body].carried.norm())
            })
            .sum::<f64>()
            + self.image(&pair, 1.0)[1].norm();
        let (mut s, mut touches) = (0.0, Vec::new());
        for tries in 1..=MOST_TRIES {
            let mut places = [0, 1].map(|k| self.place(bodies[k], s).then(&parts[k].local));
            let [offset, carried] = self.image(&pair, s);
            places[1].centre += offset;
            touches.clear();
            let reach = most * (1.0 - s) + MET * width;
            pair::touches((&parts[0].shape, &places[0]), (&parts[1].shape, &places[1]), reach, &mut touches);
            let mut advance = if touches.is_empty() { 1.0 } else { LOOK };
            for touch in &touches {
                let seen = self.rate(bodies[1], &(touch.point - offset), s) + carried;
                let approach = touch.normal.dot(&(seen - self.rate(bodies[0], &touch.point, s)));
                let is_near = touch.gap <= MET * width || tries == MOST_TRIES;
                if is_near && approach * (1.0 - s) > 0.2 * SAFE * width {
                    return Some((s, *touch));
                }
                if !is_near {
                    advance = advance.min((touch.gap - 0.5 * MET * width) / most);
                }
            }
            s += advance;
            if s >= 1.0 {
                return None;
            }
        }
        None
    }

    /// Stops the bodies of the earliest meetings; others may be different after that.
    fn stop(&mut self, met: &[(f64, Seen, Touch<D>)]) {
        let mut is_changed = vec![false; self.scene.bodies.len()];
        for (s, pair, touch) in met {
            let bodies = pair.parts.map(|p| self.scene.parts[p as usize].body as usize);
            let [offset, lattice] = self.image(pair, *s);
            if bodies.iter().any(|&body| is_changed[body]) {
                continue;
            }
            for (k, sign) in [(0, 1.0), (1, -1.0)] {
                let (body, other) = (bodies[k], bodies[1 - k]);
                if self.scene.bodies[body].is_obstacle() {
                    continue;
                }
                // Each as the other sees it.
                let point = if k == 0 { touch.point - offset } else { touch.point };
                let pushed = (self.rate(other, &point, *s) + lattice * sign).dot(&touch.normal) * sign;
                let drives = self.scene.bodies[other].is_obstacle() || self.ways[other].stop <= *s;
                let carried = if drives { touch.normal * (sign * pushed.max(0.0)) } else { Vect::zeros() };
                self.ways[body] = Way { stop: s.min(self.ways[body].stop), carried };
                is_changed[body] = true;
            }
        }
    }
}

/// Has a body become faster than contacts were looked for, so that it may have passed one unseen? They are to be found anew then, with
/// what was found of its speed.
pub(super) fn outran<const D: usize>(scene: &Scene<D>, h: f64, work: &mut Workspace<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    let mut pushed = std::mem::take(&mut work.sweep.pushed);
    let mut is_more = false;
    for (part, reach) in scene.parts.iter().zip(&work.reach).filter(|(part, _)| part.radius.is_finite()) {
        let body = part.body as usize;
        let path = travel(part, &seen_in(work.cell.as_deref(), &work.kicked(body)), scene.time.theta * h);
        if path > *reach && path > SAFE * part.radius {
            pushed.resize(scene.bodies.len(), 0.0);
            pushed[body] = pushed[body].max(path / (scene.time.theta * h));
            is_more = true;
        }
    }
    work.sweep.pushed = pushed;
    is_more
}
