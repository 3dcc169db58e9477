//! The polygon in which a face touches another: clipped, simplified, shared out among its corners.
//!
//! The incident face is clipped by the side planes of the reference face. Every corner remembers the incident vertex
//! from which the clipping has cut it, so that its number survives small motions: a corner of a cube on an equal cube
//! keeps its number whether it overhangs by 10⁻¹⁶ or not at all.
//!
//! What is dropped: corners that repeat their neighbour, and corners where the outline turns by less than 10⁻⁴. If
//! more than eight are left, the one that costs least area goes, again and again; its share goes to its neighbours.

use crate::space::Vect;

/// The most points kept of one polygon.
pub(super) const MOST: usize = 8;
/// A vertex this close to a clipping plane, relative to the size, lies on it.
const SNAP: f64 = 1e-9;
/// Corners where the outline turns by less (sine) are no corners.
const STRAIGHT: f64 = 1e-4;
/// Areas that differ by less, relatively, are equal: the choice among them must not be left to round-off.
const EQUAL: f64 = 1e-6;

/// A corner of the contact polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Where it is, on the incident face.
    pub point: Vect<3>,
    /// The incident vertex from which it was cut, or which it is.
    pub from: u32,
    /// Counts the corners cut from the same vertex.
    pub copy: u32,
    /// Its share of the polygon's area.
    pub area: f64,
    /// Made by clipping.
    cut: bool,
    /// Distance from the clipping plane of the moment.
    side: f64,
}

/// A contact polygon and the space to clip it in.
#[derive(Debug, Default)]
pub(super) struct ContactPolygon {
    /// Counter-clockwise or clockwise, as the incident face was seen.
    pub corners: Vec<Corner>,
    clipped: Vec<Corner>,
}

impl ContactPolygon {
    /// Starts from the vertices of the incident face.
    pub fn start(&mut self, vertices: impl Iterator<Item = (u32, Vect<3>)>) {
        let corner = |(from, point)| Corner { point, from, copy: 0, area: 0.0, cut: false, side: 0.0 };
        self.corners.clear();
        self.corners.extend(vertices.map(corner));
    }

    /// Cuts away what lies beyond the plane through `on` with outward unit normal `out`; `size` is that of the bodies.
    /// Vertices on the plane within round-off are set upon it and count as inside.
    pub fn clip(&mut self, on: &Vect<3>, out: &Vect<3>, size: f64) {
        let snap = SNAP * size;
        let mut outside = 0;
        for c in &mut self.corners {
            c.side = out.dot(&(c.point - on));
            if c.side > 0.0 && c.side <= snap {
                c.point -= out * c.side;
                c.side = 0.0;
            }
            outside += usize::from(c.side > 0.0);
        }
        if outside == 0 {
            return;
        }
        self.clipped.clear();
        let count = self.corners.len();
        if outside < count {
            let mut last = self.corners[count - 1];
            for &c in &self.corners {
                if (last.side > 0.0) != (c.side > 0.0) {
                    let (inner, outer) = if c.side > 0.0 { (&last, &c) } else { (&c, &last) };
                    self.clipped.push(between(inner, outer));
                }
                if c.side <= 0.0 {
                    self.clipped.push(c);
                }
                last = c;
            }
        }
        std::mem::swap(&mut self.corners, &mut self.clipped);
    }

    /// Drops what is no corner, seen along the unit vector `normal`.
    pub fn simplify(&mut self, normal: &Vect<3>, size: f64) {
        self.drop_repeats(2.0 * SNAP * size);
        let mut k = 0;
        while self.corners.len() > 2 && k < self.corners.len() {
            let n = self.corners.len();
            let e = self.corners[k].point - self.corners[(k + n - 1) % n].point;
            let f = self.corners[(k + 1) % n].point - self.corners[k].point;
            let straight = e.cross(&f).dot(normal).abs() <= STRAIGHT * (e.norm_squared() * f.norm_squared()).sqrt();
            if straight && e.dot(&f) > 0.0 {
                self.corners.remove(k);
            } else {
                k += 1;
            }
        }
        for k in 0..self.corners.len() {
            let from = self.corners[k].from;
            self.corners[k].copy = self.corners[..k].iter().filter(|c| c.from == from).count() as u32;
        }
    }

    /// Of corners in the same place one stays, rather a vertex than a cut.
    fn drop_repeats(&mut self, near: f64) {
        let mut k = 0;
        while self.corners.len() > 1 && k < self.corners.len() {
            let next = (k + 1) % self.corners.len();
            if (self.corners[next].point - self.corners[k].point).norm_squared() <= near * near {
                self.corners.remove(if self.corners[k].cut && !self.corners[next].cut { k } else { next });
            } else {
                k += 1;
            }
        }
    }

    /// Gives each corner its share of the area seen along `normal`, and returns the whole. Each triangle between the
    /// centroid and a side goes half to either end of the side: Σ Aᵢ = A and Σ Aᵢ xᵢ = A c.
    pub fn share_area(&mut self, normal: &Vect<3>) -> f64 {
        let n = self.corners.len();
        if n < 3 {
            return 0.0;
        }
        let base = self.corners[0].point;
        let twice = |p: &Vect<3>, q: &Vect<3>| p.cross(q).dot(normal);
        let (mut total, mut first) = (0.0, Vect::<3>::zeros());
        for k in 1..n - 1 {
            let (p, q) = (self.corners[k].point - base, self.corners[k + 1].point - base);
            let a = twice(&p, &q);
            total += a;
            first += (p + q) * a;
        }
        if total == 0.0 {
            return 0.0;
        }
        let centroid = base + first / (3.0 * total);
        for k in 0..n {
            let next = (k + 1) % n;
            let (p, q) = (self.corners[k].point - centroid, self.corners[next].point - centroid);
            let quarter = 0.25 * twice(&p, &q).abs();
            self.corners[k].area += quarter;
            self.corners[next].area += quarter;
        }
        0.5 * total.abs()
    }

    /// Largest distance between two neighbours or next neighbours: a measure of the polygon's length.
    pub fn length(&self) -> f64 {
        let n = self.corners.len();
        let apart = |i: usize, j: usize| (self.corners[i % n].point - self.corners[j % n].point).norm_squared();
        (0..n).map(|k| apart(k, k + 1).max(apart(k, k + 2))).fold(0.0, f64::max).sqrt()
    }

    /// Leaves at most [`MOST`] corners.
    pub fn cap(&mut self, normal: &Vect<3>) {
        while self.corners.len() > MOST {
            let n = self.corners.len();
            let cost = |k: usize| {
                let here = self.corners[k].point;
                let (e, f) = (here - self.corners[(k + n - 1) % n].point, self.corners[(k + 1) % n].point - here);
                e.cross(&f).dot(normal).abs()
            };
            let mut least = (0, cost(0));
            for k in 1..n {
                let c = cost(k);
                if c < least.1 * (1.0 - EQUAL) {
                    least = (k, c);
                }
            }
            let k = least.0;
            let half = 0.5 * self.corners[k].area;
            self.corners[(k + n - 1) % n].area += half;
            self.corners[(k + 1) % n].area += half;
            self.corners.remove(k);
        }
    }
}

/// Where the side between a corner inside and one outside meets the plane. The weights are taken so that the result is
/// the same from either end, and exact when the inner corner lies on the plane.
fn between(inner: &Corner, outer: &Corner) -> Corner {
    let t = inner.side / (inner.side - outer.side);
    let mut point = inner.point + (outer.point - inner.point) * t;
    if t > 0.5 {
        point = outer.point + (inner.point - outer.point) * (outer.side / (outer.side - inner.side));
    }
    Corner { point, from: outer.from, copy: 0, area: 0.0, cut: true, side: 0.0 }
}
