//! Moments that resist rolling and twisting (see [`crate::rolling`]), in lanes: relaxed right after the impulse of their point,
//! while both bodies are at hand.
//!
//! In space, for spheres and other bodies alike, world vectors with Ω = ω₁ − ω₂ + bias and the normal impulse R_N just found:
//!
//!   C = M_T − Ω_T/λ_T,   M_T ← C min(1, ℓ_T R_N/‖C‖),   M_N ← M_N − Ω_N/λ_N within ±ℓ_N R_N
//!
//! Fields: ℓ_T, ℓ_N, 1/λ_T, 1/λ_N, max λ, bias (3), M (3), last M (3). Points that do not resist have zeros.

use super::layout::{MAX_POINT, Start, fields, store_fields};
use super::simd::{Lane, difference, dot, scaled, sum};
use crate::problem::Vect;

/// Fields that a point has more in space where contacts resist rolling.
pub(super) const FIELDS: usize = 14;
/// Where the bias is among them, and the moment.
const BIAS: usize = 5;
const MOMENT: usize = 8;

/// What is packed of a moment: ℓ, 1/λ, the larger λ, bias with the spins of sides that do not respond, M.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub arms: [f64; 2],
    pub inverses: [f64; 2],
    pub response: f64,
    pub bias: Vect<3>,
    pub moment: Vect<3>,
}

impl Turn {
    /// Its fields, from `at` on.
    pub fn write(&self, at: usize, out: &mut [f64; MAX_POINT]) {
        let [[a, b], [c, d]] = [self.arms, self.inverses];
        out[at..at + BIAS].copy_from_slice(&[a, b, c, d, self.response]);
        for (first, vector) in [(BIAS, &self.bias), (MOMENT, &self.moment), (MOMENT + 3, &self.moment)] {
            out[at + first..][..3].copy_from_slice(vector.as_slice());
        }
    }
}

/// x between −bound and bound.
#[inline(always)]
pub(super) fn within<V: Lane>(x: V, bound: V) -> V {
    let low = V::splat(0.0) - bound;
    V::select(x.greater(bound), bound, x).max(low)
}

/// Ω, from ω₁ − ω₂.
/// # Safety
/// `turn` are the fields of a point's moment.
#[inline(always)]
pub(super) unsafe fn spin<V: Lane>(turn: *const f64, relative: [V; 3]) -> [V; 3] {
    // SAFETY: the caller's, in all of this function.
    sum(relative, unsafe { fields(turn, BIAS) })
}

/// M.
/// # Safety
/// As for [`spin`].
#[inline(always)]
pub(super) unsafe fn moment<V: Lane>(turn: *const f64) -> [V; 3] {
    // SAFETY: the caller's, in all of this function.
    unsafe { fields(turn, MOMENT) }
}

/// The new moment, `relative` being ω₁ − ω₂ and `pressing` R_N: how much it changed, and ‖dM‖² λ, to be divided by ρ.
/// # Safety
/// As for [`spin`], and no one else uses them.
#[inline(always)]
pub(super) unsafe fn relax<V: Lane>(
    turn: *mut f64,
    n: [V; 3],
    relative: [V; 3],
    pressing: V,
    start: Start<V>,
) -> ([V; 3], V) {
    // SAFETY: the caller's, in all of this function.
    let [arm_t, arm_n, inverse_t, inverse_n, response]: [V; 5] = unsafe { fields(turn, 0) };
    // SAFETY: as above.
    let (m, spin) = unsafe { (start.of(turn, MOMENT), spin(turn, relative)) };
    let (m_n, spin_n) = (dot(n, m), dot(n, spin));
    let new_n = within(m_n - spin_n * inverse_n, arm_n * pressing);
    let c = difference(difference(m, scaled(inverse_t, spin)), scaled(m_n - spin_n * inverse_t, n));
    let (c_squared, limit) = (dot(c, c), arm_t * pressing);
    let rolls = c_squared.greater(limit * limit);
    let scale = limit / V::select(rolls, c_squared, V::splat(1.0)).sqrt();
    let scale = V::select(rolls, scale, V::splat(1.0));
    let new = sum(scaled(scale, c), scaled(new_n, n));
    // SAFETY: as above.
    unsafe { store_fields(new, turn, MOMENT) };
    let change = difference(new, m);
    (change, dot(change, change) * response)
}
