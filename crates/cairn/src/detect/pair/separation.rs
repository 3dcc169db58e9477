//! Along which axis are two polyhedra farthest apart, or overlap least?
//!
//! Candidates are the normals of all faces and the cross products of edges that make a face of the Minkowski difference
//! (their arcs cross on the Gauss map). The search ends at the first axis along which the gap exceeds the reach.
//!
//! Edges are sorted out beforehand: two edges can touch only if each comes within reach of the other body, so an edge
//! with both ends farther than that from one face of the other body is out. The distances are there already, from the
//! faces' own test. Edges that cannot touch may still be the only ones that show that the bodies are apart: they are asked where
//! all others say that bodies overlap ([`apart_by_other_edges`]).

use crate::shape::{ConvexShape, Edge, Polyhedron};
use crate::space::{Mat, Vect};

/// Edges with a smaller squared sine between them count as parallel and have no axis of their own.
const PARALLEL: f64 = 1e-10;

/// A polyhedron seen from the frame in which the pair is treated.
#[derive(Debug, Default)]
pub(super) struct View {
    pub vertices: Vec<Vect<3>>,
    /// A point inside.
    pub middle: Vect<3>,
    /// Outward normals and offsets.
    pub planes: Vec<(Vect<3>, f64)>,
    /// Edges that may touch the other body.
    pub edges: Vec<Edge>,
    /// Their numbers.
    pub edge_numbers: Vec<u32>,
    /// For each vertex: over which of the other's first 64 faces it is out of reach, as far as they were looked at.
    beyond: Vec<u64>,
}

impl View {
    /// Takes in a shape as it is.
    pub fn set(&mut self, shape: &Polyhedron) {
        self.vertices.clear();
        self.vertices.extend_from_slice(shape.vertices());
        self.middle = *shape.middle();
        self.planes.clear();
        self.planes.extend(shape.faces().iter().map(|f| (f.normal, f.offset)));
    }

    /// Takes in a shape turned by `turn`, then shifted by `shift`.
    pub fn set_moved(&mut self, shape: &Polyhedron, turn: &Mat<3>, shift: &Vect<3>) {
        self.vertices.clear();
        self.vertices.extend(shape.vertices().iter().map(|v| turn * v + shift));
        self.middle = turn * shape.middle() + shift;
        self.planes.clear();
        self.planes.extend(shape.faces().iter().map(|f| {
            let normal = turn * f.normal;
            (normal, f.offset + normal.dot(shift))
        }));
    }

    /// The vertex farthest along `direction`.
    pub fn support(&self, direction: &Vect<3>) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, v) in self.vertices.iter().enumerate() {
            let along = direction.dot(v);
            if along > best.1 {
                best = (k, along);
            }
        }
        best.0
    }

    /// Height of the lowest vertex over face `f` of the other body; marks the vertices that are out of reach.
    fn gap_over(&mut self, (normal, offset): &(Vect<3>, f64), f: usize, reach: f64) -> f64 {
        let bit = if f < 64 { 1u64 << f } else { 0 };
        let limit = offset + reach;
        let mut lowest = f64::INFINITY;
        for (v, beyond) in self.vertices.iter().zip(&mut self.beyond) {
            let along = normal.x * v.x + normal.y * v.y + normal.z * v.z;
            lowest = if along < lowest { along } else { lowest };
            *beyond |= if along > limit { bit } else { 0 };
        }
        lowest - offset
    }

    /// Sorts out the edges that cannot touch. After [`by_faces`] both ways.
    pub fn choose_edges(&mut self, shape: &Polyhedron) {
        self.edges.clear();
        self.edge_numbers.clear();
        for (k, edge) in shape.edges().iter().enumerate() {
            if self.beyond[edge.ends[0] as usize] & self.beyond[edge.ends[1] as usize] == 0 {
                self.edges.push(*edge);
                self.edge_numbers.push(k as u32);
            }
        }
    }
}

/// The best axis of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceAxis {
    pub face: usize,
    pub gap: f64,
}

/// Two edges and the unit normal from the first body to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeAxis {
    /// Positions in the two lists of edges.
    pub edges: [usize; 2],
    pub normal: Vect<3>,
    pub gap: f64,
}

/// Largest gap between a face of `a` and the vertices of `b`; none if it exceeds `reach`. A later face must be better by
/// `bias`, so that round-off does not choose between equals.
///
/// No vertex is needed to see that most faces are out: the gap of a face is at most the height of b's middle above it.
/// The face that b's middle is highest above goes first and sets the mark.
pub(super) fn by_faces(a: &View, b: &mut View, reach: f64, bias: f64) -> Option<FaceAxis> {
    b.beyond.clear();
    b.beyond.resize(b.vertices.len(), 0);
    let height = |(normal, offset): &(Vect<3>, f64), middle: &Vect<3>| normal.dot(middle) - offset;
    let mut top = (0, f64::NEG_INFINITY);
    for (f, plane) in a.planes.iter().enumerate() {
        let h = height(plane, &b.middle);
        if h > top.1 {
            top = (f, h);
        }
    }
    let mark = b.gap_over(&a.planes[top.0], top.0, reach);
    let mut best = FaceAxis { face: 0, gap: f64::NEG_INFINITY };
    for (f, plane) in a.planes.iter().enumerate() {
        if height(plane, &b.middle) < mark {
            continue;
        }
        let gap = if f == top.0 { mark } else { b.gap_over(plane, f, reach) };
        if gap > reach {
            return None;
        }
        if gap > best.gap + bias {
            best = FaceAxis { face: f, gap };
        }
    }
    Some(best)
}

/// What the edges say.
pub(super) enum EdgeVerdict {
    /// They are farther apart than the reach.
    Apart,
    /// No crossing pair is better than the faces.
    FacesFirst,
    /// A crossing pair.
    Cross(EdgeAxis),
}

/// Largest gap between crossing edges, if larger than `floor`.
pub(super) fn by_edges(views: [&View; 2], reach: f64, floor: f64) -> EdgeVerdict {
    let [a, b] = views;
    let mut best: Option<EdgeAxis> = None;
    let mut least = floor;
    for (i, first) in a.edges.iter().enumerate() {
        for (j, second) in b.edges.iter().enumerate() {
            let Some((normal, gap)) = crossing_axis([a, b], first, second) else { continue };
            if gap > reach {
                return EdgeVerdict::Apart;
            }
            if gap > least {
                least = gap;
                best = Some(EdgeAxis { edges: [i, j], normal, gap });
            }
        }
    }
    best.map_or(EdgeVerdict::FacesFirst, EdgeVerdict::Cross)
}

/// Do two edges of which one was sorted out show that the bodies are farther apart than the reach?
pub(super) fn apart_by_other_edges(views: [&View; 2], shapes: [&Polyhedron; 2], reach: f64) -> bool {
    let [a, b] = views;
    let is_out = |view: &View, edge: &Edge| edge.ends.map(|v| view.beyond[v as usize]).into_iter().reduce(|x, y| x & y);
    let is_out = |view: &View, edge: &Edge| is_out(view, edge) != Some(0);
    shapes[0].edges().iter().any(|first| {
        let out = is_out(a, first);
        let mut others = shapes[1].edges().iter().filter(|second| out || is_out(b, second));
        others.any(|second| crossing_axis([a, b], first, second).is_some_and(|(_, gap)| gap > reach))
    })
}

/// The common normal of two edges, from the first body to the second, and the gap along it, if they make a face of the Minkowski difference.
#[inline]
fn crossing_axis([a, b]: [&View; 2], first: &Edge, second: &Edge) -> Option<(Vect<3>, f64)> {
    let p = a.vertices[first.ends[0] as usize];
    let e1 = a.vertices[first.ends[1] as usize] - p;
    let [n1, n2] = first.faces.map(|f| a.planes[f as usize].0);
    let [m1, m2] = second.faces.map(|f| b.planes[f as usize].0);
    // The arcs (n₁, n₂) and (−m₁, −m₂) cross. Edges run along n₁ × n₂ and m₁ × m₂.
    let (c, d) = (m1.dot(&e1), m2.dot(&e1));
    if c * d >= 0.0 {
        return None;
    }
    let q = b.vertices[second.ends[0] as usize];
    let e2 = b.vertices[second.ends[1] as usize] - q;
    let (u, w) = (n1.dot(&e2), n2.dot(&e2));
    if u * w >= 0.0 || c * w >= 0.0 {
        return None;
    }
    let cross = e1.cross(&e2);
    let square = cross.norm_squared();
    if square <= PARALLEL * e1.norm_squared() * e2.norm_squared() {
        return None;
    }
    let length = square.sqrt().copysign(cross.dot(&(n1 + n2)));
    Some((cross / length, cross.dot(&(q - p)) / length))
}
