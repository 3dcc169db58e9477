//! Quadrature rules on the reference cells: points and positive weights that sum to the reference volume.
//!
//! Lines, squares and cubes are [−1, 1]^R with Gauss–Legendre products; triangles and tetrahedra have their corners at
//! the origin and at the unit vectors, with symmetric rules. A rule of degree p integrates all polynomials of total
//! degree p exactly (products of lines: of degree p in each coordinate).
//!
//! Triangle of degree 5: Radon. Tetrahedron of degree 5: Walkington, 14 points.

/// Points with their weights.
pub type Rule<const R: usize> = Vec<([f64; R], f64)>;

/// Gauss–Legendre rule with 1, 2 or 3 points, exact to degree 2n − 1.
pub fn line(points: usize) -> Rule<1> {
    let (a, b) = ((1.0_f64 / 3.0).sqrt(), 0.6_f64.sqrt());
    match points {
        1 => vec![([0.0], 2.0)],
        2 => vec![([-a], 1.0), ([a], 1.0)],
        _ => vec![([-b], 5.0 / 9.0), ([0.0], 8.0 / 9.0), ([b], 5.0 / 9.0)],
    }
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
        for points in 1..=3 {
            let degree = 2 * points as i32 - 1;
            for (p, q) in (0..=degree).flat_map(|p| (0..=degree).map(move |q| (p, q))) {
                assert!((integral(&square(points), [p, q]) - exact(p) * exact(q)).abs() < 1e-14);
                let solid = integral(&cube(points), [p, q, degree - 1]);
                assert!((solid - exact(p) * exact(q) * exact(degree - 1)).abs() < 1e-14);
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
