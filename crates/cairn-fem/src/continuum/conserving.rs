//! The mean internal force of a step, which does exactly the work that the strain energy takes up.
//!
//! Between the displacements u₀ and u₁ of a step, with F̄ = (F₀ + F₁)/2, E₁ − E₀ = sym F̄ᵀ(F₁ − F₀) holds exactly. So
//!
//! ```text
//!   f̄_a = ∫ F̄ S̄ G_a   with   S̄ : (E₁ − E₀) = W(E₁) − W(E₀)   gives   f̄·(u₁ − u₀) = W(u₁) − W(u₀),
//! ```
//!
//! and it conserves momenta, because f̄ is F̄ times a symmetric stress. For linear laws S̄ = C (E₀ + E₁)/2 (Simo and Tarnow
//! 1992). For others the stress of the mean strain is corrected along ΔE by what is missing (Gonzalez 2000). With mean
//! dilatation the same is done with θ̄: p̄ = ΔU/Δθ̄.
//!
//! Used with the mid-point rule M (v₁ − v₀)/h = −f̄, (u₁ − u₀)/h = (v₀ + v₁)/2, total energy is conserved for any step.
//!
//! ```text
//!   ∂f̄_a/∂u₁_b = ½ ∫ B̄_aᵀ C B₁_b + (G_a·S̄ G_b) 1
//! ```
//!
//! is not symmetric, because B̄ belongs to F̄ and B₁ to F₁; they differ by O(h). It is exact for linear laws; for others the
//! change of the correction is left out.

#![allow(clippy::needless_range_loop, reason = "row and column of a block are indices of the formulas")]

use cairn_sparse::{General, Symmetric};
use nalgebra::{SMatrix, SVector};

use super::assemble::{add_force, by_functions, gather};
use super::cell::{Blocks, Columns, Rules, as_matrix, motion, strain_of};
use super::geometry::{Block, Cell};
use super::{Continuum, Formulation, ModelError};
use crate::Mat;
use crate::mesh::Kind;
use crate::section::{Kinematics, Reduced};

/// Where a mean tangent goes.
enum Target<'a> {
    None,
    /// Its symmetric part.
    Symmetric(&'a mut Symmetric),
    General(&'a mut General),
}

/// Strain steps below this are not corrected: what is missing is below round-off.
const LEAST_STEP: f64 = 1e-14;

/// What has to be added to a gradient at the mid-point so that its product with `step` is `change`.
fn correction<const V: usize>(gradient: &SVector<f64, V>, step: &SVector<f64, V>, change: f64) -> SVector<f64, V> {
    let along = SVector::<f64, V>::from_fn(|k, _| if k < 3 { step[k] } else { 0.5 * step[k] });
    let square = along.dot(step);
    if square < LEAST_STEP { SVector::zeros() } else { along * ((change - gradient.dot(step)) / square) }
}

/// ΔU/Δθ̄ and its derivative with respect to the new θ̄.
fn mean_pressure(law: &Reduced, before: f64, after: f64) -> (f64, f64) {
    let [_, pressure, stiffness] = law.volumetric(0.5 * (before + after));
    let is_linear = matches!(law, Reduced::Linear { .. });
    if is_linear || (after - before).powi(2) < LEAST_STEP {
        return (pressure, 0.5 * stiffness);
    }
    ((law.volumetric(after)[0] - law.volumetric(before)[0]) / (after - before), 0.5 * stiffness)
}

/// Adds the mean force and, if asked for, half of the tangent's blocks (all of them) of a cell. Returns W₁ − W₀ [J].
fn respond<const D: usize, const V: usize, const N: usize>(
    rules: &Rules<'_>,
    cell: &Cell<'_>,
    u: [&Columns<D, N>; 2],
    force: &mut Columns<D, N>,
    mut tangent: Option<&mut Blocks<D, N>>,
) -> f64 {
    let is_finite = rules.kinematics == Kinematics::Finite;
    let is_linear = matches!(rules.law, Reduced::Linear { .. });
    let hoops = |q: usize| cell.hoops.get(q * N..(q + 1) * N).unwrap_or(&[]);
    let gradients = |q: usize| Columns::<D, N>::from_column_slice(&cell.gradients[q * D * N..][..D * N]);
    let motions = |q: usize| u.map(|u| motion::<D, V, N>(rules.kinematics, u, &gradients(q), hoops(q)));
    let volume: f64 = cell.weights.iter().sum();
    let mut change = 0.0;
    let mean = (rules.formulation == Formulation::BBar).then(|| {
        let mut theta = [0.0; 2];
        for (q, w) in cell.weights.iter().enumerate() {
            let values = motions(q).map(|m| rules.law.dilatation(&m.strain).value);
            (0..2).for_each(|s| theta[s] += w * values[s] / volume);
        }
        change += volume * (rules.law.volumetric(theta[1])[0] - rules.law.volumetric(theta[0])[0]);
        mean_pressure(rules.law, theta[0], theta[1])
    });
    let (mut swelling, mut swelling_after) = (Columns::<D, N>::zeros(), Columns::<D, N>::zeros());

    for (q, &weight) in cell.weights.iter().enumerate() {
        let (g, hoops) = (gradients(q), hoops(q));
        let [before, after] = motions(q);
        let (f, f33) = (0.5 * (before.f + after.f), 0.5 * (before.f33 + after.f33));
        let (middle, step) = (0.5 * (before.strain + after.strain), after.strain - before.strain);
        let energy = |strain: &SVector<f64, V>| match mean {
            None => rules.law.respond(strain).energy,
            Some(_) => rules.law.respond_isochoric(strain).energy,
        };
        let own_change = energy(&after.strain) - energy(&before.strain);
        change += weight * own_change;
        let mut answer = match mean {
            None => rules.law.respond(&middle),
            Some(_) => rules.law.respond_isochoric(&middle),
        };
        if !is_linear {
            answer.stress += correction(&answer.stress, &step, own_change);
        }
        let mut theta_gradient = SVector::<f64, V>::zeros();
        if let Some((pressure, _)) = mean {
            let theta = rules.law.dilatation(&middle);
            theta_gradient = theta.gradient;
            if !is_linear {
                let values = [&before, &after].map(|m| rules.law.dilatation(&m.strain).value);
                theta_gradient += correction(&theta.gradient, &step, values[1] - values[0]);
            }
            answer.stress += pressure * theta_gradient;
            answer.tangent += pressure * theta.hessian;
        }
        let stress: Mat<D> = as_matrix(&answer.stress);
        *force += f * stress * g * weight;
        let hoop_force = weight * f33 * answer.stress[2];
        hoops.iter().enumerate().for_each(|(a, n)| force[(0, a)] += hoop_force * n);

        let Some(blocks) = tangent.as_deref_mut() else { continue };
        let hoop = |a: usize| hoops.get(a).copied().unwrap_or(0.0);
        let slope = |a: usize| &cell.gradients[(q * N + a) * D..][..D];
        let b: [SMatrix<f64, V, D>; N] = std::array::from_fn(|a| strain_of(&f, f33, slope(a), hoop(a)));
        let half = 0.5 * weight;
        for col in 0..N {
            let b_after: SMatrix<f64, V, D> = strain_of(&after.f, after.f33, slope(col), hoop(col));
            let cb = answer.tangent * b_after * half;
            let initial = stress * g.column(col) * half;
            for row in 0..N {
                let mut block = b[row].tr_mul(&cb);
                if is_finite {
                    (0..D).for_each(|i| block[(i, i)] += g.column(row).dot(&initial));
                    block[(0, 0)] += half * answer.stress[2] * hoop(row) * hoop(col);
                }
                blocks[row][col] += block;
            }
            if mean.is_some() {
                let theta_after = rules.law.dilatation(&after.strain).gradient;
                let mut column = swelling.column_mut(col);
                column += b[col].tr_mul(&theta_gradient) * weight;
                let mut column = swelling_after.column_mut(col);
                column += b_after.tr_mul(&theta_after) * weight;
            }
        }
    }
    if let (Some((_, stiffness)), Some(blocks)) = (mean, tangent) {
        for col in 0..N {
            let scaled = swelling_after.column(col) * (stiffness / volume);
            (0..N).for_each(|row| blocks[row][col] += swelling.column(row) * scaled.transpose());
        }
    }
    change
}

impl<const D: usize> Continuum<D> {
    /// The mean internal force f̄(u₀, u₁) [N]. Returns W(u₁) − W(u₀) [J], which is f̄·(u₁ − u₀) to round-off.
    ///
    /// Not available with incompatible modes.
    pub fn mean_force(&self, u0: &[f64], u1: &[f64], f: &mut [f64]) -> Result<f64, ModelError> {
        f.fill(0.0);
        self.assemble_mean(u0, u1, f, Target::None)
    }

    /// As [`Self::mean_force`], with the symmetric part of the tangent ∂f̄/∂u₁ [N/m].
    pub fn mean_force_and_tangent(
        &self,
        u0: &[f64],
        u1: &[f64],
        f: &mut [f64],
        k: &mut Symmetric,
    ) -> Result<f64, ModelError> {
        f.fill(0.0);
        k.clear();
        self.assemble_mean(u0, u1, f, Target::Symmetric(k))
    }

    /// As [`Self::mean_force`], with the tangent ∂f̄/∂u₁ [N/m] itself. The matrix needs both triangles of the pattern of the
    /// body ([`General::from_symmetric`]).
    pub fn mean_force_and_full_tangent(
        &self,
        u0: &[f64],
        u1: &[f64],
        f: &mut [f64],
        k: &mut General,
    ) -> Result<f64, ModelError> {
        f.fill(0.0);
        k.clear();
        self.assemble_mean(u0, u1, f, Target::General(k))
    }

    fn assemble_mean(&self, u0: &[f64], u1: &[f64], f: &mut [f64], mut k: Target<'_>) -> Result<f64, ModelError> {
        if matches!(self.options.formulation, Formulation::Incompatible | Formulation::SolidShell { .. }) {
            return Err(ModelError::Options(
                "the energy-conserving force has no modes inside cells: take `b_bar` or `standard`",
            ));
        }
        let mut change = 0.0;
        for block in &self.blocks {
            change += if block.kind == Kind::Bar2 {
                self.add_mean_bars(block, u0, u1, f, &mut k)?
            } else {
                by_functions!(self.add_mean_cells, block, u0, u1, f, &mut k)?
            };
        }
        Ok(change)
    }

    fn add_mean_cells<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        u0: &[f64],
        u1: &[f64],
        f: &mut [f64],
        k: &mut Target<'_>,
    ) -> Result<f64, ModelError> {
        let rules = self.rules(block);
        let mut change = 0.0;
        let mut blocks: Blocks<D, N> = [[Mat::zeros(); N]; N];
        for c in 0..block.len() {
            let nodes = block.nodes_of(c);
            let (before, after) = (gather::<D, N>(nodes, u0), gather::<D, N>(nodes, u1));
            let mut force = Columns::zeros();
            let wanted = (!matches!(k, Target::None)).then_some(&mut blocks);
            change += respond::<D, V, N>(&rules, &block.cell(c), [&before, &after], &mut force, wanted);
            add_force(nodes, &force, f);
            self.put(k, block.first + c, nodes, &blocks)?;
            blocks.iter_mut().flatten().for_each(|b| b.fill(0.0));
        }
        Ok(change)
    }

    /// Bars: E₁ − E₀ = (t + (d₀ + d₁)/2L)·(d₁ − d₀)/L, and the stress is linear in E.
    fn add_mean_bars(
        &self,
        block: &Block<D>,
        u0: &[f64],
        u1: &[f64],
        f: &mut [f64],
        k: &mut Target<'_>,
    ) -> Result<f64, ModelError> {
        let young = self.materials[block.region].law.young();
        let spin = if self.options.kinematics == Kinematics::Finite { 1.0 } else { 0.0 };
        let mut change = 0.0;
        for (c, &volume) in block.weights.iter().enumerate() {
            let nodes = block.nodes_of(c);
            let reach = self.mesh.nodes[nodes[1] as usize] - self.mesh.nodes[nodes[0] as usize];
            let length = reach.norm();
            let along = reach / length;
            let [s0, s1] = [u0, u1].map(|u| {
                let columns = gather::<D, 2>(nodes, u);
                (columns.column(1) - columns.column(0)) / length
            });
            let [e0, e1] = [s0, s1].map(|s| along.dot(&s) + 0.5 * spin * s.norm_squared());
            let direction = along + (s0 + s1) * (0.5 * spin);
            let pull = direction * (volume * young * 0.5 * (e0 + e1) / length);
            add_force(nodes, &Columns::<D, 2>::from_columns(&[-pull, pull]), f);
            let last = along + s1 * spin;
            let own = (direction * last.transpose() + Mat::identity() * (0.5 * spin * (e0 + e1)))
                * (0.5 * volume * young / (length * length));
            self.put(k, block.first + c, nodes, &[[own, -own], [-own, own]])?;
            change += 0.5 * volume * young * (e1 * e1 - e0 * e0);
        }
        Ok(change)
    }

    /// Adds all blocks of a cell to where the tangent goes.
    fn put<const N: usize>(
        &self,
        k: &mut Target<'_>,
        cell: usize,
        nodes: &[u32],
        blocks: &Blocks<D, N>,
    ) -> Result<(), ModelError> {
        let size = N * D;
        let entry = |i: usize, j: usize| blocks[i / D][j / D][(i % D, j % D)];
        match k {
            Target::None => {}
            Target::Symmetric(k) => {
                let full: Vec<f64> =
                    (0..size * size).map(|m| 0.5 * (entry(m % size, m / size) + entry(m / size, m % size))).collect();
                k.add(&self.scatter, &self.cliques, cell, &full);
            }
            Target::General(k) => {
                let unknown = |i: usize| nodes[i / D] as usize * D + i % D;
                for j in 0..size {
                    for i in 0..size {
                        k.add(unknown(i), unknown(j), entry(i, j))?;
                    }
                }
            }
        }
        Ok(())
    }
}
