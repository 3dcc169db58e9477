//! A state as it is seen in a periodic cell: for pictures, the viewer and ParaView. The state itself keeps bodies where they have moved to.

use crate::contact::{Reaction, Side};
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use std::borrow::Cow;

/// The state with bodies in the cell, and contacts at their candidates; the state itself if the scene has no cell.
pub fn folded<'a, const D: usize>(scene: &Scene<D>, state: &'a State<D>) -> Cow<'a, State<D>>
where
    Space<D>: Ambient<D>,
{
    let Some(cell) = &scene.cell else { return Cow::Borrowed(state) };
    let mut seen = state.clone();
    let by = |body: u32| -> Vect<D> {
        let Side::Rigid(body) = scene.side(body) else { return Vect::zeros() };
        let is_bounded = scene.parts[scene.bodies[body].parts.0 as usize].radius.is_finite();
        let centre = &state.motions[body].place.centre;
        if is_bounded { cell.folded(centre, &state.now()) - centre } else { Vect::zeros() }
    };
    for (body, motion) in seen.motions.iter_mut().enumerate() {
        motion.place.centre += by(body as u32);
    }
    let is_plane = |reaction: &Reaction<D>| {
        let Side::Rigid(part) = scene.side_of_part(reaction.contact.key.candidate) else { return false };
        !scene.parts[part].radius.is_finite()
    };
    for reaction in &mut seen.reactions {
        let at = reaction.contact.bodies[usize::from(is_plane(reaction))];
        reaction.contact.touch.point += by(at);
    }
    Cow::Owned(seen)
}
