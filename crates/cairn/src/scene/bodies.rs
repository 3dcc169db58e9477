//! Reading `[[bodies]]`: a shape, copies of it, or rows of a table.

use super::csv::{self, Csv};
use super::document::{Ask, Kind, Node, Problem, Table, Value, suggest};
use super::shapes::{convex_polygon, pose, shape};
use super::spec::{Batch, Form, MOST_BODIES, PartSpec, Piece, Pose};

/// Names of the components of a body's motion.
pub const COMPONENTS_2D: [(&str, usize); 3] = [("x", 0), ("y", 1), ("rotation", 2)];
/// The same in 3D.
pub const COMPONENTS_3D: [(&str, usize); 6] = [("x", 0), ("y", 1), ("z", 2), ("rx", 3), ("ry", 4), ("rz", 5)];

/// Number of a component by name, in the scene's dimension.
pub fn component(t: &Table, key: &str, node: &Node) -> Option<usize> {
    let word = t.word(key, node)?;
    let names: &[(&str, usize)] = if t.reader.dimension.get() == 2 { &COMPONENTS_2D } else { &COMPONENTS_3D };
    let found = names.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    if found.is_none() {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let problem = Problem::new(node.place, format!("unknown component `{word}`"), "not known here");
        t.reader.report(problem.help(suggest(&word, "valid values", &names)));
    }
    found
}

/// Asks which components are held: true, false or a list of names.
pub fn held<'t>(t: &'t Table, key: &'static str, doc: &'static str) -> Ask<'t, [bool; 6]> {
    let kind = Kind::Either(vec![Kind::Flag, Kind::List(Box::new(Kind::Text))]);
    Ask::new(t, key, doc, kind, |t, node| match &node.value {
        Value::Flag(all) => Some([*all; 6]),
        Value::List(items) => {
            let numbers: Option<Vec<usize>> = items.iter().map(|item| component(t, key, item)).collect();
            let mut held = [false; 6];
            numbers?.into_iter().for_each(|k| held[k] = true);
            Some(held)
        }
        _ => t.mismatch(key, node, "true, false or a list of components"),
    })
}

/// What bodies and generators have in common; the pieces come later.
pub fn common(t: &Table) -> Batch {
    let default_name = t.path.replace(['[', ']'], "");
    let name = t.text("name", "name of the group of bodies").or_as("bodies0, bodies1 …, generate0 …", default_name);
    if name.is_empty() || name.contains(['#', '.', ',']) || name == "any" {
        t.wrong("name", format!("`{name}` cannot be a name: it must not be empty, \"any\" or contain # . ,"), "name");
    }
    t.reader.entries.borrow_mut().push(name.clone());
    let material = t.text("material", "material, one of `[materials]`").required();
    if material.as_ref().is_some_and(String::is_empty) {
        t.wrong(
            "material",
            format!("`{}` is empty: it must be one of [materials]", t.path_of("material")),
            "which one?",
        );
    }
    let material = material.unwrap_or_default();
    let velocity = t.vector("velocity", "initial velocity of the centre of mass [m/s]").or_as("0", [0.0; 3]);
    let spin = t.angular("spin", "initial angular velocity [rad/s]").or_as("0", [0.0; 3]);
    let held = held(
        t,
        "fixed",
        "true, or a list of the components that do not move: x, y, rotation (2D); x, y, z, rx, ry, rz (3D)",
    )
    .or_as("false", [t.has("fixed"); 6]);
    if held == [true; 6] && (velocity != [0.0; 3] || spin != [0.0; 3]) {
        let problem =
            Problem::new(t.place, format!("`{}` is fixed: its velocity has no effect", t.path), "fixed").warn();
        t.reader.report(problem.help("prescribe a motion with [[drive]]"));
    }
    Batch {
        place: t.place,
        groups: vec![name],
        material: (material, t.place_of("material")),
        pose: Pose::default(),
        velocity,
        spin,
        held,
        mass: None,
        inertia: None,
        pieces: Vec::new(),
        deformable: None,
    }
}

/// Reads one `[[bodies]]` entry.
pub fn bodies(t: &Table) -> Option<Batch> {
    let mut batch = common(t);
    batch.pose = pose(t);
    let parts = t.table("shape", "what the body occupies", shape).optional();
    batch.mass = t.number("mass", "mass instead of density × volume [kg; 2D: kg per m of depth]").positive().optional();
    batch.inertia = inertia(t);
    let copies = t.table("copies", "several equal bodies in a row", copies).optional();
    let file = t.file("from", "CSV file with one body (or one vertex) per row; `#` starts a comment").optional();
    let columns = t.text("columns", COLUMNS_DOC).optional();
    if t.recording() {
        return None;
    }
    batch.pieces = match (file, parts) {
        (Some(file), parts) => from_table(t, &file, columns, parts.filter(|_| t.has("shape")))?,
        (None, Some(parts)) => match copies {
            None => vec![piece(parts, Pose::default())],
            Some((count, step)) => {
                (0..count).map(|i| piece(parts.clone(), Pose::at(step.map(|x| x * i as f64)))).collect()
            }
        },
        (None, None) => {
            if !t.has("shape") && !t.has("from") {
                let problem =
                    Problem::new(t.place, format!("`{}` needs a `shape` or a file (`from`)", t.path), "no shape");
                t.reader.report(problem.help("e.g. shape = { kind = \"disk\", radius = 0.1 }"));
            }
            return None;
        }
    };
    Some(batch)
}

const COLUMNS_DOC: &str = "columns of the file: x, y, z, r (radius), angle (2D, °), block (vertices with the same number \
make one convex block), - (skip); by default the file's own line of names, else \"x,y,r\" or \"x,y,z,r\"";

/// A body at `pose` in its batch.
pub fn piece(parts: Vec<PartSpec>, pose: Pose) -> Piece {
    Piece { group: 0, parts, pose, fixed: false }
}

fn inertia(t: &Table) -> Option<[f64; 3]> {
    let doc = "moment of inertia about the centre of mass (3D: about the body's own axes) instead of the computed one [kg·m²]";
    let inertia = t.angular("inertia", doc).optional()?;
    let used = if t.reader.is_dimension(2) { &inertia[2..] } else { &inertia[..] };
    if used.iter().all(|j| *j > 0.0) {
        return Some(inertia);
    }
    t.wrong("inertia", format!("`{}` must be positive", t.path_of("inertia")), "not positive");
    None
}

/// How many, and from one to the next.
pub fn copies(t: &Table) -> Option<(i64, [f64; 3])> {
    let count = t.integer("count", "how many bodies in all", 1, MOST_BODIES as i64).required();
    let step = t.vector("step", "from one to the next [m]").required();
    Some((count?, step?))
}

/// A column of the file.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    X,
    Y,
    Z,
    Radius,
    Angle,
    Block,
    Skip,
}

fn columns_of(t: &Table, csv: &Csv, given: Option<String>, shaped: bool) -> Option<Vec<Column>> {
    let default = match (t.reader.dimension.get(), shaped) {
        (2, false) => "x,y,r",
        (2, true) => "x,y",
        (_, false) => "x,y,z,r",
        (_, true) => "x,y,z",
    };
    let names: Vec<String> = match (given, &csv.header) {
        (Some(text), _) => text.split(',').map(|s| s.trim().to_lowercase()).collect(),
        (None, Some(header)) => header.clone(),
        (None, None) => default.split(',').map(str::to_string).collect(),
    };
    let known = [
        ("x", Column::X),
        ("y", Column::Y),
        ("z", Column::Z),
        ("r", Column::Radius),
        ("angle", Column::Angle),
        ("block", Column::Block),
        ("-", Column::Skip),
    ];
    let key = if t.has("columns") { "columns" } else { "from" };
    let mut columns = Vec::new();
    for name in &names {
        let Some((_, column)) = known.iter().find(|(word, _)| word == name) else {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            let problem = Problem::new(t.place_of(key), format!("unknown column `{name}`"), "columns");
            t.reader.report(problem.help(suggest(name, "valid columns", &words)));
            return None;
        };
        columns.push(*column);
    }
    let found = csv.rows[0].len();
    if columns.len() != found {
        let message = format!("expected {} columns ({}), the file has {found}", columns.len(), names.join(","));
        t.reader
            .report(Problem::new(t.place_of(key), message, "columns").help("say which they are: `columns = \"…\"`"));
        return None;
    }
    Some(columns)
}

fn from_table(t: &Table, file: &str, given: Option<String>, shape: Option<Vec<PartSpec>>) -> Option<Vec<Piece>> {
    let csv = csv::read(t.reader, file, t.place_of("from"))?;
    let columns = columns_of(t, &csv, given, shape.is_some())?;
    let find = |column: Column| columns.iter().position(|c| *c == column);
    let axes: Vec<Option<usize>> = [Column::X, Column::Y, Column::Z].into_iter().map(find).collect();
    let dimension = t.reader.dimension.get();
    let (block, radius) = (find(Column::Block), find(Column::Radius));
    let good = axes[..dimension].iter().all(Option::is_some)
        && axes[dimension..].iter().all(Option::is_none)
        && [block.is_some(), radius.is_some(), shape.is_some()].iter().filter(|b| **b).count() == 1;
    if !good {
        let axes = if dimension == 2 { "x, y" } else { "x, y, z" };
        let message =
            format!("the columns of `{file}` must be {axes} and either r or block (or neither, with a `shape`)");
        t.wrong("from", message, "this file");
        return None;
    }
    let point = |row: &[f64]| {
        let mut out = [0.0; 3];
        (0..dimension).for_each(|k| out[k] = row[axes[k].expect("checked above")]);
        out
    };
    if let Some(block) = block {
        return blocks(t, &csv, block, point);
    }
    let mut pieces = Vec::with_capacity(csv.rows.len());
    for (row, place) in csv.rows.iter().zip(&csv.places) {
        let angle = find(Column::Angle).map_or(0.0, |k| row[k].to_radians());
        let pose = Pose { position: point(row), rotation: [0.0, 0.0, angle] };
        let parts = match (&shape, radius.map(|k| row[k])) {
            (Some(shape), _) => shape.clone(),
            (None, Some(r)) if r > 0.0 => vec![Form::Ball(r).into()],
            (None, r) => {
                let message = format!("the radius must be positive, found {}", r.unwrap_or(0.0));
                t.reader.report(Problem::new(*place, message, "this line"));
                continue;
            }
        };
        pieces.push(piece(parts, pose));
    }
    Some(pieces)
}

/// Rows with the same block number, wherever they are, are the vertices of one block; blocks in order of first row.
pub fn blocks(t: &Table, csv: &Csv, block: usize, point: impl Fn(&[f64]) -> [f64; 3]) -> Option<Vec<Piece>> {
    let mut numbers = std::collections::BTreeMap::new();
    let mut vertices: Vec<(usize, Vec<[f64; 3]>)> = Vec::new();
    for (i, row) in csv.rows.iter().enumerate() {
        let next = vertices.len();
        let number = *numbers.entry(row[block].to_bits()).or_insert(next);
        if number == next {
            vertices.push((i, Vec::new()));
        }
        vertices[number].1.push(point(row));
    }
    let mut pieces = Vec::with_capacity(vertices.len());
    for (first, points) in vertices {
        let checked = if t.reader.is_dimension(2) { convex_polygon(points) } else { Ok(points) };
        match checked {
            Ok(points) => pieces.push(piece(vec![Form::Convex(points.into()).into()], Pose::default())),
            Err(why) => {
                let message = format!("the vertices of block {} {why}", csv.rows[first][block]);
                t.reader.report(Problem::new(csv.places[first], message, "block starts here"));
            }
        }
    }
    Some(pieces)
}
