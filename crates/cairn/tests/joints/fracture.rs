//! Cracks between two meshed beams against beam theory: opening (double cantilever) and sliding (end-loaded split).
//!
//! ```text
//!   ↑ δ/2 ┌───────────────┬──────────────────┐            δ ↓ ┌───────────────┬──────────────────┐▒
//!         ├── a ──────────┼══ bonded ════════┤                ├── a ──────────┼══ bonded ════════┤▒
//!   ↓ δ/2 └───────────────┴──────────────────┘                └───────────────┴──────────────────┘▒
//! ```
//!
//! With arms of height H, stiffness EI = E H³/12 (unit depth), toughness G:
//!
//!   opening:  G = P² a²/(E I),             P = √(G E I)/a
//!   sliding:  G = 9 P² a²/(4 E H³),        P = √(4 E H³ G/9)/a
//!
//! a being the crack and a little more, since the bond and the arms ahead of its tip give way: 1/λ, with λ⁴ = K/(2 E I) of an arm on the
//! springs of the bond, in opening; nothing to speak of in sliding.

use crate::support::plane;
use cairn::measure::balance_error;
use cairn::simulation::Simulation;

const E: f64 = 70e9;
const H: f64 = 0.01;
const G: f64 = 200.0;
const K: f64 = 1e13;

/// Two beams of 0.2 m, bonded from `crack` on.
fn beams(cells: usize, crack: f64, steps: usize, supports: &str) -> Simulation<2> {
    let step = 1.0 / steps as f64;
    let beam = |name: &str, y: f64, side: &str| {
        format!(
            "[[deformable]]\nname = \"{name}\"\nmaterial = \"alloy\"\nsection = \"plane_stress\"\nposition = [0.1, {y}]\n\
             mesh = {{ kind = \"rectangle\", size = [0.2, {H}], cells = [{cells}, 2], element = \"Q4\" }}\n\
             formulation = \"incompatible\"\ncontact = [\"{side}\"]\n"
        )
    };
    plane(&format!(
        "dimension = 2\ntime = {{ step = {step}, end = 1, theta = 1 }}\n\
         materials.alloy = {{ density = 2700, young = {E}, poisson = 0 }}\n\
         solver = {{ tolerance = 1e-7, max_sweeps = 20000 }}\n\
         contact = [{{ between = \"alloy\", law = \"frictionless\", unilateral = \"gap\", joint = {{ law = \"bilinear\", \
         stiffness = {K}, tensile_strength = 2e7, shear_strength = 2e7, opening_toughness = {G}, sliding_toughness = {G} }} }}]\n\
         [[bond]]\nbetween = [\"upper\", \"lower\"]\nwithin = {{ low = [{}, -1], high = [1, 1] }}\n{}{}{supports}",
        crack - 1e-6,
        beam("upper", 0.5 * H, "bottom"),
        beam("lower", -0.5 * H, "top"),
    ))
}

fn drive(body: &str, to: f64) -> String {
    format!(
        "[[drive]]\nbodies = \"{body}\"\nboundary = \"left\"\ncomponent = \"y\"\n\
         displacement = {{ ramp = {{ to = {to}, end = 1 }} }}\n"
    )
}

/// Largest force of the drives while `opening` grows evenly over the steps, and the final ledger.
fn pulled(mut s: Simulation<2>, steps: usize, opening: f64) -> (f64, f64) {
    let mut peak: f64 = 0.0;
    for k in 0..steps {
        let before = s.state.ledger.work_drives;
        let report = s.step().unwrap();
        assert!(report.solver.converged, "step {k}: {:?}", report.solver);
        peak = peak.max((s.state.ledger.work_drives - before) / (opening / steps as f64));
        let error = balance_error(&s.scene, &s.state).abs();
        assert!(error < 1e-10, "step {k}: {error:e}");
    }
    (peak, s.state.ledger.damage)
}

fn double_cantilever(cells: usize) -> (f64, f64) {
    let (steps, opening) = (150, 2.1e-3);
    let held = "[[fix]]\nbodies = \"upper\"\nboundary = \"right\"\ncomponents = [\"x\"]\n\
                [[fix]]\nbodies = \"lower\"\nboundary = \"right\"\ncomponents = [\"x\"]\n";
    let supports = format!("{held}{}{}", drive("upper", 0.5 * opening), drive("lower", -0.5 * opening));
    let (peak, damage) = pulled(beams(cells, 0.1, steps, &supports), steps, opening);
    let ei = E * H.powi(3) / 12.0;
    let more = (2.0 * ei / K).powf(0.25);
    let theory = (G * ei).sqrt() / (0.1 + more);
    // δ = ⅔ a² √(G/EI) while the crack grows.
    let grown = (1.5 * opening * (ei / G).sqrt()).sqrt() - 0.1 - more;
    (peak / theory, damage / (G * grown))
}

fn end_loaded_split(cells: usize) -> (f64, f64) {
    let (steps, deflection) = (150, 6e-3);
    let held = "[[fix]]\nbodies = \"upper\"\nboundary = \"right\"\n[[fix]]\nbodies = \"lower\"\nboundary = \"right\"\n";
    let supports = format!("{held}{}", drive("upper", -deflection));
    let (peak, damage) = pulled(beams(cells, 0.12, steps, &supports), steps, deflection);
    let theory = (4.0 * E * H.powi(3) * G / 9.0).sqrt() / 0.12;
    // δ = P (3a³ + L³)/(2 E H³) with P = P(a): the crack that belongs to the deflection.
    let deflected =
        |a: f64| (4.0 * E * H.powi(3) * G / 9.0).sqrt() / a * (3.0 * a.powi(3) + 8e-3) / (2.0 * E * H.powi(3));
    let (mut low, mut high) = (0.12, 0.2);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        (low, high) = if deflected(middle) < deflection { (middle, high) } else { (low, middle) };
    }
    (peak / theory, damage / (G * (low - 0.12)))
}

#[test]
fn a_double_cantilever_opens_at_the_load_of_beam_theory() {
    let (peak, damage) = double_cantilever(100);
    println!("double cantilever: {peak} {damage}");
    assert!((peak - 1.0).abs() < 0.05 && (damage - 1.0).abs() < 0.05, "{peak} {damage}");
}

#[test]
fn an_end_loaded_split_slides_at_the_load_of_beam_theory() {
    let (peak, damage) = end_loaded_split(100);
    println!("end-loaded split: {peak} {damage}");
    assert!((peak - 1.0).abs() < 0.05 && (damage - 1.0).abs() < 0.05, "{peak} {damage}");
}

/// The table of docs/laws.md.
#[test]
#[ignore = "minutes; run it to see the error against the size of the mesh"]
fn error_against_the_size_of_the_mesh() {
    for cells in [25, 50, 100, 200] {
        println!("{cells} {:?} {:?}", double_cantilever(cells), end_loaded_split(cells));
    }
}
