//! Rigid bonds with a threshold.

use crate::support::{go, plane, plane_with, solid};
use cairn::contact::Bond;
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const H: f64 = 1e-3;

/// Blocks of 1 m with 1000 kg/m: one is held, one (or two halves) is bonded to its top or hangs below it.
fn blocks(joint: &str, others: &str) -> String {
    format!(
        "dimension = 2\ntime = {{ step = {H}, end = 10 }}\nmaterials.m = {{ density = 1000 }}\n\
         solver = {{ tolerance = 1e-10 }}\ncontact = [{{ between = \"any\", friction = 0.5, joint = {{ {joint} }} }}]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"rectangle\", size = [1, 1] }}\n{others}"
    )
}

fn block(name: &str, size: &str, at: &str) -> String {
    format!(
        "[[bodies]]\nname = \"{name}\"\nmaterial = \"m\"\nposition = {at}\nshape = {{ kind = \"rectangle\", size = {size} }}\n"
    )
}

fn ramp(body: &str, force: &str) -> String {
    format!("[[load]]\nbodies = \"{body}\"\nforce = {force}\nhistory = {{ ramp = {{ to = 10, end = 10 }} }}\n")
}

/// The moment that lets a push through the centre act in the joint, half a metre away.
fn upright(torque: f64) -> String {
    format!("[[load]]\nbodies = \"b\"\ntorque = {torque}\nhistory = {{ ramp = {{ to = 10, end = 10 }} }}\n")
}

/// Steps until no bond is left; the time at the start of that step.
fn time_of_break<const D: usize>(s: &mut Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    loop {
        let before = s.state.time;
        s.step().unwrap();
        assert!(before < 5.0, "nothing breaks");
        if s.state.reactions.iter().all(|r| r.memory().bond != Bond::Whole) {
            return before;
        }
    }
}

#[test]
fn a_bond_stands_tension_up_to_its_strength_and_then_nothing() {
    // 2000 Pa on 1 m: reached when a ramp of 1000 N/s has run for 2 s.
    let hanging = block("b", "[1, 1]", "[0, -1]") + &ramp("b", "[0, -1000]");
    let mut s = plane(&blocks("law = \"brittle\", tensile_strength = 2000", &hanging));
    let held = s.state.motions[1].place;
    go(&mut s, 1990);
    assert!((s.state.motions[1].place.centre - held.centre).norm() < 1e-9, "a rigid bond gives way");
    let pull: f64 = s.state.reactions.iter().map(|r| r.impulse.y.abs()).sum::<f64>() / H;
    assert!((pull - 1989.5).abs() < 1e-3 * pull, "{pull}");
    let t = time_of_break(&mut s);
    assert!((t - 2.0).abs() <= 2.0 * H, "{t}");
    let v = s.state.motions[1].velocity.y;
    go(&mut s, 100);
    assert!((s.state.motions[1].velocity.y - v + 0.1 * 2.0).abs() < 0.02, "falls under the force alone");
    assert_eq!(s.state.ledger.broken, 2);
}

#[test]
fn shear_strength_grows_with_pressure_and_friction_is_left() {
    // Pressed on with 1000 N: S + μN = 1500 + 0.5 · 1000 = 2000 at t = 2 s; then μN is left.
    let standing = block("b", "[1, 1]", "[0, 1]")
        + "[[load]]\nbodies = \"b\"\nforce = [0, -1000]\n"
        + &ramp("b", "[1000, 0]")
        + &upright(500.0);
    let mut s = plane(&blocks("law = \"brittle\", tensile_strength = 1e9, shear_strength = 1500", &standing));
    let t = time_of_break(&mut s);
    assert!((t - 2.0).abs() <= 2.0 * H, "{t}");
    go(&mut s, 5);
    let sum = s.state.reactions.iter().map(|r| r.impulse).sum::<cairn::space::Vect<2>>() / H;
    assert!(sum.y.abs() > 500.0 && (sum.x.abs() - 0.5 * sum.y.abs()).abs() < 1e-6 * sum.x.abs(), "{sum}");
    assert!(s.state.motions[1].velocity.x > 0.0);
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-12);
}

#[test]
fn mohr_coulomb_stands_less_shear_under_tension() {
    // c = 2000, μ = 0.5, pulled with 1000: 2000 − 500 = 1500 is left for shear.
    let hanging = block("b", "[1, 1]", "[0, -1]")
        + "[[load]]\nbodies = \"b\"\nforce = [0, -1000]\n"
        + &ramp("b", "[1000, 0]")
        + &upright(-500.0);
    let mut s = plane(&blocks("law = \"mohr_coulomb\", cohesion = 2000, tensile_strength = 1500", &hanging));
    let t = time_of_break(&mut s);
    assert!((t - 1.5).abs() <= 2.0 * H, "{t}");
}

#[test]
fn twice_as_many_contact_points_break_at_the_same_load() {
    let whole = block("b", "[1, 1]", "[0, -1]") + &ramp("b", "[0, -1000]");
    let halves = block("b", "[0.5, 1]", "[-0.25, -1]")
        + &block("c", "[0.5, 1]", "[0.25, -1]")
        + &ramp("b", "[0, -500]")
        + &ramp("c", "[0, -500]")
        + "[[ignore]]\nbetween = [\"b\", \"c\"]\n";
    let joint = "law = \"brittle\", tensile_strength = 2000";
    let times = [whole, halves].map(|others| time_of_break(&mut plane(&blocks(joint, &others))));
    assert!((times[0] - times[1]).abs() <= H, "{times:?}");
    // A force for each contact is another law: twice the points, twice the load.
    let joint = "law = \"brittle\", tensile_force = 1000";
    let halves = block("b", "[0.5, 1]", "[-0.25, -1]")
        + &block("c", "[0.5, 1]", "[0.25, -1]")
        + &ramp("b", "[0, -1000]")
        + &ramp("c", "[0, -1000]")
        + "[[ignore]]\nbetween = [\"b\", \"c\"]\n";
    let t = time_of_break(&mut plane(&blocks(joint, &halves)));
    assert!((t - 2.0).abs() <= 2.0 * H, "{t}");
}

#[test]
fn a_lost_bond_does_not_come_back() {
    // Pulled off at t = 2 s, pushed back, pulled again: it goes at once.
    let hanging = block("b", "[1, 1]", "[0, -1]")
        + "[[load]]\nbodies = \"b\"\nforce = [0, -1]\nhistory = { table = \"f.csv\" }\n";
    let force = "time,f\n0,0\n2,2000\n2.01,2500\n2.02,-9000\n2.5,-9000\n2.51,100\n10,100\n";
    let mut s = plane_with(&[("f.csv", force)], &blocks("law = \"brittle\", tensile_strength = 2000", &hanging));
    go(&mut s, 2400);
    let there = s.state.motions[1].place.centre.y;
    assert!((there + 1.0).abs() < 1e-6, "back in place: {there}");
    assert!(s.state.reactions.iter().any(|r| r.impulse.y.abs() > 0.0));
    assert_eq!(s.state.reactions.iter().filter(|r| r.memory().bond == Bond::Whole).count(), 0);
    go(&mut s, 400);
    assert!(s.state.motions[1].place.centre.y < there - 1e-4);
}

#[test]
fn bonds_are_made_where_and_when_the_scene_says() {
    let two = block("b", "[0.5, 1]", "[-0.25, 1]") + &block("c", "[0.5, 1]", "[0.25, 1]");
    let push = "[[load]]\nbodies = \"b\"\nforce = [0, -1]\n[[load]]\nbodies = \"c\"\nforce = [0, -1]\n";
    let bond = "[[bond]]\nbetween = [\"held\", \"b\"]\n[[bond]]\nbetween = [\"c\", \"held\"]\nfrom = 0.01\n";
    let mut s = plane(&blocks("law = \"brittle\", tensile_strength = 2000", &format!("{two}{push}{bond}")));
    let bonded = |s: &Simulation<2>| {
        let whole = s.state.reactions.iter().filter(|r| r.memory().bond == Bond::Whole);
        let mut pairs: Vec<[u32; 2]> = whole.map(|r| r.contact.bodies).collect();
        pairs.dedup();
        pairs
    };
    go(&mut s, 1);
    assert_eq!(bonded(&s), [[0, 1]]);
    go(&mut s, 9);
    assert_eq!(bonded(&s), [[0, 1]]);
    go(&mut s, 1);
    assert_eq!(bonded(&s), [[0, 1], [0, 2]]);
}

#[test]
fn a_column_of_cubes_hangs_in_space_until_its_weakest_joint_is_overloaded() {
    // Four cubes of 1000 kg below a held one; the top joint carries 4 g·1000 = 39.24 kN.
    let scene = |strength: f64| {
        format!(
            "dimension = 3\ntime = {{ step = {H}, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
             gravity = {{ acceleration = [0, 0, -9.81] }}\nsolver = {{ tolerance = 1e-8 }}\n\
             contact = [{{ between = \"any\", friction = 0.5, joint = {{ law = \"brittle\", tensile_strength = {strength} }} }}]\n\
             [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"box\", size = [1, 1, 1] }}\n\
             [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = [0, 0, -1]\nshape = {{ kind = \"box\", size = [1, 1, 1] }}\n\
             copies = {{ count = 4, step = [0, 0, -1] }}\n"
        )
    };
    let mut s = solid(&scene(39.3e3));
    go(&mut s, 50);
    assert_eq!(s.state.ledger.broken, 0);
    assert!(s.state.motions[4].velocity.norm() < 1e-6);
    let mut s = solid(&scene(39.2e3));
    go(&mut s, 1);
    // The top joint alone gives way, and the rest falls as one.
    assert_eq!(s.state.ledger.broken, 4);
    go(&mut s, 100);
    assert_eq!(s.state.ledger.broken, 4);
    let v: Vec<f64> = s.state.motions[1..].iter().map(|m| m.velocity.z).collect();
    assert!(v.iter().all(|v| (v + 9.81 * 0.101).abs() < 1e-3), "{v:?}");
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-12);
}

/// Whatever is held beside the bond: a block that cannot turn, or only move along the pull, tears off at strength × area, and shears off at
/// the shear strength; in the plane and in space.
#[test]
fn bonds_of_a_face_break_at_their_strength_whatever_is_held() {
    let flat = |held: &str, force: &str| {
        let hanging = block("b", "[1, 1]", "[0, -1]") + &format!("fixed = [{held}]\n") + &ramp("b", force);
        let mut s = plane(&blocks("law = \"brittle\", tensile_strength = 2000, shear_strength = 1500", &hanging));
        time_of_break(&mut s)
    };
    for held in ["\"rotation\"", "\"x\", \"rotation\"", "\"x\""] {
        let t = flat(held, "[0, -1000]");
        assert!((t - 2.0).abs() < 2e-3, "{held}: torn at {t} s");
    }
    let t = flat("\"rotation\"", "[1000, 0]");
    assert!((t - 1.5).abs() < 2e-3, "sheared at {t} s");
    let cube = |held: &str, force: &str| {
        let mut s = solid(&format!(
            "dimension = 3\ntime = {{ step = {H}, end = 10 }}\nmaterials.m = {{ density = 1000 }}\nsolver = {{ tolerance = 1e-10 }}\n\
             [[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
             joint = {{ law = \"brittle\", tensile_strength = 2000, shear_strength = 1500 }}\n\
             [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"box\", size = [1, 1, 1] }}\n\
             [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = [0, 0, -1]\nfixed = [{held}]\n\
             shape = {{ kind = \"box\", size = [1, 1, 1] }}\n{}",
            ramp("b", force)
        ));
        time_of_break(&mut s)
    };
    for held in ["\"rx\", \"ry\", \"rz\"", "\"rx\"", "\"x\", \"y\", \"rx\", \"ry\", \"rz\""] {
        let t = cube(held, "[0, 0, -1000]");
        assert!((t - 2.0).abs() < 2e-3, "{held}: torn at {t} s");
    }
    let t = cube("\"rx\", \"ry\", \"rz\"", "[0, 1000, 0]");
    assert!((t - 1.5).abs() < 2e-3, "sheared at {t} s");
}
