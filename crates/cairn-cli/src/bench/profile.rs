//! Performance profiles (Dolan, Moré 2002): for each solver the share of the problems that it solves within τ times the
//! time of the best solver of that problem, over τ.
//!
//! At τ = 1 a curve says how often its solver is the fastest, at its right end how often it gets there at all.

use cairn_draw::{self as draw, Axis, Panel, Picture, PlotData, PlotOptions, Series, Style};

/// Where the axis of τ ends.
const WIDEST: f64 = 1e4;

/// Seconds of each solver for each problem, `None` where it did not solve it.
pub struct Times<'n> {
    /// Names of the solvers.
    pub solvers: Vec<&'n str>,
    /// Rows of one time per solver.
    pub rows: Vec<Vec<Option<f64>>>,
}

impl Times<'_> {
    /// The curve of a solver: (τ, share) at each step.
    pub fn curve(&self, solver: usize) -> Vec<(f64, f64)> {
        let ratio = |row: &Vec<Option<f64>>| {
            let best = row.iter().flatten().fold(f64::INFINITY, |a, &b| a.min(b));
            row[solver].map(|t| if t > best { t / best } else { 1.0 })
        };
        let mut ratios: Vec<f64> = self.rows.iter().filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let share = |count: usize| count as f64 / self.rows.len().max(1) as f64;
        let mut curve = vec![(1.0, share(ratios.iter().filter(|&&r| r <= 1.0).count()))];
        for (k, &ratio) in ratios.iter().enumerate().filter(|(_, r)| **r > 1.0) {
            curve.extend([(ratio, share(k)), (ratio, share(k + 1))]);
        }
        curve.push((WIDEST, share(ratios.len())));
        curve
    }

    /// All curves in one plot.
    pub fn plot(&self, title: &str) -> Picture {
        let series = self.solvers.iter().enumerate().map(|(k, name)| Series {
            name: name.to_string(),
            style: style(name),
            points: self.curve(k),
        });
        let share = Axis { range: Some((0.0, 1.0)), ..Axis::linear("share of the problems solved", "") };
        let x =
            Axis { range: Some((1.0, WIDEST)), ..Axis::log("time over that of the best solver of the problem", "") };
        let data = PlotData { title: title.into(), x, panels: vec![Panel { y: share, series: series.collect() }] };
        draw::plot(&data, &PlotOptions::default())
    }
}

/// There are more solvers than colours: families are told apart by the way of the line.
fn style(solver: &str) -> Style {
    match solver {
        "auto" => Style::Line,
        _ if solver.starts_with("nlgs") => Style::Dashed,
        _ => Style::LinePoints,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_counts_wins_at_one_and_solved_problems_at_its_end() {
        let rows = vec![vec![Some(1.0), Some(2.0)], vec![Some(3.0), None], vec![Some(4.0), Some(1.0)]];
        let times = Times { solvers: vec!["a", "b"], rows };
        let (third, whole) = (1.0 / 3.0, 1.0);
        assert_eq!(times.curve(0), [(1.0, 2.0 * third), (4.0, 2.0 * third), (4.0, whole), (WIDEST, whole)]);
        assert_eq!(times.curve(1), [(1.0, third), (2.0, third), (2.0, 2.0 * third), (WIDEST, 2.0 * third)]);
    }
}
