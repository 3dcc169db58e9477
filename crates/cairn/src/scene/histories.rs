//! Reading a [`History`]: a number, a ramp, a sine or a table.

use super::History;
use super::csv;
use super::document::{Ask, Problem, Table};

/// Asks for a quantity in time.
pub fn history<'t>(table: &'t Table, key: &'static str, doc: &'static str) -> Ask<'t, History> {
    table.number_or_table(key, doc, History::Constant, read)
}

fn read(t: &Table) -> Option<History> {
    let ramp = t.table("ramp", "straight from one value to another", ramp).optional();
    let sine =
        t.table("sine", "mean + amplitude · sin(2π f t + phase) from start to end, mean otherwise", sine).optional();
    let file =
        t.file("table", "CSV file of times [s] and values: linear between its rows, constant outside").optional();
    let time_column = t.integer("time_column", "column of the times, from 1", 1, 1000).or(1);
    let column = t.integer("column", "column of the values, from 1", 1, 1000).or(2);
    let scale = t.number("scale", "factor on the values of the table").or(1.0);
    if [t.has("ramp"), t.has("sine"), t.has("table")].iter().filter(|given| **given).count() != 1 {
        let message = format!("`{}` needs exactly one of `ramp`, `sine`, `table`", t.path);
        t.reader.report(Problem::new(t.place, message, "which one?"));
        return None;
    }
    match file {
        Some(name) => points(t, &name, time_column as usize - 1, column as usize - 1, scale),
        None => ramp.or(sine),
    }
}

fn ramp(t: &Table) -> Option<History> {
    let from = t.number("from", "value until `start`").or(0.0);
    let to = t.number("to", "value from `end` on").required();
    let start = t.number("start", "start of the change [s]").time().or(0.0);
    let end = t.number("end", "end of the change [s]").time().required();
    let (to, end) = (to?, end?);
    if end <= start {
        t.wrong(
            "end",
            format!("`{}` must be later than `start` = {start}, found {end}", t.path_of("end")),
            "too early",
        );
        return None;
    }
    Some(History::Ramp { from, to, start, end })
}

fn sine(t: &Table) -> Option<History> {
    let mean = t.number("mean", "mean value").or(0.0);
    let amplitude = t.number("amplitude", "amplitude").required();
    let frequency = t.number("frequency", "frequency [Hz]").positive().required();
    let phase = t.number("phase", "phase at t = 0 [°]").or(0.0);
    let start = t.number("start", "first time [s]").time().or(0.0);
    let end = t.number("end", "last time [s]").time().or_as("never", f64::INFINITY);
    if end <= start {
        t.wrong(
            "end",
            format!("`{}` must be later than `start` = {start}, found {end}", t.path_of("end")),
            "too early",
        );
        return None;
    }
    Some(History::Sine { mean, amplitude: amplitude?, frequency: frequency?, phase: phase.to_radians(), start, end })
}

fn points(t: &Table, name: &str, time: usize, value: usize, scale: f64) -> Option<History> {
    let csv = csv::read(t.reader, name, t.place_of("table"))?;
    let columns = csv.rows[0].len();
    if time >= columns || value >= columns {
        let message = format!("`{name}` has {columns} columns; columns {} and {} are asked for", time + 1, value + 1);
        t.wrong("table", message, "this file");
        return None;
    }
    for (row, place) in csv.rows.windows(2).zip(&csv.places[1..]) {
        if row[1][time] <= row[0][time] {
            let message = format!("times must increase: {} follows {}", row[1][time], row[0][time]);
            t.reader.report(Problem::new(*place, message, "this line"));
            return None;
        }
    }
    let unit = t.reader.time_unit.get().seconds();
    Some(History::Table(csv.rows.iter().map(|row| (unit * row[time], scale * row[value])).collect()))
}
