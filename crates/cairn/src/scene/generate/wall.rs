//! A wall: courses of equal blocks, in running, stack or English bond, with openings and lintels.
//!
//! ```text
//!   ┌──┬────┬────┬──┐    running: odd courses shifted by half a block, with halves at the ends
//!   ├──┴─┬──┴─┬──┴─┬┤
//!   └────┴────┴────┴┘
//! ```
//!
//! In English bond courses of stretchers, two side by side in 3D, alternate with courses of headers, half as long, which reach
//! through the wall; headers are shifted by a quarter of a block, with closers of that length at the ends.

use super::openings::{Opening, cut, openings};
use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::shapes::{corners, size};
use crate::scene::spec::{Form, Piece};

/// Most courses, and most blocks in one.
const MOST: i64 = 1_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Bond {
    Running,
    Stack,
    English,
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
        ("english", "courses of stretchers and of headers; 3D: the wall is two blocks thick", Bond::English),
    ];
    let bond = t.choice("bond", "how the courses lie", &bonds).or_as("\"running\"", Bond::Running);
    let halves = t.flag("half_blocks", "fill the ends of shifted courses with half blocks?").or(true);
    let openings = openings(t);
    let (courses, blocks, size, openings) = (courses?, blocks?, size?, openings?);
    within_limit(t, "courses", &[courses, 2 * blocks + 1])?;
    if head >= size[0] {
        t.wrong("head_joint", format!("`{}` must be shorter than a block", t.path_of("head_joint")), "too wide");
        return None;
    }
    let dimension = t.reader.dimension.get();
    let up = dimension - 1;
    let pitch = size[up] + bed;
    let room = (courses, blocks as f64 * (size[0] + head) - head);
    let openings = openings.into_iter().map(|o| Opening::checked(o, t, pitch, room)).collect::<Option<Vec<_>>>()?;
    let mut pieces = Vec::new();
    // Two stretchers and the joint between them make the thickness of an English wall.
    let through = if bond == Bond::English { 2.0 * size[1] + head } else { size[1] };
    let mut add = |group: usize, course: i64, (start, length): (f64, f64), across: (f64, f64)| {
        let mut high = [length / 2.0, across.1 / 2.0, size[2] / 2.0];
        high[up] = size[up] / 2.0;
        let mut centre = [start + length / 2.0, across.0, 0.0];
        centre[up] = (course as f64 + 0.5) * size[up] + course as f64 * bed;
        let form = Form::Convex(corners(dimension, high.map(|x| -x), high));
        pieces.push(Piece { group, ..piece(vec![form.into()], centre) });
    };
    for course in 0..courses {
        let odd = course % 2 == 1;
        let whole = match bond {
            Bond::Running | Bond::Stack => spans(blocks as usize, size[0], head, bond == Bond::Running && odd, halves),
            Bond::English if odd => headers(blocks as usize, size[0], head),
            Bond::English => spans(blocks as usize, size[0], head, false, halves),
        };
        for span in cut(whole, &openings, course, head) {
            if dimension == 3 && bond == Bond::English && !odd {
                let off = (size[1] + head) / 2.0;
                add(0, course, span, (-off, size[1]));
                add(0, course, span, (off, size[1]));
            } else {
                add(0, course, span, (0.0, through));
            }
        }
        for opening in openings.iter().filter(|o| o.lintel.is_some() && o.courses.1 == course) {
            add(1, course, opening.lintel_span(), (0.0, through));
        }
    }
    let lintels = openings.iter().any(|o| o.lintel.is_some());
    let groups = if lintels { vec!["", "lintels"] } else { vec![""] };
    Some(Made { groups, pieces })
}

/// Start and length of each block of a course.
pub fn spans(blocks: usize, length: f64, joint: f64, shifted: bool, halves: bool) -> Vec<(f64, f64)> {
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

/// The same of a course of headers: two to a block, shifted by a quarter of it.
fn headers(blocks: usize, length: f64, joint: f64) -> Vec<(f64, f64)> {
    let header = (length - joint) / 2.0;
    let closer = (header - joint) / 2.0;
    let first = closer + joint;
    let mut spans = vec![(0.0, closer)];
    spans.extend((0..2 * blocks - 1).map(|i| (first + i as f64 * (header + joint), header)));
    spans.push((first + (2 * blocks - 1) as f64 * (header + joint), closer));
    spans
}
