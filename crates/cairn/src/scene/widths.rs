//! Faces that reach from one body to another, as a wall of a test box does: their area follows the distance.

use super::build::Numbers;
use super::document::{Place, Problem};
use super::names::Names;
use super::{Scene, Width};
use crate::shape::{ConvexShape, Shape};
use crate::space::{Ambient, Space, Vect};

/// Component of a plane's normal from which on the plane faces along an axis.
const STRAIGHT: f64 = 1.0 - 1e-9;

/// Component of a face's normal up to which an axis lies in the face.
const LEVEL: f64 = 1e-6;

/// The sides of a face with this normal: the bodies are named two by two, one pair in the plane and two in space. Nothing if they are not
/// side by side.
pub fn widths<const D: usize>(
    scene: &Scene<D>,
    (names, numbers): (&Names, &Numbers),
    (between, place): (&[String], Place),
    normal: &Vect<D>,
) -> Option<Vec<Width>>
where
    Space<D>: Ambient<D>,
{
    let refuse = |message: String| {
        names.reader.report(Problem::new(place, message, "between which bodies?"));
        None
    };
    if between.len() != 2 * (D - 1) {
        return refuse(format!(
            "`between` names {} bodies, two for each side of the face: found {}",
            2 * (D - 1),
            between.len()
        ));
    }
    let mut widths = Vec::new();
    for pair in between.chunks_exact(2) {
        let mut bodies = [0; 2];
        for (body, name) in bodies.iter_mut().zip(pair) {
            match numbers.rigid(names, &(name.clone(), place)).as_slice() {
                [one] => *body = *one,
                [] => return None,
                more => return refuse(format!("`{name}` are {} bodies: one for each end of a side", more.len())),
            }
        }
        let axes = (0..D).filter(|k| normal[*k].abs() < LEVEL);
        let Some(width) = axes.filter_map(|axis| beside(scene, bodies, axis)).next() else {
            return refuse(format!("`{}` and `{}` are not side by side along an axis of the face", pair[0], pair[1]));
        };
        if widths.iter().any(|known: &Width| known.axis == width.axis) {
            return refuse("both pairs lie along the same axis".to_string());
        }
        widths.push(width);
    }
    Some(widths)
}

/// The distance of two bodies along an axis, if one lies beside the other.
fn beside<const D: usize>(scene: &Scene<D>, [a, b]: [u32; 2], axis: usize) -> Option<Width>
where
    Space<D>: Ambient<D>,
{
    let (one, other) = (extent(scene, a, axis), extent(scene, b, axis));
    let width = |bodies: [u32; 2], low: f64, high: f64| {
        (low.is_finite() && high.is_finite() && high > low).then_some(Width { bodies, axis, start: high - low })
    };
    width([a, b], one[1], other[0]).or_else(|| width([b, a], other[1], one[0]))
}

/// From where to where a body reaches along an axis [m].
fn extent<const D: usize>(scene: &Scene<D>, body: u32, axis: usize) -> [f64; 2]
where
    Space<D>: Ambient<D>,
{
    let (first, count) = scene.bodies[body as usize].parts;
    let mut reach = [f64::INFINITY, f64::NEG_INFINITY];
    let mut hold = |low: f64, high: f64| reach = [reach[0].min(low), reach[1].max(high)];
    for part in &scene.parts[first as usize..(first + count) as usize] {
        let place = scene.start[body as usize].place.then(&part.local);
        let at = place.centre[axis];
        match &part.shape {
            Shape::Ball(ball) => hold(at - ball.radius, at + ball.radius),
            Shape::Convex(convex) => convex.vertices().iter().map(|v| place.point(v)[axis]).for_each(|x| hold(x, x)),
            Shape::HalfSpace(half) => match place.direction(&half.normal)[axis] {
                n if n >= STRAIGHT => hold(f64::NEG_INFINITY, at),
                n if n <= -STRAIGHT => hold(at, f64::INFINITY),
                _ => hold(f64::NEG_INFINITY, f64::INFINITY),
            },
            Shape::Hollow(_) => hold(f64::NEG_INFINITY, f64::INFINITY),
            Shape::Surface(surface) => surface.vertices.iter().map(|v| place.point(v)[axis]).for_each(|x| hold(x, x)),
        }
    }
    reach
}
