//! The generic tests that every pair of shapes has to pass, and what it takes to make random pairs.

use super::touches;
use crate::contact::Touch;
use crate::shape::{Ball, ConvexShape, Polygon, Shape};
use crate::space::{Ambient, Placement, Space, Spin, Vect};
use proptest::prelude::*;
use std::sync::Arc;

/// Round-off allowed for shapes of size 1 within some 10 m of the origin [m].
pub(crate) const ROUND_OFF: f64 = 1e-12;

/// A placed shape.
pub(crate) type PlacedShape<const D: usize> = (Shape<D>, Placement<D>);

pub(crate) fn found<const D: usize>(x: &PlacedShape<D>, y: &PlacedShape<D>, reach: f64) -> Vec<Touch<D>>
where
    Space<D>: Ambient<D>,
{
    let mut out = Vec::new();
    touches((&x.0, &x.1), (&y.0, &y.1), reach, &mut out);
    out
}

/// The smallest gap of all touches.
pub(crate) fn smallest_gap<const D: usize>(touches: &[Touch<D>]) -> Option<f64> {
    touches.iter().map(|t| t.gap).min_by(f64::total_cmp)
}

fn alike<const D: usize>(x: &Touch<D>, y: &Touch<D>) -> bool {
    // Directions between two points are only as good as the distance between them.
    let directions = ROUND_OFF * (1.0 + 1.0 / x.gap.abs().max(1e-3));
    (x.point - y.point).norm() < 10.0 * ROUND_OFF
        && (x.normal - y.normal).norm() < directions
        && (x.gap - y.gap).abs() < ROUND_OFF
        && (x.area - y.area).abs() < ROUND_OFF
}

/// Action–reaction, invariance under a rigid motion, unit normals, distinct features, nothing beyond reach.
pub(crate) fn check<const D: usize>(
    x: &PlacedShape<D>,
    y: &PlacedShape<D>,
    reach: f64,
    shift: &Vect<D>,
    angle: &Spin<D>,
) -> Vec<Touch<D>>
where
    Space<D>: Ambient<D>,
{
    let here = found(x, y, reach);
    for (i, touch) in here.iter().enumerate() {
        assert!((touch.normal.norm() - 1.0).abs() < 1e-14, "normal of length {}", touch.normal.norm());
        assert!(touch.gap <= reach && touch.area >= 0.0);
        assert!(here[..i].iter().all(|t| t.feature != touch.feature), "feature {} twice", touch.feature);
    }

    let swapped = found(y, x, reach);
    assert_eq!(here.len(), swapped.len(), "swapped: {here:?} {swapped:?}");
    for touch in &here {
        let opposite = Touch { normal: -touch.normal, ..*touch };
        assert!(swapped.iter().any(|t| alike(t, &opposite)), "no reaction to {touch:?} in {swapped:?}");
    }

    let motion = Placement { centre: *shift, turn: Space::<D>::turn_by(angle) };
    let moved = |p: &PlacedShape<D>| (p.0.clone(), motion.then(&p.1));
    let there = found(&moved(x), &moved(y), reach);
    assert_eq!(here.len(), there.len(), "moved: {here:?} {there:?}");
    for touch in &here {
        let expected = Touch { point: motion.point(&touch.point), normal: motion.direction(&touch.normal), ..*touch };
        let same = there.iter().any(|t| t.feature == touch.feature && alike(t, &expected));
        assert!(same, "moved: {expected:?} not in {there:?}");
    }
    here
}

pub(crate) fn ball<const D: usize>(radius: f64) -> Shape<D>
where
    Space<D>: Ambient<D>,
{
    Shape::Ball(Ball { radius })
}

pub(crate) fn point() -> impl Strategy<Value = Vect<2>> {
    (-1.0..1.0, -1.0..1.0).prop_map(|(x, y)| Vect::<2>::new(x, y))
}

pub(crate) fn placement() -> impl Strategy<Value = Placement<2>> {
    (point(), -3.1..3.1).prop_map(|(x, angle)| Placement { centre: 1.5 * x, turn: Space::<2>::turn_by(&angle) })
}

/// Polygons of 2 to 8 vertices with a size of about 1 and no very short edge.
pub(crate) fn polygon() -> impl Strategy<Value = Polygon> {
    proptest::collection::vec(point(), 2..9)
        .prop_filter_map("degenerate", |points| Polygon::new(&points).ok())
        .prop_filter("short edge", |p| p.lengths().iter().all(|&l| l > 0.05))
}

pub(crate) fn convex(polygon: Polygon) -> Shape<2> {
    Shape::Convex(Arc::new(polygon))
}

pub(crate) fn corners(polygon: &Polygon, place: &Placement<2>) -> Vec<Vect<2>> {
    polygon.vertices().iter().map(|v| place.point(v)).collect()
}

/// Sides of a closed outline.
pub(crate) fn sides(corners: &[Vect<2>]) -> Vec<[Vect<2>; 2]> {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]).collect()
}

pub(crate) fn point_to_segment(x: &Vect<2>, [p, q]: &[Vect<2>; 2]) -> f64 {
    let e = q - p;
    (x - p - e * (e.dot(&(x - p)) / e.norm_squared()).clamp(0.0, 1.0)).norm()
}

/// Distance of two sets of segments, none if they cross.
pub(crate) fn distance(xs: &[[Vect<2>; 2]], ys: &[[Vect<2>; 2]]) -> Option<f64> {
    let mut best = f64::INFINITY;
    for x in xs {
        for y in ys {
            let side = |s: &[Vect<2>; 2], p: &Vect<2>| (s[1] - s[0]).perp(&(p - s[0]));
            if side(x, &y[0]) * side(x, &y[1]) < 0.0 && side(y, &x[0]) * side(y, &x[1]) < 0.0 {
                return None;
            }
            for (p, s) in [(&x[0], y), (&x[1], y), (&y[0], x), (&y[1], x)] {
                best = best.min(point_to_segment(p, s));
            }
        }
    }
    Some(best)
}

/// Is the point inside the (counter-clockwise, convex) outline?
pub(crate) fn inside(x: &Vect<2>, outline: &[[Vect<2>; 2]]) -> bool {
    outline.iter().all(|[p, q]| (q - p).perp(&(x - p)) > 0.0)
}
