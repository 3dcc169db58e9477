//! J2: tangents by differences along paths that load and unload, the uniaxial curve of case I1, cycles, rates, and objectivity.

use nalgebra::{Matrix3, Rotation3, Vector6};

use super::*;
use crate::tensor::{VOIGT, from_strain, from_stress};

const STEEL: Isotropic = Isotropic { young: 200e3, poisson: 0.3 };
const LINEAR: Hardening = Hardening::Linear { start: 250.0, modulus: 1000.0 };
const VOCE: Hardening = Hardening::Voce { start: 250.0, gain: 200.0, rate: 10.0 };
const SWIFT: Hardening = Hardening::Swift { strength: 565.32, offset: 0.007117, exponent: 0.2589 };

fn plain(hardening: Hardening) -> Plastic {
    Plastic { elastic: STEEL, hardening, kinematic: None, rate: None }
}

fn laws() -> Vec<Plastic> {
    let back = |modulus, recall| Some(Kinematic { modulus, recall });
    let table = Table::new(&[[0.0, 250.0], [0.01, 300.0], [0.2, 400.0]]);
    vec![
        plain(LINEAR),
        plain(VOCE),
        plain(SWIFT),
        plain(Hardening::Table(table)),
        Plastic { kinematic: back(5e3, 0.0), ..plain(LINEAR) },
        Plastic { kinematic: back(2e4, 80.0), ..plain(VOCE) },
        Plastic { rate: Some(Rate { stress: 50.0, exponent: 0.3 }), ..plain(LINEAR) },
        Plastic { rate: Some(Rate { stress: 20.0, exponent: 1.0 }), kinematic: back(2e4, 80.0), ..plain(SWIFT) },
    ]
}

fn step(before: Vector6<f64>, after: Vector6<f64>, is_finite: bool, xi: f64) -> Increment<6> {
    Increment { before, after, h: 0.1, xi, is_finite, wants_tangent: true, length: 1.0 }
}

/// Strains along a path that goes out, back, and out elsewhere, turning its axes.
fn path(size: f64) -> Vec<Vector6<f64>> {
    let [a, b] = [Vector6::new(1.0, -0.3, -0.4, 0.5, -0.2, 0.1), Vector6::new(-0.5, 0.8, 0.1, -0.9, 0.6, 0.4)];
    let ways = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.2), (0.9, 0.2), (0.7, 0.3), (0.2, 0.8), (-0.3, 1.2), (-0.3, 1.19)];
    ways.iter().map(|(x, y)| (a * *x + b * *y) * size).collect()
}

fn initial(law: &Plastic) -> Vec<f64> {
    law.history().iter().map(|q| q.initial).collect()
}

#[test]
fn tangents_are_derivatives_along_paths_that_load_and_unload() {
    for (law, is_finite) in laws().iter().flat_map(|law| [false, true].map(|f| (law, f))) {
        for size in [0.002, 0.02, 0.2] {
            let mut old = initial(law);
            let (mut flowed, mut rested) = (0, 0);
            for pair in path(size).windows(2) {
                let (mut new, mut unused) = (old.clone(), old.clone());
                let outcome = law.respond(&step(pair[0], pair[1], is_finite, 0.5), &old, &mut new);
                for k in 0..6 {
                    let mut side = Vector6::zeros();
                    side[k] = 1e-6 * size;
                    let stress = |strain, unused: &mut [f64]| {
                        law.respond(&step(pair[0], strain, is_finite, 0.5), &old, unused).stress
                    };
                    let slope =
                        (stress(pair[1] + side, &mut unused) - stress(pair[1] - side, &mut unused)) / (2.0 * side[k]);
                    let error = (slope - outcome.tangent.column(k)).amax();
                    assert!(
                        error < 2e-6 * STEEL.young,
                        "{law:?} {is_finite} {size} column {k}: {slope} {}",
                        outcome.tangent.column(k)
                    );
                }
                assert!(outcome.lost.total() >= 0.0 && outcome.stored >= 0.0);
                if new[0] > old[0] {
                    flowed += 1
                } else {
                    rested += 1
                }
                // A step of no length changes nothing.
                let still = Increment { h: 0.0, ..step(pair[1], pair[1], is_finite, 0.5) };
                let state = law.respond(&still, &new, &mut unused);
                assert_eq!(unused, new);
                assert!(
                    (state.stored / outcome.stored - 1.0).abs() < 1e-9 && state.lost == Lost::default(),
                    "{law:?} {} {}",
                    state.stored,
                    outcome.stored
                );
                old = new;
            }
            assert!(flowed > 2 && rested > 0, "{law:?} {size}: {flowed} {rested}");
        }
    }
}

/// Pulls along x to a logarithmic strain, free across; Kirchhoff's stress along x [Pa] and p.
fn pull(law: &Plastic, ends: &[f64], steps: usize, is_finite: bool) -> Vec<f64> {
    let green = |e: f64| if is_finite { 0.5 * (2.0 * e).exp_m1() } else { e };
    let (mut old, mut before) = (initial(law), Vector6::zeros());
    let (mut across, mut at, mut found) = (0.0, 0.0, Vec::new());
    for &end in ends {
        for i in 1..=steps {
            let strain = at + (end - at) * i as f64 / steps as f64;
            let mut new = old.clone();
            let mut after = before;
            for _ in 0..50 {
                after = Vector6::new(green(strain), across, across, 0.0, 0.0, 0.0);
                let outcome = law.respond(&step(before, after, is_finite, 1.0), &old, &mut new);
                let change = outcome.stress[1] / (outcome.tangent[(1, 1)] + outcome.tangent[(1, 2)]);
                across -= change;
                if change.abs() < 1e-15 {
                    break;
                }
            }
            let outcome = law.respond(&step(before, after, is_finite, 1.0), &old, &mut new);
            if i == steps {
                let stretch = if is_finite { (2.0 * strain).exp() } else { 1.0 };
                found.push(outcome.stress[0] * stretch);
            }
            (old, before) = (new, after);
        }
        at = end;
    }
    found
}

const STRAINS: [f64; 6] = [0.002, 0.01, 0.05, 0.1, 0.2, 0.5];

#[test]
fn the_uniaxial_curve_is_that_of_the_hardening() {
    let swift = Plastic { elastic: Isotropic { young: 206e3, poisson: 0.3 }, ..plain(SWIFT) };
    let cases = [
        (plain(LINEAR), [250.746269, 258.706468, 298.507463, 348.258706, 447.761194, 746.268657]),
        (plain(VOCE), [251.479702, 266.604033, 326.696084, 375.031432, 422.355270, 448.621841]),
        (swift, [163.625425, 194.336570, 267.813253, 315.866485, 375.205717, 473.626423]),
    ];
    for (law, expected) in cases {
        for (is_finite, steps) in [(true, 1), (true, 7), (false, 2)] {
            for (stress, exact) in pull(&law, &STRAINS, steps, is_finite).iter().zip(expected) {
                assert!((stress / exact - 1.0).abs() < 1e-8, "{law:?} {is_finite}: {stress} {exact}");
            }
        }
    }
}

/// Prager: the yield point of a reversal lies 2σ_y below. Armstrong and Frederick: β = C/γ (1 − e^{−γ p}), and dβ in the reversal.
#[test]
fn a_reversed_pull_yields_early() {
    let perfect = Hardening::Linear { start: 250.0, modulus: 0.0 };
    let prager = Plastic { kinematic: Some(Kinematic { modulus: 1000.0, recall: 0.0 }), ..plain(perfect) };
    let found = pull(&prager, &[0.1, 0.09], 1, true);
    let slope = 1000.0 * 200e3 / (1000.0 + 200e3);
    let top = 250.0 + slope * (0.1 - 250.0 / 200e3);
    let bottom = top - 500.0 - slope * (0.01 - 500.0 / 200e3);
    assert!((found[0] / top - 1.0).abs() < 1e-9 && (found[1] / bottom - 1.0).abs() < 1e-9, "{found:?} {top} {bottom}");

    let (modulus, recall) = (20e3, 100.0);
    let frederick = Plastic { kinematic: Some(Kinematic { modulus, recall }), ..plain(perfect) };
    let found = pull(&frederick, &[0.05], 4000, true);
    // σ = 250 + C/γ (1 − e^{−γ p}), p = ε − σ/E.
    let mut stress = 450.0;
    for _ in 0..50 {
        stress = 250.0 + modulus / recall * (1.0 - (-recall * (0.05 - stress / 200e3)).exp());
    }
    assert!((found[0] / stress - 1.0).abs() < 1e-4, "{found:?} {stress}");
}

/// At a constant plastic rate the stress stands K ṗⁿ above the curve.
#[test]
fn flow_in_a_hurry_costs_an_overstress() {
    let perfect = Hardening::Linear { start: 250.0, modulus: 0.0 };
    let law = Plastic { rate: Some(Rate { stress: 60.0, exponent: 0.5 }), ..plain(perfect) };
    // 100 steps of 0.1 s to 0.2: a rate of 0.02 /s.
    let found = pull(&law, &[0.2], 100, true)[0];
    assert!((found - 250.0 - 60.0 * 0.02_f64.sqrt()).abs() < 1e-6, "{found}");
}

fn voigt(m: &Matrix3<f64>) -> Vector6<f64> {
    Vector6::from_fn(|k, _| if k < 3 { m[VOIGT[k]] } else { 2.0 * m[VOIGT[k]] })
}

/// A history seen in turned axes of the reference is the turned history: no axes but those of the strains.
#[test]
fn no_direction_is_preferred() {
    let q = Rotation3::from_euler_angles(0.4, -1.1, 0.7).into_inner();
    for law in laws() {
        let (mut old, mut other) = (initial(&law), initial(&law));
        for pair in path(0.1).windows(2) {
            let (mut new, mut new_other) = (old.clone(), other.clone());
            let a = law.respond(&step(pair[0], pair[1], true, 1.0), &old, &mut new);
            let turned = [pair[0], pair[1]].map(|e| voigt(&(q * from_strain(&e) * q.transpose())));
            let b = law.respond(&step(turned[0], turned[1], true, 1.0), &other, &mut new_other);
            let error = (q * from_stress(&a.stress) * q.transpose() - from_stress(&b.stress)).norm();
            assert!(error < 1e-9 * a.stress.norm(), "{law:?}: {error}");
            assert!((new[0] - new_other[0]).abs() < 1e-13);
            (old, other) = (new, new_other);
        }
    }
}

/// Plastic flow keeps the volume: det L = 1 whatever the path.
#[test]
fn flow_keeps_the_volume() {
    for law in laws() {
        let mut old = initial(&law);
        for pair in path(0.3).windows(2) {
            let mut new = old.clone();
            law.respond(&step(pair[0], pair[1], true, 1.0), &old, &mut new);
            old = new;
        }
        let inverse = Matrix3::identity() + Matrix3::from_column_slice(&old[old.len() - 9..]);
        assert!((inverse.determinant() - 1.0).abs() < 1e-13, "{law:?}");
    }
}

#[test]
fn impossible_flow_is_refused() {
    let why = |law: Plastic| law.check().unwrap_err().to_string();
    assert!(why(plain(Hardening::Linear { start: 250.0, modulus: -1.0 })).contains("must not fall"));
    assert!(why(plain(Hardening::Linear { start: 0.0, modulus: 1.0 })).contains("yield stress"));
    assert!(why(Plastic { rate: Some(Rate { stress: 0.0, exponent: 1.0 }), ..plain(LINEAR) }).contains("overstress"));
    assert!(
        why(Plastic { kinematic: Some(Kinematic { modulus: 1.0, recall: -1.0 }), ..plain(LINEAR) }).contains("recall")
    );
}
