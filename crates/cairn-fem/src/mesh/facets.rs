//! The facets of cells, and the skin of a mesh: facets that belong to one cell only.
//!
//! Numbering follows Gmsh. The tables list the local nodes of each facet, corners first, turned so that the normal points
//! out of the cell: in 2D the cell is on the left of a line, in 3D the corners turn counter-clockwise seen from outside.

use std::collections::HashMap;

use super::{Boundary, FacetKind, Kind, Mesh};

type Table = &'static [&'static [u8]];

/// Local edges with their mid-side nodes of a quadratic cell: `EDGES[k]` are the ends of the edge of node `corners + k`.
const EDGES_T6: &[[u8; 2]] = &[[0, 1], [1, 2], [2, 0]];
const EDGES_Q8: &[[u8; 2]] = &[[0, 1], [1, 2], [2, 3], [3, 0]];
const EDGES_TET10: &[[u8; 2]] = &[[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]];
const EDGES_H20: &[[u8; 2]] =
    &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]];

const FACETS_TRIANGLE: Table = &[&[0, 1], &[1, 2], &[2, 0]];
const FACETS_T6: Table = &[&[0, 1, 3], &[1, 2, 4], &[2, 0, 5]];
const FACETS_QUADRANGLE: Table = &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]];
const FACETS_Q8: Table = &[&[0, 1, 4], &[1, 2, 5], &[2, 3, 6], &[3, 0, 7]];
const FACETS_TET4: Table = &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
const FACETS_TET10: Table = &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 9, 7], &[1, 2, 3, 5, 8, 9], &[2, 0, 3, 6, 7, 8]];
const FACETS_H8: Table = &[&[0, 3, 2, 1], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7], &[4, 5, 6, 7]];
const FACETS_H20: Table = &[
    &[0, 3, 2, 1, 9, 13, 11, 8],
    &[0, 1, 5, 4, 8, 12, 16, 10],
    &[1, 2, 6, 5, 11, 14, 18, 12],
    &[2, 3, 7, 6, 13, 15, 19, 14],
    &[3, 0, 4, 7, 9, 10, 17, 15],
    &[4, 5, 6, 7, 16, 18, 19, 17],
];

impl Kind {
    /// Corners of a cell; they come before the mid-side nodes.
    pub fn corners(self) -> usize {
        match self {
            Kind::Bar2 => 2,
            Kind::T3 | Kind::T6 => 3,
            Kind::Q4 | Kind::Q8 | Kind::Tet4 | Kind::Tet10 => 4,
            Kind::H8 | Kind::H20 => 8,
        }
    }

    /// Ends of the edges, in the order in which quadratic cells number their mid-side nodes.
    pub fn edges(self) -> &'static [[u8; 2]] {
        match self {
            Kind::Bar2 => &[[0, 1]],
            Kind::T3 | Kind::T6 => EDGES_T6,
            Kind::Q4 | Kind::Q8 => EDGES_Q8,
            Kind::Tet4 | Kind::Tet10 => EDGES_TET10,
            Kind::H8 | Kind::H20 => EDGES_H20,
        }
    }

    /// Local nodes of the facets, corners first, turned outwards. A bar has none.
    pub fn facets(self) -> &'static [&'static [u8]] {
        match self {
            Kind::Bar2 => &[],
            Kind::T3 => FACETS_TRIANGLE,
            Kind::T6 => FACETS_T6,
            Kind::Q4 => FACETS_QUADRANGLE,
            Kind::Q8 => FACETS_Q8,
            Kind::Tet4 => FACETS_TET4,
            Kind::Tet10 => FACETS_TET10,
            Kind::H8 => FACETS_H8,
            Kind::H20 => FACETS_H20,
        }
    }

    /// Kind of the facets; a bar has none.
    pub fn facet_kind(self) -> Option<FacetKind> {
        match self {
            Kind::Bar2 => None,
            Kind::T3 | Kind::Q4 => Some(FacetKind::Line2),
            Kind::T6 | Kind::Q8 => Some(FacetKind::Line3),
            Kind::Tet4 => Some(FacetKind::T3),
            Kind::Tet10 => Some(FacetKind::T6),
            Kind::H8 => Some(FacetKind::Q4),
            Kind::H20 => Some(FacetKind::Q8),
        }
    }
}

/// A facet as a side of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFacet {
    /// Number of the cell, counted through all [`Mesh::cells`].
    pub cell: u32,
    /// What the facet is.
    pub kind: FacetKind,
    /// Its nodes, turned outwards.
    pub nodes: Vec<u32>,
    /// How many cells have it: 1 on the skin, 2 inside.
    pub shared: u32,
}

/// All facets of the cells of a mesh, each once, found by their corners.
#[derive(Clone, Debug, Default)]
pub struct Facets {
    /// In the order in which the cells have them.
    pub list: Vec<CellFacet>,
    /// By sorted corners. Only looked up, never walked through.
    places: HashMap<[u32; 4], u32>,
}

/// Corners that do not depend on where a facet is seen from.
pub(super) fn key(corners: &[u32]) -> [u32; 4] {
    let mut key = [u32::MAX; 4];
    key[..corners.len()].copy_from_slice(corners);
    key.sort_unstable();
    key
}

impl Facets {
    /// The facet with these corners, in any order.
    pub fn find(&self, corners: &[u32]) -> Option<&CellFacet> {
        if corners.len() > 4 {
            return None;
        }
        self.places.get(&key(corners)).map(|&place| &self.list[place as usize])
    }
}

impl<const D: usize> Mesh<D> {
    /// All facets of the cells that fill space (bars and, in space, plane cells have none here).
    pub fn facets(&self) -> Facets {
        let mut facets = Facets::default();
        for (cell, kind, _, nodes) in self.each_cell().filter(|(_, kind, ..)| kind.dimension() == D) {
            let Some(facet_kind) = kind.facet_kind() else { continue };
            for local in kind.facets() {
                let own: Vec<u32> = local.iter().map(|&l| nodes[l as usize]).collect();
                let place = *facets.places.entry(key(&own[..facet_kind.corners()])).or_insert(facets.list.len() as u32);
                if place as usize == facets.list.len() {
                    facets.list.push(CellFacet { cell: cell as u32, kind: facet_kind, nodes: own, shared: 0 });
                }
                facets.list[place as usize].shared += 1;
            }
        }
        facets
    }

    /// The whole boundary: facets that only one cell has, turned outwards, one entry a kind, named `skin`.
    pub fn skin(&self) -> Vec<Boundary> {
        self.skin_where("skin", |_| true)
    }

    /// The facets of the skin whose corners all satisfy a condition.
    pub fn skin_where(&self, name: &str, is_in: impl Fn(&crate::Vect<D>) -> bool) -> Vec<Boundary> {
        let mut boundaries: Vec<Boundary> = Vec::new();
        for facet in self.facets().list.iter().filter(|f| f.shared == 1) {
            if !facet.nodes[..facet.kind.corners()].iter().all(|&n| is_in(&self.nodes[n as usize])) {
                continue;
            }
            match boundaries.iter_mut().find(|b| b.kind == facet.kind) {
                Some(boundary) => boundary.nodes.extend(&facet.nodes),
                None => {
                    boundaries.push(Boundary { name: name.to_string(), kind: facet.kind, nodes: facet.nodes.clone() })
                }
            }
        }
        boundaries
    }

    /// Gives a name to the facets of the skin whose corners all satisfy a condition.
    pub fn name_boundary(&mut self, name: &str, is_in: impl Fn(&crate::Vect<D>) -> bool) {
        let found = self.skin_where(name, is_in);
        self.boundaries.extend(found);
    }
}
