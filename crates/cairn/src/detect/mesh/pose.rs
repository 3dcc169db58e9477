//! A skin where its nodes are now: candidate points with their normals, boxes of facets. Rebuilt in every step.

use super::FACING;
use super::candidates::Candidate;
use super::facet::centre;
use super::skin::{Skin, box_of};
use crate::shape::Aabb;
use crate::space::Vect;

/// Part of the way to the middle of its facets by which a point on a rim ranges from inside: what meets it there is then
/// decided by the face that it stands for, and not by round-off at the corner.
const PULL: f64 = 0.02;

/// A candidate point in place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot<const D: usize> {
    pub point: Vect<D>,
    /// Where it ranges from: the point itself, or a little inwards of a rim.
    pub eye: Vect<D>,
    /// Outward unit normal, mean of its facets.
    pub normal: Vect<D>,
    /// Where the tip of a needle points to: mean of the normals of all points of its node. Elsewhere the normal.
    pub tip: Vect<D>,
}

impl<const D: usize> Spot<D> {
    /// Does the point look against an antagonist with this outward normal?
    pub fn faces(&self, normal: &Vect<D>) -> bool {
        self.normal.dot(normal) < -FACING || self.tip.dot(normal) < -FACING
    }
}

/// A skin in place. Made by `default`, filled by [`Pose::update`].
#[derive(Clone, Debug)]
pub struct Pose<const D: usize> {
    pub(super) spots: Vec<Spot<D>>,
    pub(super) boxes: Vec<Aabb<D>>,
    pub(super) branches: Vec<Aabb<D>>,
    pub(super) points: Aabb<D>,
}

impl<const D: usize> Default for Pose<D> {
    fn default() -> Self {
        Self { spots: Vec::new(), boxes: Vec::new(), branches: Vec::new(), points: Aabb::around([]) }
    }
}

impl<const D: usize> Pose<D> {
    /// Follows the nodes, of which `nodes` are the positions [m].
    pub fn update(&mut self, skin: &Skin<D>, nodes: &[Vect<D>]) {
        self.boxes.clear();
        self.boxes.extend(skin.facets.iter().map(|f| box_of(&f.patch(nodes))));
        skin.tree.refit(&self.boxes, &mut self.branches);
        self.spots.clear();
        self.spots.extend(skin.candidates.iter().map(|c| spot(skin, nodes, c)));
        tips(skin, &mut self.spots);
        self.points = self.spots.iter().fold(Aabb::around([]), |b, s| b.join(&Aabb { min: s.point, max: s.point }));
    }

    /// The box around all facets; empty if there are none.
    pub fn facet_bounds(&self) -> Aabb<D> {
        self.branches.first().copied().unwrap_or(Aabb::around([]))
    }

    /// The box around the candidate points; empty if there are none.
    pub fn point_bounds(&self) -> Aabb<D> {
        self.points
    }
}

fn spot<const D: usize>(skin: &Skin<D>, nodes: &[Vect<D>], candidate: &Candidate) -> Spot<D> {
    let point = candidate.hold.of(nodes);
    let homes = skin.homes(candidate);
    let (mut normal, mut middle) = (Vect::zeros(), Vect::zeros());
    for &f in homes {
        let patch = skin.facets[f as usize].patch(nodes);
        let xi = candidate.node.map_or(candidate.xi, |node| skin.coordinates(f, node));
        normal += patch.normal(xi);
        if candidate.is_on_rim {
            middle += patch.point(centre(patch.kind));
        }
    }
    let normal = unit(&normal);
    let eye = if candidate.is_on_rim { point + (middle / homes.len() as f64 - point) * PULL } else { point };
    Spot { point, eye, normal, tip: normal }
}

/// Points of one node stand next to each other: their normals together tell where a sharp tip points to.
fn tips<const D: usize>(skin: &Skin<D>, spots: &mut [Spot<D>]) {
    for group in groups(&skin.candidates) {
        if group.len() > 1 {
            let tip = unit(&spots[group.clone()].iter().fold(Vect::zeros(), |sum, s| sum + s.normal));
            // Only on a needle: the sides of a blunt edge see for themselves all that it can meet.
            spots[group].iter_mut().filter(|s| s.normal.dot(&tip) < 2.0 * FACING).for_each(|s| s.tip = tip);
        }
    }
}

/// Runs of candidates that sit on one node.
pub(super) fn groups(candidates: &[Candidate]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = candidates.get(at)?;
        let same = |c: &&Candidate| first.node.is_some() && c.node == first.node;
        let start = at;
        at += 1 + candidates[at + 1..].iter().take_while(same).count();
        Some(start..at)
    })
}

/// The vector at unit length; zero if it has none.
pub(super) fn unit<const D: usize>(x: &Vect<D>) -> Vect<D> {
    let size = x.norm();
    if size > 0.0 { x / size } else { *x }
}
