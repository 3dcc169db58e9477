//! Running-bond walls of meshed blocks: every face pair gives its points, corners that meet give none.

use super::tests::{Dressed, block, points, range, rectangle};
use super::*;
use crate::space::{Ambient, Space, Vect};
use std::collections::BTreeSet;

const COURSES: usize = 12;
const BLOCKS: usize = 12;

/// Where blocks of a running bond start and how long they are, course by course; half blocks at odd ends.
fn bond() -> Vec<(f64, f64, usize)> {
    let mut blocks = Vec::new();
    for course in 0..COURSES {
        let mut x = 0.0;
        while x < BLOCKS as f64 - 0.25 {
            let is_half = course % 2 == 1 && (x == 0.0 || x > BLOCKS as f64 - 0.75);
            let length = if is_half { 0.5 } else { 1.0 };
            blocks.push((x, length, course));
            x += length;
        }
    }
    blocks
}

/// A small number that differs from node to node.
fn noise(k: usize) -> f64 {
    1e-12 * (k as f64 * 12.9898).sin()
}

fn plane_wall(choice: Points, shaken: bool) -> Vec<Dressed<2>> {
    let make = |(i, (x, length, course)): (usize, (f64, f64, usize))| {
        let corner = Vect::<2>::new(0.4 * x, 0.2 * course as f64);
        let (nodes, sides) = rectangle(corner, Vect::<2>::new(0.4 * length, 0.2), [2, 2]);
        let mut body = Dressed::new(nodes, &sides, &points(choice));
        if shaken {
            body.moved(|x| x + Vect::<2>::new(noise(i + (1e3 * x.x) as usize), noise(7 * i + (1e3 * x.y) as usize)));
        }
        body
    };
    bond().into_iter().enumerate().map(make).collect()
}

fn gather<const D: usize>(wall: &[Dressed<D>], passes: Passes) -> Vec<MeshContact<D>>
where
    Space<D>: Ambient<D>,
{
    let meshes: Vec<_> = wall
        .iter()
        .enumerate()
        .map(|(i, b)| {
            let (number, size) = (i as u32, b.skin.size());
            MeshPart { number, placed: b.placed(), range: range(0.01 * size, 0.5 * size), own_depths: Some(&b.depths) }
        })
        .collect();
    let mut out = Vec::new();
    let between = |_: usize, _: usize| Some(Pairing { law: 0, passes, corners: false });
    detect_meshes(&meshes, (&[], &[], &[]), &between, &|_, _| None, &mut out);
    out
}

/// Head joints: 6 × 11 + 6 × 12 = 138; bed joints between courses: 11.
#[test]
fn plane_wall_has_the_points_of_its_joints_and_no_others() {
    // One point a segment: head joints 138 × 2. Tops of even courses carry 24 points (6 of them below another course),
    // of odd ones 26 (5); the bottoms of the courses above 26 (6) and 24 (5).
    let heads = 138 * 2;
    for (passes, beds) in [(Passes::First, 6 * 24 + 5 * 26), (Passes::Second, 6 * 26 + 5 * 24)] {
        for shaken in [false, true] {
            let found = gather(&plane_wall(Points::Middles, shaken), passes);
            let upright = found.iter().filter(|c| c.touch.touch.normal.y.abs() > 1.0 - 1e-9).count();
            let level = found.iter().filter(|c| c.touch.touch.normal.x.abs() > 1.0 - 1e-9).count();
            assert_eq!((upright, level, found.len()), (beds, heads, beds + heads), "{passes:?} {shaken}");
            assert!(found.iter().all(|c| c.touch.touch.gap.abs() < 1e-11));
        }
    }
    let both = gather(&plane_wall(Points::Middles, false), Passes::Both);
    assert_eq!(both.len(), 2 * heads + 11 * 50);
}

#[test]
fn nodes_of_a_plane_wall_touch_only_across_joints() {
    // Three nodes a face. A node in the middle of a face lies over a head joint and touches both blocks: in courses under
    // another one, 12 or 11 whole blocks.
    let expected = 138 * 3 + (6 * (36 + 12) + 5 * (39 + 11));
    let mut keys = Vec::new();
    for shaken in [false, true] {
        let found = gather(&plane_wall(Points::Nodes, shaken), Passes::First);
        assert!(found.iter().all(|c| c.touch.touch.normal.amax() > 1.0 - 1e-9));
        keys.push(found.iter().map(|c| c.key).collect::<BTreeSet<_>>());
    }
    assert_eq!(keys[0].len(), expected);
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn corners_of_a_stack_do_not_touch_across_the_diagonal() {
    let make = |i: u32| {
        let corner = Vect::<2>::new(f64::from(i % 3), f64::from(i / 3));
        let (nodes, sides) = rectangle(corner, Vect::<2>::new(1.0, 1.0), [2, 2]);
        Dressed::new(nodes, &sides, &points(Points::Nodes))
    };
    let stack: Vec<_> = (0..9).map(make).collect();
    let found = gather(&stack, Passes::First);
    assert_eq!(found.len(), 12 * 3);
    assert!(found.iter().all(|c| [1, 3].contains(&(c.key.antagonist - c.key.candidate))));
}

fn solid_wall(choice: Points, cells: u32, shaken: bool) -> Vec<Dressed<3>> {
    let make = |(i, (x, length, course)): (usize, (f64, f64, usize))| {
        let corner = Vect::<3>::new(0.5 * x, 0.0, 0.25 * course as f64);
        let (nodes, faces) = block(corner, Vect::<3>::new(0.5 * length, 0.3, 0.25), cells);
        let mut body = Dressed::new(nodes, &faces, &points(choice));
        if shaken {
            body.moved(|x| x + Vect::<3>::repeat(noise(i + (1e3 * x.norm()) as usize)));
        }
        body
    };
    bond().into_iter().enumerate().map(make).collect()
}

#[test]
fn solid_wall_has_four_points_a_face_with_one_and_with_eight_cells() {
    // All four points of a face touch something: 4 for each of the 138 head joints, and for each block under a course.
    let expected = 4 * 138 + 4 * (6 * 12 + 5 * 13);
    for (choice, cells) in [(Points::Gauss, 1), (Points::Middles, 2)] {
        for shaken in [false, true] {
            let found = gather(&solid_wall(choice, cells, shaken), Passes::First);
            assert_eq!(found.len(), expected, "{choice:?} {shaken}");
            assert!(found.iter().all(|c| c.touch.touch.normal.amax() > 1.0 - 1e-9));
            assert!(found.iter().all(|c| c.touch.touch.normal.y.abs() < 1e-9 && c.touch.touch.gap.abs() < 1e-11));
            assert!(found.is_sorted_by_key(|c| c.key));
        }
    }
}

/// Prints what a point costs: `cargo test --release -p cairn cost_of_a_point -- --nocapture --ignored`.
#[test]
#[ignore = "a measurement"]
fn cost_of_a_point() {
    let mut wall = solid_wall(Points::Middles, 2, false);
    let points: usize = wall.iter().map(|b| b.skin.candidates().len()).sum();
    let start = cairn_solvers::clock::Clock::start();
    let rounds = 20;
    for _ in 0..rounds {
        wall.iter_mut().for_each(|b| b.moved(|x| *x));
    }
    let update = start.seconds() / f64::from(rounds);
    let start = cairn_solvers::clock::Clock::start();
    let mut contacts = 0;
    for _ in 0..rounds {
        contacts = gather(&wall, Passes::First).len();
    }
    let search = start.seconds() / f64::from(rounds);
    let per_point = 1e6 / points as f64;
    println!(
        "{points} points, {contacts} contacts: pose {} µs, search {} µs a point",
        update * per_point,
        search * per_point
    );
}
