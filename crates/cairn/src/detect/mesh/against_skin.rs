//! Candidate points against the facets of a skin: another mesh, or the mesh itself.
//!
//! Each point p has at most one antagonist facet on a skin: the one with the nearest foot among those that it faces. Where
//! the foot x̄ falls inside a facet, n is the facet's normal there and g = n · (p − x̄). Where it falls on an edge or a
//! corner,
//!
//!   n = ±(p − x̄)/‖p − x̄‖,   g = ±‖p − x̄‖,   sign of (p − x̄) · Σ n_facet    (normals weighted by their angle),
//!
//! so that gap and normal stay continuous while p slides around a convex edge. Such a foot counts only if no other facet
//! is nearer: else p is past the rim of a face, and not in front of it. Where p lies on the edge within round-off, n is the
//! normal of the facet that p faces best.

use super::candidates::NodeWeights;
use super::closest::{Foot, Where, closest, stationary};
use super::facet::Patch;
use super::pose::{Pose, Spot, groups, unit};
use super::skin::Skin;
use super::{FACING, MeshTouch, SearchRange};
use crate::contact::Touch;
use crate::shape::Aabb;
use crate::space::Vect;
use std::ops::Range;

/// Points closer than this part of a facet's size are in the same place.
const TOUCHING: f64 = 1e-9;
/// A corner closer than this part of the smallest facet to a touch is the same.
const SAME_PLACE: f64 = 1e-6;

/// A skin in place, with the positions of its nodes.
#[derive(Clone, Copy, Debug)]
pub struct PlacedSkin<'a, const D: usize> {
    /// What does not change.
    pub skin: &'a Skin<D>,
    /// Positions of all nodes of the mesh [m].
    pub nodes: &'a [Vect<D>],
    /// What follows from them.
    pub pose: &'a Pose<D>,
}

/// The touches of the candidate points of one mesh with the facets of another, in the order of the points.
pub fn with_skin<const D: usize>(
    a: &PlacedSkin<D>,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) {
    find_all(a, b, groups(&a.skin.candidates), |_| *range, |_, _| false, out);
}

/// The touches of the corners and sharp edges of one mesh with the facets of another whose own points look at it, but for those that
/// are where one of these, `found`, is: a corner between two points of the other would sink in unseen.
pub(super) fn corners_with_skin<const D: usize>(
    a: &PlacedSkin<D>,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    found: &[MeshTouch<D>],
    out: &mut Vec<MeshTouch<D>>,
) {
    let is_sharp = |group: &Range<usize>| a.skin.candidates[group.clone()].iter().any(|c| c.is_on_rim);
    find_all(a, b, groups(&a.skin.candidates).filter(is_sharp), |_| *range, |_, _| false, out);
    let near = SAME_PLACE * a.skin.size().min(b.skin.size());
    out.retain(|corner| found.iter().all(|other| (other.touch.point - corner.touch.point).norm() > near));
}

/// The touches of a mesh with itself. A point never touches its own facets nor those next to them.
/// `depths` are from [`own_depths`].
pub fn with_itself<const D: usize>(
    a: &PlacedSkin<D>,
    range: &SearchRange,
    depths: &[f64],
    out: &mut Vec<MeshTouch<D>>,
) {
    let range = |c: usize| SearchRange { max_penetration: range.max_penetration.min(depths[c]), ..*range };
    find_all(a, a, groups(&a.skin.candidates), range, |c, f| is_next_to(a.skin, c, f), out);
}

/// How deep each candidate point may go under another face of its own mesh: half of what it sees of the opposite face
/// through the body in the reference configuration. Call it once, with the pose of the reference configuration.
pub fn own_depths<const D: usize>(a: &PlacedSkin<D>, depth: f64) -> Vec<f64> {
    let mut touches = Vec::new();
    find_all(
        a,
        a,
        groups(&a.skin.candidates),
        |_| SearchRange { max_gap: 0.0, max_penetration: depth },
        |c, f| is_next_to(a.skin, c, f),
        &mut touches,
    );
    let mut depths = vec![depth; a.skin.candidates.len()];
    // Faces that lie on each other are those of a cut: there is nothing between them.
    let is_apart = |t: &&MeshTouch<D>| t.touch.gap.abs() > TOUCHING * a.skin.size();
    for t in touches.iter().filter(is_apart) {
        depths[t.touch.feature as usize] = 0.5 * t.touch.gap.abs();
    }
    // Points of one node share the least.
    for group in groups(&a.skin.candidates) {
        let least = depths[group.clone()].iter().copied().fold(depth, f64::min);
        depths[group].fill(least);
    }
    depths
}

/// Does the facet share a node with the facets of the candidate?
fn is_next_to<const D: usize>(skin: &Skin<D>, candidate: usize, facet: u32) -> bool {
    let nodes = skin.facets[facet as usize].nodes();
    let homes = skin.homes(&skin.candidates[candidate]);
    homes.iter().any(|&h| skin.facets[h as usize].nodes().iter().any(|v| nodes.contains(v)))
}

/// The touches of points of a, group by group of those that share a node, with the facets of b.
fn find_all<const D: usize>(
    a: &PlacedSkin<D>,
    b: &PlacedSkin<D>,
    points: impl Iterator<Item = Range<usize>>,
    range: impl Fn(usize) -> SearchRange,
    skip: impl Fn(usize, u32) -> bool,
    out: &mut Vec<MeshTouch<D>>,
) {
    let bounds = b.pose.facet_bounds();
    let (mut near, mut feet) = (Vec::new(), Vec::new());
    for group in points {
        // Of the points of one node, the one that fits best keeps its touch.
        let mut best: Option<(MeshTouch<D>, f64)> = None;
        for c in group {
            let (spot, range) = (&a.pose.spots[c], range(c));
            let eye = Aabb { min: spot.eye, max: spot.eye };
            let region = eye.grown(range.max_gap.max(range.max_penetration));
            // Out of the box of a closed skin nothing is behind it.
            let seen = if b.skin.is_closed() { eye.grown(range.max_gap) } else { region };
            if !bounds.meets(&seen) {
                continue;
            }
            b.skin.tree.search(&b.pose.branches, &b.pose.boxes, &region, &mut near);
            near.retain(|&f| !skip(c, f));
            let Some(found) = find(b, spot, &range, &near, &mut feet) else { continue };
            let candidate = &a.skin.candidates[c];
            let touch = Touch {
                feature: c as u32,
                point: spot.point - found.normal * (0.5 * found.gap),
                normal: found.normal,
                gap: found.gap,
                area: candidate.area,
            };
            let hold = NodeWeights::on(&b.skin.facets[found.facet as usize], found.xi);
            let facing = spot.normal.dot(&found.normal);
            if best.as_ref().is_none_or(|(t, f)| is_better((found.gap, facing), (t.touch.gap, *f), b.skin.size())) {
                let antagonist = Some(hold);
                best = Some((
                    MeshTouch { touch, candidate: candidate.hold, antagonist, facet: Some(found.facet) },
                    facing,
                ));
            }
        }
        out.extend(best.map(|(touch, _)| touch));
    }
}

/// The nearer of two, and of two that are equally near the one that is faced better.
fn is_better(new: (f64, f64), old: (f64, f64), size: f64) -> bool {
    let nearer = old.0.abs() - new.0.abs();
    nearer > TOUCHING * size || (nearer > -TOUCHING * size && new.1 < old.1 - TOUCHING)
}

/// The antagonist of a point.
pub(super) struct Found<const D: usize> {
    pub facet: u32,
    pub xi: [f64; 2],
    pub normal: Vect<D>,
    pub gap: f64,
}

/// The antagonist of one point among the facets nearby.
pub(super) fn find<const D: usize>(
    b: &PlacedSkin<D>,
    spot: &Spot<D>,
    range: &SearchRange,
    near: &[u32],
    feet: &mut Vec<(u32, Foot<D>, f64)>,
) -> Option<Found<D>> {
    feet_nearby(b, spot, range, near, feet);
    let nearest = feet.iter().map(|f| f.2).fold(f64::INFINITY, f64::min);
    let mut best: Option<(f64, f64, u32, Foot<D>, Vect<D>)> = None;
    for &(f, foot, distance) in feet.iter().filter(|f| b.skin.is_antagonist[f.0 as usize]) {
        let patch = b.skin.facets[f as usize].patch(b.nodes);
        let size = patch.size();
        let Some(normal) = normal_at(b, spot, f, &patch, &foot, distance, nearest) else { continue };
        let gap = normal.dot(&(spot.eye - foot.point));
        let facing = spot.normal.dot(&normal);
        let is_in_range = gap <= range.max_gap && gap >= -range.max_penetration;
        if is_in_range && best.as_ref().is_none_or(|o| is_better((gap, facing), (o.0, o.1), size)) {
            best = Some((gap, facing, f, foot, normal));
        }
    }
    let (gap, _, facet, foot, normal) = best?;
    if spot.eye == spot.point {
        return Some(Found { facet, xi: foot.xi, normal, gap });
    }
    // It looked from inside its rim: the touch itself is that of the point, on the same facet or just past its rim. The eye of a
    // point that faces a node may see the line between two facets; the foot of the point is still the node.
    let patch = b.skin.facets[facet as usize].patch(b.nodes);
    let xi = match foot.place {
        Where::Inside => stationary(&patch, &spot.point, foot.xi).unwrap_or(foot.xi),
        _ => closest(&patch, &spot.point).xi,
    };
    let normal = if foot.place == Where::Inside { patch.normal(xi) } else { normal };
    let gap = normal.dot(&(spot.point - patch.point(xi)));
    (gap <= range.max_gap && gap >= -range.max_penetration).then_some(Found { facet, xi, normal, gap })
}

/// Feet on all facets nearby, in ascending order of the facets; those whose box is farther away than a foot that makes a
/// touch inside of its facet are left out: they cannot be nearer, nor hide it.
fn feet_nearby<const D: usize>(
    b: &PlacedSkin<D>,
    spot: &Spot<D>,
    range: &SearchRange,
    near: &[u32],
    feet: &mut Vec<(u32, Foot<D>, f64)>,
) {
    feet.clear();
    let mut bound = f64::INFINITY;
    let away = |f: u32| {
        let around = &b.pose.boxes[f as usize];
        let outside =
            Vect::<D>::from_fn(|k, _| (around.min[k] - spot.eye[k]).max(spot.eye[k] - around.max[k]).max(0.0));
        outside.norm()
    };
    let mut add = |f: u32, bound: &mut f64| {
        let patch = b.skin.facets[f as usize].patch(b.nodes);
        let foot = closest(&patch, &spot.eye);
        let distance = (foot.point - spot.eye).norm();
        feet.push((f, foot, distance));
        if foot.place == Where::Inside && b.skin.is_antagonist[f as usize] {
            let normal = patch.normal(foot.xi);
            let gap = normal.dot(&(spot.eye - foot.point));
            if spot.faces(&normal) && gap <= range.max_gap && gap >= -range.max_penetration {
                *bound = bound.min(distance + 2.0 * TOUCHING * patch.size());
            }
        }
    };
    // The nearest box first: mostly the only one that counts.
    let first = near.iter().copied().min_by(|&f, &g| away(f).total_cmp(&away(g)).then(f.cmp(&g)));
    let Some(first) = first else { return };
    add(first, &mut bound);
    for &f in near.iter().filter(|&&f| f != first) {
        if away(f) <= bound {
            add(f, &mut bound);
        }
    }
    feet.sort_unstable_by_key(|foot| foot.0);
}

/// The normal of a touch at this foot, if the point faces it and the foot is no mere rim.
fn normal_at<const D: usize>(
    b: &PlacedSkin<D>,
    spot: &Spot<D>,
    f: u32,
    patch: &Patch<D>,
    foot: &Foot<D>,
    distance: f64,
    nearest: f64,
) -> Option<Vect<D>> {
    let tolerance = TOUCHING * patch.size();
    let own = patch.normal(foot.xi);
    let if_faced = |n: Vect<D>| spot.faces(&n).then_some(n);
    if foot.place == Where::Inside {
        return if_faced(own);
    }
    let outward = || mean_normal(b, f, foot.place);
    if distance <= tolerance {
        // On a needle none of the facets may be faced, but its tip is.
        return if_faced(own).or_else(|| Some(outward()).filter(|n| own.dot(n) < 2.0 * FACING).and_then(if_faced));
    }
    if distance > nearest + tolerance {
        return None;
    }
    let apart = (spot.eye - foot.point) / distance;
    if_faced(if apart.dot(&outward()) >= 0.0 { apart } else { -apart })
}

/// Outward direction at an edge or corner: the normals of the facets there, weighted by their angle.
pub(super) fn mean_normal<const D: usize>(b: &PlacedSkin<D>, f: u32, place: Where) -> Vect<D> {
    let facet = &b.skin.facets[f as usize];
    let ring = facet.corners();
    let normal_of = |g: u32, node: u32| b.skin.facets[g as usize].patch(b.nodes).normal(b.skin.coordinates(g, node));
    let sum = match place {
        Where::Inside => normal_of(f, ring[0]),
        Where::Side(k) => {
            let (p, q) = (ring[k], ring[(k + 1) % ring.len()]);
            let middle = |g: u32| unit(&(normal_of(g, p) + normal_of(g, q)));
            b.skin.facets_between(p, q).fold(Vect::zeros(), |sum, g| sum + middle(g))
        }
        Where::Corner(k) => {
            let node = ring[k];
            let weighted = |g: u32| normal_of(g, node) * angle_at(b, g, node);
            b.skin.facets_at(node).iter().fold(Vect::zeros(), |sum, &g| sum + weighted(g))
        }
    };
    unit(&sum)
}

/// Angle of a facet at one of its corners; 1 in 2D.
fn angle_at<const D: usize>(b: &PlacedSkin<D>, g: u32, node: u32) -> f64 {
    let ring = b.skin.facets[g as usize].corners();
    let Some(k) = ring.iter().position(|&v| v == node).filter(|_| D == 3) else { return 1.0 };
    let x = |i: usize| b.nodes[ring[(k + i) % ring.len()] as usize];
    unit(&(x(1) - x(0))).dot(&unit(&(x(ring.len() - 1) - x(0)))).clamp(-1.0, 1.0).acos()
}
