//! Axes: from values to the unit interval, ticks and their labels.
//!
//! linear: ξ = (v − low)/(high − low);  logarithmic: ξ = (lg v − lg low)/(lg high − lg low).

use super::{Axis, Panel, PlotData, Style};
use crate::number::{decade_ticks, engineering, label, linear_ticks, superscript};

/// An axis with its ends chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// Values are shown divided by this …
    factor: f64,
    /// … in this unit.
    unit: String,
}

impl Scale {
    /// 0 at the low end, 1 at the high end; `None` for what has no place on the axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = if !self.log {
            (value - self.low) / (self.high - self.low)
        } else if value > 0.0 {
            (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            return None;
        };
        // Far outside is as good as outside, and safe for renderers that count in single precision.
        place.is_finite().then(|| place.clamp(-50.0, 50.0))
    }

    /// About `count` ticks: place in 0…1 and label.
    pub fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        let count = count.clamp(1.0, 20.0) as usize;
        if self.log {
            let decades = decade_ticks(self.low, self.high, count.max(2));
            return decades
                .into_iter()
                .filter_map(|e| Some((self.place(10f64.powi(e))?, format!("10{}", superscript(e)))))
                .collect();
        }
        let ticks = linear_ticks(self.low / self.factor, self.high / self.factor, count);
        let placed = ticks.at.iter().filter_map(|&v| Some((self.place(v * self.factor)?, label(v, ticks.step))));
        placed.collect()
    }

    /// Places of 2, 3 … 9 within each decade of a log axis that shows few of them.
    pub fn minor_ticks(&self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        if !self.log || last - first > 10 {
            return vec![];
        }
        let values = (first..last).flat_map(|e| (2..10).map(move |k| k as f64 * 10f64.powi(e)));
        values.filter_map(|v| self.place(v)).filter(|p| (0.0..=1.0).contains(p)).collect()
    }

    /// Label of the axis with the unit it shows.
    pub fn title(&self, axis: &Axis) -> String {
        match self.unit.as_str() {
            "" | "-" => axis.label.clone(),
            unit => format!("{} [{unit}]", axis.label),
        }
    }
}

/// The x axis that holds all series of all panels.
pub fn horizontal(data: &PlotData) -> Scale {
    let series = || data.panels.iter().flat_map(|p| &p.series);
    let has_markers = series().any(|s| matches!(s.style, Style::Points | Style::LinePoints));
    let values = series().flat_map(|s| s.points.iter().filter(|p| p.1.is_finite()).map(|p| p.0));
    scale(&data.x, values, if has_markers { 0.04 } else { 0.0 })
}

/// The y axis of a panel; `lines` is its height in lines of text.
pub fn vertical(panel: &Panel, lines: f64) -> Scale {
    let values = panel.series.iter().flat_map(|s| s.points.iter().filter(|p| p.0.is_finite()).map(|p| p.1));
    scale(&panel.y, values, if lines < 12.0 { 0.1 } else { 0.05 })
}

fn scale(axis: &Axis, values: impl Iterator<Item = f64>, margin: f64) -> Scale {
    let usable = values.filter(|v| v.is_finite() && (!axis.log || *v > 0.0));
    let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let (low, high) = match axis.range {
        Some((a, b)) if a < b && a.is_finite() && b.is_finite() && (!axis.log || a > 0.0) => (a, b),
        _ if axis.log => log_ends(low, high),
        _ => linear_ends(low, high, margin),
    };
    let (factor, unit) =
        if axis.log { (1.0, axis.unit.clone()) } else { engineering(low.abs().max(high.abs()), &axis.unit) };
    Scale { low, high, log: axis.log, factor, unit }
}

/// Whole decades, at most twenty: below, rounding is all there is to see.
fn log_ends(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.1, 1.0);
    }
    let top = high.log10().ceil().clamp(-300.0, 308.0);
    let bottom = low.log10().floor().min(top - 1.0).max(top - 20.0);
    (10f64.powf(bottom), 10f64.powf(top))
}

fn linear_ends(low: f64, high: f64, margin: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let span = high - low;
    let size = low.abs().max(high.abs());
    if !span.is_finite() || span <= 1e-12 * size {
        let half = if size > 0.0 { 0.1 * size } else { 1.0 };
        return (low - half, high + half);
    }
    // A quantity that starts at nothing has its zero on the frame.
    let low_end = if low >= 0.0 && low < 0.02 * span { 0.0f64.min(low) } else { low - margin * span };
    (low_end, high + margin * span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_land_in_proportion() {
        let linear = scale(&Axis { range: Some((10.0, 20.0)), ..Axis::linear("x", "m") }, std::iter::empty(), 0.0);
        assert_eq!(linear.place(15.0), Some(0.5));
        let log = scale(&Axis::log("x", "m"), [1e-4, 3.0].into_iter(), 0.0);
        assert!((log.place(1e-1).unwrap() - 0.6).abs() < 1e-12);
        assert_eq!((log.place(0.0), log.place(-1.0), log.place(f64::NAN)), (None, None, None));
        let labels: Vec<String> = log.ticks(10.0).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"]);
    }

    #[test]
    fn ticks_are_shown_in_the_unit_of_the_title() {
        let axis = Axis::linear("force", "N");
        let force = scale(&axis, [0.0, 50_000.0].into_iter(), 0.0);
        assert_eq!(force.title(&axis), "force [kN]");
        let labels: Vec<String> = force.ticks(5.0).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0", "10", "20", "30", "40", "50"]);
    }

    #[test]
    fn extreme_data_still_make_an_axis() {
        for values in [vec![], vec![3.0], vec![0.0], vec![f64::NAN], vec![-1e308, 1e308], vec![1e-320, 1e-310]] {
            for axis in [Axis::linear("a", "m"), Axis::log("a", "m")] {
                let s = scale(&axis, values.iter().copied(), 0.05);
                assert!(s.low < s.high, "{s:?}");
                assert!(s.ticks(6.0).len() < 50);
            }
        }
    }
}
