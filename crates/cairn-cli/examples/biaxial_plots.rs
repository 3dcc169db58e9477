//! Draws the two plots of `examples/biaxial`: global against local angle of friction, and area against strain.
//!
//! ```sh
//! cargo run --release -p cairn-cli --example biaxial_plots -- FOLDER
//! ```

use cairn_cli::verify::biaxial::{Sample, Test};
use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use miette::IntoDiagnostic;
use std::path::PathBuf;

const FRICTIONS: [f64; 6] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.8];

fn main() -> miette::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or(".".into()));
    let sample = Sample::shipped()?;
    let tests = FRICTIONS.iter().map(|&mu| sample.test(mu)).collect::<miette::Result<Vec<_>>>()?;
    draw(&angles(&tests), &folder.join("angles.svg"))?;
    draw(&area(&tests), &folder.join("area.svg"))
}

fn draw(data: &PlotData, file: &std::path::Path) -> miette::Result<()> {
    let options = PlotOptions { width: 800, panel_height: 360 };
    plot(data, &options).write(file).into_diagnostic()
}

fn angles(tests: &[Test]) -> PlotData {
    let points = tests.iter().map(|t| (t.local_angle(), t.global_angle())).collect();
    let series = vec![Series { name: "256 disks".into(), style: Style::LinePoints, points }];
    PlotData {
        title: "Global against local angle of friction".into(),
        x: Axis::linear("local angle arctan μ", "°"),
        panels: vec![Panel { y: Axis { range: Some((0.0, 35.0)), ..Axis::linear("global angle φ", "°") }, series }],
    }
}

fn area(tests: &[Test]) -> PlotData {
    let percent = |points: Vec<(f64, f64)>| points.into_iter().map(|(x, y)| (100.0 * x, 100.0 * y)).collect();
    let series = |t: &Test, points| Series { name: format!("μ = {}", t.friction), points, ..Series::default() };
    let growth = tests.iter().map(|t| series(t, percent(t.dilation()))).collect();
    let ratio = tests.iter().map(|t| series(t, t.stress_ratios().into_iter().map(|(x, y)| (100.0 * x, y)).collect()));
    PlotData {
        title: "Stress ratio and growth of the area".into(),
        x: Axis::linear("strain of the width", "%"),
        panels: vec![
            Panel { y: Axis::linear("σ₁/σ₂", "-"), series: ratio.collect() },
            Panel { y: Axis::linear("growth of the area", "%"), series: growth },
        ],
    }
}
