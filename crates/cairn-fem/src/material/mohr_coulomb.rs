//! Mohr–Coulomb, with a cut of the tension: what a geotechnical engineer means by c, φ and ψ.
//!
//! With the principal stresses σ₁ ≥ σ₂ ≥ σ₃ (tension positive), for the pairs (a, b) = (1,3), (1,2), (2,3):
//!
//! ```text
//!   σ_a (1 + sin φ) − σ_b (1 − sin φ) ≤ 2 c cos φ,      σ_a ≤ f_t,   f_t ≤ c/tan φ
//! ```
//!
//! Six planes in the space of principal stresses. Plastic strain is a sum of non-negative multiples of their flow directions, those of the
//! first kind with ψ in place of φ, of the second along the axis. With D the elastic stiffness in principal axes the end of a step is the
//! point σ = σ_trial − D Σ λ_i m_i with λ_i ≥ 0 at which the planes with λ_i > 0 hold as equations and none is violated: found by trying
//! one plane, then two, then three (Koiter; Clausen and others 2006). The axes of the stress are those of the trial. Tangent:
//!
//! ```text
//!   ∂σ/∂ε = D − D M (Nᵀ D M)⁻¹ Nᵀ D  in principal axes;    (σ_a − σ_b)/(2(ε_a − ε_b))  of the shear between them
//! ```

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::drucker_prager::{FLOWED, Frictional};
use super::flow::{self, Flow, Settled};
use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use crate::spectral::{Spectrum, carried, spectrum};
use crate::tensor::{VOIGT, components, from_strain};

/// Elastic constants, cohesion, angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MohrCoulomb {
    /// The solid before it flows.
    pub elastic: Isotropic,
    /// Cohesion and angles.
    pub strength: Frictional,
}

/// A plane n·σ ≤ k with its flow direction m.
#[derive(Clone, Copy)]
struct Plane {
    n: Vector3<f64>,
    m: Vector3<f64>,
    k: f64,
}

/// The end of a step in principal axes.
struct Returned {
    stress: Vector3<f64>,
    tangent: Matrix3<f64>,
}

/// Sets of planes, by their numbers, the smallest first.
const SETS: [&[usize]; 41] = [
    &[0],
    &[1],
    &[2],
    &[3],
    &[4],
    &[5],
    &[0, 1],
    &[0, 2],
    &[0, 3],
    &[0, 4],
    &[0, 5],
    &[1, 2],
    &[1, 3],
    &[1, 4],
    &[1, 5],
    &[2, 3],
    &[2, 4],
    &[2, 5],
    &[3, 4],
    &[3, 5],
    &[4, 5],
    &[0, 1, 2],
    &[0, 1, 3],
    &[0, 1, 4],
    &[0, 1, 5],
    &[0, 2, 3],
    &[0, 2, 4],
    &[0, 2, 5],
    &[0, 3, 4],
    &[0, 3, 5],
    &[0, 4, 5],
    &[1, 2, 3],
    &[1, 2, 4],
    &[1, 2, 5],
    &[1, 3, 4],
    &[1, 3, 5],
    &[1, 4, 5],
    &[2, 3, 4],
    &[2, 3, 5],
    &[2, 4, 5],
    &[3, 4, 5],
];

impl MohrCoulomb {
    /// The six planes for stresses with the axes `order` from the largest to the smallest.
    fn planes(&self, order: [usize; 3]) -> [Plane; 6] {
        let Frictional { cohesion, friction, dilatancy, tension } = self.strength;
        let axis = |a: usize| Vector3::from_fn(|i, _| if i == order[a] { 1.0 } else { 0.0 });
        let pair = |(a, b): (usize, usize), angle: f64| axis(a) * (1.0 + angle.sin()) - axis(b) * (1.0 - angle.sin());
        let shear = |ab| Plane { n: pair(ab, friction), m: pair(ab, dilatancy), k: 2.0 * cohesion * friction.cos() };
        let apex = if friction > 0.0 { cohesion / friction.tan() } else { f64::INFINITY };
        let cut = |a| Plane { n: axis(a), m: axis(a), k: tension.min(apex) };
        [shear((0, 2)), shear((0, 1)), shear((1, 2)), cut(0), cut(1), cut(2)]
    }

    /// Back to what can be; none where the trial can.
    fn back(&self, trial: &Vector3<f64>, stiffness: &Matrix3<f64>) -> Option<Returned> {
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| trial[b].total_cmp(&trial[a]));
        let planes = self.planes(order);
        let round_off = 1e-11 * (trial.amax() + self.strength.cohesion);
        let holds = |stress: &Vector3<f64>| planes.iter().all(|p| p.n.dot(stress) <= p.k + round_off);
        if planes.iter().all(|p| p.n.dot(trial) <= p.k) {
            return None;
        }
        SETS.iter().find_map(|set| returned(&planes, set, trial, stiffness).filter(|r| holds(&r.stress)))
    }
}

/// The point where the planes of a set hold as equations; none if a multiplier is negative.
fn returned(planes: &[Plane; 6], set: &[usize], trial: &Vector3<f64>, stiffness: &Matrix3<f64>) -> Option<Returned> {
    if set.iter().any(|&i| !planes[i].k.is_finite()) {
        return None;
    }
    // Unused rows and columns are those of the identity.
    let mut matrix = Matrix3::identity();
    let mut excess = Vector3::zeros();
    for (row, &i) in set.iter().enumerate() {
        excess[row] = planes[i].n.dot(trial) - planes[i].k;
        for (column, &j) in set.iter().enumerate() {
            matrix[(row, column)] = planes[i].n.dot(&(stiffness * planes[j].m));
        }
    }
    let inverse = matrix.try_inverse()?;
    let multipliers = inverse * excess;
    if !multipliers.iter().take(set.len()).all(|l| *l >= 0.0) {
        return None;
    }
    let (mut stress, mut tangent) = (*trial, *stiffness);
    for (row, &i) in set.iter().enumerate() {
        let direction = stiffness * planes[i].m;
        stress -= direction * multipliers[row];
        for (column, &j) in set.iter().enumerate() {
            tangent -= direction * (stiffness * planes[j].n).transpose() * inverse[(row, column)];
        }
    }
    Some(Returned { stress, tangent })
}

impl Flow for MohrCoulomb {
    fn elastic(&self) -> &Isotropic {
        &self.elastic
    }

    fn has_axes(&self) -> bool {
        false
    }

    fn settle(&self, trial: &Vector6<f64>, _step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Settled {
        let whole = self.elastic.stiffness();
        let stiffness = whole.fixed_view::<3, 3>(0, 0).into_owned();
        let Spectrum { values, axes } = spectrum(&from_strain(trial));
        let Some(Returned { stress, tangent }) = self.back(&(stiffness * values), &stiffness) else {
            return Settled { stress: whole * trial, tangent: whole, plastic: Vector6::zeros(), lost: Lost::default() };
        };
        let Some(elastic) = stiffness.try_inverse().map(|c| c * stress) else {
            return Settled { stress: whole * trial, tangent: whole, plastic: Vector6::zeros(), lost: Lost::default() };
        };
        let plastic = values - elastic;
        let mean = plastic.mean();
        new[0] = old[0] + (2.0 / 3.0 * plastic.map(|x| (x - mean).powi(2)).sum()).sqrt();
        let mut own = Matrix6::zeros();
        own.fixed_view_mut::<3, 3>(0, 0).copy_from(&tangent);
        for k in 3..6 {
            let (a, b) = VOIGT[k];
            let apart = values[a] - values[b];
            own[(k, k)] = match apart.abs() > 1e-9 * values.amax() {
                true => 0.5 * (stress[a] - stress[b]) / apart,
                false => 0.5 * (tangent[(a, a)] - tangent[(a, b)]),
            };
        }
        let turn = carried(&axes);
        let turned = |v: &Vector3<f64>| axes * Matrix3::from_diagonal(v) * axes.transpose();
        let twice = Vector6::from_fn(|k, _| if k < 3 { 1.0 } else { 2.0 });
        Settled {
            stress: components(&turned(&stress)),
            tangent: turn * own * turn.transpose(),
            plastic: components::<6>(&turned(&plastic)).component_mul(&twice),
            lost: Lost::in_flow(stress.dot(&plastic).max(0.0)),
        }
    }
}

impl Inelastic for MohrCoulomb {
    fn history(&self) -> &'static [Quantity] {
        &FLOWED
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        self.strength.check()
    }

    fn may_soften(&self) -> bool {
        self.strength.is_unstable()
    }

    fn prestress(&self, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
        flow::prestress(self, stress, history)
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        flow::respond(self, step, old, new)
    }
}
