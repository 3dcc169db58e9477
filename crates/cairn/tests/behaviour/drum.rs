//! Grains in a drum that turns: they are carried along and none gets out.

use crate::support::{plane, solid};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

fn drum(dimension: usize, shape: &str) -> String {
    let (gravity, low, high, length, component) = match dimension {
        2 => ("[0, -9.81]", "[-0.3, -0.35]", "[0.3, 0.1]", "", "rotation"),
        _ => ("[0, 0, -9.81]", "[-0.3, -0.1, -0.35]", "[0.3, 0.1, 0.1]", "length = 0.22\n", "ry"),
    };
    format!(
        "dimension = {dimension}\ngravity = {{ acceleration = {gravity} }}\ntime = {{ step = 2e-3, end = 1 }}\n\
         materials.m = {{ density = 2500 }}\nsolver = {{ tolerance = 1e-4, max_sweeps = 300 }}\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.6\n\
         [[generate]]\nkind = \"grains\"\nname = \"grains\"\nmaterial = \"m\"\ncount = 30\nlow = {low}\nhigh = {high}\n\
         radius = 0.04\nshape = \"{shape}\"\n\
         [[generate]]\nkind = \"drum\"\nname = \"drum\"\nmaterial = \"m\"\nradius = 0.5\n{length}\
         [[drive]]\nbodies = \"drum\"\ncomponent = \"{component}\"\nvelocity = {}\n",
        if dimension == 2 { 5 } else { -5 }
    )
}

fn keeps_its_grains<const D: usize>(mut s: Simulation<D>, round: bool)
where
    Space<D>: Ambient<D>,
{
    for _ in 0..200 {
        s.step().unwrap();
        for (k, m) in s.state.motions[..30].iter().enumerate() {
            let from_axis = m.place.centre[0].hypot(m.place.centre[D - 1]);
            let least = if round { 0.46 } else { 0.49 };
            assert!(from_axis < least + 2e-3, "grain {k} is at {from_axis} m at t = {}", s.state.time);
            assert!(D == 2 || m.place.centre[1].abs() < 0.11, "grain {k} left through an end: {}", m.place.centre);
        }
    }
    assert!(s.state.ledger.friction > 0.0 && s.state.ledger.work_drives > 0.0, "{:?}", s.state.ledger);
    let mean = s.state.motions[..30].iter().map(|m| m.place.centre[0]).sum::<f64>() / 30.0;
    assert!(mean > 0.02, "the drum carries the grains up on its side: {mean}");
}

#[test]
fn disks_and_stones_in_a_hollow_disk() {
    keeps_its_grains(plane(&drum(2, "ball")), true);
    keeps_its_grains(plane(&drum(2, "angular")), false);
}

#[test]
fn spheres_and_stones_in_a_hollow_cylinder() {
    keeps_its_grains(solid(&drum(3, "ball")), true);
    keeps_its_grains(solid(&drum(3, "angular")), false);
}
