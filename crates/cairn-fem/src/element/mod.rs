//! Elements: shape functions and their gradients on the reference cell, one file each, and what of them depends on the
//! kind at run time.
//!
//! All that assembly needs is a [`Table`]: shape functions and gradients at the points of a quadrature rule.
//!
//! | kind | points for stiffness | points for mass |
//! | --- | --- | --- |
//! | bar | – (closed form) | – |
//! | T3, Tet4 | 1 | degree 4, 5 |
//! | T6, Tet10 | 3, 4 | degree 5 |
//! | Q4, H8 | 2 in each direction | the same |
//! | Q8, H20 | 3 in each direction | the same |

mod bar2;
mod h20;
mod h8;
mod line3;
mod q4;
mod q8;
mod t3;
mod t6;
mod tet10;
mod tet4;

pub use bar2::Bar2;
pub use h8::H8;
pub use h20::H20;
pub use line3::Line3;
pub use q4::Q4;
pub use q8::Q8;
pub use t3::T3;
pub use t6::T6;
pub use tet4::Tet4;
pub use tet10::Tet10;

use crate::mesh::{FacetKind, Kind};
use crate::quadrature::{self, Rule};

/// An element with `N` nodes on a reference cell of dimension `R`.
pub trait Element<const R: usize, const N: usize> {
    /// Positions of the nodes on the reference cell.
    const NODES: [[f64; R]; N];
    /// Shape functions at a point of the reference cell.
    fn shape(point: [f64; R]) -> [f64; N];
    /// Their gradients with respect to the reference coordinates.
    fn gradient(point: [f64; R]) -> [[f64; R]; N];
}

/// An element at the points of a quadrature rule. Arrays run over points, then nodes, then directions.
#[derive(Clone, Debug)]
pub struct Table {
    /// Nodes of the element.
    pub nodes: usize,
    /// Dimension of the reference cell.
    pub dimension: usize,
    /// Weights of the points, in units of the reference volume.
    pub weights: Vec<f64>,
    /// Positions of the points on the reference cell.
    pub points: Vec<f64>,
    /// Shape functions.
    pub shapes: Vec<f64>,
    /// Gradients with respect to the reference coordinates.
    pub gradients: Vec<f64>,
}

impl Table {
    fn new<E: Element<R, N>, const R: usize, const N: usize>(rule: &Rule<R>) -> Self {
        Table {
            nodes: N,
            dimension: R,
            weights: rule.iter().map(|p| p.1).collect(),
            points: rule.iter().flat_map(|p| p.0).collect(),
            shapes: rule.iter().flat_map(|p| E::shape(p.0)).collect(),
            gradients: rule.iter().flat_map(|p| E::gradient(p.0).into_iter().flatten()).collect(),
        }
    }

    /// H8 as a sheet: this many points through the thickness, along its third axis.
    pub fn sheet(thickness: usize) -> Self {
        Table::new::<H8, 3, 8>(&quadrature::sheet(thickness))
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Is there no point?
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Shape functions at point `q`.
    pub fn shape(&self, q: usize) -> &[f64] {
        &self.shapes[q * self.nodes..][..self.nodes]
    }

    /// Gradient of the function of node `a` at point `q`.
    pub fn gradient(&self, q: usize, a: usize) -> &[f64] {
        &self.gradients[(q * self.nodes + a) * self.dimension..][..self.dimension]
    }
}

/// Shape functions of one element at one point, as a table of weight one.
fn single<E: Element<R, N>, const R: usize, const N: usize>(point: &[f64]) -> Table {
    let point: [f64; R] = std::array::from_fn(|i| point.get(i).copied().unwrap_or(0.0));
    Table::new::<E, R, N>(&vec![(point, 1.0)])
}

impl Kind {
    /// The element at the points of full integration of the stiffness.
    pub fn stiffness_table(self) -> Table {
        match self {
            Kind::Bar2 => Table::new::<Bar2, 1, 2>(&quadrature::line(1)),
            Kind::T3 => Table::new::<T3, 2, 3>(&quadrature::triangle(1)),
            Kind::T6 => Table::new::<T6, 2, 6>(&quadrature::triangle(2)),
            Kind::Q4 => Table::new::<Q4, 2, 4>(&quadrature::square(2)),
            Kind::Q8 => Table::new::<Q8, 2, 8>(&quadrature::square(3)),
            Kind::Tet4 => Table::new::<Tet4, 3, 4>(&quadrature::tetrahedron(1)),
            Kind::Tet10 => Table::new::<Tet10, 3, 10>(&quadrature::tetrahedron(2)),
            Kind::H8 => Table::new::<H8, 3, 8>(&quadrature::cube(2)),
            Kind::H20 => Table::new::<H20, 3, 20>(&quadrature::cube(3)),
        }
    }

    /// The element at the points of a rule that is exact for N_a N_b, also with the radius as a factor.
    pub fn mass_table(self) -> Table {
        match self {
            Kind::Bar2 => Table::new::<Bar2, 1, 2>(&quadrature::line(2)),
            Kind::T3 => Table::new::<T3, 2, 3>(&quadrature::triangle(4)),
            Kind::T6 => Table::new::<T6, 2, 6>(&quadrature::triangle(5)),
            Kind::Tet4 => Table::new::<Tet4, 3, 4>(&quadrature::tetrahedron(2)),
            Kind::Tet10 => Table::new::<Tet10, 3, 10>(&quadrature::tetrahedron(5)),
            Kind::Q4 | Kind::Q8 | Kind::H8 | Kind::H20 => self.stiffness_table(),
        }
    }

    /// The element at one point of the reference cell, for interpolation.
    pub fn at(self, point: &[f64]) -> Table {
        match self {
            Kind::Bar2 => single::<Bar2, 1, 2>(point),
            Kind::T3 => single::<T3, 2, 3>(point),
            Kind::T6 => single::<T6, 2, 6>(point),
            Kind::Q4 => single::<Q4, 2, 4>(point),
            Kind::Q8 => single::<Q8, 2, 8>(point),
            Kind::Tet4 => single::<Tet4, 3, 4>(point),
            Kind::Tet10 => single::<Tet10, 3, 10>(point),
            Kind::H8 => single::<H8, 3, 8>(point),
            Kind::H20 => single::<H20, 3, 20>(point),
        }
    }

    /// Positions of the nodes on the reference cell, node by node.
    pub fn reference_nodes(self) -> Vec<f64> {
        match self {
            Kind::Bar2 => Bar2::NODES.concat(),
            Kind::T3 => T3::NODES.concat(),
            Kind::T6 => T6::NODES.concat(),
            Kind::Q4 => Q4::NODES.concat(),
            Kind::Q8 => Q8::NODES.concat(),
            Kind::Tet4 => Tet4::NODES.concat(),
            Kind::Tet10 => Tet10::NODES.concat(),
            Kind::H8 => H8::NODES.concat(),
            Kind::H20 => H20::NODES.concat(),
        }
    }

    /// Whether it needs help against locking: of the linear kinds those that have more to offer than constant strain.
    pub fn may_lock(self) -> bool {
        matches!(self, Kind::Q4 | Kind::H8)
    }

    /// The linear kind on the same corners.
    pub fn linear(self) -> Kind {
        match self {
            Kind::T6 => Kind::T3,
            Kind::Q8 => Kind::Q4,
            Kind::Tet10 => Kind::Tet4,
            Kind::H20 => Kind::H8,
            other => other,
        }
    }
}

impl FacetKind {
    /// Dimension of the reference facet.
    pub fn dimension(self) -> usize {
        match self {
            FacetKind::Line2 | FacetKind::Line3 => 1,
            FacetKind::T3 | FacetKind::T6 | FacetKind::Q4 | FacetKind::Q8 => 2,
        }
    }

    /// The facet at the points of a rule that is exact for N_a N_b on plane facets.
    pub fn table(self) -> Table {
        match self {
            FacetKind::Line2 => Table::new::<Bar2, 1, 2>(&quadrature::line(2)),
            FacetKind::Line3 => Table::new::<Line3, 1, 3>(&quadrature::line(3)),
            FacetKind::T3 => Table::new::<T3, 2, 3>(&quadrature::triangle(2)),
            FacetKind::T6 => Table::new::<T6, 2, 6>(&quadrature::triangle(5)),
            FacetKind::Q4 => Table::new::<Q4, 2, 4>(&quadrature::square(2)),
            FacetKind::Q8 => Table::new::<Q8, 2, 8>(&quadrature::square(3)),
        }
    }

    /// The facet at one point of the reference facet, for interpolation.
    pub fn at(self, point: &[f64]) -> Table {
        match self {
            FacetKind::Line2 => single::<Bar2, 1, 2>(point),
            FacetKind::Line3 => single::<Line3, 1, 3>(point),
            FacetKind::T3 => single::<T3, 2, 3>(point),
            FacetKind::T6 => single::<T6, 2, 6>(point),
            FacetKind::Q4 => single::<Q4, 2, 4>(point),
            FacetKind::Q8 => single::<Q8, 2, 8>(point),
        }
    }
}

#[cfg(test)]
mod tests;
