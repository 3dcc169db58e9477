//! Two polygons.
//!
//! The separating-axis test gives the *reference* edge, the one whose normal separates the polygons best, and the vertex
//! of the other polygon nearest to it; the *incident* edge is the one at that vertex that faces the reference edge most.
//! In 2D three cases remain:
//!
//! ```text
//!   edges facing each other          vertex on an edge         vertex near vertex
//!        ┌────────┐                        ╱╲                            ┌───
//!   ┌────┼────────┼                  ┌────╱──╲────┐                      │
//!   │    x        x │                │    x       │              ───┐  x └───
//!   two ends of the overlap          the vertex                     │
//! ```
//!
//! Each end of an overlap is made by a vertex of one polygon against an edge of the other: that edge gives the normal, so
//! a block that rocks on its corner keeps the normal of the face below it. Where two corners face each other (stacked
//! blocks, voussoirs, and the hinges between them) round-off would decide; there the longer edge gives the normal, the
//! candidate's if they are equal. Lengths never change, so the choice does not either. Points at the ends are the
//! vertices themselves, so equal edges that face each other touch exactly at the corners.
//!
//! Features are named after the two edges and the end: reference or incident, a contact keeps its name.

use super::polygon::{BestFace, Edge, Placed};
use crate::contact::Touch;
use crate::shape::Polygon;
use crate::space::{Placement, Vect};

/// Corners closer than this fraction of the shorter edge, along it and across, face each other.
const CORNER: f64 = 1e-3;
/// Cosine of the largest angle between edges that count as facing each other.
const FACING: f64 = 0.9;
/// Overlaps shorter than this fraction of the shorter edge are points.
const POINT: f64 = 1e-9;

/// The touches of two polygons, the first being the candidate.
pub fn touches(
    first: &Polygon,
    a: &Placement<2>,
    second: &Polygon,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    let origin = a.centre;
    let (x, y) = (Placed::new(first, a, &origin), Placed::new(second, b, &origin));
    let of_first = x.best_face(&y);
    if of_first.separation > reach {
        return;
    }
    let of_second = y.best_face(&x);
    if of_second.separation > reach {
        return;
    }
    let start = out.len();
    if of_first.separation >= of_second.separation {
        Facing { reference: &x, incident: &y, swapped: false, reach }.touches(&of_first, out);
    } else {
        Facing { reference: &y, incident: &x, swapped: true, reach }.touches(&of_second, out);
    }
    out[start..].iter_mut().for_each(|touch| touch.point += origin);
}

/// Reference and incident polygon; `swapped` if the reference is the antagonist.
struct Facing<'a> {
    reference: &'a Placed<'a>,
    incident: &'a Placed<'a>,
    swapped: bool,
    reach: f64,
}

impl Facing<'_> {
    fn touches(&self, best: &BestFace, out: &mut Vec<Touch<2>>) {
        let edge = self.reference.edge(best.edge);
        let polygon = self.incident.polygon;
        let mut facing = [polygon.previous(best.vertex), best.vertex].map(|j| (j, self.incident.edge(j)));
        if facing[1].1.normal.dot(&edge.normal) < facing[0].1.normal.dot(&edge.normal) {
            facing.swap(0, 1);
        }
        for (j, other) in &facing {
            if self.overlap(&edge, other, self.feature(best.edge, *j), out) {
                return;
            }
        }
        self.vertex(best, &edge, self.feature(best.edge, facing[0].0), out);
    }

    /// Number of the first end of a pair of edges; the other end has the next one.
    fn feature(&self, reference: usize, incident: usize) -> u32 {
        let (i, j, count) = if self.swapped {
            (incident, reference, self.reference.polygon.count())
        } else {
            (reference, incident, self.incident.polygon.count())
        };
        2 * (i * count + j) as u32
    }

    /// The two ends of the part of the edges that face each other; false if there is none.
    fn overlap(&self, reference: &Edge, incident: &Edge, feature: u32, out: &mut Vec<Touch<2>>) -> bool {
        // The incident edge runs backwards: its end faces the start of the reference edge.
        let (low, high) = (reference.along(&incident.end), reference.along(&incident.start));
        let overlap = high.min(reference.length) - low.max(0.0);
        let shorter = reference.length.min(incident.length);
        if overlap <= POINT * shorter {
            return false;
        }
        for (end, ahead) in [(0, -low), (1, high - reference.length)] {
            let corners = if end == 0 { [reference.start, incident.end] } else { [reference.end, incident.start] };
            let (normal, gap, point) = self.end(reference, incident, corners, ahead, CORNER * shorter);
            if gap <= self.reach {
                let feature = feature + (end ^ u32::from(self.swapped));
                out.push(Touch { feature, point, normal: self.oriented(&normal), gap, area: 0.5 * overlap });
            }
        }
        true
    }

    /// Normal (out of the reference polygon), gap and point at one end of an overlap. `ahead` is how far the corner of
    /// the incident edge lies beyond that of the reference edge.
    fn end(
        &self,
        reference: &Edge,
        incident: &Edge,
        corners: [Vect<2>; 2],
        ahead: f64,
        corner: f64,
    ) -> (Vect<2>, f64, Vect<2>) {
        let inner_is_reference = ahead >= 0.0;
        let vertex = corners[usize::from(!inner_is_reference)];
        let face_to_face = -reference.normal.dot(&incident.normal) >= FACING;
        let across = reference.normal.dot(&(corners[1] - corners[0]));
        let by_reference = if face_to_face && ahead.abs() <= corner && across.abs() <= corner {
            reference.length > incident.length || (reference.length == incident.length && !self.swapped)
        } else {
            let inside = (0.0..=incident.length).contains(&incident.along(&vertex));
            !(face_to_face && inner_is_reference && inside)
        };
        let (face, other, normal) = if by_reference {
            (reference, incident, reference.normal)
        } else {
            (incident, reference, -incident.normal)
        };
        // The vertex is on one side of the gap; on the other side is its foot on the face or, where the vertex is the
        // face's own, the point of the other edge above it.
        let opposite = if by_reference == inner_is_reference {
            let edge = other.end - other.start;
            let t = face.tangent();
            other.start + edge * (t.dot(&(vertex - other.start)) / t.dot(&edge))
        } else {
            vertex - face.normal * face.normal.dot(&(vertex - face.start))
        };
        let gap = normal.dot(&(opposite - vertex)) * if inner_is_reference { 1.0 } else { -1.0 };
        (normal, gap, 0.5 * (vertex + opposite))
    }

    /// No overlap: the nearest vertex against the reference edge or, past its end, against its last vertex.
    fn vertex(&self, best: &BestFace, edge: &Edge, feature: u32, out: &mut Vec<Touch<2>>) {
        let vertex = self.incident.vertex(best.vertex);
        let along = edge.along(&vertex);
        let slack = POINT * edge.length;
        let (mut normal, mut gap) = (edge.normal, best.separation);
        if best.separation >= 0.0 && !(-slack..=edge.length + slack).contains(&along) {
            let d = vertex - if along < 0.0 { edge.start } else { edge.end };
            gap = d.norm();
            if gap > self.reach {
                return;
            }
            normal = d / gap;
        } else if best.separation >= -slack && !(slack..=edge.length - slack).contains(&along) {
            // Corner exactly on corner with nothing overlapping: a point without a direction holds nothing.
            return;
        }
        let end = u32::from(2.0 * along > edge.length) ^ u32::from(self.swapped);
        let point = vertex - normal * (0.5 * gap);
        out.push(Touch { feature: feature + end, point, normal: self.oriented(&normal), gap, area: 0.0 });
    }

    /// From "out of the reference polygon" to "from the antagonist to the candidate".
    fn oriented(&self, normal: &Vect<2>) -> Vect<2> {
        if self.swapped { *normal } else { -normal }
    }
}
