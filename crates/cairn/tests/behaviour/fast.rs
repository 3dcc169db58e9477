//! Bodies that move by many times their size in a step do not pass others unseen.

use crate::support::{go, plane, solid, solid_with};
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

/// A bullet that flies along x, 1 m in a step, against a wall at x = 0; `aim` is where it starts.
fn shot(dimension: usize, bullet: &str, wall: &str, aim: &str) -> String {
    let velocity = if dimension == 2 { "[100, -3]" } else { "[100, -3, 2]" };
    let gravity = if dimension == 2 { "[0, -9.81]" } else { "[0, 0, -9.81]" };
    format!(
        "dimension = {dimension}\ntime = {{ step = 1e-2, end = 1 }}\ngravity = {{ acceleration = {gravity} }}\nmaterials.m = {{ density = 1000 }}\n\
         contact = [{{ between = \"any\", friction = 0.3 }}]\naccuracy = {{ accept = true }}\n\
         [[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = true\nshape = {{ {wall} }}\n\
         [[bodies]]\nname = \"bullet\"\nmaterial = \"m\"\nposition = {aim}\nvelocity = {velocity}\nspin = {spin}\nshape = {{ {bullet} }}\n",
        spin = if dimension == 2 { "5" } else { "[5, -3, 2]" },
    )
}

/// It stays on its side of the wall, next to it, and is stopped there.
fn is_stopped<const D: usize>(mut s: Simulation<D>, what: &str)
where
    Space<D>: Ambient<D>,
{
    let size = s.scene.parts[1].radius;
    for step in 0..8 {
        go(&mut s, 1);
        let x = s.state.motions[1].place.centre[0];
        assert!(x < 0.0, "{what}: through the wall in step {step}, x = {x}");
    }
    let (x, v) = (s.state.motions[1].place.centre[0], s.state.motions[1].velocity[0]);
    assert!(x > -4.0 * size && v.abs() < 1.0, "{what}: x = {x} m, v = {v} m/s");
    let error = balance_error(&s.scene, &s.state);
    assert!(error.abs() < 1e-10, "{what}: balance {error}");
}

#[test]
fn bullets_do_not_pass_thin_walls_in_the_plane() {
    let bullets = [
        "kind = \"disk\", radius = 0.01",
        "kind = \"regular_polygon\", sides = 5, radius = 0.01",
        "kind = \"rectangle\", size = [0.04, 0.01]",
    ];
    let walls = [
        "kind = \"segment\", ends = [[0, -2], [0, 2]]",
        "kind = \"rectangle\", size = [0.002, 4]",
        "kind = \"half_plane\", normal = [-1, 0]",
        "kind = \"chain\", points = [[0, 2], [0, 0.02], [0, -2]]",
    ];
    for (bullet, wall) in bullets.iter().flat_map(|b| walls.iter().map(move |w| (b, w))) {
        // It meets the wall before, in, and after the middle of a step.
        for start in [-1.03, -1.31, -1.51, -1.77, -1.96] {
            is_stopped(
                plane(&shot(2, bullet, wall, &format!("[{start}, 0.1]"))),
                &format!("{bullet}, {wall}, {start}"),
            );
        }
    }
}

#[test]
fn bullets_do_not_pass_thin_walls_in_space() {
    let bullets = ["kind = \"sphere\", radius = 0.01", "kind = \"box\", size = [0.04, 0.01, 0.02]"];
    let walls = [
        "kind = \"box\", size = [0.002, 4, 4]",
        "kind = \"half_space\", normal = [-1, 0, 0]",
        "kind = \"surface\", file = \"wall.obj\"",
    ];
    let mesh = "v 0 -2 -2\nv 0 2 -2\nv 0 2 2\nv 0 -2 2\nf 1 3 2\nf 1 4 3\n";
    for (bullet, wall) in bullets.iter().flat_map(|b| walls.iter().map(move |w| (b, w))) {
        for start in [-1.03, -1.31, -1.51, -1.96] {
            let scene = shot(3, bullet, wall, &format!("[{start}, 0.1, 0.1]"));
            is_stopped(solid_with(&[("wall.obj", mesh)], &scene), &format!("{bullet}, {wall}, {start}"));
        }
    }
}

#[test]
fn a_bullet_that_passes_beside_a_wall_is_not_stopped() {
    let wall = "kind = \"rectangle\", size = [0.002, 0.1]";
    let mut s = plane(&shot(2, "kind = \"disk\", radius = 0.01", wall, "[-1.31, 2]"));
    go(&mut s, 3);
    let motion = &s.state.motions[1];
    assert!((motion.place.centre.x - 1.69).abs() < 1e-9 && motion.velocity.x == 100.0, "{motion:?}");
}

#[test]
fn a_fast_wall_takes_a_small_body_along() {
    for shape in ["kind = \"disk\", radius = 0.01", "kind = \"rectangle\", size = [0.02, 0.02]"] {
        let mut s = plane(&format!(
            "dimension = 2\ntime = {{ step = 1e-2, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
             contact = [{{ between = \"any\", friction = 0.3 }}]\naccuracy = {{ accept = true }}\n\
             [[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = true\nposition = [-0.93, 0]\nshape = {{ kind = \"rectangle\", size = [0.002, 1] }}\n\
             [[bodies]]\nname = \"body\"\nmaterial = \"m\"\nshape = {{ {shape} }}\n\
             [[drive]]\nbodies = \"wall\"\ncomponent = \"x\"\nvelocity = 50\n"
        ));
        for step in 0..8 {
            go(&mut s, 1);
            let ahead = s.state.motions[1].place.centre.x - s.state.motions[0].place.centre.x;
            assert!(ahead > 0.0, "{shape}: the wall has passed in step {step}, {ahead}");
        }
        assert!((s.state.motions[1].velocity.x - 50.0).abs() < 1e-9);
        assert!(balance_error(&s.scene, &s.state).abs() < 1e-10);
    }
}

#[test]
fn two_bullets_meet_head_on_and_do_not_change_places() {
    let mut s = solid(
        "dimension = 3\ntime = { step = 1e-2, end = 1 }\nmaterials.m = { density = 1000 }\n\
         contact = [{ between = \"any\", friction = 0 }]\naccuracy = { accept = true }\n\
         [[bodies]]\nname = \"left\"\nmaterial = \"m\"\nposition = [-1.3, 0, 0]\nvelocity = [100, 0, 0]\nshape = { kind = \"sphere\", radius = 0.01 }\n\
         [[bodies]]\nname = \"right\"\nmaterial = \"m\"\nposition = [1.4, 0, 0]\nvelocity = [-80, 0, 0]\nshape = { kind = \"sphere\", radius = 0.01 }\n",
    );
    for _ in 0..5 {
        go(&mut s, 1);
        let [left, right] = [0, 1].map(|i| s.state.motions[i].place.centre.x);
        assert!(left < right, "{left} {right}");
    }
    // Equal masses: half of the momentum each.
    let total = s.state.motions[0].velocity + s.state.motions[1].velocity;
    assert!((total.x - 20.0).abs() < 1e-10 && total.yz().norm() < 1e-10, "{total}");
}

#[test]
fn what_a_bullet_strikes_is_not_pushed_through_the_wall_behind_it() {
    let mut s = plane(
        "dimension = 2\ntime = { step = 1e-2, end = 1 }\nmaterials.m = { density = 1000 }\nmaterials.lead = { density = 1e5 }\n\
         contact = [{ between = \"any\", friction = 0 }]\naccuracy = { accept = true }\n\
         [[bodies]]\nname = \"wall\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"rectangle\", size = [0.002, 1] }\n\
         [[bodies]]\nname = \"ball\"\nmaterial = \"m\"\nposition = [-0.3, 0]\nshape = { kind = \"disk\", radius = 0.01 }\n\
         [[bodies]]\nname = \"bullet\"\nmaterial = \"lead\"\nposition = [-1.35, 0]\nvelocity = [100, 0]\nshape = { kind = \"disk\", radius = 0.01 }\n",
    );
    for step in 0..6 {
        go(&mut s, 1);
        let [ball, bullet] = [1, 2].map(|i| s.state.motions[i].place.centre.x);
        assert!(bullet < ball && ball < 0.0, "step {step}: {bullet} {ball}");
    }
}
