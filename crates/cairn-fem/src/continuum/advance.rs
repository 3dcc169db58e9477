//! The internal force of a step of a body with memory, from u₀ to u₁ in a time h.
//!
//! With u_ξ = (1−ξ) u₀ + ξ u₁, F_ξ and B_ξ of it, and the stress S̄ that each point answers the step with
//! (`crate::material::Inelastic`):
//!
//! ```text
//!   f_a = ∫ F_ξ S̄ G_a,      K_ab = 1/ξ ∂f_a/∂u₁_b ≈ ∫ B_ξᵀ (C̄/ξ) B_ξ + (G_a·S̄ G_b) 1
//! ```
//!
//! In finite kinematics E₁ − E₀ = sym F_½ᵀ(F₁ − F₀), so that with ξ = ½ the work f·(u₁ − u₀) is ∫ S̄ : (E₁ − E₀), what the material stores
//! and loses: the account of the body is exact in both kinematics (with mean dilatation in finite kinematics up to the third order of the
//! step). K is exact in small kinematics and for ξ = 1; else B₁ stands beside B_ξ, from which it differs by O(h), and K is not symmetric.
//! Of laws that say so K has a skew part as well ([`super::skew`]).
//!
//! **Incompatible modes** are unknowns of the cell that take no force. Those of the start of the step are kept with the history, because
//! the past of the points, and not the displacements alone, decides them.

#![allow(clippy::needless_range_loop, reason = "row and column of a block are indices of the formulas")]

use cairn_sparse::Symmetric;
use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::assemble::{add_force, by_functions, flatten, gather};
use super::cell::{Blocks, Columns, Motion, as_matrix, condense, motion, strain_of};
use super::dilated::{self, Mean};
use super::geometry::{Block, Cell};
use super::inside::{self, Inside};
use super::memory::Kept;
use super::ordered::in_order;
use super::skew;
use super::{Continuum, Formulation};
use crate::Mat;
use crate::material::{Increment, Lost, Outcome};
use crate::section::point::PointLaw;
use crate::section::{Kinematics, Section};

/// A step of a body: displacements at its ends, what it kept at the start, and the scheme.
#[derive(Clone, Copy, Debug)]
pub struct Advance<'a> {
    /// u₀ [m].
    pub before: &'a [f64],
    /// u₁ [m].
    pub after: &'a [f64],
    /// What the body keeps at the start.
    pub history: &'a [f64],
    /// Length of the step [s].
    pub h: f64,
    /// ξ: weight of the end.
    pub xi: f64,
}

/// What a step does to the energy of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Energy stored at the end of the step [J].
    pub stored: f64,
    /// Energy lost in the step [J].
    pub lost: Lost,
}

impl Work {
    /// Not a number: no answer was found.
    pub(super) fn nowhere() -> Self {
        Work { stored: f64::NAN, lost: Lost::in_flow(f64::NAN) }
    }

    fn add(&mut self, other: &Work) {
        self.stored += other.stored;
        self.lost.add(1.0, &other.lost);
    }
}

/// What a cell needs to know of the step.
#[derive(Clone, Copy)]
struct Rules<'a> {
    law: PointLaw<'a>,
    kinematics: Kinematics,
    has_mean: bool,
    numbers: usize,
    h: f64,
    xi: f64,
}

/// The tangent of a cell: its symmetric part, and the skew one if it is asked for. The blocks of their lower triangles.
pub(super) struct Tangent<'a, const D: usize, const N: usize> {
    pub symmetric: &'a mut Blocks<D, N>,
    pub skew: Option<&'a mut Blocks<D, N>>,
}

/// A point of a cell: its motion at u_ξ, and the answer of its law.
pub(super) struct At<const D: usize, const V: usize> {
    pub f: Mat<D>,
    pub f33: f64,
    pub strain: SVector<f64, V>,
    pub outcome: Outcome<V>,
}

impl Rules<'_> {
    /// Motions at all points of a cell, and the mean dilatation, 0 without one.
    fn motions<const D: usize, const V: usize, const N: usize>(
        &self,
        cell: &Cell<'_>,
        u: &Columns<D, N>,
    ) -> (Vec<Motion<D, V>>, f64) {
        let one = |q: usize| {
            let gradients = Columns::from_column_slice(&cell.gradients[q * D * N..][..D * N]);
            motion::<D, V, N>(self.kinematics, u, &gradients, cell.hoops.get(q * N..(q + 1) * N).unwrap_or(&[]))
        };
        let motions: Vec<_> = (0..cell.weights.len()).map(one).collect();
        if !self.has_mean {
            return (motions, 0.0);
        }
        let theta = motions.iter().map(|m| dilated::theta(self.kinematics, &m.strain));
        let sum: f64 = theta.zip(cell.weights).map(|(t, w)| t * w).sum();
        (motions, sum / cell.weights.iter().sum::<f64>())
    }

    /// The strain that the law sees.
    fn seen<const D: usize, const V: usize>(&self, motion: &Motion<D, V>, theta: f64) -> SVector<f64, V> {
        if self.has_mean { dilated::dilated(self.kinematics, &motion.strain, theta) } else { motion.strain }
    }

    /// The answers of all points, with θ̄ of u_ξ; `new` gets what they keep.
    fn points<const D: usize, const V: usize, const N: usize>(
        &self,
        cell: &Cell<'_>,
        length: f64,
        [before, after]: [&Columns<D, N>; 2],
        old: &[f64],
        new: &mut [f64],
        wants_tangent: bool,
    ) -> (Vec<At<D, V>>, f64) {
        let (first, theta_first) = self.motions::<D, V, N>(cell, before);
        let (last, theta_last) = self.motions::<D, V, N>(cell, after);
        let between =
            (self.xi < 1.0).then(|| self.motions::<D, V, N>(cell, &(before * (1.0 - self.xi) + after * self.xi)));
        let (mixed, theta) = between.as_ref().map_or((&last, theta_last), |(mixed, theta)| (mixed, *theta));
        let at = mixed.iter().enumerate().map(|(q, &Motion { f, f33, strain })| {
            let (before, after) = (self.seen(&first[q], theta_first), self.seen(&last[q], theta_last));
            let step = Increment {
                before,
                after,
                h: self.h,
                xi: self.xi,
                is_finite: self.kinematics == Kinematics::Finite,
                wants_tangent,
                length,
            };
            let own = q * self.numbers..(q + 1) * self.numbers;
            At { f, f33, strain, outcome: self.law.respond(&step, &old[own.clone()], &mut new[own]) }
        });
        (at.collect(), theta)
    }

    /// Adds the force and, if asked for, the tangent of all functions of a cell.
    fn respond<const D: usize, const V: usize, const N: usize>(
        &self,
        cell: &Cell<'_>,
        length: f64,
        u: [&Columns<D, N>; 2],
        (old, new): (&[f64], &mut [f64]),
        force: &mut Columns<D, N>,
        tangent: Option<Tangent<'_, D, N>>,
    ) -> Work {
        let (mut tangent, skew) = tangent.map_or((None, None), |t| (Some(t.symmetric), t.skew));
        let (mut points, theta) = self.points::<D, V, N>(cell, length, u, old, new, tangent.is_some());
        let volume: f64 = cell.weights.iter().sum();
        let mut work = Work::default();
        let mut mean = Mean { theta, pressure: 0.0 };
        if let Some(blocks) = skew {
            let has_mean = self.has_mean.then_some(theta);
            skew::add::<D, V, N>(self.kinematics, cell, &points, (self.xi, has_mean), blocks);
        }
        for (at, &weight) in points.iter_mut().zip(cell.weights) {
            work.stored += weight * at.outcome.stored;
            work.lost.add(weight, &at.outcome.lost);
            if tangent.is_some() {
                let tangent = &mut at.outcome.tangent;
                *tangent = (*tangent + tangent.transpose()) * (0.5 / self.xi);
            }
            if self.has_mean {
                mean.pressure += weight / volume * dilated::pressure(self.kinematics, &at.strain, theta, &at.outcome);
            }
        }
        let wants_tangent = tangent.is_some();
        // G, N and e of the mean dilatation: how θ̄ and P̄ change with the displacements.
        let (mut swelling, mut coupling, mut stiffness) = (Columns::<D, N>::zeros(), Columns::<D, N>::zeros(), 0.0);
        for (q, (at, &weight)) in points.iter().zip(cell.weights).enumerate() {
            let effective = self
                .has_mean
                .then(|| dilated::effective(self.kinematics, &at.strain, mean, &at.outcome, wants_tangent));
            let (stress_voigt, modulus) =
                effective.as_ref().map_or((&at.outcome.stress, &at.outcome.tangent), |e| (&e.stress, &e.tangent));
            let g = Columns::<D, N>::from_column_slice(&cell.gradients[q * D * N..][..D * N]);
            let hoops = cell.hoops.get(q * N..(q + 1) * N).unwrap_or(&[]);
            let stress: Mat<D> = as_matrix(stress_voigt);
            *force += at.f * stress * g * weight;
            let hoop_force = weight * at.f33 * stress_voigt[2];
            hoops.iter().enumerate().for_each(|(a, n)| force[(0, a)] += hoop_force * n);

            let Some(blocks) = tangent.as_deref_mut() else { continue };
            let hoop = |a: usize| hoops.get(a).copied().unwrap_or(0.0);
            let b: [SMatrix<f64, V, D>; N] =
                std::array::from_fn(|a| strain_of(&at.f, at.f33, g.column(a).as_slice(), hoop(a)));
            let stress_gradients = stress * g * weight;
            for col in 0..N {
                let cb = modulus * b[col] * weight;
                for row in col..N {
                    let mut block = b[row].tr_mul(&cb);
                    if self.kinematics == Kinematics::Finite {
                        let initial = g.column(row).dot(&stress_gradients.column(col));
                        (0..D).for_each(|i| block[(i, i)] += initial);
                        block[(0, 0)] += weight * stress_voigt[2] * hoop(row) * hoop(col);
                    }
                    blocks[row][col] += block;
                }
            }
            if let Some(effective) = effective {
                for a in 0..N {
                    let mut column = swelling.column_mut(a);
                    column += b[a].tr_mul(&effective.gradient) * weight;
                    let mut column = coupling.column_mut(a);
                    column += b[a].tr_mul(&effective.coupling) * weight;
                }
                stiffness += weight * effective.stiffness;
            }
        }
        if let (true, Some(blocks)) = (self.has_mean, tangent) {
            let (own, cross) = (stiffness / (volume * volume), 1.0 / volume);
            for col in 0..N {
                let (g, n) = (swelling.column(col), coupling.column(col));
                for row in col..N {
                    let (g_row, n_row) = (swelling.column(row), coupling.column(row));
                    blocks[row][col] +=
                        (n_row * g.transpose() + g_row * n.transpose()) * cross + g_row * g.transpose() * own;
                }
            }
        }
        work
    }

    /// As [`Self::respond`], for a cell whose last D functions are incompatible modes; `u` has those of the start in both, and gets those
    /// of the end. The tangent is condensed.
    fn respond_with_modes<const D: usize, const V: usize, const N: usize>(
        &self,
        cell: &Cell<'_>,
        length: f64,
        [before, after]: [&Columns<D, N>; 2],
        (old, new): (&[f64], &mut [f64]),
        (force, blocks): (&mut Columns<D, N>, &mut Blocks<D, N>),
    ) -> Work {
        let nodes = N - D;
        let mut after = *after;
        let scale = after.columns(0, nodes).amax();
        // What the modes meet where nothing has happened yet.
        let gradients = |q: usize| &cell.gradients[q * D * N + D * nodes..(q + 1) * D * N];
        let bends = |q: usize| gradients(q).iter().map(|g| g * g).sum::<f64>() / D as f64;
        let elastic =
            self.law.law.stiffness()[(0, 0)] * cell.weights.iter().enumerate().map(|(q, w)| w * bends(q)).sum::<f64>();
        let mut modes = after.as_slice()[D * nodes..].to_vec();
        let mut work = Work::nowhere();
        let factor = inside::settle(&mut modes, scale, elastic, |modes| {
            after.as_mut_slice()[D * nodes..].copy_from_slice(modes);
            force.fill(0.0);
            blocks.iter_mut().flatten().for_each(|b| b.fill(0.0));
            work = self.respond::<D, V, N>(
                cell,
                length,
                [before, &after],
                (old, new),
                force,
                Some(Tangent { symmetric: blocks, skew: None }),
            );
            Inside {
                residual: DVector::from_fn(D * D, |i, _| force[(i % D, nodes + i / D)]),
                matrix: DMatrix::from_fn(D * D, D * D, |i, j| {
                    let (row, col) = (i.max(j), i.min(j));
                    blocks[nodes + row / D][nodes + col / D][(row % D, col % D)] * self.xi
                }),
                largest: force.amax(),
            }
        });
        let first_mode = new.len() - D * D;
        new[first_mode..].copy_from_slice(&modes);
        let Some(factor) = factor else { return Work::nowhere() };
        // Not positive definite where the material softens; nothing at all where all points are at the tip of a cone.
        let solve = |coupling: &DMatrix<f64>| factor.solve(coupling).map(|x| x * self.xi);
        if condense(blocks, solve, nodes) { work } else { Work::nowhere() }
    }
}

/// What a cell answers.
struct Answered<const D: usize, const N: usize> {
    force: Columns<D, N>,
    blocks: Option<Blocks<D, N>>,
    skew: Option<Box<Blocks<D, N>>>,
    work: Work,
}

impl<const D: usize> Continuum<D> {
    pub(super) fn point_law(&self, block: &Block<D>) -> PointLaw<'_> {
        PointLaw {
            law: &self.materials[block.region].law,
            elastic: &self.laws[block.region],
            is_plane_stress: matches!(self.section, Section::PlaneStress { .. }),
        }
    }

    fn step_rules(&self, block: &Block<D>, kept: &Kept, h: f64, xi: f64) -> Rules<'_> {
        Rules {
            law: self.point_law(block),
            kinematics: self.options.kinematics,
            has_mean: self.rules(block).formulation == Formulation::BBar,
            numbers: kept.quantities.len(),
            h,
            xi,
        }
    }

    /// The internal force f over a step [N], and K [N/m] with ξ K = ∂f/∂u₁ if asked for: its symmetric part, and the lower triangle of the skew
    /// one ([`Continuum::has_skew_tangent`]); `history` gets what the body keeps at the end. Only for bodies with memory
    /// ([`Continuum::has_memory`]).
    pub fn advance(
        &self,
        step: &Advance<'_>,
        f: &mut [f64],
        mut k: [Option<&mut Symmetric>; 2],
        history: &mut [f64],
    ) -> Work {
        let Some(memory) = &self.memory else { return Work::default() };
        f.fill(0.0);
        k.iter_mut().flatten().for_each(|k| k.clear());
        let mut all = Work::default();
        for (index, block) in self.blocks.iter().enumerate() {
            let work = by_functions!(
                self.advance_cells,
                block,
                memory.block(index),
                step,
                f,
                k.each_mut().map(|k| k.as_deref_mut()),
                history
            );
            all.add(&work);
        }
        all
    }

    fn advance_cells<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        kept: &Kept,
        step: &Advance<'_>,
        f: &mut [f64],
        [mut k, mut skew]: [Option<&mut Symmetric>; 2],
        history: &mut [f64],
    ) -> Work {
        let rules = self.step_rules(block, kept, step.h, step.xi);
        let wanted = [k.is_some(), skew.is_some() && k.is_some()];
        let count = block.kind.nodes();
        let mut full = vec![0.0; if wanted[0] { (count * D).pow(2) } else { 0 }];
        let mut all = Work::default();
        let mut rest = &mut history[kept.all(block.len())];
        // A cell of an elastic region keeps nothing.
        let cells = (0..block.len()).map(move |c| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(kept.cell(c).len());
            rest = others;
            (c, own)
        });
        let answer =
            |(c, new): (usize, &mut [f64])| self.advance_cell::<V, N>(&rules, block, kept, step, c, new, wanted);
        in_order(cells, answer, |c, Answered { force, blocks, skew: skew_blocks, work }| {
            all.add(&work);
            add_force(block.nodes_of(c), &force, f);
            if let (Some(k), Some(blocks)) = (k.as_deref_mut(), &blocks) {
                flatten(blocks, count, &mut full);
                k.add(&self.scatter, &self.cliques, block.first + c, &full);
            }
            if let (Some(skew), Some(blocks)) = (skew.as_deref_mut(), &skew_blocks) {
                skew::flatten(blocks, count, &mut full);
                skew.add(&self.scatter, &self.cliques, block.first + c, &full);
            }
        });
        all
    }

    /// Force, tangent if it is wanted, and work of one cell; `new` gets what it keeps.
    #[allow(clippy::too_many_arguments, reason = "what a cell is, what the step is, what is asked")]
    fn advance_cell<const V: usize, const N: usize>(
        &self,
        rules: &Rules<'_>,
        block: &Block<D>,
        kept: &Kept,
        step: &Advance<'_>,
        c: usize,
        new: &mut [f64],
        [wanted, wants_skew]: [bool; 2],
    ) -> Answered<D, N> {
        let count = block.kind.nodes();
        let (nodes, cell, length) = (block.nodes_of(c), block.cell(c), kept.lengths[c]);
        if let Some(reference) = &block.shell {
            let ends = [step.before, step.after].map(|u| gather::<D, N>(nodes, u));
            let (force, blocks, work) = self.advance_sheet(block, reference, kept, step, c, ends.each_ref(), new);
            return Answered { force, blocks, skew: None, work };
        }
        let old = &step.history[kept.cell(c)];
        let before = with_modes(gather::<D, N>(nodes, step.before), &old[kept.modes_at()..], count);
        let after = with_modes(gather::<D, N>(nodes, step.after), &old[kept.modes_at()..], count);
        let mut force = Columns::zeros();
        let has_modes = block.functions > count;
        let mut blocks = (wanted || has_modes).then_some([[Mat::zeros(); N]; N]);
        let mut skew = wants_skew.then(|| Box::new([[Mat::zeros(); N]; N]));
        let work = match &mut blocks {
            Some(blocks) if has_modes => {
                new[kept.modes_at()..].copy_from_slice(&old[kept.modes_at()..]);
                let u = [&before, &after];
                rules.respond_with_modes::<D, V, N>(&cell, length, u, (old, new), (&mut force, blocks))
            }
            blocks => {
                let tangent = blocks.as_mut().map(|symmetric| Tangent { symmetric, skew: skew.as_deref_mut() });
                rules.respond::<D, V, N>(&cell, length, [&before, &after], (old, new), &mut force, tangent)
            }
        };
        // No step may be made of what is no answer.
        if work.stored.is_nan() {
            force.fill(f64::NAN);
        }
        Answered { force, blocks, skew, work }
    }

    /// The points of a cell as they are: displacements and what the body keeps.
    pub(super) fn state_of<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        kept: &Kept,
        c: usize,
        u: &[f64],
        history: &[f64],
    ) -> Vec<At<D, V>> {
        if let Some(reference) = &block.shell {
            return self.sheet_state(block, reference, Some(kept), c, [u, history]);
        }
        let rules = self.step_rules(block, kept, 0.0, 1.0);
        let own = &history[kept.cell(c)];
        let columns = with_modes(gather::<D, N>(block.nodes_of(c), u), &own[kept.modes_at()..], block.kind.nodes());
        let mut unused = own.to_vec();
        let (cell, length) = (block.cell(c), kept.lengths[c]);
        let (mut points, theta) = rules.points::<D, V, N>(&cell, length, [&columns, &columns], own, &mut unused, false);
        if rules.has_mean {
            // The motion that the law has seen: F̄ = √s F of a point with Ē.
            for at in &mut points {
                let seen = dilated::dilated(rules.kinematics, &at.strain, theta);
                if rules.kinematics == Kinematics::Finite {
                    let a = theta - dilated::theta(rules.kinematics, &at.strain);
                    at.f *= (a / 3.0).exp();
                    at.f33 *= (a / 3.0).exp();
                }
                at.strain = seen;
            }
        }
        points
    }

    /// Has the tangent of a body with memory a skew part that Newton's method needs?
    pub fn has_skew_tangent(&self) -> bool {
        self.materials.iter().any(|m| m.law.inelastic().is_some_and(|law| law.has_skew_tangent()))
    }

    /// The energy stored in a body with memory [J].
    pub fn stored_energy(&self, u: &[f64], history: &[f64]) -> f64 {
        let Some(memory) = &self.memory else { return 0.0 };
        let blocks = self.blocks.iter().enumerate();
        blocks.map(|(index, block)| by_functions!(self.stored_in, block, memory.block(index), u, history)).sum()
    }

    fn stored_in<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        kept: &Kept,
        u: &[f64],
        history: &[f64],
    ) -> f64 {
        let of_cell = |c: usize| {
            let points = self.state_of::<V, N>(block, kept, c, u, history);
            points.iter().zip(block.cell(c).weights).map(|(at, w)| w * at.outcome.stored).sum::<f64>()
        };
        let mut sum = 0.0;
        in_order(0..block.len(), of_cell, |_, stored| sum += stored);
        sum
    }
}

/// Puts the amplitudes of incompatible modes into the last columns.
fn with_modes<const D: usize, const N: usize>(mut u: Columns<D, N>, modes: &[f64], nodes: usize) -> Columns<D, N> {
    u.as_mut_slice()[D * nodes..].iter_mut().zip(modes).for_each(|(u, mode)| *u = *mode);
    u
}
