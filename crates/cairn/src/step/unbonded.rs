//! Joints that never hold: a law per area whose contacts have none. Two balls, and corners or edges of blocks, touch at a point; a
//! strength or stiffness per area is nothing there, and the bodies would fall apart without a word.

use super::joints::is_touching;
use crate::contact::Contact;
use crate::scene::Scene;
use crate::space::{Ambient, Space};

/// The contacts of the start that bonds are made at.
pub fn bonded_at_start<'a, const D: usize>(
    scene: &'a Scene<D>,
    contacts: &'a [Contact<D>],
) -> impl Iterator<Item = &'a Contact<D>>
where
    Space<D>: Ambient<D>,
{
    contacts.iter().filter(|c| {
        let asked = scene.bonds.iter().any(|rule| rule.step == 0 && rule.joins(c.bodies, &c.touch.point));
        asked && can_bond(scene, c)
    })
}

fn can_bond<const D: usize>(scene: &Scene<D>, contact: &Contact<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    scene.laws[contact.law as usize].cohesion.bonds(contact.touch.area) && is_touching(scene, contact)
}

/// Where the scene says which contacts start bonded, and some of that means none.
fn empty_rules<'a, const D: usize>(scene: &'a Scene<D>, contacts: &'a [Contact<D>]) -> impl Iterator<Item = String> + 'a
where
    Space<D>: Ambient<D>,
{
    let named = scene.bonds.iter().enumerate().filter(|(_, rule)| rule.step == 0 && rule.is_narrow());
    let empty =
        named.filter(|(_, rule)| !contacts.iter().any(|c| rule.joins(c.bodies, &c.touch.point) && can_bond(scene, c)));
    empty.map(|(number, _)| {
        format!(
            "`bond[{number}]` bonds nothing: none of the contacts that it means touches at the start and has a `joint` \
             (`between` with two names is between them, not within each)"
        )
    })
}

/// For each law with a joint that bonds none of the contacts of the start which it is asked to bond, and for each `[[bond]]` that means none:
/// what is the matter.
pub fn unbonded<const D: usize>(scene: &Scene<D>, contacts: &[Contact<D>]) -> Vec<String>
where
    Space<D>: Ambient<D>,
{
    let joined = |c: &&Contact<D>| scene.bonds.iter().any(|rule| rule.joins(c.bodies, &c.touch.point));
    let mut found = Vec::new();
    for (number, law) in scene.laws.iter().enumerate() {
        if law.cohesion.never_bonds() {
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
    found.extend(empty_rules(scene, contacts));
    found
}
