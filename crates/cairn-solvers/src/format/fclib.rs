//! FCLIB: problems in HDF5.
//!
//! The root holds `fclib_local` (`W`, `vectors/q`) or `fclib_global` (`M`, `H`, `vectors/f`, `vectors/w`), or one of them
//! with `_rolling`; each with `spacedim` (2, 3; 5 for rolling), `vectors/mu` and, for rolling, `vectors/mu_r`. A matrix
//! is a group with `m` rows, `n` columns, `nz` and the arrays `p`, `i`, `x`:
//!
//! * nz = −1: by columns, p column pointers, i rows;
//! * nz = −2: by rows, p row pointers, i columns;
//! * nz ≥ 0: nz triplets, i rows, p columns; those of the same place are added up.
//!
//! `solution` and `guesses` are optional, and no promise: other programs leave zeros there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rust_hdf5::{H5File, H5Group, H5Type, ReadNumeric};

use super::{Fault, Parts};
use crate::csc::Csc;
use crate::discrete::{AnyProblem, Problem, flat};
use crate::problem::Vect;

const ROOTS: [(&str, bool, bool); 4] = [
    ("fclib_local", false, false),
    ("fclib_global", true, false),
    ("fclib_local_rolling", false, true),
    ("fclib_global_rolling", true, true),
];

/// Reads a problem.
pub fn read(path: &Path) -> Result<AnyProblem, Fault> {
    guarded(path, |file| {
        let Some((root, is_global, is_rolling)) = ROOTS.into_iter().find(|r| file.has_group(r.0)) else {
            let names = ROOTS.map(|r| r.0).join(", ");
            return Err(fault("/", format!("no problem in this file: expected one of the groups {names}")));
        };
        for bilateral in ["G", "V", "R"] {
            if file.has_group(&format!("{root}/{bilateral}")) {
                let message = "bilateral constraints are not supported: expected a problem with contacts only";
                return Err(fault(&format!("{root}/{bilateral}"), message.into()));
            }
        }
        let vector = |name: &str| file.array::<f64>(&format!("{root}/vectors/{name}"));
        let matrix = |name: &str| file.matrix(&format!("{root}/{name}"));
        let mut parts = Parts { dimension: file.count(&format!("{root}/spacedim"))?, ..Parts::default() };
        if is_global {
            parts.matrix = matrix("M")?;
            parts.h = Some(matrix("H")?);
            (parts.free, parts.w) = (vector("f")?, vector("w")?);
        } else {
            parts.matrix = matrix("W")?;
            parts.free = vector("q")?;
        }
        parts.friction = vector("mu")?;
        if is_rolling {
            parts.rolling_friction = vector("mu_r")?;
        }
        parts.join()
    })
}

/// The impulses that a file offers as solution, if any: to be checked, not believed.
pub fn read_solution(path: &Path) -> Result<Option<Vec<f64>>, Fault> {
    guarded(path, |file| if file.has("solution/r") { file.array("solution/r").map(Some) } else { Ok(None) })
}

/// A file that is being read.
struct Reader {
    file: H5File,
    datasets: Vec<String>,
    /// Most numbers that any dataset may have: what fits into the file, compression allowed for.
    bound: usize,
}

/// Reads with care: a damaged file must not end the program, whatever the library does.
fn guarded<T>(path: &Path, read: impl FnOnce(&Reader) -> Result<T, Fault>) -> Result<T, Fault> {
    let bytes = std::fs::metadata(path)?.len() as usize;
    let work = || {
        let file = H5File::open(path).map_err(|e| fault("/", e.to_string()))?;
        let datasets = file.dataset_names();
        read(&Reader { file, datasets, bound: bytes.saturating_mul(64) })
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(fault("/", "the HDF5 structure is damaged".into())))
}

fn fault(dataset: &str, message: String) -> Fault {
    Fault::Hdf5 { dataset: dataset.into(), message }
}

impl Reader {
    fn has_group(&self, name: &str) -> bool {
        let inside = format!("{name}/");
        self.datasets.iter().any(|d| d.trim_start_matches('/').starts_with(&inside))
    }

    fn has(&self, name: &str) -> bool {
        self.datasets.iter().any(|d| d.trim_start_matches('/') == name)
    }

    fn array<T: ReadNumeric>(&self, name: &str) -> Result<Vec<T>, Fault> {
        let dataset = self.file.dataset(name).map_err(|e| fault(name, format!("expected numbers: {e}")))?;
        let count = dataset.total_elements();
        if count > self.bound {
            return Err(fault(name, format!("{count} numbers are more than the file can hold")));
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        dataset.read_numeric_as().map_err(|e| fault(name, e.to_string()))
    }

    fn integer(&self, name: &str) -> Result<i64, Fault> {
        match self.array::<i64>(name)?.as_slice() {
            [one] => Ok(*one),
            other => Err(fault(name, format!("expected one integer, found {}", other.len()))),
        }
    }

    fn count(&self, name: &str) -> Result<usize, Fault> {
        let count = self.integer(name)?;
        let fits = usize::try_from(count).ok().filter(|&c| c <= self.bound);
        fits.ok_or_else(|| fault(name, format!("expected a number of things in this file, found {count}")))
    }

    fn matrix(&self, name: &str) -> Result<Csc, Fault> {
        let part = |part: &str| format!("{name}/{part}");
        let (rows, columns) = (self.count(&part("m"))?, self.count(&part("n"))?);
        let (nz, values) = (self.integer(&part("nz"))?, self.array::<f64>(&part("x"))?);
        let (p, i) = (self.array::<i64>(&part("p"))?, self.array::<i64>(&part("i"))?);
        let entries = match nz {
            -1 => compressed(&p, &i, &values, columns).map(|e| e.map(|(column, row, x)| (row, column, x)).collect()),
            -2 => compressed(&p, &i, &values, rows).map(Iterator::collect),
            0.. => triplets(nz as usize, &i, &p, &values),
            _ => return Err(fault(&part("nz"), format!("expected -1 (CSC), -2 (CSR) or triplets, found {nz}"))),
        };
        let entries: Vec<_> = entries.ok_or_else(|| fault(name, "p, i and x do not describe a matrix".into()))?;
        if entries.iter().any(|e| !e.2.is_finite()) {
            return Err(fault(&part("x"), "expected finite numbers".into()));
        }
        Csc::from_triplets(rows, columns, &entries)
            .ok_or_else(|| fault(name, format!("an entry lies outside of {rows} x {columns}")))
    }
}

/// (line, place in the line, value) of a compressed matrix with `lines` lines; `None` if the arrays contradict each other.
fn compressed<'a>(
    p: &'a [i64],
    i: &'a [i64],
    x: &'a [f64],
    lines: usize,
) -> Option<impl Iterator<Item = (usize, usize, f64)> + 'a> {
    let starts: Vec<usize> = p.iter().map(|&p| usize::try_from(p)).collect::<Result<_, _>>().ok()?;
    let ascending = starts.windows(2).all(|s| s[0] <= s[1]);
    let total = *starts.last()?;
    if starts.len() != lines + 1 || starts[0] != 0 || !ascending || total > i.len().min(x.len()) {
        return None;
    }
    if i[..total].iter().any(|&i| i < 0) {
        return None;
    }
    let line = move |l: usize| (starts[l]..starts[l + 1]).map(move |k| (l, i[k] as usize, x[k]));
    Some((0..lines).flat_map(line))
}

fn triplets(nz: usize, i: &[i64], p: &[i64], x: &[f64]) -> Option<Vec<(usize, usize, f64)>> {
    let (i, p, x) = (i.get(..nz)?, p.get(..nz)?, x.get(..nz)?);
    let index = |k: i64| usize::try_from(k).ok();
    i.iter().zip(p).zip(x).map(|((&i, &p), &x)| Some((index(i)?, index(p)?, x))).collect()
}

/// Writes a local problem, W by columns (five components where contacts resist rolling; twisting has no place), with the impulses and velocities that were found, and a title.
pub fn write<const D: usize>(
    path: &Path,
    problem: &Problem<D>,
    title: &str,
    impulses: &[Vect<D>],
    velocities: &[Vect<D>],
) -> Result<(), Fault> {
    let trouble = |e: rust_hdf5::Hdf5Error| fault("/", e.to_string());
    let work = || -> rust_hdf5::Result<()> {
        let file = H5File::create(path)?;
        let is_rolling = !problem.arms.is_empty();
        let root = file.create_group(if is_rolling { "fclib_local_rolling" } else { "fclib_local" })?;
        put(&root, "spacedim", &[D as i32])?;
        let info = root.create_group("info")?;
        info.set_attr_string("title", title)?;
        let w = problem.w.to_csc();
        let (starts, rows, values) = w.arrays();
        let group = root.create_group("W")?;
        let size = w.rows() as i32;
        for (name, number) in [("m", size), ("n", size), ("nzmax", values.len() as i32), ("nz", -1)] {
            put(&group, name, &[number])?;
        }
        put(&group, "p", &starts.iter().map(|&s| s as i32).collect::<Vec<_>>())?;
        put(&group, "i", &rows.iter().map(|&r| r as i32).collect::<Vec<_>>())?;
        put(&group, "x", values)?;
        let vectors = root.create_group("vectors")?;
        put(&vectors, "q", &flat(problem.w.free()))?;
        put(&vectors, "mu", &problem.friction)?;
        if is_rolling {
            put(&vectors, "mu_r", &problem.arms.iter().map(|[rolling, _]| *rolling).collect::<Vec<_>>())?;
        }
        let solution = file.create_group("solution")?;
        put(&solution, "r", &flat(impulses))?;
        put(&solution, "u", &flat(velocities))?;
        file.close()
    };
    work().map_err(trouble)
}

fn put<T: H5Type>(group: &H5Group, name: &str, values: &[T]) -> rust_hdf5::Result<()> {
    let dataset = group.new_dataset::<T>().shape([values.len()]).create(name)?;
    if values.is_empty() { Ok(()) } else { dataset.write_raw(values) }
}
