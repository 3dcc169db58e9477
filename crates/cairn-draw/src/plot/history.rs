//! The default plot of a run: its energy account, its contacts, the solver's work, and chosen resultants.

use super::{Axis, Panel, PlotData, PlotOptions, Series, Style, plot};
use crate::canvas::Picture;

/// Columns of the energy account, in the order of the legend.
const ENERGIES: [&str; 12] = [
    "kinetic energy",
    "potential energy",
    "strain energy",
    "energy of joints",
    "work of loads",
    "work of drives",
    "dissipated by friction",
    "dissipated by rolling",
    "dissipated by shocks",
    "dissipated by damage",
    "dissipated by damping",
    "dissipated by scheme",
];

/// Draws a history: one (name, unit) per column, one row per time. The time is the column called "time", or the first.
/// Energies share a panel (the potential energy as change from the start), components x, y, z of a resultant too;
/// every other column has its own, logarithmic for errors and residuals. What is always zero is left out.
pub fn history_plot<S: AsRef<str>>(title: &str, columns: &[(S, S)], rows: &[Vec<f64>]) -> Picture {
    let names: Vec<(&str, &str)> = columns.iter().map(|(n, u)| (n.as_ref(), u.as_ref())).collect();
    let time = names.iter().position(|c| c.0 == "time").unwrap_or(0);
    let table = Table { names: &names, rows, time };
    let (label, unit) = names.get(time).copied().unwrap_or(("time", "s"));
    let mut panels = Vec::new();
    panels.extend(energies(&table));
    let is_shown = |&c: &usize| {
        let own_panel = c != time && names[c].0 != "step" && !ENERGIES.contains(&names[c].0);
        own_panel && table.points(c).iter().any(|p| p.1 != 0.0)
    };
    let others: Vec<usize> = (0..names.len()).filter(is_shown).collect();
    for family in others.chunk_by(|&a, &b| names[a].1 == names[b].1 && stem(names[a].0) == stem(names[b].0)) {
        panels.push(family_panel(&table, family));
    }
    let data = PlotData { title: title.into(), x: Axis::linear(label, unit), panels };
    plot(&data, &PlotOptions { width: 1000, panel_height: 170 })
}

struct Table<'a> {
    names: &'a [(&'a str, &'a str)],
    rows: &'a [Vec<f64>],
    time: usize,
}

impl Table<'_> {
    fn points(&self, column: usize) -> Vec<(f64, f64)> {
        let value = |row: &[f64], c: usize| row.get(c).copied().unwrap_or(f64::NAN);
        self.rows.iter().map(|row| (value(row, self.time), value(row, column))).collect()
    }
}

/// Those parts of the account that are ever different from zero.
fn energies(table: &Table) -> Option<Panel> {
    let mut series = Vec::new();
    let mut unit = "J";
    for name in ENERGIES {
        let Some(column) = table.names.iter().position(|c| c.0 == name) else { continue };
        unit = table.names[column].1;
        let mut points = table.points(column);
        let mut shown = name.strip_suffix(" energy").unwrap_or(name).to_string();
        if name == "potential energy" {
            let start = points.first().map_or(0.0, |p| p.1);
            points.iter_mut().for_each(|p| p.1 -= start);
            shown = "potential (change)".into();
        }
        if points.iter().any(|p| p.1 != 0.0) {
            series.push(Series { name: shown, style: Style::Line, points });
        }
    }
    (!series.is_empty()).then(|| Panel { y: Axis::linear("energy", unit), series })
}

/// "base force x" and "base force y" are one family, "base force".
fn stem(name: &str) -> &str {
    [" x", " y", " z"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn family_panel(table: &Table, family: &[usize]) -> Panel {
    let (name, unit) = table.names[family[0]];
    let log = name.contains("error") || name.contains("residual");
    let label = if family.len() > 1 { stem(name) } else { name };
    let series = family.iter().map(|&column| {
        let mut points = table.points(column);
        if log {
            points.iter_mut().for_each(|p| p.1 = p.1.abs());
        }
        let shown = if family.len() > 1 { table.names[column].0 } else { "" };
        Series { name: shown.into(), style: Style::Line, points }
    });
    let series = series.collect();
    let y = if log { Axis::log(label, unit) } else { Axis::linear(label, unit) };
    Panel { y, series }
}
