//! Equal disks or spheres in a regular pattern.
//!
//! With the spacing a between neighbours: square/cubic (a, a, a); triangular: rows a √3/2 apart, every other shifted by
//! a/2; fcc: layers as in the square pattern, a/√2 apart, every other shifted by (a/2, a/2).

use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::spec::Form;

#[derive(Clone, Copy, PartialEq)]
enum Pattern {
    Square,
    Triangular,
    Fcc,
}

/// Reads and makes it.
pub fn lattice(t: &Table) -> Option<Made> {
    let patterns = [
        ("square", "2D: neighbours along the axes", (Pattern::Square, 2)),
        ("triangular", "2D: six neighbours", (Pattern::Triangular, 2)),
        ("cubic", "3D: neighbours along the axes", (Pattern::Square, 3)),
        ("fcc", "3D: face-centred, twelve neighbours", (Pattern::Fcc, 3)),
    ];
    let pattern = t.choice("pattern", "arrangement", &patterns).required();
    let radius = t.number("radius", "radius of each [m]").positive().required();
    let spacing = t.number("spacing", "between the centres of neighbours [m]").positive().or_as("2 radius", f64::NAN);
    let counts = t.vector("counts", "how many in each direction").required();
    let ((pattern, dimension), radius, counts) = (pattern?, radius?, counts?);
    if !t.reader.is_dimension(dimension) {
        t.wrong("pattern", format!("`{}`: this pattern is for dimension = {dimension}", t.path_of("pattern")), "here");
        return None;
    }
    let whole = |x: &f64| *x >= 1.0 && x.fract() == 0.0 && *x <= 1e7;
    if !counts[..dimension].iter().all(whole) {
        t.wrong("counts", format!("`{}` must be whole numbers ≥ 1", t.path_of("counts")), "counts");
        return None;
    }
    let [nx, ny, nz] = counts.map(|x| (x as i64).max(1));
    within_limit(t, "counts", &[nx, ny, nz])?;
    let a = if spacing.is_nan() { 2.0 * radius } else { spacing };
    let mut pieces = Vec::new();
    for (k, j, i) in (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i)))) {
        let [x, y, z] = [i, j, k].map(|n| n as f64);
        let odd = |n: i64| if n % 2 == 1 { 0.5 } else { 0.0 };
        let centre = match pattern {
            Pattern::Square => [x, y, z],
            Pattern::Triangular => [x + odd(j), y * 0.75f64.sqrt(), 0.0],
            Pattern::Fcc => [x + odd(k), y + odd(k), z * 0.5f64.sqrt()],
        };
        pieces.push(piece(vec![Form::Ball(radius).into()], centre.map(|c| c * a)));
    }
    Some(Made::one_group(pieces))
}
