//! Meshes of simple bodies, one file each. Sides are named; all cells are of one region, `body`.
//!
//! Spacings are lists of coordinates, so that any grading can be had: [`even`], [`graded`], [`graded_from_middle`].
//! Quadratic cells come from linear ones by [`Mesh::quadratic`] or [`Mesh::quadratic_on`].

mod block;
mod cylinder;
mod disc;
mod half_disc;
mod impact_plate;
mod quadrilateral;
mod rectangle;
mod sheet;
mod sphere;

pub use block::{Solid, block, rod};
pub use cylinder::{cylinder, quarter_cylinder};
pub use disc::{disc, quarter_disc};
pub use half_disc::half_disc;
pub use impact_plate::impact_plate;
pub use quadrilateral::{quadrilateral, quarter_ring};
pub use rectangle::{Flat, rectangle};
pub use sheet::{Surface, SurfaceError, cap, ring, shell, tube};
pub use sphere::eighth_sphere;

use crate::Vect;
use crate::mesh::{Kind, Mesh};

/// `count` equal intervals from `from` to `to` [m].
pub fn even(from: f64, to: f64, count: usize) -> Vec<f64> {
    graded(from, to, count, 1.0)
}

/// `count` intervals from `from` to `to` [m] that grow geometrically; the last is `ratio` times as long as the first.
pub fn graded(from: f64, to: f64, count: usize, ratio: f64) -> Vec<f64> {
    let count = count.max(1);
    let growth = if count > 1 { ratio.powf(1.0 / (count - 1) as f64) } else { 1.0 };
    let total: f64 = (0..count).map(|i| growth.powi(i as i32)).sum();
    let mut points = vec![from];
    let mut sum = 0.0;
    for i in 0..count - 1 {
        sum += growth.powi(i as i32);
        points.push(from + (to - from) * (sum / total));
    }
    points.push(to);
    points
}

/// 2 · `half` intervals from `−reach` to `reach` [m], the outermost `ratio` times as long as those in the middle.
pub fn graded_from_middle(reach: f64, half: usize, ratio: f64) -> Vec<f64> {
    let right = graded(0.0, reach, half, ratio);
    right[1..].iter().rev().map(|x| -x).chain(right.iter().copied()).collect()
}

/// Quadrangles on a lattice of parameters, with the nodes put where a function of (u, v) says. It must not mirror.
fn patch(us: &[f64], vs: &[f64], place: impl Fn(f64, f64) -> [f64; 2]) -> Mesh<2> {
    let mut mesh = Mesh { regions: vec!["body".to_string()], ..Default::default() };
    mesh.nodes =
        vs.iter().flat_map(|&v| us.iter().map(move |&u| (u, v))).map(|(u, v)| Vect::from(place(u, v))).collect();
    let width = us.len() as u32;
    let mut cells = Vec::new();
    for j in 0..vs.len() as u32 - 1 {
        for i in 0..width - 1 {
            let first = j * width + i;
            cells.extend([first, first + 1, first + width + 1, first + width]);
        }
    }
    mesh.add_cells(Kind::Q4, 0, &cells);
    mesh
}

/// Hexahedra on a lattice of parameters, with the nodes put where a function of (u, v, w) says. It must not mirror.
fn solid_patch(us: &[f64], vs: &[f64], ws: &[f64], place: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh<3> {
    let mut mesh = Mesh { regions: vec!["body".to_string()], ..Default::default() };
    for &w in ws {
        for &v in vs {
            mesh.nodes.extend(us.iter().map(|&u| Vect::from(place([u, v, w]))));
        }
    }
    let (row, layer) = (us.len() as u32, (us.len() * vs.len()) as u32);
    let mut cells = Vec::new();
    for k in 0..ws.len() as u32 - 1 {
        for j in 0..vs.len() as u32 - 1 {
            for i in 0..row - 1 {
                let a = k * layer + j * row + i;
                let base = [a, a + 1, a + row + 1, a + row];
                cells.extend(base);
                cells.extend(base.map(|n| n + layer));
            }
        }
    }
    mesh.add_cells(Kind::H8, 0, &cells);
    mesh
}

/// Patches joined along their common nodes.
fn join<const D: usize>(patches: &[Mesh<D>], tolerance: f64) -> Mesh<D> {
    let mut mesh = Mesh::default();
    patches.iter().for_each(|patch| mesh.merge(patch));
    mesh.weld(tolerance);
    mesh
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
