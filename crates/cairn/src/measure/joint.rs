//! Joints: the pairs of bodies that touch at the start, or now, and what happened to each.
//!
//! The points of a joint are those where its bodies touch at the start. A point P of the start is now at x_A on one body and at
//! x_B on the other; the jump [u] = x_A − x_B has the opening [u]·n and the slip [u] − ([u]·n) n, n being the normal at the start,
//! turned with body B. So openings are known however far a joint has opened, beyond what detection still watches.
//!
//! The forces of the last step give the resultant F and its point of application Σ p R_N / Σ R_N; joint by joint these are the
//! thrust line. The eccentricity is the distance of that point from the middle of the joint.

use crate::contact::{Contact, Reaction};
use crate::flexible::Field;
use crate::scene::Scene;
use crate::space::{Ambient, Mat, Space, Vect};
use crate::state::State;
use std::collections::BTreeMap;

/// Gap at the start up to which bodies count as touching, relative to the smaller of the two.
pub(super) const TOUCHING: f64 = 1e-3;
/// Share of an area below which a contact is one of edges or corners, relative to the square of the size (2D: the size).
const LEAST_AREA: f64 = 1e-9;

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<const D: usize> {
    /// The bodies, the lower number first.
    pub bodies: [u32; 2],
    /// Where its points are now, half-way between the bodies [m]; in 3D in their order round the joint.
    pub outline: Vec<Vect<D>>,
    /// Unit normal, from the second body to the first.
    pub normal: Vect<D>,
    /// Widest opening since the start [m]; negative if all of the joint is pressed together.
    pub opening: f64,
    /// Largest slip since the start [m].
    pub slip: f64,
    /// Resultant on the first body [N].
    pub force: Vect<D>,
    /// Where it acts [m], if anything acts across the joint.
    pub application: Option<Vect<D>>,
}

impl<const D: usize> Joint<D> {
    /// Middle of its points [m].
    pub fn centre(&self) -> Vect<D> {
        self.outline.iter().sum::<Vect<D>>() / self.outline.len().max(1) as f64
    }

    /// Distance of the point of application from the middle, in the joint [m].
    pub fn eccentricity(&self) -> Option<f64> {
        self.offset().map(|offset| offset.norm())
    }

    /// The same over the half width of the joint in that direction: 1 at its edge.
    pub fn relative_eccentricity(&self) -> Option<f64> {
        let (offset, centre) = (self.offset()?, self.centre());
        let distance = offset.norm();
        let along = |p: &Vect<D>| (p - centre).dot(&offset) / distance;
        let half = self.outline.iter().map(along).fold(0.0, f64::max);
        if distance == 0.0 { Some(0.0) } else { (half > 0.0).then(|| distance / half) }
    }

    fn offset(&self) -> Option<Vect<D>> {
        let arm = self.application? - self.centre();
        Some(arm - self.normal * arm.dot(&self.normal))
    }
}

/// A point of a joint: where it was, where it is on both bodies, and the normal now.
struct Point<const D: usize> {
    now: Vect<D>,
    jump: Vect<D>,
    normal: Vect<D>,
}

/// All joints by their bodies; `start` are the contacts where the scene puts the bodies.
pub fn joints<const D: usize>(scene: &Scene<D>, start: &[Contact<D>], state: &State<D>) -> Vec<Joint<D>>
where
    Space<D>: Ambient<D>,
{
    let mut points: BTreeMap<[u32; 2], Vec<Point<D>>> = BTreeMap::new();
    let bodies = Bodies::new(scene, state);
    for contact in start {
        let (pair, normal) = ordered(contact);
        let size = f64::min(bodies.size(pair[0]), bodies.size(pair[1]));
        // Corners and edges that meet are no joints.
        if contact.touch.gap <= TOUCHING * size && contact.touch.area > LEAST_AREA * size.powi(D as i32 - 1) {
            let [a, b] = bodies.moved_sides(contact, pair);
            let normal = bodies.turned(pair[1], &normal);
            points.entry(pair).or_default().push(Point { now: (a + b) / 2.0, jump: a - b, normal });
        }
    }
    let mut forces: BTreeMap<[u32; 2], Vec<&Reaction<D>>> = BTreeMap::new();
    for reaction in &state.reactions {
        forces.entry(ordered(&reaction.contact).0).or_default().push(reaction);
    }
    let mut pairs: Vec<[u32; 2]> = points.keys().chain(forces.keys()).copied().collect();
    pairs.sort_unstable();
    pairs.dedup();
    let joint = |pair: [u32; 2]| {
        let at_start = points.remove(&pair).unwrap_or_default();
        made(pair, &at_start, forces.get(&pair).map_or(&[][..], |f| f), state.last_step)
    };
    pairs.into_iter().filter_map(joint).collect()
}

fn made<const D: usize>(
    bodies: [u32; 2],
    at_start: &[Point<D>],
    reactions: &[&Reaction<D>],
    h: f64,
) -> Option<Joint<D>> {
    let (mut force, mut moment, mut pressed, mut sum) = (Vect::zeros(), Vect::zeros(), 0.0, 0.0);
    let mut normal = at_start.iter().map(|p| p.normal).sum::<Vect<D>>();
    for reaction in reactions {
        let (_, n) = ordered(&reaction.contact);
        let sign = if reaction.contact.bodies == bodies { 1.0 } else { -1.0 };
        let impulse = reaction.impulse * sign;
        let share = impulse.dot(&n);
        force += impulse;
        pressed += share;
        sum += share.abs();
        moment += reaction.contact.touch.point * share;
        if at_start.is_empty() {
            normal += n;
        }
    }
    let mut outline: Vec<Vect<D>> = at_start.iter().map(|p| p.now).collect();
    if outline.is_empty() {
        if sum == 0.0 {
            return None;
        }
        outline = reactions.iter().map(|r| r.contact.touch.point).collect();
    }
    let normal = if normal.norm() > 0.0 { normal.normalize() } else { normal };
    in_order(&mut outline, &normal);
    let gap = |r: &&Reaction<D>| r.contact.touch.gap;
    let opening = if at_start.is_empty() {
        reactions.iter().map(gap).fold(f64::NEG_INFINITY, f64::max)
    } else {
        at_start.iter().map(|p| p.jump.dot(&p.normal)).fold(f64::NEG_INFINITY, f64::max)
    };
    let slip = |p: &Point<D>| (p.jump - p.normal * p.jump.dot(&p.normal)).norm();
    Some(Joint {
        bodies,
        outline,
        normal,
        opening,
        slip: at_start.iter().map(slip).fold(0.0, f64::max),
        force: if h > 0.0 { force / h } else { force },
        application: (pressed.abs() > 1e-9 * sum && sum > 0.0).then(|| moment / pressed),
    })
}

/// The bodies of a contact in order, and the normal from the second to the first.
pub(super) fn ordered<const D: usize>(contact: &Contact<D>) -> ([u32; 2], Vect<D>) {
    let [a, b] = contact.bodies;
    if a <= b { ([a, b], contact.touch.normal) } else { ([b, a], -contact.touch.normal) }
}

/// In 3D round the normal, in 2D along the joint.
fn in_order<const D: usize>(points: &mut [Vect<D>], normal: &Vect<D>) {
    let centre = points.iter().sum::<Vect<D>>() / points.len().max(1) as f64;
    let Some(far) = points.iter().map(|p| p - centre).max_by(|a, b| a.norm().total_cmp(&b.norm())) else { return };
    let along = far - normal * far.dot(normal);
    let angle = |p: &Vect<D>| {
        let arm = p - centre;
        if D == 2 {
            return arm.dot(&along);
        }
        // n × along, written out because D is not known to be 3 here.
        let across = Vect::<D>::from_fn(|i, _| {
            let (j, k) = ((i + 1) % D, (i + 2) % D);
            normal[j] * along[k] - normal[k] * along[j]
        });
        arm.dot(&across).atan2(arm.dot(&along))
    };
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
}

/// How far deformable bodies have turned since the start.
fn turns<const D: usize>(scene: &Scene<D>, fields: &[Field]) -> Vec<Mat<D>>
where
    Space<D>: Ambient<D>,
{
    let turn = |(body, field): (&crate::flexible::Flexible<D>, &Field)| {
        body.axes(&field.displacement) * Space::<D>::matrix(&body.place.turn).transpose()
    };
    scene.flexibles.iter().zip(fields).map(turn).collect()
}

/// Where points of bodies have gone.
pub(super) struct Bodies<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    state: &'a State<D>,
    turns: Vec<Mat<D>>,
}

impl<'a, const D: usize> Bodies<'a, D>
where
    Space<D>: Ambient<D>,
{
    pub fn new(scene: &'a Scene<D>, state: &'a State<D>) -> Self {
        Self { scene, state, turns: turns(scene, &state.fields) }
    }

    /// Largest dimension of a body [m].
    pub fn size(&self, body: u32) -> f64 {
        match self.scene.flexible(body) {
            Some(flexible) => flexible.extent(),
            None => {
                let parts = self.scene.parts.iter().filter(|p| p.body == body);
                2.0 * parts.map(|p| p.radius).fold(0.0, f64::max)
            }
        }
    }

    /// Where the point of a contact of the start has gone with either body.
    pub fn moved_sides(&self, contact: &Contact<D>, pair: [u32; 2]) -> [Vect<D>; 2] {
        let x = &contact.touch.point;
        let own = self.scene.deformable_of(pair[0]).filter(|_| pair[0] == pair[1]);
        let Some(k) = own else { return pair.map(|body| self.moved(body, x)) };
        // A cut in one body: its faces have nodes at the same places. The first side is that of the candidate.
        let hold = &self.scene.flexibles[k].skin.candidates()[contact.key.feature as usize].hold;
        let is_first = |node: usize| hold.iter().any(|(n, _)| n as usize == node);
        [true, false].map(|first| self.moved_with(k, x, |node| is_first(node) == first))
    }

    /// Where the point of a body is that was at `x` at the start: of a deformable one, the nearest node and from there rigidly.
    pub fn moved(&self, body: u32, x: &Vect<D>) -> Vect<D> {
        let Some(k) = self.scene.deformable_of(body) else {
            let start = &self.scene.start[body as usize].place;
            return self.state.motions[body as usize].place.point(&start.local_point(x));
        };
        self.moved_with(k, x, |_| true)
    }

    /// With the nearest of some nodes of a deformable body.
    fn moved_with(&self, k: usize, x: &Vect<D>, is_meant: impl Fn(usize) -> bool) -> Vect<D> {
        let (flexible, field) = (&self.scene.flexibles[k], &self.state.fields[k]);
        let distance = |n: usize| (flexible.reference(n) - x).norm_squared();
        let nodes = (0..flexible.model.nodes().len()).filter(|&n| is_meant(n));
        let Some(node) = nodes.min_by(|&a, &b| distance(a).total_cmp(&distance(b))) else { return *x };
        let reference = flexible.reference(node);
        let displacement = Vect::<D>::from_column_slice(&field.displacement[D * node..D * (node + 1)]);
        reference + displacement + self.turns[k] * (x - reference)
    }

    /// A direction of the start, turned with a body.
    pub fn turned(&self, body: u32, direction: &Vect<D>) -> Vect<D> {
        match self.scene.deformable_of(body) {
            Some(k) => self.turns[k] * direction,
            None => {
                let start = &self.scene.start[body as usize].place;
                self.state.motions[body as usize].place.direction(&start.local_direction(direction))
            }
        }
    }
}

/// The thrust line: points of application of the joints between the bodies of a chain, in its order.
pub fn thrust_line<const D: usize>(joints: &[Joint<D>], chain: &[u32]) -> Vec<Vect<D>> {
    let of_pair = |pair: &[u32]| {
        let bodies = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        joints.iter().find(|j| j.bodies == bodies).and_then(|j| j.application)
    };
    chain.windows(2).filter_map(of_pair).collect()
}

/// Pieces of thrust lines: across every body that exactly two joints press, unless it is held, from one point of application to the other, with
/// the larger of the two forces [N].
pub fn thrust_pieces<const D: usize>(scene: &Scene<D>, joints: &[Joint<D>]) -> Vec<([Vect<D>; 2], f64)>
where
    Space<D>: Ambient<D>,
{
    let largest = joints.iter().map(|j| j.force.norm()).fold(0.0, f64::max);
    let mut of_body: BTreeMap<u32, Vec<&Joint<D>>> = BTreeMap::new();
    for joint in joints.iter().filter(|j| j.application.is_some() && j.force.norm() > 1e-6 * largest) {
        let free = |body: &&u32| scene.bodies.get(**body as usize).is_none_or(|b| !b.is_obstacle());
        joint.bodies.iter().filter(free).for_each(|&body| of_body.entry(body).or_default().push(joint));
    }
    let piece = |joints: Vec<&Joint<D>>| match joints[..] {
        [a, b] => Some(([a.application?, b.application?], a.force.norm().max(b.force.norm()))),
        _ => None,
    };
    of_body.into_values().filter_map(piece).collect()
}
