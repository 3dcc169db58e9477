//! Half-spaces and endless cylinders, cut to the neighbourhood of the bodies.

use super::camera::View;
use crate::number::round_below;
use crate::picture::bounds::Bounds;
use crate::picture::stage::{Actor, Form, Stage};
use nalgebra::Vector3;

/// The face of a half-space, as far as it is shown.
pub struct Floor {
    /// Outward unit normal.
    pub normal: Vector3<f64>,
    /// Corners, in order.
    pub corners: Vec<Vector3<f64>>,
    /// Lines of a faint grid.
    pub lines: Vec<[Vector3<f64>; 2]>,
}

impl Floor {
    /// Turned to the viewer?
    pub fn is_seen(&self, view: &View) -> bool {
        view.direction(&self.normal).z > 0.02
    }
}

/// The faces of all half-spaces on the stage.
pub fn floors(stage: &Stage) -> Vec<Floor> {
    let half_space = |a: &Actor| match a.form {
        Form::HalfSpace { origin, normal } => Some((origin, normal)),
        _ => None,
    };
    let faces: Vec<(Vector3<f64>, Vector3<f64>)> = stage.actors.iter().filter_map(half_space).collect();
    let cut = |k: usize| {
        let others: Vec<_> = faces.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, f)| *f).collect();
        floor(&faces[k].0, &faces[k].1, &others, &stage.bounds)
    };
    (0..faces.len()).map(cut).collect()
}

/// The face through `origin`, within a box somewhat larger than the bodies and in front of the other faces
/// (origin, normal).
fn floor(
    origin: &Vector3<f64>,
    normal: &Vector3<f64>,
    others: &[(Vector3<f64>, Vector3<f64>)],
    bounds: &Bounds,
) -> Floor {
    let size = bounds.size().norm();
    let room = bounds.padded(0.07 * size);
    let centre = bounds.centre();
    let foot = centre - normal * normal.dot(&(centre - origin));
    let x = tangent(normal);
    let y = normal.cross(&x);
    let far = 4.0 * size;
    let square = [(-far, -far), (far, -far), (far, far), (-far, far)];
    let mut corners: Vec<Vector3<f64>> = square.iter().map(|(a, b)| foot + x * *a + y * *b).collect();
    for k in 0..3 {
        // The box bounds the face only sideways: a floor below all bodies is still shown.
        if normal[k].abs() < 0.9 {
            let e = Vector3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
            corners = clip(&corners, &room.low, &e);
            corners = clip(&corners, &room.high, &-e);
        }
    }
    for (at, outward) in others {
        corners = clip(&corners, at, outward);
    }
    let spacing = round_below(0.15 * size);
    let lines = grid(&corners, &foot, [&x, &y], spacing);
    Floor { normal: *normal, corners, lines }
}

/// The part of a convex polygon with (p − at)·inward ≥ 0.
fn clip(corners: &[Vector3<f64>], at: &Vector3<f64>, inward: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let mut kept = Vec::new();
    for (k, a) in corners.iter().enumerate() {
        let b = &corners[(k + 1) % corners.len()];
        let (ha, hb) = (inward.dot(&(a - at)), inward.dot(&(b - at)));
        if ha >= 0.0 {
            kept.push(*a);
        }
        if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
            kept.push(a + (b - a) * (ha / (ha - hb)));
        }
    }
    kept
}

/// A direction in the plane, along a world axis where that is possible.
fn tangent(normal: &Vector3<f64>) -> Vector3<f64> {
    let seed = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    (seed - normal * normal.dot(&seed)).normalize()
}

fn grid(
    corners: &[Vector3<f64>],
    foot: &Vector3<f64>,
    axes: [&Vector3<f64>; 2],
    spacing: f64,
) -> Vec<[Vector3<f64>; 2]> {
    let mut lines = Vec::new();
    for (across, along) in [(axes[0], axes[1]), (axes[1], axes[0])] {
        let place = |p: &Vector3<f64>| across.dot(&(p - foot)) / spacing;
        let (low, high) = corners.iter().map(place).fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        if high - low > 200.0 || low > high {
            continue;
        }
        for k in low.ceil() as i64..=high.floor() as i64 {
            let cuts = crossings(corners, &|p| place(p) - k as f64);
            if let (Some(a), Some(b)) = (
                cuts.iter().min_by(|p, q| along.dot(p).total_cmp(&along.dot(q))),
                cuts.iter().max_by(|p, q| along.dot(p).total_cmp(&along.dot(q))),
            ) {
                lines.push([*a, *b]);
            }
        }
    }
    lines
}

fn crossings(corners: &[Vector3<f64>], height: &dyn Fn(&Vector3<f64>) -> f64) -> Vec<Vector3<f64>> {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let crossed = sides.filter_map(|(a, b)| {
        let (ha, hb) = (height(a), height(b));
        ((ha <= 0.0) != (hb <= 0.0)).then(|| a + (b - a) * (ha / (ha - hb)))
    });
    crossed.collect()
}

/// The wall of a cylinder as flat strips (corners, inward normal), as long as the bodies need.
pub fn cylinder(
    centre: &Vector3<f64>,
    axis: &Vector3<f64>,
    radius: f64,
    bounds: &Bounds,
) -> Vec<([Vector3<f64>; 4], Vector3<f64>)> {
    const STRIPS: usize = 96;
    let along = bounds.corners().map(|c| axis.dot(&(c - centre)));
    let (mut low, mut high) = along.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    if high - low < 1e-6 * radius {
        (low, high) = (low - 0.5 * radius, high + 0.5 * radius);
    }
    let x = tangent(axis);
    let y = axis.cross(&x);
    let spoke = |k: f64| {
        let angle = k * std::f64::consts::TAU / STRIPS as f64;
        x * angle.cos() + y * angle.sin()
    };
    let strip = |k: usize| {
        let (a, b) = (centre + spoke(k as f64) * radius, centre + spoke(k as f64 + 1.0) * radius);
        ([a + axis * low, b + axis * low, b + axis * high, a + axis * high], -spoke(k as f64 + 0.5))
    };
    (0..STRIPS).map(strip).collect()
}
