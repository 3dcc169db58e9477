//! The contacts of deformable bodies, found in the shifted configuration and added to those of rigid ones.

use super::Deform;
use crate::contact::{Contact, Key};
use crate::detect::mesh::{Hold, Look, MeshContact, MeshPart, Pairing, Passes, Pose, Worn, detect_meshes, own_depths};
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use crate::step::Workspace;

/// Part of the smallest facet that a body looks around itself even at rest.
const SKIN: f64 = 0.05;
/// Part of the smallest facet up to which a penetration is still one.
const DEPTH: f64 = 0.5;

/// Buffers of the detection.
#[derive(Default)]
pub(super) struct Found<const D: usize> {
    nodes: Vec<Vec<Vect<D>>>,
    poses: Vec<Pose<D>>,
    /// For bodies that may touch themselves; kept, it follows from the reference configuration.
    own_depths: Vec<Option<Vec<f64>>>,
    contacts: Vec<MeshContact<D>>,
}

/// Fills `holds` and adds to `contacts`, sorted by key.
pub(in crate::step) fn find_contacts<const D: usize>(
    scene: &Scene<D>,
    state: &State<D>,
    h: f64,
    work: &mut Workspace<D>,
) where
    Space<D>: Ambient<D>,
{
    let Workspace { deform, contacts, places, reach, .. } = work;
    let Deform { found, holds, .. } = deform;
    let looks = found.pose(scene, state, h);
    let first = scene.parts.len() as u32;
    let worn = |k: usize| Worn { skin: &scene.flexibles[k].skin, nodes: &found.nodes[k], pose: &found.poses[k] };
    let part = |k: usize| MeshPart {
        number: first + k as u32,
        worn: worn(k),
        look: looks[k],
        own_depths: found.own_depths[k].as_deref(),
    };
    let parts: Vec<MeshPart<D>> = (0..scene.flexibles.len()).map(part).collect();
    let rigid = scene.bodies.len() as u32;
    let between = |i: usize, j: usize| {
        if i == j && !scene.flexibles[i].self_contact {
            return None;
        }
        let law = scene.law_between_bodies(rigid + i as u32, rigid + j as u32)?;
        // In an assembly later blocks stand on earlier ones: a half block then has its own points, and not just those of the
        // whole one below it, on which it could rock.
        let is_assembly = scene.flexibles[i].group == scene.flexibles[j].group;
        Some(Pairing { law, passes: if is_assembly { Passes::Second } else { Passes::First } })
    };
    let with_part = |i: usize, p: usize| scene.law_between_bodies(rigid + i as u32, scene.parts[p].body);
    let mut touches = std::mem::take(&mut found.contacts);
    detect_meshes(&parts, (&scene.parts, places, reach), &between, &with_part, &mut touches);
    merge(scene, &touches, contacts, holds);
    found.contacts = touches;
}

impl<const D: usize> Found<D>
where
    Space<D>: Ambient<D>,
{
    /// Brings the skins to the shifted configuration; how far each body looks.
    fn pose(&mut self, scene: &Scene<D>, state: &State<D>, h: f64) -> Vec<Look> {
        let ahead = (1.0 - scene.time.theta) * h;
        let fall = h * scene.largest_acceleration();
        let count = scene.flexibles.len();
        self.nodes.resize_with(count, Vec::new);
        self.poses.resize_with(count, Pose::default);
        self.own_depths.resize_with(count, || None);
        let mut looks = Vec::new();
        for (k, (body, field)) in scene.flexibles.iter().zip(&state.fields).enumerate() {
            if body.self_contact && self.own_depths[k].is_none() {
                self.nodes[k] = body.positions(&vec![0.0; field.displacement.len()]);
                self.poses[k].update(&body.skin, &self.nodes[k]);
                let reference = Worn { skin: &body.skin, nodes: &self.nodes[k], pose: &self.poses[k] };
                self.own_depths[k] = Some(own_depths(&reference, DEPTH * body.skin.size()));
            }
            let moved: Vec<f64> = field.displacement.iter().zip(&field.velocity).map(|(u, v)| u + ahead * v).collect();
            self.nodes[k] = body.positions(&moved);
            self.poses[k].update(&body.skin, &self.nodes[k]);
            let speed = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let fastest = field.velocity.chunks_exact(D).map(speed).fold(0.0, f64::max);
            let reach = scene.longest_bond() + SKIN * body.skin.size() + h * (fastest + fall);
            looks.push(Look { reach, depth: DEPTH * body.skin.size() });
        }
        looks
    }
}

/// Both lists are sorted by key: one merge.
fn merge<const D: usize>(
    scene: &Scene<D>,
    touches: &[MeshContact<D>],
    contacts: &mut Vec<Contact<D>>,
    holds: &mut Vec<[Hold; 2]>,
) where
    Space<D>: Ambient<D>,
{
    let body_of = |part: u32| match (part as usize).checked_sub(scene.parts.len()) {
        None => scene.parts[part as usize].body,
        Some(k) => (scene.bodies.len() + k) as u32,
    };
    let of_mesh = |c: &MeshContact<D>| {
        let Key { candidate, antagonist, .. } = c.key;
        let bodies = [body_of(candidate), body_of(antagonist)];
        let contact = Contact { key: c.key, bodies, touch: c.touch.touch, law: c.law };
        (contact, [c.touch.candidate, c.touch.antagonist.unwrap_or_default()])
    };
    if contacts.is_empty() {
        holds.clear();
        for (contact, hold) in touches.iter().map(of_mesh) {
            contacts.push(contact);
            holds.push(hold);
        }
        return;
    }
    let mut all: Vec<(Contact<D>, [Hold; 2])> = contacts.iter().map(|c| (*c, [Hold::default(); 2])).collect();
    all.extend(touches.iter().map(of_mesh));
    all.sort_by_key(|(contact, _)| contact.key);
    contacts.clear();
    holds.clear();
    for (contact, hold) in all {
        contacts.push(contact);
        holds.push(hold);
    }
}
