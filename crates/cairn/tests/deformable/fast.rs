//! Deformable bodies that move by many times their size in a step do not pass others unseen, nor do others pass them.

use crate::support::{go, plane, solid};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::step::StepError;

/// A square of 10 cm in 25 facets a side that flies along x against what stands at x = 0, so fast that half of a step is `half_step` long.
fn shot(target: &str, (start, half_step): (f64, f64)) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 1, theta = 0.5 }}\n\
         materials.m = {{ density = 1000, young = 1e8, poisson = 0.3 }}\n\
         contact = [{{ between = \"any\", friction = 0.3 }}]\naccuracy = {{ accept = true }}\n{target}\n\
         [[deformable]]\nname = \"square\"\nmaterial = \"m\"\nposition = [{start}, 0.01]\nvelocity = [{}, 0]\n\
         mesh = {{ kind = \"rectangle\", size = [0.1, 0.1], cells = [5, 5] }}\n",
        2e3 * half_step
    ))
}

/// How far the nodes of a body reach along x: from where, on the average, to where.
fn reach<const D: usize>(s: &Simulation<D>, body: usize) -> [f64; 3]
where
    Space<D>: Ambient<D>,
{
    let nodes = s.scene.flexibles[body].positions(&s.state.fields[body].displacement);
    let along = || nodes.iter().map(|x| x[0]);
    let mean = along().sum::<f64>() / nodes.len() as f64;
    [along().fold(f64::INFINITY, f64::min), mean, along().fold(f64::NEG_INFINITY, f64::max)]
}

const WALLS: [&str; 3] = [
    "[[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"rectangle\", size = [0.004, 2] }",
    "[[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"segment\", ends = [[0, -1], [0, 1]] }",
    "[[deformable]]\nname = \"plate\"\nmaterial = \"m\"\nmesh = { kind = \"rectangle\", size = [0.01, 0.4], cells = [1, 20] }\n\
     [[fix]]\nbodies = \"plate\"\nboundary = \"bottom\"\n[[fix]]\nbodies = \"plate\"\nboundary = \"top\"",
];

#[test]
fn an_elastic_square_does_not_pass_thin_walls() {
    for wall in WALLS {
        // 8 cm in half of a step, which no place of a thin wall can be seen through; it meets the wall in the first, second and third part.
        for start in [-0.08, -0.12, -0.17, -0.21] {
            let mut s = shot(wall, (start, 0.08));
            let square = s.scene.flexibles.len() - 1;
            for step in 0..8 {
                go(&mut s, 1);
                // An elastic wall is bent, but stays ahead of the square.
                let far_side = if square == 0 { 0.0 } else { reach(&s, 0)[2] };
                assert!(reach(&s, square)[1] < far_side, "{wall}, {start}: through the wall in step {step}");
            }
            let error = balance_error(&s.scene, &s.state);
            assert!(error.abs() < 1e-10, "{wall}, {start}: balance {error}");
        }
    }
}

#[test]
fn a_rigid_ball_does_not_pass_a_thin_elastic_plate() {
    for start in [-0.03, -0.045, -0.06, -0.09] {
        let mut s = solid(&format!(
            "dimension = 3\ntime = {{ step = 1e-3, end = 1, theta = 0.5 }}\n\
             materials.m = {{ density = 1000, young = 1e8, poisson = 0.3 }}\n\
             contact = [{{ between = \"any\", friction = 0.3 }}]\naccuracy = {{ accept = true }}\n\
             [[deformable]]\nname = \"plate\"\nmaterial = \"m\"\nmesh = {{ kind = \"block\", size = [0.01, 0.2, 0.2], cells = [1, 6, 6] }}\n\
             [[fix]]\nbodies = \"plate\"\nboundary = \"back\"\n[[fix]]\nbodies = \"plate\"\nboundary = \"front\"\n\
             [[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nposition = [{start}, 0.007, 0.004]\nvelocity = [80, 0, 0]\n\
             shape = {{ kind = \"sphere\", radius = 0.01 }}\n"
        ));
        for step in 0..4 {
            go(&mut s, 1);
            let ball = s.state.motions[0].place.centre[0];
            assert!(ball < reach(&s, 0)[2], "{start}: through the plate in step {step}");
        }
    }
}

#[test]
fn what_is_too_fast_for_any_step_is_an_error_that_names_both_and_leaves_the_state_as_it_was() {
    let mut s = shot(WALLS[0], (-3.3, 1e3));
    let before = s.state.clone();
    match s.step() {
        Err(StepError::Passed { bodies, parts: 64, .. }) => assert_eq!(bodies, ["square", "wall"]),
        other => panic!("{other:?}"),
    }
    assert!(s.state == before);
}
