//! Functions of symmetric tensors by their principal values, with first and second derivatives.
//!
//! A scalar function f makes a tensor f(X) of X = Σ x_a N_a ⊗ N_a. In the axes N, with divided differences of f
//! (Daleckii and Krein 1965):
//!
//! ```text
//!   f(X)_ab    = f(x_a) δ_ab
//!   Df(X)[H]_ab = f[x_a, x_b] H_ab
//!   T : D²f(X)[H, G] = Σ_abc f[x_a, x_c, x_b] T_ab (H_ac G_cb + G_ac H_cb)
//! ```
//!
//! f[x, x] = f′(x) and f[x, x, x] = f″(x)/2, so that equal principal values need no case of their own.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::tensor::VOIGT;

/// Index of the Voigt component of a pair of axes.
const COMPONENT: [[usize; 3]; 3] = [[0, 3, 5], [3, 1, 4], [5, 4, 2]];
/// Sweeps of Jacobi's method: it converges quadratically, three or four are enough.
const SWEEPS: usize = 12;

/// Principal values, in no order, and axes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Spectrum {
    /// x_a.
    pub values: Vector3<f64>,
    /// N_a.
    pub axes: Matrix3<f64>,
}

/// Jacobi's method: exact to round-off also where principal values are close, and at no cost where the tensor is diagonal.
pub fn spectrum(tensor: &Matrix3<f64>) -> Spectrum {
    let (mut a, mut axes) = (*tensor, Matrix3::identity());
    for _ in 0..SWEEPS {
        let off = a[(0, 1)].abs() + a[(0, 2)].abs() + a[(1, 2)].abs();
        if off == 0.0 || off.is_nan() {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let shear = a[(p, q)];
            // Too small to change the diagonal.
            if shear.abs() <= 1e-18 * (a[(p, p)].abs() + a[(q, q)].abs()) {
                (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
                continue;
            }
            let ratio = 0.5 * (a[(q, q)] - a[(p, p)]) / shear;
            let t = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            a[(p, p)] -= t * shear;
            a[(q, q)] += t * shear;
            (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
            let r = 3 - p - q;
            let (x, y) = (a[(r, p)], a[(r, q)]);
            (a[(r, p)], a[(r, q)]) = (c * x - s * y, s * x + c * y);
            (a[(p, r)], a[(q, r)]) = (a[(r, p)], a[(r, q)]);
            for k in 0..3 {
                let (x, y) = (axes[(k, p)], axes[(k, q)]);
                (axes[(k, p)], axes[(k, q)]) = (c * x - s * y, s * x + c * y);
            }
        }
    }
    Spectrum { values: a.diagonal(), axes }
}

/// A scalar function with its divided differences, of E: with C = 1 + 2E they are functions of stretches.
pub trait Scalar {
    /// f(x).
    fn value(x: f64) -> f64;
    /// f[x, y].
    fn first(x: f64, y: f64) -> f64;
    /// f[x, y, z].
    fn second(x: f64, y: f64, z: f64) -> f64;
}

/// ½ ln(1 + 2x): the logarithmic strain of a Green–Lagrange strain.
pub struct Logarithm;

impl Scalar for Logarithm {
    #[inline(always)]
    fn value(x: f64) -> f64 {
        0.5 * (2.0 * x).ln_1p()
    }

    #[inline(always)]
    fn first(x: f64, y: f64) -> f64 {
        let base = 1.0 + 2.0 * y;
        let d = 2.0 * (x - y) / base;
        let mean = if d.abs() < 1e-5 { 1.0 - d * (0.5 - d / 3.0) } else { d.ln_1p() / d };
        mean / base
    }

    #[inline(always)]
    fn second(x: f64, y: f64, z: f64) -> f64 {
        let (low, high) = (x.min(y).min(z), x.max(y).max(z));
        let mean = (x + y + z) / 3.0;
        let square = (1.0 + 2.0 * mean).powi(2);
        if high - low > 1e-4 * (1.0 + 2.0 * mean) {
            let middle = x + y + z - low - high;
            return (Self::first(high, middle) - Self::first(middle, low)) / (high - low);
        }
        // f″/2 + f⁗/24 h₂, with h₂ = ½ Σ (x − mean)² as the mean is taken out.
        let spread = 0.5 * [x, y, z].iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        -(1.0 + 2.0 * spread / square) / square
    }
}

/// √(1 + 2x): the stretch U of a Green–Lagrange strain.
pub struct Stretch;

impl Scalar for Stretch {
    fn value(x: f64) -> f64 {
        (1.0 + 2.0 * x).sqrt()
    }

    fn first(x: f64, y: f64) -> f64 {
        2.0 / (Self::value(x) + Self::value(y))
    }

    fn second(x: f64, y: f64, z: f64) -> f64 {
        let [x, y, z] = [x, y, z].map(Self::value);
        -4.0 / ((x + y) * (y + z) * (z + x))
    }
}

/// The first derivative in principal axes: what each Voigt component is multiplied by.
#[inline(always)]
pub fn slopes<F: Scalar>(x: &Vector3<f64>) -> Vector6<f64> {
    Vector6::from_fn(|k, _| {
        let (a, b) = VOIGT[k];
        F::first(x[a], x[b])
    })
}

/// T : D²f in principal axes, a symmetric form in Voigt components of strains; `t` is a stress in these axes.
pub fn bending<F: Scalar>(x: &Vector3<f64>, t: &Vector6<f64>) -> Matrix6<f64> {
    let weight = |k: usize| if k < 3 { 1.0 } else { 0.5 };
    let mut form = Matrix6::zeros();
    for a in 0..3 {
        for b in 0..3 {
            let stress = t[COMPONENT[a][b]];
            if stress == 0.0 {
                continue;
            }
            for c in 0..3 {
                let (h, g) = (COMPONENT[a][c], COMPONENT[c][b]);
                let value = F::second(x[a], x[c], x[b]) * stress * weight(h) * weight(g);
                form[(h, g)] += value;
                form[(g, h)] += value;
            }
        }
    }
    form
}

/// The matrix P that maps the Voigt components of a stress T to those of M T Mᵀ. Strains go back by Pᵀ: those of Mᵀ E M.
#[inline(always)]
pub fn carried(m: &Matrix3<f64>) -> Matrix6<f64> {
    Matrix6::from_fn(|p, q| {
        let ((i, j), (k, l)) = (VOIGT[p], VOIGT[q]);
        let once = m[(i, k)] * m[(j, l)];
        if q < 3 { once } else { once + m[(i, l)] * m[(j, k)] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{components, from_strain, from_stress};

    fn some() -> Matrix3<f64> {
        Matrix3::new(0.3, 0.05, -0.1, 0.05, -0.1, 0.02, -0.1, 0.02, 0.15)
    }

    #[test]
    fn axes_and_values_make_the_tensor() {
        let close = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0 + 1e-13, 1.0)) + some() * 1e-14;
        for tensor in [some(), close, Matrix3::zeros(), Matrix3::from_diagonal(&Vector3::new(3.0, 1.0, 2.0))] {
            let Spectrum { values, axes } = spectrum(&tensor);
            assert!((axes * Matrix3::from_diagonal(&values) * axes.transpose() - tensor).norm() < 1e-15);
            assert!((axes.transpose() * axes - Matrix3::identity()).norm() < 1e-15);
        }
    }

    /// f(X) in Voigt components of a stress.
    fn tensor<F: Scalar>(strain: &Vector6<f64>) -> Vector6<f64> {
        let Spectrum { values, axes } = spectrum(&from_strain(strain));
        components(&(axes * Matrix3::from_diagonal(&values.map(F::value)) * axes.transpose()))
    }

    /// Gradient and Hessian of T : f(X), with respect to strains, against differences.
    fn check<F: Scalar>(strain: Vector6<f64>) {
        let t = Vector6::new(0.7, -0.2, 0.4, 0.3, -0.5, 0.1);
        let twice = Vector6::from_fn(|k, _| if k < 3 { 1.0 } else { 2.0 });
        let gradient = |strain: &Vector6<f64>| {
            let Spectrum { values, axes } = spectrum(&from_strain(strain));
            let own = components::<6>(&(axes.transpose() * from_stress(&t) * axes));
            carried(&axes) * own.component_mul(&slopes::<F>(&values))
        };
        let Spectrum { values, axes } = spectrum(&from_strain(&strain));
        let own = components::<6>(&(axes.transpose() * from_stress(&t) * axes));
        let carry = carried(&axes);
        let hessian = carry * bending::<F>(&values, &own) * carry.transpose();
        for k in 0..6 {
            let mut side = Vector6::zeros();
            side[k] = 1e-6;
            let value = |strain: &Vector6<f64>| tensor::<F>(strain).component_mul(&twice).dot(&t);
            let slope = (value(&(strain + side)) - value(&(strain - side))) / 2e-6;
            assert!((slope - gradient(&strain)[k]).abs() < 1e-8, "{k}: {slope}");
            let slopes = (gradient(&(strain + side)) - gradient(&(strain - side))) / 2e-6;
            assert!((slopes - hessian.column(k)).norm() < 1e-7, "{k}: {slopes} {hessian}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_function_with_distinct_close_and_equal_values() {
        let voigt = |m: &Matrix3<f64>| components::<6>(m).component_mul(&Vector6::new(1.0, 1.0, 1.0, 2.0, 2.0, 2.0));
        for size in [1.0, 1e-3, 1e-5, 1e-8, 0.0] {
            let strain = voigt(&(some() * size + Matrix3::identity() * 0.1));
            check::<Logarithm>(strain);
            check::<Stretch>(strain);
        }
    }

    #[test]
    fn second_differences_agree_where_the_way_of_computing_changes() {
        for spread in [0.9e-4, 1.1e-4] {
            let (x, y, z): (f64, f64, f64) = (0.1, 0.1 + 0.3 * spread, 0.1 + 1.2 * spread);
            let exact = {
                // ∫∫ f″ over the simplex, by the midpoint of a Taylor series to the fourth order.
                let mean = (x + y + z) / 3.0;
                let d = [x, y, z].map(|v| v - mean);
                let (p2, p3) = (d.iter().map(|v| v * v).sum::<f64>(), d.iter().map(|v| v.powi(3)).sum::<f64>());
                let c = 1.0 + 2.0 * mean;
                -1.0 / c.powi(2) - 48.0 / 24.0 * 0.5 * p2 / c.powi(4) + 384.0 / 120.0 * p3 / 3.0 / c.powi(5)
            };
            let found = Logarithm::second(x, y, z);
            assert!((found / exact - 1.0).abs() < 1e-11, "{found} {exact}");
        }
    }
}
