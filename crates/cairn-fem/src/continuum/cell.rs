//! Energy, force and tangent of one cell.
//!
//! With the gradients G_a = ∂N_a/∂X and F = 1 + Σ u_a ⊗ G_a (or 1 in small kinematics, where E is ε):
//!
//! ```text
//!   δE = Σ B_a δu_a,    B_a = sym(Fᵀ · ⊗ G_a)  in Voigt components
//!   f_a = ∫ F S G_a,    K_ab = ∫ B_aᵀ C B_b + (G_a·S G_b) 1      (the last term in finite kinematics only)
//! ```
//!
//! In axisymmetry F₃₃ = 1 + u_r/r, and N_a/r plays the part of a third gradient.
//!
//! **Mean dilatation** (B-bar). The energy is ∫ W_iso(E) + V U(θ̄) with θ̄ = ∫ θ(E) / V, θ the trace of E for linear laws
//! and J for neo-Hookean ones. So S = S_iso + U′(θ̄) ∂θ/∂E, and with g_a = ∫ B_aᵀ ∂θ/∂E the tangent gains g_a g_bᵀ
//! U″(θ̄)/V. In small kinematics this is selective integration of the term in λ; in finite kinematics θ̄ is the quantity that
//! the law itself keeps near its reference as ν → ½, and force and tangent still derive from one energy.
//!
//! **Incompatible modes** α are further unknowns of the cell, at which the energy is stationary. They are found by Newton's
//! method (one iteration in small kinematics) and condensed: K_uu − K_uα K_αα⁻¹ K_αu.

#![allow(clippy::needless_range_loop, reason = "row and column of a block are indices of the formulas")]

use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, SVector};

use super::Formulation;
use super::geometry::Cell;
use crate::Mat;
use crate::section::{Kinematics, Reduced};
use crate::tensor::{VOIGT, principal};

/// Displacements of the functions of a cell, as columns.
pub(super) type Columns<const D: usize, const N: usize> = SMatrix<f64, D, N>;
/// Blocks K_ab of a cell; a ≥ b are filled.
pub(super) type Blocks<const D: usize, const N: usize> = [[Mat<D>; N]; N];

/// What does not change from cell to cell.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub law: &'a Reduced,
    pub kinematics: Kinematics,
    pub formulation: Formulation,
    /// Of the initial stress only tension stiffens the tangent (see [`Continuum::definite_tangent`](super::Continuum::definite_tangent)).
    pub only_tension: bool,
}

/// Motion at a point: F (1 in small kinematics), F₃₃, and the strain.
#[derive(Clone, Copy)]
pub(super) struct Motion<const D: usize, const V: usize> {
    pub f: Mat<D>,
    pub f33: f64,
    pub strain: SVector<f64, V>,
}

/// The motion at a point with the gradients of the functions, and N_a/r where there is a hoop.
#[inline(always)]
pub(super) fn motion<const D: usize, const V: usize, const N: usize>(
    kinematics: Kinematics,
    u: &Columns<D, N>,
    gradients: &Columns<D, N>,
    hoops: &[f64],
) -> Motion<D, V> {
    let h = u * gradients.transpose();
    let hoop: f64 = hoops.iter().enumerate().map(|(a, n)| n * u[(0, a)]).sum();
    let (f, f33, e, e33) = match kinematics {
        Kinematics::Small => (Mat::identity(), 1.0, 0.5 * (h + h.transpose()), hoop),
        // E = (H + Hᵀ + HᵀH)/2: no loss of digits at small strain.
        Kinematics::Finite => {
            let e = 0.5 * (h + h.transpose() + h.tr_mul(&h));
            (Mat::identity() + h, 1.0 + hoop, e, hoop * (1.0 + 0.5 * hoop))
        }
    };
    let component = |k: usize| {
        let (i, j) = VOIGT[k];
        if D == 2 && k == 2 {
            e33
        } else if i == j {
            e[(i, j)]
        } else {
            2.0 * e[(i, j)]
        }
    };
    Motion { f, f33, strain: SVector::from_fn(|k, _| component(k)) }
}

/// B_a: how a displacement of function `a` changes the strain.
#[inline(always)]
pub(super) fn strain_of<const D: usize, const V: usize>(
    f: &Mat<D>,
    f33: f64,
    gradient: &[f64],
    hoop: f64,
) -> SMatrix<f64, V, D> {
    SMatrix::from_fn(|k, c| {
        let (i, j) = VOIGT[k];
        if D == 2 && k == 2 {
            if c == 0 { f33 * hoop } else { 0.0 }
        } else if i == j {
            f[(c, i)] * gradient[i]
        } else {
            f[(c, i)] * gradient[j] + f[(c, j)] * gradient[i]
        }
    })
}

/// A stress in the plane or in space as a matrix.
#[inline(always)]
pub(super) fn as_matrix<const D: usize, const V: usize>(stress: &SVector<f64, V>) -> Mat<D> {
    Mat::from_fn(|i, j| match (i == j, i + j) {
        (true, _) => stress[i],
        (_, 1) => stress[3],
        (_, 3) => stress[4],
        _ => stress[5],
    })
}

/// Tension alone: the stress without its negative principal values.
pub(super) fn positive_part<const D: usize>(stress: &Mat<D>) -> Mat<D> {
    let mut lifted = Matrix3::zeros();
    lifted.fixed_view_mut::<D, D>(0, 0).copy_from(stress);
    let (values, axes) = principal(&lifted);
    let positive = axes * Matrix3::from_diagonal(&values.map(|s| s.max(0.0))) * axes.transpose();
    Mat::from_fn(|i, j| positive[(i, j)])
}

/// Adds the force and, if asked for, the tangent of all functions of a cell. Returns the energy [J].
pub(super) fn respond<const D: usize, const V: usize, const N: usize>(
    rules: &Rules<'_>,
    cell: &Cell<'_>,
    u: &Columns<D, N>,
    force: &mut Columns<D, N>,
    mut tangent: Option<&mut Blocks<D, N>>,
) -> f64 {
    let is_finite = rules.kinematics == Kinematics::Finite;
    let hoops = |q: usize| cell.hoops.get(q * N..(q + 1) * N).unwrap_or(&[]);
    let gradients = |q: usize| Columns::<D, N>::from_column_slice(&cell.gradients[q * D * N..][..D * N]);
    // The mean dilatation of the cell, where the formulation has one.
    let mean = (rules.formulation == Formulation::BBar).then(|| {
        let volume: f64 = cell.weights.iter().sum();
        let theta = |q: usize| {
            let motion = motion::<D, V, N>(rules.kinematics, u, &gradients(q), hoops(q));
            rules.law.dilatation(&motion.strain).value
        };
        let sum: f64 = cell.weights.iter().enumerate().map(|(q, w)| w * theta(q)).sum();
        (volume, rules.law.volumetric(sum / volume))
    });
    let mut energy = mean.map_or(0.0, |(volume, [value, ..])| volume * value);
    let mut swelling = Columns::<D, N>::zeros();

    for (q, &weight) in cell.weights.iter().enumerate() {
        let (g, hoops) = (gradients(q), hoops(q));
        let Motion { f, f33, strain } = motion::<D, V, N>(rules.kinematics, u, &g, hoops);
        let answer = match mean {
            None => rules.law.respond(&strain),
            Some((_, [_, pressure, _])) => {
                let mut answer = rules.law.respond_isochoric(&strain);
                let theta = rules.law.dilatation(&strain);
                answer.stress += pressure * theta.gradient;
                answer.tangent += pressure * theta.hessian;
                answer
            }
        };
        energy += weight * answer.energy;
        let stress: Mat<D> = as_matrix(&answer.stress);
        *force += f * stress * g * weight;
        let hoop_force = weight * f33 * answer.stress[2];
        hoops.iter().enumerate().for_each(|(a, n)| force[(0, a)] += hoop_force * n);

        let Some(blocks) = tangent.as_deref_mut() else { continue };
        let hoop = |a: usize| hoops.get(a).copied().unwrap_or(0.0);
        let slope = |a: usize| &cell.gradients[(q * N + a) * D..][..D];
        let b: [SMatrix<f64, V, D>; N] = std::array::from_fn(|a| strain_of(&f, f33, slope(a), hoop(a)));
        let weighted = answer.tangent * weight;
        let (initial_stress, hoop_stress) = match rules.only_tension {
            true => (positive_part(&stress), answer.stress[2].max(0.0)),
            false => (stress, answer.stress[2]),
        };
        let stress_gradients = initial_stress * g * weight;
        for col in 0..N {
            let cb = weighted * b[col];
            for row in col..N {
                let mut block = b[row].tr_mul(&cb);
                if is_finite {
                    let initial = g.column(row).dot(&stress_gradients.column(col));
                    (0..D).for_each(|i| block[(i, i)] += initial);
                    block[(0, 0)] += weight * hoop_stress * hoop(row) * hoop(col);
                }
                blocks[row][col] += block;
            }
        }
        if mean.is_some() {
            let theta = rules.law.dilatation(&strain).gradient * weight;
            (0..N).for_each(|a| {
                let mut column = swelling.column_mut(a);
                column += b[a].tr_mul(&theta);
            });
        }
    }
    if let (Some((volume, [_, _, stiffness])), Some(blocks)) = (mean, tangent) {
        for col in 0..N {
            let scaled = swelling.column(col) * (stiffness / volume);
            (col..N).for_each(|row| blocks[row][col] += swelling.column(row) * scaled.transpose());
        }
    }
    energy
}

/// Newton iterations for the incompatible modes in finite kinematics.
const MODE_ITERATIONS: usize = 30;

/// As [`respond`], for a cell whose last D functions are incompatible modes: finds them from the displacements of the
/// nodes, left in the last columns of `u`, and condenses the tangent. The modes' forces vanish.
pub(super) fn respond_with_modes<const D: usize, const V: usize, const N: usize>(
    rules: &Rules<'_>,
    cell: &Cell<'_>,
    u: &mut Columns<D, N>,
    force: &mut Columns<D, N>,
    blocks: &mut Blocks<D, N>,
) -> f64 {
    let nodes = N - D;
    let of_modes = |blocks: &Blocks<D, N>| {
        DMatrix::from_fn(D * D, D * D, |i, j| {
            let (row, col) = (i.max(j), i.min(j));
            blocks[nodes + row / D][nodes + col / D][(row % D, col % D)]
        })
    };
    let mut energy = 0.0;
    for iteration in 0..MODE_ITERATIONS {
        force.fill(0.0);
        blocks.iter_mut().flatten().for_each(|b| b.fill(0.0));
        energy = respond::<D, V, N>(&Rules { only_tension: false, ..*rules }, cell, u, force, Some(blocks));
        let is_last = rules.kinematics == Kinematics::Small && iteration == 1;
        let residual = DVector::from_fn(D * D, |i, _| force[(i % D, nodes + i / D)]);
        let Some(mut factor) = of_modes(blocks).cholesky() else { return f64::NAN };
        let scale = u.columns(0, nodes).amax();
        let change = factor.solve(&residual);
        if is_last || change.amax() <= 1e-14 * scale {
            if rules.only_tension {
                blocks.iter_mut().flatten().for_each(|b| b.fill(0.0));
                respond::<D, V, N>(rules, cell, u, &mut Columns::zeros(), Some(blocks));
                let Some(definite) = of_modes(blocks).cholesky() else { return f64::NAN };
                factor = definite;
            }
            condense(blocks, |coupling| Some(factor.solve(coupling)), nodes);
            break;
        }
        (0..D * D).for_each(|i| u[(i % D, nodes + i / D)] -= change[i]);
    }
    energy
}

/// K_uu − K_uα K_αα⁻¹ K_αu, in place, with `solve` giving K_αα⁻¹ x; false if it cannot.
pub(super) fn condense<const D: usize, const N: usize>(
    blocks: &mut Blocks<D, N>,
    solve: impl Fn(&DMatrix<f64>) -> Option<DMatrix<f64>>,
    nodes: usize,
) -> bool {
    let coupling = DMatrix::from_fn(D * D, D * nodes, |i, j| blocks[nodes + i / D][j / D][(i % D, j % D)]);
    let Some(solved) = solve(&coupling) else { return false };
    let less = coupling.tr_mul(&solved);
    for row in 0..nodes {
        for col in 0..=row {
            blocks[row][col] -= less.fixed_view::<D, D>(row * D, col * D);
        }
    }
    true
}
