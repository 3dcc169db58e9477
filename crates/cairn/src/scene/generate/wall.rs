//! A wall: courses of equal blocks, in running bond or in stacks.
//!
//! ```text
//!   ┌──┬────┬────┬──┐    odd courses: shifted by half a block, with halves at the ends
//!   ├──┴─┬──┴─┬──┴─┬┤
//!   └────┴────┴────┴┘
//! ```

use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::shapes::{corners, size};
use crate::scene::spec::Form;

/// Most courses, and most blocks in one.
const MOST: i64 = 1_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Bond {
    Running,
    Stack,
}

/// Reads and makes it.
pub fn wall(t: &Table) -> Option<Made> {
    let courses = t.integer("courses", "number of courses", 1, MOST).required();
    let blocks = t.integer("blocks", "blocks in a full course", 1, MOST).required();
    let size = size(t, "size", "of a block [m]: length, height (2D); length, thickness, height (3D)");
    let head = t.number("head_joint", "gap between neighbours in a course [m]").not_negative().or(0.0);
    let bed = t.number("bed_joint", "gap between courses [m]").not_negative().or(0.0);
    let bonds = [
        ("running", "every other course shifted by half a block", Bond::Running),
        ("stack", "blocks above each other", Bond::Stack),
    ];
    let bond = t.choice("bond", "how the courses lie", &bonds).or_as("\"running\"", Bond::Running);
    let halves = t.flag("half_blocks", "fill the ends of shifted courses with half blocks?").or(true);
    let (courses, blocks, size) = (courses?, blocks?, size?);
    within_limit(t, "courses", &[courses, blocks + 1])?;
    if head >= size[0] {
        t.wrong("head_joint", format!("`{}` must be shorter than a block", t.path_of("head_joint")), "too wide");
        return None;
    }
    let dimension = t.reader.dimension.get();
    let up = dimension - 1;
    let mut pieces = Vec::new();
    for course in 0..courses {
        let shifted = bond == Bond::Running && course % 2 == 1;
        for (start, length) in spans(blocks as usize, size[0], head, shifted, halves) {
            let mut high = [length / 2.0, size[1] / 2.0, size[2] / 2.0];
            high[up] = size[up] / 2.0;
            let mut centre = [start + length / 2.0, 0.0, 0.0];
            centre[up] = (course as f64 + 0.5) * size[up] + course as f64 * bed;
            let form = Form::Convex(corners(dimension, high.map(|x| -x), high));
            pieces.push(piece(vec![form.into()], centre));
        }
    }
    Some(Made::one_group(pieces))
}

/// Start and length of each block of a course.
fn spans(blocks: usize, length: f64, joint: f64, shifted: bool, halves: bool) -> Vec<(f64, f64)> {
    let pitch = length + joint;
    if !shifted {
        return (0..blocks).map(|i| (i as f64 * pitch, length)).collect();
    }
    // Two halves and a joint make a block, so that shifted courses are as long as the others.
    let half = (length - joint) / 2.0;
    let mut spans: Vec<_> = (0..blocks - 1).map(|i| (half + joint + i as f64 * pitch, length)).collect();
    if halves {
        spans.insert(0, (0.0, half));
        spans.push((half + joint + (blocks - 1) as f64 * pitch, half));
    }
    spans
}
