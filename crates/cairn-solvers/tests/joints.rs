//! Contacts with joints: every solver that serves them finds the same, and the same bits whatever the threads and
//! lanes.

use crate::common::{Dice, crowd, link, mass};
use cairn_solvers::delassus::Stored;
use cairn_solvers::joint::Joint;
use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::nlgs;
use cairn_solvers::problem::{GROUND, Link, Mass, Vect};
use cairn_solvers::report::{Method, Settings};
use cairn_solvers::strategy::rigid::RigidStrategy;
use cairn_solvers::strategy::stored;

const TIGHT: Settings = Settings { tolerance: 1e-11, max_sweeps: 40_000, method: Method::Nlgs, ..DEFAULT };
const DEFAULT: Settings = Settings {
    tolerance: 1e-6,
    measure: cairn_solvers::solver::Measure::Relative,
    max_sweeps: 10_000,
    method: Method::Auto,
    order: cairn_solvers::report::Order::Coloured,
    momentum: true,
    passes: 2,
    measure_change: false,
    portable: false,
    outliers: 1.0,
    most_error: f64::INFINITY,
    watch: cairn_solvers::watch::Watched::NONE,
};

/// A crowd in which every other contact has a joint of some kind; those that are held are few, so that none contradict.
fn glued<const D: usize>(seed: u64, masses: usize, links: usize) -> (Vec<Mass<D>>, Vec<Link<D>>) {
    let (masses, mut links) = crowd::<D>(seed, masses, links, false);
    let mut dice = Dice(seed | 1);
    for (i, link) in links.iter_mut().enumerate().filter(|(i, _)| i % 2 == 0) {
        let pull = Vect::from_fn(|_, _| 0.3 * dice.both());
        let stiffness = [2.0 * dice.roll(), dice.roll()];
        link.form.joint = match i % 10 {
            0 if i % 20 == 0 => Joint::bilateral(),
            0 => Joint { compliance: [dice.roll(), dice.roll()], ..Joint::bilateral() },
            2 => Joint { pull, ..Joint::none() },
            4 => Joint { pull, stiffness, ..Joint::none() },
            6 => Joint { compliance: [dice.roll(), dice.roll()], ..Joint::none() },
            _ => Joint { pull, stiffness, compliance: [dice.roll(), dice.roll()], bilateral: false },
        };
    }
    (masses, links)
}

fn all_find_the_same<const D: usize>() {
    for seed in 1..=10 {
        let (masses, links) = glued::<D>(seed, 60, 60);
        let stored = Stored::new(&masses, &links);
        let mut reference = links.clone();
        let report = nlgs::solve(&stored, &mut reference, &TIGHT);
        assert!(report.converged, "stored, seed {seed}: {report:?}");
        let (mut m, mut l) = (masses.clone(), links.clone());
        let report = MatrixFree::new().solve(&mut m, &mut l, &mut [], &TIGHT);
        assert!(report.converged, "matrix_free, seed {seed}: {report:?}");
        let (mut m, mut again) = (masses.clone(), links.clone());
        let report =
            RigidStrategy::default().solve(&mut m, &mut again, &mut [], &Settings { method: Method::Auto, ..TIGHT });
        assert!(report.converged, "collection, seed {seed}: {report:?}");
        let mut joined = links.clone();
        let portfolio = Method::Stored(cairn_solvers::solver::Solver::Auto);
        let report = stored::solve_masses(
            &mut masses.clone(),
            &mut joined,
            &Settings { method: portfolio, tolerance: 1e-10, ..TIGHT },
        );
        assert!(report.converged, "joined, seed {seed}: {report:?}");
        for (name, other) in [("matrix_free", &l), ("collection", &again), ("joined", &joined)] {
            let worst = other.iter().zip(&reference).map(|(a, b)| (a.velocity - b.velocity).norm());
            let worst = worst.fold(0.0, f64::max);
            assert!(worst < 1e-7 * report.scale, "{name}, seed {seed}: {worst:e}");
        }
    }
}

#[test]
fn all_find_the_same_in_the_plane() {
    all_find_the_same::<2>();
}

#[test]
fn all_find_the_same_in_space() {
    all_find_the_same::<3>();
}

/// The portfolio solves contacts that pull and give way by the same numbers as the sweeps.
#[test]
fn the_portfolio_takes_pull_and_compliance() {
    let (masses, mut links) = crowd::<3>(3, 40, 60, false);
    let mut dice = Dice(5);
    for link in links.iter_mut() {
        let pull = Vect::from_fn(|i, _| if i == 0 { -0.2 * dice.roll() } else { 0.0 });
        link.form.joint = Joint { pull, compliance: [0.5 * dice.roll(), 0.3 * dice.roll()], ..Joint::none() };
    }
    let stored = Stored::new(&masses, &links);
    let (mut swept, mut solved) = (links.clone(), links.clone());
    assert!(nlgs::solve(&stored, &mut swept, &TIGHT).converged);
    let newton = Method::Stored(cairn_solvers::solver::Solver::Auto);
    let report =
        stored::solve_masses(&mut masses.clone(), &mut solved, &Settings { method: newton, tolerance: 1e-9, ..TIGHT });
    assert!(report.converged, "{report:?}");
    let worst = swept.iter().zip(&solved).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
    assert!(worst < 1e-7 * report.scale, "{worst:e}");
}

/// Equal masses in a row, each joined to the next by a spring so stiff that sweeps would take a number of the order of
/// B; the last one flies away. Against the tridiagonal system of the row: (B⁻¹ + W) R = −U_free, W = 2/m on the
/// diagonal and −1/m beside it.
#[test]
fn stiff_springs_along_a_line_are_solved_directly() {
    let n = 80;
    let mut masses: Vec<Mass<2>> = (0..n).map(|_| mass::<2>(2.0, 1.0)).collect();
    masses[n - 1].velocity = Vect::<2>::new(1.0, 0.0);
    let row = |i: usize| {
        let mut joined = link([i as u32 + 1, i as u32], Vect::<2>::x(), [Vect::zeros(), Vect::zeros()], 0.0);
        joined.form.joint = Joint { stiffness: [1e7, 0.0], ..Joint::none() };
        joined
    };
    let mut links: Vec<Link<2>> = (0..n - 1).map(row).collect();
    let stored = Stored::new(&masses, &links);
    // A velocity is known to 1e-16 of the impulses that it is a sum of, and B makes 1e-9 of it.
    let settings = Settings { tolerance: 1e-8, ..DEFAULT };
    let swept = nlgs::solve(&stored, &mut links.clone(), &Settings { max_sweeps: 300, ..settings });
    assert!(!swept.converged, "sweeps are enough: {swept:?}");
    let report = stored::solve_masses(&mut masses.clone(), &mut links, &settings);
    assert!(report.converged && report.sweeps < 100, "{report:?}");
    // Thomas' algorithm.
    let (own, beside) = (1e-7 + 1.0, -0.5);
    let (mut pivots, mut right) = (vec![own; n - 1], vec![0.0; n - 1]);
    right[n - 2] = -1.0;
    for i in 1..n - 1 {
        let factor = beside / pivots[i - 1];
        pivots[i] -= factor * beside;
        right[i] -= factor * right[i - 1];
    }
    for i in (0..n - 1).rev() {
        let later = if i + 1 < n - 1 { beside * right[i + 1] } else { 0.0 };
        right[i] = (right[i] - later) / pivots[i];
        assert!((links[i].impulse[0] - right[i]).abs() < 1e-8, "{i}: {} instead of {}", links[i].impulse[0], right[i]);
    }
}

fn bits<const D: usize>(threads: usize, portable: bool) -> Vec<u64> {
    let (mut masses, mut links) = glued::<D>(7, 8000, 12_000);
    let settings = Settings { tolerance: 1e-7, max_sweeps: 60, portable, ..DEFAULT };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| MatrixFree::new().solve(&mut masses, &mut links, &mut [], &settings));
    links
        .iter()
        .flat_map(|l| l.impulse.iter().chain(l.velocity.iter()).map(|x| x.to_bits()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn the_same_bits_for_any_number_of_threads_and_lanes() {
    assert!(bits::<2>(1, false) == bits::<2>(3, true));
    assert!(bits::<3>(1, false) == bits::<3>(3, true));
}

/// A mass on the ground, glued and pushed: what it takes to hold it, to the last digit.
///
/// ```text
///   ▢ ← v = (−1, 2)
///  ─╨─
/// ```
#[test]
fn a_held_mass_stops_whatever_the_direction() {
    let mut masses = vec![mass::<2>(2.0, 1.0)];
    masses[0].velocity = Vect::<2>::new(-1.0, 2.0);
    let mut links = vec![link([0, GROUND], Vect::<2>::y(), [Vect::zeros(), Vect::zeros()], 0.0)];
    links[0].form.joint = Joint::bilateral();
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
    assert!(report.converged && masses[0].velocity.norm() < 1e-14, "{}", masses[0].velocity);
    // n is up, t to the left: pulled down with 4, pushed to the right with 2.
    assert!((links[0].impulse - Vect::<2>::new(-4.0, -2.0)).norm() < 1e-13, "{}", links[0].impulse);
}

/// A wall of bricks, glued by springs: splitting and sweeps agree.
#[test]
fn splitting_agrees_with_sweeps_on_a_column_of_springs() {
    let n = 60;
    let mut masses: Vec<Mass<2>> = (0..n).map(|_| mass::<2>(1.0, 0.1)).collect();
    masses.iter_mut().for_each(|m| m.velocity = Vect::<2>::new(0.3, -1.0));
    let mut links = Vec::new();
    for i in 0..n as u32 {
        let below = if i == 0 { GROUND } else { i - 1 };
        for x in [-0.5, 0.5] {
            let arms = [Vect::<2>::new(x, -0.5), Vect::<2>::new(x, 0.5)];
            let mut joined = link([i, below], Vect::<2>::y(), arms, 0.6);
            joined.form.joint = Joint { stiffness: [30.0, 30.0], pull: Vect::<2>::new(-0.1, 0.0), ..Joint::none() };
            links.push(joined);
        }
    }
    let settings = Settings { tolerance: 1e-9, max_sweeps: 100_000, ..DEFAULT };
    let (mut m1, mut l1) = (masses.clone(), links.clone());
    let swept = MatrixFree::new().solve(&mut m1, &mut l1, &mut [], &settings);
    let auto = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    assert!(swept.converged && auto.converged, "{swept:?} {auto:?}");
    assert!(auto.split_iterations > 0, "sweeps were enough: {auto:?}");
    let worst = m1.iter().zip(&masses).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
    assert!(worst < 1e-6 * auto.scale.max(1e-3), "{worst:e} {auto:?}");
}
