//! Bodies made of several convex parts.

use crate::support::{go, plane, solid};

const HEAD_2D: &str = "dimension = 2\ngravity = { acceleration = [0, -9.81] }\ntime = { step = 1e-3, end = 1 }\n\
    materials.m = { density = 1000 }\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\n\
    [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_plane\", normal = [0, 1] }\n";

const HEAD_3D: &str = "dimension = 3\ngravity = { acceleration = [0, 0, -9.81] }\ntime = { step = 1e-3, end = 1 }\n\
    materials.m = { density = 1000 }\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\n\
    [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 0, 1] }\n";

/// Legs of 1 × 0.2 and 0.2 × 0.8 m, corner at the origin.
const L: &str = "[[bodies]]\nname = \"L\"\nmaterial = \"m\"\nshape = { kind = \"union\", parts = [\
    { kind = \"rectangle\", size = [1, 0.2], position = [0.5, 0.1] },\
    { kind = \"rectangle\", size = [0.2, 0.8], position = [0.1, 0.6] }] }\n";

const DUMBBELL: &str = "[[bodies]]\nname = \"dumbbell\"\nmaterial = \"m\"\nshape = { kind = \"union\", parts = [\
    { kind = \"sphere\", radius = 0.1, position = [-0.2, 0, 0] }, { kind = \"sphere\", radius = 0.1, position = [0.2, 0, 0] },\
    { kind = \"box\", size = [0.4, 0.05, 0.05] }] }\n";

#[test]
fn mass_and_centre_of_an_l() {
    let s = plane(&format!("{HEAD_2D}{L}position = [3, 0]\n"));
    let (body, centre) = (&s.scene.bodies[1], s.state.motions[1].place.centre);
    assert!((body.mass - 360.0).abs() < 1e-10);
    let middle = (0.2 * 0.5 + 0.16 * 0.1) / 0.36;
    assert!((centre.x - 3.0 - middle).abs() < 1e-14 && (centre.y - middle).abs() < 1e-14, "{centre}");
    let leg = |m: f64, a: f64, b: f64, x: f64, y: f64| {
        m * ((a * a + b * b) / 12.0 + (x - middle).powi(2) + (y - middle).powi(2))
    };
    let moment = leg(200.0, 1.0, 0.2, 0.5, 0.1) + leg(160.0, 0.2, 0.8, 0.1, 0.6);
    assert!((body.moments - moment).abs() < 1e-10 * moment);
}

#[test]
fn an_l_stands_and_does_not_touch_itself() {
    let mut s = plane(&format!("{HEAD_2D}{L}"));
    let start = s.state.motions[1].place;
    for _ in 0..500 {
        s.step().unwrap();
        assert!(s.reactions().iter().all(|r| r.contact.bodies == [0, 1]));
    }
    let end = s.state.motions[1].place;
    assert!((end.centre - start.centre).norm() < 1e-12 && end.turn.angle_to(&start.turn).abs() < 1e-12);
    let weight = s.resultant(&[1]);
    assert!((weight.y - 360.0 * 9.81).abs() < 1e-4 * weight.y, "{weight}");
}

#[test]
fn an_l_on_its_knees_falls_over() {
    // Upside down on the end of its short leg, the centre of mass is outside of it.
    let mut s = plane(&format!("{HEAD_2D}{L}position = [0, 1]\nangle = 180\n"));
    go(&mut s, 1000);
    let turned = s.state.motions[1].place.turn.angle().to_degrees();
    assert!((turned.abs() - 180.0).abs() > 20.0, "{turned}°");
    assert!(s.state.ledger.worst_penetration < 1e-3, "{}", s.state.ledger.worst_penetration);
}

#[test]
fn a_dumbbell_rests_on_its_two_spheres() {
    let mut s = solid(&format!("{HEAD_3D}{DUMBBELL}position = [0, 0, 0.1]\n"));
    let start = s.state.motions[1].place;
    go(&mut s, 500);
    let end = s.state.motions[1].place;
    assert!((end.centre - start.centre).norm() < 1e-12 && end.turn.angle_to(&start.turn).abs() < 1e-9);
    assert_eq!(s.reactions().iter().filter(|r| r.impulse.norm() > 0.0).count(), 2);
}

#[test]
fn dumbbells_thrown_on_a_heap_come_to_rest() {
    let mut s = solid(&format!(
        "{HEAD_3D}{DUMBBELL}position = [0, 0, 0.3]\nrotation = {{ axis = [1, 2, 3], angle = 50 }}\nspin = [1, 2, 1]\n\
         copies = {{ count = 5, step = [0.03, 0.02, 0.45] }}\n"
    ));
    let mut own = 0;
    for _ in 0..1500 {
        s.step().unwrap();
        own += s.reactions().iter().filter(|r| r.contact.bodies[0] == r.contact.bodies[1]).count();
    }
    assert_eq!(own, 0);
    assert!(s.state.ledger.worst_penetration < 5e-3, "{}", s.state.ledger.worst_penetration);
    for m in &s.state.motions[1..] {
        assert!(m.place.centre.z > 0.02 && m.place.centre.z < 0.5, "{}", m.place.centre);
    }
}
