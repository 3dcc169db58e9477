//! Meshes moved, joined and renumbered.

use super::{Boundary, Cells, Mesh};
use crate::{Mat, Vect};

impl<const D: usize> Mesh<D> {
    /// Moves the mesh by a vector [m].
    pub fn translate(&mut self, by: &Vect<D>) {
        self.nodes.iter_mut().for_each(|x| *x += by);
    }

    /// Turns the mesh about the origin by a rotation matrix.
    pub fn rotate(&mut self, rotation: &Mat<D>) {
        self.nodes.iter_mut().for_each(|x| *x = rotation * *x);
    }

    /// Puts each node where a function says. The function must not mirror.
    pub fn map(&mut self, place: impl Fn(&Vect<D>) -> Vect<D>) {
        self.nodes.iter_mut().for_each(|x| *x = place(x));
    }

    /// Adds another mesh. Regions, boundaries and node sets with the same name become one; nodes stay apart, see
    /// [`Mesh::weld`].
    pub fn merge(&mut self, other: &Mesh<D>) {
        let first = self.nodes.len() as u32;
        self.nodes.extend_from_slice(&other.nodes);
        let shifted = |nodes: &[u32]| nodes.iter().map(|n| n + first).collect::<Vec<u32>>();
        let regions: Vec<u32> = other.regions.iter().map(|name| self.region(name)).collect();
        for cells in &other.cells {
            let region = regions.get(cells.region as usize).copied().unwrap_or(cells.region);
            self.add_cells(cells.kind, region, &shifted(&cells.nodes));
        }
        for boundary in &other.boundaries {
            let nodes = shifted(&boundary.nodes);
            let same = |b: &&mut Boundary| b.name == boundary.name && b.kind == boundary.kind;
            match self.boundaries.iter_mut().find(same) {
                Some(own) => own.nodes.extend(nodes),
                None => self.boundaries.push(Boundary { nodes, ..boundary.clone() }),
            }
        }
        for (name, nodes) in &other.node_sets {
            let nodes = shifted(nodes);
            match self.node_sets.iter_mut().find(|(own, _)| own == name) {
                Some((_, own)) => own.extend(nodes),
                None => self.node_sets.push((name.clone(), nodes)),
            }
        }
    }

    /// Index of a region, which is added if it is new.
    pub fn region(&mut self, name: &str) -> u32 {
        let found = self.regions.iter().position(|r| r == name);
        found.unwrap_or_else(|| {
            self.regions.push(name.to_string());
            self.regions.len() - 1
        }) as u32
    }

    /// Adds cells to those of the same kind and region.
    pub fn add_cells(&mut self, kind: super::Kind, region: u32, nodes: &[u32]) {
        match self.cells.iter_mut().find(|c| c.kind == kind && c.region == region) {
            Some(cells) => cells.nodes.extend_from_slice(nodes),
            None => self.cells.push(Cells { kind, region, nodes: nodes.to_vec() }),
        }
    }

    /// Gives cells new regions: that of the name whose number `which` says for the middle of their nodes.
    pub fn paint(&mut self, names: &[&str], which: impl Fn(&Vect<D>) -> usize) {
        self.regions = names.iter().map(|name| name.to_string()).collect();
        for cells in std::mem::take(&mut self.cells) {
            for nodes in cells.nodes.chunks_exact(cells.kind.nodes()) {
                let middle = nodes.iter().map(|&n| self.nodes[n as usize]).sum::<Vect<D>>() / nodes.len() as f64;
                self.add_cells(cells.kind, which(&middle) as u32, nodes);
            }
        }
        self.cells.sort_by_key(|cells| cells.region);
    }

    /// Makes one node of nodes that are closer than a distance [m], keeping the one with the lowest number.
    pub fn weld(&mut self, distance: f64) {
        let kept = self.first_within(distance);
        self.renumber(&kept);
        self.drop_unused_nodes();
    }

    /// For each node the first node that is closer than a distance; itself if there is none before it.
    pub(super) fn first_within(&self, distance: f64) -> Vec<u32> {
        // Sorted along x, candidates are neighbours in the list.
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let x = |n: u32| self.nodes[n as usize][0];
        order.sort_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
        let mut first: Vec<u32> = (0..self.nodes.len() as u32).collect();
        for (i, &a) in order.iter().enumerate() {
            for &b in order[i + 1..].iter().take_while(|&&b| x(b) - x(a) <= distance) {
                if (self.nodes[a as usize] - self.nodes[b as usize]).norm() <= distance {
                    let low = first[a as usize].min(first[b as usize]);
                    first[a as usize] = low;
                    first[b as usize] = low;
                }
            }
        }
        // A later pair may have lowered the node that an earlier one was given.
        for n in 0..first.len() {
            first[n] = first[first[n] as usize];
        }
        first
    }

    /// Replaces node numbers everywhere: `n` becomes `new[n]`.
    fn renumber(&mut self, new: &[u32]) {
        let change = |nodes: &mut Vec<u32>| nodes.iter_mut().for_each(|n| *n = new[*n as usize]);
        self.cells.iter_mut().for_each(|c| change(&mut c.nodes));
        self.boundaries.iter_mut().for_each(|b| change(&mut b.nodes));
        self.node_sets.iter_mut().for_each(|(_, nodes)| change(nodes));
    }

    /// Removes nodes that no cell has; the others keep their order.
    pub fn drop_unused_nodes(&mut self) {
        let mut used = vec![false; self.nodes.len()];
        self.cells.iter().flat_map(|c| &c.nodes).for_each(|&n| used[n as usize] = true);
        self.node_sets.iter_mut().for_each(|(_, nodes)| nodes.retain(|&n| used[n as usize]));
        let mut new = vec![0u32; used.len()];
        let mut count = 0;
        for (n, &is_used) in used.iter().enumerate() {
            new[n] = count;
            if is_used {
                self.nodes[count as usize] = self.nodes[n];
                count += 1;
            }
        }
        self.nodes.truncate(count as usize);
        self.renumber(&new);
    }
}
