//! Contact pressure on deformable bodies.

use crate::contact::Reaction;
use crate::flexible::{Field, PointForce};
use crate::scene::Scene;
use crate::space::{Ambient, Space};

/// Contact pressure at the nodes of each deformable body [Pa], of impulses over a step of length `step` [s].
pub fn contact_pressures<const D: usize>(
    scene: &Scene<D>,
    fields: &[Field],
    reactions: &[Reaction<D>],
    step: f64,
) -> Vec<Vec<f64>>
where
    Space<D>: Ambient<D>,
{
    let mut forces = vec![Vec::new(); scene.flexibles.len()];
    for reaction in reactions.iter().filter(|_| step > 0.0) {
        let touch = &reaction.contact.touch;
        let normal = touch.normal * (reaction.impulse.dot(&touch.normal) / step);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if let Some(k) = scene.deformable_of(reaction.contact.bodies[side]) {
                let candidate = (side == 0).then_some(touch.feature);
                forces[k].push(PointForce { candidate, point: touch.point, force: normal * sign });
            }
        }
    }
    let bodies = scene.flexibles.iter().zip(fields);
    bodies.zip(forces).map(|((body, field), forces)| body.contact_pressures(&field.displacement, &forces)).collect()
}
