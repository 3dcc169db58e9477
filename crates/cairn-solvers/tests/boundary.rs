//! Contacts on deformable bodies among rigid ones: matrix-free for the rigid sides, stored for the deformable ones.

use crate::common::{Dice, crowd};
use cairn_solvers::boundary::Boundary;
use cairn_solvers::delassus::{Delassus, Stored};
use cairn_solvers::joint::Joint;
use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::nlgs;
use cairn_solvers::problem::{GROUND, Link, Mass, Mat, Vect};
use cairn_solvers::report::{Method, Settings};
use cairn_solvers::strategy::stored::StoredStrategy;

fn tight() -> Settings<'static> {
    Settings { tolerance: 1e-12, max_sweeps: 20_000, method: Method::Nlgs, ..Settings::default() }
}

/// A crowd of rigid bodies in which some contacts are with a deformable body: what was the antagonist, or the ground, gives way by a
/// random B, positive definite, and moves by itself.
fn mixed<const D: usize>(seed: u64, round: bool) -> (Vec<Mass<D>>, Vec<Link<D>>, Boundary<D>) {
    let (masses, mut links) = crowd::<D>(seed, 30, 55, round);
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 3);
    let elastic: Vec<u32> = (0..links.len() as u32).filter(|_| dice.roll() < 0.3).collect();
    for (k, &link) in elastic.iter().enumerate() {
        let link = &mut links[link as usize];
        link.masses[1] = GROUND;
        if k % 5 == 0 {
            link.masses[0] = GROUND;
        }
    }
    let size = D * elastic.len();
    let shape: Vec<f64> = (0..size * size).map(|_| dice.both()).collect();
    let entry = |i: usize, j: usize| {
        let sum: f64 = (0..size).map(|k| shape[i * size + k] * shape[j * size + k]).sum();
        0.3 * sum / size as f64 + if i == j { 0.2 } else { 0.0 }
    };
    let block = |a: usize, b: usize| Mat::<D>::from_fn(|i, j| entry(D * a + i, D * b + j));
    let all = 0..elastic.len();
    let blocks = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
    let blocks = blocks.map(|(a, b)| (a as u32, b as u32, block(a, b))).collect();
    let free = all.map(|_| Vect::from_fn(|_, _| dice.both())).collect();
    let response = Stored::from_blocks(blocks, free).expect("every contact has its own block");
    (masses, links, Boundary::new(elastic, response))
}

fn agrees_with_the_whole_w<const D: usize>(round: bool, joint: Option<Joint<D>>) {
    let mut compared = 0;
    for seed in 1..=12 {
        let (free, mut links, boundary) = mixed::<D>(seed, round);
        if let Some(joint) = joint {
            links.iter_mut().step_by(7).for_each(|link| link.form.joint = joint);
        }
        let whole = boundary.whole(&free, &links);
        let mut reference = links.clone();
        let expected = nlgs::solve(&whole, &mut reference, &tight());
        let mut masses = free.clone();
        let report = MatrixFree::new().solve_with(&mut masses, &mut links, &mut [], &boundary, &tight());
        assert!(expected.converged && report.converged, "seed {seed}: {expected:?} {report:?}");
        assert_eq!(report.painleve, expected.painleve);
        // What it says of velocities is true of W and its impulses.
        let impulses: Vec<Vect<D>> = links.iter().map(|link| link.impulse).collect();
        for (a, link) in links.iter().enumerate() {
            assert!((link.velocity - whole.velocity(a, &impulses)).norm() < 1e-12, "seed {seed}, contact {a}");
        }
        let worst = links.iter().zip(&reference).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
        compared += usize::from(worst < 1e-8 * report.scale);
    }
    assert!(compared >= 9, "only {compared} of 12 have the same velocities");
}

#[test]
fn deformable_sides_agree_with_the_whole_w_in_the_plane() {
    agrees_with_the_whole_w::<2>(false, None);
}

#[test]
fn deformable_sides_agree_with_the_whole_w_in_space() {
    agrees_with_the_whole_w::<3>(false, None);
}

#[test]
fn deformable_sides_agree_with_the_whole_w_among_spheres() {
    agrees_with_the_whole_w::<3>(true, None);
}

#[test]
fn deformable_sides_agree_with_the_whole_w_with_joints() {
    let spring = Joint { stiffness: [0.5, 0.3], pull: Vect::<3>::new(-0.1, 0.0, 0.0), ..Joint::none() };
    agrees_with_the_whole_w::<3>(false, Some(spring));
    agrees_with_the_whole_w::<2>(false, Some(Joint::bilateral()));
}

/// Every method gives the same velocities, and brings the masses along.
#[test]
fn every_method_knows_deformable_sides() {
    use cairn_solvers::solver::Solver;
    let (free, links, boundary) = mixed::<3>(4, false);
    let solve = |method: Method| {
        let (mut masses, mut solved) = (free.clone(), links.clone());
        let settings = Settings { method, tolerance: 1e-9, ..tight() };
        let mut strategy = StoredStrategy::new(&free, &boundary, &links);
        let report = strategy.solve(&mut MatrixFree::new(), &mut masses, &mut solved, &mut [], &settings);
        assert!(report.converged, "{method:?}: {report:?}");
        (masses, solved)
    };
    let (masses, solved) = solve(Method::Nlgs);
    let methods =
        [Method::Auto, Method::Stored(Solver::Auto), Method::Stored(Solver::Newton), Method::Stored(Solver::Admm)];
    for method in methods {
        let (others, again) = solve(method);
        for (a, b) in solved.iter().zip(&again) {
            assert!((a.velocity - b.velocity).norm() < 1e-6, "{method:?}");
        }
        for (a, b) in masses.iter().zip(&others) {
            assert!((a.velocity - b.velocity).norm() < 1e-6, "{method:?}");
        }
    }
}
