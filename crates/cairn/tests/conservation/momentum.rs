//! Collisions without gravity: linear and angular momentum stay to round-off, whatever the law and the shapes.

use super::totals::{Random, momentum};
use crate::support::{plane, solid};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use std::fmt::Write;

/// All unilateral laws, with friction.
const LAWS: [&str; 4] = [
    "unilateral = \"quasi_inelastic\"",
    "unilateral = \"gap\"",
    "unilateral = \"velocity\"\nrestitution = 0.8\ntangential_restitution = 0.3",
    "unilateral = \"moreau\"\ndissipation = 0.2",
];

const PLANE_SHAPES: [&str; 4] = [
    "{ kind = \"disk\", radius = 0.4 }",
    "{ kind = \"rectangle\", size = [0.7, 0.4] }",
    "{ kind = \"regular_polygon\", sides = 5, radius = 0.4 }",
    "{ kind = \"union\", parts = [{ kind = \"disk\", radius = 0.15, position = [-0.2, 0] }, { kind = \"rectangle\", size = [0.4, 0.2] }] }",
];

const SOLID_SHAPES: [&str; 4] = [
    "{ kind = \"sphere\", radius = 0.4 }",
    "{ kind = \"box\", size = [0.6, 0.4, 0.3] }",
    "{ kind = \"prism\", sides = 5, radius = 0.3, height = 0.4 }",
    "{ kind = \"union\", parts = [{ kind = \"sphere\", radius = 0.15, position = [-0.2, 0, 0] }, { kind = \"box\", size = [0.4, 0.2, 0.1] }] }",
];

fn head(dimension: usize, law: &str) -> String {
    format!(
        "dimension = {dimension}\ntime = {{ step = 5e-3, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
         solver = {{ max_sweeps = 200 }}\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.4\n{law}\n"
    )
}

/// `n`^D bodies on a grid that fly at its middle, each turned and spinning at random.
fn converging<const D: usize>(n: usize, shapes: &[&str], law: &str, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = head(D, law);
    for k in 0..n.pow(D as u32) {
        let place: Vec<f64> = (0..D)
            .map(|d| (k / n.pow(d as u32) % n) as f64 - 0.5 * (n - 1) as f64 + random.within(-0.05, 0.05))
            .collect();
        let velocity: Vec<f64> = place.iter().map(|x| -3.0 * x + random.within(-0.5, 0.5)).collect();
        let mut three = || [random.within(-5.0, 5.0), random.within(-5.0, 5.0), random.within(-5.0, 5.0)];
        let (spin, axis) = (three(), three());
        let turned = match D {
            2 => format!("angle = {}\nspin = {}", 40.0 * axis[0], spin[0]),
            _ => format!("rotation = {{ axis = {axis:?}, angle = 70 }}\nspin = {spin:?}"),
        };
        let shape = shapes[k % shapes.len()];
        writeln!(
            text,
            "[[bodies]]\nmaterial = \"m\"\nshape = {shape}\nposition = {place:?}\nvelocity = {velocity:?}\n{turned}"
        )
        .unwrap();
    }
    text
}

fn keeps_momentum<const D: usize>(simulation: &mut Simulation<D>, steps: usize, story: &str)
where
    Space<D>: Ambient<D>,
{
    let (linear, angular, size) = momentum(simulation);
    let mut touched = 0;
    for k in 0..steps {
        touched += simulation.step().unwrap().active;
        let (p, l, now) = momentum(simulation);
        let off = (p - linear).norm() / size[0].max(now[0]);
        assert!(off < 1e-12, "{story}, step {k}: linear momentum is off by {off:e}");
        let change = l + angular * -1.0;
        let off = Space::<D>::spin_dot(&change, &change).sqrt() / size[1].max(now[1]);
        assert!(off < 1e-12, "{story}, step {k}: angular momentum is off by {off:e}");
    }
    assert!(touched > 0, "{story}: nothing touched");
}

#[test]
fn pairs_in_the_plane() {
    for law in LAWS {
        for (i, a) in PLANE_SHAPES.iter().enumerate() {
            for b in &PLANE_SHAPES[i..] {
                // Four bodies, two of each kind, meet in the middle.
                let text = converging::<2>(2, &[a, b], law, i as u64);
                keeps_momentum(&mut plane(&text), 80, &format!("{law}, {a} and {b}"));
            }
        }
    }
}

#[test]
fn pairs_in_space() {
    for law in LAWS {
        for (i, a) in SOLID_SHAPES.iter().enumerate() {
            for b in &SOLID_SHAPES[i..] {
                let text = converging::<3>(2, &[a, b], law, i as u64);
                keeps_momentum(&mut solid(&text), 60, &format!("{law}, {a} and {b}"));
            }
        }
    }
}

#[test]
fn crowds() {
    for (seed, law) in LAWS.iter().enumerate() {
        keeps_momentum(&mut plane(&converging::<2>(6, &PLANE_SHAPES, law, seed as u64)), 60, law);
        keeps_momentum(&mut solid(&converging::<3>(3, &SOLID_SHAPES, law, seed as u64)), 50, law);
    }
}
