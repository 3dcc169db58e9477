//! Large deflections in large steps: Newton's steps are shortened where all of them lead away from balance.

use crate::support::plane;
use cairn::simulation::Simulation;

/// A rubber strip of 10 × 0.5 cm, clamped on the left, with a traction of 30 kPa at its end, dead and at once: it hangs down.
fn strip(step: f64) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ntime = {{ step = {step}, end = 3, theta = 1 }}\n\
         materials.rubber = {{ density = 1100, young = 6e6, poisson = 0.3, elasticity = \"neo_hookean\" }}\n\
         [[deformable]]\nname = \"strip\"\nmaterial = \"rubber\"\nkinematics = \"finite\"\nformulation = \"incompatible\"\n\
         mesh = {{ kind = \"rectangle\", size = [0.1, 0.005], cells = [40, 2] }}\n\
         [[fix]]\nbodies = \"strip\"\nboundary = \"left\"\n\
         [[load]]\nbodies = \"strip\"\nboundary = \"right\"\ntraction = [0, -3e4]\n"
    ))
}

/// The lowest point after three seconds. Without shortened steps Newton is lost in the long ones, however often they are cut.
fn deepest(step: f64) -> f64 {
    let mut s = strip(step);
    while !s.is_over() {
        let report = s.step().unwrap();
        assert!(report.solver.converged, "{step}: {report:?}");
    }
    s.state.fields[0].displacement.chunks_exact(2).map(|u| u[1]).fold(0.0, f64::min)
}

#[test]
fn a_strip_bends_over_in_three_steps_as_in_thirty() {
    let (three, thirty) = (deepest(1.0), deepest(0.1));
    // It has come to rest in both: a second is a hundred of its periods.
    assert!((three - thirty).abs() < 1e-4 * thirty.abs() && thirty < -0.08, "{three} {thirty}");
}
