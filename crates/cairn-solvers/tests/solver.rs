//! The portfolio on problems with a stored W: all solvers agree, units do not matter, the best iterate is kept.

use crate::common::{Dice, crowd, link, mass};
use cairn_solvers::delassus::Stored;
use cairn_solvers::discrete::Problem;
use cairn_solvers::problem::{GROUND, Link, Mass, Mat, Vect};
use cairn_solvers::report::{Report, Settings};
use cairn_solvers::solver::wedge::wedged;
use cairn_solvers::solver::{Measure, Solver};
use cairn_solvers::verdict;

/// Laws and masses as a problem with a stored W: the bias goes into q.
fn problem<const D: usize>(masses: &[Mass<D>], links: &[Link<D>]) -> Problem<D> {
    let w = Stored::new(masses, links);
    let blocks = (0..links.len()).flat_map(|a| {
        let (columns, blocks) = w.row(a);
        columns.into_iter().zip(blocks).map(move |(b, block)| (a as u32, b, block)).collect::<Vec<_>>()
    });
    let q = w.free().iter().zip(links).map(|(u, l)| u + l.form.bias).collect();
    let w = Stored::from_blocks(blocks.collect(), q).unwrap();
    Problem { w, friction: links.iter().map(|l| l.form.friction).collect(), arms: vec![] }
}

/// To 1e-8, whatever it takes.
fn thorough() -> Settings<'static> {
    Settings { tolerance: 1e-8, max_sweeps: 100_000, ..Settings::default() }
}

fn solve<const D: usize>(name: &str, p: &Problem<D>, settings: &Settings) -> (Vec<Vect<D>>, Report) {
    let mut r = vec![];
    let (report, _) = Solver::named(name).unwrap().solve(p, &mut r, settings);
    (r, report)
}

/// With few contacts per mass W is regular, and with moderate friction the velocities are unique.
fn all_agree<const D: usize>() {
    let settings = Settings { tolerance: 1e-10, max_sweeps: 200_000, ..thorough() };
    for seed in 1..=5 {
        let (masses, mut links) = crowd::<D>(seed, 30, 35, false);
        links.iter_mut().for_each(|l| l.form.friction *= 0.5);
        let p = problem(&masses, &links);
        let (reference, report) = solve("nlgs", &p, &settings);
        assert!(report.converged, "nlgs: {report:?}");
        let expected = p.velocities(&reference);
        for name in Solver::NAMES {
            // The interior point loses digits near the boundary of the cones; the last ones are Newton's.
            let tolerance = if name == "interior" { 1e-6 } else { settings.tolerance };
            let (r, report) = solve(name, &p, &Settings { tolerance, ..settings });
            // Newton alone is no global method: it has to be told where to start.
            if name == "newton" && !report.converged {
                continue;
            }
            assert!(report.converged, "{name}, seed {seed}: {report:?}");
            let u = p.velocities(&r);
            let worst = u.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(worst < 1e3 * tolerance, "{name}, seed {seed}: velocities differ by {worst}");
        }
    }
}

#[test]
fn all_solvers_agree_in_the_plane() {
    all_agree::<2>();
}

#[test]
fn all_solvers_agree_in_space() {
    all_agree::<3>();
}

#[test]
fn newton_finishes_what_sweeps_began() {
    let (masses, links) = crowd::<3>(3, 30, 50, false);
    let p = problem(&masses, &links);
    let mut r = vec![];
    let rough = Settings { tolerance: 1e-3, ..thorough() };
    assert!(Solver::named("nlgs").unwrap().solve(&p, &mut r, &rough).0.converged);
    let fine = Settings { tolerance: 1e-12, ..thorough() };
    let (report, _) = Solver::Newton.solve(&p, &mut r, &fine);
    assert!(report.converged && report.sweeps <= 12, "{report:?}");
}

/// A column of cubes with four contacts at each joint, the top one heavier by `ratio`: W has deficient rank, and forces travel
/// through the whole height.
fn column(height: usize, ratio: f64, friction: f64) -> Problem<3> {
    let mut masses: Vec<Mass<3>> =
        (0..height).map(|i| mass(if i + 1 == height { ratio } else { 1.0 }, 1.0 / 6.0)).collect();
    masses[height - 1].spin_mobility /= ratio;
    masses.iter_mut().for_each(|m| m.velocity = Vect::<3>::new(1e-5, 0.0, -0.01));
    let mut links = vec![];
    for i in 0..height {
        let below = if i == 0 { GROUND } else { i as u32 - 1 };
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            let arms = [Vect::<3>::new(x, y, -0.5), Vect::<3>::new(x, y, 0.5)];
            links.push(link([i as u32, below], Vect::<3>::z(), arms, friction));
        }
    }
    problem(&masses, &links)
}

#[test]
fn heavy_over_light_is_solved_where_sweeps_crawl() {
    // The residual is a velocity at each joint; over 40 joints, times a mass of 1000, it becomes an error of 1e6 times its
    // size in what the ground carries.
    let settings = Settings { tolerance: 1e-12, max_sweeps: 20_000, ..thorough() };
    for friction in [0.3, 0.7, 1.2] {
        let p = column(40, 1000.0, friction);
        let (r, report) = solve("auto", &p, &settings);
        assert!(report.converged, "μ = {friction}: {report:?}");
        // The ground carries the momentum of all masses.
        let carried: f64 = r[..4].iter().map(|r| r[0]).sum();
        let expected = 0.01 * (39.0 + 1000.0);
        assert!((carried / expected - 1.0).abs() < 1e-5, "{carried} {expected}");
        let plain = solve("nlgs", &p, &Settings { max_sweeps: 2000, ..settings }).1;
        assert!(!plain.converged, "the problem is too easy to show anything");
    }
}

/// The same problem in units of length, mass and time that differ by a million: W is 1/mass, q length/time.
#[test]
fn units_do_not_change_the_iterations() {
    let blocks = |p: &Problem<3>, factor: f64| {
        let row = |a: usize| {
            let (columns, blocks) = p.w.row(a);
            columns.into_iter().zip(blocks).map(move |(b, w)| (a as u32, b, w * factor)).collect::<Vec<_>>()
        };
        (0..p.contacts()).flat_map(row).collect::<Vec<(u32, u32, Mat<3>)>>()
    };
    let (masses, links) = crowd::<3>(9, 60, 130, false);
    for p in [problem(&masses, &links), column(12, 50.0, 0.6)] {
        let settings = Settings { tolerance: 1e-9, max_sweeps: 400, ..thorough() };
        for name in ["auto", "nlgs", "newton", "proximal", "admm", "interior", "gradient", "bipotential"] {
            let expected = solve(name, &p, &settings).1;
            for (length, kilo, time) in [(1e6, 1.0, 1.0), (1.0, 1e-6, 1.0), (1e-6, 1e6, 1e6)] {
                // Powers of two: then not even the rounding differs.
                let near = |x: f64| x.log2().round().exp2();
                let (w, q) = (near(1.0 / kilo), near(length / time));
                let free = p.w.free().iter().map(|u| u * q).collect();
                let scaled = Problem {
                    w: Stored::from_blocks(blocks(&p, w), free).unwrap(),
                    friction: p.friction.clone(),
                    arms: vec![],
                };
                let report = solve(name, &scaled, &settings).1;
                assert_eq!(report.sweeps, expected.sweeps, "{name}: {report:?} {expected:?}");
                assert_eq!(report.residual, expected.residual, "{name}");
            }
        }
    }
}

#[test]
fn the_answer_is_never_worse_than_the_start() {
    let (masses, links) = crowd::<3>(4, 30, 90, false);
    let p = problem(&masses, &links);
    let settings = Settings { tolerance: 0.0, measure: Measure::Strict, max_sweeps: 5, ..thorough() };
    let mut dice = Dice(77);
    for name in Solver::NAMES {
        let mut r: Vec<Vect<3>> = solve("auto", &p, &Settings { tolerance: 1e-6, ..thorough() }).0;
        r.iter_mut().for_each(|r| *r *= 1.0 + 1e-3 * dice.both());
        let before = verdict::local(&p, &r).0.residual_q;
        let (report, _) = Solver::named(name).unwrap().solve(&p, &mut r, &settings);
        let after = verdict::local(&p, &r).0.residual_q;
        assert!(after <= before, "{name}: {before} became {after}");
        assert!(
            (report.residual - after).abs() <= 1e-12 * (1.0 + after),
            "{name} reports what an independent look finds"
        );
    }
}

#[test]
fn the_same_twice() {
    let p = column(15, 100.0, 0.8);
    let settings = Settings { tolerance: 1e-10, ..thorough() };
    let (first, second) = (solve("auto", &p, &settings), solve("auto", &p, &settings));
    assert_eq!(first.0, second.0);
    assert_eq!(first.1.sweeps, second.1.sweeps);
}

/// A contact between bodies that are held stands aside; the others are solved.
#[test]
fn the_interior_point_leaves_alone_what_does_not_respond() {
    let q = vec![Vect::<2>::new(-1.0, 0.0), Vect::<2>::new(1.0, 0.0)];
    let held = Stored::from_blocks(vec![(0, 0, Mat::<2>::identity()), (1, 1, Mat::zeros())], q).unwrap();
    let p = Problem { w: held, friction: vec![0.5, 0.5], arms: vec![] };
    let (r, report) = solve("interior", &p, &thorough());
    assert!(report.converged, "{report:?}");
    assert!((r[0][0] - 1.0).abs() < 1e-7 && r[1] == Vect::<2>::zeros(), "{r:?}");
}

/// A mass between two walls that close in has no solution; one between walls that give way as much does, and slowness is
/// no sign either.
#[test]
fn wedged_contacts_are_told() {
    let between = |left: f64, right: f64| {
        let (w, q) = (Mat::<2>::identity(), vec![Vect::<2>::new(left, 0.1), Vect::<2>::new(right, 0.0)]);
        Problem {
            w: Stored::from_blocks(vec![(0, 0, w), (0, 1, -w), (1, 0, -w), (1, 1, w)], q).unwrap(),
            friction: vec![0.5; 2],
            arms: vec![],
        }
    };
    let tight = between(-1.0, -0.5);
    let (r, report) = solve("auto", &tight, &thorough());
    assert!(!report.converged, "{report:?}");
    assert_eq!(wedged(&tight, &r), 2);
    let loose = between(-1.0, 1.5);
    let (r, report) = solve("auto", &loose, &thorough());
    assert!(report.converged, "{report:?}");
    assert_eq!(wedged(&loose, &r), 0);
    let slow = column(60, 1000.0, 0.6);
    assert_eq!(wedged(&slow, &vec![Vect::zeros(); slow.contacts()]), 0);
}

/// A contact that approaches and that nothing can stop has no solution, and is told from slow convergence.
#[test]
fn no_solution_is_told_from_no_convergence() {
    let q = vec![Vect::<2>::new(-1.0, 0.0), Vect::<2>::new(-1.0, 0.5)];
    let held = Stored::from_blocks(vec![(0, 0, Mat::<2>::identity()), (1, 1, Mat::zeros())], q).unwrap();
    let p = Problem { w: held, friction: vec![0.5, 0.5], arms: vec![] };
    let settings = Settings { measure: Measure::Strict, max_sweeps: 50, ..thorough() };
    let report = solve("auto", &p, &settings).1;
    assert!(report.perhaps_without_solution());
    assert_eq!(report.unresponsive, 1);
    let slow = solve("bipotential", &column(12, 50.0, 0.6), &settings).1;
    assert!(!slow.converged && !slow.perhaps_without_solution());
}

#[test]
fn empty_problem_and_bad_start_are_no_trouble() {
    let empty = Problem::<3> { w: Stored::from_blocks(vec![], vec![]).unwrap(), friction: vec![], arms: vec![] };
    let p = column(2, 1.0, 0.5);
    for name in Solver::NAMES {
        let report = solve(name, &empty, &thorough()).1;
        assert!(report.converged, "{name}: {report:?}");
        let mut r = vec![Vect::<3>::repeat(f64::NAN); 8];
        let (report, _) = Solver::named(name).unwrap().solve(
            &p,
            &mut r,
            &Settings { max_sweeps: 20_000, tolerance: 1e-6, ..thorough() },
        );
        assert!(r.iter().all(|r| r.norm().is_finite()) && report.residual.is_finite(), "{name}: {report:?}");
    }
}
