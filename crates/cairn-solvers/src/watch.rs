//! What a solver shares with who waits for it: the wish that it stops, and how far it is.
//!
//! A solver looks here once in each sweep or iteration. Asked to stop it returns soon, with an answer that is of no use; who asked knows
//! that from the watch, and throws it away. Nothing of it enters a result.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared between the thread that solves and those that wait for it.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    iterations: AtomicU64,
    /// Bits of the residual last evaluated.
    residual: AtomicU64,
}

impl Watch {
    /// Nobody wants to stop, nothing is done yet.
    pub const fn new() -> Self {
        Self { stop: AtomicBool::new(false), iterations: AtomicU64::new(0), residual: AtomicU64::new(0) }
    }

    /// Asks to stop. Does nothing else, so that a signal handler may call it.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Has somebody asked to stop?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Takes the wish back.
    pub fn go_on(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Counts from zero again: another step begins.
    pub fn begin(&self) {
        self.iterations.store(0, Ordering::Relaxed);
        self.residual.store(0, Ordering::Relaxed);
    }

    /// Sweeps and iterations of other methods since it began.
    pub fn iterations(&self) -> u64 {
        self.iterations.load(Ordering::Relaxed)
    }

    /// The residual last evaluated, if there is one.
    pub fn residual(&self) -> Option<f64> {
        let residual = f64::from_bits(self.residual.load(Ordering::Relaxed));
        (residual > 0.0).then_some(residual)
    }
}

/// A watch, or none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched<'a>(Option<&'a Watch>);

/// The same watch.
impl PartialEq for Watched<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Some(one), Some(other)) => std::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl<'a> Watched<'a> {
    /// Nobody waits.
    pub const NONE: Self = Self(None);

    /// By this watch, if there is one.
    pub fn by(watch: Option<&'a Watch>) -> Self {
        Self(watch)
    }

    /// Has somebody asked to stop?
    #[inline]
    pub fn is_stopped(self) -> bool {
        self.0.is_some_and(Watch::is_stopped)
    }

    /// Counts an iteration; true if the solver is to stop. One thread counts: no locked addition is needed.
    #[inline]
    pub fn beat(self) -> bool {
        let Some(watch) = self.0 else { return false };
        watch.iterations.store(watch.iterations() + 1, Ordering::Relaxed);
        watch.is_stopped()
    }

    /// The residual that was reached.
    pub fn tell(self, residual: f64) {
        if let Some(watch) = self.0 {
            watch.residual.store(residual.to_bits(), Ordering::Relaxed);
        }
    }
}
