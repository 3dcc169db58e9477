//! Blocks from an OBJ, STL or CSV file: each group (OBJ: `o` or `g`; STL: pieces that do not touch; CSV: rows with the same number in the
//! column `block`) is the convex hull of its vertices. Joints are not in the file: detection finds where faces meet.

use super::{Made, piece};
use crate::io::{self, MeshError, Triangles};
use crate::scene::document::Table;
use crate::scene::spec::{Form, Piece};
use crate::scene::{bodies, csv};
use crate::space::Vect;
use std::path::Path;

/// Reads and makes them.
pub fn blocks(t: &Table) -> Option<Made> {
    let name = t
        .file("file", "OBJ, STL (3D) or CSV file (columns block, x, y, z) next to the scene, one block to a group")
        .required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
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
    let convex = |points: Vec<Vect<3>>| {
        let vertices: Vec<[f64; 3]> = points.iter().map(|p| (p * scale).into()).collect();
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

fn groups(name: &str, contents: &[u8]) -> Result<Vec<Vec<Vect<3>>>, MeshError> {
    let is_obj = Path::new(name).extension().is_some_and(|s| s.eq_ignore_ascii_case("obj"));
    let groups = if is_obj {
        io::obj::read_groups(contents)?.into_iter().map(|(_, points)| points).filter(|p| !p.is_empty()).collect()
    } else {
        pieces(&io::read_triangles(name, contents)?)
    };
    if groups.is_empty() { Err(MeshError::Empty) } else { Ok(groups) }
}

/// Vertices of each connected piece of a surface, in the order of their first triangle.
fn pieces(surface: &Triangles) -> Vec<Vec<Vect<3>>> {
    let mut leader: Vec<usize> = (0..surface.vertices.len()).collect();
    fn find(leader: &mut [usize], mut i: usize) -> usize {
        while leader[i] != i {
            leader[i] = leader[leader[i]];
            i = leader[i];
        }
        i
    }
    for [a, b, c] in surface.facets.iter().map(|f| f.map(|i| i as usize)) {
        for other in [b, c] {
            let (x, y) = (find(&mut leader, a), find(&mut leader, other));
            leader[x.max(y)] = x.min(y);
        }
    }
    let mut pieces: std::collections::BTreeMap<usize, Vec<Vect<3>>> = Default::default();
    for (i, vertex) in surface.vertices.iter().enumerate() {
        pieces.entry(find(&mut leader, i)).or_default().push(*vertex);
    }
    pieces.into_values().collect()
}
