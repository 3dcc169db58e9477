//! Cones and pyramids: tangents by differences, strengths of known states, and no gain of energy.

use nalgebra::{Matrix3, Vector3, Vector6};

use super::*;
use crate::tensor::{from_stress, principal};

const ROCK: Isotropic = Isotropic { young: 1e4, poisson: 0.3 };
const STRENGTH: Frictional = Frictional { cohesion: 10.0, friction: 0.5, dilatancy: 0.2, tension: f64::INFINITY };

fn laws() -> Vec<Law> {
    let cut = Frictional { tension: 5.0, ..STRENGTH };
    let pure = Frictional { friction: 0.0, dilatancy: 0.0, ..STRENGTH };
    let fits = [ConeFit::PlaneStrain, ConeFit::Compression, ConeFit::Extension];
    let cones = fits.iter().zip([STRENGTH, cut, pure]);
    let cones = cones.map(|(fit, strength)| Law::DruckerPrager(DruckerPrager { elastic: ROCK, strength, fit: *fit }));
    let pyramids = [STRENGTH, cut, pure].map(|strength| Law::MohrCoulomb(MohrCoulomb { elastic: ROCK, strength }));
    cones.chain(pyramids).collect()
}

fn step(before: Vector6<f64>, after: Vector6<f64>, is_finite: bool) -> Increment<6> {
    Increment { before, after, h: 1.0, xi: 1.0, is_finite, wants_tangent: true, length: 1.0 }
}

/// Into compression with shear, into tension, to the apex, and back.
fn path() -> Vec<Vector6<f64>> {
    let a = Vector6::new(-4.0, -1.0, -2.0, 3.0, -1.0, 2.0) * 1e-3;
    let b = Vector6::new(3.0, 1.0, -1.0, 2.0, 1.5, -1.0) * 1e-3;
    let c = Vector6::new(5.0, 4.7, 4.4, 0.2, 0.1, -0.1) * 1e-3;
    vec![Vector6::zeros(), a, b, b * 0.97, c, a * 0.5, a * 2.0]
}

#[test]
fn tangents_are_derivatives_and_nothing_is_gained() {
    for (law, is_finite) in laws().iter().flat_map(|law| [(law, false), (law, true)]) {
        let law = law.inelastic().unwrap();
        law.check().unwrap();
        let mut old = vec![0.0; law.history().len()];
        let mut flowed = 0;
        for pair in path().windows(2) {
            let (mut new, mut unused) = (old.clone(), old.clone());
            let outcome = law.respond(&step(pair[0], pair[1], is_finite), &old, &mut new);
            for k in 0..6 {
                let mut side = Vector6::zeros();
                side[k] = 1e-9;
                let mut stress = |e| law.respond(&step(pair[0], e, is_finite), &old, &mut unused).stress;
                let slope = (stress(pair[1] + side) - stress(pair[1] - side)) / 2e-9;
                let error = (slope - outcome.tangent.column(k)).amax();
                assert!(error < 1e-5 * ROCK.young, "{is_finite} {k}: {slope} {}", outcome.tangent.column(k));
            }
            assert!(outcome.lost.plastic >= 0.0);
            flowed += usize::from(new != old);
            old = new;
        }
        assert!(flowed >= 2, "{flowed}");
    }
}

/// The stress at the end of a proportional strain path, small kinematics.
fn end(law: &Law, strain: Vector6<f64>) -> Matrix3<f64> {
    let law = law.inelastic().unwrap();
    let old = vec![0.0; law.history().len()];
    let mut new = old.clone();
    from_stress(&law.respond(&step(Vector6::zeros(), strain, false), &old, &mut new).stress)
}

#[test]
fn no_stress_is_outside() {
    for (law, strain) in laws().iter().flat_map(|law| path().into_iter().map(move |e| (law, e))) {
        let stress = end(law, strain);
        let (values, _) = principal(&stress);
        match law {
            Law::MohrCoulomb(MohrCoulomb { strength, .. }) => {
                let sine = strength.friction.sin();
                let shear = values[0] * (1.0 + sine) - values[2] * (1.0 - sine) - 2.0 * 10.0 * strength.friction.cos();
                assert!(shear < 1e-9 && values[0] < strength.tension + 1e-9, "{values}");
                assert!(strength.friction == 0.0 || values[0] < 10.0 / strength.friction.tan() + 1e-9);
            }
            Law::DruckerPrager(DruckerPrager { strength, .. }) => {
                assert!(stress.trace() / 3.0 < strength.tension + 1e-9);
            }
            _ => unreachable!(),
        }
    }
}

/// Triaxial compression: the cone through the outer edges and the pyramid yield at σ₁ − σ₃ = 2 (c cos φ + p' sin φ) …, here from the
/// strain at which they meet.
#[test]
fn cones_touch_their_pyramid() {
    let compression = Vector6::new(-9.0, 2.0, 2.0, 0.0, 0.0, 0.0) * 1e-3;
    let associated = Frictional { dilatancy: 0.5, ..STRENGTH };
    let cone = Law::DruckerPrager(DruckerPrager { elastic: ROCK, strength: associated, fit: ConeFit::Compression });
    let stress = end(&cone, compression);
    let (sine, cosine) = 0.5_f64.sin_cos();
    let (low, high) = (stress[(0, 0)], stress[(1, 1)]);
    assert!((high * (1.0 + sine) - low * (1.0 - sine) - 20.0 * cosine).abs() < 1e-9, "{stress}");
    let pyramid = Law::MohrCoulomb(MohrCoulomb { elastic: ROCK, strength: associated });
    let stress = end(&pyramid, compression);
    let (low, high) = (stress[(0, 0)], stress[(1, 1)]);
    assert!((high * (1.0 + sine) - low * (1.0 - sine) - 20.0 * cosine).abs() < 1e-9, "{stress}");
    assert!((stress[(1, 1)] - stress[(2, 2)]).abs() < 1e-9);
}

/// Pulled alike in all directions, a pyramid stops at its cut or at its apex.
#[test]
fn tension_is_cut() {
    let swell = Vector6::new(1.0, 1.0, 1.0, 0.0, 0.0, 0.0) * 1e-2;
    for tension in [3.0, f64::INFINITY] {
        let law = Law::MohrCoulomb(MohrCoulomb { elastic: ROCK, strength: Frictional { tension, ..STRENGTH } });
        let most = tension.min(10.0 / 0.5_f64.tan());
        assert!((end(&law, swell) - Matrix3::from_diagonal(&Vector3::repeat(most))).norm() < 1e-9);
    }
}
