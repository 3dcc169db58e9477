//! Bounds of the parts: a ball each, and a box each where some part is not a ball.

use crate::body::Part;
use crate::shape::{Aabb, ConvexShape, Shape};
use crate::space::{Ambient, Placement, Space, Vect};

/// What detection has to know of a part before it looks at its shape, in one place in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundingBall<const D: usize> {
    /// Centre of the part's frame [m].
    pub centre: Vect<D>,
    /// Radius of the bounding ball; of the ball itself if it is one; infinite for unbounded shapes [m].
    pub radius: f64,
    /// How far the part looks around itself [m].
    pub reach: f64,
    /// Its body.
    pub body: u32,
    /// Is it a ball?
    pub is_ball: bool,
    /// Is it unbounded or a surface, to be tested against every other part?
    pub is_wide: bool,
}

/// Bounds of all parts.
#[derive(Debug)]
pub(super) struct Bounds<const D: usize> {
    /// Bounding balls.
    pub balls: Vec<BoundingBall<D>>,
    /// Boxes grown by the reach; empty if all bounded parts are balls.
    pub boxes: Vec<Aabb<D>>,
}

impl<const D: usize> Default for Bounds<D> {
    fn default() -> Self {
        Self { balls: Vec::new(), boxes: Vec::new() }
    }
}

impl<const D: usize> Bounds<D> {
    /// Do the boxes of two bounded parts meet?
    pub fn boxes_meet(&self, a: u32, b: u32) -> bool {
        self.boxes.is_empty() || self.boxes[a as usize].meets(&self.boxes[b as usize])
    }
}

impl<const D: usize> Bounds<D>
where
    Space<D>: Ambient<D>,
{
    /// Computes the bounds of all parts.
    pub fn fill(&mut self, parts: &[Part<D>], places: &[Placement<D>], reach: &[f64]) {
        self.balls.clear();
        self.balls.extend(parts.iter().zip(places).zip(reach).map(|((part, place), &reach)| BoundingBall {
            centre: place.centre,
            radius: if let Shape::Ball(ball) = &part.shape { ball.radius } else { part.radius },
            reach,
            body: part.body,
            is_ball: matches!(part.shape, Shape::Ball(_)),
            is_wide: !matches!(part.shape, Shape::Ball(_) | Shape::Convex(_)),
        }));
        self.boxes.clear();
        if parts.iter().any(|p| matches!(p.shape, Shape::Convex(_))) {
            let all = parts.iter().zip(places).zip(&self.balls);
            self.boxes.extend(all.map(|((part, place), ball)| box_of(part, place, ball)));
        }
    }
}

fn box_of<const D: usize>(part: &Part<D>, place: &Placement<D>, ball: &BoundingBall<D>) -> Aabb<D>
where
    Space<D>: Ambient<D>,
{
    if let Shape::Convex(convex) = &part.shape {
        let axes = Space::<D>::matrix(&place.turn);
        let mut around = Aabb::<D> { min: Vect::repeat(f64::INFINITY), max: Vect::repeat(f64::NEG_INFINITY) };
        for v in convex.vertices() {
            let x = axes * v;
            around = Aabb { min: around.min.inf(&x), max: around.max.sup(&x) };
        }
        return Aabb { min: around.min + place.centre, max: around.max + place.centre }.grown(ball.reach);
    }
    Aabb { min: ball.centre, max: ball.centre }.grown(ball.radius + ball.reach)
}
