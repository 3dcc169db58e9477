//! Linear programming for the tests: maximize c·x with A x = b, x ≥ 0, by the two-phase simplex method on a dense tableau.

/// The largest c·x, `None` if nothing fulfils the equations.
pub fn maximize(mut rows: Vec<Vec<f64>>, mut b: Vec<f64>, c: &[f64]) -> Option<f64> {
    let (m, n) = (rows.len(), c.len());
    // Artificial variables, one a row, start in the basis.
    for (i, row) in rows.iter_mut().enumerate() {
        if b[i] < 0.0 {
            row.iter_mut().for_each(|x| *x = -*x);
            b[i] = -b[i];
        }
        row.extend((0..m).map(|k| f64::from(u8::from(k == i))));
        row.push(b[i]);
    }
    let mut basis: Vec<usize> = (n..n + m).collect();
    let first: Vec<f64> = (0..n + m).map(|k| if k >= n { -1.0 } else { 0.0 }).collect();
    if optimize(&mut rows, &mut basis, &first, n + m) < -1e-7 * b.iter().fold(1.0, |s, x| s + x.abs()) {
        return None;
    }
    let second: Vec<f64> = c.iter().copied().chain(vec![0.0; m]).collect();
    Some(optimize(&mut rows, &mut basis, &second, n))
}

/// Pivots until no column below `columns` improves `c`; returns c·x.
fn optimize(rows: &mut [Vec<f64>], basis: &mut [usize], c: &[f64], columns: usize) -> f64 {
    let last = rows[0].len() - 1;
    for round in 0..20_000 {
        let reduced = |j: usize| c[j] - basis.iter().zip(rows.iter()).map(|(&k, row)| c[k] * row[j]).sum::<f64>();
        let gains = (0..columns).map(|j| (j, reduced(j))).filter(|g| g.1 > 1e-9);
        // The largest gain first; after many rounds Bland's rule, which cannot cycle.
        let entering = if round < 5_000 { gains.max_by(|a, b| a.1.total_cmp(&b.1)) } else { gains.into_iter().next() };
        let Some((j, _)) = entering else { break };
        let ratio = |i: &usize| rows[*i][last] / rows[*i][j];
        let leaving = (0..rows.len()).filter(|&i| rows[i][j] > 1e-10);
        let least = leaving.min_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(basis[*a].cmp(&basis[*b])));
        let Some(i) = least else { return f64::INFINITY };
        let pivot = rows[i][j];
        rows[i].iter_mut().for_each(|x| *x /= pivot);
        let row = rows[i].clone();
        for (k, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = other[j];
            if factor != 0.0 && k != i {
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
        basis[i] = j;
    }
    basis.iter().zip(rows.iter()).map(|(&k, row)| c[k] * row[last]).sum()
}

#[test]
fn a_small_program_has_its_known_answer() {
    // x + y ≤ 4, x + 3y ≤ 6, x ≤ 3: 3x + 5y is largest at (3, 1).
    let rows = vec![vec![1., 1., 1., 0., 0.], vec![1., 3., 0., 1., 0.], vec![1., 0., 0., 0., 1.]];
    let best = maximize(rows, vec![4., 6., 3.], &[3., 5., 0., 0., 0.]).unwrap();
    assert!((best - 14.0).abs() < 1e-12);
    assert_eq!(maximize(vec![vec![1.0, 1.0]], vec![-1.0], &[1.0, 0.0]), None);
}
