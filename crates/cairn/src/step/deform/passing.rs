//! Deformable bodies do not pass others unseen on the way to the shifted configuration.
//!
//! Contacts are found in q̃ = q(i) + (1−θ) h v(i). What is thin may lie on the wrong side there, and the points of a skin see a facet only up
//! to half of its size behind it. From one q̃ to the next contacts keep bodies apart; but the first step of a run, or one that is longer than the one
//! before, has a way before it that nobody has looked at. So two bodies whose ways together are longer than
//!
//!   ℓ = ½ min(half width of either, facets of either)     (no length for shapes without thickness)
//!
//! are looked at in places on the way. If they meet, and would go on into each other by more than ℓ until q̃, the step is not solved but cut. Rigid bodies
//! among each other wait where they meet (`sweep.rs`): deformable ones cannot, since their shape goes on changing.
//!
//! Beyond q̃ contacts are looked for as far as bodies can move; where the solution makes one faster than was expected, they are found anew.

use super::contacts::{DEPTH, law_with_part, pairing};
use super::held_velocity;
use crate::body::Part;
use crate::detect::mesh::{MeshContact, MeshPart, NodeWeights, PlacedSkin, Pose, SearchRange, detect_meshes};
use crate::scene::Scene;
use crate::shape::{Aabb, Shape};
use crate::space::{Ambient, Placement, Space, Vect};
use crate::state::State;
use crate::step::repair::half_width;
use crate::step::shift::drift;
use crate::step::sweep::travel;
use crate::step::{StepError, Workspace};

/// Part of widths and facets that detection in q̃ cannot mistake.
const SAFE: f64 = 0.5;
/// Part of widths and facets by which bodies that touch may be past each other.
const ROUND_OFF: f64 = 1e-6;
/// Places on the way that are looked at, at most: what would need more of them counts as passing.
const MOST_PLACES: usize = 1000;

/// What meets on the way, and how fast.
struct Meeting {
    bodies: [u32; 2],
    speed: f64,
}

/// Ways of all bodies to the shifted configuration.
struct Ways<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    state: &'a State<D>,
    /// (1−θ) h.
    dt: f64,
    /// How far a point of each part goes, rigid ones and then deformable bodies [m].
    lengths: Vec<f64>,
    /// Half of what each part must not be passed by: its width, and its facets [m]; infinite for what has no far side, and none for what has no
    /// thickness.
    safe: Vec<f64>,
}

/// An error if bodies pass each other on the way to the shifted configuration of this step.
pub(in crate::step) fn must_not_pass<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    h: f64,
    work: &mut Workspace<D>,
) -> Result<(), StepError>
where
    Space<D>: Ambient<D>,
{
    let dt = (1.0 - scene.time.theta) * h;
    if scene.flexibles.is_empty() || dt == 0.0 {
        return Ok(());
    }
    if work.deform.safe.is_empty() {
        work.deform.safe = safe_lengths(scene);
    }
    let safe = std::mem::take(&mut work.deform.safe);
    let ways = Ways { scene, state, dt, lengths: lengths(scene, state, dt), safe };
    let met = ways.worst().and_then(|(bodies, places)| {
        let places = places.ceil().max(1.0) as usize;
        if places <= MOST_PLACES { ways.meeting(places) } else { Some(Meeting { bodies, speed: ways.speed(bodies) }) }
    });
    work.deform.safe = ways.safe;
    let Some(Meeting { bodies, speed }) = met else { return Ok(()) };
    let parts = (scene.time.step / h).round() as u32;
    Err(StepError::Passed { bodies: bodies.map(|body| scene.body_name(body)), step: state.step + 1, speed, parts })
}

/// How far a point of each part goes on its way, rigid ones and then deformable bodies [m].
fn lengths<const D: usize>(scene: &Scene<D>, state: &State<D>, dt: f64) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let rigid = scene.parts.iter().map(|part| travel(part, &state.motions[part.body as usize], dt));
    rigid.chain(state.fields.iter().map(|field| dt * fastest::<D>(&field.velocity))).collect()
}

/// The largest speed of a node.
pub(super) fn fastest<const D: usize>(nodal: &[f64]) -> f64 {
    let squares = nodal.chunks_exact(D).map(|v| v.iter().map(|x| x * x).sum::<f64>());
    squares.fold(0.0, f64::max).sqrt()
}

/// Half of what each part must not be passed by. Half-spaces and hollows see every point that is behind them, facets of surfaces as far as those of
/// the mesh; a segment sees none.
fn safe_lengths<const D: usize>(scene: &Scene<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let of_shape = |shape: &Shape<D>| match (shape, half_width(shape)) {
        (Shape::Convex(_), f64::INFINITY) => 0.0,
        (Shape::HalfSpace(_) | Shape::Hollow(_), _) => f64::INFINITY,
        (_, width) => SAFE * width,
    };
    let rigid = scene.parts.iter().map(|part| of_shape(&part.shape));
    rigid.chain(scene.flexibles.iter().map(|body| SAFE * body.half_width().min(body.skin.size()))).collect()
}

impl<const D: usize> Ways<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// ℓ of two parts; what sees all that is behind it cannot be passed.
    fn safe(&self, parts: [u32; 2]) -> f64 {
        let sees_all = |p: &u32| {
            let shape = self.scene.parts.get(*p as usize).map(|part| &part.shape);
            matches!(shape, Some(Shape::HalfSpace(_) | Shape::Hollow(_)))
        };
        let seen = self.shortest(parts, |length| length);
        if parts.iter().any(sees_all) { f64::INFINITY } else { seen.max(ROUND_OFF * self.spacing(parts)) }
    }

    /// How far apart places may be so that two parts that meet between them see each other.
    fn spacing(&self, parts: [u32; 2]) -> f64 {
        self.shortest(parts, |length| if length > 0.0 { length } else { f64::INFINITY })
    }

    fn shortest(&self, parts: [u32; 2], counted: impl Fn(f64) -> f64) -> f64 {
        parts.iter().map(|&p| counted(self.safe[p as usize])).fold(f64::INFINITY, f64::min)
    }

    /// The box around a part on its way.
    fn swept(&self, part: &Part<D>, length: f64) -> Aabb<D> {
        let centre = self.state.motions[part.body as usize].place.then(&part.local).centre;
        Aabb { min: centre, max: centre }.grown(part.radius + length)
    }

    /// The two bodies that need most places to be looked at of those that could pass each other, and how many.
    fn worst(&self) -> Option<([u32; 2], f64)> {
        let Self { scene, state, .. } = *self;
        let number = |k: usize| scene.part_of_deformable(k);
        let mut worst = ([0; 2], 0.0f64);
        let mut look = |parts: [u32; 2]| {
            let length: f64 = parts.iter().map(|&p| self.lengths[p as usize]).sum();
            let places = length / self.spacing(parts);
            if length > self.safe(parts) && places > worst.1 {
                worst = (parts.map(|part| scene.body_of_part(part)), places);
            }
        };
        let farthest = self.lengths.iter().copied().fold(0.0, f64::max);
        let least = self.safe.iter().copied().fold(f64::INFINITY, f64::min);
        let mut boxes: Vec<(usize, Aabb<D>)> = Vec::new();
        for (k, body) in scene.flexibles.iter().enumerate() {
            let length = self.lengths[number(k) as usize];
            if length + farthest <= least {
                continue;
            }
            let bounds = Aabb::around(&body.positions(&state.fields[k].displacement)).grown(length);
            for (p, part) in scene.parts.iter().enumerate().filter(|(p, _)| law_with_part(scene, k, *p).is_some()) {
                if !part.radius.is_finite() || self.swept(part, self.lengths[p]).meets(&bounds) {
                    look([number(k), p as u32]);
                }
            }
            for (j, _) in boxes.iter().filter(|(_, other)| other.meets(&bounds)) {
                if pairing(scene, *j, k).is_some() {
                    look([number(*j), number(k)]);
                }
            }
            boxes.push((k, bounds));
        }
        (worst.1 > 0.0).then_some(worst)
    }

    /// How fast points of two bodies may approach [m/s].
    fn speed(&self, bodies: [u32; 2]) -> f64 {
        let parts = self.lengths.iter().enumerate();
        let of = |body: u32| {
            let own = parts.clone().filter(|(part, _)| self.scene.body_of_part(*part as u32) == body);
            own.map(|(_, length)| *length).fold(0.0, f64::max)
        };
        bodies.map(of).iter().sum::<f64>() / self.dt
    }

    /// The first place on the way before the next of which two parts meet with more than ℓ ahead of them.
    fn meeting(&self, places: usize) -> Option<Meeting> {
        let Self { scene, state, dt, .. } = *self;
        let count = scene.flexibles.len();
        let (mut poses, mut found) = (vec![Pose::default(); count], Vec::new());
        let ahead = |part: usize| self.lengths[part] / places as f64;
        let reach: Vec<f64> = (0..scene.parts.len()).map(ahead).collect();
        for place in 0..places {
            let way = place as f64 / places as f64;
            let rigid: Vec<Placement<D>> = scene
                .parts
                .iter()
                .map(|part| (part.body as usize, part))
                .map(|(b, part)| drift(&scene.bodies[b], &state.motions[b], way * dt).then(&part.local))
                .collect();
            let nodes: Vec<Vec<Vect<D>>> = (0..count).map(|k| self.nodes(k, way)).collect();
            for ((body, pose), nodes) in scene.flexibles.iter().zip(&mut poses).zip(&nodes) {
                pose.update(&body.skin, nodes);
            }
            let mesh = |k: usize| MeshPart {
                number: scene.part_of_deformable(k),
                placed: PlacedSkin { skin: &scene.flexibles[k].skin, nodes: &nodes[k], pose: &poses[k] },
                range: SearchRange {
                    max_gap: ahead(scene.part_of_deformable(k) as usize),
                    max_penetration: DEPTH * scene.flexibles[k].skin.size(),
                },
                own_depths: None,
            };
            let meshes: Vec<MeshPart<D>> = (0..count).map(mesh).collect();
            let between = |i: usize, j: usize| pairing(scene, i, j).filter(|_| i != j);
            let with_part = |i: usize, p: usize| law_with_part(scene, i, p);
            detect_meshes(&meshes, (&scene.parts, &rigid, &reach), &between, &with_part, &mut found);
            let met = found.iter().find_map(|contact| self.goes_on(contact, (way, 1.0 / places as f64), &rigid));
            if met.is_some() {
                return met;
            }
        }
        None
    }

    /// Do two points meet before the next place, and go on into each other by more than ℓ?
    fn goes_on(&self, contact: &MeshContact<D>, (way, step): (f64, f64), rigid: &[Placement<D>]) -> Option<Meeting> {
        let parts = [contact.key.candidate, contact.key.antagonist];
        let touch = &contact.touch.touch;
        let holds = [contact.touch.candidate, contact.touch.antagonist.unwrap_or_default()];
        let velocity = |side: usize| self.velocity(parts[side], &holds[side], &touch.point, rigid);
        let speed = touch.normal.dot(&(velocity(1) - velocity(0)));
        let bodies = parts.map(|part| self.scene.body_of_part(part));
        let gap = touch.gap.max(0.0);
        let is_met = speed * step * self.dt >= gap;
        (is_met && speed * (1.0 - way) * self.dt - gap > self.safe(parts)).then_some(Meeting { bodies, speed })
    }

    /// Velocity of a point of a part, on the way.
    fn velocity(&self, part: u32, hold: &NodeWeights, point: &Vect<D>, rigid: &[Placement<D>]) -> Vect<D> {
        let Some(of) = self.scene.parts.get(part as usize) else {
            let body = self.scene.body_of_part(part);
            return self
                .scene
                .deformable_of(body)
                .map_or_else(Vect::zeros, |k| held_velocity(hold, &self.state.fields[k].velocity));
        };
        let motion = &self.state.motions[of.body as usize];
        let centre = rigid[part as usize].centre - motion.place.direction(&of.local.centre);
        motion.velocity + Space::<D>::swing(&motion.spin, &(point - centre))
    }

    /// Where the nodes of a body are after a part of the way.
    fn nodes(&self, k: usize, way: f64) -> Vec<Vect<D>> {
        let field = &self.state.fields[k];
        let moved: Vec<f64> =
            field.displacement.iter().zip(&field.velocity).map(|(u, v)| u + way * self.dt * v).collect();
        self.scene.flexibles[k].positions(&moved)
    }
}

/// Has a body become faster than contacts were looked for, so that it may have passed one unseen? They are to be found anew then, with
/// what was found of its speed.
pub(in crate::step) fn outran<const D: usize>(scene: &Scene<D>, h: f64, work: &mut Workspace<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    let mut is_more = false;
    let deform = &mut work.deform;
    for (k, (body, iterate)) in scene.flexibles.iter().zip(&deform.bodies).enumerate() {
        let path = scene.time.theta * h * fastest::<D>(&iterate.velocity);
        if path > deform.found.ranges[k].max_gap && path > SAFE * body.skin.size() {
            let pushed = &mut deform.found.pushed;
            pushed.resize(scene.flexibles.len(), 0.0);
            pushed[k] = pushed[k].max(path / (scene.time.theta * h));
            is_more = true;
        }
    }
    is_more
}
