//! Impacts of one body against a fixed plane: which laws can gain energy, and which cannot.
//!
//! With U⁺ = U⁻ + W R the work of a contact is R·½(U⁻ + U⁺) = R·U⁺ − ½ RᵀWR. Newton's law gives R·U⁺ = e R_N |U_N⁻| + R_T·U_T⁺:
//! for a body whose W couples n and t (a tilted block) the first term can win, and energy is gained (Kane's paradox).
//! It cannot where W is diagonal (balls), without friction, with e = 0, or with e_T = e_N, which is Moreau's law.

use super::totals::Random;
use crate::support::{plane, solid};
use cairn::measure::kinetic_energy;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const BALL: &str = "kind = \"disk\", radius = 0.2";
const BLOCK: &str = "kind = \"rectangle\", size = [0.4, 0.1]";
const SPHERE: &str = "kind = \"sphere\", radius = 0.2";
const BRICK: &str = "kind = \"box\", size = [0.4, 0.1, 0.2]";

/// A law with its friction.
fn newton(e: f64, tangential: f64, friction: f64) -> String {
    format!(
        "unilateral = \"velocity\"\nrestitution = {e}\ntangential_restitution = {tangential}\nfriction = {friction}"
    )
}

fn moreau(dissipation: f64, friction: f64) -> String {
    format!("unilateral = \"moreau\"\ndissipation = {dissipation}\nfriction = {friction}")
}

fn quasi_inelastic(friction: f64) -> String {
    format!("unilateral = \"quasi_inelastic\"\nfriction = {friction}")
}

/// A body that hits the ground at a random angle, with a random spin; no gravity.
fn thrown<const D: usize>(shape: &str, law: &str, random: &mut Random) -> String {
    let mut three = |size: f64| [random.within(-size, size), random.within(-size, size), random.within(-size, size)];
    let (axis, spin, mut velocity) = (three(1.0), three(8.0), three(3.0));
    velocity[D - 1] = -1.0 - velocity[D - 1].abs();
    let (angle, mut position) = (random.within(0.0, 180.0), [0.0; 3]);
    position[D - 1] = 0.25;
    let (ground, turned) = match D {
        2 => ("half_plane\", normal = [0, 1]", format!("angle = {angle}\nspin = {}", spin[0])),
        _ => (
            "half_space\", normal = [0, 0, 1]",
            format!("rotation = {{ axis = {axis:?}, angle = {angle} }}\nspin = {spin:?}"),
        ),
    };
    format!(
        "dimension = {D}\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
         solver = {{ tolerance = 1e-12 }}\n[[contact]]\nbetween = [\"m\", \"m\"]\n{law}\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"{ground} }}\n\
         [[bodies]]\nname = \"body\"\nmaterial = \"m\"\nshape = {{ {shape} }}\nposition = {:?}\nvelocity = {:?}\n{turned}\n",
        &position[..D],
        &velocity[..D]
    )
}

/// The largest gain of kinetic energy in a step, relative to the start. The scheme's own error in turning a tri-axial
/// body is not the contact's.
fn worst_gain<const D: usize>(mut simulation: Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let energy =
        |s: &Simulation<D>| kinetic_energy(&s.scene, &s.state.motions, &s.state.fields) + s.state.ledger.scheme;
    let (start, mut before, mut worst, mut hits) = (energy(&simulation), energy(&simulation), f64::MIN, 0);
    for _ in 0..250 {
        hits += simulation.step().unwrap().active;
        let after = energy(&simulation);
        worst = worst.max((after - before) / start);
        before = after;
    }
    assert!(hits > 0, "it never hit the ground");
    worst
}

const ROUND_OFF: f64 = 1e-12;

#[test]
fn balls_never_gain_energy() {
    let mut random = Random(1);
    for _ in 0..12 {
        let (e, et, mu) = (random.within(0.0, 1.0), random.within(0.0, 1.0), random.within(0.0, 2.0));
        for law in [newton(e, et, mu), newton(1.0, et, mu), moreau(e, mu), quasi_inelastic(mu)] {
            let gain = worst_gain(plane(&thrown::<2>(BALL, &law, &mut random)));
            assert!(gain < ROUND_OFF, "{law}: {gain:e}");
            let gain = worst_gain(solid(&thrown::<3>(SPHERE, &law, &mut random)));
            assert!(gain < ROUND_OFF, "{law}: {gain:e}");
        }
    }
}

#[test]
fn blocks_never_gain_energy_in_the_dissipative_laws() {
    let mut random = Random(2);
    for _ in 0..12 {
        let (e, mu) = (random.within(0.0, 1.0), random.within(0.0, 0.6));
        let laws = [
            quasi_inelastic(mu),
            moreau(e, mu),
            moreau(0.0, mu),
            newton(0.0, 0.0, mu),
            newton(e, e, mu),
            newton(e, 0.0, 0.0),
        ];
        for law in laws {
            let gain = worst_gain(plane(&thrown::<2>(BLOCK, &law, &mut random)));
            assert!(gain < ROUND_OFF, "{law}: {gain:e}");
            let gain = worst_gain(solid(&thrown::<3>(BRICK, &law, &mut random)));
            assert!(gain < ROUND_OFF, "{law}: {gain:e}");
        }
    }
}

#[test]
fn newton_with_friction_can_gain_for_a_tilted_block_and_moreau_cannot() {
    let gain = |law: &str| {
        let throws = (0..60).map(|k| worst_gain(plane(&thrown::<2>(BLOCK, law, &mut Random(k)))));
        throws.fold(f64::MIN, f64::max)
    };
    assert!(gain(&newton(0.9, 0.0, 0.5)) > 1e-3, "Kane's paradox is a property of the law");
    assert!(gain(&moreau(0.1 / 1.9, 0.5)) < ROUND_OFF, "the same e = (1−δ)/(1+δ) = 0.9 in Moreau's law");
}

#[test]
fn moreau_without_dissipation_keeps_the_energy_of_a_frictionless_impact() {
    for k in 0..10 {
        let mut simulation = plane(&thrown::<2>(BLOCK, &moreau(0.0, 0.0), &mut Random(k)));
        let before = kinetic_energy(&simulation.scene, &simulation.state.motions, &simulation.state.fields);
        crate::support::go(&mut simulation, 250);
        let after = kinetic_energy(&simulation.scene, &simulation.state.motions, &simulation.state.fields);
        assert!((after / before - 1.0).abs() < 1e-11, "{after} J of {before} J");
    }
}
