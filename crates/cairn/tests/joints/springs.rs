//! Bonds that give way: springs, cohesive zones, adhesion, and contacts that are elastic in compression.
//!
//! A block of 1 m and 1000 kg (per metre of depth in 2D) is thrown off a held one, without gravity: the kinetic energy that it
//! loses is what the bond takes.

use crate::support::{plane, solid};
use cairn::contact::Bond;
use cairn::measure::{balance_error, kinetic_energy};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};

/// Blocks in the plane: `pieces` of them side by side on the held one, thrown with `velocity`.
fn thrown(joint: &str, step: f64, pieces: usize, velocity: [f64; 2]) -> Simulation<2> {
    let width = 1.0 / pieces as f64;
    let mut text = format!(
        "dimension = 2\ntime = {{ step = {step}, end = 10 }}\nmaterials.m = {{ density = 1000 }}\n\
         solver = {{ tolerance = 1e-11 }}\n\
         contact = [{{ between = [\"m\", \"m\"], friction = 0.5, joint = {{ {joint} }} }}]\nignore = [{{ between = \"b\" }}]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nposition = [0, -0.5]\n\
         shape = {{ kind = \"rectangle\", size = [9, 1] }}\n\
         [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nshape = {{ kind = \"rectangle\", size = [{width}, 1] }}\n\
         velocity = {velocity:?}\nposition = [{}, 0.5]\ncopies = {{ count = {pieces}, step = [{width}, 0] }}\n",
        0.5 * width - 0.5
    );
    text += "[[fix]]\nbodies = \"b\"\ncomponents = [\"rotation\"]\n";
    plane(&text)
}

/// Steps until no bond is left, the balance closing all the while.
fn go_free<const D: usize>(s: &mut Simulation<D>, most: usize) -> usize
where
    Space<D>: Ambient<D>,
{
    for k in 1..=most {
        s.step().unwrap();
        let error = balance_error(&s.scene, &s.state).abs();
        assert!(error < 1e-10, "step {k}: {error:e} {:?}", s.state.ledger);
        if s.state.reactions.iter().all(|r| r.memory().bond != Bond::Whole) {
            return k;
        }
    }
    panic!("still bonded after {most} steps: {:?}", s.state.ledger)
}

fn kinetic<const D: usize>(s: &Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    kinetic_energy(&s.scene, &s.state.motions, &s.state.fields)
}

const MODES: &str = "stiffness = 1e9, tensile_strength = 1e5, shear_strength = 2e5, opening_toughness = 100, \
                     sliding_toughness = 300, mixing_exponent = 1";

#[test]
fn a_hanging_block_swings_on_its_elastic_bond_with_the_right_period_and_for_ever() {
    // k A = 1e7 N/m, m = 1000 kg: T = 2π√(m/k) = 62.8 ms. Thrown with 0.1 m/s it goes 1 mm out and comes back... but in
    // compression the contact is rigid: half a period, then a shock that takes everything.
    let mut s = thrown("law = \"elastic\", normal_stiffness = 1e7", 1e-4, 1, [0.0, 0.1]);
    let half = std::f64::consts::PI * (1000.0f64 / 1e7).sqrt();
    let (mut highest, mut back) = (0.0f64, 0);
    for k in 1..400 {
        s.step().unwrap();
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-12);
        highest = highest.max(s.state.motions[1].place.centre.y - 0.5);
        if back == 0 && k > 10 && s.state.motions[1].place.centre.y - 0.5 < 1.5e-5 {
            back = k;
        }
        // The last step before the shock closes the gap exactly.
        if back == 0 && s.state.motions[1].place.centre.y - 0.5 > 1.5e-5 {
            let total = kinetic(&s) + s.state.ledger.joints;
            assert!((total - 5.0).abs() < 1e-9, "step {k}: {total}");
        }
    }
    assert!((highest - 1e-3).abs() < 1e-6, "{highest}");
    assert!((f64::from(back) * 1e-4 - half).abs() < 3e-4, "{back}");
    assert!((s.state.ledger.shocks - 5.0).abs() < 1e-3, "{:?}", s.state.ledger);
}

#[test]
fn springs_break_at_their_strength() {
    // 1e4 Pa on 1e7 Pa/m: at 1 mm, having stored 5 J of the 20 J.
    let mut s = thrown("law = \"elastic\", normal_stiffness = 1e7, tensile_strength = 1e4", 1e-5, 1, [0.0, 0.2]);
    let steps = go_free(&mut s, 2000);
    let expected = (1000.0f64 / 1e7).sqrt() * (0.5f64).asin();
    assert!((steps as f64 * 1e-5 - expected).abs() < 3e-5, "{steps}");
    assert!((kinetic(&s) - 15.0).abs() < 0.05 && (s.state.ledger.damage - 5.0).abs() < 0.05, "{:?}", s.state.ledger);
}

/// Loss of kinetic energy of a throw, and what the account calls damage.
fn lost(joint: &str, step: f64, pieces: usize, velocity: [f64; 2]) -> (f64, f64) {
    let mut s = thrown(joint, step, pieces, velocity);
    let start = kinetic(&s);
    go_free(&mut s, 20_000);
    (start - kinetic(&s), s.state.ledger.damage)
}

#[test]
fn a_bilinear_bond_takes_its_toughness_in_opening() {
    let (energy, damage) = lost(&format!("law = \"bilinear\", {MODES}"), 2e-5, 1, [0.0, 1.0]);
    assert!((energy - 100.0).abs() < 0.1 && (damage - 100.0).abs() < 0.1, "{energy} {damage}");
}

#[test]
fn a_bilinear_bond_takes_its_toughness_in_sliding() {
    let (energy, damage) = lost(&format!("law = \"bilinear\", {MODES}"), 2e-5, 1, [1.5, 0.0]);
    assert!((energy - 300.0).abs() < 0.3 && (damage - 300.0).abs() < 0.3, "{energy} {damage}");
}

#[test]
fn a_bilinear_bond_takes_what_the_modes_share_in_a_mixed_throw() {
    // The path is not straight (the two directions weigh the same, so it nearly is): 45° gives (100 + 300)/2.
    let (energy, damage) = lost(&format!("law = \"bilinear\", {MODES}"), 2e-5, 1, [1.0, 1.0]);
    assert!((energy - 200.0).abs() < 1.0 && (damage - energy).abs() < 0.5, "{energy} {damage}");
}

#[test]
fn an_exponential_bond_takes_its_toughness() {
    let (energy, damage) = lost(&format!("law = \"exponential\", {MODES}"), 2e-5, 1, [0.0, 1.0]);
    assert!((energy - 100.0).abs() < 0.5 && (damage - 100.0).abs() < 0.5, "{energy} {damage}");
}

#[test]
fn adhesion_takes_its_energy_and_more_with_viscosity() {
    let law = "law = \"raous_cangemi_cocou\", normal_stiffness = 1e8, adhesion_energy = 100";
    let part = |joint: &str| {
        let mut s = thrown(joint, 1e-5, 1, [0.0, 1.0]);
        let start = kinetic(&s);
        // At u = 2 cm the tail holds w²/(2 k u²) = 0.125 J.
        while s.state.motions[1].place.centre.y < 0.52 {
            s.step().unwrap();
            assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
        }
        start - kinetic(&s)
    };
    let (plain, viscous) = (part(law), part(&format!("{law}, viscosity = 0.05")));
    assert!((plain - 99.9).abs() < 0.2, "{plain}");
    assert!(viscous > plain + 5.0, "{viscous}");
}

#[test]
fn the_number_of_contact_points_does_not_matter() {
    for law in ["bilinear", "exponential"] {
        let joint = format!("law = \"{law}\", {MODES}");
        let [one, three] = [1, 3].map(|pieces| lost(&joint, 5e-5, pieces, [0.3, 1.0]));
        assert!((one.0 - three.0).abs() < 1e-6 * one.0 && (one.1 - three.1).abs() < 1e-6 * one.1, "{one:?} {three:?}");
    }
}

#[test]
fn a_bond_that_is_not_spent_unloads_to_the_origin_and_holds_less() {
    // 20 J of 100: the block is caught, and thrown back; the same throw again damages no further.
    let mut s = thrown(&format!("law = \"bilinear\", {MODES}"), 1e-5, 1, [0.0, 0.2]);
    let mut damage = 0.0;
    for k in 0..3000 {
        s.step().unwrap();
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-10, "{k}");
        let now = s.state.reactions[0].memory().damage;
        assert!(now >= damage, "damage heals");
        damage = now;
    }
    let r = s.state.reactions[0].memory();
    assert!(r.bond == Bond::Whole && damage > 0.5 && damage < 1.0, "{damage}");
    assert!(s.state.ledger.damage > 5.0 && s.state.ledger.damage < 20.0);
}

#[test]
fn a_cube_takes_three_dimensional_tolls() {
    let text = |v: &str| {
        format!(
            "dimension = 3\ntime = {{ step = 2e-5, end = 10 }}\nmaterials.m = {{ density = 1000 }}\n\
             solver = {{ tolerance = 1e-11 }}\n\
             contact = [{{ between = \"any\", friction = 0.5, joint = {{ law = \"bilinear\", {MODES} }} }}]\n\
             [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nposition = [0, 0, -0.5]\n\
             shape = {{ kind = \"box\", size = [3, 3, 1] }}\n\
             [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = [0, 0, 0.5]\nvelocity = {v}\n\
             shape = {{ kind = \"box\", size = [1, 1, 1] }}\n\
             [[fix]]\nbodies = \"b\"\ncomponents = [\"rx\", \"ry\", \"rz\"]\n"
        )
    };
    for (v, expected) in [("[0, 0, 1]", 100.0), ("[0.9, 1.2, 0]", 300.0), ("[0.6, 0.8, 1]", 200.0)] {
        let mut s = solid(&text(v));
        let start = kinetic(&s);
        go_free(&mut s, 20_000);
        let energy = start - kinetic(&s);
        assert!((energy - expected).abs() < 5e-3 * expected, "{v}: {energy}");
    }
}

#[test]
fn a_contact_that_is_elastic_in_compression_throws_back_what_it_got() {
    // k A = 1e7 N/m: 0.1 m/s is stopped after 1 mm, and given back after π√(m/k) = 31.4 ms.
    let text = "dimension = 2\ntime = { step = 1e-4, end = 10 }\nmaterials.m = { density = 1000 }\n\
         contact = [{ between = \"any\", friction = 0.5, unilateral = \"compliant\", compression_stiffness = 1e7 }]\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nposition = [0, -0.5]\n\
         shape = { kind = \"rectangle\", size = [9, 1] }\n\
         [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nshape = { kind = \"rectangle\", size = [1, 1] }\n\
         velocity = [0, -0.1]\nposition = [0, 0.5]\n";
    let mut s = plane(text);
    let mut deepest = 0.0f64;
    for _ in 0..400 {
        s.step().unwrap();
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-12);
        deepest = deepest.max(0.5 - s.state.motions[1].place.centre.y);
    }
    assert!((deepest - 1e-3).abs() < 1e-6, "{deepest}");
    assert!((s.state.motions[1].velocity.y - 0.1).abs() < 1e-4, "{}", s.state.motions[1].velocity);
}

#[test]
fn a_bridge_of_liquid_takes_its_force_times_its_range() {
    // Two balls of 1 kg that touch leave each other; the bridge takes 2 N over 1 mm.
    let text = |speed: f64| {
        format!(
            "dimension = 3\ntime = {{ step = 1e-5, end = 10 }}\nmaterials.m = {{ density = 1000 }}\n\
             contact = [{{ between = \"any\", friction = 0.5, joint = {{ law = \"capillary\", force = 2, range = 1e-3 }} }}]\n\
             [[bodies]]\nname = \"a\"\nmaterial = \"m\"\nmass = 1\nposition = [0, 0, 0]\nvelocity = [-{speed}, 0, 0]\n\
             shape = {{ kind = \"sphere\", radius = 0.1 }}\n\
             [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nmass = 1\nposition = [0.1999989, 0, 0]\nvelocity = [{speed}, 0, 0]\n\
             shape = {{ kind = \"sphere\", radius = 0.1 }}\n"
        )
    };
    let mut s = solid(&text(0.1));
    let start = kinetic(&s);
    for _ in 0..2000 {
        s.step().unwrap();
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
    }
    let taken = start - kinetic(&s);
    // Within what two steps of 2 μm take.
    assert!((taken - 2e-3).abs() < 8e-6 && (s.state.ledger.damage - 2e-3).abs() < 8e-6, "{taken} {:?}", s.state.ledger);
    // 1 mJ is not enough to part: they come back and stay.
    let mut s = solid(&text(0.03));
    for _ in 0..20_000 {
        s.step().unwrap();
    }
    assert!(kinetic(&s) < 1e-12, "{}", kinetic(&s));
    assert_eq!(s.state.reactions[0].memory().bond, Bond::Whole);
}

#[test]
fn a_resumed_run_has_the_same_bits() {
    let mut s = thrown(&format!("law = \"exponential\", {MODES}"), 1e-4, 2, [0.4, 1.0]);
    for _ in 0..5 {
        s.step().unwrap();
    }
    assert!(s.state.reactions.iter().any(|r| r.memory().damage > 0.0 && r.memory().jump != Vect::<2>::zeros()));
    let mut again = Simulation::resume(s.scene.clone(), s.state.clone());
    for _ in 0..30 {
        s.step().unwrap();
        again.step().unwrap();
        assert_eq!(s.state, again.state);
    }
}
