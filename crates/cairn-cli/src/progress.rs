//! What a user sees while a run goes on: a bar, a line now and then, or nothing.

use crate::args::Show;
use cairn::scene::TimeUnit;
use cairn::step::StepReport;
use indicatif::{ProgressBar, ProgressStyle};
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
}

impl Progress {
    /// For a run from `first` to `last` step.
    pub fn new(show: &Show, first: u64, last: u64) -> Self {
        let bar = (!show.quiet && !show.log).then(|| {
            let bar = ProgressBar::new(last);
            let style = ProgressStyle::with_template("{bar:30.cyan/blue} {percent:>3}% {msg}");
            bar.set_style(style.expect("the template is a constant").progress_chars("━╸─"));
            bar.set_position(first);
            bar
        });
        let now = Instant::now();
        Self { bar, log: show.log, start: now, last: now, first_step: first, last_step: last }
    }

    /// After each step: redraws if it is time to.
    pub fn step(&mut self, (time, unit): (f64, TimeUnit), step: u64, report: &StepReport) {
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
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
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
    use super::duration;

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(5.2), "5 s");
        assert_eq!(duration(125.0), "2 min 5 s");
        assert_eq!(duration(3.5 * 3600.0), "3 h 30 min");
        assert_eq!(duration(f64::INFINITY), "?");
    }
}
