//! No preferred scale: the same model in other sizes and units takes the same sweeps to the same answer. Factors that are powers
//! of two change no digit, so there the answers agree to the last bit; any absolute tolerance in the program would show.

use crate::support::{plane, solid};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

/// Factors on length, time and density; gravity follows from the first two.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    time: f64,
    density: f64,
}

const ONE: Units = Units { length: 1.0, time: 1.0, density: 1.0 };
/// A sixteenth of the size under the same gravity; a heavier material; millimetres-like units.
const EXACT: [Units; 4] = [
    Units { length: 1.0 / 16.0, time: 0.25, density: 1.0 },
    Units { length: 1.0, time: 1.0, density: 1024.0 },
    Units { length: 1024.0, time: 1.0, density: 1.0 / 1024.0 },
    Units { length: 1.0, time: 1.0 / 64.0, density: 1.0 },
];

fn head(dimension: usize, u: Units) -> String {
    let gravity = match dimension {
        2 => format!("[0, {}]", -9.81 * u.length / (u.time * u.time)),
        _ => format!("[0, 0, {}]", -9.81 * u.length / (u.time * u.time)),
    };
    format!(
        "dimension = {dimension}\ngravity = {{ acceleration = {gravity} }}\ntime = {{ step = {}, end = {} }}\n\
         materials.m = {{ density = {} }}\nsolver = {{ max_sweeps = 500 }}\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.4\n",
        2e-3 * u.time,
        u.time,
        2500.0 * u.density
    )
}

fn points(x: &[f64], u: Units) -> String {
    format!("{:?}", x.iter().map(|x| x * u.length).collect::<Vec<f64>>())
}

/// Grains, balls and stones, that fall into a box.
fn pile(dimension: usize, u: Units) -> String {
    let (low, middle, high) = match dimension {
        2 => (points(&[0.0, 0.0], u), points(&[1.0, 0.5], u), points(&[1.0, 4.0], u)),
        _ => (points(&[0.0; 3], u), points(&[1.0, 1.0, 0.5], u), points(&[1.0, 1.0, 4.0], u)),
    };
    let upper = if dimension == 2 { points(&[0.0, 0.5], u) } else { points(&[0.0, 0.0, 0.5], u) };
    let (least, most) = (0.08 * u.length, 0.1 * u.length);
    format!(
        "{}[[generate]]\nkind = \"grains\"\nname = \"balls\"\nmaterial = \"m\"\ncount = 10\nlow = {low}\nhigh = {middle}\n\
         radius = {{ kind = \"uniform\", min = {least}, max = {most} }}\n\
         [[generate]]\nkind = \"grains\"\nname = \"stones\"\nmaterial = \"m\"\nshape = \"angular\"\ncount = 15\nlow = {upper}\nhigh = {high}\n\
         radius = {{ kind = \"uniform\", min = {least}, max = {most} }}\n\
         [[generate]]\nkind = \"box\"\nname = \"box\"\nmaterial = \"m\"\nlow = {low}\nhigh = {high}\n",
        head(dimension, u)
    )
}

/// A small wall in running bond on a floor.
fn wall(dimension: usize, u: Units) -> String {
    let (size, floor) = match dimension {
        2 => (points(&[0.24, 0.08], u), "half_plane\", normal = [0, 1]"),
        _ => (points(&[0.24, 0.12, 0.08], u), "half_space\", normal = [0, 0, 1]"),
    };
    format!(
        "{}[[generate]]\nkind = \"wall\"\nname = \"wall\"\nmaterial = \"m\"\ncourses = 5\nblocks = 3\nsize = {size}\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"{floor} }}\n",
        head(dimension, u)
    )
}

/// Sweeps step by step and final places, in units of the original.
fn outcome<const D: usize>(mut s: Simulation<D>, steps: usize, u: Units) -> (Vec<usize>, Vec<f64>)
where
    Space<D>: Ambient<D>,
{
    let sweeps = (0..steps).map(|_| s.step().unwrap().sweeps).collect();
    let mut numbers = Vec::new();
    for m in s.state.motions.iter().zip(&s.scene.bodies).filter(|(_, b)| b.mass.is_finite()).map(|(m, _)| m) {
        numbers.extend(m.place.centre.iter().map(|x| x / u.length));
        numbers.extend(m.velocity.iter().map(|v| v / u.length * u.time));
        numbers.extend(Space::<D>::turn_numbers(&m.place.turn));
    }
    (sweeps, numbers)
}

#[test]
fn powers_of_two_change_no_bit() {
    for u in EXACT {
        let flat = |scene: fn(usize, Units) -> String, steps| {
            (outcome(plane(&scene(2, ONE)), steps, ONE), outcome(plane(&scene(2, u)), steps, u))
        };
        let deep = |scene: fn(usize, Units) -> String, steps| {
            (outcome(solid(&scene(3, ONE)), steps, ONE), outcome(solid(&scene(3, u)), steps, u))
        };
        let pairs = [
            ("flat pile", flat(pile, 200)),
            ("flat wall", flat(wall, 30)),
            ("pile", deep(pile, 150)),
            ("wall", deep(wall, 30)),
        ];
        for (story, (one, other)) in pairs {
            assert_eq!(one.0, other.0, "{story} in {u:?}: sweeps");
            assert!(one.1 == other.1, "{story} in {u:?}: the answers differ");
        }
    }
}

#[test]
fn a_tenth_of_the_size_takes_the_same_sweeps() {
    let tenth = Units { length: 0.1, time: 0.1_f64.sqrt(), density: 1.0 };
    for (story, one, other) in [
        ("flat wall", outcome(plane(&wall(2, ONE)), 20, ONE), outcome(plane(&wall(2, tenth)), 20, tenth)),
        ("wall", outcome(solid(&wall(3, ONE)), 20, ONE), outcome(solid(&wall(3, tenth)), 20, tenth)),
        ("flat pile", outcome(plane(&pile(2, ONE)), 60, ONE), outcome(plane(&pile(2, tenth)), 60, tenth)),
    ] {
        assert_eq!(one.0, other.0, "{story}: sweeps");
        for (a, b) in one.1.iter().zip(&other.1) {
            assert!((a - b).abs() < 1e-7, "{story}: {a} and {b}");
        }
    }
}
