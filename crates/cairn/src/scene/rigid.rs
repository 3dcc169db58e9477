//! One rigid body: mass, centre of mass and inertia from its parts, and the parts seen from there.
//!
//! With ρ the density, Vᵢ, cᵢ, Sᵢ volume, centroid and second moment of part i in the frame that the user wrote:
//! m = ρ Σ Vᵢ,  c = Σ Vᵢ cᵢ / Σ Vᵢ,  S = ρ Σ (Sᵢ + Vᵢ (cᵢ − c)(cᵢ − c)ᵀ), less what overlapping parts count twice.
//!
//! The frame of a body is at c with principal axes; a body that is held in all components keeps the frame that the user
//! wrote, so that a prescribed rotation is about its `position`.

use super::geometry::{self, Build, infinite, placement};
use super::overlapping::united;
use super::spec::PartSpec;
use crate::shape::{ConvexShape, MassProperties, Shape};
use crate::space::{Mat, Moments, Placement, Space, Vect};
use std::sync::Arc;

/// A body in the making.
#[derive(Clone, Debug)]
pub struct Rigid<const D: usize>
where
    Space<D>: Build<D>,
{
    /// Mass.
    pub mass: f64,
    /// Principal moments.
    pub moments: Moments<D>,
    /// The body's frame in the frame that the user wrote.
    pub frame: Placement<D>,
    /// Shapes, their places in the body's frame, their radii.
    pub parts: Vec<(Shape<D>, Placement<D>, f64)>,
}

/// What is known of a body besides its parts.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Density.
    pub density: f64,
    /// Mass instead of the computed one.
    pub mass: Option<f64>,
    /// Moments instead of the computed ones.
    pub inertia: Option<[f64; 3]>,
    /// Held in all components.
    pub obstacle: bool,
    /// Held in all rotations.
    pub cannot_turn: bool,
}

/// Makes it.
pub fn rigid<const D: usize>(parts: &[PartSpec], given: &Given) -> Result<Rigid<D>, String>
where
    Space<D>: Build<D>,
{
    let mut placed = Vec::with_capacity(parts.len());
    for part in parts {
        let shape = geometry::shape::<D>(&part.form).map_err(|why| format!("cannot be made: {why}"))?;
        placed.push((shape, placement::<D>(&part.pose)));
    }
    if given.obstacle {
        let frame = Placement::identity();
        return Ok(Rigid { mass: f64::INFINITY, moments: infinite(), frame, parts: seen_from(placed, &frame) });
    }
    let total = total(&placed).map(|sum| if placed.len() > 1 { united(&placed, sum) } else { sum });
    let (mass, moments, frame) = match total {
        Some(total) if total.volume > 0.0 => solid(&total, given)?,
        Some(_) => rod(&placed, given)?,
        None => unbounded(given)?,
    };
    let finite = mass.is_finite() && mass > 0.0;
    let turnable = |j: &f64| j.is_finite() && *j > 0.0 || given.cannot_turn;
    if !finite || !<Space<D> as crate::space::Ambient<D>>::moments_slice(&moments).iter().all(turnable) {
        return Err(format!("has mass {mass:e} kg and inertia {moments:?}: both must be positive and finite"));
    }
    Ok(Rigid { mass, moments, frame, parts: seen_from(placed, &frame) })
}

/// Sum of the parts' volumes, centroids, moments; none if a part has no inside.
fn total<const D: usize>(parts: &[(Shape<D>, Placement<D>)]) -> Option<MassProperties<D>>
where
    Space<D>: Build<D>,
{
    let one = |(shape, place): &(Shape<D>, Placement<D>)| {
        let p = shape.mass_properties()?;
        let q = <Space<D> as crate::space::Ambient<D>>::matrix(&place.turn);
        Some((p.volume, place.point(&p.centroid), q * p.second_moment * q.transpose()))
    };
    let all: Vec<_> = parts.iter().map(one).collect::<Option<_>>()?;
    let volume: f64 = all.iter().map(|(v, _, _)| v).sum();
    let mut centroid: Vect<D> = Vect::zeros();
    if volume > 0.0 {
        centroid = all.iter().map(|(v, c, _)| c * *v).sum::<Vect<D>>() / volume;
    }
    let size = parts.iter().map(|(s, p)| s.bounding_radius() + p.centre.norm()).fold(0.0, f64::max);
    // A shape that was written about its centre keeps its vertices to the last bit.
    centroid.iter_mut().filter(|c| c.abs() <= 1e-13 * size).for_each(|c| *c = 0.0);
    let shifted = |(v, c, s): &(f64, Vect<D>, Mat<D>)| {
        let d = c - centroid;
        s + d * d.transpose() * *v
    };
    Some(MassProperties { volume, centroid, second_moment: all.iter().map(shifted).sum() })
}

type Inertial<const D: usize> = (f64, Moments<D>, Placement<D>);

fn solid<const D: usize>(total: &MassProperties<D>, given: &Given) -> Result<Inertial<D>, String>
where
    Space<D>: Build<D>,
{
    let mass = given.mass.unwrap_or(given.density * total.volume);
    let (moments, axes) = match given.inertia {
        Some(inertia) => (Space::<D>::moments(inertia), Mat::<D>::identity()),
        None => {
            let (moments, axes) = Space::<D>::principal(&total.second_moment);
            (Space::<D>::scaled(&moments, mass / total.volume), axes)
        }
    };
    if axes.iter().any(|x| !x.is_finite()) {
        return Err("has an inertia that cannot be computed: its sizes are too different".into());
    }
    let frame = Placement { centre: total.centroid, turn: turn_of::<D>(&axes) };
    Ok((mass, moments, frame))
}

fn turn_of<const D: usize>(axes: &Mat<D>) -> crate::space::Turn<D>
where
    Space<D>: Build<D>,
{
    if *axes == Mat::<D>::identity() {
        return <Space<D> as crate::space::Ambient<D>>::no_turn();
    }
    Space::<D>::turn(axes)
}

/// Segments: no area, so the mass must be given; it is spread along them, S = m/L Σ Lᵢ (d dᵀ/12 Lᵢ² + …).
fn rod<const D: usize>(parts: &[(Shape<D>, Placement<D>)], given: &Given) -> Result<Inertial<D>, String>
where
    Space<D>: Build<D>,
{
    let mass = given.mass.ok_or("has no area, so no mass: give `mass`, or fix it (`fixed = true`)")?;
    let ends = |(shape, place): &(Shape<D>, Placement<D>)| match shape {
        Shape::Convex(c) => (place.point(&c.vertices()[0]), place.point(&c.vertices()[c.vertices().len() - 1])),
        _ => (place.centre, place.centre),
    };
    let ends: Vec<_> = parts.iter().map(ends).collect();
    let length: f64 = ends.iter().map(|(a, b)| (b - a).norm()).sum();
    let centre = ends.iter().map(|(a, b)| (a + b) * (0.5 * (b - a).norm() / length)).sum::<Vect<D>>();
    let second = |(a, b): &(Vect<D>, Vect<D>)| {
        let (l, d, m) = ((b - a).norm(), b - a, (a + b) * 0.5 - centre);
        (d * d.transpose() / 12.0 + m * m.transpose()) * (mass * l / length)
    };
    let (moments, _) = Space::<D>::principal(&ends.iter().map(second).sum());
    let moments = given.inertia.map_or(moments, Space::<D>::moments);
    Ok((mass, moments, Placement { centre, ..Placement::identity() }))
}

/// Half-spaces, hollow shapes, surfaces: mass and (if it can turn) inertia must be given, about the `position`.
fn unbounded<const D: usize>(given: &Given) -> Result<Inertial<D>, String>
where
    Space<D>: Build<D>,
{
    let mass = given.mass.ok_or("has no volume, so no mass: fix it (`fixed = true`), drive it, or give `mass`")?;
    let moments = match given.inertia {
        Some(inertia) => Space::<D>::moments(inertia),
        None if given.cannot_turn => infinite(),
        None => return Err("has no volume: give `inertia`, or fix its rotation".into()),
    };
    Ok((mass, moments, Placement::identity()))
}

/// The parts in the body's frame: convex ones with their vertices there, others placed.
fn seen_from<const D: usize>(
    parts: Vec<(Shape<D>, Placement<D>)>,
    frame: &Placement<D>,
) -> Vec<(Shape<D>, Placement<D>, f64)>
where
    Space<D>: Build<D>,
{
    let seen = |(shape, place): (Shape<D>, Placement<D>)| {
        let back =
            Placement { centre: Vect::zeros(), turn: <Space<D> as crate::space::Ambient<D>>::inverse(&frame.turn) };
        let local = back.then(&Placement { centre: place.centre - frame.centre, turn: place.turn });
        let (shape, local) = match shape {
            Shape::Convex(convex) if local != Placement::identity() => {
                let centre = place.local_point(&frame.centre);
                let axes = <Space<D> as crate::space::Ambient<D>>::matrix(&local.turn).transpose();
                (Shape::Convex(Arc::new(convex.reframed(&centre, &axes))), Placement::identity())
            }
            other => (other, local),
        };
        let radius = shape.bounding_radius();
        (shape, local, radius)
    };
    parts.into_iter().map(seen).collect()
}
