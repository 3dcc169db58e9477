//! Detection as a whole: against looking at every pair, over threads, and its timing.

use super::*;
use crate::contact::{Reaction, Status};
use crate::shape::{Ball, HalfSpace, Hollow, Polygon, Shape};
use crate::space::Vect;
use std::sync::Arc;
use std::time::Instant;

/// Repeatable numbers in [0, 1).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Sample<const D: usize>
where
    Space<D>: Ambient<D>,
{
    parts: Vec<Part<D>>,
    places: Vec<Placement<D>>,
    reach: Vec<f64>,
}

impl<const D: usize> Sample<D>
where
    Space<D>: Ambient<D>,
{
    fn new() -> Self {
        Self { parts: Vec::new(), places: Vec::new(), reach: Vec::new() }
    }

    fn add(&mut self, shape: Shape<D>, centre: Vect<D>, reach: f64) {
        let (body, radius) = (self.parts.len() as u32, shape.bounding_radius());
        self.parts.push(Part { body, shape, local: Placement::identity(), radius });
        self.places.push(Placement { centre, ..Placement::identity() });
        self.reach.push(reach);
    }

    fn found(&self, law_between: &(impl Fn(u32, u32) -> Option<u16> + Sync)) -> Vec<Contact<D>> {
        let mut out = Vec::new();
        detect(&self.parts, &self.places, &self.reach, law_between, &mut Detector::default(), &mut out);
        out
    }

    /// Every pair looked at.
    fn by_force(&self) -> Vec<Contact<D>> {
        let mut out = Vec::new();
        let mut touches = Vec::new();
        for (j, y) in self.parts.iter().enumerate() {
            for (i, x) in self.parts[..j].iter().enumerate() {
                touches.clear();
                let reach = self.reach[i] + self.reach[j];
                pair::touches((&x.shape, &self.places[i]), (&y.shape, &self.places[j]), reach, &mut touches);
                out.extend(touches.iter().map(|&touch| Contact {
                    key: Key::new(i as u32, j as u32, touch.feature),
                    bodies: [x.body, y.body],
                    touch,
                    law: 0,
                }));
            }
        }
        out.sort_by_key(|c| c.key);
        out
    }
}

/// Sizes from 1 to 20, walls, a drum, and one stone very far away.
fn grains<const D: usize>(count: usize, side: f64) -> Sample<D>
where
    Space<D>: Ambient<D>,
{
    let mut dice = Dice(7);
    let mut sample = Sample::new();
    let up = Vect::from_fn(|i, _| if i == 1 { 1.0 } else { 0.0 });
    sample.add(Shape::HalfSpace(HalfSpace { normal: up }), Vect::zeros(), 0.0);
    for _ in 0..count {
        let radius = 0.02 * 20f64.powf(dice.roll() * dice.roll());
        let centre = Vect::from_fn(|_, _| side * dice.roll());
        sample.add(Shape::Ball(Ball { radius }), centre, 0.05 * radius);
    }
    sample.add(Shape::Hollow(Hollow { radius: 0.65 * side }), Vect::repeat(0.5 * side), 0.01);
    sample.add(Shape::Ball(Ball { radius: 0.3 }), Vect::repeat(1e7), 0.0);
    sample
}

#[test]
fn grid_finds_what_looking_at_every_pair_finds() {
    let plane = grains::<2>(800, 4.0);
    assert_eq!(plane.found(&|_, _| Some(0)), plane.by_force());
    let solid = grains::<3>(800, 1.5);
    let contacts = solid.found(&|_, _| Some(0));
    assert!(contacts.len() > 1000);
    assert_eq!(contacts, solid.by_force());
}

#[test]
fn polygons_and_disks_of_all_sizes_are_found_together() {
    let mut dice = Dice(3);
    let mut sample = grains::<2>(300, 4.0);
    for _ in 0..300 {
        let size = 0.03 * 20f64.powf(dice.roll() * dice.roll());
        let points: Vec<Vect<2>> =
            (0..5).map(|_| Vect::<2>::new(dice.roll() - 0.5, dice.roll() - 0.5) * size).collect();
        let centre = Vect::<2>::new(4.0 * dice.roll(), 4.0 * dice.roll());
        sample.add(Shape::Convex(Arc::new(Polygon::new(&points).unwrap())), centre, 0.02 * size);
    }
    assert_eq!(sample.found(&|_, _| Some(0)), sample.by_force());
}

#[test]
fn contacts_are_the_same_for_any_number_of_threads() {
    let sample = grains::<3>(20_000, 4.0);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sample.found(&|_, _| Some(0)))
    };
    let one = with_threads(1);
    assert!(one.len() > 2 * CHUNK);
    assert!(one.is_sorted_by(|x, y| x.key < y.key));
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(3));
}

#[test]
fn parts_of_one_body_and_pairs_without_a_law_do_not_touch() {
    let mut sample = Sample::<2>::new();
    for i in 0..4 {
        sample.add(Shape::Ball(Ball { radius: 0.5 }), Vect::<2>::new(0.9 * f64::from(i), 0.0), 0.0);
    }
    sample.parts[1].body = 0;
    let found = sample.found(&|a, b| (a + b != 5).then_some(7));
    assert_eq!(found.iter().map(|c| (c.key.candidate, c.key.antagonist, c.law)).collect::<Vec<_>>(), [(1, 2, 7)]);
    assert_eq!(worst_overlap(&found).map(|(bodies, _)| bodies), Some([0, 2]));
    assert!((worst_overlap(&found).unwrap().1 + 0.1).abs() < 1e-15);
}

#[test]
fn positions_that_are_no_numbers_do_no_harm() {
    let mut sample = grains::<2>(50, 1.0);
    sample.places[5].centre = Vect::repeat(f64::NAN);
    sample.places[9].centre = Vect::repeat(f64::INFINITY);
    assert!(sample.found(&|_, _| Some(0)).iter().all(|c| c.key.candidate != 5 && c.key.antagonist != 5));
}

/// Prints the time of the phases: `cargo test --release -p cairn timing -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn timing_of_dense_packings() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        time_detection("equal spheres", &lattice::<3>(47, |_| 1.0));
        time_detection("spheres ± 10 %", &lattice::<3>(47, |dice| 0.9 + 0.2 * dice.roll()));
        time_detection("disks ± 10 %", &lattice::<2>(320, |dice| 0.9 + 0.2 * dice.roll()));
        time_detection("spheres 1:20 at random", &cloud::<3>(100_000, 0.5));
        time_detection("disks 1:20 at random", &cloud::<2>(100_000, 0.5));
        time_detection("bricks in running bond", &wall(100, 100));
    });
}

/// A jittered lattice with about three contacts a grain.
fn lattice<const D: usize>(side: usize, mut size: impl FnMut(&mut Dice) -> f64) -> Sample<D>
where
    Space<D>: Ambient<D>,
{
    let mut dice = Dice(1);
    let mut sample = Sample::<D>::new();
    for i in 0..side.pow(D as u32) {
        let centre = Vect::from_fn(|k, _| (i / side.pow(k as u32) % side) as f64 * 0.99 + 0.02 * dice.roll());
        let radius = 0.5 * size(&mut dice);
        sample.add(Shape::Ball(Ball { radius }), centre, 0.01 * radius);
    }
    sample
}

/// Grains of 1:20 thrown at random into a box that they fill to the given part.
fn cloud<const D: usize>(count: usize, fill: f64) -> Sample<D>
where
    Space<D>: Ambient<D>,
{
    let mut dice = Dice(1);
    let balls: Vec<Ball> = (0..count).map(|_| Ball { radius: 20f64.powf(-dice.roll()) }).collect();
    let volume: f64 = balls.iter().map(|ball| ball.mass_properties::<D>().volume).sum();
    let side = (volume / fill).powf(1.0 / D as f64);
    let mut sample = Sample::<D>::new();
    for ball in balls {
        let centre = Vect::from_fn(|_, _| side * dice.roll());
        sample.add(Shape::Ball(ball), centre, 0.01 * ball.radius);
    }
    sample
}

/// Bricks 2 × 1 in running bond.
fn wall(courses: u32, length: u32) -> Sample<2> {
    let brick = Arc::new(Polygon::rectangle(2.0, 1.0).unwrap());
    let mut sample = Sample::new();
    for (course, i) in (0..courses).flat_map(|course| (0..length).map(move |i| (course, i))) {
        let centre = Vect::<2>::new(f64::from(2 * i + course % 2), f64::from(course));
        sample.add(Shape::Convex(brick.clone()), centre, 0.01);
    }
    sample
}

#[test]
fn wall_in_running_bond_has_two_contacts_a_joint() {
    let (courses, length) = (7, 9);
    let contacts = wall(courses, length).found(&|_, _| Some(0));
    let head_joints = courses * (length - 1);
    let bed_joints = (courses - 1) * (2 * length - 1);
    assert_eq!(contacts.len() as u32, 2 * (head_joints + bed_joints));
    assert!(contacts.iter().all(|c| c.touch.gap.abs() < 1e-15 && c.touch.area == 0.5));
}

fn time_detection<const D: usize>(name: &str, sample: &Sample<D>)
where
    Space<D>: Ambient<D>,
{
    let (mut work, mut out) = (Detector::default(), Vec::new());
    let mut best = [f64::INFINITY; 3];
    for _ in 0..10 {
        let clock = Instant::now();
        work.bounds.fill(&sample.parts, &sample.places, &sample.reach);
        work.broad.pairs(&sample.parts, &sample.places, &work.bounds, &mut work.pairs);
        best[0] = best[0].min(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        detect(&sample.parts, &sample.places, &sample.reach, &|_, _| Some(0), &mut work, &mut out);
        best[1] = best[1].min(clock.elapsed().as_secs_f64());
        let (impulse, velocity, status) = (Vect::zeros(), Vect::zeros(), Status::Open);
        let previous: Vec<_> = out.iter().map(|&contact| Reaction::new(contact, impulse, velocity, status)).collect();
        let clock = Instant::now();
        let remembered = track(&out, &previous);
        best[2] = best[2].min(clock.elapsed().as_secs_f64());
        assert!(remembered.iter().all(Option::is_some));
    }
    println!(
        "{name}: {} parts, {} contacts; broad {:.1} ms, detect {:.1} ms, track {:.1} ms: {:.3} µs per contact",
        sample.parts.len(),
        out.len(),
        1e3 * best[0],
        1e3 * best[1],
        1e3 * best[2],
        1e6 * (best[1] + best[2]) / out.len() as f64
    );
}
