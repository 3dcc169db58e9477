//! Meshes: nodes, cells by kind and region, named boundaries.

mod change;
mod check;
mod cut;
mod elevate;
mod facets;
mod measure;

pub use check::MeshError;
pub use facets::{CellFacet, Facets};

use crate::Vect;

/// The kinds of cells. Node numbering follows Gmsh (corners first, then mid-side nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Two-node bar.
    Bar2,
    /// Linear triangle.
    T3,
    /// Quadratic triangle.
    T6,
    /// Bilinear quadrangle.
    Q4,
    /// Serendipity quadrangle.
    Q8,
    /// Linear tetrahedron.
    Tet4,
    /// Quadratic tetrahedron.
    Tet10,
    /// Trilinear hexahedron.
    H8,
    /// Serendipity hexahedron.
    H20,
}

/// The kinds of boundary facets: those of plane cells are lines, those of solid cells are triangles or quadrangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FacetKind {
    /// Two nodes.
    Line2,
    /// Two ends, then the mid node.
    Line3,
    /// Three corners.
    T3,
    /// Three corners, three mid-side nodes.
    T6,
    /// Four corners.
    Q4,
    /// Four corners, four mid-side nodes.
    Q8,
}

/// Cells of one kind and one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// What they are.
    pub kind: Kind,
    /// Index in [`Mesh::regions`].
    pub region: u32,
    /// Node numbers, cell by cell.
    pub nodes: Vec<u32>,
}

/// Facets of one kind under one name, with the outward normal on the right-hand side of a line in 2D (the body on the
/// left when going from the first node to the second), by the right-hand rule of the corners in 3D.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Name of the physical group, or of the side in a generated mesh.
    pub name: String,
    /// What they are.
    pub kind: FacetKind,
    /// Node numbers, facet by facet.
    pub nodes: Vec<u32>,
}

/// A mesh in its reference configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh<const D: usize> {
    /// Node positions [m].
    pub nodes: Vec<Vect<D>>,
    /// Cells.
    pub cells: Vec<Cells>,
    /// Names of the regions (materials).
    pub regions: Vec<String>,
    /// Named parts of the boundary; may overlap. A name may occur with several kinds of facets.
    pub boundaries: Vec<Boundary>,
    /// Named sets of nodes (points, corners).
    pub node_sets: Vec<(String, Vec<u32>)>,
}

impl<const D: usize> Mesh<D> {
    /// All cells, numbered through: (number, kind, region, nodes).
    pub fn each_cell(&self) -> impl Iterator<Item = (usize, Kind, u32, &[u32])> {
        let all = self.cells.iter().flat_map(|c| c.nodes.chunks_exact(c.kind.nodes()).map(move |n| (c, n)));
        all.enumerate().map(|(number, (cells, nodes))| (number, cells.kind, cells.region, nodes))
    }

    /// Number of cells of all kinds.
    pub fn cell_count(&self) -> usize {
        self.cells.iter().map(|c| c.nodes.len() / c.kind.nodes()).sum()
    }
}

impl Kind {
    /// Dimension of the cell itself: 1, 2 or 3.
    pub fn dimension(self) -> usize {
        match self {
            Kind::Bar2 => 1,
            Kind::T3 | Kind::T6 | Kind::Q4 | Kind::Q8 => 2,
            Kind::Tet4 | Kind::Tet10 | Kind::H8 | Kind::H20 => 3,
        }
    }

    /// Nodes of a cell.
    pub fn nodes(self) -> usize {
        match self {
            Kind::Bar2 => 2,
            Kind::T3 => 3,
            Kind::T6 => 6,
            Kind::Q4 => 4,
            Kind::Q8 => 8,
            Kind::Tet4 => 4,
            Kind::Tet10 => 10,
            Kind::H8 => 8,
            Kind::H20 => 20,
        }
    }
}

impl FacetKind {
    /// Corners of a facet; they come before the mid-side nodes.
    pub fn corners(self) -> usize {
        match self {
            FacetKind::Line2 | FacetKind::Line3 => 2,
            FacetKind::T3 | FacetKind::T6 => 3,
            FacetKind::Q4 | FacetKind::Q8 => 4,
        }
    }

    /// Nodes of a facet.
    pub fn nodes(self) -> usize {
        match self {
            FacetKind::Line2 => 2,
            FacetKind::Line3 | FacetKind::T3 => 3,
            FacetKind::Q4 => 4,
            FacetKind::T6 => 6,
            FacetKind::Q8 => 8,
        }
    }
}
