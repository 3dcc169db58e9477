//! The matrix-free solver against the stored one, and what it promises: determinism, conservation, freedom of scale.

use crate::common::{crowd, link, mass, momentum};
use cairn_solvers::delassus::Stored;
use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::nlgs;
use cairn_solvers::problem::{GROUND, Link, Mass, Mat, Vect};
use cairn_solvers::report::{Method, Order, Report, Settings};
use cairn_solvers::strategy::rigid::RigidStrategy;

const TIGHT: Settings = Settings {
    tolerance: 1e-12,
    measure: cairn_solvers::solver::Measure::Relative,
    max_sweeps: 20_000,
    method: Method::Nlgs,
    order: Order::Coloured,
    momentum: true,
    passes: 2,
    measure_change: true,
    portable: false,
    outliers: 1.0,
    most_error: f64::INFINITY,
    watch: cairn_solvers::watch::Watched::NONE,
};

fn agrees_with_stored<const D: usize>(round: bool) {
    let crowds = (1..=20).map(|seed| crowd::<D>(seed, 30, 55, round));
    agree_with_stored(crowds.collect());
}

fn agree_with_stored<const D: usize>(crowds: Vec<(Vec<Mass<D>>, Vec<Link<D>>)>) {
    let mut compared = 0;
    for (seed, (mut masses, mut links)) in crowds.into_iter().enumerate() {
        let w = Stored::new(&masses, &links);
        let mut reference = links.clone();
        let expected = nlgs::solve(&w, &mut reference, &TIGHT);
        let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
        assert!(expected.residual < 1e-10, "stored, seed {seed}: {expected:?}");
        assert!(report.residual < 1e-10, "matrix_free, seed {seed}: {report:?}");
        assert!(report.converged && report.change.unwrap() < 1e-9, "seed {seed}: {report:?}");
        assert_eq!(report.painleve, expected.painleve);
        // Velocities are unique where friction is not too strong; impulses need not be.
        let worst = links.iter().zip(&reference).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
        if worst < 1e-8 * report.scale {
            compared += 1;
        }
        for link in &links {
            let u = link.relative_velocity(&masses);
            assert!((u - link.velocity).norm() < 1e-13, "velocity in the link is that of the masses");
        }
    }
    assert!(compared >= 15, "only {compared} of 20 have the same velocities");
}

#[test]
fn agrees_with_stored_in_the_plane() {
    agrees_with_stored::<2>(false);
}

#[test]
fn agrees_with_stored_in_space() {
    agrees_with_stored::<3>(false);
}

#[test]
fn agrees_with_stored_for_spheres() {
    agrees_with_stored::<3>(true);
}

/// Spheres, a third of them under a wall that comes down, another third beside one that comes along x, neither of which turns.
fn pressed(seed: u64, bodies: usize, links: usize) -> (Vec<Mass<3>>, Vec<Link<3>>) {
    let (mut masses, mut links) = crowd::<3>(seed, bodies, links, true);
    for (axis, wall) in [(2, bodies), (0, bodies + 1)] {
        let mut piston = mass::<3>(40.0, 1.0);
        (piston.spin_mobility, piston.velocity) = (Mat::zeros(), Vect::zeros());
        for other in (0..3).filter(|&i| i != axis) {
            piston.inverse_mass[other] = 0.0;
        }
        piston.velocity[axis] = -1.5;
        masses.push(piston);
        let normal = -Vect::<3>::ith(axis, 1.0);
        for sphere in (0..bodies as u32).filter(|i| (*i as usize + axis).is_multiple_of(3)) {
            let arms = [-normal * 0.9, Vect::<3>::new(0.3, f64::from(sphere), -0.2)];
            links.push(link([sphere, wall as u32], normal, arms, 0.3));
        }
    }
    links.sort_by_key(|l| l.masses);
    (masses, links)
}

#[test]
fn agrees_with_stored_for_spheres_pressed_by_walls() {
    agree_with_stored((1..=20).map(|seed| pressed(seed, 30, 40)).collect());
}

/// A wall that moves along one axis takes part in the kernel of spheres: nothing else would be as quick, and nothing may be different.
#[test]
fn walls_that_move_along_one_axis_do_not_move_across() {
    let (mut masses, mut links) = pressed(3, 200, 300);
    let across = [masses[200].velocity[0], masses[201].velocity[2]];
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
    assert!(report.converged, "{report:?}");
    assert_eq!([masses[200].velocity[0], masses[201].velocity[2]], across);
    assert!(masses[200].velocity[2] > -1.4 && masses[201].velocity[0] > -1.4, "they are held up");
}

/// Nothing answers friction between the two, at rest or on ground that moves: it is the whole friction against the motion.
#[test]
fn a_wall_that_moves_along_one_axis_lands_on_the_ground() {
    for moving in [0.0, -0.7] {
        let (mut masses, mut links) = pressed(5, 30, 40);
        let mut landing = link([30, GROUND], Vect::<3>::z(), [Vect::zeros(); 2], 0.4);
        landing.form.bias[1] = moving;
        links.push(landing);
        let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
        assert!(report.converged && masses[30].velocity[2].abs() < 1e-12, "{report:?} {:?}", masses[30]);
        let r = links.last().unwrap().impulse;
        let expected = Vect::<3>::new(r[0], if moving < 0.0 { 0.4 * r[0] } else { 0.0 }, 0.0);
        assert!(r[0] > 1.0 && (r - expected).norm() < 1e-9 * r[0], "{moving}: {r}");
    }
}

fn bits<const D: usize>(masses: &[Mass<D>], links: &[Link<D>]) -> Vec<u64> {
    let of_mass =
        masses.iter().flat_map(|m| m.velocity.iter().chain(m.spin.iter()).map(|x| x.to_bits()).collect::<Vec<_>>());
    let of_link =
        links.iter().flat_map(|l| l.impulse.iter().chain(l.velocity.iter()).map(|x| x.to_bits()).collect::<Vec<_>>());
    of_mass.chain(of_link).collect()
}

fn same_bits<const D: usize>(bodies: usize, round: bool) {
    same_bits_of(crowd::<D>(7, bodies, 5 * bodies / 2, round));
}

fn same_bits_of<const D: usize>((masses, links): (Vec<Mass<D>>, Vec<Link<D>>)) {
    let solve = |threads: usize, portable: bool| {
        let settings = Settings { tolerance: 1e-7, max_sweeps: 60, portable, ..Settings::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut masses, mut links) = (masses.clone(), links.clone());
        let report = pool.install(|| MatrixFree::new().solve(&mut masses, &mut links, &mut [], &settings));
        (bits(&masses, &links), Report { seconds_sweeping: 0.0, seconds_beside: 0.0, ..report })
    };
    let reference = solve(1, false);
    assert!(reference.1.residual.is_finite());
    assert!(solve(2, false) == reference, "two threads");
    assert!(solve(1, true) == reference, "portable arithmetic");
}

#[test]
fn same_bits_for_any_threads_and_instructions() {
    same_bits::<2>(8000, false);
    same_bits::<3>(8000, false);
    same_bits::<3>(8000, true);
    same_bits_of(pressed(7, 8000, 20_000));
}

/// So many bodies are swept by tiles.
const MANY: usize = 20_000;

#[test]
fn same_bits_by_tiles() {
    same_bits::<3>(MANY, true);
}

/// Which kernel fits is found out while points are packed: what was solved before must not matter.
#[test]
fn a_workspace_that_was_used_for_another_kind_gives_the_same_bits() {
    let round = crowd::<3>(3, 60, 110, true);
    let plain = crowd::<3>(4, 60, 110, false);
    let walls = pressed(4, 60, 110);
    let mut jointed = crowd::<3>(5, 60, 110, true);
    jointed.1[9].form.joint.stiffness = [2.0, 1.0];
    let mut broken = crowd::<3>(6, 60, 110, true);
    let touched = broken.1[0].masses[0] as usize;
    broken.0[touched].spin_mobility[(0, 1)] = f64::NAN;
    // A sphere on the ground that cannot move along x: to the kernel of spheres it could not respond at all.
    let on_ground = |body: u32| link([body, GROUND], Vect::<3>::z(), [-Vect::<3>::z(); 2], 0.3);
    let mut rail = crowd::<3>(7, 60, 110, true);
    rail.0.push(Mass { velocity: -Vect::<3>::z(), ..mass(1.0, 0.4) });
    rail.0[60].inverse_mass[0] = 0.0;
    rail.1.push(on_ground(60));
    // A joint that nothing can come of: its body moves along the ground only.
    let mut idle = crowd::<3>(8, 60, 110, true);
    idle.0.push(mass(1.0, 0.4));
    (idle.0[60].inverse_mass[2], idle.0[60].spin_mobility) = (0.0, Mat::zeros());
    idle.1.push(on_ground(60));
    idle.1[110].form.joint.stiffness = [2.0, 1.0];
    let settings = Settings { max_sweeps: 200, ..Settings::default() };
    let solve = |matrix_free: &mut MatrixFree<3>, (masses, links): &(Vec<Mass<3>>, Vec<Link<3>>)| {
        let (mut masses, mut links) = (masses.clone(), links.clone());
        let report = matrix_free.solve(&mut masses, &mut links, &mut [], &settings);
        (bits(&masses, &links), report.residual.to_bits(), report.worst, report.not_finite)
    };
    let mut used = MatrixFree::new();
    let first = [&round, &plain, &jointed, &round, &jointed, &plain, &broken, &round, &broken, &jointed, &broken];
    let then = [&round, &rail, &round, &idle, &plain, &idle, &walls, &rail, &walls, &round, &walls, &jointed, &idle];
    for problem in first.into_iter().chain(then) {
        let (found, expected) = (solve(&mut used, problem), solve(&mut MatrixFree::new(), problem));
        assert_eq!((found.2, found.3), (expected.2, expected.3));
        assert!(
            !std::ptr::eq(problem, &raw const rail) || f64::from_bits(found.0[60 * 6 + 2]).abs() < 1e-3,
            "on the ground"
        );
        assert_eq!(found.3, std::ptr::eq(problem, &raw const broken), "what is not a number is named");
        assert!(found.3 || (found.0 == expected.0 && found.1 == expected.1));
    }
}

/// Columns of ten, bodies numbered in disorder: each contact carries what is above it.
#[test]
fn many_columns_carry_their_weights() {
    let number = |i: usize| (i * 7919 % MANY) as u32;
    let mut masses = vec![mass::<3>(2.0, 1.0); MANY];
    masses.iter_mut().for_each(|m| m.velocity.z = -0.01);
    let level = |i: usize| i % 10;
    let below = |i: usize| if level(i) == 0 { GROUND } else { number(i - 1) };
    let arms = [-Vect::<3>::z(), Vect::<3>::z()];
    let mut links: Vec<_> = (0..MANY).map(|i| link([number(i), below(i)], Vect::<3>::z(), arms, 0.5)).collect();
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
    assert!(report.converged, "{report:?}");
    for (i, link) in links.iter().enumerate() {
        let carried = 0.01 * 2.0 * (10 - level(i)) as f64;
        assert!((link.impulse[0] - carried).abs() < 1e-8 * carried, "{i}: {} {carried}", link.impulse);
    }
}

#[test]
fn momentum_is_conserved_to_round_off() {
    for round in [false, true] {
        let (mut masses, mut links) = crowd::<3>(3, 40, 80, round);
        links.retain(|l| l.masses[1] != GROUND);
        let before = momentum(&masses);
        MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
        assert!((momentum(&masses) - before).norm() < 1e-13 * 40.0);
    }
}

#[test]
fn every_order_finds_a_solution() {
    for order in [Order::Coloured, Order::Listed, Order::Reversed, Order::Symmetric] {
        let (mut masses, mut links) = crowd::<3>(5, 30, 55, false);
        let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings { order, ..TIGHT });
        assert!(report.converged, "{order:?}: {report:?}");
    }
}

/// The same model in other units takes the same sweeps to the same residual.
fn scale_does_not_matter<const D: usize>(round: bool) {
    let (masses, links) = crowd::<D>(11, 60, 110, round);
    let settings = Settings { tolerance: 1e-8, max_sweeps: 5000, ..Settings::default() };
    let solve = |length: f64, kilo: f64, time: f64| {
        let (mut masses, mut links) = (masses.clone(), links.clone());
        for m in &mut masses {
            m.velocity *= length / time;
            m.spin /= time;
            m.inverse_mass /= kilo;
            m.spin_mobility /= kilo * length * length;
        }
        for l in &mut links {
            l.arms = l.arms.map(|a| a * length);
            l.form.bias *= length / time;
        }
        MatrixFree::new().solve(&mut masses, &mut links, &mut [], &settings)
    };
    let reference = solve(1.0, 1.0, 1.0);
    assert!(reference.converged);
    for (l, m, t) in
        [(1e6, 1.0, 1.0), (1e-6, 1.0, 1.0), (1.0, 1e6, 1.0), (1.0, 1e-6, 1.0), (1.0, 1.0, 1e6), (1e-6, 1e6, 1e-6)]
    {
        let report = solve(l, m, t);
        assert_eq!(report.sweeps, reference.sweeps, "{l} {m} {t}");
        assert!((report.residual / reference.residual - 1.0).abs() < 1e-3);
    }
}

#[test]
fn other_units_take_the_same_sweeps() {
    scale_does_not_matter::<2>(false);
    scale_does_not_matter::<3>(false);
    scale_does_not_matter::<3>(true);
}

/// A cube of side 1 on a plane tilted by the angle whose tangent is `slope`, over one step of weight:
/// it stays if slope ≤ μ, else gains g h (sin − μ cos) down the plane.
#[test]
fn block_on_an_incline_sticks_or_slips() {
    let (g_h, friction) = (9.81e-3, 0.5);
    for slope in [0.99 * friction, 1.5 * friction] {
        let angle = f64::atan(slope);
        let mut body = mass::<3>(2.0, 2.0 / 6.0);
        body.velocity = Vect::<3>::new(g_h * angle.sin(), 0.0, -g_h * angle.cos());
        let mut masses = [body];
        let corners = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)];
        let mut links = corners
            .map(|(x, y)| link([0, GROUND], Vect::<3>::z(), [Vect::<3>::new(x, y, -0.5), Vect::zeros()], friction));
        let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings { tolerance: 1e-13, ..TIGHT });
        assert!(report.residual < 1e-12, "{report:?}");
        let expected = if slope <= friction { 0.0 } else { g_h * (angle.sin() - friction * angle.cos()) };
        assert!((masses[0].velocity - Vect::<3>::new(expected, 0.0, 0.0)).norm() < 1e-12 * g_h);
        assert!(masses[0].spin.norm() < 1e-12 * g_h);
        let weight: f64 = links.iter().map(|l| l.impulse[0]).sum();
        assert!((weight - 2.0 * g_h * angle.cos()).abs() < 1e-12);
    }
}

/// Ten disks on top of each other: contact i carries the weight of all above.
#[test]
fn column_carries_its_weight() {
    let count = 10u32;
    let mut masses: Vec<Mass<2>> = (0..count).map(|_| mass(1.0, 0.5)).collect();
    masses.iter_mut().for_each(|m| m.velocity[1] = -0.01);
    let mut links: Vec<Link<2>> = (0..count)
        .map(|i| {
            let below = if i == 0 { GROUND } else { i - 1 };
            link([i, below], Vect::<2>::y(), [-Vect::<2>::y(), Vect::<2>::y()], 0.3)
        })
        .collect();
    for order in [Order::Coloured, Order::Symmetric] {
        let (mut masses, mut links) = (masses.clone(), links.clone());
        let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings { order, ..TIGHT });
        assert!(report.converged, "{report:?}");
        for (i, l) in links.iter().enumerate() {
            assert!((l.impulse[0] - 0.01 * f64::from(count - i as u32)).abs() < 1e-9);
            assert!(l.impulse[1].abs() < 1e-12);
        }
    }
    // From the solution, one sweep is enough.
    MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
    masses.iter_mut().for_each(|m| m.velocity = Vect::<2>::new(0.0, -0.01));
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings { tolerance: 1e-9, ..TIGHT });
    assert_eq!(report.sweeps, 1);
}

/// An obstacle (a mass that does not respond) moves the others as the ground with a bias would.
#[test]
fn obstacles_move_what_they_touch() {
    let mut belt = mass::<3>(1.0, 1.0);
    (belt.inverse_mass, belt.spin_mobility) = (Vect::zeros(), cairn_solvers::problem::Mat::zeros());
    belt.velocity = Vect::<3>::new(2.0, 0.0, 0.1);
    let mut body = mass::<3>(1.0, 1e9);
    body.velocity = Vect::<3>::new(0.0, 0.0, -0.1);
    let mut masses = [body, belt];
    let mut links = [link([0, 1], Vect::<3>::z(), [-Vect::<3>::z(), Vect::<3>::new(5.0, 1.0, 0.0)], 0.25)];
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &TIGHT);
    assert!(report.converged);
    assert!((masses[0].velocity - Vect::<3>::new(0.05, 0.0, 0.1)).norm() < 1e-9, "{:?}", masses[0].velocity);
    assert_eq!(masses[1].velocity, belt.velocity);
}

#[test]
fn nothing_to_do_and_nothing_that_can_respond() {
    let report = MatrixFree::<2>::new().solve(&mut [], &mut [], &mut [], &Settings::default());
    assert!(report.converged && report.residual == 0.0 && report.sweeps == 1);
    let mut wall = mass::<2>(1.0, 1.0);
    (wall.inverse_mass[0], wall.spin_mobility) = (0.0, cairn_solvers::problem::Mat::zeros());
    wall.velocity = Vect::<2>::new(0.0, -1.0);
    let mut masses = [wall];
    let sideways = link([0, GROUND], Vect::<2>::x(), [Vect::zeros(); 2], 0.5);
    let upright = link([0, GROUND], Vect::<2>::y(), [Vect::zeros(); 2], 0.5);
    let mut links = [sideways, upright];
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings::default());
    assert!(report.converged && !report.not_finite, "{report:?}");
    assert_eq!((links[0].impulse, links[1].impulse), (Vect::<2>::zeros(), Vect::<2>::new(1.0, 0.0)));
}

#[test]
fn a_number_that_is_not_finite_is_named() {
    let (mut masses, mut links) = crowd::<3>(2, 30, 55, false);
    links[17].form.bias[1] = f64::NAN;
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &Settings::default());
    assert!(report.not_finite && !report.converged && report.worst.is_some());
}

/// Painlevé: a rod on its end, slanted, with strong friction.
#[test]
fn lost_uniqueness_is_counted() {
    let mut rod = mass::<2>(1.0, 1.0 / 12.0);
    rod.velocity = Vect::<2>::new(1.0, -0.1);
    let angle: f64 = 1.1;
    let arm = Vect::<2>::new(-0.5 * angle.cos(), -0.5 * angle.sin());
    // μ_crit = (1 + 3cos²)/(3 sin cos)
    let critical = (1.0 + 3.0 * angle.cos().powi(2)) / (3.0 * angle.sin() * angle.cos());
    for (friction, count) in [(0.99 * critical, 0), (1.01 * critical, 1)] {
        let mut links = [link([0, GROUND], Vect::<2>::y(), [arm, Vect::zeros()], friction)];
        let report = MatrixFree::new().solve(&mut [rod], &mut links, &mut [], &Settings::default());
        assert_eq!((report.painleve, report.first_painleve), (count, (count == 1).then_some(0)));
        assert!(report.converged, "{report:?}");
    }
}

/// Thirty cubes, the top one 100 times heavier, four points per face, from nothing: what plain sweeps cannot do.
#[test]
fn heavy_top_on_a_tower_converges() {
    let count = 30u32;
    let weights: Vec<f64> = (0..count).map(|i| if i + 1 == count { 100.0 } else { 1.0 }).collect();
    let mut masses: Vec<Mass<3>> = weights.iter().map(|&m| mass(m, m / 6.0)).collect();
    masses.iter_mut().for_each(|m| m.velocity[2] = -0.01);
    let corners = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)];
    let mut links = Vec::new();
    for i in 0..count {
        let below = if i == 0 { GROUND } else { i - 1 };
        links.extend(corners.map(|(x, y)| {
            let arms = [-0.5, 0.5].map(|z| Vect::<3>::new(x, y, z));
            link([i, below], Vect::<3>::z(), arms, 0.5)
        }));
    }
    // The residual is relative to ‖R‖/ρ, here 100 g h. Thirty joints that sink by it leave the top with thirty
    // times that velocity and a hundred times its mass: the sum over a course is 2300 times less accurate.
    let settings = Settings { tolerance: 1e-9, max_sweeps: 1500, passes: 4, ..Settings::default() };
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut [], &settings);
    assert!(report.converged, "{report:?}");
    for (i, points) in links.chunks(4).enumerate() {
        let carried: f64 = points.iter().map(|l| l.impulse[0]).sum();
        let above: f64 = weights[i..].iter().sum();
        assert!((carried / (0.01 * above) - 1.0).abs() < 1e-5, "course {i}: {carried}");
    }
}

/// A mass between two obstacles that close in: impulses grow from sweep to sweep, and no method may call that a solution.
#[test]
fn what_is_squeezed_does_not_converge() {
    let masses = vec![mass::<2>(2.0, 1.0)];
    let side = |normal: f64| {
        let mut side = link([0, GROUND], Vect::<2>::x() * normal, [Vect::zeros(), Vect::zeros()], 0.9);
        side.form.bias[0] = -0.5;
        side
    };
    let links = vec![side(1.0), side(-1.0)];
    let settings = Settings { tolerance: 1e-5, max_sweeps: 20_000, ..Settings::default() };
    let by_velocities = MatrixFree::new().solve(&mut masses.clone(), &mut links.clone(), &mut [], &settings);
    let by_matrix = nlgs::solve(&Stored::new(&masses, &links), &mut links.clone(), &settings);
    let by_all = RigidStrategy::default().solve(&mut masses.clone(), &mut links.clone(), &mut [], &settings);
    for report in [by_velocities, by_matrix, by_all] {
        assert!(!report.converged && report.residual > 2e-5, "{report:?}");
    }
}
