//! The element types of Gmsh, by their numbers.

use crate::mesh::{FacetKind, Kind};

/// A type of element that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GmshKind {
    Point,
    Line2,
    Line3,
    T3,
    T6,
    Q4,
    Q8,
    Tet4,
    Tet10,
    H8,
    H20,
}

use GmshKind::*;

impl GmshKind {
    /// The type with a number, or why it is not read.
    pub fn from_number(number: i64) -> Result<GmshKind, String> {
        Ok(match number {
            15 => Point,
            1 => Line2,
            8 => Line3,
            2 => T3,
            9 => T6,
            3 => Q4,
            16 => Q8,
            4 => Tet4,
            11 => Tet10,
            5 => H8,
            17 => H20,
            10 | 12 => {
                let name = if number == 10 { "a Q9" } else { "an H27" };
                return Err(format!(
                    "element type {number} is {name}: save Q8 and H20 instead (Mesh.SecondOrderIncomplete = 1)"
                ));
            }
            6 | 13 | 18 => {
                return Err(format!(
                    "element type {number} is a prism, which is not read: use hexahedra or tetrahedra"
                ));
            }
            7 | 14 | 19 => {
                return Err(format!(
                    "element type {number} is a pyramid, which is not read: use hexahedra or tetrahedra"
                ));
            }
            _ => {
                return Err(format!(
                    "element type {number} is not known: expected lines, triangles, quadrangles, tetrahedra or hexahedra of order 1 or 2"
                ));
            }
        })
    }

    /// The number of the type.
    pub fn number(self) -> u32 {
        match self {
            Point => 15,
            Line2 => 1,
            Line3 => 8,
            T3 => 2,
            T6 => 9,
            Q4 => 3,
            Q8 => 16,
            Tet4 => 4,
            Tet10 => 11,
            H8 => 5,
            H20 => 17,
        }
    }

    /// Dimension of the element itself.
    pub fn dimension(self) -> usize {
        match self {
            Point => 0,
            Line2 | Line3 => 1,
            T3 | T6 | Q4 | Q8 => 2,
            Tet4 | Tet10 | H8 | H20 => 3,
        }
    }

    /// Nodes of an element.
    pub fn nodes(self) -> usize {
        match self {
            Point => 1,
            Line2 => 2,
            Line3 | T3 => 3,
            Q4 | Tet4 => 4,
            T6 => 6,
            Q8 | H8 => 8,
            Tet10 => 10,
            H20 => 20,
        }
    }

    /// As a cell.
    pub fn cell(self) -> Option<Kind> {
        Some(match self {
            Point | Line3 => return None,
            Line2 => Kind::Bar2,
            T3 => Kind::T3,
            T6 => Kind::T6,
            Q4 => Kind::Q4,
            Q8 => Kind::Q8,
            Tet4 => Kind::Tet4,
            Tet10 => Kind::Tet10,
            H8 => Kind::H8,
            H20 => Kind::H20,
        })
    }

    /// As a facet.
    pub fn facet(self) -> Option<FacetKind> {
        Some(match self {
            Line2 => FacetKind::Line2,
            Line3 => FacetKind::Line3,
            T3 => FacetKind::T3,
            T6 => FacetKind::T6,
            Q4 => FacetKind::Q4,
            Q8 => FacetKind::Q8,
            _ => return None,
        })
    }

    /// The type of a cell.
    pub fn of_cell(kind: Kind) -> GmshKind {
        match kind {
            Kind::Bar2 => Line2,
            Kind::T3 => T3,
            Kind::T6 => T6,
            Kind::Q4 => Q4,
            Kind::Q8 => Q8,
            Kind::Tet4 => Tet4,
            Kind::Tet10 => Tet10,
            Kind::H8 => H8,
            Kind::H20 => H20,
        }
    }

    /// The type of a facet.
    pub fn of_facet(kind: FacetKind) -> GmshKind {
        match kind {
            FacetKind::Line2 => Line2,
            FacetKind::Line3 => Line3,
            FacetKind::T3 => T3,
            FacetKind::T6 => T6,
            FacetKind::Q4 => Q4,
            FacetKind::Q8 => Q8,
        }
    }
}
