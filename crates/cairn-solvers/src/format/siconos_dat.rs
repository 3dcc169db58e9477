//! Text files of the Siconos project: numbers between blanks, indices from 0.
//!
//!   local    d  contacts  MATRIX(W)             q[d·contacts]              mu[contacts]  (mu_r[contacts] if d = 5)
//!   global   d  contacts  MATRIX(M)  MATRIX(H)  f[n]  w[d·contacts]        mu[contacts]  (mu_r[contacts] if d = 5)
//!
//! Older files have one more integer at the end, which means nothing. A MATRIX is `storage rows columns`, and then
//!
//! * storage 0, dense: `rows columns` again, the values column by column;
//! * storage 1, block rows: counts, cumulative heights and widths, row pointers, block columns, and for each block its
//!   number and its values column by column;
//! * storage 2, sparse: the way it came about (1: as triplets, 2: by columns) and the text that CSparse prints.
//!
//! Nothing says whether a file is local or global; but a global one has far more words after its first matrix.

use std::fmt::Write;
use std::str::FromStr;

use super::{Fault, Parts};
use crate::csc::Csc;
use crate::discrete::{AnyProblem, Problem};

/// Reads a problem from the text of a file.
pub fn parse(text: &str) -> Result<AnyProblem, Fault> {
    let mut words = Words::of(text);
    let dimension: usize = words.number("the number of components per contact (2, 3 or 5)")?;
    if ![2, 3, 5].contains(&dimension) {
        return Err(words.fault_before("2, 3 or 5 components per contact"));
    }
    let contacts = words.count("the number of contacts")?;
    let size = dimension * contacts;
    let matrix = words.matrix("W or M")?;
    let rolling = usize::from(dimension == 5);
    let is_local = matrix.rows() == size && words.left() <= size + (1 + rolling) * contacts + 1;
    let mut parts = Parts { dimension, ..Parts::default() };
    if is_local {
        parts.free = words.values(size, "q")?;
    } else {
        parts.h = Some(words.matrix("H (a global problem) or the end of a local one")?);
        parts.free = words.values(matrix.rows(), "f")?;
        parts.w = words.values(size, "w")?;
    }
    parts.matrix = matrix;
    parts.friction = words.values(contacts, "mu")?;
    parts.rolling_friction = words.values(rolling * contacts, "mu_r")?;
    if words.left() > 0 {
        words.number::<i64>("the end of the file")?;
    }
    if words.left() > 0 {
        return Err(words.fault_here("the end of the file"));
    }
    parts.join()
}

/// The words of a text with their lines.
struct Words<'t> {
    words: Vec<(usize, &'t str)>,
    next: usize,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let lines = text.lines().enumerate();
        Self { words: lines.flat_map(|(n, line)| line.split_whitespace().map(move |w| (n + 1, w))).collect(), next: 0 }
    }

    fn left(&self) -> usize {
        self.words.len() - self.next
    }

    fn fault(&self, at: usize, expected: &str) -> Fault {
        let (line, found) = match self.words.get(at) {
            Some(&(line, word)) => (line, format!("`{}`", word.chars().take(40).collect::<String>())),
            None => (self.words.last().map_or(1, |w| w.0), "the end of the file".to_string()),
        };
        Fault::Text { line, expected: expected.to_string(), found }
    }

    fn fault_here(&self, expected: &str) -> Fault {
        self.fault(self.next, expected)
    }

    fn fault_before(&self, expected: &str) -> Fault {
        self.fault(self.next.saturating_sub(1), expected)
    }

    fn word(&mut self, expected: &str) -> Result<&'t str, Fault> {
        let word = self.words.get(self.next).ok_or_else(|| self.fault_here(expected))?.1;
        self.next += 1;
        Ok(word)
    }

    fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, Fault> {
        let word = self.word(expected)?.trim_end_matches(',');
        word.parse().map_err(|_| self.fault_before(expected))
    }

    /// A number of things that all have words of their own further on: a bound on what a damaged file makes us take.
    fn count(&mut self, expected: &str) -> Result<usize, Fault> {
        let count = self.number(expected)?;
        if count > self.words.len() {
            return Err(self.fault_before(&format!("{expected}, at most the {} words of the file", self.words.len())));
        }
        Ok(count)
    }

    fn value(&mut self, expected: &str) -> Result<f64, Fault> {
        let value: f64 = self.number(expected)?;
        if value.is_finite() { Ok(value) } else { Err(self.fault_before("a finite number")) }
    }

    fn values(&mut self, count: usize, name: &str) -> Result<Vec<f64>, Fault> {
        let expected = format!("{name} ({count} numbers)");
        (0..count).map(|_| self.value(&expected)).collect()
    }

    /// The given words.
    fn expect(&mut self, phrase: &str) -> Result<(), Fault> {
        for expected in phrase.split(' ') {
            if self.words.get(self.next).is_none_or(|w| w.1 != expected) {
                return Err(self.fault_here(&format!("`{phrase}`")));
            }
            self.next += 1;
        }
        Ok(())
    }

    fn matrix(&mut self, name: &str) -> Result<Csc, Fault> {
        let storage: usize = self.number(&format!("the storage (0, 1 or 2) of matrix {name}"))?;
        if storage > 2 {
            return Err(self.fault_before(&format!("the storage (0, 1 or 2) of matrix {name}")));
        }
        let rows = self.count("the number of rows")?;
        let columns = self.count("the number of columns")?;
        match storage {
            0 => self.dense(rows, columns),
            1 => self.block_rows(rows, columns),
            _ => self.sparse(rows, columns),
        }
    }

    fn same(&mut self, expected: usize, name: &str) -> Result<(), Fault> {
        let found: usize = self.number(name)?;
        if found == expected { Ok(()) } else { Err(self.fault_before(&format!("{name} as before, {expected}"))) }
    }

    fn dense(&mut self, rows: usize, columns: usize) -> Result<Csc, Fault> {
        self.same(rows, "the number of rows")?;
        self.same(columns, "the number of columns")?;
        let size = rows.saturating_mul(columns);
        if size > self.left() {
            return Err(self.fault(self.words.len(), &format!("{size} values of a dense matrix")));
        }
        let values = self.values(size, "value")?;
        Csc::from_dense(rows, columns, &values).ok_or_else(|| self.fault_here("a matrix"))
    }

    /// Cumulative sizes of blocks: ascending, up to `total`.
    fn ends(&mut self, count: usize, total: usize, name: &str) -> Result<Vec<usize>, Fault> {
        let mut ends = vec![0];
        for _ in 0..count {
            let end: usize = self.number(name)?;
            if end > total || ends.last().is_some_and(|&last| end < last) {
                return Err(self.fault_before(&format!("{name}, ascending up to {total}")));
            }
            ends.push(end);
        }
        if ends.last() != Some(&total) {
            return Err(self.fault_before(&format!("{name} up to {total}")));
        }
        Ok(ends)
    }

    fn block_rows(&mut self, rows: usize, columns: usize) -> Result<Csc, Fault> {
        let blocks = self.count("the number of blocks")?;
        let block_rows = self.count("the number of rows of blocks")?;
        let block_columns = self.count("the number of columns of blocks")?;
        let row_ends = self.ends(block_rows, rows, "the end of a row of blocks")?;
        let column_ends = self.ends(block_columns, columns, "the end of a column of blocks")?;
        let pointers = self.count("the number of row pointers")?;
        if pointers != block_rows + 1 {
            return Err(self.fault_before(&format!("the number of row pointers, {}", block_rows + 1)));
        }
        self.same(blocks, "the number of blocks")?;
        self.same(0, "the first row pointer")?;
        let starts = self.ends(block_rows, blocks, "a row pointer")?;
        let mut block_column = Vec::with_capacity(blocks);
        for _ in 0..blocks {
            let column: usize = self.number("the column of a block")?;
            if column >= block_columns {
                return Err(self.fault_before(&format!("the column of a block, below {block_columns}")));
            }
            block_column.push(column);
        }
        let mut entries = Vec::new();
        for row in 0..block_rows {
            for k in starts[row]..starts[row + 1] {
                self.same(k, "the number of the block")?;
                for j in column_ends[block_column[k]]..column_ends[block_column[k] + 1] {
                    for i in row_ends[row]..row_ends[row + 1] {
                        entries.push((i, j, self.value("a value of a block")?));
                    }
                }
            }
        }
        entries.retain(|e| e.2 != 0.0);
        Csc::from_triplets(rows, columns, &entries).ok_or_else(|| self.fault_here("a matrix"))
    }

    /// The text that CSparse prints of a matrix.
    fn sparse(&mut self, rows: usize, columns: usize) -> Result<Csc, Fault> {
        let origin: usize = self.number("how the sparse matrix came about (1 or 2)")?;
        if !(1..=2).contains(&origin) {
            return Err(self.fault_before("1 (triplets) or 2 (columns)"));
        }
        self.expect("CSparse Version")?;
        let line = self.words[self.next - 1].0;
        while self.words.get(self.next).is_some_and(|w| w.0 == line) {
            self.next += 1;
        }
        let as_triplets = self.words.get(self.next).is_some_and(|w| w.1 == "triplet:");
        self.next += usize::from(as_triplets);
        let size = format!("{rows}-by-{columns},");
        self.expect(&size)?;
        self.expect("nzmax:")?;
        self.number::<usize>("the room for entries")?;
        self.expect("nnz:")?;
        let count = self.count("the number of entries")?;
        let mut entries = Vec::with_capacity(count);
        if as_triplets {
            for _ in 0..count {
                let (i, j) = (self.index(rows, "the row")?, self.index(columns, "the column")?);
                self.expect(":")?;
                entries.push((i, j, self.value("a value")?));
            }
        } else {
            self.expect("1-norm:")?;
            self.number::<f64>("the 1-norm")?;
            for j in 0..columns {
                self.expect("col")?;
                self.same(j, "the number of the column")?;
                self.expect(": locations")?;
                let first: usize = self.number("the first location")?;
                self.expect("to")?;
                // An empty column ends before it begins; the first column then ends at −1.
                let last: i64 = self.number("the last location")?;
                if first != entries.len() || last < first as i64 - 1 || last >= count as i64 {
                    return Err(self.fault_before("locations that continue those before"));
                }
                for _ in first as i64..=last {
                    let i = self.index(rows, "the row")?;
                    self.expect(":")?;
                    entries.push((i, j, self.value("a value")?));
                }
            }
        }
        if entries.len() != count {
            return Err(self.fault_here(&format!("{count} entries")));
        }
        Csc::from_triplets(rows, columns, &entries).ok_or_else(|| self.fault_here("a matrix"))
    }

    fn index(&mut self, bound: usize, name: &str) -> Result<usize, Fault> {
        let index = self.number(name)?;
        if index < bound { Ok(index) } else { Err(self.fault_before(&format!("{name}, below {bound}"))) }
    }
}

/// A local problem as text, W in block rows, five components where contacts resist rolling (twisting has no place); read again, it is the same to the last bit.
pub fn write<const D: usize>(problem: &Problem<D>) -> String {
    let contacts = problem.contacts();
    let ends = list((1..=contacts).map(|a| D * a));
    let rows: Vec<_> = (0..contacts).map(|a| problem.w.row(a)).collect();
    let mut starts = vec![0];
    rows.iter().for_each(|(columns, _)| starts.push(starts[starts.len() - 1] + columns.len()));
    let blocks = starts[contacts];
    let size = D * contacts;
    let mut text = format!("{D}\n{contacts}\n1\n{size}\n{size}\n{blocks}\n{contacts}\n{contacts}\n{ends}\n{ends}\n");
    let columns = list(rows.iter().flat_map(|(columns, _)| columns.iter()));
    let _ = write!(text, "{}\n{blocks}\n{}\n{columns}\n", contacts + 1, list(&starts));
    for (k, block) in rows.iter().flat_map(|(_, blocks)| blocks.iter()).enumerate() {
        let _ = writeln!(text, "{k}\n{}", numbers(block.iter()));
    }
    let q = numbers(problem.w.free().iter().flat_map(|q| q.iter()));
    let _ = writeln!(text, "{q}\n{}", numbers(&problem.friction));
    if !problem.arms.is_empty() {
        let _ = writeln!(text, "{}", numbers(problem.arms.iter().map(|[rolling, _]| rolling)));
    }
    text
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|x| x.to_string()).collect::<Vec<_>>().join("\t")
}

/// The shortest digits that give the same numbers again.
fn numbers<'x>(values: impl IntoIterator<Item = &'x f64>) -> String {
    values.into_iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" ")
}
