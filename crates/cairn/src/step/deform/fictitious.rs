//! Fictitious masses: slow evolutions by the explicit scheme, with the mass alone as correcting matrix.
//!
//! Explicit steps are stable while h ω < 2. Where inertia plays no part, masses may be as large as that asks for, node by node
//! (Gershgorin; Jean 1995, §5.1):
//!
//! ```text
//!   m_i = h² max_c Σ_j |K_ij| / 3.2        hence  h² ω² ≤ 3.2
//! ```
//!
//! with the tangent K where the step starts, so that they follow a body that stiffens, flows or turns. Their price is inertia that is
//! none: ‖M Δv‖/‖h F‖ is measured in every step, and one above the limit of the scene does not count as converged. Masses are the least that
//! the step allows, and go with its square: a shorter one has less inertia. It has to be shorter from the start: where steps are cut and grow again on
//! the way, masses that jump to and fro feed what swings (tried on the layers of C1: the inertia of a run that keeps below 0.006 goes to 1).

use super::super::Workspace;
use super::iterate::BodyIterate;
use crate::flexible::{Flexible, dot};
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use cairn_sparse::Symmetric;

/// h² ω² at most; 4 is the limit of stability.
const STABLE: f64 = 3.2;

/// Masses of the nodes; `tangent` is ξ K.
pub(super) fn masses<const D: usize>(tangent: &Symmetric, xi: f64, h: f64, masses: &mut Vec<f64>) {
    let mut rows = vec![0.0; tangent.size()];
    tangent.visit(|i, _, k| rows[i] += k.abs());
    let largest = |rows: &[f64]| rows.iter().copied().fold(0.0, f64::max);
    masses.clear();
    masses.extend(rows.chunks_exact(D).map(|rows| h * h * largest(rows) / (STABLE * xi)));
}

/// M x.
pub(super) fn times<const D: usize>(masses: &[f64], x: &[f64], y: &mut [f64]) {
    for ((y, x), m) in y.chunks_exact_mut(D).zip(x.chunks_exact(D)).zip(masses) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = m * x);
    }
}

/// What fictitious masses are worth in a step: the worst of all bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// ‖M Δv‖/‖h F‖; F also where nodes are held: inside, forces of the elements around a node cancel.
    pub ratio: f64,
    /// The same as a share of what the scene allows.
    pub share: f64,
    /// Fictitious over true mass.
    pub scaling: f64,
}

impl Inertia {
    /// The worse of two.
    pub fn or(self, other: Self) -> Self {
        Self {
            ratio: self.ratio.max(other.ratio),
            share: self.share.max(other.share),
            scaling: self.scaling.max(other.scaling),
        }
    }
}

/// Of the step that has been solved, and not yet been handed over.
pub(in crate::step) fn inertia<const D: usize>(scene: &Scene<D>, work: &Workspace<D>) -> Inertia
where
    Space<D>: Ambient<D>,
{
    let of_body = |(body, iterate): (&Flexible<D>, &BodyIterate)| {
        let limit = body.fictitious?;
        let ratio = ratio::<D>(iterate);
        let scaling = iterate.fictitious.iter().sum::<f64>() / body.model.total_mass();
        Some(Inertia { ratio, share: ratio / limit, scaling })
    };
    scene.flexibles.iter().zip(&work.deform.bodies).filter_map(of_body).fold(Inertia::default(), Inertia::or)
}

/// ‖M Δv‖/‖h F‖.
fn ratio<const D: usize>(iterate: &BodyIterate) -> f64 {
    let (mut of_mass, mut of_force) = (0.0, 0.0);
    for i in 0..iterate.held.len() {
        let change = if iterate.held[i] { 0.0 } else { iterate.velocity[i] - iterate.before[i] };
        of_mass += (iterate.fictitious[i / D] * change).powi(2);
        of_force += iterate.internal[i].powi(2);
    }
    if of_mass > 0.0 { (of_mass / of_force).sqrt() } else { 0.0 }
}

/// (M − M_true) Δv·v̄: what fictitious inertia takes out of the balance of true energies [J].
pub(super) fn taken<const D: usize>(body: &Flexible<D>, masses: &[f64], change: &[f64], mean: &[f64]) -> f64
where
    Space<D>: Ambient<D>,
{
    let (mut fictitious, mut own) = (vec![0.0; change.len()], vec![0.0; change.len()]);
    times::<D>(masses, change, &mut fictitious);
    body.model.mass_times(change, &mut own);
    dot(&fictitious, mean) - dot(&own, mean)
}
