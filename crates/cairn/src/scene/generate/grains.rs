//! Grains in a region: one in each cell ([`Cells`]), moved at random within it, so that none touches another. They are meant
//! to fall into place; layers are filled from below.

use super::cells::Cells;
use super::random::Random;
use super::sizes::sizes;
use super::{Made, piece};
use crate::scene::document::{Problem, Table};
use crate::scene::generate::container::region_is_proper;
use crate::scene::spec::{Form, MOST_BODIES};
use std::f64::consts::TAU;

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Ball,
    Angular,
}

/// Reads and makes them.
pub fn grains(t: &Table) -> Option<Made> {
    let low = t.vector("low", "lower corner of the region [m]").required();
    let high = t.vector("high", "upper corner of the region [m]").required();
    let count = t.integer("count", "number of grains", 1, MOST_BODIES as i64).required();
    let sizes = sizes(t).required();
    let shapes =
        [("ball", "disks or spheres", Shape::Ball), ("angular", "random convex polygons or polyhedra", Shape::Angular)];
    let shape = t.choice("shape", "shape of the grains", &shapes).or_as("\"ball\"", Shape::Ball);
    let fewest = t.integer("min_vertices", "angular grains: fewest vertices", 3, 100).or(6);
    let most = t.integer("max_vertices", "angular grains: most vertices", 3, 100).or(10);
    let seed = t.integer("seed", "of the random numbers: the same seed gives the same grains", 0, i64::MAX).or(1);
    let (low, high, count, sizes) = (low?, high?, count? as usize, sizes?);
    region_is_proper(t, low, high)?;
    let dimension = t.reader.dimension.get();
    let fewest = fewest.max(dimension as i64 + 1) as usize;
    let most = (most as usize).max(fewest);
    let width = 2.0 * sizes.largest();
    let counts = cells_along(low, high, width, dimension);
    let mut cells = Cells::new(counts, dimension, count);
    let mut random = Random::new(seed as u64);
    let radii = sizes.draw(count, dimension, &mut random);
    let mut pieces = Vec::with_capacity(count);
    for radius in radii {
        let Some(cell) = cells.take(2.0 * radius / width) else {
            refuse(t, pieces.len(), count, width);
            return None;
        };
        let mut centre = [0.0; 3];
        for k in 0..dimension {
            // Cells share the region's width; upwards they are stacked as close as they can be.
            let whole = if k + 1 == dimension { width } else { (high[k] - low[k]) / counts[k] as f64 };
            let pitch = whole * 0.5f64.powi(cell.halvings as i32);
            let room = (pitch / 2.0 - radius).max(0.0);
            centre[k] = low[k] + (cell.index[k] as f64 + 0.5) * pitch + random.between(-room, room);
        }
        let form = match shape {
            Shape::Ball => Form::Ball(radius),
            Shape::Angular => {
                let vertices = fewest + random.below(most - fewest + 1);
                Form::Convex(angular(vertices, radius, dimension, &mut random).into())
            }
        };
        pieces.push(piece(vec![form.into()], centre));
    }
    Some(Made::one_group(pieces))
}

/// How many cells of this width fit in each direction; none at all if one of them is too short.
fn cells_along(low: [f64; 3], high: [f64; 3], width: f64, dimension: usize) -> [usize; 3] {
    let fit = |k: usize| ((high[k] - low[k]) / width * (1.0 + 1e-12)).floor().clamp(0.0, 1e7) as usize;
    std::array::from_fn(|k| if k < dimension { fit(k) } else { 1 })
}

/// Says how many grains fit.
fn refuse(t: &Table, fit: usize, count: usize, width: f64) {
    let message = format!("`{}`: {fit} grains fit into the region, {count} are asked for", t.path);
    let help = format!("make the region larger: the largest grain takes {width} m in every direction");
    t.reader.report(Problem::new(t.place_of("count"), message, "too many for the region").help(help));
}

/// Vertices on the circle or sphere of this radius, none too close to another.
fn angular(count: usize, radius: f64, dimension: usize, random: &mut Random) -> Vec<[f64; 3]> {
    if dimension == 2 {
        let start = random.between(0.0, TAU);
        return (0..count)
            .map(|i| start + TAU * (i as f64 + random.between(-0.3, 0.3)) / count as f64)
            .map(|a| [radius * a.cos(), radius * a.sin(), 0.0])
            .collect();
    }
    // The farthest of some random points each time: spread, yet irregular. The first four make a tetrahedron of size.
    let mut points: Vec<[f64; 3]> = vec![random.direction()];
    while points.len() < count {
        let distance = |p: &[f64; 3]| {
            let to = |q: &[f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>();
            points.iter().map(to).fold(f64::INFINITY, f64::min)
        };
        let candidates: Vec<_> = (0..8).map(|_| random.direction()).collect();
        let best = candidates.into_iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).expect("eight candidates");
        points.push(best);
    }
    points.into_iter().map(|p| p.map(|x| x * radius)).collect()
}
