//! Fixed walls round a region: half-planes or half-spaces that face inwards.

use super::{Made, piece};
use crate::scene::document::{Problem, Table, suggest};
use crate::scene::spec::{Form, Piece};

/// Name, axis, and sense of the inward normal of each wall.
const SIDES_2D: [(&str, usize, f64); 4] = [("left", 0, 1.0), ("right", 0, -1.0), ("bottom", 1, 1.0), ("top", 1, -1.0)];
const SIDES_3D: [(&str, usize, f64); 6] =
    [("left", 0, 1.0), ("right", 0, -1.0), ("front", 1, 1.0), ("back", 1, -1.0), ("bottom", 2, 1.0), ("top", 2, -1.0)];

/// Reads and makes it.
pub fn container(t: &Table) -> Option<Made> {
    let low = t.vector("low", "lower corner of the region [m]").required();
    let high = t.vector("high", "upper corner of the region [m]").required();
    let given = t
        .words("sides", "which walls: left, right (x), front, back (y, 3D), bottom, top")
        .or_as("all but top", Vec::new());
    let (low, high) = (low?, high?);
    let all: &[_] = if t.reader.is_dimension(2) { &SIDES_2D } else { &SIDES_3D };
    region_is_proper(t, low, high)?;
    let names: Vec<&str> = all.iter().map(|(name, _, _)| *name).collect();
    for name in given.iter().filter(|name| !names.contains(&name.as_str())) {
        let problem = Problem::new(t.place_of("sides"), format!("unknown side `{name}`"), "not known here");
        t.reader.report(problem.help(suggest(name, "valid sides", &names)));
    }
    let wanted = |name: &str| if t.has("sides") { given.iter().any(|g| g == name) } else { name != "top" };
    let chosen: Vec<_> = all.iter().filter(|(name, _, _)| wanted(name)).collect();
    let wall = |(group, (_, axis, sense)): (usize, &&(&str, usize, f64))| {
        let mut normal = [0.0; 3];
        normal[*axis] = *sense;
        let mut position = [0, 1, 2].map(|k| (low[k] + high[k]) / 2.0);
        position[*axis] = if *sense > 0.0 { low[*axis] } else { high[*axis] };
        Piece { group, fixed: true, ..piece(vec![Form::HalfSpace(normal).into()], position) }
    };
    let pieces = chosen.iter().enumerate().map(wall).collect();
    Some(Made { groups: chosen.iter().map(|(name, _, _)| *name).collect(), pieces })
}

/// Complains unless the lower corner is below the upper one in each direction.
pub fn region_is_proper(t: &Table, low: [f64; 3], high: [f64; 3]) -> Option<()> {
    let dimension = t.reader.dimension.get();
    if (0..dimension).all(|k| low[k] < high[k]) {
        return Some(());
    }
    t.wrong("high", format!("`{}` must be above `low` in every direction", t.path_of("high")), "not above");
    None
}
