//! A stopwatch that other programs on the machine do not disturb: with one thread it counts the processor time of that
//! thread, with several the wall time.

use cpu_time::ThreadTime;
use std::time::Instant;

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// Processor time of this thread.
    Processor(ThreadTime),
    /// Wall time.
    Wall(Instant),
}

impl Clock {
    /// Starts it.
    pub fn start() -> Self {
        match ThreadTime::try_now() {
            Ok(now) if rayon::current_num_threads() == 1 => Self::Processor(now),
            _ => Self::Wall(Instant::now()),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        match self {
            Self::Processor(start) => start.elapsed().as_secs_f64(),
            Self::Wall(start) => start.elapsed().as_secs_f64(),
        }
    }
}
