//! The contacts of deformable bodies, found in the shifted configuration and added to those of rigid ones.

use super::Deform;
use super::passing::fastest;
use crate::contact::{Contact, Key};
use crate::detect::mesh::{
    MeshContact, MeshPart, NodeWeights, Pairing, Passes, PlacedSkin, Pose, SearchRange, detect_meshes, own_depths,
};
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use crate::step::Workspace;
use std::collections::BTreeSet;

/// Part of the smallest facet that a body looks around itself even at rest.
const SKIN: f64 = 0.05;
/// Part of the smallest facet up to which a penetration is still one.
pub(super) const DEPTH: f64 = 0.5;

/// Buffers of the detection.
#[derive(Default)]
pub(in crate::step) struct Found<const D: usize> {
    nodes: Vec<Vec<Vect<D>>>,
    poses: Vec<Pose<D>>,
    /// For bodies that may touch themselves; kept, it follows from the reference configuration.
    own_depths: Vec<Option<Vec<f64>>>,
    /// Those of the step, sorted by key.
    pub contacts: Vec<MeshContact<D>>,
    /// How far each body looks.
    pub ranges: Vec<SearchRange>,
    /// Speeds that bodies were found to have at the end of this step; empty unless contacts are found anew [m/s].
    pub pushed: Vec<f64>,
}

/// How two meshes meet, or a mesh and itself; nothing if they do not.
pub(super) fn pairing<const D: usize>(scene: &Scene<D>, i: usize, j: usize) -> Option<Pairing>
where
    Space<D>: Ambient<D>,
{
    if i == j && !scene.flexibles[i].self_contact {
        return None;
    }
    let law = scene.law_between_bodies(scene.number_of_deformable(i), scene.number_of_deformable(j))?;
    // In an assembly later blocks stand on earlier ones: a half block then has its own points, and not just those of the
    // whole one below it, on which it could rock.
    let is_assembly = scene.flexibles[i].group == scene.flexibles[j].group;
    let passes = if is_assembly { Passes::Second } else { Passes::First };
    // A corner comes and goes as it slides past the points of the other; a bond would be lost with it.
    Some(Pairing { law, passes, corners: !scene.laws[law as usize].remembers() })
}

/// The law of a mesh and a rigid part.
pub(super) fn law_with_part<const D: usize>(scene: &Scene<D>, mesh: usize, part: usize) -> Option<u16>
where
    Space<D>: Ambient<D>,
{
    scene.law_between_bodies(scene.number_of_deformable(mesh), scene.parts[part].body)
}

/// Fills `touched` and adds to `contacts`, sorted by key.
pub(in crate::step) fn find_contacts<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    h: f64,
    work: &mut Workspace<D>,
) where
    Space<D>: Ambient<D>,
{
    if scene.flexibles.is_empty() {
        return;
    }
    let Workspace { deform, contacts, places, reach, .. } = work;
    let Deform { found, touched, .. } = deform;
    found.pose(scene, state, h);
    let mut touches = std::mem::take(&mut found.contacts);
    let placed =
        |k: usize| PlacedSkin { skin: &scene.flexibles[k].skin, nodes: &found.nodes[k], pose: &found.poses[k] };
    let part = |k: usize| MeshPart {
        number: scene.part_of_deformable(k),
        placed: placed(k),
        range: found.ranges[k],
        own_depths: found.own_depths(k),
    };
    let parts: Vec<MeshPart<D>> = (0..scene.flexibles.len()).map(part).collect();
    let between = |i: usize, j: usize| pairing(scene, i, j);
    let with_part = |i: usize, p: usize| law_with_part(scene, i, p);
    detect_meshes(&parts, (&scene.parts, places, reach), &between, &with_part, &mut touches);
    merge(scene, &touches, contacts, touched);
    found.contacts = touches;
}

impl<const D: usize> Found<D>
where
    Space<D>: Ambient<D>,
{
    /// How deep the points of a body may go under other faces of it, if it may touch itself.
    pub fn own_depths(&self, k: usize) -> Option<&[f64]> {
        self.own_depths[k].as_deref()
    }

    /// Brings the skins to the shifted configuration, and says how far each body looks.
    fn pose(&mut self, scene: &Scene<D>, state: &State<D>, h: f64) {
        let ahead = (1.0 - scene.time.theta) * h;
        let fall = h * scene.common_acceleration();
        let count = scene.flexibles.len();
        self.nodes.resize_with(count, Vec::new);
        self.poses.resize_with(count, Pose::default);
        self.own_depths.resize_with(count, || None);
        self.ranges.clear();
        for (k, (body, field)) in scene.flexibles.iter().zip(&state.fields).enumerate() {
            if body.self_contact && self.own_depths[k].is_none() {
                self.nodes[k] = body.positions(&vec![0.0; field.displacement.len()]);
                self.poses[k].update(&body.skin, &self.nodes[k]);
                let reference = PlacedSkin { skin: &body.skin, nodes: &self.nodes[k], pose: &self.poses[k] };
                self.own_depths[k] = Some(own_depths(&reference, DEPTH * body.skin.size()));
            }
            let moved: Vec<f64> = field.displacement.iter().zip(&field.velocity).map(|(u, v)| u + ahead * v).collect();
            self.nodes[k] = body.positions(&moved);
            self.poses[k].update(&body.skin, &self.nodes[k]);
            let pushed = self.pushed.get(k).copied().unwrap_or(0.0);
            let speed = (fastest::<D>(&field.velocity) + fall).max(pushed);
            let reach = scene.longest_bond() + SKIN * body.skin.size() + h * speed;
            self.ranges.push(SearchRange { max_gap: reach, max_penetration: DEPTH * body.skin.size() });
        }
    }
}

/// Both lists are sorted by key: one merge. The contacts of meshes are noted, with how they hold their sides.
pub(super) fn merge<const D: usize>(
    scene: &Scene<D>,
    touches: &[MeshContact<D>],
    contacts: &mut Vec<Contact<D>>,
    touched: &mut Touched,
) where
    Space<D>: Ambient<D>,
{
    let of_mesh = |c: &MeshContact<D>| {
        let Key { candidate, antagonist, .. } = c.key;
        let bodies = [candidate, antagonist].map(|part| scene.body_of_part(part));
        Contact { key: c.key, bodies, touch: c.touch.touch, law: c.law }
    };
    touched.contacts.clear();
    touched.node_weights.clear();
    touched.bodies.clear();
    let rigid = std::mem::take(contacts);
    let mut rigid = rigid.into_iter().peekable();
    for touch in touches {
        while let Some(contact) = rigid.next_if(|contact| contact.key < touch.key) {
            contacts.push(contact);
        }
        touched.contacts.push(contacts.len() as u32);
        touched.node_weights.push([touch.touch.candidate, touch.touch.antagonist.unwrap_or_default()]);
        let contact = of_mesh(touch);
        let deformable = |body: &u32| scene.deformable_of(*body).map(|k| k as u32);
        touched.bodies.extend(contact.bodies.iter().filter_map(deformable));
        contacts.push(contact);
    }
    contacts.extend(rigid);
}

/// The contacts on deformable bodies, ascending, and how each holds its two sides; rigid sides have an empty hold.
#[derive(Default)]
pub(in crate::step) struct Touched {
    pub contacts: Vec<u32>,
    pub node_weights: Vec<[NodeWeights; 2]>,
    /// The deformable bodies that they hold.
    pub bodies: BTreeSet<u32>,
}

impl Touched {
    /// How contact `i` holds its sides; it is one of these.
    pub fn hold(&self, i: usize) -> &[NodeWeights; 2] {
        // Where all contacts are on deformable bodies nothing has to be searched for.
        let is_here = |k: &usize| self.contacts.get(*k) == Some(&(i as u32));
        let place = Some(i).filter(is_here).unwrap_or_else(|| self.contacts.partition_point(|&c| (c as usize) < i));
        &self.node_weights[place]
    }
}
