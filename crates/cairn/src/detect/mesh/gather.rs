//! All contacts of meshes in a scene, sorted by key.
//!
//! Boxes of meshes are swept along the first axis; pairs that meet are searched point by point through the tree of facets.
//! A pair is one task, so the result does not depend on threads.

use super::against_skin::{PlacedSkin, corners_with_skin};
use super::{MeshTouch, SearchRange, rigid_with_skin, with_itself, with_rigid, with_skin};
use crate::body::Part;
use crate::contact::Key;
use crate::shape::{Aabb, Shape};
use crate::space::{Ambient, Placement, Space};
use rayon::prelude::*;

/// A mesh that takes part.
#[derive(Clone, Copy, Debug)]
pub struct MeshPart<'a, const D: usize> {
    /// Its part number, in the same count as the rigid parts: what stands in keys.
    pub number: u32,
    /// Its skin in place.
    pub placed: PlacedSkin<'a, D>,
    /// How far it ranges.
    pub range: SearchRange,
    /// From [`super::own_depths`], if it may touch itself.
    pub own_depths: Option<&'a [f64]>,
}

/// Who of two meshes is the candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// The first: the one with the lower index.
    #[default]
    First,
    /// The second.
    Second,
    /// Each in turn: two keys, (first, second) and (second, first).
    Both,
}

/// What the scene says of two meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Index in the scene's list of laws.
    pub law: u16,
    /// Who is the candidate.
    pub passes: Passes,
    /// Do the corners of the other look, too?
    pub corners: bool,
}

/// A contact of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContact<const D: usize> {
    /// Identity: parts of candidate and antagonist, number of the candidate point.
    pub key: Key,
    /// Geometry and holds.
    pub touch: MeshTouch<D>,
    /// Index in the scene's list of laws.
    pub law: u16,
}

/// One search: candidate, antagonist, law. One of the two at least is a mesh.
#[derive(Clone, Copy, Debug)]
struct Task {
    candidate: Side,
    antagonist: Side,
    law: u16,
    /// Do corners of the antagonist look at the candidate in their turn?
    corners: bool,
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Mesh(usize),
    Rigid(usize),
}

impl Side {
    fn number<const D: usize>(self, meshes: &[MeshPart<D>]) -> u32 {
        match self {
            Side::Mesh(j) => meshes[j].number,
            Side::Rigid(p) => p as u32,
        }
    }
}

/// Finds all touches of meshes with a gap of at most the sum of the reaches.
///
/// `between(i, j)`, i ≤ j indices in `meshes`, says whether and how two meshes touch (i = j: a mesh and itself);
/// `with_part(i, p)` gives the law of mesh i and rigid part p. `places` and `reach` are those of the rigid parts.
/// `out` is sorted by key.
pub fn detect_meshes<const D: usize>(
    meshes: &[MeshPart<D>],
    (parts, places, reach): (&[Part<D>], &[Placement<D>], &[f64]),
    between: &(impl Fn(usize, usize) -> Option<Pairing> + Sync),
    with_part: &(impl Fn(usize, usize) -> Option<u16> + Sync),
    out: &mut Vec<MeshContact<D>>,
) where
    Space<D>: Ambient<D>,
{
    let mut tasks = Vec::new();
    mesh_pairs(meshes, between, &mut tasks);
    for (i, mesh) in meshes.iter().enumerate() {
        let bounds = mesh.placed.pose.point_bounds().join(&mesh.placed.pose.facet_bounds());
        for (p, (part, place)) in parts.iter().zip(places).enumerate() {
            let margin = mesh.range.max_gap + reach[p] + part.radius;
            let ball = Aabb { min: place.centre, max: place.centre }.grown(margin);
            if (!margin.is_finite() || ball.meets(&bounds))
                && let Some(law) = with_part(i, p)
            {
                let [sees, is_seen] = roles(&part.shape, mesh.placed.skin.size());
                let (mesh, rigid) = (Side::Mesh(i), Side::Rigid(p));
                tasks.extend(sees.then_some(Task { candidate: mesh, antagonist: rigid, law, corners: false }));
                tasks.extend(is_seen.then_some(Task { candidate: rigid, antagonist: mesh, law, corners: false }));
            }
        }
    }
    // In the order of the keys: what they find is sorted then.
    tasks.sort_by_key(|task| (task.candidate.number(meshes), task.antagonist.number(meshes)));
    out.clear();
    if rayon::current_num_threads() == 1 {
        // A pool of one would take the work, and its data, to another processor.
        let mut touches = Vec::new();
        tasks.iter().for_each(|task| contacts(task, meshes, (parts, places, reach), &mut touches, out));
    } else {
        let of_task = |task: &Task| {
            let (mut touches, mut found) = (Vec::new(), Vec::new());
            contacts(task, meshes, (parts, places, reach), &mut touches, &mut found);
            found
        };
        let found: Vec<Vec<MeshContact<D>>> = tasks.par_iter().map(of_task).collect();
        out.extend(found.into_iter().flatten());
    }
    out.sort_unstable_by_key(|c| c.key);
}

/// Do the points of a mesh look at a rigid shape, and does the shape look at the facets, of which `size` is that of the smallest?
///
/// A ball smaller than the facets is flat nowhere near a node: a node that sees it come along the face would take it for a slope. It ranges
/// for itself, and meets facets only.
fn roles<const D: usize>(shape: &Shape<D>, size: f64) -> [bool; 2]
where
    Space<D>: Ambient<D>,
{
    match shape {
        Shape::Ball(ball) => [ball.radius > size, true],
        Shape::Convex(_) => [true, true],
        Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_) => [true, false],
    }
}

/// Pairs of meshes whose boxes, grown by their reach, meet.
fn mesh_pairs<const D: usize>(
    meshes: &[MeshPart<D>],
    between: &impl Fn(usize, usize) -> Option<Pairing>,
    tasks: &mut Vec<Task>,
) {
    let bounds: Vec<Aabb<D>> = meshes
        .iter()
        .map(|m| m.placed.pose.point_bounds().join(&m.placed.pose.facet_bounds()).grown(m.range.max_gap))
        .collect();
    let mut order: Vec<usize> = (0..meshes.len()).collect();
    order.sort_by(|&i, &j| bounds[i].min[0].total_cmp(&bounds[j].min[0]).then(i.cmp(&j)));
    let mut push = |i: usize, j: usize| {
        let Some(Pairing { law, passes, corners }) = between(i, j) else { return };
        let corners = corners && i != j && passes != Passes::Both;
        if i == j || passes != Passes::Second {
            tasks.push(Task { candidate: Side::Mesh(i), antagonist: Side::Mesh(j), law, corners });
        }
        if i != j && passes != Passes::First {
            tasks.push(Task { candidate: Side::Mesh(j), antagonist: Side::Mesh(i), law, corners });
        }
    };
    for (at, &i) in order.iter().enumerate() {
        push(i, i);
        let within = |&&j: &&usize| bounds[j].min[0] <= bounds[i].max[0];
        for &j in order[at + 1..].iter().take_while(within) {
            if bounds[i].meets(&bounds[j]) {
                push(i.min(j), i.max(j));
            }
        }
    }
}

/// Adds what a task finds; `touches` is a buffer.
fn contacts<const D: usize>(
    task: &Task,
    meshes: &[MeshPart<D>],
    (parts, places, reach): (&[Part<D>], &[Placement<D>], &[f64]),
    touches: &mut Vec<MeshTouch<D>>,
    out: &mut Vec<MeshContact<D>>,
) where
    Space<D>: Ambient<D>,
{
    match (task.candidate, task.antagonist) {
        (Side::Mesh(i), Side::Mesh(j)) if i == j => {
            let a = &meshes[i];
            let range = SearchRange { max_gap: 2.0 * a.range.max_gap, ..a.range };
            if let Some(depths) = a.own_depths {
                with_itself(&a.placed, &range, depths, touches);
            }
        }
        (Side::Mesh(i), Side::Mesh(j)) => {
            let (a, b) = (&meshes[i], &meshes[j]);
            let range = SearchRange {
                max_gap: a.range.max_gap + b.range.max_gap,
                max_penetration: a.range.max_penetration.min(b.range.max_penetration),
            };
            with_skin(&a.placed, &b.placed, &range, touches);
            if task.corners {
                let mut corners = Vec::new();
                corners_with_skin(&b.placed, &a.placed, &range, touches, &mut corners);
                let (candidate, antagonist) = (b.number, a.number);
                out.extend(corners.into_iter().map(|touch| {
                    let key = Key::new(candidate, antagonist, touch.touch.feature);
                    MeshContact { key, touch, law: task.law }
                }));
            }
        }
        (Side::Mesh(i), Side::Rigid(p)) => {
            let a = &meshes[i];
            let range = SearchRange { max_gap: a.range.max_gap + reach[p], ..a.range };
            with_rigid(&a.placed, &parts[p].shape, &places[p], &range, touches);
        }
        (Side::Rigid(p), Side::Mesh(j)) => {
            let b = &meshes[j];
            let range = SearchRange { max_gap: b.range.max_gap + reach[p], ..b.range };
            rigid_with_skin(&parts[p].shape, &places[p], &b.placed, &range, touches);
        }
        (Side::Rigid(_), Side::Rigid(_)) => {}
    }
    let (candidate, antagonist) = (task.candidate.number(meshes), task.antagonist.number(meshes));
    let contact = |touch: MeshTouch<D>| {
        let key = Key::new(candidate, antagonist, touch.touch.feature);
        MeshContact { key, touch, law: task.law }
    };
    out.extend(touches.drain(..).map(contact));
}
