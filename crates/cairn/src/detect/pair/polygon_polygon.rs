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

fn face_to_face(x: &Edge, y: &Edge) -> bool {
    -x.normal.dot(&y.normal) >= FACING
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
        let apart = self.vertices_are_nearest(best, &edge, &facing);
        for (j, other) in &facing {
            if !apart && self.overlap(&edge, other, self.feature(best.edge, *j), out) {
                return;
            }
        }
        self.vertex(best, &edge, self.feature(best.edge, facing[0].0), out);
    }

    /// Past the end of the reference edge, seen from it, and so is its last vertex, seen from the edges there: then
    /// vertex and vertex are nearest, even if the edges overlap farther away. Not so for the corners of a hinge: there the
    /// direction from one to the other swings too fast to be of use.
    fn vertices_are_nearest(&self, best: &BestFace, edge: &Edge, facing: &[(usize, Edge); 2]) -> bool {
        let along = edge.along(&self.incident.vertex(best.vertex));
        let slack = POINT * edge.length;
        if best.separation < 0.0 || (-slack..=edge.length + slack).contains(&along) {
            return false;
        }
        let last = if along < 0.0 { edge.start } else { edge.end };
        let distance = (self.incident.vertex(best.vertex) - last).norm();
        facing.iter().all(|(_, other)| {
            let hinge = face_to_face(edge, other) && distance <= CORNER * edge.length.min(other.length);
            !hinge && !(0.0..=other.length).contains(&other.along(&last))
        })
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
        let facing = face_to_face(reference, incident);
        let across = reference.normal.dot(&(corners[1] - corners[0]));
        let by_reference = if facing && ahead.abs() <= corner && across.abs() <= corner {
            reference.length > incident.length || (reference.length == incident.length && !self.swapped)
        } else {
            let inside = (0.0..=incident.length).contains(&incident.along(&vertex));
            !(facing && inner_is_reference && inside)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::pair::suite::*;
    use crate::shape::ConvexShape;
    use crate::space::{Ambient, Space};
    use proptest::prelude::*;

    fn block(width: f64, height: f64, x: f64, y: f64, angle: f64) -> PlacedShape<2> {
        let place = Placement { centre: Vect::<2>::new(x, y), turn: Space::<2>::turn_by(&angle) };
        (convex(Polygon::rectangle(width, height).unwrap()), place)
    }

    proptest! {
        #[test]
        fn random_pairs_pass_the_suite_and_find_the_distance(
            p in polygon(), q in polygon(), a in placement(), b in placement(),
            shift in point(), angle in -3.0..3.0,
        ) {
            let (x, y) = (sides(&corners(&p, &a)), sides(&corners(&q, &b)));
            let reach = 0.7;
            let apart = !inside(&x[0][0], &y) && !inside(&y[0][0], &x);
            let here = check(&(convex(p), a), &(convex(q), b), reach, &(10.0 * shift), &angle);
            if let Some(expected) = distance(&x, &y).filter(|d| apart && *d > 3.0 * CORNER) {
                let gap = smallest_gap(&here);
                if expected <= reach {
                    prop_assert!((gap.unwrap() - expected).abs() < ROUND_OFF, "{gap:?} for {expected}");
                } else {
                    prop_assert_eq!(gap, None);
                }
            } else {
                prop_assert!(!here.is_empty());
            }
        }

        /// Moving the candidate out along the normal by the overlap leaves the two just touching.
        #[test]
        fn overlapping_pairs_are_parted_by_the_deepest_touch(p in polygon(), q in polygon(), a in placement(), b in placement()) {
            let mut at = a;
            for _ in 0..20 {
                let here = found(&(convex(p.clone()), at), &(convex(q.clone()), b), 0.0);
                let Some(deepest) = here.iter().min_by(|s, t| s.gap.total_cmp(&t.gap)) else { break };
                if deepest.gap > -1e-9 {
                    break;
                }
                at.centre -= deepest.normal * deepest.gap;
            }
            let gap = smallest_gap(&found(&(convex(p), at), &(convex(q), b), 1.0));
            prop_assert!(gap.is_none_or(|g| g > -1e-9), "{gap:?}");
        }
    }

    #[test]
    fn equal_blocks_stacked_touch_at_the_exact_corners_whatever_the_round_off() {
        for shift in [0.0, 1e-16, -1e-16, 3e-16, 1e-13] {
            for angle in [0.0, 1e-16, -1e-16] {
                let upper = block(2.0, 1.0, shift, 1.0, angle);
                for lower in [block(2.0, 1.0, 0.0, 0.0, 0.0), block(2.0, 1.0, 0.0, 0.0, std::f64::consts::PI)] {
                    let here = found(&upper, &lower, 0.01);
                    assert_eq!(here.len(), 2);
                    let mut x: Vec<f64> = here.iter().map(|t| t.point.x).collect();
                    x.sort_by(f64::total_cmp);
                    assert!((x[0] + 1.0).abs() < 2e-13 && (x[1] - 1.0).abs() < 2e-13, "{x:?}");
                    for t in &here {
                        assert!((t.point.y - 0.5).abs() < 1e-15 && t.gap.abs() < 1e-15);
                        assert!((t.normal - Vect::<2>::y()).norm() < 1e-15);
                        assert!((t.area - 1.0).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn shifted_block_touches_over_the_overlap_only_and_keeps_its_features() {
        let lower = block(2.0, 1.0, 0.0, 0.0, 0.0);
        let centred = found(&block(2.0, 1.0, 0.0, 1.0, 0.0), &lower, 0.01);
        for shift in [-1.5, -0.3, 0.4, 1.9] {
            let here = found(&block(2.0, 1.0, shift, 1.0, 0.0), &lower, 0.01);
            let (low, high) = (f64::max(-1.0, shift - 1.0), f64::min(1.0, shift + 1.0));
            let mut x: Vec<f64> = here.iter().map(|t| t.point.x).collect();
            x.sort_by(f64::total_cmp);
            assert!((x[0] - low).abs() < 1e-15 && (x[1] - high).abs() < 1e-15, "{x:?}");
            assert!(here.iter().all(|t| (t.area - 0.5 * (high - low)).abs() < 1e-15));
            for (s, t) in centred.iter().zip(&here) {
                assert_eq!(s.feature, t.feature);
            }
        }
    }

    #[test]
    fn block_rocking_on_a_face_keeps_its_normal_and_feature() {
        let floor = block(4.0, 1.0, 0.0, -0.5, 0.0);
        for swap in [false, true] {
            let mut features = Vec::new();
            for step in -50..=50 {
                let angle = 1e-3 * f64::from(step);
                let corner = Vect::<2>::new(if angle >= 0.0 { -0.5 } else { 0.5 }, -1.0);
                let turned = Space::<2>::rotate(&Space::<2>::turn_by(&angle), &corner);
                let place = block(1.0, 2.0, corner.x - turned.x, -turned.y, angle);
                let here = if swap { found(&floor, &place, 1e-4) } else { found(&place, &floor, 1e-4) };
                let up = if swap { -Vect::<2>::y() } else { Vect::<2>::y() };
                let at_corner = here.iter().find(|t| (t.point.x - corner.x).abs() < 1e-12).unwrap();
                assert!(at_corner.gap.abs() < 1e-15 && (at_corner.normal - up).norm() < 1e-15);
                features.push(at_corner.feature);
            }
            features.dedup();
            assert_eq!(features.len(), 2, "one feature for each corner");
        }
    }

    /// Two equal blocks open about a common corner; slip and penetration of the corners must not swing the normal.
    #[test]
    fn hinge_between_equal_blocks_has_one_normal_whatever_the_slip() {
        let angle = 0.05;
        let lower = block(2.0, 1.0, 0.0, -0.5, 0.0);
        let mut normals = Vec::new();
        for slip in [-1e-3, -1e-6, -1e-12, 0.0, 1e-12, 1e-6, 1e-3] {
            for depth in [-1e-4, 0.0, 1e-4] {
                let turned = Space::<2>::rotate(&Space::<2>::turn_by(&angle), &Vect::<2>::new(-1.0, -0.5));
                let upper = block(2.0, 1.0, -1.0 - turned.x + slip, -turned.y - depth, angle);
                let here = found(&upper, &lower, 2e-4);
                assert_eq!(here.len(), 1, "{here:?}");
                normals.push(here[0].normal);
            }
        }
        assert!(normals.iter().all(|n| (n - normals[0]).norm() < 1e-15), "{normals:?}");
    }

    #[test]
    fn corners_that_meet_in_a_point_hold_nothing() {
        let here = found(&block(1.0, 1.0, 1.0, 1.0, 0.0), &block(1.0, 1.0, 0.0, 0.0, 0.0), 0.01);
        assert!(here.is_empty(), "{here:?}");
    }

    #[test]
    fn upright_segment_stands_on_a_floor_with_one_point() {
        let rod = Polygon::new(&[Vect::<2>::new(0.0, -1.0), Vect::<2>::new(0.0, 1.0)]).unwrap();
        assert_eq!(rod.vertices().len(), 2);
        let place = Placement { centre: Vect::<2>::new(0.3, 1.001), ..Placement::identity() };
        let here = found(&(convex(rod), place), &block(4.0, 1.0, 0.0, -0.5, 0.0), 0.01);
        assert_eq!(here.len(), 1);
        assert!((here[0].gap - 1e-3).abs() < 1e-15 && (here[0].normal - Vect::<2>::y()).norm() < 1e-15);
    }
}
