//! A buttress: courses of blocks with an upright face at x = 0 and a battered one, from `base` wide at the foot to `top`.

use super::voussoirs::upright;
use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::spec::Form;

/// Reads and makes it.
pub fn buttress(t: &Table) -> Option<Made> {
    let courses = t.integer("courses", "number of courses", 1, 1_000_000).required();
    let blocks = t.integer("blocks", "blocks in a course", 1, 1_000_000).or(1);
    let height = t.number("height", "height [m]").positive().required();
    let base = t.number("base", "width at the foot [m]").positive().required();
    let top = t.number("top", "width at the top [m]").positive().or_as("base", f64::NAN);
    let depth = t.number("depth", "depth, along y [m]").positive().only(3, "in 2D it has unit depth").required();
    let (courses, height, base) = (courses?, height?, base?);
    within_limit(t, "courses", &[courses, blocks])?;
    let depth = if t.reader.is_dimension(3) { Some(depth?) } else { None };
    let top = if top.is_nan() { base } else { top };
    let level = |i: i64| height * i as f64 / courses as f64;
    let width = |i: i64| base + (top - base) * i as f64 / courses as f64;
    let mut pieces = Vec::new();
    for i in 0..courses {
        // Every other course is cut half a block further on, so that joints do not run through.
        let shift = if i % 2 == 1 && blocks > 1 { 0.5 } else { 0.0 };
        let cuts: Vec<f64> = (0..=blocks)
            .map(|k| if k == 0 || k == blocks { k as f64 } else { k as f64 - shift })
            .map(|k| k / blocks as f64)
            .collect();
        for cut in cuts.windows(2) {
            let at = |share: f64, joint: i64| {
                // The battered face belongs to the last block; inner joints are upright.
                let x = if share == 1.0 { width(joint) } else { share * width(i + 1) };
                [x, level(joint)]
            };
            let outline = [at(cut[0], i), at(cut[1], i), at(cut[1], i + 1), at(cut[0], i + 1)];
            pieces.push(piece(vec![Form::Convex(upright(&outline, depth).into()).into()], [0.0; 3]));
        }
    }
    Some(Made::one_group(pieces))
}
