//! Co-rotational bodies turn as a whole: a block falls over like a rigid one.

use crate::support::{go, plane, solid};
use cairn::simulation::Simulation;
use std::array::from_fn;

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

/// Σ m (x − c) × v of the only deformable body, about its centre.
fn angular_momentum(s: &Simulation<3>) -> [f64; 3] {
    let (body, field) = (&s.scene.flexibles[0], &s.state.fields[0]);
    let positions = body.positions(&field.displacement);
    let mass = body.model.total_mass();
    let centre =
        positions.iter().zip(&body.model.lumped).fold([0.0; 3], |c, (x, m)| from_fn(|i| c[i] + x[i] * m / mass));
    let each = positions.iter().zip(field.velocity.chunks_exact(3)).zip(&body.model.lumped);
    each.fold([0.0; 3], |sum, ((x, v), m)| {
        let arm: [f64; 3] = from_fn(|i| x[i] - centre[i]);
        from_fn(|i| sum[i] + m * (arm[(i + 1) % 3] * v[(i + 2) % 3] - arm[(i + 2) % 3] * v[(i + 1) % 3]))
    })
}

/// Forces of a step have no moment about the shifted configuration, which is what conserves angular momentum for every θ.
#[test]
fn a_tumbling_corotational_block_keeps_its_angular_momentum() {
    for theta in [0.5, 0.7, 1.0] {
        let mut s = solid(&format!(
            "dimension = 3\ntime = {{ step = 1e-3, end = 1, theta = {theta} }}\nnewton = {{ tolerance = 1e-12 }}\n\
             materials.m = {{ density = 1000, young = 1e8, poisson = 0.2 }}\n\
             [[deformable]]\nname = \"block\"\nmaterial = \"m\"\nkinematics = \"corotational\"\nspin = [5, 20, -3]\n\
             mesh = {{ kind = \"block\", size = [0.5, 0.3, 0.2], cells = [2, 2, 2] }}\n"
        ));
        let start = angular_momentum(&s);
        go(&mut s, 200);
        let end = angular_momentum(&s);
        let size = start.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Every step adds the round-off of M̂⁻¹ρ.
        (0..3).for_each(|i| assert!((end[i] - start[i]).abs() < 1e-10 * size, "θ = {theta}: {start:?} {end:?}"));
        assert_eq!(s.state.ledger.unconverged, 0);
    }
}

/// The weight of what stands on the lowest block turns it within a step much faster than its inertia would let it: N g h² is twice its
/// height. Levers at the end of the step would make Newton's iterations diverge.
#[test]
fn a_leaning_stack_of_stiff_blocks_settles_in_large_steps() {
    let blocks: String = (0..20)
        .map(|i| {
            format!(
                "[[deformable]]\nname = \"b{i}\"\nmaterial = \"stone\"\nkinematics = \"corotational\"\ncandidates = \"gauss\"\n\
                 position = [{}, {}]\nmesh = {{ kind = \"rectangle\", size = [0.5, 0.2], cells = [2, 1] }}\n",
                0.01 * f64::from(i),
                0.1 + 0.2 * f64::from(i)
            )
        })
        .collect();
    let mut s = plane(&format!(
        "dimension = 2\ngravity = {{ acceleration = [0, -9.81] }}\n\
         time = {{ step = 0.05, end = 1, theta = 1, quasi_static = \"velocity_cancelling\" }}\n\
         materials.stone = {{ density = 2700, young = 60e9, poisson = 0.27 }}\n[solver]\ntolerance = 1e-6\n\
         [[contact]]\nbetween = \"stone\"\nfriction = 0.6\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\nshape = {{ kind = \"half_plane\", normal = [0, 1] }}\n{blocks}"
    ));
    go(&mut s, 20);
    assert_eq!(s.state.ledger.unconverged, 0);
    let weight = 20.0 * 0.5 * 0.2 * 2700.0 * 9.81;
    let carried = -s.resultant(&[0]).y;
    assert!((carried - weight).abs() < 1e-5 * weight, "{carried} {weight}");
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
