//! Polyhedron – polyhedron.
//!
//! The axis of largest gap (`separation`) decides. If it is the normal of a face, the facing polygon of the other body
//! is clipped to that face (`contact_polygon`), and every corner within reach becomes a touch, its gap measured along
//! the face's normal. If it is the common normal of two crossing edges, their closest points make one touch. If the
//! bodies are apart and neither faces the other (corner near corner), the nearest points of their edges make one.
//!
//! Unless the faces are parallel, every other vertex within reach over the face makes a touch, too: a stone that turns by 0.03 in a step may
//! touch with one of them before its facing polygon does. So do, where edges cross, the corners of the facing polygon elsewhere: an
//! edge that lies across a face has a rim under both of its ends, and may turn from one to the other.
//!
//! Faces go before edges and the first body before the second unless the other is better by a fraction `TIE` of the
//! size: then round-off never flips the normal of a wall, and a block that rocks on its edge keeps the normal of the
//! face on which it rocks. Of faces that are parallel within 2.6° crossing edges with the same normal are left to the
//! face: their crossing is a corner of the clipped polygon, and the polygon holds what a single point cannot.
//!
//! Two parallel faces that overlap by less than `TIE` of the size, as those of blocks that share nothing but an edge,
//! do not touch: the normal would be a matter of chance.

use super::contact_polygon::ContactPolygon;
use super::polyhedron::{Meeting, corner_feature, single_feature};
use super::segments::closest;
use super::separation::{EdgeAxis, EdgeVerdict, FaceAxis, View, apart_by_other_edges, by_edges, by_faces};
use crate::contact::Touch;
use crate::shape::Polyhedron;
use crate::space::{Ambient, Placement, Space, Vect};
use std::cell::RefCell;

/// Gaps and overlaps that differ by less, relative to the size of the smaller body, are equal.
const TIE: f64 = 1e-6;
/// Directions with a larger cosine between them are the same as far as the choice of features goes.
const FACING: f64 = 0.999;

/// Touches farther apart than this part of the size of the smaller body are different ones.
const ELSEWHERE: f64 = 0.05;

/// Space to work in, kept from pair to pair: the narrow phase does not allocate.
#[derive(Default)]
struct Desk {
    views: [View; 2],
    polygon: ContactPolygon,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Touches between `first` (candidate) and `second` (antagonist).
pub(super) fn touches(
    first: &Polyhedron,
    a: &Placement<3>,
    second: &Polyhedron,
    b: &Placement<3>,
    reach: f64,
    out: &mut Vec<Touch<3>>,
) {
    let apart = a.local_point(&b.centre);
    let limit = first.radius() + second.radius() + reach;
    if apart.norm_squared() > limit * limit {
        return;
    }
    let turn = Space::<3>::matrix(&a.turn);
    DESK.with_borrow_mut(|desk| {
        let [va, vb] = &mut desk.views;
        va.set(first);
        vb.set_moved(second, &(turn.transpose() * Space::<3>::matrix(&b.turn)), &apart);
        let pair = Pair { shapes: [first, second], reach, size: first.radius().min(second.radius()) };
        let start = out.len();
        pair.find(desk, out);
        for touch in &mut out[start..] {
            touch.point = a.centre + turn * touch.point;
            touch.normal = turn * touch.normal;
        }
    });
}

/// A pair in the frame of the first body.
struct Pair<'a> {
    shapes: [&'a Polyhedron; 2],
    reach: f64,
    size: f64,
}

impl Pair<'_> {
    fn find(&self, desk: &mut Desk, out: &mut Vec<Touch<3>>) {
        let Desk { views: [va, vb], polygon } = desk;
        let (bias, start) = (TIE * self.size, out.len());
        let Some(on_first) = by_faces(va, vb, self.reach, bias) else { return };
        let Some(on_second) = by_faces(vb, va, self.reach, bias) else { return };
        va.choose_edges(self.shapes[0]);
        vb.choose_edges(self.shapes[1]);
        let second_wins = on_second.gap > on_first.gap + bias;
        let best = if second_wins { on_second } else { on_first };
        let (kind, reference, incident) = match second_wins {
            false => (Meeting::FirstFace, &*va, &*vb),
            true => (Meeting::SecondFace, &*vb, &*va),
        };
        let facing = Facing::new(reference, incident, self.shapes, kind, best);
        facing.clip(polygon, self.size);
        let area = polygon.share_area(&facing.normal);
        let width = area / polygon.length().max(f64::MIN_POSITIVE);
        // Parallel faces that overlap by more than their gap leave nothing to the edges.
        if facing.parallel && width > 4.0 * best.gap.abs().max(bias) {
            return self.over_face(&facing, polygon, out);
        }
        if best.gap < 0.0 && apart_by_other_edges([va, vb], self.shapes, self.reach) {
            return;
        }
        let normal = -facing.normal * facing.sign();
        match by_edges([va, vb], self.reach, best.gap + bias) {
            EdgeVerdict::Apart => {}
            EdgeVerdict::Cross(axis) if !facing.parallel || axis.normal.dot(&normal) < FACING => {
                self.crossing(va, vb, &axis, out);
                let at = out.get(start).map(|touch| touch.point);
                let Some(at) = at.filter(|_| !facing.parallel) else { return };
                // Where the bodies overlap, corners that are much deeper than the edges lie past the rim.
                let least = 2.0 * axis.gap.min(0.0) - bias;
                let elsewhere = |x: &Vect<3>| facing.gap_of(x) >= least && (x - at).norm() > ELSEWHERE * self.size;
                polygon.corners.retain(|c| elsewhere(&c.point));
                self.corners(&facing, polygon, out);
                self.other_vertices(&facing, polygon, (start, least), out);
            }
            _ if facing.parallel && !polygon.corners.is_empty() && width <= bias => {}
            _ => {
                self.over_face(&facing, polygon, out);
                self.other_vertices(&facing, polygon, (start, f64::NEG_INFINITY), out);
            }
        }
    }

    /// Vertices over the face with a gap from `least` to the reach that nothing stands for: no corner of the polygon, no touch from
    /// `start` on.
    fn other_vertices(
        &self,
        facing: &Facing,
        polygon: &ContactPolygon,
        (start, least): (usize, f64),
        out: &mut Vec<Touch<3>>,
    ) {
        if facing.parallel {
            return;
        }
        for (v, point) in facing.other.vertices.iter().enumerate() {
            let gap = facing.gap_of(point);
            if gap < least || gap > self.reach || !facing.has_below(point) {
                continue;
            }
            let feature = corner_feature(facing.kind, facing.face, v as u32, 0);
            let cut = polygon.corners.iter().any(|c| c.from == v as u32);
            let near = |t: &Touch<3>| t.feature == feature || (t.point - point).norm() <= ELSEWHERE * self.size;
            if !cut && !out[start..].iter().any(near) {
                out.push(facing.touch(feature, point, 0.0));
            }
        }
    }

    /// Corners of the clipped polygon that are within reach.
    fn over_face(&self, facing: &Facing, polygon: &mut ContactPolygon, out: &mut Vec<Touch<3>>) {
        if polygon.corners.iter().any(|c| facing.gap_of(&c.point) <= self.reach) {
            self.corners(facing, polygon, out);
        } else {
            self.unfaced(facing, out);
        }
    }

    /// Touches at the corners of the polygon that are within reach.
    fn corners(&self, facing: &Facing, polygon: &mut ContactPolygon, out: &mut Vec<Touch<3>>) {
        polygon.corners.retain(|c| facing.gap_of(&c.point) <= self.reach);
        polygon.cap(&facing.normal);
        for c in &polygon.corners {
            out.push(facing.touch(corner_feature(facing.kind, facing.face, c.from, c.copy), &c.point, c.area));
        }
    }

    /// The touch of two crossing edges.
    fn crossing(&self, va: &View, vb: &View, axis: &EdgeAxis, out: &mut Vec<Touch<3>>) {
        let [i, j] = axis.edges;
        let (x, y) = closest_on(va, i, vb, j);
        // The nearest points are farther apart than the axis says if an edge ends before it reaches the other.
        let apart = (y - x).norm();
        let (normal, gap) = if axis.gap > TIE * self.size && apart > axis.gap * (1.0 + TIE) {
            ((y - x) / apart, apart)
        } else {
            (axis.normal, axis.gap)
        };
        if gap <= self.reach {
            let feature = single_feature(Meeting::Edges, va.edge_numbers[i], vb.edge_numbers[j]);
            out.push(Touch { feature, point: 0.5 * (x + y), normal: -normal, gap, area: 0.0 });
        }
    }

    /// No part of the facing polygon lies over the reference face. Apart: the nearest points of edges. Overlapping: the
    /// vertex that is deepest.
    fn unfaced(&self, facing: &Facing, out: &mut Vec<Touch<3>>) {
        if facing.gap <= 0.0 {
            if facing.parallel {
                return;
            }
            let feature = corner_feature(facing.kind, facing.face, facing.vertex as u32, 0);
            out.push(facing.touch(feature, &facing.other.vertices[facing.vertex], 0.0));
            return;
        }
        let [va, vb] = match facing.kind {
            Meeting::FirstFace => [facing.view, facing.other],
            _ => [facing.other, facing.view],
        };
        let Some((gap, [i, j], [x, y])) = nearest_on_edges(va, vb, self.reach) else { return };
        let unclear = gap <= TIE * self.size;
        if unclear && facing.parallel {
            return;
        }
        let normal = if unclear { facing.normal * facing.sign() } else { (x - y) / gap };
        let feature = single_feature(Meeting::Nearest, va.edge_numbers[i], vb.edge_numbers[j]);
        out.push(Touch { feature, point: 0.5 * (x + y), normal, gap, area: 0.0 });
    }
}

/// The nearest points of any two edges: distance, positions in the lists of edges, points. None if out of reach. Where
/// several pairs are equally near, as at the end of an edge, two that run side by side go first.
fn nearest_on_edges(va: &View, vb: &View, reach: f64) -> Option<(f64, [usize; 2], [Vect<3>; 2])> {
    let along = |view: &View, k: usize| {
        let [p, q] = view.edges[k].ends.map(|v| view.vertices[v as usize]);
        (q - p).normalize()
    };
    let side_by_side = |[i, j]: [usize; 2], [x, y]: [Vect<3>; 2]| {
        let (d, e) = (along(va, i), along(vb, j));
        d.cross(&e).norm_squared() < TIE && d.dot(&(y - x)).abs() < 1e-3 * (y - x).norm()
    };
    let mut best: Option<(f64, [usize; 2], [Vect<3>; 2])> = None;
    let mut least = reach;
    for (i, j) in (0..va.edges.len()).flat_map(|i| (0..vb.edges.len()).map(move |j| (i, j))) {
        let (x, y) = closest_on(va, i, vb, j);
        let apart = (y - x).norm();
        let tie = apart <= least * (1.0 + TIE);
        let better = || side_by_side([i, j], [x, y]) && !best.is_some_and(|(_, e, ends)| side_by_side(e, ends));
        if apart < least * (1.0 - TIE) || tie && better() {
            least = least.min(apart);
            best = Some((apart, [i, j], [x, y]));
        }
    }
    best
}

/// Closest points of edge `i` of the first and edge `j` of the second list.
fn closest_on(va: &View, i: usize, vb: &View, j: usize) -> (Vect<3>, Vect<3>) {
    let ends = |view: &View, k: usize| {
        let [p, q] = view.edges[k].ends.map(|v| view.vertices[v as usize]);
        (p, q - p)
    };
    let ((p, d), (q, e)) = (ends(va, i), ends(vb, j));
    let (s, t) = closest(&p, &d, &q, &e);
    (p + d * s, q + e * t)
}

/// A reference face and the polygon of the other body that faces it.
struct Facing<'a> {
    kind: Meeting,
    /// Number of the reference face, its outward normal and offset, and its corners.
    face: usize,
    normal: Vect<3>,
    offset: f64,
    view: &'a View,
    ring: &'a [u32],
    /// The other body, its vertex nearest to the face, and the corners of its facing polygon.
    other: &'a View,
    vertex: usize,
    other_ring: &'a [u32],
    gap: f64,
    parallel: bool,
}

impl<'a> Facing<'a> {
    fn new(view: &'a View, other: &'a View, shapes: [&'a Polyhedron; 2], kind: Meeting, best: FaceAxis) -> Self {
        let (mine, theirs) = if kind == Meeting::FirstFace { (shapes[0], shapes[1]) } else { (shapes[1], shapes[0]) };
        let (normal, offset) = view.planes[best.face];
        let vertex = other.support(&-normal);
        let (incident, cosine) = facing_face(other, vertex, &normal, theirs.radius());
        Self {
            kind,
            face: best.face,
            normal,
            offset,
            view,
            ring: mine.ring(best.face),
            other,
            vertex,
            other_ring: theirs.ring(incident),
            gap: best.gap,
            parallel: cosine < -FACING,
        }
    }

    /// Clips the facing polygon to the sides of the reference face.
    fn clip(&self, polygon: &mut ContactPolygon, size: f64) {
        polygon.start(self.other_ring.iter().map(|&v| (v, self.other.vertices[v as usize])));
        let mut last = self.view.vertices[self.ring[self.ring.len() - 1] as usize];
        for &v in self.ring {
            let here = self.view.vertices[v as usize];
            polygon.clip(&here, &(here - last).cross(&self.normal).normalize(), size);
            last = here;
        }
        polygon.simplify(&self.normal, size);
    }

    /// The touch of a point of the other body with the reference face.
    fn touch(&self, feature: u32, point: &Vect<3>, area: f64) -> Touch<3> {
        let gap = self.gap_of(point);
        Touch { feature, point: point - self.normal * (0.5 * gap), normal: self.normal * self.sign(), gap, area }
    }

    /// Does the foot of the point lie on the reference face?
    fn has_below(&self, point: &Vect<3>) -> bool {
        let corner = |k: usize| self.view.vertices[self.ring[k % self.ring.len()] as usize];
        (0..self.ring.len()).all(|k| (corner(k + 1) - corner(k)).cross(&self.normal).dot(&(point - corner(k))) <= 0.0)
    }

    fn gap_of(&self, point: &Vect<3>) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Normals of touches point from the second body to the first.
    fn sign(&self) -> f64 {
        if self.kind == Meeting::FirstFace { -1.0 } else { 1.0 }
    }
}

/// The face around `vertex` that looks most against `normal`, and the cosine between them.
fn facing_face(view: &View, vertex: usize, normal: &Vect<3>, radius: f64) -> (usize, f64) {
    let v = view.vertices[vertex];
    let mut best = (0, f64::INFINITY);
    for (f, (n, offset)) in view.planes.iter().enumerate() {
        let cosine = n.dot(normal);
        if cosine < best.1 - TIE && n.dot(&v) - offset > -4.0 * TIE * radius {
            best = (f, cosine);
        }
    }
    best
}
