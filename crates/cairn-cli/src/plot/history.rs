//! Plots of the history: columns against time.

use super::label;
use crate::results::{require, title};
use cairn::draw::{self, Axis, Panel, Series, Style};
use cairn::output::{Column, History};
use miette::{IntoDiagnostic, miette};
use std::path::{Path, PathBuf};

/// The history of a run; a warning for each line of it that is lost.
fn history(folder: &Path) -> miette::Result<History> {
    require(folder, &["history.csv"])?;
    let history = History::read(folder).into_diagnostic()?;
    for bad in &history.damaged {
        eprintln!("warning: {}, line {} of the history: {}", folder.display(), bad.line, bad.problem);
    }
    Ok(history)
}

/// A panel for each pick (part of a column's name, label, logarithmic), with the columns that are ever different from
/// zero.
pub fn panels(folders: &[PathBuf], picks: &[(&str, &str, bool)]) -> miette::Result<Vec<Panel>> {
    let runs: Vec<(String, History)> =
        folders.iter().map(|f| Ok((label(f), history(f)?))).collect::<miette::Result<_>>()?;
    let mut panels = Vec::new();
    for &(pick, title, log) in picks {
        let (mut series, mut unit) = (Vec::new(), String::new());
        for (run, history) in &runs {
            let chosen = history
                .columns
                .iter()
                .enumerate()
                .filter(|(_, c)| c.name.contains(pick) && c.name != "active contacts");
            for (k, column) in chosen {
                let size = |v: f64| if log { v.abs() } else { v };
                let points: Vec<_> = history.rows.iter().map(|r| (r[1], size(r[k]))).collect();
                if points.iter().all(|p| p.1 == 0.0) {
                    continue;
                }
                unit.clone_from(&column.unit);
                let name = if runs.len() > 1 { format!("{run}: {}", column.name) } else { column.name.clone() };
                series.push(Series { name, style: Style::Line, points });
            }
        }
        if !series.is_empty() {
            let y = if log { Axis::log(title, &unit) } else { Axis::linear(title, &unit) };
            panels.push(Panel { y, series });
        }
    }
    if panels.is_empty() {
        return Err(miette!("the history holds nothing of this kind but zeros"));
    }
    Ok(panels)
}

/// Plots the history of a results folder.
pub fn draw_history(dir: &Path, path: &Path) -> miette::Result<()> {
    let (title, history) = (title(dir), history(dir)?);
    let columns: Vec<_> = history.columns.iter().map(|Column { name, unit }| (name, unit)).collect();
    draw::history_plot(&title, &columns, &history.rows).write(path).into_diagnostic()
}
