//! What a user sees while a run goes on: a bar, a line now and then, or nothing.

use crate::args::Show;
use cairn::scene::TimeUnit;
use cairn::step::StepReport;
use cairn_solvers::watch::Watch;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Seconds between two updates of the bar, and between two lines of the log.
const BAR_INTERVAL: Duration = Duration::from_millis(200);
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    log: bool,
    start: Instant,
    last: Instant,
    first_step: u64,
    last_step: u64,
    inside: Option<Inside>,
}

impl Progress {
    /// For a run from `first` to `last` step; the watch tells how far a step is.
    pub fn new(show: &Show, first: u64, last: u64, watch: &Arc<Watch>) -> Self {
        let bar = (!show.quiet && !show.log).then(|| {
            let bar = ProgressBar::new(last);
            let style = ProgressStyle::with_template("{bar:30.cyan/blue} {percent:>3}% {msg}");
            bar.set_style(style.expect("the template is a constant").progress_chars("━╸─"));
            bar.set_position(first);
            bar
        });
        let (interval, sink) = (if bar.is_some() { BAR_INTERVAL } else { LOG_INTERVAL }, bar.clone());
        let tell = move |text: String| match &sink {
            Some(bar) => bar.set_message(text),
            None => eprintln!("{text}"),
        };
        let inside = (bar.is_some() || show.log).then(|| Inside::watch(watch.clone(), first, interval, tell));
        let now = Instant::now();
        Self { bar, log: show.log, start: now, last: now, first_step: first, last_step: last, inside }
    }

    /// After each step: redraws if it is time to.
    pub fn step(&mut self, (time, unit): (f64, TimeUnit), step: u64, report: &StepReport) {
        if let Some(inside) = &self.inside {
            inside.done.store(step, Ordering::Relaxed);
        }
        let interval = if self.bar.is_some() { BAR_INTERVAL } else { LOG_INTERVAL };
        if (self.bar.is_none() && !self.log) || self.last.elapsed() < interval {
            return;
        }
        self.last = Instant::now();
        let rate = (step - self.first_step) as f64 / self.start.elapsed().as_secs_f64();
        let left = (self.last_step.saturating_sub(step)) as f64 / rate;
        let text = format!(
            "t = {} · {rate:.0} steps/s · {} contacts · {} sweeps · residual {:.1e} · {} left",
            unit.show(time, 4),
            report.contacts,
            report.sweeps,
            report.solver.residual,
            duration(left)
        );
        match &self.bar {
            Some(bar) => {
                bar.set_position(step);
                bar.set_message(text);
            }
            None => eprintln!("step {step}: {text}"),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        self.inside = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Tells how far a step is that takes longer than the interval between two lines.
struct Inside {
    /// Steps done.
    done: Arc<AtomicU64>,
    ended: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Inside {
    fn watch(watch: Arc<Watch>, first: u64, interval: Duration, tell: impl Fn(String) + Send + 'static) -> Self {
        let done = Arc::new(AtomicU64::new(first));
        let steps = done.clone();
        let (ended, end) = channel::<()>();
        let each = move || {
            let mut last = u64::MAX;
            while end.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let step = steps.load(Ordering::Relaxed);
                if step == last && watch.iterations() > 0 {
                    tell(inside(step + 1, &watch));
                }
                last = step;
            }
        };
        Self { done, ended: Some(ended), thread: Some(std::thread::spawn(each)) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.ended = None;
        // What it tells must not come after the last line.
        self.thread.take().map(JoinHandle::join);
    }
}

/// How far a step is.
fn inside(step: u64, watch: &Watch) -> String {
    let residual = watch.residual().map_or(String::new(), |residual| format!(" · residual {residual:.1e}"));
    format!("step {step} at work: {} sweeps{residual}", watch.iterations())
}

/// Seconds as people read them.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        "?".to_string()
    } else if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else if seconds < 3600.0 {
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
    } else {
        format!("{:.0} h {:.0} min", (seconds / 3600.0).floor(), (seconds % 3600.0) / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_solvers::watch::Watched;

    #[test]
    fn a_long_step_tells_how_far_it_is() {
        let watch = Arc::new(Watch::new());
        let (told, heard) = channel();
        let inside = Inside::watch(watch.clone(), 6, Duration::from_millis(1), move |text| told.send(text).unwrap());
        let solver = Watched::by(Some(&watch));
        solver.tell(2.5e-3);
        solver.beat();
        assert_eq!(heard.recv().unwrap(), "step 7 at work: 1 sweeps · residual 2.5e-3");
        inside.done.store(7, Ordering::Relaxed);
        assert!(heard.iter().any(|text| text.starts_with("step 8 at work")));
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(5.2), "5 s");
        assert_eq!(duration(125.0), "2 min 5 s");
        assert_eq!(duration(3.5 * 3600.0), "3 h 30 min");
        assert_eq!(duration(f64::INFINITY), "?");
    }
}
