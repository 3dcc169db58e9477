//! The threads of a simulation.
//!
//! A process that is forked has none of the threads of its parent: a pool is remembered with the process that made it, and made anew in
//! another one.

use std::sync::Arc;

/// The threads of the process, or some of its own.
#[derive(Clone, Default)]
pub struct Pool {
    /// How many; 0: those of the process.
    threads: usize,
    made: Option<(u32, Arc<rayon::ThreadPool>)>,
}

impl Pool {
    /// A pool of its own with this many threads; 0: the threads of the process.
    pub fn of(threads: usize) -> Self {
        Self { threads, made: None }
    }

    /// Runs on these threads.
    pub fn run<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> R {
        if self.threads == 0 {
            return work();
        }
        let process = std::process::id();
        if self.made.as_ref().is_none_or(|(maker, _)| *maker != process) {
            // Ending the pool of a parent would wait for threads that are not here.
            std::mem::forget(self.made.take());
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            self.made = pool.ok().map(|pool| (process, Arc::new(pool)));
        }
        match &self.made {
            Some((_, pool)) => pool.install(work),
            // No threads to be had: the results are the same.
            None => work(),
        }
    }
}
