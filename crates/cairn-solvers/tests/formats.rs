//! Files that are written are read again to the last bit; damaged ones are refused, and never end the program.

use std::path::PathBuf;

use cairn_solvers::csc::Csc;
use cairn_solvers::discrete::{AnyProblem, Problem, flat};
use cairn_solvers::format::{self, fclib, siconos_dat};
use cairn_solvers::problem::Vect;
use proptest::prelude::*;

/// Three contacts in a row, unsymmetric on purpose, with numbers that no short text holds.
fn problem() -> Problem<3> {
    let mut entries = Vec::new();
    for i in 0..9usize {
        for j in (0..9usize).filter(|j| (i / 3).abs_diff(j / 3) < 2) {
            entries.push((i, j, if i == j { 3.0 } else { (1.0 + i as f64) / (7.0 + j as f64) - 0.4 }));
        }
    }
    let w = Csc::from_triplets(9, 9, &entries).unwrap();
    let q: Vec<f64> = (0..9).map(|i| (i as f64 - 4.0) / 3.0).collect();
    Problem::new(&w, &q, vec![0.1, 0.7, 1.0]).unwrap()
}

fn assert_same(read: AnyProblem, expected: &Problem<3>) {
    let AnyProblem::Solid(read) = read else { panic!("{}", read.kind()) };
    assert_eq!(read.w.to_csc(), expected.w.to_csc());
    assert_eq!(read.w.free(), expected.w.free());
    assert_eq!(read.friction, expected.friction);
}

fn scratch(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn hdf5() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.hdf5");
    let r: Vec<Vect<3>> = (0..3).map(|a| Vect::<3>::new(a as f64, 0.1, 0.2)).collect();
    fclib::write(&path, &problem(), "three contacts", &r, &r).unwrap();
    assert_eq!(fclib::read_solution(&path).unwrap(), Some(flat(&r)));
    std::fs::read(&path).unwrap()
}

#[test]
fn text_is_read_again_to_the_last_bit() {
    assert_same(siconos_dat::parse(&siconos_dat::write(&problem())).unwrap(), &problem());
}

#[test]
fn fclib_is_read_again_to_the_last_bit() {
    let (_folder, path) = scratch("p.hdf5", &hdf5());
    assert_same(format::read(&path).unwrap(), &problem());
}

#[test]
fn no_contacts_are_a_problem_too() {
    let none = Problem::<2>::new(&Csc::from_triplets(0, 0, &[]).unwrap(), &[], vec![]).unwrap();
    let text = siconos_dat::parse(&siconos_dat::write(&none)).unwrap();
    let (_folder, path) = scratch("none.hdf5", b"");
    fclib::write(&path, &none, "", &[], &[]).unwrap();
    for read in [text, format::read(&path).unwrap()] {
        assert!(matches!(read, AnyProblem::Plane(p) if p.contacts() == 0));
    }
}

/// The same 3 × 3 matrix as dense, block, triplet and column text.
#[test]
fn all_storages_of_a_matrix_say_the_same() {
    let tail = "-1 2 3\n0.1\n1\n";
    let dense = "3 1\n0 3 3\n3 3\n15 -1 -2 -1 14 0 -2 1 16\n";
    let block = "3 1\n1 3 3\n1 1 1\n3\n3\n2\n1\n0 1\n0\n0\n15 -1 -2 -1 14 0 -2 1 16\n";
    let triplet = "3 1\n2 3 3\n1\nCSparse Version 3.1.9, someone\ntriplet: 3-by-3, nzmax: 9 nnz: 9\n\
        0 0 : 15\n1 0 : -1\n2 0 : -2\n0 1 : -1\n1 1 : 10\n1 1 : 4\n0 2 : -2\n1 2 : 1\n2 2 : 16\n";
    let column = "3 1\n2 3 3\n2\nCSparse Version 3.1.9, someone\n3-by-3, nzmax: 8 nnz: 8, 1-norm: 19\n\
        col 0 : locations 0 to 2\n0 : 15\n1 : -1\n2 : -2\ncol 1 : locations 3 to 4\n0 : -1\n1 : 14\n\
        col 2 : locations 5 to 7\n0 : -2\n1 : 1\n2 : 16\n";
    let read = |head: &str| match siconos_dat::parse(&format!("{head}{tail}")) {
        Ok(AnyProblem::Solid(p)) => p.w.to_csc(),
        other => panic!("{head}: {other:?}"),
    };
    let expected = Csc::from_dense(3, 3, &[15.0, -1.0, -2.0, -1.0, 14.0, 0.0, -2.0, 1.0, 16.0]).unwrap();
    for head in [dense, block, triplet, column] {
        assert_eq!(read(head), expected, "{head}");
    }
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let said = |text: &str| siconos_dat::parse(text).err().map(|e| e.to_string()).unwrap_or_default();
    assert_eq!(said("3 1\n0 3 3\n3 3\n1 x"), "line 4: expected 9 values of a dense matrix, found the end of the file");
    assert!(said("4 1").starts_with("line 1: expected 2, 3 or 5 components per contact, found `4`"));
    let text = "2 1\n0 2 2\n2 2\n1 0 0 1\n-1 0\nabc\n";
    assert_eq!(said(text), "line 6: expected mu (1 numbers), found `abc`");
    assert!(said("2 1\n0 2 2\n2 2\n1 0 0 1\n-1 0\n-0.5\n").contains("mu of contact 0 is -0.5, expected 0 or more"));
    assert!(said("2 1\n0 2 2\n2 2\n1 0 nan 1\n-1 0\n0.5\n").contains("line 4: expected a finite number"));
    let error = format::read(std::path::Path::new("no-such-file.dat")).unwrap_err().to_string();
    assert!(error.starts_with("no-such-file.dat: "), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_text_never_panics(cut in 0usize..4000, at in 0usize..4000, word in "[-0-9a-z.:, ]{0,12}") {
        let whole = siconos_dat::write(&problem());
        let mut text = whole.clone();
        let at = at % text.len();
        text.replace_range(at..at + 1, &word);
        let _ = siconos_dat::parse(&text);
        text.truncate(cut % text.len());
        let _ = siconos_dat::parse(&text);
        // Cut within the last number, what is left may be a number too.
        let last = whole.trim_end().rfind(char::is_whitespace).unwrap();
        prop_assert!(siconos_dat::parse(&whole[..cut % last]).is_err());
    }

    #[test]
    fn damaged_sparse_text_never_panics(at in 0usize..400, word in "[-0-9a-z.:, ]{0,6}") {
        let mut text = "2 1\n2 4 4\n1\nCSparse Version 3\ntriplet: 4-by-4, nzmax: 4 nnz: 4\n0 0 : 1\n1 1 : 1\n2 2 : 1\n\
            3 3 : 1\n2 4 2\n2\nCSparse Version 3\n4-by-2, nzmax: 2 nnz: 2, 1-norm: 1\ncol 0 : locations 0 to 0\n0 : 1\n\
            col 1 : locations 1 to 1\n1 : 1\n-1 0 0 0\n0 0\n0.5\n".to_string();
        prop_assert!(siconos_dat::parse(&text).is_ok());
        let at = at % text.len();
        text.replace_range(at..at + 1, &word);
        let _ = siconos_dat::parse(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn damaged_hdf5_never_panics(cut in 1usize..100_000, at in 8usize..100_000, byte in 0u8..=255) {
        let whole = hdf5();
        let length = whole.len();
        let mut bytes = whole.clone();
        bytes[at % length] = byte;
        for (name, bytes) in [("damaged.hdf5", &bytes[..]), ("both.hdf5", &bytes[..cut % length])] {
            let (_folder, path) = scratch(name, bytes);
            let _ = format::read(&path);
        }
        // The last bytes may be of no use to anyone; half of the file is.
        let (_folder, path) = scratch("cut.hdf5", &whole[..cut % (length / 2)]);
        prop_assert!(format::read(&path).is_err());
    }
}
