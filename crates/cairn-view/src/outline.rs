//! What bodies look like in the page: balls as radii, all else as triangles and edges in the frame of their body.
//!
//! | shape      | 2D                                     | 3D                                                     |
//! |------------|----------------------------------------|--------------------------------------------------------|
//! | ball       | radius                                 | radius                                                 |
//! | convex     | a fan and its outline; a segment: edge | faces as fans, with their edges                        |
//! | surface    | edges, with a thin band behind         | triangles, seen from outside only                      |
//! | half-space | a band behind the face                 | a square, seen from outside only                       |
//! | hollow     | a ring                                 | a tube, seen from inside only                          |
//!
//! Shapes without an end are at least as large as the bounded part of the scene, and say so, so that a view can be fitted
//! to the rest; in 2D a half-space goes far beyond any window, since bodies may leave the place where they start. "Seen from one side" lets one look into boxes and drums.

use cairn::scene::Scene;
use cairn::shape::{ConvexShape, Shape};
use cairn::space::{Ambient, Placement, Space, Vect};
use std::f64::consts::TAU;

/// Sides of a ring or tube.
const RING_SIDES: usize = 96;

/// How far a half-space is drawn in 2D, over the size of the scene at the start.
const FAR: f64 = 60.0;

/// A vertex is seen from both sides.
pub const SOLID: u8 = 0;
/// Its triangle is seen from the side that its normal points to.
pub const ONE_SIDED: u8 = 1;
/// As [`ONE_SIDED`], and the shape has no end: no part of the scene's extent.
pub const ENDLESS: u8 = 2;

/// Balls and surfaces of all bodies.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Body of each ball.
    pub ball_body: Vec<u32>,
    /// Centre of each ball in its body's frame [m].
    pub ball_local: Vec<[f32; 3]>,
    /// Radius of each ball [m].
    pub ball_radius: Vec<f32>,
    /// Points of surfaces in their body's frame [m].
    pub points: Vec<[f32; 3]>,
    /// Body of each point.
    pub point_body: Vec<u32>,
    /// [`SOLID`], [`ONE_SIDED`] or [`ENDLESS`], point by point.
    pub point_kind: Vec<u8>,
    /// Triangles over the points.
    pub triangles: Vec<[u32; 3]>,
    /// Edges over the points.
    pub edges: Vec<[u32; 2]>,
    /// Radius about the body's centre that holds its bounded parts [m]; 0 for a body that has none.
    pub reach: Vec<f32>,
    /// Lowest and highest corner of the bounded parts at the start [m].
    pub bounds: [[f64; 3]; 2],
}

impl Outline {
    /// Draws all bodies of a scene.
    pub fn of<const D: usize>(scene: &Scene<D>) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let (low, high) = bounds(scene);
        let (centre, size) = ((low + high) * 0.5, 0.5 * (high - low).norm());
        let mut outline = Self { bounds: [Space::<D>::lift(&low), Space::<D>::lift(&high)], ..Self::default() };
        for (k, body) in scene.bodies.iter().enumerate() {
            let (first, count) = body.parts;
            let mut reach = 0.0f64;
            for part in &scene.parts[first as usize..(first + count) as usize] {
                let seen_from_part = scene.start[k].place.then(&part.local).local_point(&centre);
                let mut pen = Pen { outline: &mut outline, place: &part.local, body: k as u32, kind: SOLID };
                match &part.shape {
                    Shape::Ball(ball) => pen.ball(ball.radius),
                    Shape::Convex(convex) => pen.rings(convex.vertices(), &convex.rings()),
                    Shape::Surface(surface) => {
                        pen.kind = ONE_SIDED;
                        let facets: Vec<Vec<u32>> = surface.facets.iter().map(|f| f.to_vec()).collect();
                        pen.rings(&surface.vertices, &facets);
                    }
                    Shape::HalfSpace(half) => pen.half_space(&half.normal, &seen_from_part, size),
                    Shape::Hollow(hollow) => pen.hollow(hollow.radius, &seen_from_part, size),
                }
                if part.radius.is_finite() {
                    reach = reach.max(part.local.centre.norm() + part.radius);
                }
            }
            outline.reach.push(reach as f32);
        }
        outline
    }
}

/// The box of all bounded parts at the start; a unit box if there are none.
fn bounds<const D: usize>(scene: &Scene<D>) -> (Vect<D>, Vect<D>)
where
    Space<D>: Ambient<D>,
{
    let (mut low, mut high) = (Vect::<D>::repeat(f64::INFINITY), Vect::<D>::repeat(f64::NEG_INFINITY));
    for part in scene.parts.iter().filter(|p| p.radius.is_finite()) {
        let place = scene.start[part.body as usize].place.then(&part.local);
        let corners = match &part.shape {
            Shape::Convex(convex) => convex.vertices(),
            Shape::Surface(surface) => &surface.vertices[..],
            _ => &[],
        };
        for x in corners.iter().map(|x| place.point(x)) {
            (low, high) = (low.inf(&x), high.sup(&x));
        }
        if corners.is_empty() {
            low = low.inf(&place.centre.add_scalar(-part.radius));
            high = high.sup(&place.centre.add_scalar(part.radius));
        }
    }
    for body in &scene.flexibles {
        for x in (0..body.model.nodes().len()).map(|n| body.reference(n)) {
            (low, high) = (low.inf(&x), high.sup(&x));
        }
    }
    if low.iter().chain(high.iter()).all(|x| x.is_finite()) {
        (low, high)
    } else {
        (Vect::repeat(-1.0), Vect::repeat(1.0))
    }
}

/// Draws one part.
struct Pen<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    outline: &'a mut Outline,
    place: &'a Placement<D>,
    body: u32,
    kind: u8,
}

impl<const D: usize> Pen<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// Adds a point given in the part's frame.
    fn point(&mut self, x: &Vect<D>) -> u32 {
        let number = self.outline.points.len() as u32;
        self.outline.points.push(Space::<D>::lift(&self.place.point(x)).map(|c| c as f32));
        self.outline.point_body.push(self.body);
        self.outline.point_kind.push(self.kind);
        number
    }

    fn ball(&mut self, radius: f64) {
        self.outline.ball_body.push(self.body);
        self.outline.ball_local.push(Space::<D>::lift(&self.place.centre).map(|c| c as f32));
        self.outline.ball_radius.push(radius as f32);
    }

    /// A convex polygon as a fan.
    fn fan(&mut self, ring: &[u32]) {
        for pair in ring.get(1..).unwrap_or_default().windows(2) {
            self.outline.triangles.push([ring[0], pair[0], pair[1]]);
        }
    }

    fn edge(&mut self, a: u32, b: u32) {
        self.outline.edges.push([a, b]);
    }

    /// Polygons over shared vertices; two vertices make an edge. An edge of two faces is drawn once.
    fn rings(&mut self, vertices: &[Vect<D>], rings: &[Vec<u32>]) {
        let points: Vec<u32> = vertices.iter().map(|x| self.point(x)).collect();
        let mut edges = Vec::new();
        for ring in rings {
            let ring: Vec<u32> = ring.iter().filter_map(|&v| points.get(v as usize).copied()).collect();
            self.fan(&ring);
            let sides = if ring.len() == 2 { 1 } else { ring.len() };
            edges.extend((0..sides).map(|k| (ring[k], ring[(k + 1) % ring.len()])).map(|(a, b)| [a.min(b), a.max(b)]));
        }
        edges.sort_unstable();
        edges.dedup();
        self.outline.edges.extend(edges);
    }

    /// The face through the part's origin, about the point of it that is nearest to `centre`.
    fn half_space(&mut self, normal: &Vect<D>, centre: &Vect<D>, size: f64) {
        self.kind = ENDLESS;
        let frame = Space::<D>::frame(normal);
        let middle = centre - normal * normal.dot(centre);
        let far = if D == 2 { FAR } else { 1.5 };
        let t: Vect<D> = frame.column(1).into_owned() * (far * size);
        if D == 2 {
            let depth = normal * (-0.06 * size);
            let ring = [middle + t, middle - t, middle - t + depth, middle + t + depth].map(|x| self.point(&x));
            self.fan(&ring);
            return self.edge(ring[0], ring[1]);
        }
        let s: Vect<D> = frame.column(2).into_owned() * (1.5 * size);
        let ring = [middle - t - s, middle + t - s, middle + t + s, middle - t + s].map(|x| self.point(&x));
        self.fan(&ring);
    }

    fn hollow(&mut self, radius: f64, centre: &Vect<D>, size: f64) {
        self.kind = ENDLESS;
        let axis = from_three::<D>([0.0, 0.0, 1.0]);
        let circle = |pen: &mut Self, r: f64, level: f64| -> Vec<u32> {
            let at = |k: usize| TAU * k as f64 / RING_SIDES as f64;
            let on = |k: usize| from_three::<D>([r * at(k).cos(), r * at(k).sin(), 0.0]) + axis * level;
            (0..RING_SIDES).map(|k| pen.point(&on(k))).collect()
        };
        // In 2D the band lies outside the circle; in 3D the tube is as long as the scene is large.
        let level = axis.dot(centre);
        let (a, b) = if D == 2 {
            (circle(self, radius, 0.0), circle(self, 1.03 * radius, 0.0))
        } else {
            (circle(self, radius, level - size), circle(self, radius, level + size))
        };
        for k in 0..RING_SIDES {
            let next = (k + 1) % RING_SIDES;
            self.fan(&[a[k], b[k], b[next], a[next]]);
            self.edge(a[k], a[next]);
            if D == 3 {
                self.edge(b[k], b[next]);
            }
        }
    }
}

/// The first D of three coordinates.
fn from_three<const D: usize>(x: [f64; 3]) -> Vect<D> {
    Vect::from_fn(|k, _| x[k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cube_on_plane, disks_in_drum};

    #[test]
    fn a_cube_has_twelve_triangles_and_twelve_edges_with_normals_outside() {
        let outline = Outline::of(&cube_on_plane());
        let cube: Vec<_> = outline.triangles.iter().filter(|t| outline.point_body[t[0] as usize] == 1).collect();
        assert_eq!(cube.len(), 12);
        assert_eq!(outline.edges.len(), 12);
        for t in cube {
            let [a, b, c] = t.map(|v| Vect::<3>::from(outline.points[v as usize].map(f64::from)));
            assert!((b - a).cross(&(c - a)).dot(&(a + b + c)) > 0.0, "a face looks inwards");
        }
        // The ground is no part of the extent: the cube has side 1 and stands on z = 0.
        assert_eq!(outline.bounds, [[-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]]);
        assert_eq!(outline.reach[0], 0.0);
        assert!((f64::from(outline.reach[1]) - 0.75f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn disks_are_radii_and_a_drum_is_a_ring() {
        let outline = Outline::of(&disks_in_drum());
        assert_eq!(outline.ball_radius, [0.1, 0.1]);
        assert_eq!(outline.triangles.len(), 2 * RING_SIDES);
        assert!(outline.point_kind.iter().all(|&k| k == ENDLESS));
    }
}
