//! A quantity in time: constant, ramp, sine or table.

use super::StageStart;

/// A scalar function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum History {
    /// Always the same.
    Constant(f64),
    /// `from` until `start`, `to` from `end` on, straight in between.
    Ramp {
        /// Value before.
        from: f64,
        /// Value after.
        to: f64,
        /// Start of the change [s].
        start: f64,
        /// End of the change [s].
        end: f64,
    },
    /// mean + amplitude · sin(2π f t + phase) while start ≤ t ≤ end, `mean` otherwise.
    Sine {
        /// Mean value.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Frequency [Hz].
        frequency: f64,
        /// Phase at t = 0 [rad].
        phase: f64,
        /// First time [s].
        start: f64,
        /// Last time [s].
        end: f64,
    },
    /// Linear between the points, constant outside; times strictly increasing.
    Table(Vec<(f64, f64)>),
    /// Cosine or sine of an angle in time.
    Turned {
        /// The angle [°].
        angle: Box<History>,
        /// Its sine; else its cosine.
        sine: bool,
    },
    /// 0 until a stage begins, then a history whose times count from there.
    Staged {
        /// Number of the stage.
        stage: usize,
        /// When it begins [s]; infinite as long as it has not.
        start: f64,
        /// From then on.
        then: Box<History>,
    },
}

impl History {
    /// A bound of the absolute value at all times.
    pub fn bound(&self) -> f64 {
        match self {
            History::Constant(v) => v.abs(),
            History::Ramp { from, to, .. } => from.abs().max(to.abs()),
            History::Sine { mean, amplitude, .. } => mean.abs() + amplitude.abs(),
            History::Table(points) => points.iter().fold(0.0, |b, p| f64::max(b, p.1.abs())),
            History::Turned { .. } => 1.0,
            History::Staged { then, .. } => then.bound(),
        }
    }

    /// When the value changes for the last time [s]; infinite if it never rests. A stage that has not begun changes nothing.
    pub fn settles(&self) -> f64 {
        match self {
            History::Constant(_) => 0.0,
            History::Ramp { end, .. } | History::Sine { end, .. } => *end,
            History::Table(points) => points.last().map_or(0.0, |p| p.0),
            History::Turned { angle, .. } => angle.settles(),
            History::Staged { start, then, .. } if start.is_finite() => start + then.settles(),
            History::Staged { .. } => 0.0,
        }
    }

    /// Puts the start of stages in that have begun, and takes it out of those that have not.
    pub fn enter(&mut self, begun: &[StageStart]) {
        match self {
            History::Staged { stage, start, .. } => *start = begun.get(*stage).map_or(f64::INFINITY, |s| s.time),
            History::Turned { angle, .. } => angle.enter(begun),
            History::Constant(_) | History::Ramp { .. } | History::Sine { .. } | History::Table(_) => {}
        }
    }

    /// Does it change for ever, once it has begun?
    pub fn never_rests(&self) -> bool {
        match self {
            History::Staged { then, .. } => then.never_rests(),
            History::Turned { angle, .. } => angle.never_rests(),
            plain => plain.settles() == f64::INFINITY,
        }
    }

    /// The value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            History::Constant(v) => *v,
            History::Ramp { from, to, start, end } => {
                if t <= *start {
                    *from
                } else if t >= *end {
                    *to
                } else {
                    from + (to - from) * (t - start) / (end - start)
                }
            }
            History::Sine { mean, amplitude, frequency, phase, start, end } => {
                if t < *start || t > *end {
                    *mean
                } else {
                    mean + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
                }
            }
            History::Table(points) => {
                let after = points.partition_point(|p| p.0 <= t);
                if after == 0 {
                    points[0].1
                } else if after == points.len() {
                    points[after - 1].1
                } else {
                    let ((t0, v0), (t1, v1)) = (points[after - 1], points[after]);
                    v0 + (v1 - v0) * (t - t0) / (t1 - t0)
                }
            }
            History::Turned { angle, sine: false } => angle.at(t).to_radians().cos(),
            History::Turned { angle, sine: true } => angle.at(t).to_radians().sin(),
            History::Staged { start, then, .. } => {
                if t < *start {
                    0.0
                } else {
                    then.at(t - start)
                }
            }
        }
    }
}
