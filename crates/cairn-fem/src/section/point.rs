//! A material point of a body with memory: the law of a section, elastic or not, over a step.
//!
//! In plane stress the thickness strain E₃₃ of an inelastic law is found so that S̄₃₃ = 0, by Newton's method within a bracket, and kept behind the
//! law's own numbers: the next step starts from it. (At the tip of a cone the stress does not change with the strain: longer and longer strides lead away
//! from there.) Elastic laws know it in closed form and keep nothing.

use nalgebra::{SMatrix, SVector, Vector6};

use super::{Reduced, Section, condense};
use crate::material::{Increment, Inelastic, Law, Lost, Outcome, Quantity};

const THICKNESS: Quantity = Quantity::number("thickness_strain");
/// Iterations for the thickness strain, and the change of it, relative to the strains, that ends them (or round-off does, where they are many).
const MOST_ITERATIONS: usize = 120;
const ROUND_OFF: f64 = 1e-14;
/// Share of the elastic stiffness below which a slope leads nowhere.
const FLAT: f64 = 1e-6;

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
            Some(law) if self.is_plane_stress => plane_stress(law, self.law.stiffness()[(2, 2)], step, old, new),
            Some(law) => lower(law.respond(&lift(step), old, new)),
            None => self.elastically(step),
        }
    }

    /// The answer of the law before anything has happened.
    pub fn elastically<const V: usize>(&self, step: &Increment<V>) -> Outcome<V> {
        let [before, after] = [&step.before, &step.after].map(|e| self.elastic.respond(e));
        Outcome {
            stress: step.mean(before.stress, after.stress),
            tangent: after.tangent * step.xi,
            stored: after.energy,
            lost: Lost::default(),
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

fn plane_stress<const V: usize>(
    law: &dyn Inelastic,
    stiffness: f64,
    step: &Increment<V>,
    old: &[f64],
    new: &mut [f64],
) -> Outcome<V> {
    let (thickness, own) = (old[old.len() - 1], &old[..old.len() - 1]);
    let last = new.len() - 1;
    let mut full = lift(step);
    full.before[2] = thickness;
    full.after[2] = thickness;
    // A state has the thickness strain that it keeps: S̄₃₃ vanished over the step that led to it.
    let most = if step.h > 0.0 { MOST_ITERATIONS } else { 0 };
    full.wants_tangent |= most > 0;
    let mut outcome = law.respond(&full, own, &mut new[..last]);
    // Where the plate is known to be pressed and to be pulled across, and the way that is gone where the stress does not change. A plate has no
    // thickness at E₃₃ = −½.
    let mut low = if step.is_finite { -0.5 } else { f64::NEG_INFINITY };
    let (mut high, mut stride) = (f64::INFINITY, 1.0 / (stiffness * step.xi));
    let (mut has_settled, mut known) = (most == 0, thickness);
    for _ in 0..most {
        let (at, rest) = (full.after[2], outcome.stress[2]);
        if !rest.is_finite() {
            // Too far for the law to answer: half the way back.
            has_settled = false;
            full.after[2] = 0.5 * (at + known);
            outcome = law.respond(&full, own, &mut new[..last]);
            continue;
        }
        known = at;
        let slope = outcome.tangent[(2, 2)];
        let mut next = if slope > FLAT * stiffness {
            at - rest / slope
        } else {
            stride *= 2.0;
            at - rest * stride
        };
        // Strains that count: those of the step, and those of the stress that is there already.
        let scale = full.after.amax().max(outcome.stress.amax() / stiffness);
        has_settled = true;
        if (next - at).abs() <= ROUND_OFF * scale {
            break;
        }
        if rest > 0.0 {
            high = at
        } else {
            low = at
        }
        if next <= low {
            next = 0.5 * (low + at);
        } else if next >= high {
            next = 0.5 * (at + high);
        }
        if next == at {
            break;
        }
        full.after[2] = next;
        outcome = law.respond(&full, own, &mut new[..last]);
    }
    if !has_settled {
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
