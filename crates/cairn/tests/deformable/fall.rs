//! Co-rotational bodies turn as a whole: a block falls over like a rigid one.

use crate::support::plane;
use cairn::simulation::Simulation;

/// A block 0.5 × 1 m that stands on a corner, tilted by 40°: past its balance at 26.6°.
fn falling(body: &str) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\ntime = {{ step = 1e-3, end = 2 }}\n\
         materials.m = {{ density = 1000, young = 1e8, poisson = 0.2, damping = [0, 1e-4] }}\n\
         [[contact]]\nbetween = \"m\"\nfriction = 2\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-8\n[newton]\ntolerance = 1e-8\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         {body}position = [0, {}]\nangle = -40\n",
        0.5 * (40f64.to_radians().cos() + 0.5 * 40f64.to_radians().sin())
    ))
}

/// Angle by which a deformable block has turned since its start, from the line between two of its corners.
fn turned(s: &Simulation<2>) -> f64 {
    let body = &s.scene.flexibles[0];
    let x = body.positions(&s.state.fields[0].displacement);
    let far = body.model.nodes().iter().enumerate().max_by(|a, b| a.1.norm().total_cmp(&b.1.norm())).unwrap().0;
    let opposite = (0..x.len()).find(|&n| (body.model.nodes()[n] + body.model.nodes()[far]).norm() < 1e-12).unwrap();
    let (now, start) = (x[far] - x[opposite], body.reference(far) - body.reference(opposite));
    start.perp(&now).atan2(start.dot(&now))
}

#[test]
fn a_corotational_block_falls_like_a_rigid_one_and_comes_to_rest_on_its_side() {
    let mut rigid =
        falling("[[bodies]]\nname = \"block\"\nmaterial = \"m\"\nshape = { kind = \"rectangle\", size = [0.5, 1] }\n");
    let mut soft = falling(
        "[[deformable]]\nname = \"block\"\nmaterial = \"m\"\nkinematics = \"corotational\"\nmass = \"consistent\"\n\
         mesh = { kind = \"rectangle\", size = [0.5, 1], cells = [2, 4] }\n",
    );
    let start = rigid.state.motions[1].place.turn;
    for step in 1..=2000 {
        rigid.step().unwrap();
        soft.step().unwrap();
        if step == 300 {
            let of_rigid = rigid.state.motions[1].place.turn.angle() - start.angle();
            // What the strain of 1e-4 changes. (Lumped masses would turn 5 % slower: their moment of inertia is that much larger.)
            assert!((of_rigid - turned(&soft)).abs() < 2e-3 * of_rigid.abs(), "{of_rigid} {}", turned(&soft));
            assert!(of_rigid < -0.1, "it falls: {of_rigid}");
        }
    }
    assert!((turned(&soft) + 50f64.to_radians()).abs() < 1e-3, "on its side: {}", turned(&soft));
    let weight = soft.resultant(&[0]).y;
    assert!((weight + 500.0 * 9.81).abs() < 0.01 * 500.0 * 9.81, "{weight}");
    assert!(soft.state.ledger.unconverged == 0);
    // Strain energy of the rest is small: turning is no strain.
    let energy = cairn::measure::strain_energy(&soft.scene, &soft.state.fields);
    assert!(energy < 1e-3 * 500.0 * 9.81 * 0.1, "{energy}");
}
