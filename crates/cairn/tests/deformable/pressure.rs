//! A uniform pressure on a block gives uniform contact forces, whatever the points that look for contact.

use crate::support::{go, plane, solid};
use cairn::measure::contact_pressures;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

const PRESSURE: f64 = 1e4;

/// ν = 0, without gravity, quasi-static: the stress is uniform, and so is the contact pressure.
fn scene(dimension: usize, mesh: &str, candidates: &str, upper: bool) -> String {
    let (up, shape, size) = match dimension {
        2 => ("0, 1", "half_plane", "[0, 0.5]"),
        _ => ("0, 0, 1", "half_space", "[0, 0, 0.5]"),
    };
    let second = if dimension == 2 { "[0.1, 1.5]" } else { "[0.1, 0.1, 1.5]" };
    let block = |name: &str, place: &str| {
        format!(
            "[[deformable]]\nname = \"{name}\"\nmaterial = \"m\"\nposition = {place}\nmesh = {mesh}\ncandidates = \"{candidates}\"\n"
        )
    };
    let loaded = if upper { "upper" } else { "block" };
    format!(
        "dimension = {dimension}\ntime = {{ step = 1, end = 10, theta = 1 }}\n\
         materials.m = {{ density = 1000, young = 1e7, poisson = 0 }}\n\
         [[contact]]\nbetween = \"m\"\nfriction = 0.3\nunilateral = \"gap\"\n[solver]\ntolerance = 1e-10\nmax_sweeps = 100000\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"{shape}\", normal = [{up}] }}\n\
         {}{}[[load]]\nbodies = \"{loaded}\"\nboundary = \"top\"\npressure = {PRESSURE}\nfollower = false\n",
        block("block", size),
        if upper { block("upper", second) } else { String::new() }
    )
}

/// Pressures at the nodes of the lowest face of the first body, relative to what is expected.
fn errors<const D: usize>(s: &Simulation<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    let pressures = contact_pressures(&s.scene, &s.state.fields, s.reactions(), s.state.last_step);
    let body = &s.scene.flexibles[0];
    let low = (0..pressures[0].len()).filter(|&n| body.reference(n)[D - 1] < 1e-9);
    low.map(|n| pressures[0][n] / PRESSURE - 1.0).collect()
}

#[test]
fn the_ground_feels_the_same_pressure_everywhere() {
    for element in ["T3", "T3_crossed", "Q4", "Q8", "T6"] {
        for candidates in ["nodes", "mid_points", "gauss"] {
            // The middle of a quadratic side and its two ends: more unknowns than one point can hold.
            if candidates == "mid_points" && ["Q8", "T6"].contains(&element) {
                continue;
            }
            let mesh = format!("{{ kind = \"rectangle\", size = [1, 1], cells = [3, 2], element = \"{element}\" }}");
            let mut s = plane(&scene(2, &mesh, candidates, false));
            go(&mut s, 8);
            let errors = errors(&s);
            assert!(errors.len() >= 4 && errors.iter().all(|e| e.abs() < 1e-5), "{element} {candidates}: {errors:?}");
        }
    }
    for element in ["H8", "Tet4"] {
        for candidates in ["nodes", "mid_points", "gauss"] {
            let mesh = format!("{{ kind = \"block\", size = [1, 1, 1], cells = [2, 2, 1], element = \"{element}\" }}");
            let mut s = solid(&scene(3, &mesh, candidates, false));
            go(&mut s, 8);
            let errors = errors(&s);
            assert!(errors.len() == 9 && errors.iter().all(|e| e.abs() < 1e-5), "{element} {candidates}: {errors:?}");
        }
    }
}

#[test]
fn each_candidate_carries_its_area_times_the_pressure() {
    for candidates in ["nodes", "mid_points"] {
        let mesh = "{ kind = \"rectangle\", size = [1, 1], cells = [4, 2], grading = [3, 1] }";
        let mut s = plane(&scene(2, mesh, candidates, false));
        go(&mut s, 8);
        let carried = s.reactions().iter().filter(|r| r.impulse.norm() > 0.0);
        let mut seen = 0;
        for r in carried {
            let touch = &r.contact.touch;
            let pressure = r.impulse.dot(&touch.normal) / s.state.last_step / touch.area;
            assert!((pressure / PRESSURE - 1.0).abs() < 1e-6, "{candidates}: {pressure}");
            seen += 1;
        }
        assert_eq!(seen, if candidates == "nodes" { 5 } else { 4 });
    }
}

#[test]
fn a_block_on_a_block_that_does_not_match_passes_the_whole_force_on() {
    let mesh = "{ kind = \"rectangle\", size = [1, 1], cells = [3, 2] }";
    let mut s = plane(&scene(2, mesh, "mid_points", true));
    go(&mut s, 10);
    let pressures = contact_pressures(&s.scene, &s.state.fields, s.reactions(), s.state.last_step);
    let ground: f64 = s.resultant(&[0]).y;
    assert!((ground / -PRESSURE - 1.0).abs() < 1e-3, "{ground}");
    // On the antagonist's side of the joint there is pressure too.
    let lower = &s.scene.flexibles[0];
    let top = (0..pressures[0].len()).filter(|&n| lower.reference(n).y > 0.999);
    assert!(top.map(|n| pressures[0][n]).fold(0.0, f64::max) > 0.5 * PRESSURE);
}
