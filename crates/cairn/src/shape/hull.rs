//! Convex hull by gift wrapping, face by face.
//!
//! A plane that touches the cloud is rolled about an edge of a known face until it meets the next points; all points
//! within a tolerance ε of it make one polygonal face, the planar hull of those points. So a box has six faces of four
//! vertices however its points were rounded, and no needle triangle ever appears. The cost is O(edges · points).
//!
//! ε is a fraction of the size of the cloud. Where points lie so densely that faces within ε of each other do not
//! close to one surface, the wrapping starts again with a finer ε.

use super::PolyhedronError;
use crate::space::Vect;
use std::collections::BTreeMap;

/// Coarsest and finest ε, relative to the size. The coarsest accepts coordinates written with six digits.
const TOLERANCES: [f64; 4] = [1e-6, 1e-8, 1e-10, 1e-12];

/// Vertices and faces of a hull: face f is the loop `loops[starts[f]..starts[f + 1]]`, counter-clockwise from outside.
#[derive(Debug)]
pub struct Hull {
    /// The points that are corners, in the order in which they were given.
    pub vertices: Vec<Vect<3>>,
    /// Vertex numbers, face after face.
    pub loops: Vec<u32>,
    /// Where each face begins in `loops`, and the end of the last.
    pub starts: Vec<u32>,
}

/// Convex hull of a cloud of points.
pub fn convex_hull(points: &[Vect<3>]) -> Result<Hull, PolyhedronError> {
    if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(PolyhedronError::NotFinite { index });
    }
    let Some(first) = points.first() else { return Err(PolyhedronError::TooFewPoints { count: 0 }) };
    let (low, high) = points.iter().fold((*first, *first), |(l, h), p| (l.inf(p), h.sup(p)));
    let size = (high - low).norm();
    // Coordinates about the middle of the cloud: a block far from the origin keeps all its digits.
    let middle = 0.5 * (low + high);
    let centred: Vec<Vect<3>> = points.iter().map(|p| p - middle).collect();
    let mut failure = PolyhedronError::NotClosed;
    for tolerance in TOLERANCES {
        let cloud = Cloud { points: &centred, distinct: distinct(&centred, tolerance * size), eps: tolerance * size };
        if cloud.distinct.len() < 4 {
            return Err(PolyhedronError::TooFewPoints { count: cloud.distinct.len() });
        }
        match cloud.wrap() {
            Ok(faces) => return Ok(compact(points, &faces)),
            Err(PolyhedronError::Flat) => return Err(PolyhedronError::Flat),
            Err(other) => failure = other,
        }
    }
    Err(failure)
}

/// Numbers of the points, in their order, without those that repeat an earlier one within `eps`.
fn distinct(points: &[Vect<3>], eps: f64) -> Vec<u32> {
    let mut by_x: Vec<u32> = (0..points.len() as u32).collect();
    by_x.sort_by(|&i, &j| points[i as usize].x.total_cmp(&points[j as usize].x).then(i.cmp(&j)));
    let mut repeats = vec![false; points.len()];
    for (k, &i) in by_x.iter().enumerate() {
        for &j in &by_x[k + 1..] {
            let (p, q) = (&points[i as usize], &points[j as usize]);
            if q.x - p.x > eps {
                break;
            }
            if (p - q).norm() <= eps && !repeats[i as usize] {
                repeats[i.max(j) as usize] = true;
            }
        }
    }
    (0..points.len() as u32).filter(|&i| !repeats[i as usize]).collect()
}

/// Keeps the points that are corners of faces.
fn compact(points: &[Vect<3>], faces: &[Vec<u32>]) -> Hull {
    let mut number = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|&i| number[i as usize] = 0);
    let mut vertices = Vec::new();
    for (p, n) in points.iter().zip(&mut number).filter(|(_, n)| **n == 0) {
        *n = vertices.len() as u32;
        vertices.push(*p);
    }
    let (mut loops, mut starts) = (Vec::new(), vec![0]);
    for face in faces {
        loops.extend(face.iter().map(|&i| number[i as usize]));
        starts.push(loops.len() as u32);
    }
    Hull { vertices, loops, starts }
}

/// The points to be wrapped.
struct Cloud<'a> {
    points: &'a [Vect<3>],
    distinct: Vec<u32>,
    eps: f64,
}

impl Cloud<'_> {
    fn at(&self, i: u32) -> Vect<3> {
        self.points[i as usize]
    }

    /// Wraps face after face until every edge has its two.
    fn wrap(&self) -> Result<Vec<Vec<u32>>, PolyhedronError> {
        let mut faces: Vec<(Vec<u32>, Vect<3>)> = vec![self.first_face()?];
        // Directed edge → its face. An edge is done when its opposite is there.
        let mut edges = BTreeMap::new();
        let mut next = 0;
        self.register(&faces[0].0, 0, &mut edges)?;
        while next < faces.len() {
            let (face, normal) = faces[next].clone();
            for (k, &i) in face.iter().enumerate() {
                let j = face[(k + 1) % face.len()];
                if edges.contains_key(&(j, i)) {
                    continue;
                }
                let along = (self.at(j) - self.at(i)).normalize();
                let beyond = self.roll(&self.at(i), &along, &along.cross(&normal), &normal)?;
                let found = self.face_in(&self.at(i), &beyond).ok_or(PolyhedronError::NotClosed)?;
                self.register(&found.0, faces.len(), &mut edges)?;
                faces.push(found);
                if !edges.contains_key(&(j, i)) {
                    return Err(PolyhedronError::NotClosed);
                }
            }
            next += 1;
        }
        Ok(faces.into_iter().map(|(face, _)| face).collect())
    }

    /// Enters the edges of a face; each may be entered only once.
    fn register(&self, face: &[u32], f: usize, edges: &mut BTreeMap<(u32, u32), usize>) -> Result<(), PolyhedronError> {
        for (k, &i) in face.iter().enumerate() {
            if edges.insert((i, face[(k + 1) % face.len()]), f).is_some() {
                return Err(PolyhedronError::NotClosed);
            }
        }
        Ok(())
    }

    /// The face met by a plane that leans on the leftmost point and is rolled, at most twice, onto others.
    fn first_face(&self) -> Result<(Vec<u32>, Vect<3>), PolyhedronError> {
        let lowest = |&i: &u32, &j: &u32| self.at(i).x.total_cmp(&self.at(j).x);
        let p = self.at(self.distinct.iter().copied().min_by(lowest).ok_or(PolyhedronError::Flat)?);
        let mut normal = -Vect::<3>::x();
        let mut along = Vect::<3>::y();
        for _ in 0..2 {
            normal = self.roll(&p, &along, &along.cross(&normal), &normal)?;
            if let Some(face) = self.face_in(&p, &normal) {
                // All points in one plane make no body.
                let flat = self.distinct.iter().all(|&i| (self.at(i) - p).dot(&face.1).abs() <= 4.0 * self.eps);
                return if flat { Err(PolyhedronError::Flat) } else { Ok(face) };
            }
            // Only an edge was met: roll about it.
            let far = self.members(&p, &normal).into_iter().map(|i| self.at(i) - p);
            let far = far.max_by(|u, v| u.norm().total_cmp(&v.norm())).ok_or(PolyhedronError::Flat)?;
            along = far.normalize();
        }
        Err(PolyhedronError::Flat)
    }

    /// Rolls the plane (`p`, `normal`) about the axis (`p`, `along`) towards `ahead`; returns its new normal.
    /// Of all points the one that none other overtops by more than ε/2 stops it; it starts from the one farthest from the
    /// axis, because a point close to the axis fixes the angle badly.
    fn roll(
        &self,
        p: &Vect<3>,
        along: &Vect<3>,
        ahead: &Vect<3>,
        normal: &Vect<3>,
    ) -> Result<Vect<3>, PolyhedronError> {
        let across = |i: u32| {
            let d = self.at(i) - p - along * (self.at(i) - p).dot(along);
            (d.dot(ahead), (-d.dot(normal)).max(0.0))
        };
        let leaving = |i: &u32| {
            let (x, y) = across(*i);
            y > self.eps || x > self.eps
        };
        let reach = |&i: &u32, &j: &u32| across(i).0.hypot(across(i).1).total_cmp(&across(j).0.hypot(across(j).1));
        let start = self.distinct.iter().copied().filter(leaving).max_by(reach).ok_or(PolyhedronError::Flat)?;
        let lean = |i: u32| {
            let (x, y) = across(i);
            (ahead * y + normal * x).normalize()
        };
        let mut best = lean(start);
        loop {
            let over = |i: u32| best.dot(&(self.at(i) - p));
            let top = self.distinct.iter().copied().filter(leaving).max_by(|&i, &j| over(i).total_cmp(&over(j)));
            match top {
                Some(i) if over(i) > 0.5 * self.eps => {
                    let next = lean(i);
                    // Each turn must lower the plane's angle, else round-off has the last word.
                    if next.dot(normal) <= best.dot(normal) {
                        return Ok(best);
                    }
                    best = next;
                }
                _ => return Ok(best),
            }
        }
    }

    /// Points within ε of a plane.
    fn members(&self, p: &Vect<3>, normal: &Vect<3>) -> Vec<u32> {
        let near = |&i: &u32| (self.at(i) - p).dot(normal).abs() <= self.eps;
        self.distinct.iter().copied().filter(near).collect()
    }

    /// The polygon in a plane, and its own normal; none if the points there are all in line.
    fn face_in(&self, p: &Vect<3>, normal: &Vect<3>) -> Option<(Vec<u32>, Vect<3>)> {
        let members = self.members(p, normal);
        let far = members.iter().map(|&i| self.at(i) - p).max_by(|u, v| u.norm().total_cmp(&v.norm()))?;
        let e1 = (far - normal * far.dot(normal)).normalize();
        let e2 = normal.cross(&e1);
        let flat: Vec<(u32, [f64; 2])> =
            members.iter().map(|&i| (i, [(self.at(i) - p).dot(&e1), (self.at(i) - p).dot(&e2)])).collect();
        let ring = planar_hull(flat, self.eps);
        if ring.len() < 3 {
            return None;
        }
        let area2: Vect<3> = (1..ring.len() - 1).map(|k| self.side(&ring, k).cross(&self.side(&ring, k + 1))).sum();
        Some((ring, area2.normalize()))
    }

    fn side(&self, ring: &[u32], k: usize) -> Vect<3> {
        self.at(ring[k]) - self.at(ring[0])
    }
}

/// Convex hull in the plane (monotone chain), counter-clockwise, without corners that stand out by less than `eps`.
fn planar_hull(mut points: Vec<(u32, [f64; 2])>, eps: f64) -> Vec<u32> {
    points.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(a.1[1].total_cmp(&b.1[1])).then(a.0.cmp(&b.0)));
    let turn = |o: &[f64; 2], a: &[f64; 2], b: &[f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let mut ring: Vec<(u32, [f64; 2])> = Vec::new();
    for pass in 0..2 {
        let base = ring.len();
        let chain: Box<dyn Iterator<Item = &(u32, [f64; 2])>> =
            if pass == 0 { Box::new(points.iter()) } else { Box::new(points.iter().rev()) };
        for point in chain {
            while ring.len() >= base + 2 && turn(&ring[ring.len() - 2].1, &ring[ring.len() - 1].1, &point.1) <= 0.0 {
                ring.pop();
            }
            ring.push(*point);
        }
        ring.pop();
    }
    // How far corner k stands out over the line of its neighbours.
    let height = |ring: &[(u32, [f64; 2])], k: usize| {
        let n = ring.len();
        let (a, b) = (&ring[(k + n - 1) % n].1, &ring[(k + 1) % n].1);
        turn(a, &ring[k].1, b).abs() / (b[0] - a[0]).hypot(b[1] - a[1]).max(f64::MIN_POSITIVE)
    };
    while ring.len() >= 3 {
        let lowest = (0..ring.len()).map(|k| (k, height(&ring, k))).min_by(|a, b| a.1.total_cmp(&b.1));
        match lowest {
            Some((k, h)) if h <= eps => drop(ring.remove(k)),
            _ => break,
        }
    }
    ring.into_iter().map(|(i, _)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{ConvexShape, Polyhedron};
    use proptest::prelude::*;

    fn grid_of_a_cube() -> Vec<Vect<3>> {
        let at = |k: usize| (k as f64) / 3.0 - 0.5;
        (0..64).map(|k| Vect::<3>::new(at(k % 4), at(k / 4 % 4), at(k / 16))).collect()
    }

    #[test]
    fn all_points_of_a_lattice_leave_the_eight_corners_of_a_cube() {
        let hull = convex_hull(&grid_of_a_cube()).unwrap();
        assert_eq!((hull.vertices.len(), hull.starts.len() - 1, hull.loops.len()), (8, 6, 24));
    }

    #[test]
    fn faces_do_not_split_when_the_points_are_rounded_and_turned() {
        for k in 1..40 {
            let axis = Vect::<3>::new(0.3, -0.2, 0.1) * f64::from(k);
            let turn = nalgebra::UnitQuaternion::from_scaled_axis(axis);
            let far = Vect::<3>::new(1e3, -2e3, 5e2);
            let points: Vec<_> = grid_of_a_cube().iter().map(|p| turn * p + far).collect();
            let hull = convex_hull(&points).unwrap();
            assert_eq!((hull.vertices.len(), hull.starts.len() - 1), (8, 6), "turn {k}");
        }
    }

    #[test]
    fn what_makes_no_body_is_named() {
        let p = |x: f64, y: f64, z: f64| Vect::<3>::new(x, y, z);
        let square = [p(0., 0., 0.), p(1., 0., 0.), p(1., 1., 0.), p(0., 1., 0.)];
        let line: Vec<_> = (0..5).map(|k| p(f64::from(k), 2.0 * f64::from(k), 0.0)).collect();
        let error = |points: &[Vect<3>]| convex_hull(points).unwrap_err();
        assert_eq!(error(&[]), PolyhedronError::TooFewPoints { count: 0 });
        assert_eq!(error(&[p(1., 1., 1.); 9]), PolyhedronError::TooFewPoints { count: 1 });
        assert_eq!(error(&square), PolyhedronError::Flat);
        assert_eq!(error(&line), PolyhedronError::Flat);
        assert_eq!(error(&[square[0], p(0., f64::NAN, 0.)]), PolyhedronError::NotFinite { index: 1 });
    }

    #[test]
    fn a_thousand_points_on_a_sphere_are_all_corners() {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let point = |k: u32| {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 1000.0;
            let (s, c) = (golden * f64::from(k)).sin_cos();
            Vect::<3>::new(c, s, 0.0) * (1.0 - z * z).sqrt() + Vect::<3>::new(0.0, 0.0, z)
        };
        let ball = Polyhedron::from_points(&(0..1000).map(point).collect::<Vec<_>>()).unwrap();
        assert_eq!(ball.vertices().len(), 1000);
        let volume = ball.mass_properties().volume / (4.0 / 3.0 * std::f64::consts::PI);
        assert!(volume < 1.0 && volume > 0.99, "{volume}");
    }

    proptest! {
        /// The hull holds every point, and its volume by tetrahedra equals the one by the divergence theorem.
        #[test]
        fn hulls_hold_their_points(points in prop::collection::vec([-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64], 6..60)) {
            let points: Vec<Vect<3>> = points.into_iter().map(Vect::<3>::from).collect();
            let hull = Polyhedron::from_points(&points).unwrap();
            for face in hull.faces() {
                prop_assert!(points.iter().all(|p| face.normal.dot(p) - face.offset < 1e-5));
            }
            let flux: f64 = (0..hull.faces().len()).map(|f| {
                let ring = hull.ring(f);
                let v = |k: usize| hull.vertices()[ring[k % ring.len()] as usize];
                let area: Vect<3> = (0..ring.len()).map(|k| v(k).cross(&v(k + 1)) * 0.5).sum();
                hull.faces()[f].offset * area.dot(&hull.faces()[f].normal) / 3.0
            }).sum();
            let volume = hull.mass_properties().volume;
            prop_assert!(volume > 0.0 && (volume - flux).abs() < 1e-5 * volume.max(1e-3));
        }
    }
}
