//! Bodies that are fixed or driven in all components do not respond, and no contact is made between two of them. Where a driven one is
//! led into another, only this check sees it.

use crate::body::Part;
use crate::detect::{Detector, detect};
use crate::scene::Scene;
use crate::space::{Ambient, Placement, Space};
use crate::state::State;
use std::collections::BTreeMap;

/// Overlap, relative to the smaller part, that is no more than the round-off of a motion along a wall.
const GRAZING: f64 = 1e-3;

/// The two prescribed bodies, one of them driven, that overlap most beyond what they did at the start, and by how much more [m].
pub fn prescribed_overlap<const D: usize>(scene: &Scene<D>, state: &State<D>) -> Option<([u32; 2], f64)>
where
    Space<D>: Ambient<D>,
{
    let mut is_driven = vec![false; scene.bodies.len()];
    for drive in scene.drives.iter().filter(|drive| drive.is_active) {
        is_driven[drive.body as usize] = scene.bodies[drive.body as usize].is_obstacle();
    }
    if !is_driven.contains(&true) {
        return None;
    }
    let parts: Vec<Part<D>> =
        scene.parts.iter().filter(|part| scene.bodies[part.body as usize].is_obstacle()).cloned().collect();
    let deepest = |place: &dyn Fn(u32) -> Placement<D>| {
        let places: Vec<Placement<D>> = parts.iter().map(|part| place(part.body).then(&part.local)).collect();
        let law = |a: u32, b: u32| {
            let moves = is_driven[a as usize] || is_driven[b as usize];
            scene.law_between_bodies(a, b).filter(|_| moves)
        };
        let mut found = Vec::new();
        detect(&parts, &places, &vec![0.0; parts.len()], &law, &mut Detector::default(), &mut found);
        let mut deepest = BTreeMap::<[u32; 2], f64>::new();
        for contact in found {
            let size = |part: u32| parts[part as usize].radius;
            let grazing = GRAZING * size(contact.key.candidate).min(size(contact.key.antagonist));
            let depth = deepest.entry(contact.bodies).or_default();
            *depth = depth.max(-contact.touch.gap - grazing);
        }
        deepest
    };
    let at_start = deepest(&|body| scene.start[body as usize].place);
    let now = deepest(&|body| state.motions[body as usize].place);
    let more = now.into_iter().map(|(pair, depth)| (pair, depth - at_start.get(&pair).copied().unwrap_or(0.0)));
    more.filter(|(_, depth)| *depth > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
}
