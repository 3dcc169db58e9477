//! Joints that never hold: a law per area whose contacts have none. Two balls, and corners or edges of blocks, touch at a point; a
//! strength or stiffness per area is nothing there, and the bodies would fall apart without a word.

use super::joints::is_touching;
use crate::contact::Contact;
use crate::law::Cohesion;
use crate::scene::Scene;
use crate::space::{Ambient, Space};

/// For each law with a joint that bonds none of the contacts of the start which it is asked to bond: what is the matter.
pub fn unbonded<const D: usize>(scene: &Scene<D>, contacts: &[Contact<D>]) -> Vec<String>
where
    Space<D>: Ambient<D>,
{
    let joined = |c: &&Contact<D>| scene.bonds.iter().any(|rule| rule.joins(c.bodies, &c.touch.point));
    let mut found = Vec::new();
    for (number, law) in scene.laws.iter().enumerate() {
        if matches!(law.cohesion, Cohesion::None | Cohesion::Capillary(_)) {
            continue;
        }
        let of_law = contacts.iter().filter(|c| c.law as usize == number && is_touching(scene, c));
        let asked: Vec<&Contact<D>> = of_law.filter(joined).collect();
        let Some(first) = asked.first().filter(|_| asked.iter().all(|c| !law.cohesion.bonds(c.touch.area))) else {
            continue;
        };
        let [a, b] = first.bodies.map(|body| scene.body_name(body));
        found.push(format!(
            "the joint between `{a}` and `{b}` is per area, but none of the {} contacts of its law that touch has an area \
             (balls, corners and edges have none): nothing is bonded; strengths per contact (`tensile_force`, \
             `shear_force`, `cohesion_force`) bond them",
            asked.len()
        ));
    }
    found
}
