//! Other cells for the same mesh: quadratic from linear ones, with a node added on each edge; triangles from quadrangles.

use std::collections::HashMap;

use super::{FacetKind, Kind, Mesh};
use crate::Vect;

impl Mesh<2> {
    /// The mesh with each Q4 cut along its shorter diagonal into two T3.
    pub fn triangles(mut self) -> Mesh<2> {
        for cells in self.cells.iter_mut().filter(|c| c.kind == Kind::Q4) {
            cells.kind = Kind::T3;
            let x = |n: u32| self.nodes[n as usize];
            let cut = |q: &[u32]| {
                let is_first = (x(q[2]) - x(q[0])).norm() <= (x(q[3]) - x(q[1])).norm();
                if is_first { [q[0], q[1], q[2], q[0], q[2], q[3]] } else { [q[0], q[1], q[3], q[1], q[2], q[3]] }
            };
            cells.nodes = cells.nodes.chunks_exact(4).flat_map(cut).collect();
        }
        self
    }
}

impl<const D: usize> Mesh<D> {
    /// The mesh with mid-side nodes half-way between the ends: T3 becomes T6, Q4 Q8, Tet4 Tet10, H8 H20. Cells that are
    /// quadratic already, and bars, stay.
    pub fn quadratic(self) -> Mesh<D> {
        self.quadratic_on(|_, _, middle| middle)
    }

    /// As [`Mesh::quadratic`], with the mid-side nodes put where a function of both ends and the point half-way says:
    /// onto a curved boundary for instance.
    pub fn quadratic_on(mut self, place: impl Fn(&Vect<D>, &Vect<D>, Vect<D>) -> Vect<D>) -> Mesh<D> {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let nodes = &mut self.nodes;
        let mut middle = |a: u32, b: u32| {
            let (low, high) = (a.min(b), a.max(b));
            *middles.entry((low, high)).or_insert_with(|| {
                let (p, q) = (nodes[low as usize], nodes[high as usize]);
                nodes.push(place(&p, &q, (p + q) * 0.5));
                nodes.len() as u32 - 1
            })
        };
        for cells in &mut self.cells {
            let linear = cells.kind;
            cells.kind = match linear {
                Kind::T3 => Kind::T6,
                Kind::Q4 => Kind::Q8,
                Kind::Tet4 => Kind::Tet10,
                Kind::H8 => Kind::H20,
                other => other,
            };
            if cells.kind != linear {
                let old = std::mem::take(&mut cells.nodes);
                for cell in old.chunks_exact(linear.nodes()) {
                    cells.nodes.extend_from_slice(cell);
                    let edges = linear.edges().iter();
                    cells.nodes.extend(edges.map(|[a, b]| middle(cell[*a as usize], cell[*b as usize])));
                }
            }
        }
        for boundary in &mut self.boundaries {
            let linear = boundary.kind;
            boundary.kind = match linear {
                FacetKind::Line2 => FacetKind::Line3,
                FacetKind::T3 => FacetKind::T6,
                FacetKind::Q4 => FacetKind::Q8,
                other => other,
            };
            if boundary.kind != linear {
                let old = std::mem::take(&mut boundary.nodes);
                for facet in old.chunks_exact(linear.nodes()) {
                    boundary.nodes.extend_from_slice(facet);
                    let sides = boundary.kind.nodes() - linear.nodes();
                    boundary.nodes.extend((0..sides).map(|i| middle(facet[i], facet[(i + 1) % facet.len()])));
                }
            }
        }
        self
    }
}
