//! A second look at the end of the step, for contacts of deformable bodies.
//!
//! A contact is linear in the step: a point goes on along the plane of the facet that it saw at the start, with the weights that it had
//! there. Where it comes to another facet, or facets bend towards what they touch (a ball touches a warped facet in another place after each
//! step), bodies overlap at the end by what nobody foresaw. So touches are looked for once more in the next shifted configuration
//!
//!   q* = q̃ + h v(i+1),
//!
//! and where they overlap by more than they may, the step is solved again with the contacts of that place as well, as
//!
//!   g(U) ≈ g* + h n*·(U − U*),     U* the solved velocity of the points that touch there:
//!
//! one step of Newton for the true gap. The contacts of the start stay: a ball may touch a warped facet in both places, and would go from one into the
//! other for ever. Contacts that remember, and springs, are left alone.

use super::contacts::{DEPTH, law_with_part, merge, pairing};
use super::held_velocity;
use super::passing::fastest;
use crate::body::Part;
use crate::contact::{Key, Side};
use crate::detect::Seen;
use crate::detect::mesh::{MeshContact, MeshPart, NodeWeights, PlacedSkin, Pose, SearchRange, detect_meshes};
use crate::scene::Scene;
use crate::space::{Ambient, Placement, Space, Vect};
use crate::step::Workspace;
use crate::step::shift::drift;
use crate::step::sweep::travel;

/// Marks a contact of the second look: no point of a skin and no corner has such a number.
const AGAIN: u32 = 1 << 31;

/// What is where at the end of the step.
struct End<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    work: &'a Workspace<D>,
    h: f64,
    /// Of rigid bodies.
    places: Vec<Placement<D>>,
}

/// Two parts that overlap at the end of the step: how deep [m], and the contacts that keep them from it.
pub(in crate::step) struct MeshOverlap<const D: usize> {
    pub pair: Seen,
    pub depth: f64,
    contacts: Vec<MeshContact<D>>,
}

/// The pairs with a deformable body that overlap at the end of the step by more than `allowed` half widths.
pub(in crate::step) fn overlaps<const D: usize>(
    scene: &Scene<D>,
    h: f64,
    allowed: f64,
    work: &Workspace<D>,
) -> Vec<MeshOverlap<D>>
where
    Space<D>: Ambient<D>,
{
    // What hardly moves cannot come to overlap.
    let own = |k: usize| work.repair.length_of([scene.part_of_deformable(k); 2]);
    let least = (0..scene.flexibles.len()).map(own).fold(work.repair.smallest, f64::min);
    let ways = work.deform.bodies.iter().map(|iterate| h * fastest::<D>(&iterate.velocity));
    let of_part = |part: &Part<D>| travel(part, &work.kicked(part.body as usize), h);
    let longest = scene.parts.iter().map(of_part).chain(ways).fold(0.0, f64::max);
    if scene.flexibles.is_empty() || 2.0 * longest <= allowed * least {
        return Vec::new();
    }
    let places = (0..scene.bodies.len()).map(|i| drift(&scene.bodies[i], &work.kicked(i), h)).collect();
    let end = End { scene, work, h, places };
    let deep = end.touches().into_iter().filter(|contact| {
        let law = &scene.laws[contact.law as usize];
        let is_kept = law.remembers() || law.gives_way();
        !is_kept && -contact.touch.touch.gap > allowed * work.repair.length_of(pair_of(contact).parts)
    });
    let deep: Vec<MeshContact<D>> = deep.collect();
    // Sorted by key: those of a pair follow each other.
    let of_pair = |contacts: &[MeshContact<D>]| {
        let depth = contacts.iter().map(|contact| -contact.touch.touch.gap).fold(0.0, f64::max);
        let contacts = contacts.iter().map(|contact| end.at_start(contact)).collect::<Vec<_>>();
        MeshOverlap { pair: pair_of(&contacts[0]), depth, contacts }
    };
    deep.chunk_by(|a, b| pair_of(a) == pair_of(b)).map(of_pair).collect()
}

/// Adds them to the contacts of the step.
pub(in crate::step) fn add<const D: usize>(scene: &Scene<D>, found: Vec<MeshOverlap<D>>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let Workspace { deform, contacts, look_again, .. } = work;
    let all = &mut deform.found.contacts;
    for MeshOverlap { pair, depth, contacts } in found {
        look_again.note(pair, depth);
        for mut contact in contacts {
            contact.key.feature |= AGAIN;
            let free = loop {
                match all.binary_search_by(|other| other.key.cmp(&contact.key)) {
                    Err(free) => break free,
                    Ok(_) => contact.key.feature += 1,
                }
            };
            all.insert(free, contact);
        }
    }
    contacts.retain(|contact| contact.bodies.iter().all(|&body| scene.deformable_of(body).is_none()));
    merge(scene, all, contacts, &mut deform.touched);
}

fn pair_of<const D: usize>(contact: &MeshContact<D>) -> Seen {
    Seen { parts: [contact.key.candidate, contact.key.antagonist], image: contact.key.image }
}

impl<const D: usize> End<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// All overlaps at the end, sorted by key.
    fn touches(&self) -> Vec<MeshContact<D>> {
        let Self { scene, work, h, .. } = *self;
        let nodes: Vec<Vec<Vect<D>>> = scene
            .flexibles
            .iter()
            .zip(&work.deform.bodies)
            .map(|(body, iterate)| {
                let ahead = (1.0 - scene.time.theta) * h;
                let moved = iterate.displacement.iter().zip(&iterate.velocity).map(|(u, v)| u + ahead * v);
                body.positions(&moved.collect::<Vec<f64>>())
            })
            .collect();
        let pose = |k: usize| {
            let mut pose = Pose::default();
            pose.update(&scene.flexibles[k].skin, &nodes[k]);
            pose
        };
        let poses: Vec<Pose<D>> = (0..scene.flexibles.len()).map(pose).collect();
        let mesh = |k: usize| MeshPart {
            number: scene.part_of_deformable(k),
            placed: PlacedSkin { skin: &scene.flexibles[k].skin, nodes: &nodes[k], pose: &poses[k] },
            range: SearchRange { max_gap: 0.0, max_penetration: DEPTH * scene.flexibles[k].skin.size() },
            own_depths: work.deform.found.own_depths(k),
        };
        let meshes: Vec<MeshPart<D>> = (0..scene.flexibles.len()).map(mesh).collect();
        let places: Vec<Placement<D>> =
            scene.parts.iter().map(|part| self.places[part.body as usize].then(&part.local)).collect();
        let reach = vec![0.0; scene.parts.len()];
        let between = |i: usize, j: usize| pairing(scene, i, j);
        let with_part = |i: usize, p: usize| law_with_part(scene, i, p);
        let mut found = Vec::new();
        detect_meshes(&meshes, (&scene.parts, &places, &reach), &between, &with_part, &mut found);
        found
    }

    /// A contact of the end as one of the start: g = g* − h n*·U*.
    fn at_start(&self, contact: &MeshContact<D>) -> MeshContact<D> {
        let Self { scene, work, h, .. } = *self;
        let Key { candidate, antagonist, .. } = contact.key;
        let touch = &contact.touch.touch;
        let bodies = [candidate, antagonist].map(|part| scene.body_of_part(part));
        let holds = [contact.touch.candidate, contact.touch.antagonist.unwrap_or_default()];
        let velocity = |side: usize| self.velocity(bodies[side], &holds[side], &touch.point);
        let gap = touch.gap - h * touch.normal.dot(&(velocity(0) - velocity(1)));
        // The arm of a rigid side stays what it is at the end.
        let carried = bodies.iter().find_map(|&body| match scene.side(body) {
            Side::Rigid(body) => Some(self.places[body].centre - work.shifted[body].centre),
            Side::Deformable(_) => None,
        });
        let mut again = *contact;
        again.touch.touch.point -= carried.unwrap_or_else(Vect::zeros);
        again.touch.touch.gap = gap;
        again
    }

    /// The solved velocity of a point of a body, where it is at the end.
    fn velocity(&self, body: u32, hold: &NodeWeights, point: &Vect<D>) -> Vect<D> {
        match self.scene.side(body) {
            Side::Deformable(k) => held_velocity(hold, &self.work.deform.bodies[k].velocity),
            Side::Rigid(body) => {
                let motion = self.work.kicked(body);
                motion.velocity + Space::<D>::swing(&motion.spin, &(point - self.places[body].centre))
            }
        }
    }
}
