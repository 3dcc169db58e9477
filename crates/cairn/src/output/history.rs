//! The history: a table of numbers in time, as CSV that any program reads.
//!
//! The first two columns are always `step` and `time [s]`; the caller names the others. Numbers are written with the
//! fewest digits that give the same bits back.

use super::error::{Error, Result, at};
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Name of the file in the results folder.
pub(super) const FILE: &str = "history.csv";

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, e.g. `kinetic energy`.
    pub name: String,
    /// Unit, e.g. `J`; empty for a pure number.
    pub unit: String,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// `name [unit]`
    pub fn title(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }

    fn from_title(title: &str) -> Self {
        match title.strip_suffix(']').and_then(|t| t.rsplit_once(" [")) {
            Some((name, unit)) => Self::new(name, unit),
            None => Self::new(title, ""),
        }
    }
}

/// The columns that every history starts with.
fn first_columns() -> [Column; 2] {
    [Column::new("step", ""), Column::new("time", "s")]
}

/// A history that is being written.
#[derive(Debug)]
pub(super) struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    columns: usize,
    /// Step of the last row.
    last: Option<u64>,
    /// Rows that can be read.
    rows: u64,
}

impl Writer {
    /// A new table without rows.
    pub(super) fn create(dir: &Path, columns: &[Column]) -> Result<Self> {
        let path = dir.join(FILE);
        let file = File::create(&path).map_err(at("create", &path))?;
        let mut writer = Self { path, file: BufWriter::new(file), columns: columns.len(), last: None, rows: 0 };
        writer.line(&header(columns))?;
        Ok(writer)
    }

    /// The rows up to and including step `step`, to append to; later and unfinished ones are removed.
    pub(super) fn resume(dir: &Path, columns: &[Column], step: u64) -> Result<Self> {
        let path = dir.join(FILE);
        let text = read_text(&path)?;
        if text.split_inclusive('\n').next().map(str::trim_end) != Some(header(columns).as_str()) {
            let message = "the columns are not those of this scene".to_string();
            return Err(Error::History { path, message });
        }
        let (mut keep, mut end, mut last, mut rows) = (0, 0, None, 0);
        for line in text.split_inclusive('\n') {
            end += line.len();
            let row = step_of(line).filter(|&s| s <= step && line.ends_with('\n'));
            if keep == 0 || row.is_some() {
                (keep, last) = (end, row);
            }
            rows += u64::from(row.is_some() && parse_row(line.trim_end(), columns.len() + 2).is_ok());
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(at("open", &path))?;
        file.set_len(keep as u64).map_err(at("write", &path))?;
        Ok(Self { path, file: BufWriter::new(file), columns: columns.len(), last, rows })
    }

    /// Adds a row, unless there is one for this step; `values` are those of the caller's columns.
    pub(super) fn row(&mut self, step: u64, time: f64, values: &[f64]) -> Result<()> {
        if values.len() != self.columns {
            let message = format!("a row of {} values for {} columns", values.len(), self.columns);
            return Err(Error::History { path: self.path.clone(), message });
        }
        if self.last.is_some_and(|last| last >= step) {
            return Ok(());
        }
        self.last = Some(step);
        self.rows += 1;
        let mut line = format!("{step},{time:e}");
        for v in values {
            line.push_str(&format!(",{v:e}"));
        }
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<()> {
        writeln!(self.file, "{line}").and_then(|()| self.file.flush()).map_err(at("write", &self.path))
    }

    /// Number of rows that can be read.
    pub(super) fn len(&self) -> u64 {
        self.rows
    }

    /// Hands all to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.get_ref().sync_data().map_err(at("write", &self.path))
    }
}

fn step_of(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

fn header(columns: &[Column]) -> String {
    let all: Vec<String> = first_columns().iter().chain(columns).map(|c| quoted(&c.title())).collect();
    all.join(",")
}

/// A title as a field of CSV: quoted where it must be.
fn quoted(title: &str) -> String {
    let title = title.replace(['\n', '\r'], " ");
    if title.contains([',', '"']) { format!("\"{}\"", title.replace('"', "\"\"")) } else { title }
}

/// Takes the fields of a header apart, minding quotes.
fn fields(line: &str) -> Vec<String> {
    let (mut out, mut field, mut inside) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if inside && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => inside = !inside,
            ',' if !inside => out.push(std::mem::take(&mut field)),
            _ => field.push(c),
        }
    }
    out.push(field);
    out
}

/// A history read back.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// All columns, `step` and `time` first.
    pub columns: Vec<Column>,
    /// Rows, each with a value per column.
    pub rows: Vec<Vec<f64>>,
    /// Lines that are not such rows: what is there can be shown all the same.
    pub damaged: Vec<BadLine>,
}

/// A line of a history that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct BadLine {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl History {
    /// Reads the history in the results folder `dir`.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        let text = read_text(&path)?;
        let mut lines = text.lines();
        let columns: Vec<Column> =
            lines.next().map(fields).unwrap_or_default().iter().map(|t| Column::from_title(t)).collect();
        if columns.get(..2) != Some(&first_columns()) {
            let message = format!("the first line must start with {}", header(&[]));
            return Err(Error::History { path, message });
        }
        let mut history = Self { columns, rows: Vec::new(), damaged: Vec::new() };
        for (k, line) in lines.enumerate() {
            match parse_row(line, history.columns.len()) {
                Ok(row) => history.rows.push(row),
                Err(problem) => history.damaged.push(BadLine { line: k + 2, problem }),
            }
        }
        Ok(history)
    }

    /// The values of the column called `name` (without its unit).
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let k = self.columns.iter().position(|c| c.name == name)?;
        Some(self.rows.iter().map(|row| row[k]).collect())
    }
}

fn parse_row(line: &str, columns: usize) -> std::result::Result<Vec<f64>, String> {
    let row: Vec<&str> = line.split(',').collect();
    if row.len() != columns {
        return Err(format!("{} values instead of {columns}", row.len()));
    }
    row.iter().map(|field| field.trim().parse().map_err(|_| format!("'{field}' is not a number"))).collect()
}

fn read_text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(at("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        vec![Column::new("kinetic energy", "J"), Column::new("force on \"left, top\"", "N"), Column::new("sweeps", "")]
    }

    fn five_rows(dir: &Path) {
        let mut writer = Writer::create(dir, &columns()).unwrap();
        for k in 0..5u64 {
            writer.row(10 * k, 0.1 * k as f64, &[1.0 / 3.0, -1e-300 * k as f64, k as f64]).unwrap();
        }
    }

    #[test]
    fn numbers_come_back_bit_for_bit() {
        let dir = tempfile::tempdir().unwrap();
        five_rows(dir.path());
        let text = fs::read_to_string(dir.path().join(FILE)).unwrap();
        assert!(
            text.starts_with("step,time [s],kinetic energy [J],\"force on \"\"left, top\"\" [N]\",sweeps\n"),
            "{text}"
        );
        let history = History::read(dir.path()).unwrap();
        assert_eq!(history.columns[2..], columns());
        assert_eq!(history.rows[3], [30.0, 0.1 * 3.0, 1.0 / 3.0, -1e-300 * 3.0, 3.0]);
        assert_eq!(history.column("sweeps").unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert!(history.damaged.is_empty());
    }

    #[test]
    fn resuming_drops_later_and_unfinished_rows() {
        let dir = tempfile::tempdir().unwrap();
        five_rows(dir.path());
        let path = dir.path().join(FILE);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut writer = Writer::resume(dir.path(), &columns(), 25).unwrap();
        for k in 3..5u64 {
            writer.row(10 * k, 0.1 * k as f64, &[1.0 / 3.0, -1e-300 * k as f64, k as f64]).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    }

    #[test]
    fn what_is_there_is_shown_and_what_is_damaged_is_told() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), "step,time [s],a\n1,0.1,2\n2,x,3\n3,0.3\n4,0.4,5\n").unwrap();
        let history = History::read(dir.path()).unwrap();
        assert_eq!(history.column("a").unwrap(), [2.0, 5.0]);
        let told: Vec<String> = history.damaged.iter().map(|b| format!("{}: {}", b.line, b.problem)).collect();
        assert_eq!(told, ["3: 'x' is not a number", "4: 2 values instead of 3"]);
    }

    #[test]
    fn other_files_and_other_columns_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), [0xff, 0xfe, 0x00]).unwrap();
        assert!(matches!(History::read(dir.path()), Err(Error::History { .. })));
        five_rows(dir.path());
        assert!(matches!(Writer::resume(dir.path(), &columns()[..1], 5), Err(Error::History { .. })));
        let mut writer = Writer::resume(dir.path(), &columns(), 5).unwrap();
        assert!(matches!(writer.row(1, 0.1, &[1.0]), Err(Error::History { .. })));
    }
}
