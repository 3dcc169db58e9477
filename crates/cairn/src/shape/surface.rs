//! Fixed surface: chain of segments (2D) or triangles (3D), solid behind it.
//!
//! Facets are oriented like the boundary of the solid: a segment (a, b) has the solid on its left and the normal
//! (Δy, −Δx)/|Δ|; a triangle (a, b, c) is counter-clockwise seen from outside, n = (b − a) × (c − a)/|…|.
//!
//! A point of the surface may take part in a contact in direction d (from the surface outwards) only if no facet that
//! contains it rises in that direction: d · (x − p) ≤ 0 for all vertices x of these facets. This one test lets through
//! the interior of facets and convex edges, each with the normals between those of the adjacent facets, and rejects what
//! a ball rolling over a seam would otherwise stumble on.

use super::Profile;
use super::ShapeError;
use super::facet_tree::{Aabb, FacetTree};
use crate::space::Vect;

/// Sine of the angle by which a direction may leave the range of normals: round-off, with room.
const ANGLE_SLACK: f64 = 1e-9;
/// A facet flatter than this fraction of its size is degenerate.
const FLAT: f64 = 1e-12;

/// Facets of D vertices each, solid side behind the normal. Made by [`Surface::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<const D: usize> {
    /// Vertices.
    pub vertices: Vec<Vect<D>>,
    /// Vertex numbers, D per facet.
    pub facets: Vec<[u32; D]>,
    normals: Vec<Vect<D>>,
    /// Facets at vertex v: `fan[fan_start[v] .. fan_start[v + 1]]`.
    fan: Vec<u32>,
    fan_start: Vec<u32>,
    tree: FacetTree<D>,
    profile: Option<Profile>,
}

impl<const D: usize> Surface<D> {
    /// Checks the facets and prepares neighbourhoods and search.
    pub fn new(vertices: Vec<Vect<D>>, facets: Vec<[u32; D]>) -> Result<Self, ShapeError> {
        if vertices.iter().any(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(ShapeError::NotFinite);
        }
        if facets.is_empty() {
            return Err(ShapeError::Degenerate);
        }
        let most = u32::MAX as usize >> 1;
        if facets.len() > most {
            return Err(ShapeError::TooMany { what: "facets", most });
        }
        let mut normals = Vec::with_capacity(facets.len());
        for (i, facet) in facets.iter().enumerate() {
            if let Some(&vertex) = facet.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(ShapeError::NoSuchVertex { facet: i, vertex: vertex as usize });
            }
            let corners = facet.map(|v| vertices[v as usize]);
            normals.push(facet_normal(&corners).ok_or(ShapeError::FlatFacet { facet: i })?);
        }
        let (fan, fan_start) = fans(vertices.len(), &facets);
        let boxes = facets.iter().map(|f| Aabb::around(f.iter().map(|&v| &vertices[v as usize]))).collect();
        Ok(Self { vertices, facets, normals, fan, fan_start, tree: FacetTree::new(boxes), profile: None })
    }

    /// What stands for a profile, which points of meshes meet exactly, and rigid bodies by these facets.
    pub fn of_profile(profile: &Profile) -> Result<Self, ShapeError> {
        let (vertices, facets) = profile.facets(D);
        let vertices = vertices.iter().map(|x| Vect::from_fn(|i, _| x[i])).collect();
        let surface = Self::new(vertices, facets.iter().map(|f| std::array::from_fn(|k| f[k])).collect())?;
        Ok(Self { profile: Some(profile.clone()), ..surface })
    }

    /// The profile that it stands for.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Outward unit normals of the facets.
    pub fn normals(&self) -> &[Vect<D>] {
        &self.normals
    }

    /// Vertices of a facet.
    pub fn corners(&self, facet: u32) -> [Vect<D>; D] {
        self.facets[facet as usize].map(|v| self.vertices[v as usize])
    }

    /// Facets that have this vertex.
    pub fn facets_at(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.fan[self.fan_start[v] as usize..self.fan_start[v + 1] as usize]
    }

    /// Does the surface go on in one plane around this vertex? Then it is a seam of the mesh and no corner.
    pub fn is_flat_at(&self, vertex: u32) -> bool {
        let facets = self.facets_at(vertex);
        let first = facets.first().map_or_else(Vect::zeros, |&f| self.normals[f as usize]);
        facets.len() > 1 && facets.iter().all(|&f| (self.normals[f as usize] - first).norm() <= ANGLE_SLACK)
    }

    /// Pushes the facets whose boxes meet `region` (in the surface's frame), in ascending order.
    pub fn facets_near(&self, region: &Aabb<D>, out: &mut Vec<u32>) {
        self.tree.search(region, out);
    }

    /// The box around all facets.
    pub fn bounds(&self) -> Aabb<D> {
        self.tree.bounds().unwrap_or(Aabb { min: Vect::zeros(), max: Vect::zeros() })
    }

    /// May the point `p`, which lies on exactly these vertices of `facet` (one: a corner; two: an edge; …), touch
    /// something in the direction of the unit vector `d`? See the top of the file.
    pub fn admits(&self, facet: u32, on: &[u32], p: &Vect<D>, d: &Vect<D>) -> bool {
        let rises = |f: u32| {
            self.corners(f).iter().any(|x| {
                let arm = x - p;
                d.dot(&arm) > ANGLE_SLACK * arm.norm()
            })
        };
        if on.len() == D {
            return !rises(facet);
        }
        let has_all = |f: &&u32| on.iter().all(|v| self.facets[**f as usize].contains(v));
        let mut outward = Vect::<D>::zeros();
        for &f in self.facets_at(on[0]).iter().filter(has_all) {
            if rises(f) {
                return false;
            }
            outward += self.normals[f as usize];
        }
        d.dot(&outward) > 0.0
    }
}

/// Unit normal of a segment or triangle; none if it has no extent.
fn facet_normal<const D: usize>(corners: &[Vect<D>; D]) -> Option<Vect<D>> {
    let edge = |k: usize| corners[k] - corners[0];
    let mut normal = Vect::<D>::zeros();
    let longest = (1..D).map(|k| edge(k).norm()).fold(0.0, f64::max);
    if D == 2 {
        let e = edge(1);
        normal[0] = e[1];
        normal[1] = -e[0];
    } else {
        let (u, v) = (edge(1), edge(2));
        for k in 0..D {
            let (i, j) = ((k + 1) % D, (k + 2) % D);
            normal[k] = u[i] * v[j] - u[j] * v[i];
        }
    }
    let size = normal.norm();
    (size > FLAT * longest.powi(D as i32 - 1)).then(|| normal / size)
}

/// Which facets each vertex has, as one list and where each vertex starts in it.
fn fans<const D: usize>(vertices: usize, facets: &[[u32; D]]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; vertices + 1];
    for &v in facets.iter().flatten() {
        start[v as usize + 1] += 1;
    }
    for v in 0..vertices {
        start[v + 1] += start[v];
    }
    let mut fan = vec![0u32; start[vertices] as usize];
    let mut next = start.clone();
    for (i, facet) in facets.iter().enumerate() {
        for &v in facet {
            fan[next[v as usize] as usize] = i as u32;
            next[v as usize] += 1;
        }
    }
    (fan, start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_facets_are_named() {
        let points = vec![Vect::<2>::new(0.0, 0.0), Vect::<2>::new(1.0, 0.0), Vect::<2>::new(1.0, 0.0)];
        assert_eq!(
            Surface::new(points.clone(), vec![[0, 1], [1, 7]]),
            Err(ShapeError::NoSuchVertex { facet: 1, vertex: 7 })
        );
        assert_eq!(Surface::new(points.clone(), vec![[1, 2]]), Err(ShapeError::FlatFacet { facet: 0 }));
        assert_eq!(Surface::new(points, vec![]), Err(ShapeError::Degenerate));
    }

    #[test]
    fn triangle_normal_is_that_of_the_right_hand() {
        let points = vec![Vect::<3>::zeros(), Vect::<3>::x(), Vect::<3>::y()];
        assert_eq!(Surface::new(points, vec![[0, 1, 2]]).unwrap().normals()[0], Vect::<3>::z());
    }

    #[test]
    fn search_finds_the_facets_that_a_full_scan_finds() {
        let side = 20u32;
        let points = (0..=side).flat_map(|j| (0..=side).map(move |i| Vect::<3>::new(f64::from(i), f64::from(j), 0.0)));
        let at = |i: u32, j: u32| j * (side + 1) + i;
        let facets: Vec<[u32; 3]> = (0..side * side)
            .map(|c| (c % side, c / side))
            .map(|(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1)])
            .collect();
        let surface = Surface::new(points.collect(), facets.clone()).unwrap();
        let region = Aabb { min: Vect::<3>::new(3.2, 4.1, -0.1), max: Vect::<3>::new(6.7, 4.9, 0.1) };
        let mut found = Vec::new();
        surface.facets_near(&region, &mut found);
        let all: Vec<u32> =
            (0..facets.len() as u32).filter(|&f| Aabb::around(&surface.corners(f)).meets(&region)).collect();
        assert_eq!(found, all);
        assert_eq!(found.len(), 4);
    }
}
