//! What is seen: every part as a plain form in world axes, in the plane z = 0 for 2D.

use super::bounds::Bounds;
use crate::colour::Colour;
use cairn::body::Motion;
use cairn::scene::Scene;
use cairn::shape::{ConvexShape, Polyhedron, Shape};
use cairn::space::{Ambient, Placement, Space, Vect};
use nalgebra::Vector3;
use std::any::Any;

/// A part as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Disk or sphere; `spoke` is a radius that turns with it.
    Ball {
        /// Centre.
        centre: Vector3<f64>,
        /// Radius.
        radius: f64,
        /// From the centre to the rim.
        spoke: Vector3<f64>,
    },
    /// Half-plane or half-space.
    HalfSpace {
        /// A point of the face.
        origin: Vector3<f64>,
        /// Outward unit normal.
        normal: Vector3<f64>,
    },
    /// Hollow disk or cylinder.
    Hollow {
        /// Centre.
        centre: Vector3<f64>,
        /// Direction of the cylinder.
        axis: Vector3<f64>,
        /// Inner radius.
        radius: f64,
    },
    /// Convex polygon (one face) or polyhedron, or a surface.
    Mesh {
        /// Corners.
        vertices: Vec<Vector3<f64>>,
        /// Corners of each face in order around it.
        faces: Vec<Vec<u32>>,
        /// Has an inside (faces seen from behind are hidden)?
        closed: bool,
    },
}

/// A form and how it looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// Number of the body.
    pub body: u32,
    /// Colour.
    pub colour: Colour,
    /// Form.
    pub form: Form,
}

/// All that is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Parts, body by body.
    pub actors: Vec<Actor>,
    /// What a picture should show: the free bodies and what of the obstacles is near them.
    pub bounds: Bounds,
    /// Upwards: against gravity.
    pub up: Vector3<f64>,
    /// Bodies without a finite position.
    pub lost: usize,
    /// Show the whole box, not only what is in it?
    pub whole: bool,
}

impl Stage {
    /// Places the parts of all bodies.
    pub fn new<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>], colours: &[Colour], shown: &[bool]) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let is_shown = |k: usize| shown.get(k).copied().unwrap_or(true);
        let lost = motions.iter().enumerate().filter(|(k, m)| is_shown(*k) && !is_finite(&m.place)).count();
        let mut actors = Vec::with_capacity(scene.parts.len());
        let (mut free, mut fixed) = (Bounds::EMPTY, Vec::new());
        for part in &scene.parts {
            let k = part.body as usize;
            let (Some(motion), Some(body), Some(&colour)) = (motions.get(k), scene.bodies.get(k), colours.get(k))
            else {
                continue;
            };
            let place = motion.place.then(&part.local);
            if !is_shown(k) || !is_finite(&place) {
                continue;
            }
            let form = form(&part.shape, &place);
            let held = extent(&form);
            // A drum holds the others: it is shown whole, like them.
            if body.is_obstacle() && !matches!(form, Form::Hollow { .. }) {
                fixed.push(held);
            } else {
                free.merge(&held);
            }
            actors.push(Actor { body: part.body, colour, form });
        }
        let gravity = Vector3::from(Space::<D>::lift(&scene.gravity.0));
        let up = (-gravity).try_normalize(0.0).filter(|u| u.iter().all(|x| x.is_finite()));
        Self { actors, bounds: seen(free, &fixed), up: up.unwrap_or(Vector3::z()), lost, whole: false }
    }
}

impl Stage {
    /// Makes room for meshes, and for what other pictures of a series have to show.
    pub fn hold(&mut self, meshes: &Bounds, series: Option<Bounds>) {
        if !meshes.is_empty() {
            let alone = !self.actors.iter().any(|a| !matches!(a.form, Form::HalfSpace { .. }));
            self.bounds = if alone { *meshes } else { self.bounds };
            self.bounds.merge(meshes);
            self.whole = true;
        }
        if let Some(series) = series {
            self.bounds = series;
            self.whole = true;
        }
    }
}

fn is_finite<const D: usize>(place: &Placement<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    // Beyond 1e150 squares overflow, and there is nothing to see either.
    place.centre.iter().all(|x| x.abs() < 1e150) && Space::<D>::quaternion(&place.turn).iter().all(|x| x.is_finite())
}

fn form<const D: usize>(shape: &Shape<D>, place: &Placement<D>) -> Form
where
    Space<D>: Ambient<D>,
{
    let lift = |x: &Vect<D>| Vector3::from(Space::<D>::lift(x));
    let point = |x: &Vect<D>| lift(&place.point(x));
    let axis = |k: usize| lift(&place.direction(&Vect::<D>::from_fn(|i, _| if i == k { 1.0 } else { 0.0 })));
    match shape {
        Shape::Ball(ball) => {
            Form::Ball { centre: lift(&place.centre), radius: ball.radius, spoke: axis(0) * ball.radius }
        }
        Shape::HalfSpace(half) => {
            Form::HalfSpace { origin: lift(&place.centre), normal: lift(&place.direction(&half.normal)) }
        }
        Shape::Hollow(hollow) => {
            let along = if D == 3 { axis(2) } else { Vector3::z() };
            Form::Hollow { centre: lift(&place.centre), axis: along, radius: hollow.radius }
        }
        Shape::Convex(convex) => {
            let vertices: Vec<Vector3<f64>> = convex.vertices().iter().map(point).collect();
            let faces = faces(&**convex).unwrap_or_else(|| vec![(0..vertices.len() as u32).collect()]);
            Form::Mesh { vertices, faces, closed: true }
        }
        Shape::Surface(surface) => {
            let vertices = surface.vertices.iter().map(point).collect();
            let faces = surface.facets.iter().map(|f| f.to_vec()).collect();
            Form::Mesh { vertices, faces, closed: false }
        }
    }
}

/// The faces of a polyhedron; a polygon is its own single face.
fn faces(convex: &dyn Any) -> Option<Vec<Vec<u32>>> {
    let polyhedron = convex.downcast_ref::<Polyhedron>()?;
    Some((0..polyhedron.faces().len()).map(|f| polyhedron.ring(f).to_vec()).collect())
}

/// The box around a form; empty for what has no end.
fn extent(form: &Form) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    match form {
        Form::Ball { centre, radius, .. } => bounds.add(centre, *radius),
        Form::Hollow { centre, axis, radius } => {
            // A cylinder has no ends: its box is that of its circle, flat along the axis.
            let reach = axis.map(|a| 1.04 * radius * (1.0 - a * a).max(0.0).sqrt());
            bounds.merge(&Bounds { low: centre - reach, high: centre + reach });
        }
        Form::Mesh { vertices, .. } => vertices.iter().for_each(|v| bounds.add(v, 0.0)),
        Form::HalfSpace { .. } => {}
    }
    bounds
}

/// All free bodies, and of each obstacle what is not far from them: a long floor does not make the rest small.
fn seen(free: Bounds, fixed: &[Bounds]) -> Bounds {
    let mut bounds = free;
    let reach = if free.is_empty() { Bounds::EMPTY } else { free.padded(0.4 * free.size().max()) };
    for obstacle in fixed.iter().filter(|b| !b.is_empty()) {
        let part = if free.is_empty() { *obstacle } else { obstacle.shared(&reach) };
        if !part.is_empty() {
            bounds.merge(&part);
        }
    }
    if bounds.is_empty() {
        bounds = Bounds { low: Vector3::repeat(-0.5), high: Vector3::repeat(0.5) };
    }
    // A single point has no size to fit: give it a metre, or what its coordinates can resolve.
    let resolved = 1e-9 * bounds.low.amax().max(bounds.high.amax());
    if bounds.size().max() <= resolved {
        bounds = bounds.padded(0.5f64.max(resolved));
    }
    bounds
}
