//! The solver of rigid collections: stacks that sweeps alone take long for.

use crate::common::{link, mass};
use cairn_solvers::problem::{GROUND, Link, Mass, Vect};
use cairn_solvers::report::{Method, Report, Settings};
use cairn_solvers::strategy::rigid::RigidStrategy;

/// Speed gained by falling freely for a step [m/s].
const FALL: f64 = 0.05;

/// Cubes of side 1 and mass 1 on top of each other on the ground, the highest `times` as heavy, about to fall for a step.
fn stack(count: usize, times: f64) -> (Vec<Mass<3>>, Vec<Link<3>>) {
    let mut masses: Vec<Mass<3>> = (0..count).map(|_| mass(1.0, 1.0 / 6.0)).collect();
    masses[count - 1] = mass(times, times / 6.0);
    masses.iter_mut().for_each(|m| m.velocity[2] = -FALL);
    let mut links = Vec::new();
    for cube in 0..count as u32 {
        let below = if cube == 0 { GROUND } else { cube - 1 };
        for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
            let arms = [Vect::<3>::new(x, y, -0.5), Vect::<3>::new(x, y, 0.5)];
            links.push(link([cube, below], Vect::<3>::z(), arms, 0.5));
        }
    }
    (masses, links)
}

fn solve(count: usize, times: f64, method: Method, threads: usize) -> (Vec<Mass<3>>, Vec<Link<3>>, Report) {
    let (mut masses, mut links) = stack(count, times);
    let settings = Settings { tolerance: 1e-8, max_sweeps: 20_000, method, ..Settings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let report = pool.install(|| RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings));
    (masses, links, report)
}

#[test]
fn heavy_top_is_carried_down_to_the_ground() {
    let (masses, links, report) = solve(100, 1000.0, Method::Auto, 1);
    assert!(report.converged && report.split_iterations > 0, "{report:?}");
    let weight = (99.0 + 1000.0) * FALL;
    let ground: f64 = links[..4].iter().map(|l| l.impulse[0]).sum();
    assert!((ground - weight).abs() < 1e-6 * weight, "{ground} for {weight}");
    let fastest = masses.iter().map(|m| m.velocity.norm() + m.spin.norm()).fold(0.0, f64::max);
    assert!(fastest < 1e-5 * FALL * 1000.0, "moves at {fastest}");
}

#[test]
fn the_same_velocities_as_sweeps_alone() {
    let (swept, _, alone) = solve(12, 30.0, Method::Nlgs, 1);
    let (masses, _, report) = solve(12, 30.0, Method::Auto, 1);
    assert!(alone.converged && report.converged);
    let apart = masses.iter().zip(&swept).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
    // What each of 12 contacts may miss adds up along the stack, and the light cubes feel it as often as the top is heavier.
    assert!(apart < 1e-8 * report.scale * 12.0 * 30.0, "{apart}");
}

/// Square layers of touching spheres of radius 1, `side`² in the lowest.
fn pyramid(side: i32, friction: f64) -> (Vec<Mass<3>>, Vec<Link<3>>) {
    let mut centres: Vec<Vect<3>> = vec![];
    for layer in 0..side {
        let at = |i: i32| f64::from(2 * i - (side - layer - 1));
        let z = 1.0 + f64::from(layer) * 2.0_f64.sqrt();
        centres.extend(
            (0..(side - layer).pow(2)).map(|k| Vect::<3>::new(at(k / (side - layer)), at(k % (side - layer)), z)),
        );
    }
    let mut masses: Vec<Mass<3>> = centres.iter().map(|_| mass(1.0, 0.4)).collect();
    masses.iter_mut().for_each(|m| m.velocity[2] = -FALL);
    let mut links = Vec::new();
    for (i, a) in centres.iter().enumerate() {
        if a[2] == 1.0 {
            links.push(link(
                [i as u32, GROUND],
                Vect::<3>::z(),
                [Vect::<3>::new(0.0, 0.0, -1.0), Vect::zeros()],
                friction,
            ));
        }
        for (j, b) in centres.iter().enumerate().take(i).filter(|(_, b)| (*b - a).norm() < 2.0 + 1e-9) {
            let normal = (a - b) / 2.0;
            links.push(link([i as u32, j as u32], normal, [-normal, normal], friction));
        }
    }
    (masses, links)
}

/// Rough spheres stand, but only just: thousands of sweeps do not find out how.
#[test]
fn a_pyramid_of_spheres_stands() {
    let (mut masses, mut links) = pyramid(5, 0.7);
    let settings = Settings { tolerance: 1e-8, max_sweeps: 20_000, ..Settings::default() };
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    assert!(report.converged && report.split_iterations > 0, "{report:?}");
    let fastest = masses.iter().map(|m| m.velocity.norm() + m.spin.norm()).fold(0.0, f64::max);
    assert!(fastest < 1e-5 * FALL, "moves at {fastest}");
    let ground: f64 = links.iter().filter(|l| l.masses[1] == GROUND).map(|l| l.impulse[0]).sum();
    assert!((ground / (55.0 * FALL) - 1.0).abs() < 1e-5, "{ground}");
}

/// Rows of touching disks of radius 1, `side` in the lowest, each next row with one less in the hollows of the last.
fn heap(side: i32, friction: f64) -> (Vec<Mass<2>>, Vec<Link<2>>) {
    let row =
        |k: i32| (0..side - k).map(move |i| Vect::<2>::new(f64::from(2 * i + k), 1.0 + f64::from(k) * 3f64.sqrt()));
    let centres: Vec<Vect<2>> = (0..side).flat_map(row).collect();
    let mut masses: Vec<Mass<2>> = centres.iter().map(|_| mass(1.0, 0.5)).collect();
    masses.iter_mut().for_each(|m| m.velocity[1] = -FALL);
    let mut links = Vec::new();
    for (i, a) in centres.iter().enumerate() {
        if a[1] == 1.0 {
            links.push(link([i as u32, GROUND], Vect::<2>::y(), [-Vect::<2>::y(), Vect::zeros()], friction));
        }
        for (j, b) in centres.iter().enumerate().take(i).filter(|(_, b)| (*b - a).norm() < 2.0 + 1e-9) {
            let normal = (a - b) / 2.0;
            links.push(link([i as u32, j as u32], normal, [-normal, normal], friction));
        }
    }
    (masses, links)
}

/// Sweeps do not get there in as much time, nor in much more.
#[test]
fn a_heap_of_rough_disks_is_solved_by_its_path() {
    let solve = |method, threads| {
        let (mut masses, mut links) = heap(20, 0.6);
        let settings = Settings { tolerance: 1e-8, max_sweeps: 10_000, method, ..Settings::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let report = pool.install(|| RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings));
        (masses, links, report)
    };
    let (_, _, swept) = solve(Method::Nlgs, 1);
    assert!(!swept.converged, "{swept:?}");
    let (masses, links, report) = solve(Method::Auto, 1);
    assert!(report.converged && report.split_iterations > 0, "{report:?}");
    let fastest = masses.iter().map(|m| m.velocity.norm() + m.spin.norm()).fold(0.0, f64::max);
    let ground: f64 = links.iter().filter(|l| l.masses[1] == GROUND).map(|l| l.impulse[0]).sum();
    assert!(fastest < 1e-5 * FALL, "moves at {fastest}");
    assert!((ground / (210.0 * FALL) - 1.0).abs() < 1e-6, "{ground}");
    let impulses = |links: &[Link<2>]| links.iter().map(|l| l.impulse).collect::<Vec<_>>();
    assert_eq!(impulses(&links), impulses(&solve(Method::Auto, 2).1));
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let bits = |threads| {
        let (masses, links, report) = solve(100, 1000.0, Method::Auto, threads);
        let of_mass = masses.iter().flat_map(|m| m.velocity.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        let of_link = links.iter().flat_map(|l| l.impulse.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        (of_mass.chain(of_link).collect::<Vec<_>>(), report.sweeps, report.split_iterations)
    };
    assert_eq!(bits(1), bits(2));
}

#[test]
fn what_cannot_be_reached_gives_the_best_and_says_so() {
    let (mut masses, mut links) = stack(60, 1000.0);
    let settings = Settings { tolerance: 1e-300, max_sweeps: 2000, ..Settings::default() };
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    assert!(!report.converged && report.residual < 1e-8, "{report:?}");
    assert!(report.equivalent_sweeps < 2100.0, "{report:?}");
}
