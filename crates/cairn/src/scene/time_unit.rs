//! The unit of times in scene files and in what is printed. Inside, and in files of results, times are in seconds.

/// A unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    #[default]
    Second,
    /// Julian years, 365.25 days.
    Year,
}

impl TimeUnit {
    /// How long it is [s].
    pub fn seconds(self) -> f64 {
        match self {
            TimeUnit::Second => 1.0,
            TimeUnit::Year => 365.25 * 86400.0,
        }
    }

    /// As it stands behind a number.
    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Second => "s",
            TimeUnit::Year => "years",
        }
    }

    /// A time [s] in this unit, with up to so many decimals.
    pub fn show(self, time: f64, decimals: usize) -> String {
        match self {
            TimeUnit::Second => format!("{time:.decimals$} s"),
            TimeUnit::Year => format!("{:.1} years", time / self.seconds()),
        }
    }
}
