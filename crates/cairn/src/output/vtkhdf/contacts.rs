//! `contacts.vtkhdf`: a point for every contact in time, with its force: a *Glyph* on `force` draws the arrows.
//!
//! VTK finds the offsets of a part by counting the parts before it until they make up the number of cells before it, and
//! loses its place behind parts without cells. So times without contacts share the one empty part, the first, and
//! the cells of all others are numbered from 1: the empty part is always counted.

use super::arrays::{self, Arrays, KINDS, Step};
use crate::contact::Reaction;
use crate::law::kept::{self, Column};
use crate::output::error::Result;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use std::path::{Path, PathBuf};

/// Name of the file in the results folder.
pub(in crate::output) const FILE: &str = "contacts.vtkhdf";

/// The file, closed between outputs.
#[derive(Debug)]
pub(in crate::output) struct ContactsFile {
    path: PathBuf,
    count: usize,
    /// Parts: the one without contacts, and one for each time with some.
    parts: usize,
    /// Contacts of all times.
    rows: usize,
    /// What laws keep of their contacts.
    kept: Vec<Column>,
}

/// Data of a contact: name and width. Vectors in world axes; forces are impulses over the length of the step [N], moments (of what
/// resists rolling) as well [N·m].
const NUMBERS: [(&str, usize); 11] = [
    ("force", 3),
    ("impulse", 3),
    ("normal", 3),
    ("velocity", 3),
    ("gap", 1),
    ("area", 1),
    ("normal_force", 1),
    ("tangential_force", 1),
    ("jump", 3),
    ("damage", 1),
    ("moment", 3),
];

impl ContactsFile {
    /// A new file without times.
    pub(in crate::output) fn create<const D: usize>(dir: &Path, scene: &Scene<D>) -> Result<Self>
    where
        Space<D>: Ambient<D>,
    {
        let path = dir.join(FILE);
        let arrays = Arrays::create(&path)?;
        let chunk = (2 * scene.bodies.len()).clamp(64, 8192);
        arrays.declare::<f64>("VTKHDF", "Points", 3, chunk)?;
        for group in KINDS {
            arrays.declare::<i64>(&format!("VTKHDF/{group}"), "Connectivity", 1, chunk)?;
            arrays.declare::<i64>(&format!("VTKHDF/{group}"), "Offsets", 1, chunk)?;
        }
        for (name, width) in NUMBERS {
            arrays.declare_data::<f64>("PointData", name, width, chunk)?;
        }
        let kept = kept::columns(&scene.laws);
        for column in &kept {
            arrays.declare_data::<f64>("PointData", column.kept.name, 1, chunk)?;
        }
        arrays.declare_data::<u8>("PointData", "status", 1, chunk)?;
        arrays.declare_data::<u8>("PointData", "bond", 1, chunk)?;
        arrays.declare_data::<i32>("PointData", "bodies", 2, chunk)?;
        arrays.show_first("PointData", "normal_force", "force")?;
        append_part(&arrays, 0)?;
        arrays.close()?;
        Ok(Self { path, count: 0, parts: 1, rows: 0, kept })
    }

    /// A file that holds as many times as `contacts` has numbers of contacts.
    pub(in crate::output) fn closed<const D: usize>(dir: &Path, scene: &Scene<D>, contacts: &[usize]) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let parts = 1 + contacts.iter().filter(|&&n| n > 0).count();
        let (path, kept) = (dir.join(FILE), kept::columns(&scene.laws));
        Self { path, count: contacts.len(), parts, rows: contacts.iter().sum(), kept }
    }

    /// Does the file hold exactly these times?
    pub(in crate::output) fn holds(&self, times: &[f64]) -> bool {
        arrays::holds(&self.path, times, self.rows)
    }

    /// Adds a time.
    pub(in crate::output) fn append<const D: usize>(&mut self, state: &State<D>) -> Result<()>
    where
        Space<D>: Ambient<D>,
    {
        let arrays = Arrays::open(&self.path)?;
        let reactions = &state.reactions;
        arrays.append("VTKHDF/Points", &vectors(reactions, |r| r.contact.touch.point))?;
        if !reactions.is_empty() {
            append_part(&arrays, reactions.len())?;
        }
        let offset = self.rows as i64;
        for ((name, _), values) in NUMBERS.into_iter().zip(numbers(reactions, state.last_step)) {
            arrays.append_data("PointData", name, offset, &values)?;
        }
        for column in &self.kept {
            let numbers: Vec<f64> = reactions.iter().map(|r| column.of(r)).collect();
            arrays.append_data("PointData", column.kept.name, offset, &numbers)?;
        }
        let status: Vec<u8> = reactions.iter().map(|r| r.status as u8).collect();
        arrays.append_data("PointData", "status", offset, &status)?;
        let bonds: Vec<u8> = reactions.iter().map(|r| r.memory().bond as u8).collect();
        arrays.append_data("PointData", "bond", offset, &bonds)?;
        let bodies: Vec<i32> = reactions.iter().flat_map(|r| r.contact.bodies.map(|b| b as i32)).collect();
        arrays.append_data("PointData", "bodies", offset, &bodies)?;
        let step = Step {
            time: state.time,
            part: if reactions.is_empty() { 0 } else { self.parts as i64 },
            points: offset,
            cells: if reactions.is_empty() { [0; 4] } else { [offset + 1, 0, 0, 0] },
            connectivity: [offset, 0, 0, 0],
        };
        arrays.append_step(&step, self.count + 1)?;
        arrays.close()?;
        self.count += 1;
        self.parts += usize::from(!reactions.is_empty());
        self.rows += reactions.len();
        Ok(())
    }
}

/// A part with a vertex per contact, and no other cells; the one without contacts takes the room of a cell 0.
fn append_part(arrays: &Arrays, contacts: usize) -> Result<()> {
    let numbers: Vec<i64> = (0..=contacts as i64).collect();
    arrays.append("VTKHDF/NumberOfPoints", &[contacts as i64])?;
    for (k, group) in KINDS.iter().enumerate() {
        let group = format!("VTKHDF/{group}");
        let cells = if k == 0 { contacts } else { 0 };
        let offsets: &[i64] = if k == 0 && contacts == 0 { &[0, 0] } else { &numbers[..=cells] };
        arrays.append(&format!("{group}/NumberOfCells"), &[cells as i64])?;
        arrays.append(&format!("{group}/NumberOfConnectivityIds"), &[cells as i64])?;
        arrays.append(&format!("{group}/Offsets"), offsets)?;
        arrays.append(&format!("{group}/Connectivity"), &numbers[..cells])?;
    }
    Ok(())
}

fn vectors<const D: usize>(reactions: &[Reaction<D>], of: impl Fn(&Reaction<D>) -> Vect<D>) -> Vec<f64>
where
    Space<D>: Ambient<D>,
{
    reactions.iter().flat_map(|r| Space::<D>::lift(&of(r))).collect()
}

/// The data of [`NUMBERS`], contact by contact; `h` is the length of the step.
fn numbers<const D: usize>(reactions: &[Reaction<D>], h: f64) -> [Vec<f64>; 11]
where
    Space<D>: Ambient<D>,
{
    let per_time = if h > 0.0 { 1.0 / h } else { 0.0 };
    let normal_force = |r: &Reaction<D>| r.contact.touch.normal.dot(&r.impulse) * per_time;
    let tangential_force = |r: &Reaction<D>| (r.impulse * per_time - r.contact.touch.normal * normal_force(r)).norm();
    [
        vectors(reactions, |r| r.impulse * per_time),
        vectors(reactions, |r| r.impulse),
        vectors(reactions, |r| r.contact.touch.normal),
        vectors(reactions, |r| r.velocity),
        reactions.iter().map(|r| r.contact.touch.gap).collect(),
        reactions.iter().map(|r| r.contact.touch.area).collect(),
        reactions.iter().map(normal_force).collect(),
        reactions.iter().map(tangential_force).collect(),
        vectors(reactions, |r| r.memory().jump),
        reactions.iter().map(|r| r.memory().damage).collect(),
        reactions.iter().flat_map(|r| <[f64; 3]>::from(r.memory().moment * per_time)).collect(),
    ]
}
