//! What a kernel needs to know of bodies and points; one implementation per kind of collection.

use super::batch::Prepared;
use super::simd::{Lane, difference, scaled, sum};
use crate::problem::{Link, Mass, Mat, Vect};

/// Most numbers that a point takes in any layout.
pub(super) const MAX_POINT: usize = 56;

/// Where a relaxation starts from.
#[derive(Clone, Copy)]
pub(super) enum Start<V> {
    /// What the point has, carried on by β: x + β (x − x_last), and x becomes the last one.
    Carried(V),
    /// What the point has.
    Present,
}

impl<V: Lane> Start<V> {
    /// The impulse or moment x whose fields begin at `index`, x_last following.
    /// # Safety
    /// As for [`Layout::relax`].
    #[inline(always)]
    pub unsafe fn of(self, point: *mut f64, index: usize) -> [V; 3] {
        // SAFETY: the caller's, in all of this function.
        let here: [V; 3] = unsafe { fields(point, index) };
        let Self::Carried(beta) = self else { return here };
        // SAFETY: as above.
        let last = unsafe { fields(point, index + 3) };
        // SAFETY: as above.
        unsafe { store_fields(here, point, index + 3) };
        sum(here, scaled(beta, difference(here, last)))
    }
}

/// What is watched during a sweep, per lane: the trigger of the genuine test of convergence.
#[derive(Clone, Copy)]
pub(super) struct Pulse<V> {
    /// max of ‖dR‖²/ρ² and, where contacts resist rolling, ‖dM‖² λ/ρ.
    pub change: V,
    /// Σ of the same.
    pub work: V,
    /// Σ ‖R‖²/ρ².
    pub strength: V,
    /// Number of points with R ≠ 0.
    pub active: V,
}

impl<V: Lane> Pulse<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { change: V::splat(0.0), work: V::splat(0.0), strength: V::splat(0.0), active: V::splat(0.0) }
    }

    /// Takes note of a point: ‖dR‖², ‖R‖² and 1/ρ.
    #[inline(always)]
    pub fn note(&mut self, change_squared: V, impulse_squared: V, inverse_rho: V) {
        let weight = inverse_rho * inverse_rho;
        let change = change_squared * weight;
        self.change = self.change.max(change);
        self.work = self.work + change;
        self.strength = self.strength + impulse_squared * weight;
        let zero = V::splat(0.0);
        self.active = self.active + V::select(impulse_squared.greater(zero), V::splat(1.0), zero);
    }

    /// Takes note of a moment: ‖dM‖² λ/ρ.
    #[inline(always)]
    pub fn note_moment(&mut self, change: V) {
        self.change = self.change.max(change);
        self.work = self.work + change;
    }
}

/// Storage and arithmetic of one kind of collection.
///
/// A body is a row of `BODY` numbers; a point is `POINT` fields of `V::WIDTH` numbers each. Velocities and impulses of a
/// point are in the layout's own coordinates, three numbers (the last 0 in the plane).
pub(super) trait Layout {
    /// Numbers per body, a multiple of 8 (a cache line).
    const BODY: usize;
    /// Number of a body's row where its angular velocity starts: one number in the plane, else three. Its velocity is at the start.
    const SPIN: usize;
    /// Fields per point.
    const POINT: usize;
    /// Field where the impulse starts (3 fields), followed by that of the last sweep (3 fields).
    const IMPULSE: usize;
    /// Do points have moments that resist rolling?
    const ROLLING: bool;
    /// Both bodies of a manifold, in registers.
    type Pair<V: Lane>;

    /// # Safety
    /// The first WIDTH rows of each side are bodies.
    unsafe fn load<V: Lane>(rows: [[*mut f64; 4]; 2]) -> Self::Pair<V>;
    /// # Safety
    /// The first WIDTH rows of each side are bodies that no one else uses, or null.
    unsafe fn store<V: Lane>(pair: &Self::Pair<V>, rows: [[*mut f64; 4]; 2]);
    /// Ũ, with bias.
    /// # Safety
    /// `point` is a point's data for WIDTH lanes, aligned.
    unsafe fn velocity<V: Lane>(pair: &Self::Pair<V>, point: *const f64) -> [V; 3];
    /// Solves the point with all others frozen, from impulses that the velocities contain; updates its impulse (and moment) and
    /// the pair's velocities.
    /// # Safety
    /// `point` is a point's data for WIDTH lanes, aligned, that no one else uses.
    unsafe fn relax<V: Lane>(pair: &mut Self::Pair<V>, point: *mut f64, start: Start<V>, pulse: &mut Pulse<V>);
    /// Ω and M, world axes, where points have moments.
    /// # Safety
    /// As for [`Layout::velocity`].
    unsafe fn turning<V: Lane>(pair: &Self::Pair<V>, point: *const f64) -> [[V; 3]; 2];

    /// The link's own block W_αα.
    fn response<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> Mat<D> {
        link.own_block(masses)
    }
    /// Velocity and angular velocity in a body's row.
    #[inline(always)]
    fn motion<const D: usize>(row: &[f64]) -> (Vect<D>, Vect<3>) {
        let spin = if D == 2 {
            Vect::<3>::new(0.0, 0.0, row[Self::SPIN])
        } else {
            Vect::<3>::new(row[Self::SPIN], row[Self::SPIN + 1], row[Self::SPIN + 2])
        };
        (Vect::from_fn(|i, _| row[i]), spin)
    }
    /// Adds to them.
    #[inline(always)]
    fn change_motion<const D: usize>(row: &mut [f64], velocity: &Vect<D>, spin: &Vect<3>) {
        (0..D).for_each(|i| row[i] += velocity[i]);
        if D == 2 {
            row[Self::SPIN] += spin[2];
        } else {
            (0..3).for_each(|i| row[Self::SPIN + i] += spin[i]);
        }
    }
    /// A body's row.
    fn write_body<const D: usize>(mass: &Mass<D>, row: &mut [f64]);
    /// A point's fields.
    fn write_point<const D: usize>(link: &Link<D>, prepared: &Prepared<D>, fields: &mut [f64; MAX_POINT]);
    /// The fields of a point that does nothing.
    fn inert(fields: &mut [f64; MAX_POINT]);
    /// From the layout's coordinates to the link's frame.
    fn in_frame<const D: usize>(link: &Link<D>, x: [f64; 3]) -> Vect<D>;
}

/// Field `index` of a point.
/// # Safety
/// As for [`Layout::velocity`].
#[inline(always)]
pub(super) unsafe fn field<V: Lane>(point: *const f64, index: usize) -> V {
    // SAFETY: the caller's, in all of this function.
    unsafe { V::load(point.add(index * V::WIDTH)) }
}

/// N fields from `index` on. Kernels use no closures: those would be compiled without the vector instructions.
/// # Safety
/// As for [`Layout::velocity`].
#[inline(always)]
pub(super) unsafe fn fields<V: Lane, const N: usize>(point: *const f64, index: usize) -> [V; N] {
    let mut out = [V::splat(0.0); N];
    let mut i = 0;
    while i < N {
        // SAFETY: the caller's, in all of this function.
        out[i] = unsafe { field(point, index + i) };
        i += 1;
    }
    out
}

/// Writes three fields from `index` on.
/// # Safety
/// As for [`Layout::relax`].
#[inline(always)]
pub(super) unsafe fn store_fields<V: Lane>(x: [V; 3], point: *mut f64, index: usize) {
    // SAFETY: the caller's, in all of this function.
    unsafe {
        x[0].store(point.add(index * V::WIDTH));
        x[1].store(point.add((index + 1) * V::WIDTH));
        x[2].store(point.add((index + 2) * V::WIDTH));
    }
}
