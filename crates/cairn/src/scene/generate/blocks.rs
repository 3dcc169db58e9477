//! Blocks from an OBJ or STL file: each group (OBJ: `o` or `g`; STL: pieces that do not touch) is the convex hull of its
//! vertices. Joints are not in the file: detection finds where faces meet.

use super::{Made, piece};
use crate::io::{self, MeshError, Triangles};
use crate::scene::document::Table;
use crate::scene::spec::Form;
use crate::space::Vect;
use std::path::Path;

/// Reads and makes them.
pub fn blocks(t: &Table) -> Option<Made> {
    let name = t.file("file", "OBJ or STL file next to the scene, one block to a group").required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
    if t.recording() {
        return None;
    }
    let name = name?;
    let path = t.reader.find(&name, t.place_of("file"))?;
    let groups = match groups(&path) {
        Ok(groups) => groups,
        Err(why) => {
            t.wrong("file", format!("cannot use `{name}`: {why}"), "this file");
            return None;
        }
    };
    t.reader.meshes.borrow_mut().push(path);
    let convex = |points: Vec<Vect<3>>| {
        let vertices: Vec<[f64; 3]> = points.iter().map(|p| (p * scale).into()).collect();
        piece(vec![Form::Convex(vertices.into()).into()], [0.0; 3])
    };
    Some(Made::one_group(groups.into_iter().map(convex).collect()))
}

fn groups(path: &Path) -> Result<Vec<Vec<Vect<3>>>, MeshError> {
    let is_obj = path.extension().is_some_and(|s| s.eq_ignore_ascii_case("obj"));
    let groups = if is_obj {
        io::obj::read_groups(path)?.into_iter().map(|(_, points)| points).filter(|p| !p.is_empty()).collect()
    } else {
        pieces(&io::read_triangles(path)?)
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
