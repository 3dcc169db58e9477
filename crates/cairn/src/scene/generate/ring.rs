//! A ring of equal disks: bead k at the angle 2πk/n from the x axis. With a `[[membrane]]` through it, a flexible wall.

use super::{Made, piece};
use crate::scene::document::Table;
use crate::scene::spec::Form;
use std::f64::consts::TAU;

/// Reads and makes it.
pub fn ring(t: &Table) -> Option<Made> {
    let radius = t.number("radius", "radius of the circle through the centres [m]").positive().required();
    let count = t.integer("count", "number of disks", 3, 1_000_000).required();
    let bead = t.number("bead_radius", "radius of each disk [m]").positive().required();
    let (radius, count, bead) = (radius?, count?, bead?);
    let at = |k: i64| {
        let (sin, cos) = (TAU * k as f64 / count as f64).sin_cos();
        piece(vec![Form::Ball(bead).into()], [radius * cos, radius * sin, 0.0])
    };
    Some(Made::one_group((0..count).map(at).collect()))
}
