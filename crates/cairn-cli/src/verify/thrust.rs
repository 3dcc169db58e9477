//! The thinnest semicircular arch of n voussoirs that stands, exactly: Heyman's safe theorem, no sliding.
//!
//! Joints at the angles φᵢ = iπ/n, their ends at the radii R ± t/2; the blocks between them are trapezia. By symmetry
//! the thrust is horizontal in the middle of the key block (n odd): H at the height y₀. For the part of the arch from there
//! to joint i, of weight W with its centre at x̄, equilibrium of moments puts the thrust in that joint at the radius
//!
//!   ρ = (H y₀ + W x̄)/(W cos φ + H sin φ),     R − t/2 ≤ ρ ≤ R + t/2.
//!
//! For a given H these are bounds on H y₀; the room between the largest lower and the smallest upper one is a concave
//! function of H. The arch stands iff its maximum is not negative.

use std::f64::consts::PI;

/// Least t/R at which an arch of `blocks` (odd) blocks stands.
pub fn thinnest(blocks: usize) -> f64 {
    let (mut falls, mut stands) = (0.05, 0.2);
    while stands - falls > 1e-9 {
        let middle = 0.5 * (falls + stands);
        if most_room(blocks, middle) >= 0.0 { stands = middle } else { falls = middle }
    }
    stands
}

/// Maximum over H of the room for H y₀, by thirds.
fn most_room(blocks: usize, thickness: f64) -> f64 {
    let parts = parts(blocks, thickness);
    let (mut low, mut high) = (0.0, 5.0 * thickness);
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if room(&parts, thickness, a) < room(&parts, thickness, b) { low = a } else { high = b }
    }
    room(&parts, thickness, low)
}

fn room(parts: &[(f64, f64, f64)], thickness: f64, thrust: f64) -> f64 {
    let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
    for &(angle, weight, moment) in parts {
        let d = weight * angle.cos() + thrust * angle.sin();
        below = below.max((1.0 - 0.5 * thickness) * d - moment);
        above = above.min((1.0 + 0.5 * thickness) * d - moment);
    }
    above - below
}

/// From the key downwards, for each joint: its angle, and weight and moment about the y axis of the part above it.
fn parts(blocks: usize, thickness: f64) -> Vec<(f64, f64, f64)> {
    let angle = |i: usize| PI * i as f64 / blocks as f64;
    let joint = |i: usize| {
        [-0.5, 0.5].map(|s| [(1.0 + s * thickness) * angle(i).cos(), (1.0 + s * thickness) * angle(i).sin()])
    };
    let key = blocks / 2;
    let (mut weight, mut moment) = (0.0, 0.0);
    let mut parts = Vec::new();
    for i in (0..=key).rev() {
        let upper = if i == key { joint(key).map(|[_, y]| [0.0, y]) } else { joint(i + 1) };
        let (area, first_moment) = trapezium(joint(i), upper);
        weight += area;
        moment += first_moment;
        parts.push((angle(i), weight, moment));
    }
    parts
}

/// Area of the block between two joints and its first moment ∫ x dA.
fn trapezium([a, b]: [[f64; 2]; 2], [d, c]: [[f64; 2]; 2]) -> (f64, f64) {
    let corners = [a, b, c, d];
    (0..4).fold((0.0, 0.0), |(area, moment), k| {
        let (p, q) = (corners[k], corners[(k + 1) % 4]);
        let cross = p[0] * q[1] - p[1] * q[0];
        (area + cross / 2.0, moment + (p[0] + q[0]) * cross / 6.0)
    })
}

#[cfg(test)]
mod tests {
    use super::thinnest;

    #[test]
    fn known_values_and_limit_of_many_blocks() {
        assert!((thinnest(21) - 0.10670).abs() < 1e-5);
        assert!((thinnest(41) - 0.10729).abs() < 1e-5);
        assert!((thinnest(1001) - 0.1075).abs() < 5e-5);
    }
}
