//! Rigid bodies smaller than the facets of a mesh: no node of it could see them.

use crate::support::{go, plane, solid};
use cairn::simulation::Simulation;
use cairn::space::Vect;

/// A block 2 × 0.5 m of two cells, held below, its top at y = 0; no gravity but on request.
fn floor_2d(gravity: f64, friction: f64) -> String {
    format!(
        "dimension = 2\ngravity = {{ acceleration = [0, {}] }}\ntime = {{ step = 1e-4, end = 1 }}\n\
         materials.m = {{ density = 1000, young = 1e8, poisson = 0.3, damping = [200, 1e-4] }}\n\
         [[contact]]\nbetween = \"m\"\nfriction = {friction}\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-8\n\
         [[deformable]]\nname = \"floor\"\nmaterial = \"m\"\nposition = [0, -0.25]\n\
         mesh = {{ kind = \"rectangle\", size = [2, 0.5], cells = [2, 1] }}\n\
         [[fix]]\nbodies = \"floor\"\nboundary = \"bottom\"\n",
        -gravity
    )
}

/// Where the top of the floor is at x between its nodes at 0 and 1.
fn facet_height(s: &Simulation<2>, x: f64) -> f64 {
    let body = &s.scene.flexibles[0];
    let nodes = body.positions(&s.state.fields[0].displacement);
    let at = |x: f64| (0..nodes.len()).find(|&n| (body.reference(n) - Vect::<2>::new(x, 0.0)).norm() < 1e-12).unwrap();
    let (a, b) = (nodes[at(0.0)], nodes[at(1.0)]);
    a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
}

#[test]
fn a_disk_in_the_middle_of_a_long_facet_is_carried() {
    let mut s = plane(&format!(
        "{}[[bodies]]\nname = \"disk\"\nmaterial = \"m\"\nposition = [0.5, 0.05]\n\
         shape = {{ kind = \"disk\", radius = 0.05 }}\n",
        floor_2d(10.0, 0.5)
    ));
    go(&mut s, 3000);
    let mass = s.scene.bodies[0].mass;
    let force = s.resultant(&[0]);
    assert!((force.y - 10.0 * mass).abs() < 1e-3 * 10.0 * mass, "{force} against {}", 10.0 * mass);
    // The facet has sunk under its own weight and the disk's; the disk with it, not through it.
    let above = s.state.motions[0].place.centre.y - 0.05 - facet_height(&s, s.state.motions[0].place.centre.x);
    assert!(above.abs() < 1e-8, "{above}");
    assert!(s.state.ledger.worst_penetration < 1e-7, "{}", s.state.ledger.worst_penetration);
}

#[test]
fn a_disk_slides_over_inner_nodes_without_a_bump() {
    let mut s = plane(&format!(
        "{}[[bodies]]\nname = \"disk\"\nmaterial = \"m\"\nposition = [-0.5, 0.05]\nvelocity = [10, 0]\n\
         shape = {{ kind = \"disk\", radius = 0.05 }}\n",
        floor_2d(0.0, 0.5)
    ));
    for step in 0..1000 {
        s.step().unwrap();
        let [only] = s.reactions() else { panic!("{step}: {} contacts", s.reactions().len()) };
        assert!((only.contact.touch.normal.y - 1.0).abs() < 1e-12, "{step}: {}", only.contact.touch.normal);
        assert_eq!((only.contact.bodies, only.contact.key.feature), ([0, 1], 0), "one point that keeps its identity");
    }
    assert!((s.state.motions[0].velocity.x - 10.0).abs() < 1e-12 && s.state.motions[0].velocity.y.abs() < 1e-9);
    assert!((s.state.motions[0].place.centre.x - 0.5).abs() < 1e-9);
}

#[test]
fn a_small_box_stands_on_its_corners_on_a_long_facet() {
    let mut s = plane(&format!(
        "{}[[bodies]]\nname = \"box\"\nmaterial = \"m\"\nposition = [0.45, 0.1]\n\
         shape = {{ kind = \"rectangle\", size = [0.1, 0.2] }}\n",
        floor_2d(10.0, 0.5)
    ));
    go(&mut s, 3000);
    let force = s.resultant(&[0]);
    assert!((force.y - 200.0).abs() < 0.2, "{force}");
    let place = s.state.motions[0].place;
    let above = place.centre.y - 0.1 - facet_height(&s, place.centre.x);
    // Nearer to the node in the middle than to the end, so that the facet tilts under it; by the order of F/(E L).
    assert!(place.turn.angle().abs() < 1e-5 && above.abs() < 1e-8, "{place:?} {above}");
}

#[test]
fn a_sphere_and_a_box_on_one_large_face_are_carried() {
    let mut s = solid(
        "dimension = 3\ngravity = { acceleration = [0, 0, -10] }\ntime = { step = 1e-4, end = 1 }\n\
         materials.m = { density = 1000, young = 1e8, poisson = 0.3, damping = [200, 1e-4] }\n\
         [[contact]]\nbetween = \"m\"\nfriction = 0.5\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-8\n\
         [[deformable]]\nname = \"floor\"\nmaterial = \"m\"\nposition = [0, 0, -0.25]\n\
         mesh = { kind = \"block\", size = [2, 2, 0.5], cells = [1, 1, 1] }\n\
         [[fix]]\nbodies = \"floor\"\nboundary = \"bottom\"\n\
         [[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nposition = [-0.3, 0.2, 0.1]\n\
         shape = { kind = \"sphere\", radius = 0.1 }\n\
         [[bodies]]\nname = \"box\"\nmaterial = \"m\"\nposition = [0.4, -0.1, 0.1]\nshape = { kind = \"box\", size = [0.2, 0.2, 0.2] }\n",
    );
    go(&mut s, 3000);
    for body in [0, 1] {
        let (force, weight) = (s.resultant(&[body]).z, 10.0 * s.scene.bodies[body as usize].mass);
        assert!((force - weight).abs() < 1e-3 * weight, "{body}: {force} against {weight}");
    }
    assert!(s.state.ledger.worst_penetration < 1e-6, "{}", s.state.ledger.worst_penetration);
}

/// A bar lies with its edge across a face of one cell, at right angles to two of the face's edges: no corner and no node is near.
#[test]
fn a_bar_with_its_edge_across_the_edges_of_a_block_is_carried() {
    let mut s = solid(
        "dimension = 3\ngravity = { acceleration = [0, 0, -10] }\ntime = { step = 1e-4, end = 1 }\n\
         materials.m = { density = 1000, young = 1e8, poisson = 0.3, damping = [200, 1e-4] }\n\
         [[contact]]\nbetween = \"m\"\nfriction = 0.5\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-8\n\
         [[deformable]]\nname = \"floor\"\nmaterial = \"m\"\nposition = [0, 0, -0.25]\n\
         mesh = { kind = \"block\", size = [1, 1, 0.5], cells = [1, 1, 1] }\n\
         [[fix]]\nbodies = \"floor\"\nboundary = \"bottom\"\n\
         [[bodies]]\nname = \"bar\"\nmaterial = \"m\"\nposition = [0.2, 0.1, 0.07071067811865477]\n\
         rotation = { axis = [1, 0, 0], angle = 45 }\nfixed = [\"rx\"]\nshape = { kind = \"box\", size = [2, 0.1, 0.1] }\n",
    );
    go(&mut s, 3000);
    let (force, weight) = (s.resultant(&[0]).z, 10.0 * s.scene.bodies[0].mass);
    assert!((force - weight).abs() < 1e-3 * weight, "{force} against {weight}");
    assert_eq!(s.reactions().iter().filter(|r| r.impulse.norm() > 0.0).count(), 2);
    // Its middle is 0.2 m beside that of the block: 0.3 and 0.7 m from the two edges, which carry 0.7 and 0.3 of it.
    let near = s.reactions().iter().find(|r| r.contact.touch.point.x > 0.0).unwrap().impulse.z / 1e-4;
    assert!((near / weight - 0.7).abs() < 1e-3, "{near} of {weight}");
    assert!(s.state.ledger.worst_penetration < 1e-6, "{}", s.state.ledger.worst_penetration);
}
