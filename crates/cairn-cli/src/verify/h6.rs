//! H6: a ring of voussoirs under a load at its quarter.
//!
//! The load is a vertical force at the centre of one block. By the safe theorem the ring carries it iff there is a state of thrust that
//! lies within the stone in all joints and leans by no more than friction allows. With the force (H, V) and the moment M about the centre
//! of the circle in the first joint, and the part of the ring up to joint i of weight W with its centre at x̄ and, behind the loaded
//! block at x_q, the load λ, the thrust in joint i at the angle φ is
//!
//!   F = (H, V − W − λ),   N = F·(−sin φ, cos φ),   M_i = M − W x̄ − λ x_q = ρ N,   R − t/2 ≤ ρ ≤ R + t/2,   |F·(cos φ, sin φ)| ≤ μ N
//!
//! linear in (H, V, M, λ): the largest λ is a linear programme. For given H and V it leaves an interval for M, whose length is
//! concave in them; the ring carries λ iff its maximum is not negative. With friction that is never reached this is the collapse load.
//!
//! A ring at 0.99 of it has to stand, one at 1.01 of it has to fall, with default settings. A ring that the programme finds no limit for
//! (seven blocks so thick that the load goes straight into the abutment, and pushed on from outside: over-constrained) carries a
//! thousand times its weight, and nothing moves by more than the margin of penetrations at each of its joints.

use super::scene::written_plane;
use super::{Findings, Size};
use cairn::simulation::Simulation;
use miette::IntoDiagnostic;
use std::f64::consts::PI;

const WEIGHT: f64 = 2500.0 * 9.81;
const FRICTION: f64 = 0.8;

/// A ring of radius 1.
#[derive(Clone, Copy)]
struct Ring {
    blocks: usize,
    thickness: f64,
    /// Number of the loaded block, from the springing on the right.
    loaded: usize,
}

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    let rings: &[Ring] = &[
        Ring { blocks: 21, thickness: 0.16, loaded: 5 },
        Ring { blocks: 15, thickness: 0.2, loaded: 3 },
        Ring { blocks: 41, thickness: 0.14, loaded: 10 },
    ];
    for ring in &rings[..if size == Size::Full { 3 } else { 1 }] {
        let name = format!("{} blocks, t = {}", ring.blocks, ring.thickness);
        let limit = ring.limit();
        let (below, stood) = displacement(ring, 0.99 * limit)?;
        findings.at_most(&format!("{name}: moves under 0.99 of the limit"), "m", below, 1e-3);
        findings.sound(&name, &stood);
        findings.kept(&name, &stood);
        let (above, _) = displacement(ring, 1.01 * limit)?;
        findings.holds(&format!("{name}: falls under 1.01 of {limit:.1} N"), above > 1e-2);
    }
    let thick = Ring { blocks: 7, thickness: 0.6, loaded: 1 };
    let load = 1e3 * WEIGHT * PI * thick.thickness;
    findings.holds("7 blocks, t = 0.6: carries 1000 times its weight", thick.carries(load));
    let (moved, simulation) = displacement(&thick, load)?;
    let joints = thick.blocks as f64 + 1.0;
    findings.at_most("7 blocks, t = 0.6: moves", "m", moved, joints * 1e-3 * 0.5 * thick.thickness);
    findings.sound("7 blocks", &simulation);
    findings.kept("7 blocks", &simulation);
    Ok(())
}

/// How far a block moves within 3 s, the load being applied within the first; stopped when it has fallen.
fn displacement(ring: &Ring, load: f64) -> miette::Result<(f64, Simulation<2>)> {
    let changes = [
        ("generate.0.voussoirs", ring.blocks.to_string()),
        ("generate.0.thickness", ring.thickness.to_string()),
        ("load.0.bodies", format!("\"ring#{}\"", ring.loaded)),
        ("load.0.force", format!("[0, -{load}]")),
    ];
    let mut simulation = written_plane(include_str!("scenes/loaded-ring.toml"), &changes)?;
    let mut moved = 0.0;
    while !simulation.is_over() && moved < 2e-2 {
        simulation.step().into_diagnostic()?;
        let pairs = simulation.state.motions.iter().zip(&simulation.scene.start);
        moved = pairs.map(|(now, start)| (now.place.centre - start.place.centre).norm()).fold(0.0, f64::max);
    }
    Ok((moved, simulation))
}

impl Ring {
    /// The largest load [N] of rings that have one.
    fn limit(&self) -> f64 {
        let (mut stands, mut falls) = (0.0, 100.0 * WEIGHT);
        while falls - stands > 1e-7 * falls {
            let middle = 0.5 * (stands + falls);
            if self.carries(middle) { stands = middle } else { falls = middle }
        }
        stands
    }

    /// Is there a state of thrust with this load? The best of V for each H, the best of H, by thirds.
    fn carries(&self, load: f64) -> bool {
        let parts = self.parts(load);
        let most = 20.0 * (load + WEIGHT * PI * self.thickness);
        best(-most, most, &|h| best(-most, most, &|v| room(&parts, self.thickness, [h, v]))) >= -1e-9 * most
    }

    /// For each joint: its angle, and what the part before it weighs, and its moment, load and all.
    fn parts(&self, load: f64) -> Vec<[f64; 3]> {
        let angle = |i: usize| PI * i as f64 / self.blocks as f64;
        let (mut force, mut moment) = (0.0, 0.0);
        let mut parts = vec![[0.0; 3]];
        for i in 0..self.blocks {
            let (area, x) = self.block(angle(i), angle(i + 1));
            let down = WEIGHT * area + if i == self.loaded { load } else { 0.0 };
            force += down;
            moment += down * x;
            parts.push([angle(i + 1), force, moment]);
        }
        parts
    }

    /// Area of a block, and x of its centre.
    fn block(&self, from: f64, to: f64) -> (f64, f64) {
        let half = 0.5 * (to - from);
        let (inner, outer) = (1.0 - 0.5 * self.thickness, 1.0 + 0.5 * self.thickness);
        let area = half.sin() * half.cos() * (outer * outer - inner * inner);
        // Centre of a trapezium between chords at r cos(half), of lengths 2 r sin(half).
        let third = (inner * inner + inner * outer + outer * outer) / (inner + outer);
        (area, 2.0 / 3.0 * third * half.cos() * (0.5 * (from + to)).cos())
    }
}

/// Room for the moment in the first joint; negative if there is none, or if a joint would be pulled or slide.
fn room(parts: &[[f64; 3]], thickness: f64, [h, v]: [f64; 2]) -> f64 {
    let (mut below, mut above, mut spare) = (f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);
    for &[angle, down, moment] in parts {
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (h, v - down);
        let normal = y * cos - x * sin;
        below = below.max((1.0 - 0.5 * thickness) * normal + moment);
        above = above.min((1.0 + 0.5 * thickness) * normal + moment);
        spare = spare.min(FRICTION * normal - (x * cos + y * sin).abs());
    }
    (above - below).min(spare)
}

/// The maximum of a concave function, by thirds.
fn best(mut low: f64, mut high: f64, of: &dyn Fn(f64) -> f64) -> f64 {
    for _ in 0..90 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if of(a) < of(b) { low = a } else { high = b }
    }
    of(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::super::thrust::thinnest;
    use super::*;

    #[test]
    fn without_load_the_ring_stands_as_thick_as_the_thinnest() {
        let ring = |factor: f64| Ring { blocks: 21, thickness: factor * thinnest(21), loaded: 0 };
        assert!(ring(1.001).carries(0.0) && !ring(0.999).carries(0.0));
    }
}
