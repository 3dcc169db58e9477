//! A figure as a file, and the numbers behind it.

use super::Figure;
use crate::print::out;
use cairn_draw::{self as draw, Axis, Picture, PlotOptions};
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// Draws a figure; `csv` asks for the table next to it.
pub fn write(name: &str, figure: &Figure, path: &Path, csv: bool) -> miette::Result<()> {
    let picture: Picture = match figure {
        Figure::Curves(data) | Figure::Tabled(data, _) => {
            let panel_height = if data.panels.len() > 1 { 200 } else { 480 };
            draw::plot(data, &PlotOptions { width: 1000, panel_height })
        }
        Figure::Roses(title, roses) => draw::rose(&format!("{title}: contact directions"), roses, 700),
    };
    picture.write(path).into_diagnostic()?;
    if csv {
        let file = path.with_extension("csv");
        std::fs::write(&file, table(name, figure)).map_err(|e| miette!("cannot write {}: {e}", file.display()))?;
        out(&format!("{}\n", file.display()));
    }
    Ok(())
}

/// The figure's own, or one row per point: which quantity, which series, x and y in SI units.
fn table(name: &str, figure: &Figure) -> String {
    let quoted = |t: &str| format!("\"{}\"", t.replace('"', "\"\""));
    let title = |a: &Axis| if a.unit.is_empty() { a.label.clone() } else { format!("{} [{}]", a.label, a.unit) };
    let mut text = String::new();
    match figure {
        Figure::Curves(data) => {
            text += &format!("quantity,series,{},value\n", quoted(&title(&data.x)));
            for panel in &data.panels {
                for series in &panel.series {
                    for (x, y) in &series.points {
                        text += &format!("{},{},{x:e},{y:e}\n", quoted(&title(&panel.y)), quoted(&series.name));
                    }
                }
            }
        }
        Figure::Tabled(_, table) => text += table,
        Figure::Roses(_, roses) => {
            text += "quantity,series,direction [rad],density\n";
            for rose in roses {
                for (angle, density) in &rose.sectors {
                    text += &format!("{name},{},{angle:e},{density:e}\n", quoted(&rose.name));
                }
            }
        }
    }
    text
}
