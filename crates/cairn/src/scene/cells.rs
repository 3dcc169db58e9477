//! Giving a scene its periodic cell, and what is in its way.

use super::document::{Problem, Reader};
use super::geometry::lower;
use super::spec::{CellSpec, SceneSpec};
use super::{Cell, Scene};
use crate::body::Part;
use crate::shape::Shape;
use crate::space::{Ambient, Space, Vect};

/// Largest component of a plane's normal along a periodic direction that is no more than round-off.
const LEVEL: f64 = 1e-12;

/// The cell of the scene, if it has one.
pub fn add<const D: usize>(scene: &mut Scene<D>, reader: &Reader, spec: &SceneSpec)
where
    Space<D>: Ambient<D>,
{
    let Some(CellSpec { place, low, high, periodic, strains, servos }) = &spec.cell else { return };
    let (low, high): (Vect<D>, Vect<D>) = (lower(*low), lower(*high));
    let cell = Cell { low, size: high - low, periodic: *periodic, strains: strains.clone(), servos: servos.clone() };
    let refuse = |message: String, label: &str| reader.report(Problem::new(*place, message, label));
    if let Some(body) = scene.flexibles.first() {
        let name = &scene.groups[body.group as usize];
        refuse(format!("`{name}` is deformable: a periodic cell takes rigid bodies only"), "not in a cell");
    }
    if !scene.membranes.is_empty() {
        refuse("a membrane closes what a periodic cell leaves open: one of the two".into(), "not in a cell");
    }
    // One body each: a group has usually one reason.
    if let Some((body, why)) = scene.parts.iter().find_map(|part| Some((part.body, obstacle(scene, &cell, part)?))) {
        refuse(format!("`{}` {why}", scene.body_name(body)), "not in a cell");
    }
    for k in (0..D).filter(|k| periodic[*k]) {
        let across = |body: usize| {
            let (first, count) = scene.bodies[body].parts;
            let parts = &scene.parts[first as usize..(first + count) as usize];
            2.0 * parts.iter().map(|part| part.local.centre.norm() + part.radius).fold(0.0, f64::max)
        };
        // What only translates is always as far from its own images as at the start.
        let turns = |body: &usize| scene.bodies[*body].held[D..D + Space::<D>::SPINS].iter().any(|held| !held);
        let movable = (0..scene.bodies.len()).filter(|body| scene.bodies[*body].mass.is_finite()).filter(turns);
        if let Some(body) = movable.filter(|body| across(*body).is_finite()).find(|body| across(*body) >= cell.size[k])
        {
            let (name, across) = (scene.body_name(body as u32), across(body));
            let message =
                format!("`{name}` is {across:.6} m across and would meet itself in a cell of {:.6} m", cell.size[k]);
            refuse(message, "too large");
            break;
        }
    }
    scene.cell = Some(cell);
}

/// Why an unbounded part is not the same seen from all images, if so.
fn obstacle<const D: usize>(scene: &Scene<D>, cell: &Cell<D>, part: &Part<D>) -> Option<&'static str>
where
    Space<D>: Ambient<D>,
{
    let place = scene.start[part.body as usize].place.then(&part.local);
    let sheared = |k: usize| cell.strains.iter().any(|strain| strain.row == k);
    let moves = |k: usize| {
        cell.periodic[k] || sheared(k) || cell.servos.iter().any(|servo| servo.directions().any(|(row, _)| row == k))
    };
    let along = |x: &Vect<D>| (0..D).any(|k| moves(k) && x[k].abs() > LEVEL);
    match &part.shape {
        Shape::Ball(_) | Shape::Convex(_) => None,
        Shape::HalfSpace(half) => along(&place.direction(&half.normal))
            .then_some("ends a direction in which the cell is periodic: its face has to run along it"),
        Shape::Hollow(_) => {
            let is_across = |k: usize| cell.periodic[k] && (D == 2 || k != 2);
            let axis = place.direction(&Vect::<D>::from_fn(|k, _| f64::from(u8::from(k == 2))));
            let is_turned = D == 3 && (axis[2].abs() - 1.0).abs() > LEVEL;
            (is_turned || (0..D).any(is_across)).then_some("closes a direction in which the cell is periodic")
        }
        Shape::Surface(_) => Some("is a surface: in a periodic cell walls are convex bodies or planes"),
    }
}
