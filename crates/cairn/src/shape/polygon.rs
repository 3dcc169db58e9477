//! Convex polygon.
//!
//! Vertices x₀ … x_{n−1} run counter-clockwise; edge i goes from xᵢ to xᵢ₊₁ and has the outward normal nᵢ, to the
//! right of its direction. Two vertices make a segment: its two edges run there and back, with opposite normals, so that
//! every pair of shapes treats it like any other polygon.
//!
//! By Green's formula, with the cross product cᵢ = xᵢ × xᵢ₊₁ taken about a vertex to keep the digits of small polygons
//! far from the origin:  A = ½ Σ cᵢ,  A x_c = ⅙ Σ cᵢ (xᵢ + xᵢ₊₁),
//! ∫ x xᵀ = 1/24 Σ cᵢ [(xᵢ + xᵢ₊₁)(xᵢ + xᵢ₊₁)ᵀ + xᵢ xᵢᵀ + xᵢ₊₁ xᵢ₊₁ᵀ].

use super::{ConvexShape, MassProperties, ShapeError};
use crate::space::{Mat, Vect};

/// Most vertices of a polygon: feature numbers of a pair of polygons fit 32 bits.
const MOST_VERTICES: usize = 1 << 15;
/// A point closer to the line of its neighbours than this fraction of the polygon's size is collinear.
const FLAT: f64 = 1e-12;

/// Convex polygon, counter-clockwise; two vertices make a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    vertices: Vec<Vect<2>>,
    normals: Vec<Vect<2>>,
    lengths: Vec<f64>,
}

impl Polygon {
    /// The convex hull of the points; collinear ones are dropped.
    pub fn new(points: &[Vect<2>]) -> Result<Self, ShapeError> {
        if points.iter().any(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(ShapeError::NotFinite);
        }
        let vertices = hull(points);
        if vertices.len() < 2 {
            return Err(ShapeError::Degenerate);
        }
        if vertices.len() > MOST_VERTICES {
            return Err(ShapeError::TooMany { what: "vertices", most: MOST_VERTICES });
        }
        Ok(Self::of_hull(vertices))
    }

    /// Axis-aligned rectangle about the origin.
    pub fn rectangle(width: f64, height: f64) -> Result<Self, ShapeError> {
        let (a, b) = (0.5 * width, 0.5 * height);
        Self::new(&[Vect::<2>::new(-a, -b), Vect::<2>::new(a, -b), Vect::<2>::new(a, b), Vect::<2>::new(-a, b)])
    }

    fn of_hull(vertices: Vec<Vect<2>>) -> Self {
        let count = vertices.len();
        let edges = (0..count).map(|i| vertices[(i + 1) % count] - vertices[i]);
        let lengths: Vec<f64> = edges.clone().map(|e| e.norm()).collect();
        let normals = edges.zip(&lengths).map(|(e, l)| Vect::<2>::new(e.y, -e.x) / *l).collect();
        Self { vertices, normals, lengths }
    }

    /// Number of vertices, and of edges.
    pub fn count(&self) -> usize {
        self.vertices.len()
    }

    /// Outward unit normals of the edges.
    pub fn normals(&self) -> &[Vect<2>] {
        &self.normals
    }

    /// Lengths of the edges [m].
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// The vertex, and edge, after this one.
    pub fn next(&self, i: usize) -> usize {
        if i + 1 == self.vertices.len() { 0 } else { i + 1 }
    }

    /// The vertex, and edge, before this one.
    pub fn previous(&self, i: usize) -> usize {
        if i == 0 { self.vertices.len() - 1 } else { i - 1 }
    }

    /// The vertex that lies farthest along `direction`; the first of several.
    pub fn support(&self, direction: &Vect<2>) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let along = direction.dot(v);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }
}

impl ConvexShape<2> for Polygon {
    fn vertices(&self) -> &[Vect<2>] {
        &self.vertices
    }

    fn mass_properties(&self) -> MassProperties<2> {
        let base = self.vertices[0];
        let (mut area, mut first, mut second) = (0.0, Vect::<2>::zeros(), Mat::<2>::zeros());
        for (i, v) in self.vertices.iter().enumerate() {
            let (p, q) = (v - base, self.vertices[self.next(i)] - base);
            let cross = p.perp(&q);
            let sum = p + q;
            area += cross / 2.0;
            first += sum * (cross / 6.0);
            second += (sum * sum.transpose() + p * p.transpose() + q * q.transpose()) * (cross / 24.0);
        }
        if self.count() == 2 {
            let centroid = (base + self.vertices[1]) / 2.0;
            return MassProperties { volume: 0.0, centroid, second_moment: Mat::zeros() };
        }
        let centroid = first / area;
        let second_moment = second - centroid * centroid.transpose() * area;
        MassProperties { volume: area, centroid: base + centroid, second_moment }
    }

    fn reframed(&self, centre: &Vect<2>, axes: &Mat<2>) -> Self {
        let mut vertices: Vec<_> = self.vertices.iter().map(|v| axes.transpose() * (v - centre)).collect();
        if axes.determinant() < 0.0 {
            vertices.reverse();
        }
        Self::of_hull(vertices)
    }
}

/// Andrew's monotone chain: lower hull from left to right, then the upper one back.
fn hull(points: &[Vect<2>]) -> Vec<Vect<2>> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    let Some((first, last)) = sorted.first().zip(sorted.last()) else { return sorted };
    let low = sorted.iter().fold(f64::INFINITY, |m, p| m.min(p.y));
    let high = sorted.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p.y));
    let size = (last.x - first.x).max(high - low);
    let flat = FLAT * size;
    let half = |points: &mut dyn Iterator<Item = &Vect<2>>| {
        let mut chain: Vec<Vect<2>> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..] {
                let along = p - a;
                if along.perp(&(b - a)) <= -flat * along.norm() {
                    break;
                }
                chain.pop();
            }
            if chain.last().is_none_or(|b| (p - b).norm() > flat) {
                chain.push(*p);
            }
        }
        chain
    };
    let (mut lower, mut upper) = (half(&mut sorted.iter()), half(&mut sorted.iter().rev()));
    lower.pop();
    upper.pop();
    lower.append(&mut upper);
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64) -> Vect<2> {
        Vect::<2>::new(x, y)
    }

    #[test]
    fn hull_is_counter_clockwise_without_inner_and_collinear_points() {
        let points = [v(1.0, 1.0), v(0.0, 0.0), v(0.5, 0.0), v(1.0, 0.0), v(0.3, 0.4), v(0.0, 1.0), v(0.0, 1.0)];
        let square = Polygon::new(&points).unwrap();
        assert_eq!(square.vertices(), [v(0.0, 0.0), v(1.0, 0.0), v(1.0, 1.0), v(0.0, 1.0)]);
        assert_eq!(square.normals()[0], v(0.0, -1.0));
    }

    #[test]
    fn points_on_a_line_make_a_segment_and_one_point_nothing() {
        let segment = Polygon::new(&[v(0.0, 0.0), v(3.0, 3.0), v(1.0, 1.0)]).unwrap();
        assert_eq!(segment.count(), 2);
        assert_eq!(segment.mass_properties().volume, 0.0);
        assert_eq!(Polygon::new(&[v(1.0, 1.0), v(1.0, 1.0)]), Err(ShapeError::Degenerate));
        assert_eq!(Polygon::new(&[]), Err(ShapeError::Degenerate));
        assert_eq!(Polygon::new(&[v(1.0, f64::NAN), v(1.0, 1.0)]), Err(ShapeError::NotFinite));
    }

    #[test]
    fn rectangle_far_from_the_origin_has_exact_mass_properties() {
        let far = v(1e4, -2e4);
        let corners = [v(0.0, 0.0), v(2.0, 0.0), v(2.0, 1.0), v(0.0, 1.0)].map(|p| p + far);
        let m = Polygon::new(&corners).unwrap().mass_properties();
        assert_eq!(m.volume, 2.0);
        assert!((m.centroid - far - v(1.0, 0.5)).norm() < 1e-11);
        let expected = Mat::<2>::new(2.0 * 4.0 / 12.0, 0.0, 0.0, 2.0 / 12.0);
        assert!((m.second_moment - expected).norm() < 1e-14);
    }

    #[test]
    fn triangle_has_the_second_moment_of_the_textbook() {
        let (b, h) = (0.6, 0.9);
        let m = Polygon::new(&[v(0.0, 0.0), v(b, 0.0), v(0.0, h)]).unwrap().mass_properties();
        assert!((m.volume - b * h / 2.0).abs() < 1e-16);
        assert!((m.centroid - v(b / 3.0, h / 3.0)).norm() < 1e-16);
        assert!((m.second_moment[(1, 1)] - b * h.powi(3) / 36.0).abs() < 1e-16);
        assert!((m.second_moment[(0, 1)] + b * b * h * h / 72.0).abs() < 1e-16);
    }

    #[test]
    fn reframed_polygon_has_its_centroid_at_the_origin() {
        let p = Polygon::new(&[v(3.0, 1.0), v(4.0, 1.5), v(3.5, 2.5)]).unwrap();
        let m = p.mass_properties();
        let (s, c) = 0.4f64.sin_cos();
        let moved = p.reframed(&m.centroid, &Mat::<2>::new(c, -s, s, c)).mass_properties();
        assert!(moved.centroid.norm() < 1e-15);
        assert!((moved.volume - m.volume).abs() < 1e-15);
        assert!((moved.second_moment.trace() - m.second_moment.trace()).abs() < 1e-15);
    }
}
