//! Cuts: facets inside a mesh become two surfaces, and what a cut parts can be had alone.
//!
//! ```text
//!   ──────o──────          ──────o o──────     each node of the cut gets a copy for every group of cells around it that
//!    a   ╱    b       →     a   ╱ ╱   b        hang together by facets that are not cut. Where a cut ends inside there is
//!   ────o────────          ────o o────────     one such group: its tip stays one node. Cuts may cross.
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facets::key;
use super::{Boundary, Kind, Mesh, MeshError};

/// Sorted corners of a facet.
type Key = [u32; 4];

/// The cells at each facet. Only looked up, never walked through.
type Sides = HashMap<Key, Vec<u32>>;

impl<const D: usize> Mesh<D> {
    /// Cuts the mesh along the facets of a boundary, all of which lie inside it. The name is then that of both surfaces.
    pub fn cut(&mut self, name: &str) -> Result<(), MeshError> {
        let cells: Vec<(Kind, Vec<u32>)> = self.each_cell().map(|(_, kind, _, nodes)| (kind, nodes.to_vec())).collect();
        let sides = sides::<D>(&cells);
        let (cut, on_cut) = self.facets_to_cut(name, &sides)?;
        let copies = self.copies(&cells, &sides, &cut, &on_cut);
        if copies.is_empty() {
            return Err(MeshError::OpensNothing { name: name.to_string() });
        }
        let new = |cell: u32, node: u32| copies.get(&(cell, node)).copied().unwrap_or(node);
        self.rename_sides(&cells, &sides, &cut, new);
        let mut cell = 0;
        for group in &mut self.cells {
            for nodes in group.nodes.chunks_exact_mut(group.kind.nodes()) {
                nodes.iter_mut().for_each(|node| *node = new(cell, *node));
                cell += 1;
            }
        }
        let twins: BTreeSet<(u32, u32)> = copies.iter().map(|(&(_, node), &copy)| (node, copy)).collect();
        for (_, set) in &mut self.node_sets {
            let own: BTreeSet<u32> = set.iter().copied().collect();
            set.extend(twins.iter().filter(|(node, _)| own.contains(node)).map(|(_, copy)| copy));
        }
        Ok(())
    }

    /// The facets of the name, and their nodes.
    fn facets_to_cut(&self, name: &str, sides: &Sides) -> Result<(BTreeSet<Key>, BTreeSet<u32>), MeshError> {
        let (mut cut, mut on_cut) = (BTreeSet::new(), BTreeSet::new());
        for boundary in self.boundary(name)? {
            for (facet, nodes) in boundary.nodes.chunks_exact(boundary.kind.nodes()).enumerate() {
                let corners = key(&nodes[..boundary.kind.corners()]);
                if sides.get(&corners).is_none_or(|cells| cells.len() < 2) {
                    return Err(MeshError::CutOnSkin { name: name.to_string(), facet: facet + 1 });
                }
                cut.insert(corners);
                on_cut.extend(nodes);
            }
        }
        Ok((cut, on_cut))
    }

    /// The copies that cells get in place of their nodes; they are added to the nodes.
    fn copies(
        &mut self,
        cells: &[(Kind, Vec<u32>)],
        sides: &Sides,
        cut: &BTreeSet<Key>,
        on_cut: &BTreeSet<u32>,
    ) -> BTreeMap<(u32, u32), u32> {
        let mut around: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (cell, (kind, nodes)) in cells.iter().enumerate().filter(|(_, cell)| cell.0.dimension() == D) {
            debug_assert!(kind.nodes() == nodes.len());
            for node in nodes.iter().filter(|node| on_cut.contains(node)) {
                around.entry(*node).or_default().push(cell as u32);
            }
        }
        let mut copies = BTreeMap::new();
        for (node, cells_around) in around {
            let mut left: BTreeSet<u32> = cells_around.into_iter().collect();
            let mut is_first = true;
            while let Some(first) = left.pop_first() {
                // All cells that hang together with the first one, around this node.
                let mut group = vec![first];
                let mut next = 0;
                while let Some(&cell) = group.get(next) {
                    next += 1;
                    let (kind, nodes) = &cells[cell as usize];
                    for corners in facet_keys(*kind, nodes).filter(|k| !cut.contains(k)) {
                        let others = sides.get(&corners).into_iter().flatten();
                        group.extend(others.filter(|other| left.remove(other)));
                    }
                }
                if !is_first {
                    let copy = self.nodes.len() as u32;
                    self.nodes.push(self.nodes[node as usize]);
                    copies.extend(group.into_iter().map(|cell| ((cell, node), copy)));
                }
                is_first = false;
            }
        }
        copies
    }

    /// Facets of boundaries with the new nodes of their cells; those that are cut are there twice, seen from either side.
    fn rename_sides(
        &mut self,
        cells: &[(Kind, Vec<u32>)],
        sides: &Sides,
        cut: &BTreeSet<Key>,
        new: impl Fn(u32, u32) -> u32,
    ) {
        for boundary in &mut self.boundaries {
            let mut renamed = Vec::with_capacity(boundary.nodes.len());
            for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
                let corners = key(&nodes[..boundary.kind.corners()]);
                let of_facet = sides.get(&corners).map_or(&[][..], |cells| cells);
                let count = if cut.contains(&corners) { 2 } else { 1 };
                for &cell in of_facet.iter().take(count) {
                    let (kind, own) = &cells[cell as usize];
                    let local = kind.facets().iter().zip(facet_keys(*kind, own)).find(|(_, k)| *k == corners);
                    renamed.extend(local.into_iter().flat_map(|(l, _)| *l).map(|&l| new(cell, own[l as usize])));
                }
            }
            boundary.nodes = renamed;
        }
    }

    /// The piece of the mesh that has the nodes of this name, where the mesh consists of pieces that share no node.
    pub fn part(&self, name: &str) -> Result<Self, MeshError> {
        let wanted = self.nodes_of(name)?;
        let piece_of = self.pieces();
        let count = piece_of.iter().copied().collect::<BTreeSet<u32>>().len();
        let found: BTreeSet<u32> = wanted.iter().map(|&node| piece_of[node as usize]).collect();
        let piece = match found.first() {
            Some(&piece) if count > 1 && found.len() == 1 => piece,
            _ => return Err(MeshError::NoPart { name: name.to_string(), count, found: found.len() }),
        };
        let is_in = |node: u32| piece_of[node as usize] == piece;
        let mut part = Self { nodes: self.nodes.clone(), ..Self::default() };
        for (_, kind, region, nodes) in self.each_cell().filter(|(.., nodes)| is_in(nodes[0])) {
            let region = part.region(&self.regions[region as usize]);
            part.add_cells(kind, region, nodes);
        }
        for boundary in &self.boundaries {
            let facets = boundary.nodes.chunks_exact(boundary.kind.nodes()).filter(|nodes| is_in(nodes[0]));
            let nodes: Vec<u32> = facets.flatten().copied().collect();
            if !nodes.is_empty() {
                part.boundaries.push(Boundary { nodes, ..boundary.clone() });
            }
        }
        let sets = self.node_sets.iter();
        let sets = sets.map(|(name, nodes)| (name.clone(), nodes.iter().copied().filter(|&n| is_in(n)).collect()));
        part.node_sets = sets.filter(|(_, nodes): &(String, Vec<u32>)| !nodes.is_empty()).collect();
        part.drop_unused_nodes();
        Ok(part)
    }

    /// For each node the first node of the piece that it belongs to.
    fn pieces(&self) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..self.nodes.len() as u32).collect();
        fn root(parent: &mut [u32], mut node: u32) -> u32 {
            while parent[node as usize] != node {
                parent[node as usize] = parent[parent[node as usize] as usize];
                node = parent[node as usize];
            }
            node
        }
        for (_, _, _, nodes) in self.each_cell() {
            for pair in nodes.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|node| root(&mut parent, node));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        (0..parent.len() as u32).map(|node| root(&mut parent, node)).collect()
    }
}

/// The cells at each facet, in their order.
fn sides<const D: usize>(cells: &[(Kind, Vec<u32>)]) -> Sides {
    let mut sides = Sides::new();
    for (cell, (kind, nodes)) in cells.iter().enumerate().filter(|(_, cell)| cell.0.dimension() == D) {
        facet_keys(*kind, nodes).for_each(|corners| sides.entry(corners).or_default().push(cell as u32));
    }
    sides
}

/// The facets of a cell by their corners.
fn facet_keys(kind: Kind, nodes: &[u32]) -> impl Iterator<Item = Key> + '_ {
    let corners = kind.facet_kind().map_or(0, |facet| facet.corners());
    kind.facets().iter().map(move |local| {
        let mut own = [u32::MAX; 4];
        own.iter_mut().zip(&local[..corners]).for_each(|(own, &l)| *own = nodes[l as usize]);
        key(&own[..corners])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vect;
    use crate::generate::{Flat, Solid, block, even, rectangle};

    /// Names the facets inside between cells on either side of a surface: all of whose corners satisfy a condition.
    fn name_inside<const D: usize>(mesh: &mut Mesh<D>, name: &str, is_on: impl Fn(&Vect<D>) -> bool) {
        for facet in mesh.facets().list.iter().filter(|facet| facet.shared == 2) {
            if facet.nodes.iter().all(|&n| is_on(&mesh.nodes[n as usize])) {
                let nodes = facet.nodes.clone();
                match mesh.boundaries.iter_mut().find(|b| b.name == name) {
                    Some(boundary) => boundary.nodes.extend(nodes),
                    None => mesh.boundaries.push(Boundary { name: name.into(), kind: facet.kind, nodes }),
                }
            }
        }
    }

    fn square(layout: Flat) -> Mesh<2> {
        let lines = even(-1.0, 1.0, 4);
        let mut mesh = rectangle(&lines, &lines, layout);
        mesh.node_sets.push(("top middle".into(), vec![]));
        let middle = mesh.nodes.iter().position(|x| x[0] == 0.0 && x[1] == 1.0).unwrap() as u32;
        mesh.node_sets[0].1.push(middle);
        mesh
    }

    #[test]
    fn a_cut_through_makes_two_pieces_with_a_surface_each() {
        for layout in [Flat::Q4, Flat::T3, Flat::T3Crossed] {
            for is_quadratic in [false, true] {
                let mut mesh = square(layout);
                if is_quadratic {
                    mesh = mesh.quadratic();
                }
                name_inside(&mut mesh, "fault", |x| x[0] == 0.0);
                let (nodes, skin) = (mesh.nodes.len(), mesh.skin()[0].nodes.len());
                let on_fault = mesh.nodes_of("fault").unwrap().len();
                mesh.cut("fault").unwrap();
                assert_eq!(mesh.nodes.len(), nodes + on_fault);
                let facet = if is_quadratic { 3 } else { 2 };
                assert_eq!(mesh.skin()[0].nodes.len(), skin + 2 * 4 * facet);
                assert_eq!(mesh.nodes_of("top middle").unwrap().len(), 2);
                for (name, sign) in [("left", -1.0), ("right", 1.0)] {
                    let part = mesh.part(name).unwrap();
                    part.check().unwrap();
                    part.check_closed("skin").unwrap();
                    assert!(part.nodes.iter().all(|x| sign * x[0] >= 0.0));
                    assert_eq!(part.nodes_of("fault").unwrap().len(), on_fault);
                    // Facets of the fault look out of the piece.
                    for ends in part.boundary("fault").unwrap()[0].nodes.chunks_exact(facet) {
                        let along = part.nodes[ends[1] as usize] - part.nodes[ends[0] as usize];
                        assert!(along[1] * sign < 0.0);
                    }
                }
            }
        }
    }

    #[test]
    fn a_cut_that_ends_inside_keeps_its_tip_and_crossing_cuts_make_four_corners() {
        let mut mesh = square(Flat::Q4);
        name_inside(&mut mesh, "crack", |x| x[0] == 0.0 && x[1] >= 0.0);
        let nodes = mesh.nodes.len();
        mesh.cut("crack").unwrap();
        assert_eq!(mesh.nodes.len(), nodes + 2);
        assert!(matches!(mesh.part("left"), Err(MeshError::NoPart { count: 1, .. })));

        let mut mesh = square(Flat::Q4);
        name_inside(&mut mesh, "upright", |x| x[0] == 0.0);
        name_inside(&mut mesh, "flat", |x| x[1] == 0.0);
        mesh.cut("upright").unwrap();
        mesh.cut("flat").unwrap();
        assert_eq!(mesh.nodes.iter().filter(|x| x.norm() == 0.0).count(), 4);
        assert!(matches!(mesh.part("left"), Err(MeshError::NoPart { count: 4, found: 2, .. })));
    }

    #[test]
    fn solids_are_cut_along_surfaces() {
        for layout in [Solid::H8, Solid::Tet4] {
            let lines = even(-1.0, 1.0, 2);
            let mut mesh = block(&lines, &lines, &lines, layout);
            name_inside(&mut mesh, "fault", |x| x[2] == 0.0);
            mesh.cut("fault").unwrap();
            assert_eq!(mesh.nodes.len(), 27 + 9);
            for name in ["bottom", "top"] {
                let part = mesh.part(name).unwrap();
                part.check().unwrap();
                part.check_closed("skin").unwrap();
                assert_eq!((part.nodes.len(), part.nodes_of("fault").unwrap().len()), (18, 9));
            }
        }
    }

    #[test]
    fn what_cannot_be_cut_is_told() {
        let mut mesh = square(Flat::Q4);
        assert!(matches!(mesh.cut("left"), Err(MeshError::CutOnSkin { facet: 1, .. })));
        assert!(matches!(mesh.cut("fault"), Err(MeshError::NoSuchName { .. })));
        name_inside(&mut mesh, "one", |x| x[0] == 0.0 && x[1].abs() <= 0.5 && x[1] >= 0.0);
        assert!(matches!(mesh.cut("one"), Err(MeshError::OpensNothing { .. })));
    }
}
