//! The point of a facet nearest to a point p: min ½‖x(ξ) − p‖² over the facet.
//!
//! Exact for two-node lines and triangles. Otherwise Newton on r · ∂x = 0, r = x − p, with the Hessian
//! ∂x · ∂x + r · ∂²x (its first part alone where the whole is not positive). If that leaves the facet, the nearest point
//! lies on a side, where the same is done in one variable.

use super::facet::{Patch, centre, corners, is_linear};
use crate::space::Vect;
use cairn_fem::mesh::FacetKind;

/// Newton iterations: a few are enough, the bound is for facets that fold back on themselves.
const ITERATIONS: usize = 30;
/// Change of ξ that ends them.
const SETTLED: f64 = 1e-14;
/// A ξ farther out than this (in facets) has left for good.
const LOST: f64 = 4.0;

/// Where on its facet a foot lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Inside,
    /// On the side from this corner to the next.
    Side(usize),
    Corner(usize),
}

/// The nearest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot<const D: usize> {
    pub xi: [f64; 2],
    pub point: Vect<D>,
    pub place: Where,
}

/// The nearest point of the facet.
pub(super) fn closest<const D: usize>(patch: &Patch<D>, p: &Vect<D>) -> Foot<D> {
    if D == 2 {
        return on_side(patch, 0, p);
    }
    if let Some(xi) = stationary(patch, p, centre(patch.kind))
        && is_inside(patch.kind, xi)
    {
        return Foot { xi, point: patch.point(xi), place: Where::Inside };
    }
    let sides = (0..corners(patch.kind).len()).map(|k| on_side(patch, k, p));
    let distance = |f: &Foot<D>| (f.point - p).norm_squared();
    sides.reduce(|a, b| if distance(&b) < distance(&a) { b } else { a }).unwrap_or_else(|| on_side(patch, 0, p))
}

/// Coordinates of the foot of the perpendicular from `p` on the facet or its continuation, sought from `start`.
pub(super) fn stationary<const D: usize>(patch: &Patch<D>, p: &Vect<D>, start: [f64; 2]) -> Option<[f64; 2]> {
    let mut xi = start;
    let once = matches!(patch.kind, FacetKind::Line2 | FacetKind::T3);
    for _ in 0..ITERATIONS {
        let [u, v] = patch.tangents(xi);
        let [cu, cm, cv] = patch.curvatures(xi);
        let r = patch.point(xi) - p;
        let (gu, gv) = (r.dot(&u), r.dot(&v));
        let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
        let full = (uu + r.dot(&cu), uv + r.dot(&cm), vv + r.dot(&cv));
        let step = if D == 2 {
            [-gu / if full.0 > 0.0 { full.0 } else { uu }, 0.0]
        } else {
            let is_positive = full.0 > 0.0 && full.0 * full.2 > full.1 * full.1;
            let (a, b, c) = if is_positive { full } else { (uu, uv, vv) };
            let det = a * c - b * b;
            [(b * gv - c * gu) / det, (b * gu - a * gv) / det]
        };
        xi = [xi[0] + step[0], xi[1] + step[1]];
        if !(xi[0].abs() <= LOST && xi[1].abs() <= LOST) {
            return None;
        }
        if once || step[0].abs().max(step[1].abs()) <= SETTLED {
            return Some(xi);
        }
    }
    Some(xi)
}

fn is_inside(kind: FacetKind, [s, t]: [f64; 2]) -> bool {
    match kind {
        FacetKind::Line2 | FacetKind::Line3 => s.abs() < 1.0,
        FacetKind::T3 | FacetKind::T6 => s > 0.0 && t > 0.0 && s + t < 1.0,
        FacetKind::Q4 | FacetKind::Q8 => s.abs() < 1.0 && t.abs() < 1.0,
    }
}

/// The nearest point of one side, from corner `k` to the next: ξ = c_k + τ (c_{k+1} − c_k), 0 ≤ τ ≤ 1.
fn on_side<const D: usize>(patch: &Patch<D>, k: usize, p: &Vect<D>) -> Foot<D> {
    let ring = corners(patch.kind);
    let next = (k + 1) % ring.len();
    let (from, to) = (ring[k], ring[next]);
    let at = |tau: f64| [from[0] + tau * (to[0] - from[0]), from[1] + tau * (to[1] - from[1])];
    let x = |tau: f64| patch.point(at(tau));
    let chord = patch.x[next] - patch.x[k];
    let mut tau = (chord.dot(&(p - patch.x[k])) / chord.norm_squared()).clamp(0.0, 1.0);
    if !is_linear(patch.kind) {
        // Quadratic in τ: the second derivative is constant, and central differences of the first are exact.
        let bend = (x(0.0) + x(1.0) - x(0.5) * 2.0) * 4.0;
        for _ in 0..ITERATIONS {
            let (r, slope) = (x(tau) - p, x(tau + 0.5) - x(tau - 0.5));
            let (first, plain) = (r.dot(&slope), slope.norm_squared());
            let second = plain + r.dot(&bend);
            let new = (tau - first / if second > 0.0 { second } else { plain }).clamp(0.0, 1.0);
            let change = (new - tau).abs();
            tau = new;
            if change <= SETTLED {
                break;
            }
        }
    }
    let is_line = D == 2;
    let (place, xi, point) = match tau {
        t if t <= 0.0 => (Where::Corner(k), from, patch.x[k]),
        t if t >= 1.0 => (Where::Corner(next), to, patch.x[next]),
        t => (if is_line { Where::Inside } else { Where::Side(k) }, at(t), x(t)),
    };
    Foot { xi, point, place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn curved(kind: FacetKind, bend: f64) -> Patch<3> {
        let mut patch = Patch { kind, x: [Vect::zeros(); 8] };
        for i in 0..kind.nodes() {
            let [s, t] = super::super::facet::node_coordinates(kind, i);
            patch.x[i] = Vect::<3>::new(s + 0.1 * t, t - 0.05 * s * t, bend * (s * s + 0.5 * t * t + 0.3 * s * t));
        }
        patch
    }

    proptest! {
        /// No point of a fine sampling is nearer.
        #[test]
        fn nothing_is_nearer(p in proptest::array::uniform3(-1.3..1.3f64), bend in -0.3..0.3f64, which in 0..4usize) {
            let kind = [FacetKind::T3, FacetKind::T6, FacetKind::Q4, FacetKind::Q8][which];
            let (patch, p) = (curved(kind, bend), Vect::<3>::new(p[0], p[1], 0.3 * p[2]));
            let found = (closest(&patch, &p).point - p).norm();
            let steps = 40;
            for i in 0..=steps {
                for j in 0..=steps {
                    let (a, b) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                    let xi = match kind {
                        FacetKind::T3 | FacetKind::T6 => if a + b > 1.0 { continue } else { [a, b] },
                        _ => [2.0 * a - 1.0, 2.0 * b - 1.0],
                    };
                    prop_assert!((patch.point(xi) - p).norm() > found - 1e-10);
                }
            }
        }
    }

    #[test]
    fn nearest_point_of_a_parabola_is_that_of_the_cubic() {
        // y = x², p = (0, 2) + …: feet at 2x³ + (1 − 2 p_y) x − p_x = 0; p = (3, 0.5) has x = (3/2)^(1/3).
        let mut patch = Patch::<2> { kind: FacetKind::Line3, x: [Vect::zeros(); 8] };
        (patch.x[0], patch.x[1]) = (Vect::<2>::new(-2.0, 4.0), Vect::<2>::new(2.0, 4.0));
        let foot = closest(&patch, &Vect::<2>::new(3.0, 0.5));
        assert!((foot.point.x - 1.5f64.cbrt()).abs() < 1e-14);
        assert_eq!(foot.place, Where::Inside);
    }
}
