//! A quadrilateral, or a sector of a ring: a rectangle, mapped.

use std::f64::consts::FRAC_PI_2;

use crate::Vect;
use crate::mesh::Mesh;

use super::{Flat, rectangle};

/// The quadrilateral with these corners [m], counter-clockwise, between the lines `us` and `vs` from 0 to 1 along its first side and across.
///
/// Boundaries `bottom` (the first side), `right`, `top`, `left`.
pub fn quadrilateral(corners: &[[f64; 2]; 4], us: &[f64], vs: &[f64], layout: Flat) -> Mesh<2> {
    let mut mesh = rectangle(us, vs, layout);
    mesh.map(|x| {
        let (u, v) = (x[0], x[1]);
        let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v];
        Vect::<2>::from_fn(|i, _| corners.iter().zip(weights).map(|(corner, w)| corner[i] * w).sum())
    });
    mesh
}

/// A quarter of a ring about the origin between two radii [m], from the first axis to the second, between the lines `us` across and `vs`
/// along the arc, from 0 to 1.
///
/// Boundaries `inner`, `outer`, `bottom` (on the first axis) and `left` (on the second).
pub fn quarter_ring(radii: [f64; 2], us: &[f64], vs: &[f64], layout: Flat) -> Mesh<2> {
    let mut mesh = rectangle(us, vs, layout);
    mesh.map(|x| {
        let radius = radii[0] + (radii[1] - radii[0]) * x[0];
        let (sine, cosine) = (FRAC_PI_2 * x[1]).sin_cos();
        // The axes exactly, so that symmetry can be asked for.
        Vect::from(match x[1] {
            0.0 => [radius, 0.0],
            1.0 => [0.0, radius],
            _ => [radius * cosine, radius * sine],
        })
    });
    for boundary in &mut mesh.boundaries {
        let name = match boundary.name.as_str() {
            "left" => "inner",
            "right" => "outer",
            "top" => "left",
            _ => "bottom",
        };
        boundary.name = name.to_string();
    }
    mesh
}
