//! Tables of numbers: cells separated by commas, semicolons, tabs or spaces; `#` starts a comment; an optional first
//! line of column names.

use super::document::{Place, Problem, Reader};

/// Bad cells that are reported before the rest of a file is skipped.
const MOST_BAD_CELLS: usize = 20;

/// A table of numbers.
#[derive(Debug, Default)]
pub struct Csv {
    /// Column names, if there is such a line.
    pub header: Option<Vec<String>>,
    /// Rows, all of the same length.
    pub rows: Vec<Vec<f64>>,
    /// Where each row is.
    pub places: Vec<Place>,
}

/// Cells of a line and their byte offsets in it.
fn cells(line: &str) -> Vec<(usize, &str)> {
    let separator: &[char] = match line {
        l if l.contains(';') => &[';'],
        l if l.contains(',') => &[','],
        _ => &[' ', '\t'],
    };
    let mut start = 0;
    let mut out = Vec::new();
    for cell in line.split(separator) {
        let inner = cell.trim();
        let blank = separator.len() == 2 && inner.is_empty();
        if !blank {
            out.push((start + cell.len() - cell.trim_start().len(), inner));
        }
        start += cell.len() + 1;
    }
    out
}

/// Reads a file; what is wrong with it is reported with line and column.
pub fn read(reader: &Reader, name: &str, place: Place) -> Option<Csv> {
    let source = reader.open(name, place)?;
    let text = reader.sources.borrow().get(source).text.clone();
    let mut csv = Csv::default();
    let mut bad = 0;
    let mut offset = 0;
    for line in text.inner().split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or("").trim_end();
        if !content.trim().is_empty() {
            bad += read_line(reader, &mut csv, source, offset, content);
        }
        offset += line.len();
        if bad >= MOST_BAD_CELLS {
            break;
        }
    }
    if bad == 0 && csv.rows.is_empty() {
        reader.report(Problem::new(place, format!("`{name}` has no rows of numbers"), "this file"));
    }
    (bad == 0 && !csv.rows.is_empty()).then_some(csv)
}

/// Takes in one line and tells how many of its cells are bad.
fn read_line(reader: &Reader, csv: &mut Csv, source: u32, offset: usize, content: &str) -> usize {
    let cells = cells(content);
    let at = |start: usize, length: usize| Place { source, start: offset + start, end: offset + start + length };
    let first = csv.header.is_none() && csv.rows.is_empty();
    if first && cells.iter().all(|(_, cell)| cell.parse::<f64>().is_err() && !cell.is_empty()) {
        csv.header = Some(cells.iter().map(|(_, cell)| cell.to_lowercase()).collect());
        return 0;
    }
    let mut bad = 0;
    let mut row = Vec::with_capacity(cells.len());
    for &(start, cell) in &cells {
        match cell.parse::<f64>() {
            Ok(x) if x.is_finite() => row.push(x),
            _ => {
                let message = format!("expected a finite number, found `{cell}`");
                reader.report(Problem::new(at(start, cell.len()), message, "not a number"));
                bad += 1;
            }
        }
    }
    let columns = csv.rows.first().map(Vec::len).or(csv.header.as_ref().map(Vec::len)).unwrap_or(row.len());
    if bad == 0 && row.len() != columns {
        let message = format!("expected {columns} numbers as in the lines before, found {}", row.len());
        reader.report(Problem::new(at(0, content.len()), message, "this line"));
        return 1;
    }
    csv.rows.push(row);
    csv.places.push(at(0, content.len()));
    bad
}
