//! A material point of a body with memory: the law of a section, elastic or not, over a step.
//!
//! In plane stress the thickness strain E₃₃ of an inelastic law is found so that S̄₃₃ = 0, by Newton's method, and kept behind the law's
//! own numbers: the next step starts from it. Elastic laws know it in closed form and keep nothing.

use nalgebra::{SMatrix, SVector, Vector6};

use super::{Reduced, Section, condense};
use crate::material::{Increment, Inelastic, Law, Lost, Outcome, Quantity};

const THICKNESS: Quantity = Quantity::number("thickness_strain");
/// Newton's iterations for the thickness strain, and the change of it, relative to the strains, that ends them.
const MOST_ITERATIONS: usize = 60;
const HALVINGS: usize = 8;
const ROUND_OFF: f64 = 1e-14;

/// What a point of this law keeps in this section.
pub(crate) fn quantities(law: &Law, section: Section) -> Vec<Quantity> {
    let is_plane_stress = matches!(section, Section::PlaneStress { .. });
    let thickness = law.inelastic().filter(|_| is_plane_stress).map(|_| THICKNESS);
    law.history().iter().copied().chain(thickness).collect()
}

/// The law at a point.
#[derive(Clone, Copy)]
pub(crate) struct PointLaw<'a> {
    pub law: &'a Law,
    pub elastic: &'a Reduced,
    pub is_plane_stress: bool,
}

impl PointLaw<'_> {
    /// The answer to a step; `old` and `new` are the numbers of [`quantities`].
    pub fn respond<const V: usize>(&self, step: &Increment<V>, old: &[f64], new: &mut [f64]) -> Outcome<V> {
        match self.law.inelastic() {
            Some(law) if self.is_plane_stress => plane_stress(law, step, old, new),
            Some(law) => lower(law.respond(&lift(step), old, new)),
            None => {
                let [before, after] = [&step.before, &step.after].map(|e| self.elastic.respond(e));
                Outcome {
                    stress: step.mean(before.stress, after.stress),
                    tangent: after.tangent * step.xi,
                    stored: after.energy,
                    lost: Lost::default(),
                }
            }
        }
    }

    /// The thickness strain in plane stress, of a strain and what the point keeps.
    pub fn thickness_strain<const V: usize>(&self, strain: &SVector<f64, V>, history: &[f64]) -> f64 {
        match history.last() {
            Some(&thickness) if self.law.inelastic().is_some() => thickness,
            _ => self.elastic.thickness_strain(self.law, strain),
        }
    }
}

fn plane_stress<const V: usize>(law: &dyn Inelastic, step: &Increment<V>, old: &[f64], new: &mut [f64]) -> Outcome<V> {
    let (thickness, own) = (old[old.len() - 1], &old[..old.len() - 1]);
    let last = new.len() - 1;
    let mut full = lift(step);
    full.before[2] = thickness;
    full.after[2] = thickness;
    // A state has the thickness strain that it keeps: S̄₃₃ vanished over the step that led to it.
    let most = if step.h > 0.0 { MOST_ITERATIONS } else { 0 };
    full.wants_tangent |= most > 0;
    let mut outcome = law.respond(&full, own, &mut new[..last]);
    let mut change = 0.0;
    for _ in 0..most {
        let rest = outcome.stress[2];
        change = rest / outcome.tangent[(2, 2)];
        if change.abs() <= ROUND_OFF * full.after.amax() || !change.is_finite() {
            break;
        }
        // Half the way where a whole one goes too far, as where flow sets in.
        for _ in 0..HALVINGS {
            full.after[2] -= change;
            outcome = law.respond(&full, own, &mut new[..last]);
            if outcome.stress[2].abs() <= rest.abs() {
                break;
            }
            full.after[2] += change;
            change *= 0.5;
        }
    }
    if !change.is_finite() {
        outcome.stored = f64::NAN;
    }
    new[last] = full.after[2];
    outcome.stress[2] = 0.0;
    outcome.tangent = condense(&outcome.tangent, 2);
    lower(outcome)
}

/// In six components.
fn lift<const V: usize>(step: &Increment<V>) -> Increment<6> {
    let full = |e: &SVector<f64, V>| Vector6::from_fn(|k, _| if k < V { e[k] } else { 0.0 });
    Increment {
        before: full(&step.before),
        after: full(&step.after),
        h: step.h,
        xi: step.xi,
        is_finite: step.is_finite,
        wants_tangent: step.wants_tangent,
        length: step.length,
    }
}

/// The first `V` components.
fn lower<const V: usize>(outcome: Outcome<6>) -> Outcome<V> {
    let Outcome { stress, tangent, stored, lost } = outcome;
    Outcome {
        stress: SVector::from_fn(|k, _| stress[k]),
        tangent: SMatrix::from_fn(|i, j| tangent[(i, j)]),
        stored,
        lost,
    }
}
