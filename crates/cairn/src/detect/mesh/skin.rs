//! The skin of a mesh: its facets, who neighbours whom, and the candidate points on it. It does not change in a run.

use super::candidates::{self, Candidate};
use super::facet::{Facet, MOST_NODES, Patch, centre};
use super::rims::{Rim, rims};
use super::tree::Tree;
use crate::shape::Aabb;
use crate::space::Vect;
use cairn_fem::mesh::{Boundary, FacetKind};
use std::collections::BTreeMap;

/// Where candidate points sit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Points {
    /// At the nodes: for smooth bodies against smooth ones. A node on a sharp edge has a point for each side of it.
    Nodes,
    /// In the middle of each facet: for blocks with flat faces. Never on a rim, so corners that meet make no points.
    #[default]
    Middles,
    /// At Gauss points: two on a line, three on a triangle, 2 × 2 on a quadrangle.
    Gauss,
}

/// What turns a length into an area in 2D. In 3D: `Constant(1.0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Breadth {
    /// Thickness of a plane body [m].
    Constant(f64),
    /// Body of revolution about the second axis: 2π r with r the first coordinate.
    Revolution,
}

impl Breadth {
    pub(super) fn at<const D: usize>(self, x: &Vect<D>) -> f64 {
        match self {
            Breadth::Constant(breadth) => breadth,
            Breadth::Revolution => 2.0 * std::f64::consts::PI * x[0].abs(),
        }
    }
}

/// What of a boundary takes part, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinChoice {
    /// Where candidate points sit.
    pub points: Points,
    /// Names of the boundaries that carry candidate points; all if none are given.
    pub candidates: Option<Vec<String>>,
    /// Names of the boundaries that others may touch; all if none are given.
    pub antagonists: Option<Vec<String>>,
    /// What turns lengths into areas.
    pub breadth: Breadth,
}

impl Default for SkinChoice {
    fn default() -> Self {
        Self { points: Points::default(), candidates: None, antagonists: None, breadth: Breadth::Constant(1.0) }
    }
}

/// Why there is no skin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkinError {
    /// A name that no boundary has.
    #[error("there is no boundary named \"{name}\"; the mesh has {known}")]
    NoSuchBoundary {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Lines in 3D or faces in 2D.
    #[error("boundary \"{name}\" has facets of kind {kind:?}, which cannot bound a body in {dimension}D")]
    WrongKind {
        /// Boundary.
        name: String,
        /// Kind of its facets.
        kind: FacetKind,
        /// Dimension of space.
        dimension: usize,
    },
    /// A facet refers to a node that is not there, or a list ends within a facet.
    #[error("facet {facet} of boundary \"{name}\" is incomplete or refers to a node that does not exist")]
    BrokenFacet {
        /// Boundary.
        name: String,
        /// Facet, from 0.
        facet: usize,
    },
    /// A facet has no length or no area.
    #[error("facet {facet} of boundary \"{name}\" has no extent: some of its nodes coincide or lie on a line")]
    FlatFacet {
        /// Boundary.
        name: String,
        /// Facet, from 0.
        facet: usize,
    },
    /// Nothing to touch with.
    #[error("the mesh has no boundary facets to make contact with")]
    Empty,
}

/// A facet flatter than this fraction of its size is degenerate.
const FLAT: f64 = 1e-12;

/// What of a mesh may touch. Made by [`Skin::new`].
#[derive(Clone, Debug)]
pub struct Skin<const D: usize> {
    pub(super) facets: Vec<Facet>,
    pub(super) candidates: Vec<Candidate>,
    /// Facets around nodes of candidates: those that give each its normal.
    pub(super) homes: Vec<u32>,
    /// May others touch this facet?
    pub(super) is_antagonist: Vec<bool>,
    /// Sharp edges, which rigid ones may lie across (3D).
    pub(super) rims: Vec<Rim>,
    /// Over all facets: those that may not be touched still hide what is behind a rim.
    pub(super) tree: Tree,
    /// Facets at node v: `fan[fan_start[v] .. fan_start[v + 1]]`.
    fan: Vec<u32>,
    fan_start: Vec<u32>,
    size: f64,
    is_closed: bool,
    /// What turns lengths into areas.
    pub(super) breadth: Breadth,
}

impl<const D: usize> Skin<D> {
    /// The skin of a mesh from its boundaries and the positions of all its nodes in the reference configuration. A
    /// facet that has several names counts once.
    pub fn new(boundaries: &[Boundary], nodes: &[Vect<D>], choice: &SkinChoice) -> Result<Self, SkinError> {
        let is_candidate = chosen(boundaries, choice.candidates.as_deref())?;
        let others_may = chosen(boundaries, choice.antagonists.as_deref())?;
        let (mut facets, mut roles) = (Vec::new(), Vec::<[bool; 2]>::new());
        let mut seen = BTreeMap::new();
        for (b, boundary) in boundaries.iter().enumerate() {
            for facet in facets_of::<D>(boundary, nodes)? {
                let mut identity = facet.corners().to_vec();
                identity.sort_unstable();
                let number = *seen.entry(identity).or_insert_with(|| {
                    facets.push(facet);
                    roles.push([false; 2]);
                    facets.len() - 1
                });
                roles[number][0] |= is_candidate[b];
                roles[number][1] |= others_may[b];
            }
        }
        if facets.is_empty() {
            return Err(SkinError::Empty);
        }
        let (fan, fan_start) = fans(nodes.len(), &facets);
        let boxes: Vec<_> = facets.iter().map(|f| box_of(&f.patch(nodes))).collect();
        let size = facets.iter().map(|f| f.patch(nodes).size()).fold(f64::INFINITY, f64::min);
        let is_antagonist = roles.iter().map(|r| r[1]).collect();
        let tree = Tree::new(&boxes);
        let mut skin = Self {
            facets,
            candidates: Vec::new(),
            homes: Vec::new(),
            is_antagonist,
            rims: Vec::new(),
            tree,
            fan,
            fan_start,
            size,
            is_closed: false,
            breadth: choice.breadth,
        };
        skin.is_closed = (0..skin.facets.len() as u32).all(|f| skin.has_neighbours(f));
        skin.rims = rims(&skin, nodes);
        let carries = |f: u32| roles[f as usize][0];
        candidates::place(&mut skin, nodes, choice, &carries);
        Ok(skin)
    }

    /// All facets.
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// Candidate points; the feature of a contact is its number in this list.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Facets that have this node.
    pub fn facets_at(&self, node: u32) -> &[u32] {
        let v = node as usize;
        &self.fan[self.fan_start[v] as usize..self.fan_start[v + 1] as usize]
    }

    /// Facets that have both nodes: the two sides of an edge.
    pub fn facets_between(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        self.facets_at(a).iter().copied().filter(move |&f| self.facets[f as usize].nodes().contains(&b))
    }

    /// The facet across side `k` (from corner k to the next; in 2D across corner k), if there is one.
    pub fn across(&self, facet: u32, k: usize) -> Option<u32> {
        let ring = self.facets[facet as usize].corners();
        let other = if D == 2 { ring[k] } else { ring[(k + 1) % ring.len()] };
        self.facets_between(ring[k], other).find(|&f| f != facet)
    }

    fn has_neighbours(&self, facet: u32) -> bool {
        (0..self.facets[facet as usize].corners().len()).all(|k| self.across(facet, k).is_some())
    }

    /// Has every facet a neighbour on each side? Then what is behind the skin is inside of its box.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Length of the smallest facet in the reference configuration [m]: a scale for how deep a contact may be.
    pub fn size(&self) -> f64 {
        self.size
    }
}

/// The box around a facet. Quadratic facets may bulge a little out of the box of their nodes.
pub(super) fn box_of<const D: usize>(patch: &Patch<D>) -> Aabb<D> {
    let bounds = Aabb::around(&patch.x[..patch.kind.nodes()]);
    if super::facet::is_linear(patch.kind) {
        return bounds;
    }
    bounds.grown(0.15 * (bounds.max - bounds.min).max())
}

/// Which boundaries are meant by the names.
fn chosen(boundaries: &[Boundary], names: Option<&[String]>) -> Result<Vec<bool>, SkinError> {
    let Some(names) = names else { return Ok(vec![true; boundaries.len()]) };
    if let Some(name) = names.iter().find(|name| !boundaries.iter().any(|b| b.name == **name)) {
        let mut known: Vec<_> = boundaries.iter().map(|b| format!("\"{}\"", b.name)).collect();
        known.sort();
        known.dedup();
        return Err(SkinError::NoSuchBoundary { name: name.clone(), known: known.join(", ") });
    }
    Ok(boundaries.iter().map(|b| names.contains(&b.name)).collect())
}

/// The facets of a boundary, checked.
fn facets_of<const D: usize>(boundary: &Boundary, nodes: &[Vect<D>]) -> Result<Vec<Facet>, SkinError> {
    let (name, kind) = (boundary.name.clone(), boundary.kind);
    let is_line = matches!(kind, FacetKind::Line2 | FacetKind::Line3);
    if is_line != (D == 2) {
        return Err(SkinError::WrongKind { name, kind, dimension: D });
    }
    let mut facets = Vec::new();
    for (facet, chunk) in boundary.nodes.chunks(kind.nodes()).enumerate() {
        if chunk.len() < kind.nodes() || chunk.iter().any(|&v| v as usize >= nodes.len()) {
            return Err(SkinError::BrokenFacet { name, facet });
        }
        let mut numbers = [0; MOST_NODES];
        numbers[..chunk.len()].copy_from_slice(chunk);
        let made = Facet { kind, numbers };
        let patch = made.patch(nodes);
        if patch.area_vector(centre(kind)).norm() <= FLAT * patch.size().powi(D as i32 - 1) {
            return Err(SkinError::FlatFacet { name, facet });
        }
        facets.push(made);
    }
    Ok(facets)
}

/// Which facets each node has, as one list and where each node starts in it.
fn fans(nodes: usize, facets: &[Facet]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; nodes + 1];
    for &v in facets.iter().flat_map(Facet::nodes) {
        start[v as usize + 1] += 1;
    }
    for v in 0..nodes {
        start[v + 1] += start[v];
    }
    let mut fan = vec![0u32; start[nodes] as usize];
    let mut next = start.clone();
    for (i, facet) in facets.iter().enumerate() {
        for &v in facet.nodes() {
            fan[next[v as usize] as usize] = i as u32;
            next[v as usize] += 1;
        }
    }
    (fan, start)
}
