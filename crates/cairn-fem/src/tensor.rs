//! Small tensors: inverse and determinant in any dimension, Voigt vectors, principal values.
//!
//! Voigt order is xx, yy, zz, xy, yz, zx; shear strains are γ = 2 ε. Plane and axisymmetric bodies use the first four.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::Mat;

/// The two indices of each Voigt component.
pub const VOIGT: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// Determinant and inverse. The inverse of a singular matrix is not finite.
pub fn inverse<const D: usize>(m: &Mat<D>) -> (f64, Mat<D>) {
    match D {
        1 => (m[(0, 0)], Mat::from_fn(|_, _| 1.0 / m[(0, 0)])),
        2 => {
            let determinant = m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)];
            let cofactor = |i: usize, j: usize| if i == j { m[(1 - i, 1 - j)] } else { -m[(i, j)] };
            (determinant, Mat::from_fn(|i, j| cofactor(i, j) / determinant))
        }
        _ => {
            let minor = |i: usize, j: usize| {
                let (p, q, r, s) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
                m[(p, r)] * m[(q, s)] - m[(p, s)] * m[(q, r)]
            };
            let determinant = (0..3).map(|j| m[(0, j)] * minor(0, j)).sum::<f64>();
            (determinant, Mat::from_fn(|i, j| minor(j, i) / determinant))
        }
    }
}

/// A symmetric tensor from the first `V` Voigt components of a stress.
pub fn from_stress<const V: usize>(stress: &SVector<f64, V>) -> Matrix3<f64> {
    let mut tensor = Matrix3::zeros();
    for (k, &(i, j)) in VOIGT.iter().enumerate().take(V) {
        tensor[(i, j)] = stress[k];
        tensor[(j, i)] = stress[k];
    }
    tensor
}

/// A symmetric tensor from the first `V` Voigt components of a strain.
pub fn from_strain<const V: usize>(strain: &SVector<f64, V>) -> Matrix3<f64> {
    from_stress(&SVector::<f64, V>::from_fn(|k, _| if k < 3 { strain[k] } else { 0.5 * strain[k] }))
}

/// The first `V` Voigt components of a symmetric tensor, each once: as a stress, or as a gradient with respect to a strain.
pub fn components<const V: usize>(tensor: &Matrix3<f64>) -> SVector<f64, V> {
    SVector::from_fn(|k, _| tensor[VOIGT[k]])
}

/// I_ijkl = (T_ik T_jl + T_il T_jk)/2 in Voigt components; with T = C⁻¹, ∂C⁻¹/∂E is −2 I.
pub fn symmetric_square<const V: usize>(t: &Matrix3<f64>) -> SMatrix<f64, V, V> {
    SMatrix::from_fn(|p, q| {
        let ((i, j), (k, l)) = (VOIGT[p], VOIGT[q]);
        0.5 * (t[(i, k)] * t[(j, l)] + t[(i, l)] * t[(j, k)])
    })
}

/// Principal values, largest first, and their directions as columns.
pub fn principal(tensor: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let eigen = tensor.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let values = Vector3::from_fn(|i, _| eigen.eigenvalues[order[i]]);
    (values, Matrix3::from_fn(|i, j| eigen.eigenvectors[(i, order[j])]))
}

/// Von Mises' equivalent stress √(3/2 s : s), s the deviator.
pub fn von_mises(stress: &Matrix3<f64>) -> f64 {
    let deviator = stress - Matrix3::identity() * (stress.trace() / 3.0);
    (1.5 * deviator.norm_squared()).sqrt()
}

/// The equivalent strain that goes with it, √(2/3 e : e), e the deviator.
pub fn equivalent_strain(strain: &Matrix3<f64>) -> f64 {
    2.0 / 3.0 * von_mises(strain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_the_identity() {
        let m = Matrix3::new(2.0, 0.3, -0.1, 0.5, 1.5, 0.2, -0.4, 0.1, 1.1);
        let (determinant, inverted) = inverse(&m);
        assert!((determinant - m.determinant()).abs() < 1e-14);
        assert!((m * inverted - Matrix3::identity()).norm() < 1e-14);
        let plane = Mat::<2>::new(2.0, 0.3, -0.7, 1.5);
        let (determinant, inverted) = inverse(&plane);
        assert!((determinant - 3.21).abs() < 1e-14);
        assert!((plane * inverted - Mat::<2>::identity()).norm() < 1e-14);
    }

    #[test]
    fn uniaxial_and_pure_shear_states_have_the_textbook_values() {
        let mut stress = Matrix3::zeros();
        stress[(1, 1)] = 5.0;
        assert!((von_mises(&stress) - 5.0).abs() < 1e-14);
        let shear = from_stress(&SVector::<f64, 4>::new(0.0, 0.0, 0.0, 2.0));
        assert!((von_mises(&shear) - 2.0 * 3.0_f64.sqrt()).abs() < 1e-14);
        let (values, directions) = principal(&shear);
        assert!((values - Vector3::new(2.0, 0.0, -2.0)).norm() < 1e-14);
        assert!((directions.column(0)[0].abs() - 0.5_f64.sqrt()).abs() < 1e-14);
    }
}
