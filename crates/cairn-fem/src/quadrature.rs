//! Quadrature rules on the reference cells: points and positive weights that sum to the reference volume.
//!
//! Lines, squares and cubes are [−1, 1]^R with Gauss–Legendre products; triangles and tetrahedra have their corners at
//! the origin and at the unit vectors, with symmetric rules. A rule of degree p integrates all polynomials of total
//! degree p exactly (products of lines: of degree p in each coordinate).
//!
//! Triangle of degree 5: Radon. Tetrahedron of degree 5: Walkington, 14 points.

/// Points with their weights.
pub type Rule<const R: usize> = Vec<([f64; R], f64)>;

/// Gauss–Legendre rule, exact to degree 2n − 1.
pub fn line(points: usize) -> Rule<1> {
    let (a, b) = ((1.0_f64 / 3.0).sqrt(), 0.6_f64.sqrt());
    match points {
        1 => vec![([0.0], 2.0)],
        2 => vec![([-a], 1.0), ([a], 1.0)],
        3 => vec![([-b], 5.0 / 9.0), ([0.0], 8.0 / 9.0), ([b], 5.0 / 9.0)],
        _ => (0..points).map(|i| legendre_root(points, i)).collect(),
    }
}

/// The root of Legendre's polynomial of degree n that is number i from below, with the weight 2(1 − x²)/(n P_{n−1})².
fn legendre_root(n: usize, i: usize) -> ([f64; 1], f64) {
    // A rule is symmetric to the last bit.
    if 2 * i + 1 > n {
        let ([x], w) = legendre_root(n, n - 1 - i);
        return ([-x], w);
    }
    let degree = n as f64;
    let mut x = if 2 * i + 1 == n { 0.0 } else { -((i as f64 + 0.75) / (degree + 0.5) * std::f64::consts::PI).cos() };
    let mut below = 1.0;
    // Newton's method doubles the digits of this start.
    for _ in 0..6 {
        let (mut value, mut previous) = (x, 1.0);
        for k in 2..=n {
            let k = k as f64;
            (value, previous) = (((2.0 * k - 1.0) * x * value - (k - 1.0) * previous) / k, value);
        }
        below = previous;
        if x != 0.0 {
            x -= value * (x * x - 1.0) / (degree * (x * value - previous));
        }
    }
    ([x], 2.0 * (1.0 - x * x) / (degree * below).powi(2))
}

/// Points of a sheet: 2 × 2 in its plane, each with `thickness` points along the third axis.
pub fn sheet(thickness: usize) -> Rule<3> {
    let column = |([x, y], v): ([f64; 2], f64)| {
        line(thickness).into_iter().map(move |([z], w)| ([x, y, z], v * w)).collect::<Vec<_>>()
    };
    square(2).into_iter().flat_map(column).collect()
}

/// Product of lines with `points` points in each direction.
pub fn square(points: usize) -> Rule<2> {
    let line = line(points);
    let row = |&([y], v): &([f64; 1], f64)| line.iter().map(move |&([x], w)| ([x, y], v * w)).collect::<Vec<_>>();
    line.iter().flat_map(row).collect()
}

/// Product of lines with `points` points in each direction.
pub fn cube(points: usize) -> Rule<3> {
    let square = square(points);
    let layer =
        |([z], v): ([f64; 1], f64)| square.iter().map(move |&([x, y], w)| ([x, y, z], v * w)).collect::<Vec<_>>();
    line(points).into_iter().flat_map(layer).collect()
}

/// Triangle: the rule with the fewest points that reaches `degree` (1 to 5).
pub fn triangle(degree: usize) -> Rule<2> {
    // Three points with two equal barycentric coordinates a.
    let orbit = |a: f64, w: f64| [([a, a], 0.5 * w), ([1.0 - 2.0 * a, a], 0.5 * w), ([a, 1.0 - 2.0 * a], 0.5 * w)];
    match degree {
        0 | 1 => vec![([1.0 / 3.0, 1.0 / 3.0], 0.5)],
        2 => orbit(1.0 / 6.0, 1.0 / 3.0).to_vec(),
        3 | 4 => {
            let near = orbit(0.091_576_213_509_770_74, 0.109_951_743_655_321_87);
            [orbit(0.445_948_490_915_964_9, 0.223_381_589_678_011_47), near].concat()
        }
        _ => {
            let root = 15.0_f64.sqrt();
            let outer = orbit((6.0 - root) / 21.0, (155.0 - root) / 1200.0);
            let inner = orbit((6.0 + root) / 21.0, (155.0 + root) / 1200.0);
            [vec![([1.0 / 3.0, 1.0 / 3.0], 0.5 * 9.0 / 40.0)], outer.to_vec(), inner.to_vec()].concat()
        }
    }
}

/// Tetrahedron: the rule with the fewest points that reaches `degree` (1 to 5).
pub fn tetrahedron(degree: usize) -> Rule<3> {
    // Four points with three equal barycentric coordinates a, six with two a and two ½ − a.
    let corners = |a: f64, w: f64| {
        let (b, w) = (1.0 - 3.0 * a, w / 6.0);
        [([a, a, a], w), ([b, a, a], w), ([a, b, a], w), ([a, a, b], w)]
    };
    let edges = |a: f64, w: f64| {
        let (b, w) = (0.5 - a, w / 6.0);
        [([a, a, b], w), ([a, b, a], w), ([b, a, a], w), ([a, b, b], w), ([b, a, b], w), ([b, b, a], w)]
    };
    match degree {
        0 | 1 => vec![([0.25; 3], 1.0 / 6.0)],
        2 => corners((5.0 - 5.0_f64.sqrt()) / 20.0, 0.25).to_vec(),
        _ => {
            let inner = corners(0.310_885_919_263_300_6, 0.112_687_925_718_015_85);
            let outer = corners(0.092_735_250_310_891_23, 0.073_493_043_116_361_95);
            let middle = edges(0.045_503_704_125_649_65, 0.042_546_020_777_081_47);
            [inner.to_vec(), outer.to_vec(), middle.to_vec()].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    fn integral<const R: usize>(rule: &Rule<R>, powers: [i32; R]) -> f64 {
        let term = |x: &[f64; R]| x.iter().zip(powers).map(|(x, p)| x.powi(p)).product::<f64>();
        rule.iter().map(|(x, w)| w * term(x)).sum()
    }

    #[test]
    fn products_of_lines_are_exact_to_twice_the_points_less_one() {
        let exact = |p: i32| if p % 2 == 0 { 2.0 / f64::from(p + 1) } else { 0.0 };
        for points in 1..=9 {
            let degree = 2 * points as i32 - 1;
            for (p, q) in (0..=degree).flat_map(|p| (0..=degree).map(move |q| (p, q))) {
                let error = (integral(&square(points), [p, q]) - exact(p) * exact(q)).abs();
                // Round-off of so many terms.
                let most = 5e-15 * points as f64;
                assert!(error < most, "{points}: {p} {q} off by {error:e}");
                let solid = integral(&cube(points), [p, q, degree - 1]);
                assert!((solid - exact(p) * exact(q) * exact(degree - 1)).abs() < most);
            }
        }
    }

    #[test]
    fn triangles_and_tetrahedra_are_exact_to_their_degree() {
        for degree in 1..=5_i32 {
            let (flat, solid) = (triangle(degree as usize), tetrahedron(degree as usize));
            assert!(flat.iter().all(|p| p.1 > 0.0) && solid.iter().all(|p| p.1 > 0.0));
            for p in 0..=degree {
                for q in 0..=degree - p {
                    let exact = factorial(p) * factorial(q) / factorial(p + q + 2);
                    assert!((integral(&flat, [p, q]) - exact).abs() < 1e-15, "triangle {degree}: {p} {q}");
                    for r in 0..=degree - p - q {
                        let exact = factorial(p) * factorial(q) * factorial(r) / factorial(p + q + r + 3);
                        assert!((integral(&solid, [p, q, r]) - exact).abs() < 1e-15, "tet {degree}: {p} {q} {r}");
                    }
                }
            }
        }
    }
}
