//! Meshes: nodes, cells by kind and region, named boundaries.

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

impl Kind {
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
