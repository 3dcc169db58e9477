use super::*;
use crate::testing::{Random, block_matrix, dense_of, gauss};
use cpu_time::ThreadTime;

/// A random sparse matrix; positive definite if the diagonal dominates.
fn random_matrix(size: usize, diagonal: f64, seed: u64) -> Symmetric {
    let mut random = Random(seed);
    let mut pick = || ((random.next() * 0.5 + 0.5) * size as f64) as u32 % size as u32;
    let pairs: Vec<(u32, u32)> = (0..4 * size).map(|_| (pick(), pick())).collect();
    let pattern = Pattern::from_pairs(size, pairs.iter().copied()).unwrap();
    let mut matrix = Symmetric::zero(&pattern);
    for (row, column) in pairs {
        matrix.add_entry(row as usize, column as usize, random.next()).unwrap();
    }
    matrix.add_diagonal(1.0, &vec![diagonal; size]);
    matrix
}

fn factor_of(matrix: &Symmetric) -> Result<Factor, Error> {
    Factor::new(&Analysis::new(matrix.pattern(), Ordering::Automatic)?, matrix)
}

fn assert_close(x: &[f64], expected: &[f64], tolerance: f64) {
    for (i, (x, e)) in x.iter().zip(expected).enumerate() {
        assert!((x - e).abs() <= tolerance * (1.0 + e.abs()), "unknown {i}: {x} instead of {e}");
    }
}

#[test]
fn positive_definite_systems_agree_with_dense_elimination() {
    for (size, seed) in [(1, 1), (2, 2), (10, 3), (60, 4), (200, 5)] {
        let matrix = random_matrix(size, 30.0, seed);
        let factor = factor_of(&matrix).unwrap();
        assert_eq!(factor.method(), Method::Cholesky);
        let mut random = Random(99);
        let sides: Vec<f64> = (0..5 * size).map(|_| random.next()).collect();
        let mut x = sides.clone();
        factor.solve_many(&mut x, 5);
        for (b, x) in sides.chunks(size).zip(x.chunks(size)) {
            assert_close(x, &gauss(&dense_of(&matrix), b), 1e-12);
        }
    }
}

#[test]
fn a_skew_part_is_solved_with_and_taken_off_again() {
    let size = 60;
    let (matrix, mut skew) = (random_matrix(size, 30.0, 7), random_matrix(size, 0.0, 7));
    skew.values.iter_mut().for_each(|v| *v *= 3.0);
    let pattern = skew.pattern().clone();
    (0..size).for_each(|i| skew.values[pattern.diagonal(i)] = 0.0);
    let mut full = dense_of(&matrix);
    skew.visit(|row, column, v| full[row + column * size] += if row > column { v } else { -v });
    let b: Vec<f64> = (0..size).map(|i| (i as f64).cos()).collect();
    let mut factor = factor_of(&matrix).unwrap();
    for _ in 0..2 {
        let mut x = b.clone();
        factor.refactor_with_skew(&matrix, &skew).unwrap();
        factor.solve(&mut x);
        // A x, with A by columns.
        let product: Vec<f64> = (0..size).map(|i| (0..size).map(|j| full[i + j * size] * x[j]).sum()).collect();
        assert_close(&product, &b, 1e-11);
    }
    factor.refactor(&matrix).unwrap();
    assert_eq!(factor.method(), Method::Cholesky);
    let mut x = b.clone();
    factor.solve(&mut x);
    assert_close(&x, &gauss(&dense_of(&matrix), &b), 1e-12);
}

#[test]
fn all_orderings_solve_the_same_block() {
    let (pattern, matrix, points) = block_matrix([7, 6, 8], 0.01);
    assert!(pattern.size() > SMALL);
    let x: Vec<f64> = (0..pattern.size()).map(|i| (i as f64 * 0.7).sin()).collect();
    let mut b = vec![0.0; x.len()];
    matrix.multiply(&x, &mut b);
    for ordering in [Ordering::Automatic, Ordering::Positions(&points, 3), Ordering::MinimumDegree] {
        let factor = Factor::new(&Analysis::new(&pattern, ordering).unwrap(), &matrix).unwrap();
        assert_eq!(factor.method(), Method::Cholesky);
        let mut solution = b.clone();
        factor.solve(&mut solution);
        assert_close(&solution, &x, 1e-9);
    }
}

#[test]
fn the_analysis_serves_other_values_and_the_result_is_the_same_as_without_reuse() {
    let (pattern, first, points) = block_matrix([4, 5, 3], 0.1);
    let mut second = first.clone();
    second.values.iter_mut().for_each(|v| *v *= 3.0);
    second.add_diagonal(1.0, &vec![0.5; pattern.size()]);
    let analysis = Analysis::new(&pattern, Ordering::Positions(&points, 3)).unwrap();
    let mut reused = Factor::new(&analysis, &first).unwrap();
    reused.refactor(&second).unwrap();
    let again = Analysis::new(&pattern, Ordering::Positions(&points, 3)).unwrap();
    let fresh = Factor::new(&again, &second).unwrap();
    let side: Vec<f64> = (0..pattern.size()).map(|i| (i as f64).cos()).collect();
    let (mut x, mut y) = (side.clone(), side);
    reused.solve(&mut x);
    fresh.solve(&mut y);
    assert_eq!(x, y);
    let other = random_matrix(10, 30.0, 1);
    assert_eq!(reused.refactor(&other), Err(Error::OtherPattern));
}

#[test]
fn indefinite_systems_are_solved_and_named_so() {
    for (size, seed) in [(8, 1), (60, 2), (300, 3)] {
        let matrix = random_matrix(size, 0.0, seed);
        let factor = factor_of(&matrix).unwrap();
        assert_ne!(factor.method(), Method::Cholesky);
        let x: Vec<f64> = (0..size).map(|i| (i as f64).sin()).collect();
        let mut b = vec![0.0; size];
        matrix.multiply(&x, &mut b);
        factor.solve(&mut b);
        assert_close(&b, &x, 1e-7);
    }
    // A saddle point has no pivots on the diagonal.
    let pattern = Pattern::from_pairs(2, [(1, 0)]).unwrap();
    let mut saddle = Symmetric::zero(&pattern);
    saddle.add_entry(1, 0, 2.0).unwrap();
    let factor = factor_of(&saddle).unwrap();
    assert_eq!(factor.method(), Method::Lu);
    let mut x = [2.0, 6.0];
    factor.solve(&mut x);
    assert_eq!(x, [3.0, 1.0]);
}

/// A block that nothing holds has six motions without resistance (here three: the springs resist rotation too).
#[test]
fn a_block_that_nothing_holds_is_singular_and_a_held_one_is_not() {
    for cells in [[1, 1, 1], [3, 2, 2], [8, 8, 6]] {
        let (pattern, mut matrix, _) = block_matrix(cells, 0.0);
        let judged = factor_of(&matrix);
        assert!(matches!(judged, Err(Error::Singular { .. })), "{cells:?}");
        let mut fixed = vec![false; pattern.size()];
        fixed[..3].fill(true);
        matrix.fix(&fixed);
        assert_eq!(factor_of(&matrix).unwrap().method(), Method::Cholesky);
    }
}

#[test]
fn scales_do_not_matter() {
    let (_, mut matrix, _) = block_matrix([3, 3, 3], 0.05);
    for scale in [1e-20, 1e20] {
        matrix.values.iter_mut().for_each(|v| *v *= scale);
        assert_eq!(factor_of(&matrix).unwrap().method(), Method::Cholesky);
        matrix.values.iter_mut().for_each(|v| *v /= scale);
    }
}

#[test]
fn values_that_are_not_finite_and_empty_matrices_do_not_panic() {
    let mut matrix = random_matrix(5, 30.0, 1);
    matrix.values[2] = f64::NAN;
    assert!(matches!(factor_of(&matrix), Err(Error::NotFinite { .. })));
    let empty = Symmetric::zero(&Pattern::from_pairs(0, []).unwrap());
    factor_of(&empty).unwrap().solve(&mut []);
}

/// Processor times for a block of hexahedra: `cargo test --release -p cairn-sparse -- --ignored --nocapture times`.
#[test]
#[ignore = "a measurement"]
fn times_of_blocks() {
    for side in [14, 24] {
        let start = ThreadTime::now();
        let lap = |start: ThreadTime| start.elapsed().as_secs_f64();
        let (pattern, matrix, points) = block_matrix([side; 3], 0.01);
        println!("{} unknowns: assembled in {:.3} s", pattern.size(), lap(start));
        for ordering in [Ordering::Positions(&points, 3), Ordering::Automatic, Ordering::MinimumDegree] {
            let name = format!("{ordering:.0?}");
            let start = ThreadTime::now();
            let analysis = Analysis::new(&pattern, ordering).unwrap();
            let analysed = lap(start);
            let start = ThreadTime::now();
            let factor = Factor::new(&analysis, &matrix).unwrap();
            let factorized = lap(start);
            let mut x = vec![1.0; pattern.size() * 16];
            let start = ThreadTime::now();
            factor.solve(&mut x[..pattern.size()]);
            let solved = lap(start);
            let start = ThreadTime::now();
            factor.solve_many(&mut x, 16);
            let many = lap(start);
            println!(
                "  {:12} {:5.1} M entries, analysis {analysed:.3} s, factor {factorized:.3} s, solve {solved:.3} s, 16 {many:.3} s",
                &name[..name.len().min(9)],
                analysis.entries() as f64 / 1e6,
            );
        }
    }
}
