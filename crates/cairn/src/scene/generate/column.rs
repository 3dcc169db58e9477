//! A column of drums: rectangles or trapezia in 2D, regular prisms (or frusta) in 3D.

use super::{Made, piece};
use crate::scene::document::Table;
use crate::scene::shapes::ring;
use crate::scene::spec::Form;

/// Reads and makes it.
pub fn column(t: &Table) -> Option<Made> {
    let drums = t.integer("drums", "number of drums", 1, 1_000_000).required();
    let radius = t.number("radius", "radius (3D: of the circumscribed circle) at the base [m]").positive().required();
    let top = t.number("top_radius", "radius at the top [m]").positive().or_as("radius", f64::NAN);
    let height = t.number("height", "height of one drum [m]").positive().required();
    let sides = t.integer("sides", "sides of a drum", 3, 1000).only(3, "a 2D drum is a rectangle").or(12);
    let (n, radius, height) = (drums?, radius?, height?);
    let top = if top.is_nan() { radius } else { top };
    let dimension = t.reader.dimension.get();
    let radius_at = |joint: i64| radius + (top - radius) * joint as f64 / n as f64;
    let drum = |i: i64| {
        let (low, high) = (radius_at(i), radius_at(i + 1));
        let h = height / 2.0;
        let vertices = match dimension {
            2 => vec![[-low, -h, 0.0], [low, -h, 0.0], [high, h, 0.0], [-high, h, 0.0]],
            _ => [ring(sides as usize, low, -h), ring(sides as usize, high, h)].concat(),
        };
        let mut centre = [0.0; 3];
        centre[dimension - 1] = (i as f64 + 0.5) * height;
        piece(vec![Form::Convex(vertices.into()).into()], centre)
    };
    Some(Made::one_group((0..n).map(drum).collect()))
}
