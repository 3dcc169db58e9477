//! Flat ground made of triangles is as flat as a half-space: nothing stumbles over an inner edge.

use crate::support::{solid, solid_with};
use cairn::simulation::Simulation;
use std::fmt::Write;

/// 20 × 6 squares of 0.25 m, each of two triangles whose diagonals alternate.
fn mesh() -> String {
    let (nx, ny, size) = (20, 6, 0.25);
    let mut text = String::new();
    for j in 0..=ny {
        for i in 0..=nx {
            writeln!(text, "v {} {} 0", -0.6 + size * i as f64, -0.7 + size * j as f64).unwrap();
        }
    }
    for j in 0..ny {
        for i in 0..nx {
            let a = 1 + i + j * (nx + 1);
            let (b, c, d) = (a + 1, a + nx + 2, a + nx + 1);
            let (first, second) = if (i + j) % 2 == 0 { ([a, b, c], [a, c, d]) } else { ([a, b, d], [b, c, d]) };
            for [p, q, r] in [first, second] {
                writeln!(text, "f {p} {q} {r}").unwrap();
            }
        }
    }
    text
}

fn on(ground: &str, body: &str) -> String {
    format!(
        "dimension = 3\ngravity = {{ acceleration = [0, 0, -9.81] }}\ntime = {{ step = 1e-3, end = 1 }}\n\
         materials.m = {{ density = 1000 }}\nsolver = {{ tolerance = 1e-12 }}\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"m\"\nfixed = true\nshape = {{ {ground} }}\n\
         [[bodies]]\nname = \"body\"\nmaterial = \"m\"\n{body}\n"
    )
}

fn same_way(body: &str, steps: usize) {
    let mut flat: Simulation<3> = solid(&on("kind = \"half_space\", normal = [0, 0, 1]", body));
    let mut meshed = solid_with(&[("ground.obj", &mesh())], &on("kind = \"surface\", file = \"ground.obj\"", body));
    let start = flat.state.motions[1].place.centre;
    for k in 0..steps {
        flat.step().unwrap();
        meshed.step().unwrap();
        let (a, b) = (&flat.state.motions[1], &meshed.state.motions[1]);
        let apart = (a.place.centre - b.place.centre).norm() + a.place.turn.angle_to(&b.place.turn);
        assert!(apart < 1e-9, "{body}\nstep {k}: {apart:e} apart at {}", a.place.centre);
        let apart = (a.velocity - b.velocity).norm();
        assert!(apart < 1e-8, "{body}\nstep {k}: velocities {apart:e} apart at {}", a.place.centre);
    }
    let way = (flat.state.motions[1].place.centre - start).norm();
    assert!(way > 0.6, "it went only {way} m");
}

#[test]
fn a_ball_rolls() {
    same_way("shape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 0, 0.1]\nvelocity = [3, 0.17, 0]", 800);
}

#[test]
fn a_spinning_ball_is_dropped() {
    same_way(
        "shape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 0.03, 0.15]\nvelocity = [2, -0.1, 0]\nspin = [3, 9, 20]",
        800,
    );
}

#[test]
fn a_box_slides() {
    same_way(
        "shape = { kind = \"box\", size = [0.4, 0.3, 0.2] }\nposition = [0, 0, 0.1]\nvelocity = [3, 0.21, 0]",
        600,
    );
}

#[test]
fn a_turning_box_slides() {
    same_way(
        "shape = { kind = \"box\", size = [0.4, 0.3, 0.1] }\nposition = [0, 0, 0.05]\nrotation = { axis = [0, 0, 1], angle = 25 }\n\
         velocity = [3, 0.21, 0]\nspin = [0, 0, 2]",
        600,
    );
}
