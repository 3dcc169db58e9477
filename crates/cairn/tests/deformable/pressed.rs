//! Finite strain with contact: rubber between plates.

use crate::support::{go, plane, solid};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

/// Material of all of these: E = 6 MPa, ν = 0.45, neo-Hookean.
const RUBBER: &str = "materials.rubber = { density = 1100, young = 6e6, poisson = 0.45, elasticity = \"neo_hookean\" }\n\
     materials.steel = { density = 7850 }\n";

/// A square of 1 cm between a floor and a plate that comes down by 3 mm in 300 steps.
fn pressed_square(friction: f64) -> Simulation<2> {
    square_under(friction, "to = -0.003, end = 0.3")
}

/// The same with another way of the plate.
fn square_under(friction: f64, ramp: &str) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 0.3, theta = 1 }}\n{RUBBER}\
         [[contact]]\nbetween = \"any\"\nfriction = {friction}\n\
         [[deformable]]\nname = \"seal\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nposition = [0, 0.005]\n\
         mesh = {{ kind = \"rectangle\", size = [0.01, 0.01], cells = [4, 4] }}\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"steel\"\nfixed = true\n\
         shape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"press\"\nmaterial = \"steel\"\nposition = [0, 0.012]\nfixed = [\"x\", \"rotation\"]\n\
         shape = {{ kind = \"rectangle\", size = [0.03, 0.004] }}\n\
         [[drive]]\nbodies = \"press\"\ncomponent = \"y\"\ndisplacement = {{ ramp = {{ {ramp} }} }}\n"
    ))
}

fn all_converge<const D: usize>(s: &mut Simulation<D>, steps: usize)
where
    Space<D>: Ambient<D>,
{
    for step in 0..steps {
        let report = s.step().unwrap();
        assert!(report.solver.converged && report.substeps == 1, "{step}: {report:?}");
    }
}

/// Lateral stretch λ and force per depth and width of a compressed square without friction, in plane strain:
/// σ_x = [μ (λ² − 1) + Λ ln(0.7 λ)]/J = 0, force = −σ_y λ.
fn exact_force() -> f64 {
    let (mu, lame) = (6e6 / 2.9, 6e6 * 0.45 / (1.45 * 0.1));
    let across = |x: f64| mu * (x * x - 1.0) + lame * (0.7 * x).ln();
    let (mut low, mut high) = (1.0, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if across(middle) > 0.0 { high = middle } else { low = middle }
    }
    let stretch = low;
    let j = 0.7 * stretch;
    -(mu * (0.49 - 1.0) + lame * j.ln()) / j * stretch
}

#[test]
fn a_square_is_compressed_by_a_third_of_its_height_with_the_force_of_the_law() {
    let mut s = pressed_square(0.0);
    all_converge(&mut s, 300);
    let force = s.resultant(&[1]).y / 0.01;
    // The plate still moves, by 10 mm/s.
    assert!((force / exact_force() - 1.0).abs() < 1e-4, "{force} against {}", exact_force());
    // A hundred thousandth of its size.
    assert!(s.state.ledger.worst_penetration < 1e-7, "{}", s.state.ledger.worst_penetration);
}

#[test]
fn with_friction_a_third_in_five_steps_converges_too() {
    let mut s = square_under(0.3, "to = -0.003, end = 0.3");
    s.scene.time.step = 6e-2;
    all_converge(&mut s, 5);
    let force = s.resultant(&[1]).y / 0.01;
    assert!(force > 1.02 * exact_force() && force < 1.5 * exact_force(), "{force}");
}

#[test]
fn friction_makes_it_bulge_and_its_balance_closes() {
    let mut s = pressed_square(0.3);
    all_converge(&mut s, 300);
    let force = s.resultant(&[1]).y / 0.01;
    assert!(force > 1.02 * exact_force() && force < 1.5 * exact_force(), "{force}");
    let balance = balance_error(&s.scene, &s.state).abs();
    assert!(balance < 1e-8, "{balance}");
}

/// A body that obstacles hold converges as Newton does, however much it is under pressure: nearly incompressible, with much friction.
#[test]
fn a_pad_that_hardly_changes_its_volume_takes_a_few_iterations_a_step() {
    let mut s = plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-2, end = 0.3, theta = 1 }}\n{}\
         [[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
         [[deformable]]\nname = \"pad\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nposition = [0, 0.005]\n\
         mesh = {{ kind = \"rectangle\", size = [0.02, 0.01], cells = [8, 4] }}\nformulation = \"b_bar\"\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"steel\"\nfixed = true\n\
         shape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"press\"\nmaterial = \"steel\"\nposition = [0, 0.012]\nfixed = [\"x\", \"rotation\"]\n\
         shape = {{ kind = \"rectangle\", size = [0.06, 0.004] }}\n\
         [[drive]]\nbodies = \"press\"\ncomponent = \"y\"\ndisplacement = {{ ramp = {{ to = -0.003, end = 0.3 }} }}\n",
        RUBBER.replace("0.45", "0.495")
    ));
    let mut iterations = 0;
    for step in 0..30 {
        let report = s.step().unwrap();
        assert!(report.solver.converged && report.substeps == 1, "{step}: {report:?}");
        iterations += report.iterations;
    }
    assert!(iterations < 30 * 8, "{iterations}");
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-9);
}

/// A column four times as high as wide leaves its straight form, which no iteration with long steps finds: the steps are cut.
#[test]
fn a_column_buckles_and_every_step_converges() {
    let mut s = plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 0.25, theta = 1 }}\n{}\
         [[contact]]\nbetween = \"any\"\nfriction = 0.5\n\
         [[deformable]]\nname = \"column\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nposition = [0, 0.015]\n\
         mesh = {{ kind = \"rectangle\", size = [0.005, 0.03], cells = [3, 12] }}\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"steel\"\nfixed = true\n\
         shape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"press\"\nmaterial = \"steel\"\nposition = [0, 0.032]\nfixed = [\"x\", \"rotation\"]\n\
         shape = {{ kind = \"rectangle\", size = [0.06, 0.004] }}\n\
         [[drive]]\nbodies = \"press\"\ncomponent = \"y\"\ndisplacement = {{ ramp = {{ to = -0.0045, end = 0.25 }} }}\n",
        RUBBER.replace("0.45", "0.4")
    ));
    go(&mut s, 250);
    assert_eq!(s.state.ledger.unconverged, 0);
    let aside = s.state.fields[0].displacement.chunks(2).map(|u| u[0].abs()).fold(0.0, f64::max);
    assert!(aside > 0.002, "it has not buckled: {aside}");
}

#[test]
fn a_cube_is_compressed_in_space() {
    let mut s = solid(&format!(
        "dimension = 3\ntime = {{ step = 1e-3, end = 0.1, theta = 1 }}\n{RUBBER}\
         [[contact]]\nbetween = \"any\"\nfriction = 0.3\n\
         [[deformable]]\nname = \"seal\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nposition = [0, 0, 0.005]\n\
         mesh = {{ kind = \"block\", size = [0.01, 0.01, 0.01], cells = [2, 2, 2] }}\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"steel\"\nfixed = true\n\
         shape = {{ kind = \"half_space\", normal = [0, 0, 1] }}\n\
         [[bodies]]\nname = \"press\"\nmaterial = \"steel\"\nposition = [0, 0, 0.012]\nfixed = [\"x\", \"y\", \"rx\", \"ry\", \"rz\"]\n\
         shape = {{ kind = \"box\", size = [0.03, 0.03, 0.004] }}\n\
         [[drive]]\nbodies = \"press\"\ncomponent = \"z\"\ndisplacement = {{ ramp = {{ to = -0.003, end = 0.1 }} }}\n"
    ));
    all_converge(&mut s, 100);
    assert!(s.state.ledger.worst_penetration < 1e-7, "{}", s.state.ledger.worst_penetration);
}

/// A body that is turned inside out by one huge step is no state: the error names the body, and nothing has moved.
#[test]
fn newton_that_is_lost_is_named_and_the_state_before_is_kept() {
    let mut s = square_under(0.3, "to = -0.02, end = 1e-3");
    let before = s.state.clone();
    let error = s.step().unwrap_err().to_string();
    assert!(error.contains("seal"), "{error}");
    assert!(s.state == before);
}

#[test]
fn a_ball_pressed_into_a_coarse_block_does_not_sink_in_between_its_nodes() {
    // 3 mm into facets of 2.5 mm that it warps: it touches each in two places, and came to lie by 0.34 mm in one and then the other.
    let mut s = solid(&format!(
        "dimension = 3\ntime = {{ step = 1e-2, end = 0.5, theta = 1 }}\n{RUBBER}\
         [[contact]]\nbetween = \"any\"\nfriction = 0.4\n\
         [[deformable]]\nname = \"block\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nposition = [0, 0, 0.005]\n\
         mesh = {{ kind = \"block\", size = [0.01, 0.01, 0.01], cells = [4, 4, 4] }}\n\
         [[bodies]]\nname = \"floor\"\nmaterial = \"steel\"\nfixed = true\n\
         shape = {{ kind = \"half_space\", normal = [0, 0, 1] }}\n\
         [[bodies]]\nname = \"press\"\nmaterial = \"steel\"\nposition = [0, 0, 0.016]\nfixed = [\"x\", \"y\", \"rx\", \"ry\", \"rz\"]\n\
         shape = {{ kind = \"sphere\", radius = 0.006 }}\n\
         [[drive]]\nbodies = \"press\"\ncomponent = \"z\"\ndisplacement = {{ ramp = {{ to = -0.003, end = 0.5 }} }}\n"
    ));
    all_converge(&mut s, 50);
    let half_width = 0.005;
    assert!(s.state.ledger.worst_penetration < 1e-3 * half_width, "{}", s.state.ledger.worst_penetration);
    assert!(balance_error(&s.scene, &s.state).abs() < 1e-8);
}
