//! Contacts that resist rolling: known answers, the same bits whatever the threads and lanes, joints beside them.

use crate::common::{Dice, crowd, link, mass};
use cairn_solvers::joint::Joint;
use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::problem::{GROUND, Link, Mass, Vect};
use cairn_solvers::report::{Method, Order, Report, Settings};
use cairn_solvers::rolling::Roll;
use cairn_solvers::solver::Solver;
use cairn_solvers::strategy::rigid::RigidStrategy;

fn tight() -> Settings<'static> {
    Settings { tolerance: 1e-11, max_sweeps: 40_000, method: Method::Nlgs, ..Settings::default() }
}

/// A problem with moments.
type Rough<const D: usize> = (Vec<Mass<D>>, Vec<Link<D>>, Vec<Roll>);

/// Two of three contacts of a crowd resist, the arms being a part of the bodies' radii (1); some ground turns.
fn rough<const D: usize>(seed: u64, masses: usize, links: usize, round: bool) -> Rough<D> {
    let (masses, links) = crowd::<D>(seed, masses, links, round);
    let mut dice = Dice(seed | 1);
    let mut resists = |i: usize| {
        let arms = [0.3 * dice.roll(), if D == 3 { 0.2 * dice.roll() } else { 0.0 }];
        let turns = links[i].masses[1] == GROUND;
        let axis = Vect::<3>::from_fn(|k, _| if D == 3 || k == 2 { 0.3 * dice.both() } else { 0.0 });
        Roll { link: i, arms, bias: if turns { axis } else { Vect::zeros() }, moment: Vect::zeros() }
    };
    let rolls = (0..links.len()).filter(|i| i % 3 > 0).map(&mut resists).collect();
    (masses, links, rolls)
}

fn solve<const D: usize>(problem: &Rough<D>, settings: &Settings) -> (Rough<D>, Report) {
    let (mut masses, mut links, mut rolls) = problem.clone();
    let report = MatrixFree::new().solve(&mut masses, &mut links, &mut rolls, settings);
    ((masses, links, rolls), report)
}

/// The law itself, written down apart from any projection: how far each moment is from it, R_N being what friction sees.
fn check_law<const D: usize>((masses, links, rolls): &Rough<D>, tolerance: f64) -> [usize; 2] {
    let (mut still, mut turning) = (0, 0);
    for roll in rolls {
        let link = &links[roll.link];
        let joint = &link.form.joint;
        let share = link.form.reduced(&link.impulse, &(link.velocity + link.form.bias)).0[0];
        let pressing = if joint.bilateral { link.impulse[0] } else { share }.max(0.0);
        let normal = Vect::<3>::from_fn(|i, _| if i < D { link.frame[(i, 0)] } else { 0.0 });
        let spin = roll.spin(link, masses);
        let split = |x: &Vect<3>| [x - normal * normal.dot(x), normal * normal.dot(x)];
        for ((m, omega), arm) in split(&roll.moment).into_iter().zip(split(&spin)).zip(roll.arms) {
            let bound = arm * pressing;
            assert!(m.norm() <= bound + tolerance, "contact {}: {} above {bound}", roll.link, m.norm());
            // It turns only against the largest moment.
            let (speed, short) = (omega.norm(), (m * omega.norm() + omega * bound).norm());
            assert!(short <= tolerance * (1.0 + speed), "contact {}: {m} {omega} {bound}", roll.link);
            still += usize::from(bound > 0.0 && speed < 1e-6);
            turning += usize::from(bound > 0.0 && speed > 1e-3);
        }
    }
    [still, turning]
}

fn obeys_the_law<const D: usize>(round: bool) {
    let mut seen = [0, 0];
    for seed in 1..=10 {
        let (solved, report) = solve(&rough::<D>(seed, 40, 60, round), &tight());
        assert!(report.converged, "seed {seed}: {report:?}");
        let found = check_law(&solved, 1e-9);
        seen = [seen[0] + found[0], seen[1] + found[1]];
        for link in &solved.1 {
            assert!((link.relative_velocity(&solved.0) - link.velocity).norm() < 1e-13);
        }
    }
    assert!(seen.iter().all(|&count| count > 30), "too little is at rest, or turns: {seen:?}");
}

#[test]
fn moments_obey_their_law_in_the_plane() {
    obeys_the_law::<2>(false);
}

#[test]
fn moments_obey_their_law_in_space() {
    obeys_the_law::<3>(false);
}

#[test]
fn moments_obey_their_law_for_spheres() {
    obeys_the_law::<3>(true);
}

fn joints_beside_rolling<const D: usize>() {
    for seed in 1..=10 {
        let mut problem = rough::<D>(seed, 60, 60, false);
        let mut dice = Dice(seed | 1);
        for (i, link) in problem.1.iter_mut().enumerate().filter(|(i, _)| i % 2 == 0) {
            let pull = Vect::from_fn(|_, _| 0.3 * dice.both());
            let stiffness = [2.0 * dice.roll(), dice.roll()];
            link.form.joint = match i % 8 {
                0 => Joint::bilateral(),
                2 => Joint { pull, ..Joint::none() },
                4 => Joint { compliance: [dice.roll(), dice.roll()], ..Joint::none() },
                _ => Joint { pull, stiffness, ..Joint::none() },
            };
        }
        let (solved, report) = solve(&problem, &tight());
        assert!(report.converged, "seed {seed}: {report:?}");
        check_law(&solved, 1e-9);
    }
}

#[test]
fn moments_obey_their_law_beside_joints() {
    joints_beside_rolling::<2>();
    joints_beside_rolling::<3>();
}

#[test]
fn every_order_finds_a_solution() {
    for order in [Order::Coloured, Order::Listed, Order::Reversed, Order::Symmetric] {
        let (solved, report) = solve(&rough::<3>(5, 30, 45, false), &Settings { order, ..tight() });
        assert!(report.converged, "{order:?}: {report:?}");
        check_law(&solved, 1e-9);
    }
}

fn bits<const D: usize>(problem: &Rough<D>, threads: usize, portable: bool) -> Vec<u64> {
    let settings = Settings { tolerance: 1e-9, max_sweeps: 60, portable, ..Settings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let ((masses, links, rolls), report) = pool.install(|| solve(problem, &settings));
    let mut numbers = vec![report.residual, report.residual_rms];
    masses.iter().for_each(|m| numbers.extend(m.velocity.iter().chain(m.spin.iter())));
    links.iter().for_each(|l| numbers.extend(l.impulse.iter().chain(l.velocity.iter())));
    rolls.iter().for_each(|r| numbers.extend(r.moment.iter()));
    assert!(rolls.iter().any(|r| r.moment != Vect::<3>::zeros()));
    numbers.into_iter().map(f64::to_bits).collect()
}

fn same_bits<const D: usize>(bodies: usize, round: bool) {
    let problem = rough::<D>(7, bodies, 5 * bodies / 2, round);
    let reference = bits(&problem, 1, false);
    assert!(bits(&problem, 2, false) == reference, "two threads");
    assert!(bits(&problem, 1, true) == reference, "portable arithmetic");
}

#[test]
fn same_bits_for_any_threads_and_instructions() {
    same_bits::<2>(8000, false);
    same_bits::<3>(8000, false);
    same_bits::<3>(8000, true);
}

/// So many bodies are swept by tiles.
#[test]
fn same_bits_by_tiles() {
    same_bits::<3>(20_000, true);
}

/// A moment that cannot act changes nothing, not even a bit: the kernels differ in what they add alone.
#[test]
fn without_arms_it_is_the_problem_without_rolling() {
    for round in [false, true] {
        let (masses, links, mut rolls) = rough::<3>(9, 60, 90, round);
        rolls.iter_mut().for_each(|roll| roll.arms = [0.0; 2]);
        let (with, report) = solve(&(masses.clone(), links.clone(), rolls), &tight());
        let (without, expected) = solve(&(masses, links, vec![]), &tight());
        assert_eq!((report.sweeps, report.residual), (expected.sweeps, expected.residual));
        assert!(with.1 == without.1 && with.2.iter().all(|roll| roll.moment == Vect::<3>::zeros()));
    }
}

/// A workspace does not remember that contacts resisted before.
#[test]
fn a_workspace_that_was_used_for_rolling_gives_the_same_bits() {
    let (rough, settings) = (rough::<3>(3, 60, 110, true), tight());
    let mut used = MatrixFree::new();
    let (mut masses, mut links, mut rolls) = rough.clone();
    used.solve(&mut masses, &mut links, &mut rolls, &settings);
    let mut again = (rough.0.clone(), rough.1.clone(), vec![]);
    used.solve(&mut again.0, &mut again.1, &mut again.2, &settings);
    assert!(again == solve(&(rough.0, rough.1, vec![]), &settings).0);
}

/// Layers of unit spheres on the ground, each in the gaps of the four below, over a step of weight: a heap that rolls apart unless its
/// contacts resist.
fn heap(side: usize, arms: [f64; 2]) -> Rough<3> {
    let number = |layer: usize, i: usize, j: usize| {
        let below: usize = (0..layer).map(|k| (side - k) * (side - k)).sum();
        (below + i * (side - layer) + j) as u32
    };
    let bodies: usize = (1..=side).map(|k| k * k).sum();
    let mut masses = vec![mass::<3>(1.0, 0.4); bodies];
    masses.iter_mut().for_each(|m| m.velocity.z = -0.01);
    let mut links = vec![];
    for layer in 0..side {
        for (i, j) in (0..(side - layer).pow(2)).map(|k| (k / (side - layer), k % (side - layer))) {
            let me = number(layer, i, j);
            if layer == 0 {
                links.push(link([me, GROUND], Vect::<3>::z(), [-Vect::<3>::z(); 2], 0.6));
                continue;
            }
            for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let side = |up: usize| if up == 0 { 0.5 } else { -0.5 };
                let normal = Vect::<3>::new(side(x), side(y), 0.5f64.sqrt());
                links.push(link([me, number(layer - 1, i + x, j + y)], normal, [-normal, normal], 0.6));
            }
        }
    }
    let roll = |link: usize| Roll { link, arms, bias: Vect::zeros(), moment: Vect::zeros() };
    let rolls = (0..links.len()).map(roll).collect();
    (masses, links, rolls)
}

#[test]
fn a_heap_that_resists_rolling_stands_and_one_that_does_not_falls() {
    let settings = Settings { tolerance: 1e-8, ..tight() };
    let speed = |masses: &[Mass<3>]| masses.iter().map(|m| m.velocity.norm()).fold(0.0, f64::max);
    let (falls, report) = solve(&heap(3, [0.0; 2]), &settings);
    assert!(report.converged && speed(&falls.0) > 1e-4, "{report:?} {}", speed(&falls.0));
    let (stands, report) = solve(&heap(8, [0.3, 0.1]), &settings);
    assert!(report.converged, "{report:?}");
    // The residual is relative to impulses over masses, some hundred times the velocities of a step.
    assert!(speed(&stands.0) < 1e-8, "{}", speed(&stands.0));
    check_law(&stands, 1e-9);
    let weight: f64 = stands.1.iter().filter(|l| l.masses[1] == GROUND).map(|l| l.impulse[0]).sum();
    assert!((weight - 0.01 * stands.0.len() as f64).abs() < 1e-8, "{weight}");
}

/// All methods that know moments find the velocities that the sweeps find, on a crowd in which joints pull and give way too.
fn every_method_finds_the_same<const D: usize>(seed: u64) {
    let mut problem = rough::<D>(seed, 24, 30, false);
    for (i, link) in problem.1.iter_mut().enumerate().filter(|(i, _)| i % 4 == 0) {
        let pull = Vect::from_fn(|k, _| if k == 0 { -0.05 * (i as f64).sin().abs() } else { 0.0 });
        link.form.joint = Joint { pull, compliance: [0.1, 0.05], ..Joint::none() };
    }
    let (expected, report) = solve(&problem, &tight());
    assert!(report.converged, "{report:?}");
    let names = Solver::NAMES.into_iter().filter(|name| Solver::named(name).unwrap().knows_rolling());
    assert_eq!(names.clone().count(), Solver::NAMES.len() - 2);
    for name in names {
        let method = Method::Stored(Solver::named(name).unwrap());
        let settings = Settings { tolerance: 1e-7, max_sweeps: 200_000, method, ..Settings::default() };
        let (mut masses, mut links, mut rolls) = problem.clone();
        let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut rolls, &settings);
        assert!(report.converged, "{name} in {D}D: {report:?}");
        let apart = |(a, b): (&Mass<D>, &Mass<D>)| (a.velocity - b.velocity).norm() + (a.spin - b.spin).norm();
        let worst = masses.iter().zip(&expected.0).map(apart).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{name} in {D}D: {worst:e}");
        check_law(&(masses, links, rolls), 1e-5);
    }
}

#[test]
fn every_method_that_knows_moments_finds_the_same() {
    every_method_finds_the_same::<2>(3);
    every_method_finds_the_same::<3>(3);
}

/// A heap that neither stands nor falls at once: what sweeps take long for, the proximal point settles.
#[test]
fn what_takes_long_is_settled_beside_the_sweeps() {
    let problem = heap(8, [0.05, 0.02]);
    let settings = Settings { tolerance: 1e-8, max_sweeps: 200_000, ..Settings::default() };
    let (_, swept) = solve(&problem, &Settings { max_sweeps: 20_000, ..settings });
    assert!(!swept.converged, "sweeps are enough: {swept:?}");
    let (mut masses, mut links, mut rolls) = problem;
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut rolls, &settings);
    assert!(report.converged && report.split_iterations > 0, "{report:?}");
    check_law(&(masses, links, rolls), 1e-7);
}
