//! What is nearest in each pixel: depth, surface and normal. Spheres and tubes are exact, not made of triangles.
//!
//! Pixels count to the right (x) and down (y), depth z towards the viewer; normals are (right, up, towards viewer).

use nalgebra::Vector3;

/// The nearest surface of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Depth [pixels towards the viewer]; −∞ where there is nothing.
    pub depth: f32,
    /// Number of the surface, from 1; 0 is nothing.
    pub surface: u32,
    /// Unit normal.
    pub normal: [f32; 3],
    /// Place on the colour scale; NaN where the surface has one colour.
    pub value: f32,
}

/// Nothing there.
pub const EMPTY: Sample = Sample { depth: f32::NEG_INFINITY, surface: 0, normal: [0.0; 3], value: f32::NAN };

/// Samples row by row.
pub struct Buffer {
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Samples.
    pub samples: Vec<Sample>,
}

impl Buffer {
    /// An empty buffer.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, samples: vec![EMPTY; width * height] }
    }

    /// Indices from `low` to `high` whose centres k + ½ lie between, within 0…count.
    fn span(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
        let clip = |x: f64| x.clamp(0.0, count as f64) as usize;
        clip((low - 0.5).ceil())..clip((high + 0.5).floor())
    }

    fn put(&mut self, x: usize, y: usize, depth: f64, surface: u32, normal: Vector3<f64>) {
        let sample = &mut self.samples[y * self.width + x];
        if depth as f32 > sample.depth {
            let normal = [normal.x as f32, normal.y as f32, normal.z as f32];
            *sample = Sample { depth: depth as f32, surface, normal, value: f32::NAN };
        }
    }

    /// A sphere.
    pub fn sphere(&mut self, centre: [f64; 3], radius: f64, surface: u32) {
        // A body smaller than a sample still shows.
        let radius = radius.max(0.6);
        for y in Self::span(centre[1] - radius, centre[1] + radius, self.height) {
            let down = y as f64 + 0.5 - centre[1];
            let half = (radius * radius - down * down).max(0.0).sqrt();
            for x in Self::span(centre[0] - half, centre[0] + half, self.width) {
                let across = x as f64 + 0.5 - centre[0];
                let rise = (half * half - across * across).max(0.0).sqrt();
                let depth = centre[2] + rise;
                if depth as f32 > self.samples[y * self.width + x].depth {
                    self.put(x, y, depth, surface, Vector3::new(across, -down, rise) / radius);
                }
            }
        }
    }

    /// A flat convex polygon; `normal` must point towards the viewer.
    pub fn polygon(&mut self, corners: &[[f64; 3]], normal: Vector3<f64>, surface: u32) {
        let Some(first) = corners.first() else { return };
        if normal.z.is_nan() || normal.z <= 1e-9 {
            return;
        }
        let (low, high) = ends(corners.iter().map(|c| c[1]));
        for y in Self::span(low, high, self.height) {
            let row = y as f64 + 0.5;
            let sides = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed = sides.filter(|(a, b)| (a[1] <= row) != (b[1] <= row));
            let (left, right) = ends(crossed.map(|(a, b)| a[0] + (row - a[1]) / (b[1] - a[1]) * (b[0] - a[0])));
            for x in Self::span(left, right, self.width) {
                let (across, above) = (x as f64 + 0.5 - first[0], first[1] - row);
                let depth = first[2] - (normal.x * across + normal.y * above) / normal.z;
                self.put(x, y, depth, surface, normal);
            }
        }
    }

    /// A triangle whose value v = Σ λᵢ vᵢ varies over it; `normal` must point towards the viewer.
    pub fn triangle(&mut self, corners: &[[f64; 3]; 3], normal: Vector3<f64>, values: &[f64; 3], surface: u32) {
        let [a, b, c] = corners;
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if normal.z.is_nan() || normal.z <= 1e-9 || twice.abs() < 1e-12 {
            return;
        }
        let (low, high) = ends(corners.iter().map(|p| p[1]));
        let (left, right) = ends(corners.iter().map(|p| p[0]));
        for y in Self::span(low, high, self.height) {
            for x in Self::span(left, right, self.width) {
                let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                let at_b = ((px - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (py - a[1])) / twice;
                let at_c = ((b[0] - a[0]) * (py - a[1]) - (px - a[0]) * (b[1] - a[1])) / twice;
                let share = [1.0 - at_b - at_c, at_b, at_c];
                if share.iter().any(|s| *s < 0.0) {
                    continue;
                }
                let mean = |v: [f64; 3]| (0..3).map(|k| share[k] * v[k]).sum::<f64>();
                let depth = mean(corners.map(|p| p[2]));
                let sample = &mut self.samples[y * self.width + x];
                if depth as f32 > sample.depth {
                    let normal = [normal.x as f32, normal.y as f32, normal.z as f32];
                    *sample = Sample { depth: depth as f32, surface, normal, value: mean(*values) as f32 };
                }
            }
        }
    }

    /// A tube with round ends.
    pub fn tube(&mut self, a: [f64; 3], b: [f64; 3], radius: f64, surface: u32) {
        let radius = radius.max(0.6);
        self.sphere(a, radius, surface);
        self.sphere(b, radius, surface);
        // Downwards is −up: work in (right, up, towards viewer).
        let axis = Vector3::new(b[0] - a[0], a[1] - b[1], b[2] - a[2]);
        let flat = (axis.x * axis.x + axis.y * axis.y).sqrt();
        if flat < 1e-9 {
            return;
        }
        let (cx, cy) = (axis.x / flat, axis.y / flat);
        let length = axis.norm();
        let (low, high) = (a[1].min(b[1]) - radius, a[1].max(b[1]) + radius);
        for y in Self::span(low, high, self.height) {
            let up = a[1] - (y as f64 + 0.5);
            let (left, right) = strip([cx, cy], up, radius, flat);
            for x in Self::span(a[0] + left, a[0] + right, self.width) {
                let across = x as f64 + 0.5 - a[0];
                let side = -cy * across + cx * up;
                let rise = (radius * radius - side * side).max(0.0).sqrt();
                // On the silhouette of the axis's plane the surface is `rise` away along the normal in that plane.
                let along = cx * across + cy * up;
                let foot = (along + rise * axis.z / length) / flat;
                if !(0.0..=1.0).contains(&foot) {
                    continue;
                }
                let depth = a[2] + along * axis.z / flat + rise * length / flat;
                let tilt = rise / radius;
                let in_plane = [-tilt * axis.z / length, tilt * flat / length];
                let s = side / radius;
                let normal = Vector3::new(in_plane[0] * cx - s * cy, in_plane[0] * cy + s * cx, in_plane[1]);
                self.put(x, y, depth, surface, normal);
            }
        }
    }
}

/// Smallest and largest; (∞, −∞) of nothing.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
}

/// Where the row at height `up` crosses the strip |side| ≤ radius about a segment with the direction c,
/// from −radius before its start to radius beyond its end.
fn strip(c: [f64; 2], up: f64, radius: f64, flat: f64) -> (f64, f64) {
    let between = |slope: f64, offset: f64, low: f64, high: f64| {
        if slope.abs() < 1e-12 {
            return if (low..=high).contains(&offset) { (f64::MIN, f64::MAX) } else { (1.0, 0.0) };
        }
        let (p, q) = ((low - offset) / slope, (high - offset) / slope);
        (p.min(q), p.max(q))
    };
    let sideways = between(-c[1], c[0] * up, -radius, radius);
    let lengthways = between(c[0], c[1] * up, -radius, flat + radius);
    (sideways.0.max(lengthways.0), sideways.1.min(lengthways.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_is_nearest_in_its_middle() {
        let mut b = Buffer::new(101, 101);
        b.sphere([50.5, 50.5, 7.0], 20.0, 3);
        let middle = b.samples[50 * 101 + 50];
        assert_eq!((middle.depth, middle.surface, middle.normal), (27.0, 3, [0.0, 0.0, 1.0]));
        let covered = b.samples.iter().filter(|s| s.surface == 3).count() as f64;
        assert!((covered / (std::f64::consts::PI * 400.0) - 1.0).abs() < 0.01, "{covered}");
        assert!(b.samples[50 * 101 + 40].normal[0] < 0.0 && b.samples[40 * 101 + 50].normal[1] > 0.0);
    }

    #[test]
    fn a_tilted_polygon_has_its_plane_as_depth() {
        let mut b = Buffer::new(40, 40);
        let height = |x: f64, y: f64| 0.5 * x - 0.25 * y;
        let corners = [[5.0, 5.0], [35.0, 5.0], [35.0, 35.0], [5.0, 35.0]].map(|[x, y]| [x, y, height(x, y)]);
        b.polygon(&corners, Vector3::new(-0.5, -0.25, 1.0).normalize(), 1);
        assert_eq!(b.samples.iter().filter(|s| s.surface == 1).count(), 900);
        assert!((b.samples[20 * 40 + 10].depth as f64 - height(10.5, 20.5)).abs() < 1e-5);
    }

    #[test]
    fn a_tube_lies_on_its_cylinder() {
        let mut b = Buffer::new(200, 200);
        let (p, q, r) = ([40.0, 150.0, -20.0], [160.0, 50.0, 60.0], 11.0);
        b.tube(p, q, r, 1);
        let axis = Vector3::new(120.0, 100.0, 80.0).normalize();
        let mut seen = 0;
        for (k, s) in b.samples.iter().enumerate().filter(|(_, s)| s.surface == 1) {
            let at = Vector3::new((k % 200) as f64 + 0.5 - p[0], p[1] - (k / 200) as f64 - 0.5, s.depth as f64 - p[2]);
            let along = at.dot(&axis);
            if (0.0..175.0).contains(&along) {
                let out = at - axis * along;
                assert!((out.norm() - r).abs() < 1e-4, "{}", out.norm());
                let normal = Vector3::from(s.normal.map(f64::from));
                assert!((out / r - normal).norm() < 1e-4);
                seen += 1;
            }
        }
        assert!(seen > 2000, "{seen}");
    }
}
