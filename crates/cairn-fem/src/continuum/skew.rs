//! The skew part of the tangent of cells whose law has one that Newton's method needs.
//!
//! Damage by the pull answers a step with a tangent C̄ that is not symmetric. K = ∫ Bᵀ C̄ B is linear in it, so that C̄ = C̄ˢ + C̄ᵃ gives
//! K = Kˢ + Kᵃ. Laws of soils that dilate less than they rub have one, too, and do without: with it Newton's method converges by squares at first,
//! but goes to and fro between two branches of the law under a footing, where Kˢ alone comes to rest, slowly.
//!
//! ```text
//!   Kᵃ_ab = ∫ B_aᵀ C̄ᵃ B_b
//! ```
//!
//! With mean dilatation (`dilated`, whose s, φ, g these are), Gₐ = ∫ B_aᵀ g and Nₐ = ∫ B_aᵀ c:
//!
//! ```text
//!   Kᵃ_ab = ∫ B_aᵀ (s² C̄ᵃ − c gᵀ + g cᵀ) B_b + (N_a G_bᵀ − G_a N_bᵀ) / V,      c = s C̄ᵃ φ
//! ```

#![allow(clippy::needless_range_loop, reason = "row and column of a block are indices of the formulas")]

use nalgebra::SMatrix;

use super::advance::At;
use super::cell::{Blocks, Columns, strain_of};
use super::dilated;
use super::geometry::Cell;
use crate::section::Kinematics;

/// Adds Kᵃ of a cell; `points` have C̄ times ξ, and θ̄ is the mean dilatation of a cell that has one.
pub(super) fn add<const D: usize, const V: usize, const N: usize>(
    kinematics: Kinematics,
    cell: &Cell<'_>,
    points: &[At<D, V>],
    (xi, mean): (f64, Option<f64>),
    blocks: &mut Blocks<D, N>,
) {
    let (mut swelling, mut coupling) = (Columns::<D, N>::zeros(), Columns::<D, N>::zeros());
    for (q, (at, &weight)) in points.iter().zip(cell.weights).enumerate() {
        let tangent = &at.outcome.tangent;
        let mut skew: SMatrix<f64, V, V> = (tangent - tangent.transpose()) * (0.5 / xi);
        if skew.amax() == 0.0 {
            continue;
        }
        let gradient = |a: usize| &cell.gradients[(q * N + a) * D..][..D];
        let hoop = |a: usize| cell.hoops.get(q * N + a).copied().unwrap_or(0.0);
        let b: [SMatrix<f64, V, D>; N] = std::array::from_fn(|a| strain_of(&at.f, at.f33, gradient(a), hoop(a)));
        if let Some(theta) = mean {
            let (g, c, s) = dilated::swelling_of(kinematics, &at.strain, theta, &skew);
            skew = skew * (s * s) - c * g.transpose() + g * c.transpose();
            for a in 0..N {
                let mut column = coupling.column_mut(a);
                column += b[a].tr_mul(&c) * weight;
            }
        }
        for col in 0..N {
            let cb = skew * b[col] * weight;
            (col..N).for_each(|row| blocks[row][col] += b[row].tr_mul(&cb));
        }
    }
    let Some(theta) = mean.filter(|_| coupling.amax() > 0.0) else { return };
    for (q, (at, &weight)) in points.iter().zip(cell.weights).enumerate() {
        let (g, ..) = dilated::swelling_of(kinematics, &at.strain, theta, &SMatrix::zeros());
        for a in 0..N {
            let hoop = cell.hoops.get(q * N + a).copied().unwrap_or(0.0);
            let b: SMatrix<f64, V, D> = strain_of(&at.f, at.f33, &cell.gradients[(q * N + a) * D..][..D], hoop);
            let mut column = swelling.column_mut(a);
            column += b.tr_mul(&g) * weight;
        }
    }
    let volume: f64 = cell.weights.iter().sum();
    for col in 0..N {
        let (g, n) = (swelling.column(col), coupling.column(col));
        for row in col..N {
            blocks[row][col] += (coupling.column(row) * g.transpose() - swelling.column(row) * n.transpose()) / volume;
        }
    }
}

/// Writes blocks with a ≥ b as a full skew matrix by columns.
pub(super) fn flatten<const D: usize, const N: usize>(blocks: &Blocks<D, N>, nodes: usize, full: &mut [f64]) {
    let size = nodes * D;
    for row in 0..nodes {
        for col in 0..=row {
            let block = &blocks[row][col];
            for (i, j) in (0..D).flat_map(|i| (0..D).map(move |j| (i, j))) {
                full[(row * D + i) * size + col * D + j] = -block[(i, j)];
                full[(col * D + j) * size + row * D + i] = block[(i, j)];
            }
        }
    }
}
