//! Problem files of other people, where they are present: a folder `shared/data/fc-problems` beside the project, or the
//! one that the variable CAIRN_FC_PROBLEMS names. They are not ours to ship.

use std::path::{Path, PathBuf};

use cairn_solvers::answer::{self, Wanted};
use cairn_solvers::discrete::{AnyProblem, flat};
use cairn_solvers::format;
use cairn_solvers::problem::Vect;
use cairn_solvers::solver::Solver;
use cairn_solvers::verdict;

fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("CAIRN_FC_PROBLEMS").map(PathBuf::from);
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = project.ancestors().map(|a| a.join("shared/data/fc-problems"));
    let found = named.into_iter().chain(beside).find(|f| f.join("index.json").exists());
    if found.is_none() {
        eprintln!("left out: no folder shared/data/fc-problems beside the project, and CAIRN_FC_PROBLEMS not set");
    }
    found
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Relative to ten digits, the precision of the index.
fn same(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 2e-9 * expected.abs()
}

#[test]
fn every_file_of_the_folder_is_read_as_its_index_says() {
    let Some(folder) = folder() else { return };
    let index = std::fs::read_to_string(folder.join("index.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    for entry in index["problems"].as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let problem = format::read(&folder.join(name)).unwrap();
        assert_eq!(problem.contacts() as u64, entry["contacts"].as_u64().unwrap(), "{name}");
        let at_rest = |value: f64| {
            let expected = entry["abs_natural_residual_at_r0"].as_f64().unwrap();
            assert!(same(value, expected), "{name}: natural map at zero {value}, expected {expected}");
        };
        let (free, trace, w) = match &problem {
            AnyProblem::Plane(p) => {
                at_rest(verdict::local(p, &vec![Vect::zeros(); p.contacts()]).0.absolute);
                (flat(p.w.free()), p.w.to_csc().trace(), None)
            }
            AnyProblem::Solid(p) => {
                at_rest(verdict::local(p, &vec![Vect::zeros(); p.contacts()]).0.absolute);
                (flat(p.w.free()), p.w.to_csc().trace(), None)
            }
            AnyProblem::PlaneGlobal(p) => (p.f.clone(), p.m.trace(), Some(p.w.clone())),
            AnyProblem::SolidGlobal(p) => (p.f.clone(), p.m.trace(), Some(p.w.clone())),
            AnyProblem::Rolling(p) => (p.free.clone(), p.matrix.trace(), None),
        };
        let kind = entry["kind"].as_str().unwrap().replace('_', " ");
        assert!(problem.kind().starts_with(&kind), "{name}: {}, expected {kind}", problem.kind());
        assert!(same(norm(&free), entry["norm_q"].as_f64().unwrap()), "{name}: norm of q");
        assert!(same(trace, entry["trace"].as_f64().unwrap()), "{name}: trace {trace}");
        if let Some(w) = w {
            assert!(same(norm(&w), entry["norm_b"].as_f64().unwrap()), "{name}: norm of w");
        }
    }
}

/// The folder has one problem both as global and as condensed by another code, with seven digits.
#[test]
fn condensation_gives_what_another_code_condensed() {
    let Some(folder) = folder() else { return };
    let read = |name: &str| format::read(&folder.join(name)).unwrap();
    let (AnyProblem::SolidGlobal(global), AnyProblem::Solid(local)) =
        (read("GFC3D_TwoRods1.dat"), read("GFC3D_TwoRods1-condensed.dat"))
    else {
        panic!("a global and a local problem expected")
    };
    let (condensed, _) = global.condense().unwrap();
    let (ours, theirs) = (condensed.w.to_csc(), local.w.to_csc());
    let size = theirs.triplets().map(|e| e.2.abs()).fold(0.0, f64::max);
    let mut difference = vec![0.0; 81];
    ours.triplets().for_each(|(i, j, x)| difference[9 * i + j] += x);
    theirs.triplets().for_each(|(i, j, x)| difference[9 * i + j] -= x);
    let worst = difference.iter().fold(0.0, |a: f64, d| a.max(d.abs()));
    assert!(worst < 2e-5 * size, "W differs by {worst} of {size}");
}

#[test]
fn auto_solves_every_problem_of_the_folder_in_both_measures() {
    let Some(folder) = folder() else { return };
    let mut unsolved = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(problem) = format::read(&path) else { continue };
        for tolerance in [1e-4, 1e-8] {
            let answer = answer::solve(&problem, Solver::Auto, Wanted::to(tolerance)).unwrap();
            if !answer.verdict.accepts(tolerance) {
                unsolved.push(format!("{} to {tolerance:e}: {:?}", path.display(), answer.verdict));
            }
        }
    }
    assert!(unsolved.is_empty(), "{unsolved:#?}");
}
