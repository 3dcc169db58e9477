//! Draws the load–displacement plots of `examples/double-cantilever` and `examples/end-notched-flexure`, and prints
//! the errors against the size of the mesh that `docs/laws.md` tells.
//!
//! ```sh
//! cargo run --release -p cairn-draw --example delamination
//! ```

#[path = "../../cairn/tests/joints/delamination.rs"]
#[allow(dead_code)] // The tests need more of it.
mod delamination;

use cairn_draw::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use delamination::{DOUBLE_CANTILEVER, END_NOTCHED, Specimen, examples};

fn main() {
    let opening = [("60, 2", "1 mm"), ("120, 3", "0.5 mm"), ("240, 4", "0.25 mm")];
    study(&DOUBLE_CANTILEVER, &opening, ("opening", "Double cantilever: load against opening"));
    let sliding = [("110, 3", "2 mm"), ("160, 3", "1.4 mm"), ("220, 3", "1 mm")];
    study(&END_NOTCHED, &sliding, ("deflection", "End-notched flexure: load against deflection"));
}

/// Runs with several meshes; prints errors, draws loads.
fn study(specimen: &Specimen, meshes: &[(&str, &str)], (axis, title): (&str, &str)) {
    println!(
        "{}\n\n| mesh | peak load | load | dissipated | with stored |\n| --- | --- | --- | --- | --- |",
        specimen.name
    );
    let mut series = Vec::new();
    for (cells, size) in meshes {
        let cells = format!("[{cells}]");
        let cells = [("deformable.0.mesh.cells", cells.as_str()), ("deformable.1.mesh.cells", cells.as_str())];
        let points = specimen.run(&cells, |s, converged| assert!(converged, "{}", s.state.time));
        let e = specimen.errors(&points);
        let [a, b, c, d] = [e.peak, e.load, e.dissipated, e.spent].map(|e| format!("{:+.1} %", 100.0 * e));
        println!("| {size} | {a} | {b} | {c} | {d} |");
        let points = points.iter().map(|p| (1e3 * p.displacement, 1e-3 * p.load)).collect();
        series.push(Series { name: format!("cells of {size}"), points, ..Series::default() });
    }
    println!();
    let last = series.iter().flat_map(|s: &Series| s.points.last().map(|p| p.0)).fold(0.0, f64::max);
    let beam = |x: f64| (x, 1e-3 * (specimen.theory)(1e-3 * x).load);
    let points = (0..=400).map(|k| beam(last * f64::from(k) / 400.0)).collect();
    series.push(Series { name: "beam theory".into(), style: Style::Dashed, points });
    let y = Axis { range: None, ..Axis::linear("load", "kN/m") };
    let data = PlotData { title: title.into(), x: Axis::linear(axis, "mm"), panels: vec![Panel { y, series }] };
    let file = examples().join(specimen.name).join("plot.svg");
    let drawn = plot(&data, &PlotOptions { width: 800, panel_height: 360 });
    drawn.write(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}
