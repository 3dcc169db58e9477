//! Plots of the history: columns against time.

use super::label;
use crate::results::{require, time_unit, title};
use cairn::output::{Column, History};
use cairn::scene::TimeUnit;
use cairn_draw::{self as draw, Axis, Panel, Series, Style};
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

/// Runs with their names.
type Runs = Vec<(String, History)>;

/// The runs, with their times in the unit of the first.
fn read(folders: &[PathBuf]) -> miette::Result<Runs> {
    let unit = time_unit(&folders[0]);
    let one = |folder: &PathBuf| {
        let mut history = history(folder)?;
        in_unit(&mut history, unit);
        Ok((label(folder), history))
    };
    folders.iter().map(one).collect()
}

/// Times in another unit than that of the file, seconds.
fn in_unit(history: &mut History, unit: TimeUnit) {
    if unit != TimeUnit::Second {
        history.columns[1].unit = unit.symbol().to_string();
        history.rows.iter_mut().for_each(|row| row[1] /= unit.seconds());
    }
}

/// A panel for each pick (part of a column's name, label, logarithmic), with the columns that are ever different from
/// zero.
pub fn panels(folders: &[PathBuf], picks: &[(&str, &str, bool)]) -> miette::Result<Vec<Panel>> {
    let runs = read(folders)?;
    let made = picks.iter().filter_map(|&(pick, title, log)| {
        panel(&runs, title, log, |name| name.contains(pick) && name != "active contacts")
    });
    some(made.collect())
}

/// A panel for each group of columns, by their names.
pub fn groups(folders: &[PathBuf], groups: &[(&str, Vec<String>)]) -> miette::Result<Vec<Panel>> {
    let runs = read(folders)?;
    let made =
        groups.iter().filter_map(|(title, columns)| panel(&runs, title, false, |n| columns.iter().any(|c| c == n)));
    some(made.collect())
}

/// Every column of several runs, each on a panel of its own.
pub fn overlaid(folders: &[PathBuf]) -> miette::Result<Vec<Panel>> {
    let runs = read(folders)?;
    let mut names: Vec<&str> = Vec::new();
    for column in runs.iter().flat_map(|(_, history)| history.columns.iter().skip(2)) {
        if !names.contains(&column.name.as_str()) {
            names.push(&column.name);
        }
    }
    let is_log = |name: &str| name.contains("error") || name.contains("residual");
    some(names.iter().filter_map(|name| panel(&runs, name, is_log(name), |n| n == *name)).collect())
}

fn some(panels: Vec<Panel>) -> miette::Result<Vec<Panel>> {
    if panels.is_empty() {
        return Err(miette!("the history holds nothing of this kind but zeros"));
    }
    Ok(panels)
}

/// The columns of all runs that are picked and ever different from zero, if there are any.
fn panel(runs: &Runs, title: &str, log: bool, is_picked: impl Fn(&str) -> bool) -> Option<Panel> {
    let (mut series, mut unit) = (Vec::new(), String::new());
    let mut columns: Vec<&str> = Vec::new();
    for (run, history) in runs {
        for (k, column) in history.columns.iter().enumerate().filter(|(_, c)| is_picked(&c.name)) {
            let size = |v: f64| if log { v.abs() } else { v };
            let points: Vec<_> = history.rows.iter().map(|r| (r[1], size(r[k]))).collect();
            if points.iter().all(|p| p.1 == 0.0) {
                continue;
            }
            unit.clone_from(&column.unit);
            columns.push(&column.name);
            let name = if runs.len() > 1 { format!("{run}: {}", column.name) } else { column.name.clone() };
            series.push(Series { name, style: Style::Line, points });
        }
    }
    // Where the axis says which column it is, the name of the run is enough.
    if runs.len() > 1 && columns.iter().all(|c| *c == title) {
        series.iter_mut().for_each(|s| s.name.truncate(s.name.len() - title.len() - 2));
    }
    let y = if log { Axis::log(title, &unit) } else { Axis::linear(title, &unit) };
    (!series.is_empty()).then_some(Panel { y, series })
}

/// Plots the history of a results folder.
pub fn draw_history(dir: &Path, unit: TimeUnit, path: &Path) -> miette::Result<()> {
    let (title, mut history) = (title(dir), history(dir)?);
    in_unit(&mut history, unit);
    let columns: Vec<_> = history.columns.iter().map(|Column { name, unit }| (name, unit)).collect();
    draw::history_plot(&title, &columns, &history.rows).write(path).into_diagnostic()
}
