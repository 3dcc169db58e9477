//! Problems of Cairn's own scenes, dumped by `cairn dump-problem`: a stack of cubes under one a thousand times as heavy,
//! a pile of disks, an arch, a piece of wall, polyhedra with a coefficient of friction of one.

use std::path::Path;

use cairn_solvers::answer::{self, Wanted};
use cairn_solvers::discrete::AnyProblem;
use cairn_solvers::format::{self, fclib};
use cairn_solvers::problem::Vect;
use cairn_solvers::solver::Solver;
use cairn_solvers::verdict;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

const CONTACTS: [(&str, usize); 5] =
    [("arch.dat", 44), ("disks.hdf5", 148), ("rough.hdf5", 84), ("stack.hdf5", 40), ("wall.dat", 28)];

#[test]
fn all_are_read() {
    for (name, contacts) in CONTACTS {
        assert_eq!(format::read(&file(name)).unwrap().contacts(), contacts, "{name}");
    }
}

/// The impulses in a dumped file are those that the step was content with: residual 1e-6 or 1e-4 in its own measure.
#[test]
fn the_solution_in_a_file_is_one() {
    for (name, bound) in [("rough.hdf5", 1e-2), ("stack.hdf5", 1e-3)] {
        let AnyProblem::Solid(problem) = format::read(&file(name)).unwrap() else { panic!("{name}") };
        let r = fclib::read_solution(&file(name)).unwrap().unwrap();
        let r: Vec<Vect<3>> = r.chunks_exact(3).map(Vect::from_column_slice).collect();
        let verdict = verdict::local(&problem, &r).0;
        assert!(verdict.residual_max < bound, "{name}: {verdict:?}");
        let none = verdict::local(&problem, &vec![Vect::zeros(); r.len()]).0;
        assert!(none.residual_max > 10.0 * verdict.residual_max, "{name}: zero impulses are as good, {none:?}");
    }
}

/// The verdict is that of the natural map evaluated by hand from r and u alone.
#[test]
fn answers_are_judged_by_themselves() {
    let problem = format::read(&file("rough.hdf5")).unwrap();
    let AnyProblem::Solid(stated) = &problem else { panic!() };
    let answer = answer::solve(&problem, Solver::named("nlgs").unwrap(), Wanted::to(1e-6)).unwrap();
    let mut sum = 0.0;
    for (a, mu) in stated.friction.iter().enumerate() {
        let (r, u) = (&answer.r[3 * a..3 * a + 3], &answer.u[3 * a..3 * a + 3]);
        let s = [r[0] - u[0] - mu * u[1].hypot(u[2]), r[1] - u[1], r[2] - u[2]];
        let tangent = s[1].hypot(s[2]);
        let p = if tangent <= mu * s[0] {
            s
        } else if mu * tangent <= -s[0] {
            [0.0; 3]
        } else {
            let n = (s[0] + mu * tangent) / (1.0 + mu * mu);
            [n, mu * n * s[1] / tangent, mu * n * s[2] / tangent]
        };
        sum += r.iter().zip(p).map(|(r, p)| (r - p) * (r - p)).sum::<f64>();
    }
    assert!((sum.sqrt() - answer.verdict.absolute).abs() <= 1e-9 * sum.sqrt());
    assert!(answer.verdict.accepts(1e-6) && answer.verdict.residual_q > 1e-9, "{:?}", answer.verdict);
}

#[test]
fn auto_solves_all_of_them_in_both_measures() {
    for (name, _) in CONTACTS {
        for tolerance in [1e-4, 1e-8] {
            let answer =
                answer::solve(&format::read(&file(name)).unwrap(), Solver::Auto, Wanted::to(tolerance)).unwrap();
            assert!(
                answer.verdict.accepts(tolerance),
                "{name} to {tolerance:e}: {:?}\n{}",
                answer.verdict,
                answer.story
            );
        }
    }
}
