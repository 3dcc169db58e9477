//! Maxwell: a spring and a dashpot in a row, in shear; the change of volume is elastic. Rock flows so.
//!
//! ```text
//!   σ* = 2G D + λ tr D 1 − (G/η) dev σ,      τ = η/G
//! ```
//!
//! σ is Cauchy's stress, and σ* a rate that a rotation does not change: that of Green and Naghdi, σ̇ in the axes of R (F = R U), or that of
//! Jaumann, which turns with the spin W instead. Seen from the axes of R both depend on U alone (U̇U⁻¹ = D̂ + Ŵ):
//!
//! ```text
//!   σ̂ = Rᵀ σ R:    σ̂̇ = 2G D̂ + λ tr D̂ 1 − (G/η) dev σ̂  [+ Ŵ σ̂ − σ̂ Ŵ  with Jaumann's rate]
//! ```
//!
//! Over a step A = ΔU Ū⁻¹, Ū = ½(U₀ + U₁), stands for the integral of U̇U⁻¹ (second order), D h = sym A, W h = skew A, and the
//! rest is integrated exactly:
//!
//! ```text
//!   ŝ₁ = e^{−h/τ} ŝ₀ + 2G g dev(D h),   g = τ/h (1 − e^{−h/τ}),    p₁ = p₀ + K tr(D h)
//! ```
//!
//! between two half turns q = (1 − W h/4)⁻¹(1 + W h/4) with Jaumann's rate. S = J U⁻¹ σ̂ U⁻¹. In small kinematics D h = ε₁ − ε₀.
//!
//! Lost is ∫ s:s/(2η) dt, in closed form while the rate of strain is constant. σ̂ is kept, and the equivalent viscous strain.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::{Increment, Inelastic, Isotropic, Lost, MaterialError, Outcome, Quantity};
use crate::spectral::{Scalar, Spectrum, Stretch, slopes, spectrum};
use crate::tensor::{components, from_strain, from_stress};

/// Elastic constants, viscosity and the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Maxwell {
    /// The spring.
    pub elastic: Isotropic,
    /// η [Pa·s].
    pub viscosity: f64,
    /// σ*.
    pub rate: StressRate,
}

/// Rates of the stress that a rotation does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StressRate {
    /// In the axes of R.
    GreenNaghdi,
    /// In axes that turn with the spin.
    Jaumann,
}

const HISTORY: [Quantity; 7] = [
    Quantity::number("viscous_strain"),
    Quantity::stress("stress_xx").hidden(),
    Quantity::stress("stress_yy").hidden(),
    Quantity::stress("stress_zz").hidden(),
    Quantity::stress("stress_xy").hidden(),
    Quantity::stress("stress_yz").hidden(),
    Quantity::stress("stress_zx").hidden(),
];

/// (1 − e^{−x})/x.
pub(super) fn mean_decay(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { -(-x).exp_m1() / x }
}

/// ∫ s:s/(2η) dt over a step, of the stress at its start and its end if the rate of strain is constant [J/m³].
pub(super) fn viscous_loss(viscosity: f64, x: f64, h: f64, s0: &Matrix3<f64>, s1: &Matrix3<f64>) -> f64 {
    // s(t) = s∞ + (s₀ − s∞) e^{−t/τ}.
    let far = s0 + (s1 - s0) / -(-x).exp_m1();
    let off = s0 - far;
    let (once, twice) = (mean_decay(x), mean_decay(2.0 * x));
    h * (far.norm_squared() + 2.0 * far.dot(&off) * once + off.norm_squared() * twice) / (2.0 * viscosity)
}

fn deviator(m: &Matrix3<f64>) -> Matrix3<f64> {
    m - Matrix3::identity() * (m.trace() / 3.0)
}

fn symmetric(m: &Matrix3<f64>) -> Matrix3<f64> {
    0.5 * (m + m.transpose())
}

/// A step of σ̂.
struct Moved {
    stress: Matrix3<f64>,
    viscous_strain: f64,
    lost: f64,
}

impl Maxwell {
    fn shear_and_bulk(&self) -> (f64, f64) {
        let (lambda, shear) = self.elastic.lame();
        (shear, lambda + 2.0 / 3.0 * shear)
    }

    /// σ̂₁ of σ̂₀ in axes that do not turn, with D h.
    fn flow(&self, start: &Matrix3<f64>, strain: &Matrix3<f64>, h: f64) -> Moved {
        let (shear, bulk) = self.shear_and_bulk();
        let x = h * shear / self.viscosity;
        let s0 = deviator(start);
        let s1 = s0 * (-x).exp() + deviator(strain) * (2.0 * shear * mean_decay(x));
        let viscous = deviator(strain) - (s1 - s0) / (2.0 * shear);
        Moved {
            stress: s1 + Matrix3::identity() * (start.trace() / 3.0 + bulk * strain.trace()),
            viscous_strain: (2.0 / 3.0_f64).sqrt() * viscous.norm(),
            lost: viscous_loss(self.viscosity, x, h, &s0, &s1),
        }
    }

    /// ∂σ̂₁ of a change of D h.
    fn change(&self, strain: &Matrix3<f64>, h: f64) -> Matrix3<f64> {
        let (shear, bulk) = self.shear_and_bulk();
        let once = mean_decay(h * shear / self.viscosity);
        deviator(strain) * (2.0 * shear * once) + Matrix3::identity() * (bulk * strain.trace())
    }

    fn stored(&self, stress: &Matrix3<f64>) -> f64 {
        let (shear, bulk) = self.shear_and_bulk();
        deviator(stress).norm_squared() / (4.0 * shear) + (stress.trace() / 3.0).powi(2) / (2.0 * bulk)
    }

    fn small(&self, step: &Increment<6>, start: &Matrix3<f64>) -> (Moved, Outcome<6>) {
        let moved = self.flow(start, &from_strain(&(step.after - step.before)), step.h);
        let column = |k: usize| {
            let side = Vector6::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
            components::<6>(&self.change(&from_strain(&side), step.h))
        };
        let tangent = Matrix6::from_columns(&std::array::from_fn::<_, 6, _>(column));
        let stress = step.mean(components(start), components(&moved.stress));
        let stored = self.stored(&moved.stress);
        let outcome = Outcome { stress, tangent: tangent * step.xi, stored, lost: Lost::by_viscosity(moved.lost) };
        (moved, outcome)
    }

    fn finite(&self, step: &Increment<6>, start: &Matrix3<f64>) -> (Moved, Outcome<6>) {
        let (before, after) = (Stretched::new(&step.before), Stretched::new(&step.after));
        let mean = (before.stretch + after.stretch) * 0.5;
        let Some(mean) = mean.try_inverse() else { return (self.flow(start, start, step.h), nowhere()) };
        let a = (after.stretch - before.stretch) * mean;
        let (strain, spin) = (symmetric(&a), 0.5 * (a - a.transpose()));
        let half = Half::new(self.rate, &spin);
        let turned = half.turn * start * half.turn.transpose();
        let between = self.flow(&turned, &strain, step.h);
        let moved = Moved { stress: half.turn * between.stress * half.turn.transpose(), ..between };
        let ends = [before.pulled(start), after.pulled(&moved.stress)];
        let mut outcome = Outcome {
            stress: step.mean(components(&ends[0]), components(&ends[1])),
            tangent: Matrix6::zeros(),
            stored: after.volume * self.stored(&moved.stress),
            lost: Lost::by_viscosity(0.5 * (before.volume + after.volume) * moved.lost),
        };
        if !step.wants_tangent {
            return (moved, outcome);
        }
        let lean = Matrix3::identity() - a * 0.5;
        for k in 0..6 {
            let side = Vector6::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
            let stretch = after.change(&from_strain(&side));
            let da = lean * stretch * mean;
            let mut stress = half.turn * self.change(&symmetric(&da), step.h) * half.turn.transpose();
            if self.rate == StressRate::Jaumann {
                let turn = half.change(&(0.5 * (da - da.transpose())));
                let inner = turn * start * half.turn.transpose();
                let decay = (-step.h * self.elastic.lame().1 / self.viscosity).exp();
                let inner = symmetric(&inner) * 2.0;
                stress += half.turn * (deviator(&inner) * decay) * half.turn.transpose();
                stress += symmetric(&(turn * between.stress * half.turn.transpose())) * 2.0;
            }
            let inverse = &after.inverse;
            let shrink = inverse * stretch;
            let change = ends[1] * shrink.trace() - symmetric(&(shrink * ends[1])) * 2.0
                + inverse * stress * inverse * after.volume;
            outcome.tangent.set_column(k, &(components::<6>(&change) * step.xi));
        }
        (moved, outcome)
    }
}

fn nowhere() -> Outcome<6> {
    let tangent = Matrix6::zeros();
    Outcome { stress: Vector6::repeat(f64::NAN), tangent, stored: f64::NAN, lost: Lost::default() }
}

/// U of a Green–Lagrange strain.
struct Stretched {
    own: Spectrum,
    stretch: Matrix3<f64>,
    inverse: Matrix3<f64>,
    volume: f64,
}

impl Stretched {
    fn new(strain: &Vector6<f64>) -> Self {
        let own = spectrum(&from_strain(strain));
        let stretches = own.values.map(Stretch::value);
        let with = |values| own.axes * Matrix3::from_diagonal(&values) * own.axes.transpose();
        Stretched {
            own,
            stretch: with(stretches),
            inverse: with(stretches.map(|x| 1.0 / x)),
            volume: stretches.product(),
        }
    }

    /// dU of dE.
    fn change(&self, strain: &Matrix3<f64>) -> Matrix3<f64> {
        let Spectrum { values, axes } = &self.own;
        let own = components::<6>(&(axes.transpose() * strain * axes)).component_mul(&slopes::<Stretch>(values));
        axes * from_stress(&own) * axes.transpose()
    }

    /// S = J U⁻¹ σ̂ U⁻¹.
    fn pulled(&self, stress: &Matrix3<f64>) -> Matrix3<f64> {
        self.inverse * stress * self.inverse * self.volume
    }
}

/// Half the turn of a step: 1 with the rate of Green and Naghdi.
struct Half {
    turn: Matrix3<f64>,
    factor: Matrix3<f64>,
}

impl Half {
    fn new(rate: StressRate, spin: &Matrix3<f64>) -> Self {
        let one = Matrix3::identity();
        match (rate, (one - spin * 0.25).try_inverse()) {
            (StressRate::Jaumann, Some(factor)) => Half { turn: factor * (one + spin * 0.25), factor },
            _ => Half { turn: one, factor: one },
        }
    }

    /// dq of a change of the spin.
    fn change(&self, spin: &Matrix3<f64>) -> Matrix3<f64> {
        self.factor * spin * 0.25 * (Matrix3::identity() + self.turn)
    }
}

impl Inelastic for Maxwell {
    fn history(&self) -> &'static [Quantity] {
        &HISTORY
    }

    fn check(&self) -> Result<(), MaterialError> {
        self.elastic.check()?;
        if !(self.viscosity > 0.0 && self.viscosity.is_finite()) {
            return Err(MaterialError::NotPositive { name: "viscosity", value: self.viscosity });
        }
        Ok(())
    }

    fn prestress(&self, stress: &Vector6<f64>, history: &mut [f64]) -> bool {
        history[1..7].copy_from_slice(stress.as_slice());
        true
    }

    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6> {
        let start = from_stress(&Vector6::from_column_slice(&old[1..7]));
        let (moved, mut outcome) = match step.is_finite {
            true => self.finite(step, &start),
            false => self.small(step, &start),
        };
        new[0] = old[0] + moved.viscous_strain;
        new[1..7].copy_from_slice(components::<6>(&moved.stress).as_slice());
        if step.h == 0.0 {
            new.copy_from_slice(old);
            outcome.lost = Lost::default();
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(rate: StressRate) -> Maxwell {
        Maxwell { elastic: Isotropic { young: 2.5, poisson: 0.25 }, viscosity: 1.0, rate }
    }

    fn step(before: Vector6<f64>, after: Vector6<f64>, h: f64, is_finite: bool) -> Increment<6> {
        Increment { before, after, h, xi: 1.0, is_finite, wants_tangent: true, length: 1.0 }
    }

    /// E of the simple shear k.
    fn sheared(k: f64) -> Vector6<f64> {
        Vector6::new(0.0, 0.5 * k * k, 0.0, k, 0.0, 0.0)
    }

    /// σ_xy/(η γ̇) after a simple shear at the rate 1 with De = γ̇ τ, to the shear k; G = 1.
    fn shear(rate: StressRate, viscosity: f64, k: f64, steps: usize) -> f64 {
        let law = Maxwell { viscosity, ..law(rate) };
        let mut old = vec![0.0; 7];
        let mut stress = Matrix3::zeros();
        let h = k / steps as f64;
        for i in 0..steps {
            let mut new = old.clone();
            let ends = [i, i + 1].map(|i| sheared(i as f64 * h));
            let s = from_stress(&law.respond(&step(ends[0], ends[1], h, true), &old, &mut new).stress);
            let mut f = Matrix3::identity();
            f[(0, 1)] = (i + 1) as f64 * h;
            stress = f * s * f.transpose();
            old = new;
        }
        stress[(0, 1)]
    }

    /// Case I4: De = 1, t = 5τ; and without flow.
    #[test]
    fn simple_shear_knows_the_rates_apart() {
        for (rate, viscous, elastic) in
            [(StressRate::Jaumann, 0.495814, -0.756802), (StressRate::GreenNaghdi, 0.938626, 2.317944)]
        {
            let errors = [100, 200].map(|steps| {
                let found = [shear(rate, 1.0, 5.0, 10 * steps), shear(rate, 1e12, 4.0, 10 * steps)];
                [found[0] / viscous - 1.0, found[1] / elastic - 1.0].map(f64::abs)
            });
            assert!(errors[1].iter().all(|e| *e < 5e-6), "{rate:?}: {errors:?}");
        }
    }

    #[test]
    fn tangents_are_derivatives_and_nothing_is_gained() {
        let path = [
            Vector6::zeros(),
            Vector6::new(0.1, -0.05, 0.02, 0.1, -0.04, 0.06),
            Vector6::new(0.15, 0.1, -0.1, -0.2, 0.1, 0.05),
            Vector6::new(0.15, 0.1, -0.1, -0.2, 0.1, 0.05),
        ];
        for (rate, is_finite) in
            [StressRate::Jaumann, StressRate::GreenNaghdi].iter().flat_map(|r| [(*r, false), (*r, true)])
        {
            let law = law(rate);
            let mut old = vec![0.0; 7];
            for pair in path.windows(2) {
                let (mut new, mut unused) = (old.clone(), old.clone());
                let outcome = law.respond(&step(pair[0], pair[1], 0.4, is_finite), &old, &mut new);
                for k in 0..6 {
                    let mut side = Vector6::zeros();
                    side[k] = 1e-6;
                    let mut stress = |e| law.respond(&step(pair[0], e, 0.4, is_finite), &old, &mut unused).stress;
                    let slope = (stress(pair[1] + side) - stress(pair[1] - side)) / 2e-6;
                    assert!(
                        (slope - outcome.tangent.column(k)).amax() < 1e-8,
                        "{rate:?} {is_finite} {k}: {slope} {}",
                        outcome.tangent
                    );
                }
                assert!(outcome.lost.viscous >= 0.0 && outcome.stored > 0.0);
                let state = law.respond(&step(pair[1], pair[1], 0.0, is_finite), &new, &mut unused);
                assert!(
                    (state.stress - outcome.stress).norm() < 1e-14 && unused == new && state.lost == Lost::default()
                );
                old = new;
            }
        }
    }

    /// Strain put on at once and held, and the energy that is lost meanwhile; steps of any length are exact.
    #[test]
    fn a_held_strain_relaxes_exactly() {
        let law = law(StressRate::GreenNaghdi);
        let held = Vector6::new(1e-3, 0.0, 0.0, 0.0, 0.0, 0.0);
        for steps in [1, 7] {
            let mut old = vec![0.0; 7];
            law.respond(&step(Vector6::zeros(), held, 1e-12, false), &old.clone(), &mut old);
            let (stored, mut lost, mut last) =
                (law.stored(&from_stress(&Vector6::from_column_slice(&old[1..7]))), 0.0, 0.0);
            for _ in 0..steps {
                let mut new = old.clone();
                let outcome = law.respond(&step(held, held, 1.0 / steps as f64, false), &old, &mut new);
                (lost, last, old) = (lost + outcome.lost.total(), outcome.stress[0] / (2.5 * 1e-3), new);
            }
            assert!((last - 0.862869).abs() < 1e-6, "{last}");
            let left = law.stored(&from_stress(&Vector6::from_column_slice(&old[1..7])));
            assert!(((stored - left) / lost - 1.0).abs() < 1e-9, "{stored} {left} {lost}");
        }
    }
}
