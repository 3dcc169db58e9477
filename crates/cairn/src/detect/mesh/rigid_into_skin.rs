//! Rigid shapes against the facets of a mesh, the rigid body being the candidate: a ball by the foot of its centre, a convex shape
//! by its corners, and by its edges (`edges_into_rims.rs`). Where facets are larger than what presses on them no point of the mesh would see it.
//!
//! A ball of radius r about c touches where the foot x̄ of c is nearest:
//!
//!   n = ±(c − x̄)/‖c − x̄‖,   g = ±‖c − x̄‖ − r,   sign of (c − x̄) · n_facet,
//!
//! and also each other facet with a foot inside of it: in a valley, or in the dent that the ball has pressed, where nodes on the ball
//! leave the facets between them inside of it. The nearest has one feature wherever it is, the others that of their facet; those of a
//! convex shape are its corners: they keep their identity while they slide over facets.

use super::against_skin::{PlacedSkin, find, mean_normal};
use super::candidates::NodeWeights;
use super::closest::{Where, closest};
use super::edges_into_rims::edges_with_rims;
use super::pose::{Spot, unit};
use super::{MeshTouch, SearchRange};
use crate::contact::Touch;
use crate::shape::{Aabb, ConvexShape, Shape};
use crate::space::{Ambient, Placement, Space, Vect};

/// The touches of a rigid shape with the facets of a mesh. Shapes without an end and fixed surfaces have none: they are antagonists only.
pub fn rigid_with_skin<const D: usize>(
    shape: &Shape<D>,
    place: &Placement<D>,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) where
    Space<D>: Ambient<D>,
{
    match shape {
        Shape::Ball(ball) => ball_with_skin(&place.centre, ball.radius, b, range, out),
        Shape::Convex(convex) => {
            corners_with_skin(convex.as_ref(), place, b, range, out);
            edges_with_rims(convex.as_ref(), place, b, range, out);
        }
        Shape::HalfSpace(_) | Shape::Hollow(_) | Shape::Surface(_) => {}
    }
}

fn ball_with_skin<const D: usize>(
    centre: &Vect<D>,
    radius: f64,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) {
    let region = Aabb { min: *centre, max: *centre }.grown(radius + range.max_gap);
    let mut near = Vec::new();
    b.skin.tree.search(&b.pose.branches, &b.pose.boxes, &region, &mut near);
    let mut feet: Vec<_> = near
        .iter()
        .filter(|&&f| b.skin.is_antagonist[f as usize])
        .map(|&f| {
            let foot = closest(&b.skin.facets[f as usize].patch(b.nodes), centre);
            (f, foot, (foot.point - centre).norm())
        })
        .collect();
    feet.sort_by(|p, q| p.2.total_cmp(&q.2).then(p.0.cmp(&q.0)));
    let mut has_nearest = false;
    for (f, foot, distance) in feet {
        if has_nearest && foot.place != Where::Inside {
            continue;
        }
        let outward = match foot.place {
            Where::Inside => b.skin.facets[f as usize].patch(b.nodes).normal(foot.xi),
            place => mean_normal(b, f, place),
        };
        let apart = centre - foot.point;
        let side = if apart.dot(&outward) < 0.0 { -1.0 } else { 1.0 };
        // Under its surface the mesh is the antagonist no deeper than it is for others.
        if side < 0.0 && distance > range.max_penetration {
            continue;
        }
        let normal = if foot.place == Where::Inside || distance == 0.0 { outward } else { apart * (side / distance) };
        let gap = side * distance - radius;
        if gap > range.max_gap {
            continue;
        }
        let point = foot.point + normal * (0.5 * gap);
        let feature = if has_nearest { 1 + f } else { 0 };
        let touch = Touch { feature, point, normal, gap, area: 0.0 };
        has_nearest = true;
        let antagonist = Some(NodeWeights::on(&b.skin.facets[f as usize], foot.xi));
        out.push(MeshTouch { touch, candidate: NodeWeights::default(), antagonist, facet: Some(f) });
    }
}

fn corners_with_skin<const D: usize>(
    shape: &impl ConvexShape<D>,
    place: &Placement<D>,
    b: &PlacedSkin<D>,
    range: &SearchRange,
    out: &mut Vec<MeshTouch<D>>,
) where
    Space<D>: Ambient<D>,
{
    let bounds = b.pose.facet_bounds();
    let (mut near, mut feet, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    for (corner, vertex) in shape.vertices().iter().enumerate() {
        let point = place.point(vertex);
        let around = Aabb { min: point, max: point };
        if !bounds.meets(&around.grown(range.max_gap)) {
            continue;
        }
        if normals.is_empty() {
            normals = corner_normals(shape);
        }
        let normal = place.direction(&normals[corner]);
        let spot = Spot { point, eye: point, normal, tip: normal };
        b.skin.tree.search(
            &b.pose.branches,
            &b.pose.boxes,
            &around.grown(range.max_gap.max(range.max_penetration)),
            &mut near,
        );
        let Some(found) = find(b, &spot, range, &near, &mut feet) else { continue };
        let point = point - found.normal * (0.5 * found.gap);
        let touch = Touch { feature: corner as u32, point, normal: found.normal, gap: found.gap, area: 0.0 };
        let antagonist = Some(NodeWeights::on(&b.skin.facets[found.facet as usize], found.xi));
        out.push(MeshTouch { touch, candidate: NodeWeights::default(), antagonist, facet: Some(found.facet) });
    }
}

/// Where each corner points to: the mean of the normals of the sides there, in the shape's frame.
fn corner_normals<const D: usize>(shape: &impl ConvexShape<D>) -> Vec<Vect<D>>
where
    Space<D>: Ambient<D>,
{
    let vertices = shape.vertices();
    let middle = vertices.iter().sum::<Vect<D>>() / vertices.len() as f64;
    let mut normals = vec![Vect::<D>::zeros(); vertices.len()];
    let mut add = |corners: &[u32], normal: Vect<D>| {
        // Outwards, whichever way the ring turns.
        let sign = if normal.dot(&(vertices[corners[0] as usize] - middle)) < 0.0 { -1.0 } else { 1.0 };
        corners.iter().for_each(|&c| normals[c as usize] += unit(&normal) * sign);
    };
    for ring in shape.rings() {
        let x = |k: usize| vertices[ring[k % ring.len()] as usize];
        if D == 2 {
            for k in 0..ring.len() {
                let side = x(k + 1) - x(k);
                add(
                    &[ring[k], ring[(k + 1) % ring.len()]],
                    Vect::from_fn(|i, _| if i == 0 { side[1] } else { -side[0] }),
                );
            }
        } else {
            // Newell's normal: right for any flat ring, however many of its corners lie on a line.
            let lifted = |k: usize| nalgebra::Vector3::from(Space::<D>::lift(&x(k)));
            let area = (0..ring.len()).fold(nalgebra::Vector3::zeros(), |sum, k| sum + lifted(k).cross(&lifted(k + 1)));
            add(&ring, Vect::from_fn(|i, _| area[i]));
        }
    }
    normals.iter().map(unit).collect()
}
