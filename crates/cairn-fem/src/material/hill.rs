//! Hill's plasticity (1948): sheets that were rolled yield differently along and across the direction of rolling.
//!
//! In axes along x (rolling), y (across) and z (through the sheet), with the yield stress σ_y(p) of a pull along x:
//!
//! ```text
//!   q² = F(σ_yy − σ_zz)² + G(σ_zz − σ_xx)² + H(σ_xx − σ_yy)² + 2L σ_yz² + 2M σ_zx² + 2N σ_xy² =: T·P T ≤ σ_y²
//!   r₀ = H/G,   r₉₀ = H/F,   r₄₅ = N/(F + G) − ½,    G + H = 1,    L = M = 3/2
//! ```
//!
//! r is the plastic strain across over that through the sheet in a pull; all equal to 1 is Von Mises. Δε_p = Δp n, n = P T/q. Implicit Euler with λ = Δp/q:
//! T = (C⁻¹ + λP)⁻¹ ε_trial, and one equation q(T(λ)) = σ_y(p₀ + λq) for λ. With A = (C⁻¹ + Δp (P − n⊗n)/q)⁻¹ the tangent is
//! A − A n⊗A n/(n·A n + σ_y′).

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::drucker_prager::FLOWED;
use super::flow::{self, Flow, Settled};
use super::{Hardening, Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use crate::spectral::carried;

/// Elastic constants, yield stress along the direction of rolling, r-values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// The solid before it flows.
    pub elastic: Isotropic,
    /// σ_y(p) of a pull along the direction of rolling.
    pub hardening: Hardening,
    /// r₀, r₄₅, r₉₀.
    pub ratios: [f64; 3],
    /// Direction of rolling, from the first axis about the third [rad].
    pub angle: f64,
}

/// Iterations for λ.
const MOST_ITERATIONS: usize = 60;

impl Hill {
    /// P, in the axes of the body.
    fn form(&self) -> Matrix6<f64> {
        let [r0, r45, r90] = self.ratios;
        let (g, h) = (1.0 / (1.0 + r0), r0 / (1.0 + r0));
        let f = h / r90;
        let n = (r45 + 0.5) * (f + g);
        let mut p = Matrix6::zeros();
        let block = Matrix3::new(g + h, -h, -g, -h, f + h, -f, -g, -f, f + g);
        p.fixed_view_mut::<3, 3>(0, 0).copy_from(&block);
        (p[(3, 3)], p[(4, 4)], p[(5, 5)]) = (2.0 * n, 3.0, 3.0);
        let (s, c) = self.angle.sin_cos();
        // A stress in the axes of the sheet is that of the body, turned back.
        let back = carried(&Matrix3::new(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0));
        back.transpose() * p * back
    }

    /// λ with its stress; none if a matrix cannot be inverted.
    fn multiplier(&self, trial: &Vector6<f64>, form: &Matrix6<f64>, p: f64) -> Option<(f64, Vector6<f64>, f64)> {
        let compliance = self.elastic.stiffness().try_inverse()?;
        let mut lambda = 0.0;
        for _ in 0..MOST_ITERATIONS {
            let stiff = (compliance + form * lambda).try_inverse()?;
            let stress = stiff * trial;
            let pushed = form * stress;
            let q = stress.dot(&pushed).sqrt();
            let fall = pushed.dot(&(stiff * pushed)) / q;
            let [strength, slope] = self.hardening.at(p + lambda * q);
            let rest = q - strength;
            let change = rest / (fall + slope * (q - lambda * fall).max(0.0));
            if rest.abs() <= 1e-14 * strength || change.abs() <= f64::EPSILON * lambda {
                return Some((lambda, stress, q));
            }
            lambda = (lambda + change).max(0.0);
        }
        None
    }
}

impl Flow for Hill {
    fn elastic(&self) -> &Isotropic {
        &self.elastic
    }

    fn has_axes(&self) -> bool {
        true
    }

    fn settle(&self, trial: &Vector6<f64>, _step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Settled {
        let (stiffness, form) = (self.elastic.stiffness(), self.form());
        let stress = stiffness * trial;
        let resting = Settled { stress, tangent: stiffness, plastic: Vector6::zeros(), lost: Lost::default() };
        if stress.dot(&(form * stress)).sqrt() <= self.hardening.at(old[0])[0] {
            return resting;
        }
        let Some((lambda, stress, q)) = self.multiplier(trial, &form, old[0]) else {
            return Settled { stress: stress * f64::NAN, ..resting };
        };
        let n = form * stress / q;
        let increment = lambda * q;
        new[0] = old[0] + increment;
        let softer = stiffness.try_inverse().and_then(|c| (c + (form - n * n.transpose()) * lambda).try_inverse());
        let soft = softer.unwrap_or(stiffness);
        let along = soft * n;
        let tangent = soft - along * along.transpose() / (n.dot(&along) + self.hardening.at(new[0])[1]);
        let lost = Lost::in_flow(self.hardening.work(new[0]) - self.hardening.work(old[0]));
        Settled { stress, tangent, plastic: n * increment, lost }
    }
}

impl Inelastic for Hill {
    fn history(&self) -> &'static [Quantity] {
        &FLOWED
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        self.hardening.check()?;
        match self.ratios.iter().find(|r| !(**r > 0.0 && r.is_finite())) {
            Some(&value) => Err(MaterialError::NotPositive { name: "r-value", value }),
            None => Ok(()),
        }
    }

    fn prestress(&self, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
        flow::prestress(self, stress, history)
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        flow::respond(self, step, old, new)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plastic;
    use super::*;

    const STEEL: Isotropic = Isotropic { young: 206e3, poisson: 0.3 };
    const SWIFT: Hardening = Hardening::Swift { strength: 565.32, offset: 0.007117, exponent: 0.2589 };

    fn law(ratios: [f64; 3], angle: f64) -> Hill {
        Hill { elastic: STEEL, hardening: SWIFT, ratios, angle }
    }

    fn step(before: Vector6<f64>, after: Vector6<f64>, is_finite: bool) -> Increment<6> {
        Increment { before, after, h: 1.0, xi: 1.0, is_finite, wants_tangent: true, length: 1.0 }
    }

    fn path() -> [Vector6<f64>; 4] {
        let a = Vector6::new(1.0, -0.3, -0.4, 0.5, -0.2, 0.1) * 0.02;
        let b = Vector6::new(-0.5, 0.8, 0.1, -0.9, 0.6, 0.4) * 0.02;
        [Vector6::zeros(), a, a * 0.98, a + b]
    }

    #[test]
    fn equal_ratios_are_von_mises() {
        let (hill, mises) =
            (law([1.0; 3], 0.7), Plastic { elastic: STEEL, hardening: SWIFT, kinematic: None, rate: None });
        let [mut a, mut b] = [vec![0.0; 10], vec![0.0; 10]];
        for pair in path().windows(2) {
            let (mut new_a, mut new_b) = (a.clone(), b.clone());
            let x = hill.respond(&step(pair[0], pair[1], true), &a, &mut new_a);
            let y = mises.respond(&step(pair[0], pair[1], true), &b, &mut new_b);
            assert!((x.stress - y.stress).norm() < 1e-8 * y.stress.norm());
            assert!((x.tangent - y.tangent).norm() < 1e-7 * y.tangent.norm());
            (a, b) = (new_a, new_b);
        }
    }

    #[test]
    fn tangents_are_derivatives() {
        for is_finite in [false, true] {
            let law = law([1.8, 1.2, 2.2], 0.4);
            let mut old = vec![0.0; 10];
            for pair in path().windows(2) {
                let (mut new, mut unused) = (old.clone(), old.clone());
                let outcome = law.respond(&step(pair[0], pair[1], is_finite), &old, &mut new);
                for k in 0..6 {
                    let mut side = Vector6::zeros();
                    side[k] = 1e-8;
                    let mut stress = |e| law.respond(&step(pair[0], e, is_finite), &old, &mut unused).stress;
                    let slope = (stress(pair[1] + side) - stress(pair[1] - side)) / 2e-8;
                    let error = (slope - outcome.tangent.column(k)).amax();
                    assert!(error < 2e-6 * STEEL.young, "{is_finite} {k}: {error}");
                }
                old = new;
            }
        }
    }

    /// A pull along the direction of rolling yields at σ_y, and across it flows r times as much as through the sheet.
    #[test]
    fn a_pull_has_its_r_value() {
        for (angle, r) in [(0.0_f64, 1.8), (45.0, 1.2), (90.0, 2.2)] {
            let law = law([1.8, 1.2, 2.2], angle.to_radians());
            let mut pulled = Vector6::zeros();
            pulled[0] = 1.0;
            // The sheet is turned, the pull is along x: the flow direction there.
            let flow = law.form() * pulled;
            assert!((flow[1] / flow[2] - r).abs() < 1e-12, "{angle}: {}", flow[1] / flow[2]);
            if angle == 0.0 {
                assert!((pulled.dot(&flow) - 1.0).abs() < 1e-14);
            }
        }
    }
}
