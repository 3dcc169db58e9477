//! Blocks from an OBJ, STL or CSV file: each closed shell (OBJ: in each group `o` or `g`), or each group or piece that is not closed, or the rows
//! with the same number in the column `block` (CSV), is the convex hull of its vertices. Shells that are not convex are refused unless they are
//! meant so. Joints are not in the file: detection finds where faces meet.

use super::{Made, piece};
use crate::io::{self, MeshError, Triangles};
use crate::scene::document::{Problem, Table};
use crate::scene::spec::{Form, Piece};
use crate::scene::{bodies, csv};
use crate::shape::{ConvexShape, Polyhedron};
use std::path::Path;

/// Reads and makes them.
pub fn blocks(t: &Table) -> Option<Made> {
    let name = t
        .file("file", "OBJ, STL (3D) or CSV file (columns block, x, y, z) next to the scene, one block to a group")
        .required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
    let doc = "take the convex hull of a shell that is not convex? Else it is an error";
    let hulls = t.flag("hull", doc).or(false);
    if t.recording() {
        return None;
    }
    let name = name?;
    if name.to_lowercase().ends_with(".csv") {
        return Some(Made::one_group(of_table(t, &name, scale)?));
    }
    if t.reader.is_dimension(2) {
        t.wrong("file", format!("`{name}`: blocks in the plane come from a CSV file"), "this file");
        return None;
    }
    let contents = t.reader.contents(&name, t.place_of("file"))?;
    let groups = match groups(&name, &contents) {
        Ok(groups) => groups,
        Err(why) => {
            t.wrong("file", format!("cannot use `{name}`: {why}"), "this file");
            return None;
        }
    };
    let all_convex = groups.iter().enumerate().all(|(number, shell)| hulls || is_convex(t, &name, number, shell));
    if !all_convex {
        return None;
    }
    let convex = |shell: Triangles| {
        let vertices: Vec<[f64; 3]> = shell.vertices.iter().map(|p| (p * scale).into()).collect();
        piece(vec![Form::Convex(vertices.into()).into()], [0.0; 3])
    };
    Some(Made::one_group(groups.into_iter().map(convex).collect()))
}

/// Vertices row by row: block, x, y, z in the order of the header, or in this one.
fn of_table(t: &Table, name: &str, scale: f64) -> Option<Vec<Piece>> {
    let table = csv::read(t.reader, name, t.place_of("file"))?;
    let dimension = t.reader.dimension.get();
    let names = &["block", "x", "y", "z"][..=dimension];
    let header = table.header.clone().unwrap_or_else(|| names.iter().map(|n| n.to_string()).collect());
    let columns: Vec<usize> = names.iter().filter_map(|n| header.iter().position(|h| h == n)).collect();
    if columns.len() != names.len() || table.rows[0].len() != names.len() {
        t.wrong("file", format!("the columns of `{name}` must be {}", names.join(", ")), "this file");
        return None;
    }
    let point = |row: &[f64]| std::array::from_fn(|k| if k < dimension { row[columns[k + 1]] * scale } else { 0.0 });
    bodies::blocks(t, &table, columns[0], point)
}

/// Part of a shell's volume by which its hull may be larger: digits of a file, and faces that are not quite plane.
const CONVEX: f64 = 0.01;

/// Is a shell as large as its hull? Else that is reported. One that is not closed says nothing.
fn is_convex(t: &Table, name: &str, number: usize, shell: &Triangles) -> bool {
    let (Some(volume), Ok(hull)) = (shell.volume(), Polyhedron::from_points(&shell.vertices)) else { return true };
    let hull = hull.mass_properties().volume;
    if hull <= volume * (1.0 + CONVEX) {
        return true;
    }
    let more = 100.0 * (hull / volume - 1.0);
    let message = format!("shell {} of `{name}` is not convex: its hull has {more:.0} % more volume", number + 1);
    let help = "cut it into convex shells in the file, or say `hull = true` to take the hull";
    t.reader.report(Problem::new(t.place_of("file"), message, "this file").help(help));
    false
}

/// The closed shells of a file; what is not closed stays as it is grouped.
fn groups(name: &str, contents: &[u8]) -> Result<Vec<Triangles>, MeshError> {
    let is_obj = Path::new(name).extension().is_some_and(|s| s.eq_ignore_ascii_case("obj"));
    let split = |group: Triangles| {
        let shells = group.shells();
        if shells.iter().all(|shell| shell.volume().is_some()) { shells } else { vec![group] }
    };
    let groups: Vec<Triangles> = if is_obj {
        let groups = io::obj::read_groups(contents)?.into_iter().map(|(_, group)| group);
        groups.filter(|group| !group.vertices.is_empty()).flat_map(split).collect()
    } else {
        io::read_triangles(name, contents)?.shells()
    };
    if groups.is_empty() { Err(MeshError::Empty) } else { Ok(groups) }
}
