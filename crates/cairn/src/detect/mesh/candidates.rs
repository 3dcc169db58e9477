//! Candidate points: where they sit, how they hold the mesh, and which part of the surface each stands for.
//!
//!   middle: a = ∫ dA      Gauss point q: a_q = w_q ‖dA/dξ‖      node: a_i = ∫ N_i dA
//!
//! A uniform pressure p then gives the forces p a, and Σ a is the area of the surface. On the corners of T6 and Q8 the
//! integral of N_i is nothing or negative: there the area is shared as ∫ N_i² dA, positive, with the same sum.
//!
//! A node on a sharp edge has a point for each smooth side of it, each with its own normal and area.

use super::facet::{self, shape};
use super::skin::{Breadth, Points, Skin, SkinChoice};
use crate::space::Vect;
use cairn_fem::mesh::FacetKind;

/// Cosine of the angle between facets above which the surface goes on smoothly from one to the other (50°).
pub(super) const SMOOTH: f64 = 0.643;

/// How a point holds a mesh: its velocity is Σ w v_node, and an impulse on it is shared by the same weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeWeights {
    /// Node numbers.
    pub nodes: [u32; 8],
    /// Weights; their sum is 1. On the antagonist they may leave [0, 1] by a hundredth where the point is past a rim.
    pub weights: [f64; 8],
    /// How many of them count.
    pub count: u8,
}

impl NodeWeights {
    /// On one node.
    pub fn node(node: u32) -> Self {
        let mut hold = Self { count: 1, ..Self::default() };
        (hold.nodes[0], hold.weights[0]) = (node, 1.0);
        hold
    }

    /// On a facet at ξ.
    pub(super) fn on(facet: &facet::Facet, xi: [f64; 2]) -> Self {
        Self { nodes: facet.numbers, weights: shape(facet.kind, xi), count: facet.kind.nodes() as u8 }
    }

    /// Nodes and weights.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        (0..usize::from(self.count)).map(|i| (self.nodes[i], self.weights[i]))
    }

    /// Σ w x_node: the held point of positions, velocities, … given node by node.
    pub fn of<const D: usize>(&self, values: &[Vect<D>]) -> Vect<D> {
        self.iter().fold(Vect::zeros(), |sum, (node, weight)| sum + values[node as usize] * weight)
    }
}

/// A candidate point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// How it holds the mesh.
    pub hold: NodeWeights,
    /// Part of the surface that it stands for, in the reference configuration [m²; 2D: m times the breadth].
    pub area: f64,
    /// Its facets, as a range in [`Skin::homes`], with the coordinates of the point on the first.
    pub(super) homes: (u32, u32),
    pub(super) xi: [f64; 2],
    /// The node that it sits on.
    pub(super) node: Option<u32>,
    /// It is at the rim of the smooth part of the surface that it stands for.
    pub(super) is_on_rim: bool,
}

/// Places all candidate points on the facets that carry them.
pub(super) fn place<const D: usize>(
    skin: &mut Skin<D>,
    nodes: &[Vect<D>],
    choice: &SkinChoice,
    carries: &dyn Fn(u32) -> bool,
) {
    match choice.points {
        Points::Nodes => at_nodes(skin, nodes, choice.breadth, carries),
        Points::Middles | Points::Gauss => on_facets(skin, nodes, choice, carries),
    }
}

fn on_facets<const D: usize>(
    skin: &mut Skin<D>,
    nodes: &[Vect<D>],
    choice: &SkinChoice,
    carries: &dyn Fn(u32) -> bool,
) {
    for f in (0..skin.facets.len() as u32).filter(|&f| carries(f)) {
        let facet = skin.facets[f as usize];
        let patch = facet.patch(nodes);
        let pieces = facet::quadrature(facet.kind)
            .into_iter()
            .map(|(xi, w)| (xi, w * patch.area_vector(xi).norm() * choice.breadth.at(&patch.point(xi))));
        let points: Vec<_> = match choice.points {
            Points::Gauss => pieces.collect(),
            _ => vec![(facet::centre(facet.kind), pieces.map(|(_, a)| a).sum())],
        };
        let home = skin.homes.len() as u32;
        skin.homes.push(f);
        skin.candidates.extend(points.into_iter().map(|(xi, area)| Candidate {
            hold: NodeWeights::on(&facet, xi),
            area,
            homes: (home, home + 1),
            xi,
            node: None,
            is_on_rim: false,
        }));
    }
}

fn at_nodes<const D: usize>(skin: &mut Skin<D>, nodes: &[Vect<D>], breadth: Breadth, carries: &dyn Fn(u32) -> bool) {
    for node in 0..nodes.len() as u32 {
        let mut left: Vec<u32> = skin.facets_at(node).iter().copied().filter(|&f| carries(f)).collect();
        while let Some(&first) = left.first() {
            let smooth = grow(skin, nodes, node, first, &left);
            left.retain(|f| !smooth.contains(f));
            let area = smooth.iter().map(|&f| share(skin, nodes, f, node, breadth)).sum();
            let home = skin.homes.len() as u32;
            let is_on_rim = sides_at(skin, node, &smooth)
                .any(|[a, b]| skin.facets_between(a, b).filter(|f| smooth.contains(f)).count() == 1);
            skin.homes.extend_from_slice(&smooth);
            skin.candidates.push(Candidate {
                hold: NodeWeights::node(node),
                area,
                homes: (home, home + smooth.len() as u32),
                xi: skin.coordinates(first, node),
                node: Some(node),
                is_on_rim,
            });
        }
    }
}

impl<const D: usize> Skin<D> {
    /// Coordinates of a node on a facet that has it.
    pub(super) fn coordinates(&self, facet: u32, node: u32) -> [f64; 2] {
        let facet = &self.facets[facet as usize];
        let local = facet.nodes().iter().position(|&v| v == node).unwrap_or(0);
        facet::node_coordinates(facet.kind, local)
    }

    /// Facets that give a candidate its normal.
    pub(super) fn homes(&self, candidate: &Candidate) -> &[u32] {
        &self.homes[candidate.homes.0 as usize..candidate.homes.1 as usize]
    }
}

/// Sides of the facets that end at, or pass through, a node; in 2D the node itself, as [node, node], if it is an end.
fn sides_at<'a, const D: usize>(
    skin: &'a Skin<D>,
    node: u32,
    facets: &'a [u32],
) -> impl Iterator<Item = [u32; 2]> + 'a {
    facets.iter().flat_map(move |&f| {
        let facet = &skin.facets[f as usize];
        let ring = facet.corners();
        let count = ring.len();
        (0..count).filter_map(move |k| {
            if D == 2 {
                return (ring[k] == node).then_some([node, node]);
            }
            let (a, b) = (ring[k], ring[(k + 1) % count]);
            let middle = facet.nodes().get(count + k).copied();
            (a == node || b == node || middle == Some(node)).then_some([a, b])
        })
    })
}

/// All facets of `among` at `node` that are reached from `first` over sides that are not sharp.
fn grow<const D: usize>(skin: &Skin<D>, nodes: &[Vect<D>], node: u32, first: u32, among: &[u32]) -> Vec<u32> {
    let normal = |f: u32| skin.facets[f as usize].patch(nodes).normal(skin.coordinates(f, node));
    let mut smooth = vec![first];
    let mut at = 0;
    while at < smooth.len() {
        let f = smooth[at];
        for [a, b] in sides_at(skin, node, &[f]).collect::<Vec<_>>() {
            for g in skin.facets_between(a, b) {
                if among.contains(&g) && !smooth.contains(&g) && normal(f).dot(&normal(g)) > SMOOTH {
                    smooth.push(g);
                }
            }
        }
        at += 1;
    }
    smooth.sort_unstable();
    smooth
}

/// What of a facet's area a node stands for.
pub(super) fn share<const D: usize>(skin: &Skin<D>, nodes: &[Vect<D>], f: u32, node: u32, breadth: Breadth) -> f64 {
    let facet = &skin.facets[f as usize];
    let patch = facet.patch(nodes);
    let local = facet.nodes().iter().position(|&v| v == node).unwrap_or(0);
    let pieces = facet::quadrature(facet.kind)
        .into_iter()
        .map(|(xi, w)| (shape(facet.kind, xi), w * patch.area_vector(xi).norm() * breadth.at(&patch.point(xi))));
    if !matches!(facet.kind, FacetKind::T6 | FacetKind::Q8) {
        return pieces.map(|(n, area)| n[local] * area).sum();
    }
    let (mut own, mut squares, mut total) = (0.0, 0.0, 0.0);
    for (n, area) in pieces {
        own += n[local] * n[local] * area;
        squares += n.iter().map(|n| n * n).sum::<f64>() * area;
        total += area;
    }
    own / squares * total
}
