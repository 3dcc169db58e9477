//! Facets of a skin: shape functions, tangents, normals, quadrature; one table for all kinds.
//!
//!   x(ξ) = Σ_i N_i(ξ) x_i,     tangents ∂x/∂ξ_k,     n outwards: to the right of a line (2D), t₁ × t₂ (3D)
//!
//! Coordinates: lines −1 ≤ ξ ≤ 1; triangles ξ, η ≥ 0, ξ + η ≤ 1; quadrangles −1 ≤ ξ, η ≤ 1.

use crate::space::Vect;
use cairn_fem::mesh::FacetKind;

/// Most nodes that a facet has.
pub const MOST_NODES: usize = 8;

/// A facet: its kind and nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facet {
    /// What it is.
    pub kind: FacetKind,
    /// Node numbers; those beyond the kind's number are 0.
    pub numbers: [u32; MOST_NODES],
}

impl Facet {
    /// Node numbers.
    pub fn nodes(&self) -> &[u32] {
        &self.numbers[..self.kind.nodes()]
    }

    /// Numbers of the corners.
    pub fn corners(&self) -> &[u32] {
        &self.numbers[..corners(self.kind).len()]
    }

    /// The facet where its nodes are.
    pub(super) fn patch<const D: usize>(&self, nodes: &[Vect<D>]) -> Patch<D> {
        let mut x = [Vect::zeros(); MOST_NODES];
        for (x, &node) in x.iter_mut().zip(self.nodes()) {
            *x = nodes[node as usize];
        }
        Patch { kind: self.kind, x }
    }
}

/// Coordinates of the corners.
pub(super) fn corners(kind: FacetKind) -> &'static [[f64; 2]] {
    match kind {
        FacetKind::Line2 | FacetKind::Line3 => &[[-1.0, 0.0], [1.0, 0.0]],
        FacetKind::T3 | FacetKind::T6 => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        FacetKind::Q4 | FacetKind::Q8 => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
    }
}

/// Coordinates of all nodes: a mid-side node lies between its corners.
pub(super) fn node_coordinates(kind: FacetKind, node: usize) -> [f64; 2] {
    let c = corners(kind);
    if node < c.len() {
        return c[node];
    }
    let (a, b) = (c[node - c.len()], c[(node - c.len() + 1) % c.len()]);
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}

/// The middle.
pub(super) fn centre(kind: FacetKind) -> [f64; 2] {
    match kind {
        FacetKind::T3 | FacetKind::T6 => [1.0 / 3.0, 1.0 / 3.0],
        _ => [0.0, 0.0],
    }
}

/// Are all sides straight?
pub(super) fn is_linear(kind: FacetKind) -> bool {
    matches!(kind, FacetKind::Line2 | FacetKind::T3 | FacetKind::Q4)
}

/// Size of the domain of ξ.
fn domain(kind: FacetKind) -> f64 {
    match kind {
        FacetKind::Line2 | FacetKind::Line3 => 2.0,
        FacetKind::T3 | FacetKind::T6 => 0.5,
        FacetKind::Q4 | FacetKind::Q8 => 4.0,
    }
}

/// Gauss points and weights: exact for ∫ N_i over a facet that is not distorted.
pub(super) fn quadrature(kind: FacetKind) -> Vec<([f64; 2], f64)> {
    let g = 1.0 / 3f64.sqrt();
    let points: &[[f64; 2]] = match kind {
        FacetKind::Line2 | FacetKind::Line3 => &[[-g, 0.0], [g, 0.0]],
        FacetKind::T3 | FacetKind::T6 => &[[1.0 / 6.0, 1.0 / 6.0], [2.0 / 3.0, 1.0 / 6.0], [1.0 / 6.0, 2.0 / 3.0]],
        FacetKind::Q4 | FacetKind::Q8 => &[[-g, -g], [g, -g], [g, g], [-g, g]],
    };
    let weight = domain(kind) / points.len() as f64;
    points.iter().map(|&xi| (xi, weight)).collect()
}

/// Shape functions N_i(ξ); zero beyond the kind's nodes.
pub(super) fn shape(kind: FacetKind, [s, t]: [f64; 2]) -> [f64; MOST_NODES] {
    let mut n = [0.0; MOST_NODES];
    match kind {
        FacetKind::Line2 => n[..2].copy_from_slice(&[0.5 * (1.0 - s), 0.5 * (1.0 + s)]),
        FacetKind::Line3 => n[..3].copy_from_slice(&[0.5 * s * (s - 1.0), 0.5 * s * (s + 1.0), 1.0 - s * s]),
        FacetKind::T3 => n[..3].copy_from_slice(&[1.0 - s - t, s, t]),
        FacetKind::T6 => {
            let r = 1.0 - s - t;
            let values = [r * (2.0 * r - 1.0), s * (2.0 * s - 1.0), t * (2.0 * t - 1.0), 4.0 * r * s, 4.0 * s * t];
            n[..5].copy_from_slice(&values);
            n[5] = 4.0 * t * r;
        }
        FacetKind::Q4 => {
            for (n, [a, b]) in n.iter_mut().zip(corners(kind)) {
                *n = 0.25 * (1.0 + a * s) * (1.0 + b * t);
            }
        }
        FacetKind::Q8 => {
            for (n, [a, b]) in n.iter_mut().zip(corners(kind)) {
                *n = 0.25 * (1.0 + a * s) * (1.0 + b * t) * (a * s + b * t - 1.0);
            }
            n[4] = 0.5 * (1.0 - s * s) * (1.0 - t);
            n[5] = 0.5 * (1.0 + s) * (1.0 - t * t);
            n[6] = 0.5 * (1.0 - s * s) * (1.0 + t);
            n[7] = 0.5 * (1.0 - s) * (1.0 - t * t);
        }
    }
    n
}

/// A facet in place: positions of its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<const D: usize> {
    pub kind: FacetKind,
    pub x: [Vect<D>; MOST_NODES],
}

impl<const D: usize> Patch<D> {
    /// x(ξ).
    pub fn point(&self, xi: [f64; 2]) -> Vect<D> {
        let n = shape(self.kind, xi);
        (0..self.kind.nodes()).fold(Vect::zeros(), |x, i| x + self.x[i] * n[i])
    }

    /// ∂x/∂ξ. Shape functions are at most quadratic in each coordinate alone, so central differences are exact.
    pub fn tangents(&self, [s, t]: [f64; 2]) -> [Vect<D>; 2] {
        match self.kind {
            FacetKind::Line2 => [(self.x[1] - self.x[0]) * 0.5, Vect::zeros()],
            FacetKind::T3 => [self.x[1] - self.x[0], self.x[2] - self.x[0]],
            FacetKind::Q4 => {
                let [a, b, c, d] = [self.x[0], self.x[1], self.x[2], self.x[3]];
                let along = |low: Vect<D>, high: Vect<D>, at: f64| (low * (1.0 - at) + high * (1.0 + at)) * 0.25;
                [along(b - a, c - d, t), along(d - a, c - b, s)]
            }
            FacetKind::Line3 => [(self.point([s + 0.5, t]) - self.point([s - 0.5, t])), Vect::zeros()],
            _ => [
                self.point([s + 0.5, t]) - self.point([s - 0.5, t]),
                self.point([s, t + 0.5]) - self.point([s, t - 0.5]),
            ],
        }
    }

    /// ∂²x/∂ξ², ∂²x/∂ξ∂η, ∂²x/∂η², by differences that are exact for the same reason.
    pub fn curvatures(&self, [s, t]: [f64; 2]) -> [Vect<D>; 3] {
        if matches!(self.kind, FacetKind::Line2 | FacetKind::T3) {
            return [Vect::zeros(); 3];
        }
        if self.kind == FacetKind::Q4 {
            let mixed = (self.x[0] - self.x[1] + self.x[2] - self.x[3]) * 0.25;
            return [Vect::zeros(), mixed, Vect::zeros()];
        }
        let x = |ds: f64, dt: f64| self.point([s + ds, t + dt]);
        let mixed = if D == 2 { Vect::zeros() } else { x(0.5, 0.5) - x(0.5, -0.5) - x(-0.5, 0.5) + x(-0.5, -0.5) };
        let second = |a: Vect<D>, b: Vect<D>| (a + b - x(0.0, 0.0) * 2.0) * 4.0;
        [second(x(0.5, 0.0), x(-0.5, 0.0)), mixed, second(x(0.0, 0.5), x(0.0, -0.5))]
    }

    /// Normal with the length of the surface element dA/dξ.
    pub fn area_vector(&self, xi: [f64; 2]) -> Vect<D> {
        let [u, v] = self.tangents(xi);
        let mut normal = Vect::<D>::zeros();
        if D == 2 {
            normal[0] = u[1];
            normal[1] = -u[0];
        } else {
            for k in 0..D {
                let (i, j) = ((k + 1) % D, (k + 2) % D);
                normal[k] = u[i] * v[j] - u[j] * v[i];
            }
        }
        normal
    }

    /// Outward unit normal; zero where the facet has no extent.
    pub fn normal(&self, xi: [f64; 2]) -> Vect<D> {
        let n = self.area_vector(xi);
        let size = n.norm();
        if size > 0.0 { n / size } else { n }
    }

    /// Longest side [m].
    pub fn size(&self) -> f64 {
        let count = corners(self.kind).len();
        (0..count).map(|k| (self.x[(k + 1) % count] - self.x[k]).norm()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [FacetKind; 6] =
        [FacetKind::Line2, FacetKind::Line3, FacetKind::T3, FacetKind::T6, FacetKind::Q4, FacetKind::Q8];

    #[test]
    fn shape_functions_are_one_at_their_node_and_sum_to_one() {
        for kind in KINDS {
            for i in 0..kind.nodes() {
                let n = shape(
                    kind,
                    if kind == FacetKind::Line3 && i == 2 { [0.0, 0.0] } else { node_coordinates(kind, i) },
                );
                assert!((0..8).all(|j| (n[j] - f64::from(u8::from(i == j))).abs() < 1e-15), "{kind:?} {i}");
            }
            let sum: f64 = shape(kind, [0.3, 0.2]).iter().sum();
            assert!((sum - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn tangents_and_curvatures_are_those_of_small_differences() {
        for kind in KINDS {
            let mut patch = Patch::<3> { kind, x: [Vect::zeros(); 8] };
            for i in 0..8 {
                let k = i as f64;
                patch.x[i] = Vect::<3>::new((k * 1.3).sin(), (k * 2.1).cos(), (k * 0.7).sin());
            }
            let (xi, e) = ([0.3, 0.2], 1e-5);
            let [u, _] = patch.tangents(xi);
            let x = |s: f64| patch.point([xi[0] + s, xi[1]]);
            assert!((u - (x(e) - x(-e)) / (2.0 * e)).norm() < 1e-9, "{kind:?}");
            let [c, mixed, _] = patch.curvatures(xi);
            assert!((c - (x(e) + x(-e) - x(0.0) * 2.0) / (e * e)).norm() < 1e-4, "{kind:?}");
            if !matches!(kind, FacetKind::Line2 | FacetKind::Line3) {
                let [_, v] = patch.tangents(xi);
                let y = |t: f64| patch.point([xi[0], xi[1] + t]);
                assert!((v - (y(e) - y(-e)) / (2.0 * e)).norm() < 1e-9, "{kind:?}");
                let along = |s: f64| patch.tangents([xi[0] + s, xi[1]])[1];
                assert!((mixed - (along(e) - along(-e)) / (2.0 * e)).norm() < 1e-9, "{kind:?}");
            }
        }
    }
}
