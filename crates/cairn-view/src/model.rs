//! What does not change during a run, as bytes for the page: names, shapes, where bodies start.

use crate::bundle::Bundle;
use crate::frame::{STATUSES, UNTURNED, xyzw};
use crate::outline::Outline;
use crate::skin::{self, Skin, relative};
use cairn::law::kept::columns;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space};
use serde_json::json;

/// The origin of the page in the world: the middle of the scene at the start [m].
pub fn origin(outline: &Outline) -> [f64; 3] {
    let [low, high] = outline.bounds;
    [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]))
}

/// The description of a run.
pub fn model<const D: usize>(scene: &Scene<D>, outline: &Outline, skin: &Skin) -> Bundle
where
    Space<D>: Ambient<D>,
{
    let origin = origin(outline);
    let mut counts = vec![0u64; scene.groups.len()];
    let rigid = scene.bodies.iter().map(|b| b.group);
    rigid.chain(scene.flexibles.iter().map(|f| f.group)).for_each(|group| counts[group as usize] += 1);
    let groups: Vec<_> = scene.groups.iter().zip(&counts).map(|(n, c)| json!({ "name": n, "bodies": c })).collect();
    let materials: Vec<_> = scene.materials.iter().map(|m| m.name.clone()).collect();
    let mut bundle = Bundle::new();
    bundle.set("title", scene.title.as_str()).set("dimension", D).set("origin", origin.to_vec());
    bundle.set("bounds", json!(outline.bounds)).set("gravity", Space::<D>::lift(&scene.gravity.0).to_vec());
    let kept = columns(&scene.laws).into_iter().map(|c| json!({ "name": c.kept.name, "unit": c.kept.unit }));
    bundle.set("kept", kept.collect::<Vec<_>>());
    bundle.set("groups", groups).set("materials", materials).set("bonds", scene.has_bonds());
    bundle.set("statuses", STATUSES[..if scene.has_bonds() { 5 } else { 3 }].to_vec());
    // Deformable bodies follow the rigid ones, as in contacts; they start unturned at their centre of mass.
    let (bodies, flexibles) = (&scene.bodies, &scene.flexibles);
    bundle.array("body.group", 1, bodies.iter().map(|b| b.group).chain(flexibles.iter().map(|f| f.group)));
    bundle.array("body.number", 1, bodies.iter().map(|b| b.number).chain(flexibles.iter().map(|f| f.number)));
    let materials = bodies.iter().map(|b| b.material).chain(flexibles.iter().map(|f| f.material));
    bundle.array("body.material", 1, materials.map(u32::from));
    let masses = bodies.iter().map(|b| b.mass).chain(flexibles.iter().map(|f| f.model.total_mass()));
    bundle.array("body.mass", 1, masses.map(|m| m as f32));
    let fixed = bodies.iter().map(|b| u8::from(b.is_obstacle())).chain(flexibles.iter().map(|_| 0));
    bundle.array("body.fixed", 1, fixed);
    let reach = outline.reach.iter().copied().chain(flexibles.iter().map(|f| 0.5 * f.extent() as f32));
    bundle.array("body.reach", 1, reach);
    let centres = scene.start.iter().map(|m| m.place.centre).chain(flexibles.iter().map(skin::centre));
    let centres: Vec<[f64; 3]> = centres.map(|x| Space::<D>::lift(&x)).collect();
    bundle.array("body.start", 3, relative(&centres, origin));
    let turns = scene.start.iter().map(|m| xyzw(Space::<D>::quaternion(&m.place.turn)));
    bundle.array("body.turn", 4, turns.chain(flexibles.iter().map(|_| UNTURNED)).flatten());
    bundle.array("ball.body", 1, outline.ball_body.iter().copied());
    bundle.array("ball.local", 3, outline.ball_local.iter().flatten().copied());
    bundle.array("ball.radius", 1, outline.ball_radius.iter().copied());
    bundle.array("mesh.points", 3, outline.points.iter().flatten().copied());
    bundle.array("mesh.body", 1, outline.point_body.iter().copied());
    bundle.array("mesh.kind", 1, outline.point_kind.iter().copied());
    bundle.array("mesh.triangles", 3, outline.triangles.iter().flatten().copied());
    bundle.array("mesh.edges", 2, outline.edges.iter().flatten().copied());
    let rounds = scene.membranes.iter().flat_map(|m| {
        let next = m.bodies.iter().cycle().skip(1);
        m.bodies.iter().zip(next).flat_map(|(&a, &b)| [a, b])
    });
    bundle.array("membrane", 2, rounds);
    skin.describe(&mut bundle, origin);
    bundle
}
