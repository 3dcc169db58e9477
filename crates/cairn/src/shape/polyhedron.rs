//! Convex polyhedron: vertices, polygonal faces, edges, in flat arrays.

use super::hull::convex_hull;
use super::{ConvexShape, MassProperties};
use crate::space::{Mat, Vect};
use std::collections::BTreeMap;

/// The most vertices a polyhedron may have: contact features number them with twelve bits.
pub const MAX_VERTICES: usize = 4096;

/// Why points or sizes make no polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PolyhedronError {
    /// Fewer than four distinct points.
    #[error("a polyhedron needs at least 4 distinct points, {count} given")]
    TooFewPoints {
        /// Distinct points.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} has a coordinate that is not a finite number")]
    NotFinite {
        /// Number of the point, from 0.
        index: usize,
    },
    /// All points in one plane, or on one line.
    #[error("all points lie in one plane")]
    Flat,
    /// More corners than contact features can number.
    #[error("the hull has {count} vertices, at most 4096 are possible")]
    TooManyVertices {
        /// Corners of the hull.
        count: usize,
    },
    /// The faces do not close to one convex surface.
    #[error("the faces do not close to one convex surface")]
    NotClosed,
    /// A length, radius or number of sides that makes no body.
    #[error("sizes must be positive and finite, and a prism needs at least 3 sides")]
    BadSize,
}

/// A face: its plane and where its vertex loop is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal n.
    pub normal: Vect<3>,
    /// o in n · x = o.
    pub offset: f64,
    start: u32,
    end: u32,
}

/// An edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends.
    pub ends: [u32; 2],
    /// The face that runs through it from the first end to the second, and the one that runs back.
    pub faces: [u32; 2],
}

/// Convex polyhedron. A face's vertices run counter-clockwise when seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<Vect<3>>,
    faces: Vec<Face>,
    loops: Vec<u32>,
    edges: Vec<Edge>,
    middle: Vect<3>,
    radius: f64,
}

impl Polyhedron {
    /// Convex hull of points. Points within 10⁻⁶ of the size from a plane share one face.
    pub fn from_points(points: &[Vect<3>]) -> Result<Self, PolyhedronError> {
        let hull = convex_hull(points)?;
        Self::from_faces(hull.vertices, hull.loops, &hull.starts)
    }

    /// Box with edges of the given lengths, centred.
    pub fn cuboid(lengths: &Vect<3>) -> Result<Self, PolyhedronError> {
        if !lengths.iter().all(|&l| l > 0.0 && l.is_finite()) {
            return Err(PolyhedronError::BadSize);
        }
        let h = 0.5 * lengths;
        let base = [[-h.x, -h.y], [h.x, -h.y], [h.x, h.y], [-h.x, h.y]];
        Self::prism(&base, lengths.z)
    }

    /// Upright prism over a convex polygon of the first two axes, given counter-clockwise; centred in height.
    pub fn prism(base: &[[f64; 2]], height: f64) -> Result<Self, PolyhedronError> {
        let n = base.len() as u32;
        if n < 3 || !(height > 0.0 && height.is_finite()) {
            return Err(PolyhedronError::BadSize);
        }
        if let Some(index) = base.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(PolyhedronError::NotFinite { index });
        }
        let level = |z: f64| base.iter().map(move |p| Vect::<3>::new(p[0], p[1], z));
        let vertices = level(-0.5 * height).chain(level(0.5 * height)).collect();
        let mut loops: Vec<u32> = (0..n).rev().chain(n..2 * n).collect();
        let mut starts = vec![0, n, 2 * n];
        for k in 0..n {
            let next = (k + 1) % n;
            loops.extend([k, next, n + next, n + k]);
            starts.push(loops.len() as u32);
        }
        Self::from_faces(vertices, loops, &starts)
    }

    /// Upright prism whose base is regular with `sides` corners on a circle of the given radius, one on the first axis.
    pub fn regular_prism(sides: usize, radius: f64, height: f64) -> Result<Self, PolyhedronError> {
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(PolyhedronError::BadSize);
        }
        let corner = |k: usize| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / sides as f64).sin_cos();
            [radius * c, radius * s]
        };
        Self::prism(&(0..sides).map(corner).collect::<Vec<_>>(), height)
    }

    /// From given faces; checks that they close and that no vertex stands out of a face's plane.
    fn from_faces(vertices: Vec<Vect<3>>, loops: Vec<u32>, starts: &[u32]) -> Result<Self, PolyhedronError> {
        if vertices.len() > MAX_VERTICES {
            return Err(PolyhedronError::TooManyVertices { count: vertices.len() });
        }
        let faces: Vec<Face> =
            starts.windows(2).map(|w| plane_of(&vertices, &loops[w[0] as usize..w[1] as usize], w[0])).collect();
        let middle = middle_of(&vertices);
        let size = vertices.iter().map(|v| (v - middle).norm()).fold(0.0, f64::max);
        let bulges = |f: &Face| vertices.iter().any(|v| f.normal.dot(v) - f.offset > 1e-5 * size);
        let edges = edges_of(&faces, &loops)?;
        if faces.iter().any(bulges) || vertices.len() + faces.len() != edges.len() + 2 {
            return Err(PolyhedronError::NotClosed);
        }
        let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        Ok(Self { vertices, faces, loops, edges, middle, radius })
    }

    /// The faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Vertex numbers of a face, counter-clockwise from outside.
    pub fn ring(&self, face: usize) -> &[u32] {
        let f = &self.faces[face];
        &self.loops[f.start as usize..f.end as usize]
    }

    /// The edges, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// A point inside: the mean of the vertices.
    pub fn middle(&self) -> &Vect<3> {
        &self.middle
    }

    /// Largest distance of a vertex from the origin of the shape's frame [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

fn middle_of(vertices: &[Vect<3>]) -> Vect<3> {
    vertices.iter().sum::<Vect<3>>() / vertices.len() as f64
}

/// Plane of a loop: the normal from the area vector ½ Σ (vᵢ − v₀) × (vᵢ₊₁ − v₀), the offset from the mean of the loop.
fn plane_of(vertices: &[Vect<3>], ring: &[u32], start: u32) -> Face {
    let v = |k: usize| vertices[ring[k] as usize];
    let area2: Vect<3> = (1..ring.len() - 1).map(|k| (v(k) - v(0)).cross(&(v(k + 1) - v(0)))).sum();
    let normal = area2.normalize();
    let offset = (0..ring.len()).map(|k| normal.dot(&v(k))).sum::<f64>() / ring.len() as f64;
    Face { normal, offset, start, end: start + ring.len() as u32 }
}

/// Pairs the directed edges of all loops.
fn edges_of(faces: &[Face], loops: &[u32]) -> Result<Vec<Edge>, PolyhedronError> {
    let mut open: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut edges = Vec::with_capacity(loops.len() / 2);
    for (f, face) in faces.iter().enumerate() {
        if !face.normal.iter().all(|x| x.is_finite()) {
            return Err(PolyhedronError::NotClosed);
        }
        let ring = &loops[face.start as usize..face.end as usize];
        for (k, &i) in ring.iter().enumerate() {
            let j = ring[(k + 1) % ring.len()];
            match open.remove(&(j, i)) {
                Some(other) => edges.push(Edge { ends: [j, i], faces: [other, f as u32] }),
                None if open.insert((i, j), f as u32).is_some() => return Err(PolyhedronError::NotClosed),
                None => {}
            }
        }
    }
    if open.is_empty() { Ok(edges) } else { Err(PolyhedronError::NotClosed) }
}

impl ConvexShape<3> for Polyhedron {
    fn vertices(&self) -> &[Vect<3>] {
        &self.vertices
    }

    fn rings(&self) -> Vec<Vec<u32>> {
        (0..self.faces.len()).map(|f| self.ring(f).to_vec()).collect()
    }

    /// Sum over the tetrahedra between the inner point g and the triangles of the faces. One with edge vectors a, b, c
    /// from g has 6V = a · (b × c), ∫x = V s/4 and ∫xxᵀ = V (ssᵀ + aaᵀ + bbᵀ + ccᵀ)/20, where s = a + b + c.
    fn mass_properties(&self) -> MassProperties<3> {
        let inner = self.middle;
        let (mut volume, mut first, mut second) = (0.0, Vect::<3>::zeros(), Mat::<3>::zeros());
        for f in 0..self.faces.len() {
            let ring = self.ring(f);
            let corner = |k: usize| self.vertices[ring[k] as usize] - inner;
            for k in 1..ring.len() - 1 {
                let (a, b, c) = (corner(0), corner(k), corner(k + 1));
                let v = a.dot(&b.cross(&c)) / 6.0;
                let s = a + b + c;
                volume += v;
                first += s * (v / 4.0);
                second += (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose()) * (v / 20.0);
            }
        }
        let shift = first / volume;
        MassProperties { volume, centroid: inner + shift, second_moment: second - shift * shift.transpose() * volume }
    }

    fn reframed(&self, centre: &Vect<3>, axes: &Mat<3>) -> Self {
        let into = axes.transpose();
        let vertices: Vec<Vect<3>> = self.vertices.iter().map(|v| into * (v - centre)).collect();
        let faces = self
            .faces
            .iter()
            .map(|f| plane_of(&vertices, &self.loops[f.start as usize..f.end as usize], f.start))
            .collect();
        let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let middle = middle_of(&vertices);
        Self { vertices, faces, loops: self.loops.clone(), edges: self.edges.clone(), middle, radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    #[test]
    fn a_box_has_its_faces_edges_and_second_moments() {
        let lengths = Vect::<3>::new(0.2, 0.3, 0.5);
        let cuboid = Polyhedron::cuboid(&lengths).unwrap();
        assert_eq!((cuboid.vertices.len(), cuboid.faces.len(), cuboid.edges.len()), (8, 6, 12));
        let mass = cuboid.mass_properties();
        assert!((mass.volume - 0.03).abs() < 1e-17 && mass.centroid.norm() < 1e-17);
        let expected = Mat::<3>::from_diagonal(&lengths.map(|l| 0.03 * l * l / 12.0));
        assert!((mass.second_moment - expected).norm() < 1e-18);
        for edge in &cuboid.edges {
            let along = cuboid.vertices[edge.ends[1] as usize] - cuboid.vertices[edge.ends[0] as usize];
            let [m, n] = edge.faces.map(|f| cuboid.faces[f as usize].normal);
            assert!((along.normalize() - m.cross(&n)).norm() < 1e-15);
        }
    }

    #[test]
    fn a_tetrahedron_has_the_moments_of_the_book() {
        let p = |x: f64, y: f64, z: f64| Vect::<3>::new(x, y, z);
        let corner = [p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(0., 0., 1.)];
        let mass = Polyhedron::from_points(&corner).unwrap().mass_properties();
        assert!((mass.volume - 1.0 / 6.0).abs() < 1e-16);
        assert!((mass.centroid - Vect::<3>::repeat(0.25)).norm() < 1e-15);
        // ∫x² = 1/60, ∫xy = 1/120 over the corner; less V/16 for the centroid.
        let expected = Mat::<3>::from_fn(|i, j| if i == j { 1.0 / 60.0 } else { 1.0 / 120.0 } - 1.0 / 96.0);
        assert!((mass.second_moment - expected).norm() < 1e-16);
    }

    #[test]
    fn masses_follow_the_frame() {
        let block = Polyhedron::regular_prism(7, 0.4, 0.9).unwrap();
        let (centre, turn) = (Vect::<3>::new(3.0, -1.0, 0.5), UnitQuaternion::from_euler_angles(0.4, 1.1, -0.7));
        let axes = *turn.to_rotation_matrix().matrix();
        let (here, there) = (block.mass_properties(), block.reframed(&centre, &axes).mass_properties());
        assert!((here.volume - there.volume).abs() < 1e-15);
        assert!((axes.transpose() * (here.centroid - centre) - there.centroid).norm() < 1e-14);
        assert!((axes.transpose() * here.second_moment * axes - there.second_moment).norm() < 1e-15);
    }

    #[test]
    fn sizes_that_make_no_body_are_refused() {
        assert_eq!(Polyhedron::cuboid(&Vect::<3>::new(1.0, 0.0, 1.0)), Err(PolyhedronError::BadSize));
        assert_eq!(Polyhedron::regular_prism(2, 1.0, 1.0), Err(PolyhedronError::BadSize));
        assert_eq!(Polyhedron::regular_prism(5, 1.0, f64::NAN), Err(PolyhedronError::BadSize));
        let clockwise = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
        assert_eq!(Polyhedron::prism(&clockwise, 1.0), Err(PolyhedronError::NotClosed));
    }
}
