//! One state as bytes for the page: how bodies have moved, and what acts at contacts.
//!
//! Motions are given **from the start**: the displacement u = x − x₀ and the rotation r with Q = r Q₀, so that small ones
//! keep their digits in `f32`, and the page can magnify them.
//!
//! | array          | per     | unit  |                                                    |
//! |----------------|---------|-------|----------------------------------------------------|
//! | `displacement` | body    | m     | of the centre of mass                              |
//! | `rotation`     | body    | –     | unit quaternion (x, y, z, w), world axes           |
//! | `velocity`     | body    | m/s   | of the centre of mass                              |
//! | `spin`         | body    | rad/s | world axes                                         |
//! | `bodies`       | contact | –     | candidate and antagonist                           |
//! | `point`        | contact | m     | relative to the origin of the page                 |
//! | `normal`       | contact | –     | from the antagonist to the candidate               |
//! | `force`        | contact | N     | on the candidate, mean over the last step          |
//! | `gap`          | contact | m     | negative when the bodies overlap                   |
//! | `status`       | contact | –     | number in [`STATUSES`]                             |
//! | `damage`       | contact | –     | of its bond, 0 to 1; only where the scene has bonds |
//! | `kept.NAME`    | contact | as declared | each number that laws of the scene keep ([`cairn::law::kept`]) |

use crate::bundle::Bundle;
use crate::skin::{NodalFrame, Skin};
use cairn::contact::{Bond, Reaction};
use cairn::flexible::Field;
use cairn::law::kept::columns;
use cairn::measure::flexible;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space, Vect};
use cairn::state::State;

/// What contacts can be, by their number; the last two only where the scene has bonds.
pub const STATUSES: [&str; 5] = ["open", "stick", "slip", "bonded", "broken"];

/// Which data a state carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Velocities and spins.
    pub velocities: bool,
    /// Contacts with their forces.
    pub contacts: bool,
    /// Nodal fields by name; `None` for all.
    pub nodal: Option<Vec<String>>,
}

impl Wanted {
    /// Everything that there is.
    pub const ALL: Self = Self { velocities: true, contacts: true, nodal: None };
}

/// Motions of bodies and nodes in a state.
pub fn motions<const D: usize>(scene: &Scene<D>, skin: &Skin, frame: &State<D>, wanted: &Wanted) -> Vec<u8>
where
    Space<D>: Ambient<D>,
{
    let mut bundle = Bundle::new();
    bundle.set("time", frame.time).set("step", frame.step);
    let pairs = || frame.motions.iter().zip(&scene.start);
    let short = |x: Vect<D>| Space::<D>::lift(&x).map(|c| c as f32);
    // Deformable bodies move with their centre of mass.
    let mean = |nodal: fn(&Field) -> &[f64]| {
        let bodies = scene.flexibles.iter().zip(&frame.fields);
        bodies.map(move |(body, field)| flexible::moment_of_mass(body, nodal(field)) / body.model.total_mass())
    };
    let moved = pairs().map(|(m, s)| m.place.centre - s.place.centre).chain(mean(|f| &f.displacement));
    bundle.array("displacement", 3, moved.flat_map(short));
    let turned = pairs().map(|(m, s)| {
        let turn = Space::<D>::compose(&m.place.turn, &Space::<D>::inverse(&s.place.turn));
        xyzw(Space::<D>::quaternion(&turn))
    });
    bundle.array("rotation", 4, turned.chain(scene.flexibles.iter().map(|_| UNTURNED)).flatten());
    if wanted.velocities {
        let velocity = frame.motions.iter().map(|m| m.velocity).chain(mean(|f| &f.velocity));
        bundle.array("velocity", 3, velocity.flat_map(short));
        let spins = frame.motions.iter().map(|m| Space::<D>::lift_spin(&m.spin).map(|c| c as f32));
        bundle.array("spin", 3, spins.chain(scene.flexibles.iter().map(|_| [0.0; 3])).flatten());
    }
    let is_wanted = |name: &str| wanted.nodal.as_ref().is_none_or(|names| names.iter().any(|n| n == name));
    NodalFrame::of(scene, frame).describe(&mut bundle, skin, is_wanted);
    bundle.finish()
}

/// Contacts of a state, relative to `origin`; those that name no body of the scene are left out.
pub fn contacts<const D: usize>(scene: &Scene<D>, frame: &State<D>, origin: [f64; 3]) -> Vec<u8>
where
    Space<D>: Ambient<D>,
{
    let exists = |b: u32| (b as usize) < scene.body_count();
    let known: Vec<_> = frame.reactions.iter().filter(|r| r.contact.bodies.iter().all(|&b| exists(b))).collect();
    // Before the first step nothing has acted.
    let per_second = if frame.last_step > 0.0 { 1.0 / frame.last_step } else { 0.0 };
    let mut bundle = Bundle::new();
    bundle.set("time", frame.time).set("step", frame.step);
    bundle.array("bodies", 2, known.iter().flat_map(|r| r.contact.bodies));
    let points: Vec<[f64; 3]> = known.iter().map(|r| Space::<D>::lift(&r.contact.touch.point)).collect();
    bundle.array("point", 3, crate::skin::relative(&points, origin));
    bundle.array("normal", 3, known.iter().flat_map(|r| Space::<D>::lift(&r.contact.touch.normal).map(|c| c as f32)));
    bundle.array("force", 3, known.iter().flat_map(|r| Space::<D>::lift(&(r.impulse * per_second)).map(|c| c as f32)));
    bundle.array("gap", 1, known.iter().map(|r| r.contact.touch.gap as f32));
    let status = |r: &&Reaction<D>| match r.memory().bond {
        Bond::None => r.status as u8,
        Bond::Whole => 3,
        Bond::Broken => 4,
    };
    bundle.array("status", 1, known.iter().map(status));
    if scene.has_bonds() {
        bundle.array("damage", 1, known.iter().map(|r| damage(r) as f32));
    }
    for column in columns(&scene.laws) {
        bundle.array(&format!("kept.{}", column.kept.name), 1, known.iter().map(|r| column.of(r) as f32));
    }
    bundle.finish()
}

/// Damage of the bond of a contact, 1 if it broke.
fn damage<const D: usize>(reaction: &Reaction<D>) -> f64 {
    if reaction.memory().bond == Bond::Broken { 1.0 } else { reaction.memory().damage }
}

/// The quaternion that turns nothing, in the order of the page.
pub const UNTURNED: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A quaternion (w, x, y, z) in the order of the page.
pub fn xyzw([w, x, y, z]: [f64; 4]) -> [f32; 4] {
    [x, y, z, w].map(|c| c as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::numbers;
    use crate::testing::cube_on_plane;

    #[test]
    fn small_motions_of_far_bodies_keep_their_digits() {
        let scene = cube_on_plane();
        let mut frame = State::start(&scene);
        frame.motions[1].place.centre.x += 1e-9;
        frame.motions[1].place.turn = Space::<3>::turn_by(&[0.0, 0.0, 2e-9].into());
        let bytes = motions(&scene, &Skin::default(), &frame, &Wanted::ALL);
        let moved = numbers(&bytes, "displacement").unwrap();
        assert!((moved[3] / 1e-9 - 1.0).abs() < 1e-6, "{moved:?}");
        let turned = numbers(&bytes, "rotation").unwrap();
        assert!((turned[4 + 2] / 1e-9 - 1.0).abs() < 1e-6, "{turned:?}");
        assert!(numbers(&bytes, "node.displacement").is_none());
    }

    #[test]
    fn impulses_become_forces_and_strangers_are_left_out() {
        let scene = cube_on_plane();
        let mut frame = State::start(&scene);
        frame.last_step = 0.01;
        frame.reactions = cairn::step::contacts_at_start(&scene)
            .into_iter()
            .map(|contact| {
                let impulse = contact.touch.normal * 0.5;
                Reaction::new(contact, impulse, Default::default(), cairn::contact::Status::Stick)
            })
            .collect();
        assert_eq!(frame.reactions.len(), 4);
        frame.reactions[3].contact.bodies[1] = 17;
        let bytes = contacts(&scene, &frame, [0.0, 0.0, 0.5]);
        let force = numbers(&bytes, "force").unwrap();
        assert_eq!(force.len(), 9);
        assert!((force[2].abs() - 50.0).abs() < 1e-4, "{force:?}");
        assert!((numbers(&bytes, "point").unwrap()[2] + 0.5).abs() < 1e-7);
        assert_eq!(numbers(&bytes, "status").unwrap(), [1.0; 3]);
    }
}
