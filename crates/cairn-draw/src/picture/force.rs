//! Contact forces as bars whose thickness is proportional to the force.
//!
//! The forces between two parts are drawn as their resultant F = Σ Rᵢ/h at the centre of pressure
//! p = Σ pᵢ |Rᵢ·n| / Σ |Rᵢ·n|. Forces above the mean are the strong network, those below the weak one (Radjai et al.
//! 1998); forces that pull have a colour of their own. Into a ball the bar goes from p to its centre (chains through a
//! packing); into a block or a deformable body it follows the force for half the radius of the smaller of the two (the
//! line of thrust through masonry).

use super::Shared;
use crate::colour::{Colour, Theme};
use cairn::body::{Motion, Part};
use cairn::contact::{Reaction, Side};
use cairn::scene::Scene;
use cairn::shape::Shape;
use cairn::space::{Ambient, Space, Vect};
use nalgebra::Vector3;

/// Which of the colours of forces a bar has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Below the mean.
    Weak,
    /// Above the mean; any compression where the two are not told apart.
    Strong,
    /// Pulls.
    Tension,
}

impl Kind {
    /// From back to front.
    pub const ALL: [Kind; 3] = [Kind::Weak, Kind::Strong, Kind::Tension];

    /// Its colour.
    pub fn colour(self, theme: &Theme) -> Colour {
        match self {
            Kind::Weak => theme.weak_force,
            Kind::Strong => theme.force,
            Kind::Tension => theme.tension,
        }
    }
}

/// A force to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Corners of the bar [m].
    pub points: Vec<Vector3<f64>>,
    /// Norm of the resultant [N].
    pub force: f64,
    /// Strong, weak or pulling.
    pub kind: Kind,
}

/// The forces of a picture, weakest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Bars.
    pub bars: Vec<Bar>,
    /// The largest force [N], of all pictures of a series; 0 if there is none.
    pub largest: f64,
    /// Mean of all forces that are not zero [N].
    pub mean: f64,
    /// Thickness of the largest bar [m].
    pub thickness: f64,
    /// What the thickness stands for, and its unit; contact forces if not given.
    pub label: Option<(String, String)>,
}

/// Bars of given lines.
pub fn of_strokes<const D: usize>(scene: &Scene<D>, strokes: &Strokes) -> Bars
where
    Space<D>: Ambient<D>,
{
    let largest = strokes.largest.unwrap_or_else(|| strokes.lines.iter().map(|l| l.1).fold(0.0, f64::max));
    let kind = if strokes.opens { Kind::Tension } else { Kind::Strong };
    let bar = |(points, value): &(Vec<[f64; 3]>, f64)| Bar {
        points: points.iter().map(|p| Vector3::from(*p)).collect(),
        force: *value,
        kind,
    };
    let mut bars: Vec<Bar> = strokes.lines.iter().filter(|l| l.1 > largest / 300.0).map(bar).collect();
    bars.sort_by(|a, b| a.force.total_cmp(&b.force));
    let mean = bars.iter().map(|b| b.force).sum::<f64>() / bars.len().max(1) as f64;
    let label = Some((strokes.name.clone(), strokes.unit.clone()));
    Bars { bars, largest, mean, thickness: thickness(scene), label }
}

/// Lines drawn instead of contact forces, each with a value that is its thickness: thrust lines, cracks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strokes {
    /// What the thickness stands for.
    pub name: String,
    /// Its SI unit.
    pub unit: String,
    /// Points [m] and value.
    pub lines: Vec<(Vec<[f64; 3]>, f64)>,
    /// The value of the thickest line; the largest of all if not given.
    pub largest: Option<f64>,
    /// In the colour of what pulls and opens?
    pub opens: bool,
}

/// Collects the bars of all contacts; weaker ones than 1/300 of the largest cannot be seen and are left out.
/// `split` tells strong from weak forces; `shared` gives the largest force of a series of pictures.
pub fn bars<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
    split: bool,
    shared: Option<&Shared>,
) -> Bars
where
    Space<D>: Ambient<D>,
{
    let same_parts = |a: &Reaction<D>, b: &Reaction<D>| a.contact.key.pair() == b.contact.key.pair();
    let soft: Vec<f64> = scene.flexibles.iter().map(|body| 0.5 * body.extent()).collect();
    let pairs = reactions.chunk_by(same_parts);
    let mut bars: Vec<Bar> = pairs.filter_map(|pair| resultant(scene, motions, &soft, pair)).collect();
    let largest = bars.iter().map(|b| b.force).fold(0.0, f64::max);
    let mean = bars.iter().map(|b| b.force).sum::<f64>() / bars.len().max(1) as f64;
    let largest = shared.map_or(largest, |s| s.largest_force.max(largest));
    for bar in bars.iter_mut().filter(|b| split && b.kind == Kind::Strong && b.force < mean) {
        bar.kind = Kind::Weak;
    }
    bars.retain(|b| b.force > largest / 300.0);
    bars.sort_by(|a, b| a.force.total_cmp(&b.force));
    Bars { bars, largest, mean, thickness: thickness(scene), label: None }
}

/// Thickness of the largest bar [m].
pub fn thickness<const D: usize>(scene: &Scene<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    0.6 * typical_radius(scene)
}

/// Median radius of the bounded parts of free bodies [m]; blocks count as half their bounding ball.
fn typical_radius<const D: usize>(scene: &Scene<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let free = |p: &&Part<D>| scene.bodies.get(p.body as usize).is_some_and(|b| !b.is_obstacle());
    let radius = |p: &Part<D>| if matches!(p.shape, Shape::Ball(_)) { p.radius } else { 0.5 * p.radius };
    let radii = scene.parts.iter().filter(free).map(radius);
    let mut radii: Vec<f64> = radii.filter(|r| r.is_finite() && *r > 0.0).collect();
    radii.extend(scene.flexibles.iter().map(|body| 0.08 * body.extent()));
    if radii.is_empty() {
        return 1.0;
    }
    let middle = radii.len() / 2;
    *radii.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// `soft` has the radii of the deformable bodies, whose part numbers follow those of the rigid parts.
fn resultant<const D: usize>(scene: &Scene<D>, motions: &[Motion<D>], soft: &[f64], pair: &[Reaction<D>]) -> Option<Bar>
where
    Space<D>: Ambient<D>,
{
    let (mut impulse, mut normal, mut weight) = (Vect::<D>::zeros(), 0.0, 0.0);
    let mut moment = Vect::<D>::zeros();
    for reaction in pair {
        let pressed = reaction.impulse.dot(&reaction.contact.touch.normal);
        impulse += reaction.impulse;
        normal += pressed;
        weight += pressed.abs();
        moment += reaction.contact.touch.point * pressed.abs();
    }
    let force = impulse.norm() / scene.time.step;
    if !(force.is_finite() && force > 0.0 && weight > 0.0) {
        return None;
    }
    let kind = if normal < 0.0 { Kind::Tension } else { Kind::Strong };
    let centre = moment / weight;
    let direction = impulse / impulse.norm();
    let key = pair[0].contact.key;
    let radius = |part: u32| match scene.side_of_part(part) {
        Side::Rigid(p) => scene.parts[p].radius,
        Side::Deformable(k) => soft.get(k).copied().unwrap_or(f64::INFINITY),
    };
    let length = 0.5 * radius(key.candidate).min(radius(key.antagonist));
    let ends = [(key.candidate, direction), (key.antagonist, -direction)];
    let [into, mut from] = ends.map(|(part, along)| end(scene, motions, part, &centre, &(along * length)));
    // In a cell the antagonist may be an image, whose centre is behind the contact.
    if let (Some(_), Side::Rigid(part)) = (&scene.cell, scene.side_of_part(key.antagonist))
        && let Shape::Ball(ball) = &scene.parts[part].shape
    {
        from = Some(centre - pair[0].contact.touch.normal * ball.radius);
    }
    let points: Vec<Vector3<f64>> =
        [into, Some(centre), from].into_iter().flatten().map(|p| Vector3::from(Space::<D>::lift(&p))).collect();
    let finite = points.iter().all(|p| p.iter().all(|x| x.is_finite()));
    (finite && points.len() > 1).then_some(Bar { points, force, kind })
}

/// Where a bar ends inside a rigid part or a deformable body; `None` if the part has no inside to speak of.
fn end<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    part: u32,
    centre: &Vect<D>,
    along: &Vect<D>,
) -> Option<Vect<D>>
where
    Space<D>: Ambient<D>,
{
    let Side::Rigid(part) = scene.side_of_part(part) else { return Some(centre + along) };
    let part = &scene.parts[part];
    let place = motions.get(part.body as usize)?.place;
    match part.shape {
        Shape::Ball(_) => Some(place.point(&part.local.centre)),
        Shape::Convex(_) => Some(centre + along),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{add, add_ball, add_floor, empty, reaction};
    use super::*;
    use cairn::shape::Polygon;
    use std::sync::Arc;

    #[test]
    fn chains_run_from_centre_to_centre() {
        let mut scene = empty::<2>("");
        add_ball(&mut scene, Vect::<2>::new(0.0, 3.0), 1.0, 1.0);
        add_ball(&mut scene, Vect::<2>::new(0.0, 1.0), 1.0, 1.0);
        add_floor(&mut scene, Vect::<2>::zeros(), Vect::<2>::y(), 1.0);
        let up =
            |bodies, y: f64, f: f64| reaction(bodies, Vect::<2>::new(0.0, y), Vect::<2>::y(), Vect::<2>::new(0.0, f));
        let drawn = bars(
            &scene,
            &scene.start,
            &[up([0, 1], 2.0, 30.0), up([1, 2], 0.0, 50.0), up([0, 2], 0.0, 0.1)],
            false,
            None,
        );
        assert_eq!(drawn.largest, 50.0);
        assert_eq!(drawn.bars.len(), 2, "what cannot be seen is left out");
        let heights = |bar: &Bar| bar.points.iter().map(|p| p.y).collect::<Vec<f64>>();
        assert_eq!((heights(&drawn.bars[0]), heights(&drawn.bars[1])), (vec![3.0, 2.0, 1.0], vec![1.0, 0.0]));
    }

    #[test]
    fn a_joint_shows_its_resultant_at_the_centre_of_pressure() {
        let mut scene = empty::<2>("");
        let block = Arc::new(Polygon::rectangle(2.0, 1.0).unwrap());
        for y in [1.5, 0.5] {
            add(&mut scene, Shape::Convex(block.clone()), Vect::<2>::new(0.0, y), 1.2, false, 1.0);
        }
        let at = |x: f64, f: f64| reaction([0, 1], Vect::<2>::new(x, 1.0), Vect::<2>::y(), Vect::<2>::new(0.0, f));
        let drawn = bars(&scene, &scene.start, &[at(-1.0, 10.0), at(1.0, 30.0)], false, None);
        assert_eq!(drawn.bars[0].force, 40.0);
        for (point, y) in drawn.bars[0].points.iter().zip([1.6, 1.0, 0.4]) {
            assert!((point - Vector3::new(0.5, y, 0.0)).norm() < 1e-14, "{point}");
        }
    }
    #[test]
    fn strong_weak_and_pulling_forces_are_told_apart() {
        let mut scene = empty::<2>("");
        for x in 0..4 {
            add_ball(&mut scene, Vect::<2>::new(2.0 * f64::from(x), 0.0), 1.0, 1.0);
        }
        // n points from the second to the first: positive forces along it press.
        let at = |a: u32, f: f64| {
            let x = Vect::<2>::new(2.0 * f64::from(a) + 1.0, 0.0);
            reaction([a, a + 1], x, -Vect::<2>::x(), Vect::<2>::new(-f, 0.0))
        };
        let forces = [at(0, 10.0), at(1, 50.0), at(2, -30.0)];
        let kinds = |split| -> Vec<(f64, Kind)> {
            let drawn = bars(&scene, &scene.start, &forces, split, None);
            assert_eq!(drawn.mean, 30.0);
            drawn.bars.iter().map(|b| (b.force, b.kind)).collect()
        };
        assert_eq!(kinds(true), [(10.0, Kind::Weak), (30.0, Kind::Tension), (50.0, Kind::Strong)]);
        assert_eq!(kinds(false)[0], (10.0, Kind::Strong));
    }
}
