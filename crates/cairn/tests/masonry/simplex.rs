//! Linear programming for the tests: maximize c·x with A x = b, x ≥ 0, by the revised simplex method in two phases. The basis is
//! factorized anew in every round, so that errors do not grow; a disturbance of b far below what the tests ask for keeps the
//! method from going round in circles.

/// The largest c·x, `None` if nothing fulfils the equations.
pub fn maximize(mut rows: Vec<Vec<f64>>, mut b: Vec<f64>, c: &[f64]) -> Option<f64> {
    let (m, n) = (rows.len(), c.len());
    let scale = b.iter().map(|x| x.abs()).fold(0.0, f64::max);
    for (i, row) in rows.iter_mut().enumerate() {
        b[i] += 1e-9 * scale * (1.0 + (0.618_034 * i as f64).fract());
        if b[i] < 0.0 {
            row.iter_mut().for_each(|x| *x = -*x);
            b[i] = -b[i];
        }
        // An artificial variable, which starts in the basis.
        row.extend((0..m).map(|k| f64::from(u8::from(k == i))));
    }
    let mut basis: Vec<usize> = (n..n + m).collect();
    let first: Vec<f64> = (0..n + m).map(|k| if k >= n { -1.0 } else { 0.0 }).collect();
    let rest = optimize(&rows, &b, &mut basis, &first, n + m);
    if rest < -1e-6 * scale {
        return None;
    }
    // What is left of artificial variables must not grow again.
    let second: Vec<f64> = c.iter().copied().chain(vec![-1e6; m]).collect();
    let best = optimize(&rows, &b, &mut basis, &second, n);
    Some(best)
}

/// Changes the basis until no column below `columns` improves `c`; returns c·x of the true variables.
fn optimize(rows: &[Vec<f64>], b: &[f64], basis: &mut [usize], c: &[f64], columns: usize) -> f64 {
    let m = rows.len();
    loop {
        let matrix = |transposed: bool| -> Vec<Vec<f64>> {
            let at = |i: usize, k: usize| if transposed { rows[k][basis[i]] } else { rows[i][basis[k]] };
            (0..m).map(|i| (0..m).map(|k| at(i, k)).collect()).collect()
        };
        let x = solve(matrix(false), b.to_vec());
        let y = solve(matrix(true), basis.iter().map(|&k| c[k]).collect());
        let gain = |j: usize| c[j] - (0..m).map(|i| y[i] * rows[i][j]).sum::<f64>();
        let size = 1e-9 * y.iter().fold(1.0, |s: f64, v| s.max(v.abs()));
        let best = (0..columns).map(|j| (j, gain(j))).filter(|g| g.1 > size).max_by(|a, b| a.1.total_cmp(&b.1));
        let value = basis.iter().zip(&x).map(|(&k, x)| if c[k] < -1.0 { 0.0 } else { c[k] * x }).sum();
        let Some((j, _)) = best else { return value };
        let direction = solve(matrix(false), rows.iter().map(|row| row[j]).collect());
        let ratio = |i: &usize| x[*i].max(0.0) / direction[*i];
        let falling = (0..m).filter(|&i| direction[i] > 1e-9);
        let Some(i) = falling.min_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { return f64::INFINITY };
        basis[i] = j;
    }
}

/// Gauss' elimination with the largest pivot of each column.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let m = b.len();
    for k in 0..m {
        let largest = (k..m).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        a.swap(k, largest);
        b.swap(k, largest);
        let (upper, lower) = a.split_at_mut(k + 1);
        let pivot = &upper[k];
        for (i, row) in lower.iter_mut().enumerate() {
            let factor = row[k] / pivot[k];
            if factor != 0.0 {
                (k..m).for_each(|j| row[j] -= factor * pivot[j]);
                b[k + 1 + i] -= factor * b[k];
            }
        }
    }
    for k in (0..m).rev() {
        let known: f64 = (k + 1..m).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

#[test]
fn a_small_program_has_its_known_answer() {
    // x + y ≤ 4, x + 3y ≤ 6, x ≤ 3: 3x + 5y is largest at (3, 1).
    let rows = vec![vec![1., 1., 1., 0., 0.], vec![1., 3., 0., 1., 0.], vec![1., 0., 0., 0., 1.]];
    let best = maximize(rows, vec![4., 6., 3.], &[3., 5., 0., 0., 0.]).unwrap();
    assert!((best - 14.0).abs() < 1e-6);
    assert_eq!(maximize(vec![vec![1.0, 1.0]], vec![-1.0], &[1.0, 0.0]), None);
}
