//! Joints between deformable bodies: stiffness in series, strength, and cracks that grow.

use super::delamination::{DOUBLE_CANTILEVER, END_NOTCHED, Errors, Specimen, example, force_on};
use crate::support::{plane, solid};
use cairn::contact::Bond;
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};

/// Two blocks of side 1 on each other, E = 1 GPa, ν = 0, pulled apart with 1 mm/s. Steps of 0.1 s are far above every
/// period, and after the first one nothing accelerates.
fn pulled(dimension: usize, joint: &str) -> String {
    let (mesh, at) = match dimension {
        2 => ("kind = \"rectangle\", size = [1, 1], cells = [3, 2]", ["[0, 0.5]", "[0, 1.5]"]),
        _ => ("kind = \"block\", size = [1, 1, 1], cells = [2, 2, 2]", ["[0, 0, 0.5]", "[0, 0, 1.5]"]),
    };
    let up = if dimension == 2 { "y" } else { "z" };
    let mut text = format!(
        "dimension = {dimension}\ntime = {{ step = 0.1, end = 9, theta = 1 }}\n\
         materials.m = {{ density = 1000, young = 1e9, poisson = 0 }}\nsolver = {{ tolerance = 1e-9 }}\n\
         contact = [{{ between = \"m\", law = \"frictionless\", unilateral = \"gap\", joint = {{ {joint} }} }}]\n"
    );
    for (name, side, at) in [("below", "top", at[0]), ("above", "bottom", at[1])] {
        text += &format!(
            "[[deformable]]\nname = \"{name}\"\nmaterial = \"m\"\nmesh = {{ {mesh} }}\nposition = {at}\n\
             contact = [\"{side}\"]\nformulation = \"incompatible\"\n"
        );
    }
    text += "[[fix]]\nbodies = \"below\"\nboundary = \"bottom\"\n";
    text += &format!(
        "[[drive]]\nbodies = \"above\"\nboundary = \"top\"\ncomponent = \"{up}\"\n\
         displacement = {{ ramp = {{ to = 1e-2, end = 10 }} }}\n"
    );
    text
}

/// Two blocks and a joint in series: u = F (2/E + 1/k), however stiff the joint is.
fn is_in_series<const D: usize>(start: impl Fn(&str) -> Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    for k in [1e8, 1e11, 1e14] {
        let mut s = start(&format!("law = \"elastic\", normal_stiffness = {k:e}"));
        for step in 1..=5 {
            let report = s.step().unwrap();
            assert!(report.solver.converged, "k = {k:e}: {:?}", report.solver);
            assert!(balance_error(&s.scene, &s.state).abs() < 1e-9, "{:?}", s.state.ledger);
            let force = force_on(&s, 0)[D - 1];
            let expected = 1e-4 * f64::from(step) / (2.0 / 1e9 + 1.0 / k);
            // Setting the blocks into motion takes m v/h = 10 N; of that each step leaves m/(h² k) ≤ 1e-3, and after three
            // the tolerance of the solver counts.
            let off = if step < 4 { 11.0 } else { expected * 1e-9 };
            assert!((force - expected).abs() < off, "k = {k:e}, step {step}: {force} instead of {expected}");
        }
    }
}

#[test]
fn blocks_and_elastic_joint_are_springs_in_series() {
    is_in_series(|joint| plane(&pulled(2, joint)));
    is_in_series(|joint| solid(&pulled(3, joint)));
}

/// A joint of strength 120 kPa holds 1e-4 (2/E)⁻¹ = 50 kPa a step two times, and not a third time.
fn breaks_at_its_strength<const D: usize>(start: impl Fn(&str) -> Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let strength = "tensile_strength = 1.2e5";
    for law in
        [format!("law = \"brittle\", {strength}"), format!("law = \"elastic\", normal_stiffness = 1e13, {strength}")]
    {
        let mut s = start(&law);
        let bonds = |s: &Simulation<D>| s.state.reactions.iter().filter(|r| r.memory().bond == Bond::Whole).count();
        for expected in [5e4, 1e5] {
            assert!(s.step().unwrap().solver.converged, "{law}");
            let force = force_on(&s, 0)[D - 1];
            assert!((force - expected).abs() < 12.0 + 1e-3 * expected, "{law}: {force} instead of {expected}");
            assert!(bonds(&s) > 2 && s.state.ledger.broken == 0, "{law}");
        }
        assert!(s.step().unwrap().solver.converged, "{law}");
        assert_eq!((bonds(&s), force_on(&s, 0)), (0, Vect::zeros()), "{law}");
    }
}

#[test]
fn a_joint_between_deformable_blocks_breaks_at_its_strength() {
    breaks_at_its_strength(|joint| plane(&pulled(2, joint)));
    breaks_at_its_strength(|joint| solid(&pulled(3, joint)));
}

/// Errors of a run in which every step converges and the energy balance closes.
fn errors(specimen: &Specimen, changes: &[(&str, &str)]) -> Errors {
    let points = specimen.run(changes, |s, is_converged| {
        assert!(is_converged, "{changes:?}: {}", s.state.time);
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-8, "{:?}", s.state.ledger);
    });
    specimen.errors(&points)
}

fn are_small(errors: &Errors) -> bool {
    [errors.peak, errors.load, errors.dissipated, errors.spent].iter().all(|e| e.abs() < 0.05)
}

#[test]
fn a_double_cantilever_follows_beam_theory_where_the_mesh_resolves_the_process_zone() {
    // The zone is 2 mm long: two points of it are not enough, four are.
    let fine = errors(&DOUBLE_CANTILEVER, &[]);
    assert!(are_small(&fine), "{fine:?}");
    let cells = [("deformable.0.mesh.cells", "[60, 2]"), ("deformable.1.mesh.cells", "[60, 2]")];
    let coarse = errors(&DOUBLE_CANTILEVER, &cells);
    assert!(coarse.load > 3.0 * fine.load.abs() && coarse.peak > fine.peak.abs(), "{coarse:?} {fine:?}");
}

#[test]
fn a_double_cantilever_with_other_laws_has_the_same_toughness() {
    // The peak is not the same: both pull over a longer zone.
    let modes = "stiffness = 1e14, tensile_strength = 30e6, shear_strength = 30e6, opening_toughness = 300, sliding_toughness = 300";
    let exponential = format!("{{ law = \"exponential\", {modes} }}");
    // Its strength is √(k w) = 20 MPa: it falls so steeply that with 30 MPa the zone would be too short for these
    // cells (load 5.5 % too high).
    let adhesion = "{ law = \"raous_cangemi_cocou\", normal_stiffness = 1.333e12, adhesion_energy = 300 }";
    for joint in [exponential.as_str(), adhesion] {
        let errors = errors(&DOUBLE_CANTILEVER, &[("contact.0.joint", joint)]);
        assert!(errors.load.abs() < 0.05 && errors.spent.abs() < 0.05, "{joint}: {errors:?}");
    }
}

#[test]
fn an_end_notched_beam_follows_beam_theory() {
    let cells = [("deformable.0.mesh.cells", "[160, 3]"), ("deformable.1.mesh.cells", "[160, 3]")];
    let errors = errors(&END_NOTCHED, &cells);
    assert!(are_small(&errors), "{errors:?}");
}

#[test]
fn a_growing_crack_goes_on_with_the_same_bits() {
    let cells = [("deformable.0.mesh.cells", "[60, 2]"), ("deformable.1.mesh.cells", "[60, 2]"), ("time.step", "0.05")];
    let mut s = example("double-cantilever", &cells);
    while s.state.ledger.broken == 0 {
        s.step().unwrap();
    }
    assert!(s.state.reactions.iter().any(|r| r.memory().damage > 0.0 && r.memory().damage < 1.0));
    let mut again = Simulation::resume(s.scene.clone(), s.state.clone());
    for _ in 0..5 {
        s.step().unwrap();
        again.step().unwrap();
        assert!(s.state == again.state);
    }
}
