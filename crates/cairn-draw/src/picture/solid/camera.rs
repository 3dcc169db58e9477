//! A parallel view: (x, y, z) of the world to (right, up, towards the viewer), and to pixels.
//!
//! With the vertical u and the horizontal axes e₁, e₂: the viewer is in the direction
//! cos(el) (cos(az) e₁ + sin(az) e₂) + sin(el) u.

use super::floor::{cylinder, floors};
use crate::canvas::Frame;
use crate::picture::Camera;
use crate::picture::stage::{Actor, Form, Stage};
use nalgebra::Vector3;

/// A point of view with what it has to show.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The point in the middle of the frame.
    pub centre: Vector3<f64>,
    /// To the right.
    pub right: Vector3<f64>,
    /// Upwards in the picture.
    pub up: Vector3<f64>,
    /// Towards the viewer.
    pub toward: Vector3<f64>,
    /// Width and height to be shown [m].
    pub extent: [f64; 2],
}

impl View {
    /// The plane from in front, or the solid from the camera's direction, fitted to what is on the stage.
    pub fn new(stage: &Stage, camera: &Camera, dimension: usize) -> Self {
        let [right, up, toward] = if dimension == 2 {
            [Vector3::x(), Vector3::y(), Vector3::z()]
        } else {
            axes(&stage.up, camera.azimuth, camera.elevation)
        };
        let mut view = Self { centre: stage.bounds.centre(), right, up, toward, extent: [1.0; 2] };
        let [low, high] = view.reach(stage, dimension);
        let size: [f64; 2] = std::array::from_fn(|k| high[k] - low[k]);
        let largest = size[0].max(size[1]);
        let zoom = if camera.zoom.is_finite() && camera.zoom > 0.0 { camera.zoom } else { 1.0 };
        view.centre += right * (0.5 * (low[0] + high[0])) + up * (0.5 * (low[1] + high[1]));
        // Room for outlines, and for a floor or a wall to be seen as such.
        view.extent = size.map(|s| (s.max(0.02 * largest) + 0.08 * largest) / zoom);
        view
    }

    /// Lower left and upper right of what is seen, from the centre of the stage.
    fn reach(&self, stage: &Stage, dimension: usize) -> [[f64; 2]; 2] {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        let mut add = |p: &Vector3<f64>, radius: f64| {
            let seen = [self.right.dot(&(p - self.centre)), self.up.dot(&(p - self.centre))];
            for k in 0..2 {
                low[k] = low[k].min(seen[k] - radius);
                high[k] = high[k].max(seen[k] + radius);
            }
        };
        let bounded = |a: &Actor| matches!(a.form, Form::Ball { .. } | Form::Mesh { .. });
        let whole_box = stage.whole || dimension == 2 || !stage.actors.iter().any(bounded);
        for actor in stage.actors.iter().filter(|_| !stage.whole) {
            match &actor.form {
                Form::Ball { centre, radius, .. } => add(centre, *radius),
                Form::Mesh { vertices, .. } => {
                    vertices.iter().for_each(|v| add(&v.sup(&stage.bounds.low).inf(&stage.bounds.high), 0.0))
                }
                Form::Hollow { centre, axis, radius } if dimension == 3 => {
                    let wall = cylinder(centre, axis, *radius, &stage.bounds);
                    wall.iter().flat_map(|(corners, _)| corners).for_each(|c| add(c, 0.0));
                }
                Form::HalfSpace { .. } | Form::Hollow { .. } => {}
            }
        }
        if dimension == 3 {
            for floor in floors(stage).iter().filter(|f| f.is_seen(self)) {
                floor.corners.iter().for_each(|c| add(c, 0.0));
            }
        }
        if whole_box {
            stage.bounds.corners().iter().for_each(|c| add(c, 0.0));
        }
        [low, high]
    }

    /// The scale at which the extent fits into a frame.
    pub fn pixels_per_metre(&self, frame: &Frame) -> f64 {
        (frame.width / self.extent[0]).min(frame.height / self.extent[1])
    }

    /// Right, down and towards the viewer [pixels].
    pub fn pixel(&self, p: &Vector3<f64>, frame: &Frame, scale: f64) -> [f64; 3] {
        let d = (p - self.centre) * scale;
        let middle = [frame.x + 0.5 * frame.width, frame.y + 0.5 * frame.height];
        [middle[0] + self.right.dot(&d), middle[1] - self.up.dot(&d), self.toward.dot(&d)]
    }

    /// A direction as seen: right, up, towards the viewer.
    pub fn direction(&self, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.right.dot(v), self.up.dot(v), self.toward.dot(v))
    }
}

fn axes(vertical: &Vector3<f64>, azimuth: f64, elevation: f64) -> [Vector3<f64>; 3] {
    let default = Camera::default();
    let radians = |a: f64, otherwise: f64| if a.is_finite() { a } else { otherwise }.to_radians();
    let (az, el) = (radians(azimuth, default.azimuth), radians(elevation, default.elevation));
    let seed = if vertical.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let e1 = (seed - vertical * vertical.dot(&seed)).normalize();
    let e2 = vertical.cross(&e1);
    let outward = e1 * az.cos() + e2 * az.sin();
    let toward = outward * el.cos() + vertical * el.sin();
    let right = e2 * az.cos() - e1 * az.sin();
    [right, toward.cross(&right), toward]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_direct_and_the_vertical_stays_upright() {
        for vertical in [Vector3::z(), Vector3::y(), -Vector3::x()] {
            let [right, up, toward] = axes(&vertical, -60.0, 22.0);
            assert!((right.cross(&up) - toward).norm() < 1e-14);
            assert!(right.dot(&vertical).abs() < 1e-14 && up.dot(&vertical) > 0.9);
        }
        let [right, up, toward] = axes(&Vector3::z(), -90.0, 0.0);
        assert!((right - Vector3::x()).norm() < 1e-14 && (up - Vector3::z()).norm() < 1e-14);
        assert!((toward + Vector3::y()).norm() < 1e-14);
    }
}
