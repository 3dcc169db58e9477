//! Radii of 1:20 in one packing.

use crate::support::{plane, solid};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

/// Small grains rain on big ones.
fn packing(dimension: usize) -> String {
    let (gravity, low, upper, high, counts) = match dimension {
        2 => ("[0, -9.81]", "[0, 0]", "[0, 0.25]", "[0.3, 0.6]", [9, 600]),
        _ => ("[0, 0, -9.81]", "[0, 0, 0]", "[0, 0, 0.17]", "[0.17, 0.17, 0.25]", [8, 800]),
    };
    let middle = if dimension == 2 { "[0.3, 0.25]" } else { "[0.17, 0.17, 0.17]" };
    format!(
        "dimension = {dimension}\ngravity = {{ acceleration = {gravity} }}\ntime = {{ step = 5e-4, end = 1 }}\n\
         materials.m = {{ density = 2500 }}\nsolver = {{ tolerance = 1e-3, max_sweeps = 50, on_failure = \"accept\" }}\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n\
         [[generate]]\nkind = \"grains\"\nname = \"big\"\nmaterial = \"m\"\ncount = {}\nlow = {low}\nhigh = {middle}\nradius = 0.04\n\
         [[generate]]\nkind = \"grains\"\nname = \"small\"\nmaterial = \"m\"\ncount = {}\nlow = {upper}\nhigh = {high}\n\
         radius = 0.002\n\
         [[generate]]\nkind = \"box\"\nname = \"box\"\nmaterial = \"m\"\nlow = {low}\nhigh = {high}\n",
        counts[0], counts[1]
    )
}

fn falls_without_overlaps<const D: usize>(mut s: Simulation<D>)
where
    Space<D>: Ambient<D>,
{
    let (mut most, mut touched) = (0, 0);
    for _ in 0..200 {
        let report = s.step().unwrap();
        most = most.max(report.contacts);
        touched += report.active;
    }
    let bodies = s.scene.bodies.len();
    assert!(touched > 0);
    assert!(most < 6 * bodies, "{most} candidates for {bodies} bodies");
    // Tangent planes: what moves by v h along a sphere sinks by (v h)²/2r, 3 % of the small radius at 1 m/s.
    assert!(s.state.ledger.worst_penetration < 0.05 * 0.002, "{}", s.state.ledger.worst_penetration);
}

#[test]
fn disks() {
    falls_without_overlaps(plane(&packing(2)));
}

#[test]
fn spheres() {
    falls_without_overlaps(solid(&packing(3)));
}
