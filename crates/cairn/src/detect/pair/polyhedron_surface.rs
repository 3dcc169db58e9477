//! Polyhedron – fixed surface of triangles: vertices on facets, edges across ridges, peaks under faces.
//!
//! Everything is a question of two supports: a point x of the polyhedron and a point y of the surface touch along the
//! unit vector d (from the surface outwards) if no facet at y rises along d ([`Surface::admits`]) and no part of the
//! polyhedron lies below x along d. Inner edges and vertices of flat or hollow parts admit nothing but the facet's own
//! normal, and those contacts are the facet's: a block slides over seams without noticing them.
//!
//! Facets hold polyhedra whose middle is in front of them. A vertex that is behind several facets of a convex corner is
//! pushed out by the nearest; in a valley, by all.

use super::polyhedron::{Meeting, single_feature};
use super::segments::closest;
use super::separation::View;
use crate::contact::Touch;
use crate::shape::{Aabb, Polyhedron, Surface};
use crate::space::{Ambient, Placement, Space, Vect};
use std::collections::BTreeSet;

/// Lengths below this fraction of the polyhedron's size are round-off.
const SLACK: f64 = 1e-9;

/// Touches between a polyhedron (candidate) and a surface (antagonist).
pub(super) fn touches(
    shape: &Polyhedron,
    a: &Placement<3>,
    surface: &Surface<3>,
    b: &Placement<3>,
    reach: f64,
    out: &mut Vec<Touch<3>>,
) {
    let turn = Space::<3>::matrix(&b.turn);
    let mut view = View::default();
    view.set_moved(shape, &(turn.transpose() * Space::<3>::matrix(&a.turn)), &b.local_point(&a.centre));
    let mut facets = Vec::new();
    surface.facets_near(&Aabb::around(&view.vertices).grown(reach), &mut facets);
    if facets.is_empty() {
        return;
    }
    let mut search = Search { shape, view, surface, reach, slack: SLACK * shape.radius(), found: Vec::new() };
    search.vertices_on_facets(&facets);
    search.edges_across_ridges(&facets);
    search.peaks_under_faces(&facets);
    out.extend(search.found.into_iter().map(|t| Touch { point: b.point(&t.point), normal: turn * t.normal, ..t }));
}

/// A pair in the frame of the surface.
struct Search<'a> {
    shape: &'a Polyhedron,
    view: View,
    surface: &'a Surface<3>,
    reach: f64,
    slack: f64,
    found: Vec<Touch<3>>,
}

impl Search<'_> {
    /// Adds a touch, unless there is one in its place with the same normal; numbers stay distinct.
    fn push(&mut self, mut touch: Touch<3>) {
        let same = |t: &Touch<3>| {
            (t.point - touch.point).norm() <= 4.0 * self.slack && t.normal.dot(&touch.normal) > 1.0 - SLACK
        };
        if self.found.iter().any(same) {
            return;
        }
        while self.found.iter().any(|t| t.feature == touch.feature) {
            touch.feature = touch.feature.wrapping_add(1);
        }
        self.found.push(touch);
    }

    fn vertices_on_facets(&mut self, facets: &[u32]) {
        let in_front = |f: &&u32| {
            let f = **f as usize;
            let p = self.surface.vertices[self.surface.facets[f][0] as usize];
            self.surface.normals()[f].dot(&(self.view.middle - p)) > 0.0
        };
        let front: Vec<u32> = facets.iter().filter(in_front).copied().collect();
        for v in 0..self.view.vertices.len() {
            let x = self.view.vertices[v];
            let mut over: Vec<(u32, f64)> =
                front.iter().filter_map(|&f| self.height_over(&x, f).map(|h| (f, h))).collect();
            // Nearest first; equals in the order of the facets.
            over.sort_by(|p, q| q.1.total_cmp(&p.1).then(p.0.cmp(&q.0)));
            for (k, &(f, gap)) in over.iter().enumerate() {
                let hidden =
                    gap < -self.slack && over[..k].iter().any(|&(g, h)| h < 0.0 && self.is_convex_corner(f, g));
                if !hidden {
                    let normal = self.surface.normals()[f as usize];
                    let feature = ((Meeting::SecondFace as u32) << 30) | ((v as u32) << 18) | (f & 0x3ffff);
                    self.push(Touch { feature, point: x - normal * (0.5 * gap), normal, gap, area: 0.0 });
                }
            }
        }
    }

    /// Height of a point within reach over a facet, if its foot lies in the facet, or past a side at which the surface
    /// rises and has the point behind it, as for a corner that is pressed into a valley.
    fn height_over(&self, x: &Vect<3>, facet: u32) -> Option<f64> {
        let (numbers, corners) = (self.surface.facets[facet as usize], self.surface.corners(facet));
        let normal = self.surface.normals()[facet as usize];
        let height = normal.dot(&(x - corners[0]));
        let inside = |k: usize| {
            let next = (k + 1) % 3;
            let along = corners[next] - corners[k];
            along.cross(&normal).dot(&(x - corners[k])) <= self.slack * along.norm()
                || self.is_behind_rise(x, facet, [numbers[k], numbers[next]])
        };
        (height <= self.reach && (0..3).all(inside)).then_some(height)
    }

    /// Does the neighbour of `facet` at this side rise from it, and is the point behind the neighbour's plane?
    fn is_behind_rise(&self, x: &Vect<3>, facet: u32, [i, j]: [u32; 2]) -> bool {
        let (p, n) = (self.surface.vertices[i as usize], self.surface.normals()[facet as usize]);
        let rises = |g: u32| self.surface.corners(g).iter().any(|y| n.dot(&(y - p)) > SLACK * (y - p).norm());
        let depth = |g: u32| -self.surface.normals()[g as usize].dot(&(x - p));
        let held = |g: u32| depth(g) > 0.0 && depth(g) < 0.1 * self.shape.radius();
        let at_side = |g: &&u32| **g != facet && self.surface.facets[**g as usize].contains(&j);
        self.surface.facets_at(i).iter().filter(at_side).any(|&g| rises(g) && held(g))
    }

    /// Is each of the two facets behind the other's plane?
    fn is_convex_corner(&self, f: u32, g: u32) -> bool {
        let behind = |f: u32, g: u32| {
            let (p, n) = (self.surface.corners(f)[0], self.surface.normals()[f as usize]);
            self.surface.corners(g).iter().all(|x| n.dot(&(x - p)) <= self.slack)
        };
        behind(f, g) && behind(g, f)
    }

    fn edges_across_ridges(&mut self, facets: &[u32]) {
        let sides = |&f: &u32| {
            let [i, j, k] = self.surface.facets[f as usize];
            [(i, j, f), (j, k, f), (k, i, f)].map(|(i, j, f)| (i.min(j), i.max(j), f))
        };
        let mut seen = BTreeSet::new();
        let ridges: Vec<(u32, u32, u32)> =
            facets.iter().flat_map(sides).filter(|&(i, j, f)| seen.insert((i, j)) && self.is_ridge(i, j, f)).collect();
        let margin = Vect::<3>::repeat(self.reach.max(0.0));
        for (i, j, f) in ridges {
            let [p, q] = [i, j].map(|v| self.surface.vertices[v as usize]);
            let (low, high) = (p.inf(&q) - margin, p.sup(&q) + margin);
            for (e, edge) in self.shape.edges().iter().enumerate() {
                let [u, w] = edge.ends.map(|v| self.view.vertices[v as usize]);
                let far = (0..3).any(|k| u[k].min(w[k]) > high[k] || u[k].max(w[k]) < low[k]);
                if !far && let Some((point, normal, gap)) = self.meeting([u, w], [p, q], [i, j], f) {
                    let feature = single_feature(Meeting::Edges, e as u32, i.wrapping_mul(31).wrapping_add(j));
                    self.push(Touch { feature, point, normal, gap, area: 0.0 });
                }
            }
        }
    }

    /// Does the surface bend outwards, or end, at this edge of facet `f`?
    fn is_ridge(&self, i: u32, j: u32, f: u32) -> bool {
        let (p, n) = (self.surface.vertices[i as usize], self.surface.normals()[f as usize]);
        let mut others =
            self.surface.facets_at(i).iter().filter(|&&g| g != f && self.surface.facets[g as usize].contains(&j));
        others.all(|&g| self.surface.corners(g).iter().any(|x| n.dot(&(x - p)) < -SLACK * (x - p).norm()))
    }

    /// Where an edge of the polyhedron meets a ridge: point, normal and gap.
    fn meeting(
        &self,
        [u, w]: [Vect<3>; 2],
        [p, q]: [Vect<3>; 2],
        ridge: [u32; 2],
        facet: u32,
    ) -> Option<(Vect<3>, Vect<3>, f64)> {
        let (d, e) = (w - u, q - p);
        let (s, t) = closest(&u, &d, &p, &e);
        let (x, y) = (u + d * s, p + e * t);
        let crossing = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
        let common = d.cross(&e);
        let apart = (x - y).norm();
        let normal = if crossing && common.norm_squared() > 1e-10 * d.norm_squared() * e.norm_squared() {
            common.normalize() * 1f64.copysign(common.dot(&self.surface.normals()[facet as usize]))
        } else if apart > self.slack {
            (x - y) / apart
        } else {
            return None;
        };
        let gap = normal.dot(&(x - y));
        let on = if t <= 0.0 {
            &ridge[..1]
        } else if t >= 1.0 {
            &ridge[1..]
        } else {
            &ridge[..]
        };
        let supports = || self.view.vertices.iter().all(|v| normal.dot(&(v - x)) >= -1e-6 * self.shape.radius());
        let deep = -gap > self.shape.radius();
        (gap <= self.reach && !deep && supports() && self.surface.admits(facet, on, &y, &normal))
            .then(|| (0.5 * (x + y), normal, gap))
    }

    fn peaks_under_faces(&mut self, facets: &[u32]) {
        let peaks: BTreeSet<u32> = facets.iter().flat_map(|&f| self.surface.facets[f as usize]).collect();
        for peak in peaks {
            let y = self.surface.vertices[peak as usize];
            let height = |f: usize| self.view.planes[f].0.dot(&y) - self.view.planes[f].1;
            let nearest = (0..self.view.planes.len()).max_by(|&f, &g| height(f).total_cmp(&height(g)));
            let Some(face) = nearest.filter(|&f| height(f) <= self.reach && self.is_over(&y, f)) else { continue };
            let (gap, normal) = (height(face), -self.view.planes[face].0);
            if self.surface.admits(self.surface.facets_at(peak)[0], &[peak], &y, &normal)
                && !self.is_flat(peak, &normal)
            {
                let feature = single_feature(Meeting::FirstFace, face as u32, peak);
                self.push(Touch { feature, point: y + normal * (0.5 * gap), normal, gap, area: 0.0 });
            }
        }
    }

    /// Does the surface go on along its tangent plane on all sides of the vertex? Then its facets do the work.
    fn is_flat(&self, vertex: u32, normal: &Vect<3>) -> bool {
        let fan = self.surface.facets_at(vertex);
        let level = |f: &u32| self.surface.normals()[*f as usize].dot(normal) > 1.0 - SLACK;
        let neighbours = || fan.iter().flat_map(|&f| self.surface.facets[f as usize]).filter(|&v| v != vertex);
        let closed = |v: u32| neighbours().filter(|&w| w == v).count() == 2;
        fan.iter().all(level) && neighbours().all(closed)
    }

    /// Is the foot of a point inside face `f` of the polyhedron?
    fn is_over(&self, y: &Vect<3>, f: usize) -> bool {
        let ring = self.shape.ring(f);
        let corner = |k: usize| self.view.vertices[ring[k % ring.len()] as usize];
        (0..ring.len()).all(|k| {
            let along = corner(k + 1) - corner(k);
            along.cross(&self.view.planes[f].0).dot(&(y - corner(k))) <= self.slack * along.norm()
        })
    }
}
