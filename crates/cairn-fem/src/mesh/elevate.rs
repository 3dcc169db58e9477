//! Quadratic meshes from linear ones: a node is added on each edge.

use std::collections::HashMap;

use super::{FacetKind, Kind, Mesh};
use crate::Vect;

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
