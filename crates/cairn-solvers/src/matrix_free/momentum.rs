//! Acceleration: sweeps with momentum (Nesterov), for tall stacks and walls.
//!
//! A sweep S maps impulses and velocities x = (R, v) to better ones. Instead of x ← S(x):
//!
//!   x_{k+1} = S(y_k),   y_{k+1} = x_{k+1} + β_k (x_{k+1} − x_k),   β_k = (t_k − 1)/t_{k+1},   t_{k+1} = ½ + √(¼ + t_k²)
//!
//! v is linear in R, so that extrapolating both keeps v = v_free + M⁻¹HR, and momentum with it. y may leave the cone: the local
//! solution does not care where R comes from. What is tested and returned is always an x.
//!
//! Momentum that overshoots is dropped (t = 1). The sign of it is the work of a sweep, Σ‖dR‖²/ρ², above twice the least since the
//! last drop. The work is not monotone even when all goes well (contacts open, close and begin to slip): to drop momentum at every
//! rise takes up to seven times as many sweeps in packings, and to wait for four times the least lets moving grains run away.

use super::batch::Buffer;
use super::sweep::{Data, Engine};
use std::ops::Range;

/// A sweep that works this many times more than the best since the last drop has overshot.
const OVERSHOT: f64 = 2.0;

/// Velocities after the last sweep, and t. (The last impulses are kept with the points.) Impulses and velocities are carried on by the
/// next sweep, tile by tile where there are tiles.
pub(super) struct Momentum {
    bodies: Vec<f64>,
    t: f64,
    least_work: f64,
}

impl Momentum {
    pub fn new() -> Self {
        Self { bodies: Vec::new(), t: 1.0, least_work: f64::INFINITY }
    }

    /// Starts from the present velocities.
    pub fn start(&mut self, bodies: &Buffer) {
        (self.t, self.least_work) = (1.0, f64::INFINITY);
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies.numbers());
    }

    /// β after a sweep that changed impulses by `work` = Σ‖dR‖²/ρ².
    pub fn next(&mut self, work: f64) -> f64 {
        if work > OVERSHOT * self.least_work {
            (self.t, self.least_work) = (1.0, work);
        }
        self.least_work = self.least_work.min(work);
        let next = 0.5 + (0.25 + self.t * self.t).sqrt();
        let beta = (self.t - 1.0) / next;
        self.t = next;
        beta
    }

    /// The velocities after the last sweep, as rows like those of the bodies.
    pub fn last(&mut self) -> Rows {
        Rows(self.bodies.as_mut_ptr())
    }
}

/// Rows that threads share, each some of its own.
#[derive(Clone, Copy)]
pub(super) struct Rows(*mut f64);

// SAFETY: see `carry`.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    /// Velocities x → y = x + β (x − x_last) for some of the numbers in the rows of bodies. What does not change in a row (masses) stays
    /// as it is: x + β·0.
    ///
    /// # Safety
    /// Both have these numbers, and no one else uses them.
    pub unsafe fn carry(self, engine: Engine, data: Data, numbers: Range<usize>, beta: f64) {
        // SAFETY: the caller's.
        let (xs, lasts) = unsafe {
            let all = |rows: *mut f64| std::slice::from_raw_parts_mut(rows.add(numbers.start), numbers.len());
            (all(data.bodies), all(self.0))
        };
        match engine {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the engine is chosen where the processor has it.
            Engine::Avx => unsafe { carry_avx(xs, lasts, beta) },
            _ => carry_on(xs, lasts, beta),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn carry_avx(xs: &mut [f64], lasts: &mut [f64], beta: f64) {
    carry_on(xs, lasts, beta);
}

#[inline(always)]
fn carry_on(xs: &mut [f64], lasts: &mut [f64], beta: f64) {
    for (x, last) in xs.iter_mut().zip(lasts) {
        let here = *x;
        *x = here + beta * (here - *last);
        *last = here;
    }
}
