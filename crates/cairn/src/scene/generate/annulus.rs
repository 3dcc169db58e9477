//! Disks between two circles: one in each round cell, as wide as the largest disk, of concentric rings of cells; moved
//! at random within its cell, so that none touches another. Rings are filled from the inner one outwards.

use super::random::Random;
use super::sizes::sizes;
use super::{Made, piece};
use crate::scene::document::{Problem, Table};
use crate::scene::spec::{Form, MOST_BODIES};
use std::f64::consts::{PI, TAU};

/// Reads and makes them.
pub fn annulus(t: &Table) -> Option<Made> {
    let inner = t.number("inner", "radius of the inner circle [m]").positive().required();
    let outer = t.number("outer", "radius of the outer circle [m]").positive().required();
    let count = t.integer("count", "number of disks", 1, MOST_BODIES as i64).required();
    let sizes = sizes(t).required();
    let seed = t.integer("seed", "of the random numbers: the same seed gives the same disks", 0, i64::MAX).or(1);
    let (inner, outer, count, sizes) = (inner?, outer?, count? as usize, sizes?);
    let cell = sizes.largest();
    let rings = rings(t, [inner, outer], cell, count)?;
    let mut random = Random::new(seed as u64);
    let radii = sizes.draw(count, 2, &mut random);
    let places: Vec<(f64, f64)> = rings
        .into_iter()
        .flat_map(|(radius, cells)| {
            let first = random.unit();
            (0..cells).map(move |k| (radius, TAU * (k as f64 + first) / cells as f64))
        })
        .collect();
    let disk = |((ring, angle), radius): ((f64, f64), f64)| {
        let (away, towards) = ((cell - radius) * random.unit().sqrt(), TAU * random.unit());
        let centre = [ring * angle.cos() + away * towards.cos(), ring * angle.sin() + away * towards.sin(), 0.0];
        piece(vec![Form::Ball(radius).into()], centre)
    };
    Some(Made::one_group(places.into_iter().zip(radii).map(disk).collect()))
}

/// Radius and number of cells of each ring that is needed; the last is shared out evenly.
fn rings(t: &Table, [inner, outer]: [f64; 2], cell: f64, count: usize) -> Option<Vec<(f64, usize)>> {
    let mut rings = Vec::new();
    let mut left = count;
    let mut radius = inner + cell;
    while left > 0 && radius + cell <= outer * (1.0 + 1e-12) {
        // Neighbours on the ring are a chord of two cell radii or more apart.
        let cells = ((PI / (cell / radius).asin() * (1.0 + 1e-12)).floor() as usize).min(left);
        rings.push((radius, cells));
        left -= cells;
        radius += 2.0 * cell;
    }
    if left == 0 {
        return Some(rings);
    }
    let message = format!("`{}`: {} disks fit between the circles, {count} are asked for", t.path, count - left);
    let help = format!("make `outer` larger: each disk takes {} m in every direction", 2.0 * cell);
    t.reader.report(Problem::new(t.place_of("count"), message, "too many for the region").help(help));
    None
}
