//! Contact pressure at the nodes of a skin, from normal forces at points of it:
//!
//!   p = ‖F‖/A,   F: what the node has of the forces,   A = Σ a_f max(0, −n_f · F/‖F‖) over its facets
//!
//! with a_f the part of facet f that the node stands for. Facets around a sharp edge, which the force does not press, do not count. A force at a
//! candidate node is that node's; one on a facet is shared by the shape functions, or on quadratic facets, whose
//! functions have negative parts, like the area. Thus a uniform pressure on flat facets is found again exactly.

use super::against_skin::PlacedSkin;
use super::candidates::{NodeWeights, share};
use super::closest::closest;
use super::facet::is_linear;
use crate::shape::Aabb;
use crate::space::Vect;

/// A normal force on a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce<const D: usize> {
    /// Number of the candidate point, where the skin is the candidate.
    pub candidate: Option<u32>,
    /// Where it acts [m].
    pub point: Vect<D>,
    /// Force on the body [N].
    pub force: Vect<D>,
}

impl<const D: usize> PlacedSkin<'_, D> {
    /// Pressure at each node of the mesh [Pa]; zero away from the forces.
    pub fn nodal_pressures(&self, forces: &[PointForce<D>]) -> Vec<f64> {
        let mut nodal = vec![Vect::<D>::zeros(); self.nodes.len()];
        for force in forces {
            for (node, weight) in self.shared(force) {
                nodal[node as usize] += force.force * weight;
            }
        }
        nodal.iter().enumerate().map(|(node, force)| self.pressure(node as u32, force)).collect()
    }

    /// Nodes and weights that a force is shared by.
    fn shared(&self, force: &PointForce<D>) -> Vec<(u32, f64)> {
        let candidate = force.candidate.and_then(|c| self.skin.candidates.get(c as usize));
        let (hold, facet) = match candidate {
            Some(candidate) => (candidate.hold, self.skin.homes(candidate)[0]),
            None => match self.nearest(&force.point) {
                Some(found) => found,
                None => return Vec::new(),
            },
        };
        let facet_kind = self.skin.facets[facet as usize].kind;
        if hold.count == 1 || is_linear(facet_kind) {
            return hold.iter().collect();
        }
        let nodes = self.skin.facets[facet as usize].nodes();
        let areas: Vec<f64> =
            nodes.iter().map(|&n| share(self.skin, self.nodes, facet, n, self.skin.breadth)).collect();
        let whole: f64 = areas.iter().sum();
        nodes.iter().zip(areas).map(|(&n, a)| (n, a / whole)).collect()
    }

    /// The facet nearest to a point, and how the point holds it.
    fn nearest(&self, point: &Vect<D>) -> Option<(NodeWeights, u32)> {
        let mut near = Vec::new();
        let mut around = self.skin.size();
        let all = self.pose.facet_bounds();
        // Touches are as near as gaps are: mostly the first search finds the facet.
        while near.is_empty() && around < 2.0 * (all.max - all.min).norm() {
            let region = Aabb { min: *point, max: *point }.grown(around);
            self.skin.tree.search(&self.pose.branches, &self.pose.boxes, &region, &mut near);
            around *= 4.0;
        }
        let feet = near.into_iter().map(|f| (f, closest(&self.skin.facets[f as usize].patch(self.nodes), point)));
        let nearest = feet.min_by(|a, b| (a.1.point - point).norm().total_cmp(&(b.1.point - point).norm()));
        nearest.map(|(f, foot)| (NodeWeights::on(&self.skin.facets[f as usize], foot.xi), f))
    }

    fn pressure(&self, node: u32, force: &Vect<D>) -> f64 {
        let size = force.norm();
        if size == 0.0 {
            return 0.0;
        }
        let against = |&f: &u32| {
            let normal = self.skin.facets[f as usize].patch(self.nodes).normal(self.skin.coordinates(f, node));
            share(self.skin, self.nodes, f, node, self.skin.breadth) * (-normal.dot(force) / size).max(0.0)
        };
        let area: f64 = self.skin.facets_at(node).iter().map(against).sum();
        if area > 0.0 { size / area } else { 0.0 }
    }
}
