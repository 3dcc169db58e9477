//! What every law with memory has to do at a point: see [`every`](super::every::every) for the laws.

use nalgebra::{Matrix3, Rotation3, SVector, Vector6};

use super::every::{ELASTIC, Entry, KINDS, every, kind};
use super::*;
use crate::section::point::{PointLaw, quantities};
use crate::section::{Kinematics, Reduced, Section};
use crate::tensor::VOIGT;

#[test]
fn no_law_is_forgotten() {
    let mut found = [false; KINDS];
    for entry in every() {
        found[kind(&entry.law).expect("a law with memory")] = true;
        Material { density: 1.0, law: entry.law }.check().unwrap();
    }
    assert_eq!(found, [true; KINDS]);
}

/// Strains of some hundredths along a path that loads, unloads a little, loads further, turns its axes, goes back and into pressure. No two
/// legs are parallel, so that no end of a leg lies on a corner of a yield surface.
fn path() -> Vec<Vector6<f64>> {
    let [a, b] = [Vector6::new(1.0, -0.3, -0.4, 0.5, -0.2, 0.1), Vector6::new(-0.5, 0.8, 0.1, -0.9, 0.6, 0.4)];
    let pressed = Vector6::new(-1.0, -0.8, -1.1, 0.3, 0.2, -0.1);
    let ways = [(0.5, 0.0), (1.2, 0.2), (1.1, 0.21), (1.9, 0.3), (0.7, 0.4), (0.2, 0.8), (-0.3, 1.9), (-0.3, 1.8)];
    let mut path = vec![Vector6::zeros()];
    path.extend(ways.iter().map(|(x, y)| (a * *x + b * *y) * 0.02));
    path.extend([a * 0.01 + pressed * 0.01, a * 0.03 + pressed * 0.02, a * 0.028 + pressed * 0.021]);
    path
}

fn initial(law: &dyn Inelastic) -> Vec<f64> {
    law.history().iter().map(|q| q.initial).collect()
}

/// Calls with each leg of the path: the law, the step, what the point keeps before and after it, the answer.
fn legs(entry: &Entry, is_finite: bool, xi: f64, mut each: impl FnMut(&Increment<6>, &[f64], &[f64], &Outcome<6>)) {
    let law = entry.law.inelastic().unwrap();
    let mut old = initial(law);
    for pair in path().windows(2) {
        let step =
            Increment { before: pair[0], after: pair[1], h: 0.2, xi, is_finite, wants_tangent: true, length: 0.5 };
        let mut new = old.clone();
        let outcome = law.respond(&step, &old, &mut new);
        each(&step, &old, &new, &outcome);
        old = new;
    }
}

#[test]
fn tangents_are_derivatives_loading_and_unloading() {
    for (entry, is_finite) in every().iter().flat_map(|entry| [(entry, false), (entry, true)]) {
        let law = entry.law.inelastic().unwrap();
        for xi in [0.5, 1.0] {
            let mut worst_lean = 0.0_f64;
            legs(entry, is_finite, xi, |step, old, _, outcome| {
                let mut unused = old.to_vec();
                for k in 0..6 {
                    let mut side = Vector6::zeros();
                    side[k] = 1e-7;
                    let mut stress = |after| law.respond(&Increment { after, ..*step }, old, &mut unused).stress;
                    let slope = (stress(step.after + side) - stress(step.after - side)) / 2e-7;
                    let error = (slope - outcome.tangent.column(k)).amax();
                    assert!(error < 2e-6 * ELASTIC.young, "{} {is_finite} {xi} column {k}: {error:e}", entry.name);
                }
                worst_lean = worst_lean.max((outcome.tangent - outcome.tangent.transpose()).amax());
            });
            let is_symmetric = worst_lean < 1e-9 * ELASTIC.young;
            assert_eq!(is_symmetric, entry.symmetric[usize::from(is_finite)], "{}: {worst_lean:e}", entry.name);
        }
    }
}

#[test]
fn nothing_is_gained_and_a_state_stays_as_it_is() {
    for (entry, is_finite) in every().iter().flat_map(|entry| [(entry, false), (entry, true)]) {
        let law = entry.law.inelastic().unwrap();
        let (mut lost, mut rested, mut worked) = (0.0, 0, 0);
        legs(entry, is_finite, 0.5, |step, old, new, outcome| {
            let Lost { plastic, viscous, damage } = outcome.lost;
            assert!(plastic >= 0.0 && viscous >= 0.0 && damage >= 0.0, "{}: {:?}", entry.name, outcome.lost);
            assert!(outcome.stored >= 0.0, "{}: {}", entry.name, outcome.stored);
            lost += outcome.lost.total();
            if outcome.lost.total() > 0.0 {
                worked += 1
            } else {
                rested += 1
            }
            let mut still = new.to_vec();
            let state = law.respond(&Increment { before: step.after, h: 0.0, ..*step }, new, &mut still);
            assert_eq!(still, new, "{}", entry.name);
            assert!((state.stored - outcome.stored).abs() < 1e-9 * outcome.stored, "{}", entry.name);
            assert_eq!(state.lost, Lost::default(), "{}", entry.name);
            // A step that leads nowhere goes on with the stress that the one before ended with, unless something creeps, or has flowed across the axes of
            // a finite strain: then up to the square of the step.
            let [ended, stayed] = [(step.before, old), (step.after, new)]
                .map(|(before, kept)| law.respond(&Increment { before, xi: 1.0, ..*step }, kept, &mut still).stress);
            let apart = (ended - stayed).amax();
            let most = if is_finite && entry.has_axes() { 1e-5 } else { 1e-12 } * ELASTIC.young;
            assert!(entry.creeps || apart < most, "{} {is_finite}: {apart:e}", entry.name);
        });
        assert!(lost > 0.0 && worked > 2, "{}: nothing happens", entry.name);
        assert!(rested > 0 || entry.creeps, "{}: never at rest", entry.name);
    }
}

/// A reference that is turned sees the same law, unless the law has axes of its own; and the stress of a step does not know the axes in which the
/// motion is seen, E being a function of Fᵀ F.
#[test]
fn isotropic_laws_do_not_see_a_rotation_of_the_reference() {
    let q: Matrix3<f64> = Rotation3::from_scaled_axis(nalgebra::Vector3::new(0.4, 1.1, -0.7)).into_inner();
    let turned = |e: &Vector6<f64>| {
        let m = q * crate::tensor::from_strain(e) * q.transpose();
        Vector6::from_fn(|k, _| if k < 3 { m[VOIGT[k]] } else { 2.0 * m[VOIGT[k]] })
    };
    for (entry, is_finite) in every().iter().flat_map(|entry| [(entry, false), (entry, true)]) {
        let law = entry.law.inelastic().unwrap();
        let mut other = initial(law);
        let mut apart = 0.0_f64;
        legs(entry, is_finite, 0.5, |step, _, _, outcome| {
            let mut new = other.clone();
            let same = Increment { before: turned(&step.before), after: turned(&step.after), ..*step };
            let seen = law.respond(&same, &other, &mut new);
            let expected = q * crate::tensor::from_stress(&outcome.stress) * q.transpose();
            apart = apart.max((crate::tensor::from_stress(&seen.stress) - expected).amax() / ELASTIC.young);
            apart = apart.max((seen.stored - outcome.stored).abs() / ELASTIC.young);
            other = new;
        });
        match entry.law {
            Law::Hill(_) => assert!(apart > 1e-5, "{}: has axes", entry.name),
            _ => assert!(apart < 1e-10, "{} {is_finite}: {apart:e}", entry.name),
        }
    }
}

/// In plane stress nothing pulls across the plate at the end of a step with ξ = 1, and the condensed tangent is the derivative.
#[test]
fn plates_have_no_stress_across_and_consistent_tangents() {
    let section = Section::PlaneStress { thickness: 1.0 };
    for (entry, kinematics) in
        every().iter().flat_map(|entry| [(entry, Kinematics::Small), (entry, Kinematics::Finite)])
    {
        let elastic = Reduced::new(&entry.law, section, kinematics);
        let point = PointLaw { law: &entry.law, elastic: &elastic, is_plane_stress: true };
        let mut old: Vec<f64> = quantities(&entry.law, section).iter().map(|q| q.initial).collect();
        let flat = |e: &Vector6<f64>| SVector::<f64, 4>::new(e[0], e[1], 0.0, e[3]);
        for pair in path().windows(2) {
            let step = Increment {
                before: flat(&pair[0]),
                after: flat(&pair[1]),
                h: 0.2,
                xi: 1.0,
                is_finite: kinematics == Kinematics::Finite,
                wants_tangent: true,
                length: 0.5,
            };
            let (mut new, mut unused) = (old.clone(), old.clone());
            let outcome = point.respond(&step, &old, &mut new);
            assert!(outcome.stored.is_finite(), "{} {kinematics:?}: no thickness strain", entry.name);
            let thickness = new[new.len() - 1];
            let mut full = lifted(&step);
            (full.before[2], full.after[2]) = (old[old.len() - 1], thickness);
            let law = entry.law.inelastic().unwrap();
            let own = old.len() - 1;
            let across = law.respond(&full, &old[..own], &mut unused[..own]).stress[2];
            assert!(across.abs() < 1e-10 * ELASTIC.young, "{} {kinematics:?}: {across:e}", entry.name);
            for k in [0, 1, 3] {
                let mut side = SVector::<f64, 4>::zeros();
                side[k] = 1e-7;
                let mut stress = |after| point.respond(&Increment { after, ..step }, &old, &mut unused).stress;
                let slope = (stress(step.after + side) - stress(step.after - side)) / 2e-7;
                let error = (slope - outcome.tangent.column(k)).amax();
                assert!(error < 2e-6 * ELASTIC.young, "{} {kinematics:?} column {k}: {error:e}", entry.name);
            }
            old = new;
        }
    }
}

fn lifted(step: &Increment<4>) -> Increment<6> {
    let full = |e: &SVector<f64, 4>| Vector6::from_fn(|k, _| if k < 4 { e[k] } else { 0.0 });
    Increment {
        before: full(&step.before),
        after: full(&step.after),
        h: step.h,
        xi: step.xi,
        is_finite: step.is_finite,
        wants_tangent: true,
        length: step.length,
    }
}
