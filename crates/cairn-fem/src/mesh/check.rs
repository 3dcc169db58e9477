//! What can be wrong with a mesh, said with the number of the cell or node.
//!
//! Cells and nodes are numbered from 1 in messages, in the order of the mesh.

use super::{Boundary, Kind, Mesh};
use crate::Vect;

/// Why a mesh cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There is nothing in it.
    #[error("the mesh has no cells")]
    Empty,
    /// A list of nodes is no multiple of the nodes of a cell, or names a node that does not exist.
    #[error("{what} {number} names node {node}, but the mesh has {count} nodes")]
    NoSuchNode {
        /// Cell or facet.
        what: &'static str,
        /// Its number from 1.
        number: usize,
        /// The node from 1.
        node: usize,
        /// Nodes of the mesh.
        count: usize,
    },
    /// A list of nodes has a wrong length.
    #[error("the list of {kind:?} cells has {nodes} nodes, which is no multiple of {each}", each = kind.nodes())]
    Incomplete {
        /// Kind of the cells.
        kind: Kind,
        /// Length of the list.
        nodes: usize,
    },
    /// A cell does not fit into the space.
    #[error("cell {cell} is a {kind:?}, which cannot fill space of dimension {dimension}")]
    WrongKind {
        /// Number of the cell from 1.
        cell: usize,
        /// What it is.
        kind: Kind,
        /// 2 or 3.
        dimension: usize,
    },
    /// A cell names a node twice.
    #[error("cell {cell} ({kind:?}) names node {node} twice")]
    RepeatedNode {
        /// Number of the cell from 1.
        cell: usize,
        /// What it is.
        kind: Kind,
        /// The node from 1.
        node: usize,
    },
    /// A cell is inverted or flat.
    #[error(
        "cell {cell} ({kind:?}) at {place} is inverted or has no volume: Jacobian {jacobian:.3e} at its corner {corner}"
    )]
    Inverted {
        /// Number of the cell from 1.
        cell: usize,
        /// What it is.
        kind: Kind,
        /// Corner from 1.
        corner: usize,
        /// Jacobian there, of unit-free sign.
        jacobian: f64,
        /// Where the corner is.
        place: String,
    },
    /// Two nodes are at the same place.
    #[error(
        "nodes {first} and {second} are both at {place}: the cells around them are not joined (weld them, or give each body a mesh of its own)"
    )]
    Duplicated {
        /// Number from 1.
        first: usize,
        /// Number from 1.
        second: usize,
        /// Where.
        place: String,
    },
    /// A node belongs to no cell.
    #[error("node {node} at {place} belongs to no cell")]
    Unused {
        /// Number from 1.
        node: usize,
        /// Where.
        place: String,
    },
    /// A coordinate is not finite.
    #[error("node {node} has a coordinate that is not a finite number")]
    NotFinite {
        /// Number from 1.
        node: usize,
    },
    /// A facet is no side of a cell.
    #[error("facet {facet} of boundary \"{name}\" is no side of a cell: did the boundary keep its own nodes?")]
    LooseFacet {
        /// Name of the boundary.
        name: String,
        /// Number from 1.
        facet: usize,
    },
    /// A facet is shared by more than two cells.
    #[error("a side of cell {cell} is shared by {count} cells: cells overlap")]
    Overlap {
        /// Number of the first cell from 1.
        cell: usize,
        /// Cells with this side.
        count: u32,
    },
    /// A surface has a rim.
    #[error("the surface \"{name}\" is not closed: the edge between {from} and {to} belongs to one facet only")]
    NotClosed {
        /// Name of the boundary.
        name: String,
        /// Where the edge starts.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A cut is on the skin.
    #[error("facet {facet} of \"{name}\" is on the skin of the mesh: only facets between two cells can be cut")]
    CutOnSkin {
        /// Name of the boundary.
        name: String,
        /// Number from 1.
        facet: usize,
    },
    /// A cut of one facet, or less.
    #[error("to cut \"{name}\" opens nothing: a cut has inner nodes of its own, or comes out at the skin")]
    OpensNothing {
        /// Name of the boundary.
        name: String,
    },
    /// A name belongs to no piece, or to several.
    #[error("{}", match count {
        1 => format!("the mesh is in one piece: no part of it goes with \"{name}\""),
        _ => format!("\"{name}\" names no part of its own: {found} of the {count} pieces of the mesh have it"),
    })]
    NoPart {
        /// The name.
        name: String,
        /// Pieces of the mesh.
        count: usize,
        /// Pieces with nodes of this name.
        found: usize,
    },
    /// A name is not there.
    #[error("there is no {what} \"{name}\"{hint}")]
    NoSuchName {
        /// Boundary, region or node set.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name, and all there are.
        hint: String,
    },
}

fn place<const D: usize>(x: &Vect<D>) -> String {
    let parts: Vec<String> = x.iter().map(|c| format!("{c:.6}")).collect();
    format!("({})", parts.join(", "))
}

impl<const D: usize> Mesh<D> {
    /// Checks all that a computation relies on. The first problem is returned.
    pub fn check(&self) -> Result<(), MeshError> {
        self.check_numbers()?;
        self.check_cells()?;
        self.check_nodes()?;
        self.check_boundaries()
    }

    fn check_numbers(&self) -> Result<(), MeshError> {
        if self.cell_count() == 0 {
            return Err(MeshError::Empty);
        }
        let count = self.nodes.len();
        if let Some(node) = self.nodes.iter().position(|x| x.iter().any(|c| !c.is_finite())) {
            return Err(MeshError::NotFinite { node: node + 1 });
        }
        if let Some(cells) = self.cells.iter().find(|c| c.nodes.len() % c.kind.nodes() != 0) {
            return Err(MeshError::Incomplete { kind: cells.kind, nodes: cells.nodes.len() });
        }
        let outside = |nodes: &[u32]| nodes.iter().find(|&&n| n as usize >= count).map(|&n| n as usize + 1);
        for (cell, _, _, nodes) in self.each_cell() {
            if let Some(node) = outside(nodes) {
                return Err(MeshError::NoSuchNode { what: "cell", number: cell + 1, node, count });
            }
        }
        for boundary in &self.boundaries {
            for (facet, nodes) in boundary.nodes.chunks(boundary.kind.nodes()).enumerate() {
                if let Some(node) = outside(nodes) {
                    return Err(MeshError::NoSuchNode { what: "facet", number: facet + 1, node, count });
                }
            }
        }
        Ok(())
    }

    fn check_cells(&self) -> Result<(), MeshError> {
        for (number, kind, _, nodes) in self.each_cell() {
            let cell = number + 1;
            if kind.dimension() != D && kind != Kind::Bar2 {
                return Err(MeshError::WrongKind { cell, kind, dimension: D });
            }
            if let Some(i) = (1..nodes.len()).find(|&i| nodes[..i].contains(&nodes[i])) {
                return Err(MeshError::RepeatedNode { cell, kind, node: nodes[i] as usize + 1 });
            }
            let (corner, jacobian) = self.least_jacobian(kind, nodes);
            if jacobian <= 1e-10 {
                let place = place(&self.nodes[nodes[corner] as usize]);
                return Err(MeshError::Inverted { cell, kind, corner: corner + 1, jacobian, place });
            }
        }
        Ok(())
    }

    /// The corner of a cell with the least Jacobian, and this as a share of the cube (square) of its longest edge.
    ///
    /// At a corner the gradient of the map depends on the edges that meet there only: along an edge with mid-side node m
    /// from a to b it is (4 x_m − 3 x_a − x_b) / 2 of unit length of the edge, else x_b − x_a.
    pub fn least_jacobian(&self, kind: Kind, nodes: &[u32]) -> (usize, f64) {
        let x = |local: usize| self.nodes[nodes[local] as usize];
        let edges = kind.edges();
        let has_middle = kind.nodes() > kind.corners();
        let mut longest = 0.0f64;
        edges.iter().for_each(|[a, b]| longest = longest.max((x(*a as usize) - x(*b as usize)).norm()));
        if kind == Kind::Bar2 {
            return (0, if longest > 0.0 { 1.0 } else { 0.0 });
        }
        let mut least = (0, f64::INFINITY);
        for corner in 0..kind.corners() {
            let tangent = |other: u8| {
                let end = x(other as usize);
                let is_edge = |e: &&[u8; 2]| e.contains(&(corner as u8)) && e.contains(&other);
                match edges.iter().find(is_edge).and_then(|e| edges.iter().position(|o| o == e)) {
                    Some(edge) if has_middle => (x(kind.corners() + edge) * 4.0 - x(corner) * 3.0 - end) / longest,
                    _ => (end - x(corner)) / longest,
                }
            };
            let tangents: Vec<Vect<D>> = kind.around(corner).iter().map(|&other| tangent(other)).collect();
            let jacobian = determinant(&tangents);
            if jacobian < least.1 || !jacobian.is_finite() {
                least = (corner, jacobian);
            }
        }
        if least.1.is_finite() { least } else { (least.0, 0.0) }
    }

    fn check_nodes(&self) -> Result<(), MeshError> {
        let mut used = vec![false; self.nodes.len()];
        self.cells.iter().flat_map(|c| &c.nodes).for_each(|&n| used[n as usize] = true);
        if let Some(node) = used.iter().position(|u| !u) {
            return Err(MeshError::Unused { node: node + 1, place: place(&self.nodes[node]) });
        }
        let mut shortest = f64::INFINITY;
        for (_, kind, _, nodes) in self.each_cell() {
            for [a, b] in kind.edges() {
                let edge = self.nodes[nodes[*a as usize] as usize] - self.nodes[nodes[*b as usize] as usize];
                shortest = shortest.min(edge.norm());
            }
        }
        let first = self.first_within(1e-6 * shortest);
        if let Some(second) = (0..first.len()).find(|&n| first[n] as usize != n) {
            let (first, place) = (first[second] as usize + 1, place(&self.nodes[second]));
            return Err(MeshError::Duplicated { first, second: second + 1, place });
        }
        Ok(())
    }

    fn check_boundaries(&self) -> Result<(), MeshError> {
        let facets = self.facets();
        if let Some(facet) = facets.list.iter().find(|f| f.shared > 2) {
            return Err(MeshError::Overlap { cell: facet.cell as usize + 1, count: facet.shared });
        }
        for boundary in &self.boundaries {
            for (facet, nodes) in boundary.nodes.chunks(boundary.kind.nodes()).enumerate() {
                let corners = &nodes[..boundary.kind.corners().min(nodes.len())];
                if facets.find(corners).is_none_or(|f| f.kind != boundary.kind) {
                    return Err(MeshError::LooseFacet { name: boundary.name.clone(), facet: facet + 1 });
                }
            }
        }
        Ok(())
    }

    /// An error that names an open edge unless the facets of this name close a volume.
    pub fn check_closed(&self, name: &str) -> Result<(), MeshError> {
        // Each oriented rim (a point of a line, an edge of a face) must be met by its opposite.
        let mut rims: Vec<(u32, u32, bool)> = Vec::new();
        for boundary in self.boundary(name)? {
            for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
                if boundary.kind.corners() == 2 {
                    rims.extend([(nodes[0], nodes[0], true), (nodes[1], nodes[1], false)]);
                    continue;
                }
                let corners = &nodes[..boundary.kind.corners()];
                for (i, &a) in corners.iter().enumerate() {
                    let b = corners[(i + 1) % corners.len()];
                    rims.push((a.min(b), a.max(b), a < b));
                }
            }
        }
        rims.sort_unstable();
        for same in rims.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            if same.iter().filter(|r| r.2).count() * 2 != same.len() {
                let at = |n: u32| place(&self.nodes[n as usize]);
                let (from, to) = (at(same[0].0), at(same[0].1));
                return Err(MeshError::NotClosed { name: name.to_string(), from, to });
            }
        }
        Ok(())
    }

    /// The facets under a name, one entry a kind; `skin` is the whole boundary unless a group has this name.
    pub fn boundary(&self, name: &str) -> Result<Vec<Boundary>, MeshError> {
        let found: Vec<Boundary> = self.boundaries.iter().filter(|b| b.name == name).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        if name == "skin" {
            return Ok(self.skin());
        }
        let names = self.boundaries.iter().map(|b| b.name.as_str()).chain(["skin"]);
        Err(MeshError::NoSuchName { what: "boundary", name: name.to_string(), hint: hint(name, names) })
    }

    /// The nodes under a name, sorted: those of a node set, or else of a boundary.
    pub fn nodes_of(&self, name: &str) -> Result<Vec<u32>, MeshError> {
        let set = self.node_sets.iter().find(|(own, _)| own == name).map(|(_, nodes)| nodes.clone());
        let is_boundary = name == "skin" || self.boundaries.iter().any(|b| b.name == name);
        let mut nodes = match set {
            Some(nodes) => nodes,
            None if is_boundary => self.boundary(name)?.into_iter().flat_map(|b| b.nodes).collect(),
            None => {
                let sets = self.node_sets.iter().map(|(own, _)| own.as_str());
                let names = sets.chain(self.boundaries.iter().map(|b| b.name.as_str())).chain(["skin"]);
                let (what, name) = ("node set or boundary", name.to_string());
                let hint = hint(&name, names);
                return Err(MeshError::NoSuchName { what, name, hint });
            }
        };
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// Index of the region with this name.
    pub fn region_index(&self, name: &str) -> Result<u32, MeshError> {
        let found = self.regions.iter().position(|r| r == name).map(|r| r as u32);
        found.ok_or_else(|| {
            let hint = hint(name, self.regions.iter().map(String::as_str));
            MeshError::NoSuchName { what: "region", name: name.to_string(), hint }
        })
    }
}

impl Kind {
    /// The ends of the edges that meet in a corner, in the order in which they turn positively.
    fn around(self, corner: usize) -> Vec<u8> {
        let c = corner as u8;
        match self {
            Kind::Bar2 => vec![1 - c],
            Kind::T3 | Kind::T6 => vec![(c + 1) % 3, (c + 2) % 3],
            Kind::Q4 | Kind::Q8 => vec![(c + 1) % 4, (c + 3) % 4],
            Kind::Tet4 | Kind::Tet10 => [[1, 2, 3], [2, 0, 3], [0, 1, 3], [0, 2, 1]][corner].to_vec(),
            Kind::H8 | Kind::H20 if c < 4 => vec![(c + 1) % 4, (c + 3) % 4, c + 4],
            Kind::H8 | Kind::H20 => vec![4 + (c + 3) % 4, 4 + (c + 1) % 4, c - 4],
        }
    }
}

fn determinant<const D: usize>(t: &[Vect<D>]) -> f64 {
    match (D, t.len()) {
        (2, 2) => t[0][0] * t[1][1] - t[0][1] * t[1][0],
        (3, 3) => (0..3)
            .map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                t[0][i] * (t[1][j] * t[2][k] - t[1][k] * t[2][j])
            })
            .sum(),
        _ => 0.0,
    }
}

/// The nearest name and all names, as the end of a message.
fn hint<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let nearest = names.iter().min_by_key(|n| distance(name, n)).filter(|n| distance(name, n) <= 1 + name.len() / 3);
    match (nearest, names.is_empty()) {
        (_, true) => "; there are none".to_string(),
        (Some(nearest), _) => format!("; did you mean \"{nearest}\"? There are: {}", names.join(", ")),
        (None, _) => format!("; there are: {}", names.join(", ")),
    }
}

/// Changes of single letters that lead from one word to another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let replaced = corner + usize::from(ca != cb);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Flat, Solid, block, even, rectangle};

    fn square() -> Mesh<2> {
        rectangle(&even(0.0, 2.0, 2), &even(0.0, 1.0, 1), Flat::Q4)
    }

    #[test]
    fn an_inverted_or_flat_cell_is_named() {
        let mut mesh = square();
        mesh.cells[0].nodes[4..8].swap(1, 3);
        let error = mesh.check().unwrap_err();
        assert!(matches!(error, MeshError::Inverted { cell: 2, .. }), "{error}");
        let mut mesh = block(&even(0.0, 1.0, 1), &even(0.0, 1.0, 1), &even(0.0, 1.0, 1), Solid::H8).quadratic();
        assert_eq!(mesh.check(), Ok(()));
        // A mid-side node beyond the quarter point turns the Jacobian of the corner.
        mesh.nodes[8][0] = 0.1;
        assert!(matches!(mesh.check(), Err(MeshError::Inverted { cell: 1, corner: 1, .. })), "{:?}", mesh.check());
        mesh.nodes.iter_mut().for_each(|x| x[2] = 0.0);
        assert!(matches!(mesh.check(), Err(MeshError::Inverted { .. })));
    }

    #[test]
    fn wrong_numbers_kinds_and_nodes_are_named() {
        let mut mesh = square();
        mesh.cells[0].nodes[5] = 77;
        assert!(matches!(mesh.check(), Err(MeshError::NoSuchNode { number: 2, node: 78, count: 6, .. })));
        let mut mesh = square();
        mesh.cells[0].nodes[5] = mesh.cells[0].nodes[4];
        assert!(matches!(mesh.check(), Err(MeshError::RepeatedNode { cell: 2, .. })));
        let mut mesh = square();
        mesh.cells[0].kind = Kind::Tet4;
        assert_eq!(mesh.check(), Err(MeshError::WrongKind { cell: 1, kind: Kind::Tet4, dimension: 2 }));
        let mut mesh = square();
        mesh.cells[0].nodes.pop();
        assert_eq!(mesh.check(), Err(MeshError::Incomplete { kind: Kind::Q4, nodes: 7 }));
        let mut mesh = square();
        mesh.nodes.push(Vect::from([5.0, 5.0]));
        assert!(matches!(mesh.check(), Err(MeshError::Unused { node: 7, .. })));
        mesh.nodes[0][0] = f64::NAN;
        assert_eq!(mesh.check(), Err(MeshError::NotFinite { node: 1 }));
        assert_eq!(Mesh::<2>::default().check(), Err(MeshError::Empty));
    }

    #[test]
    fn nodes_at_one_place_are_found_and_can_be_welded() {
        let mut mesh = square();
        let mut other = square();
        other.translate(&Vect::from([2.0, 0.0]));
        mesh.merge(&other);
        assert!(matches!(mesh.check(), Err(MeshError::Duplicated { first: 3, second: 7, .. })), "{:?}", mesh.check());
        mesh.weld(1e-9);
        assert_eq!((mesh.nodes.len(), mesh.cell_count()), (10, 4));
        // The old ends are inside now: they bound no longer, but are still sides of cells.
        assert_eq!(mesh.check(), Ok(()));
        assert!((mesh.volume() - 4.0).abs() < 1e-14);
    }

    #[test]
    fn a_boundary_of_other_nodes_an_open_surface_and_a_missing_name_are_named() {
        let mut mesh = block(&even(0.0, 1.0, 2), &even(0.0, 1.0, 1), &even(0.0, 1.0, 1), Solid::H8);
        assert_eq!(mesh.check_closed("skin"), Ok(()));
        assert!(matches!(mesh.check_closed("top"), Err(MeshError::NotClosed { .. })));
        let text = mesh.boundary("botom").unwrap_err().to_string();
        assert!(text.contains("did you mean \"bottom\"?"), "{text}");
        let text = mesh.region_index("steel").unwrap_err().to_string();
        assert!(text.contains("there are: body"), "{text}");
        assert_eq!(mesh.nodes_of("left").unwrap().len(), 4);
        mesh.boundaries[0].nodes[0] = mesh.nodes_of("right").unwrap()[0];
        assert!(matches!(mesh.check(), Err(MeshError::LooseFacet { facet: 1, .. })));
    }
}
