//! A barrel vault: a circular arch drawn out along y, in courses of blocks that run along y.
//!
//! Course i is between the radial joints i and i + 1 of the arch; in running bond every other course is shifted by half a block,
//! with halves at the ends.

use super::voussoirs::upright;
use super::wall::spans;
use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::spec::{Form, Piece};

/// Reads and makes it.
pub fn vault(t: &Table) -> Option<Made> {
    let courses = t.integer("courses", "number of courses, from springing to springing", 2, 1_000_000).required();
    let blocks = t.integer("blocks", "blocks in a full course", 1, 1_000_000).required();
    let radius = t.number("radius", "radius of the centre line [m]").positive().required();
    let thickness = t.number("thickness", "thickness, radially [m]").positive().required();
    let length = t.number("length", "length, along y [m]").positive().required();
    let embrace = t.number("embrace", "angle between the springings [°]").between(1.0, 300.0).or(180.0);
    let bonds = [
        ("running", "every other course shifted by half a block", true),
        ("stack", "joints of all courses in line", false),
    ];
    let running = t.choice("bond", "how the courses lie", &bonds).or_as("\"running\"", true);
    let supports = t.flag("supports", "add a fixed block under each springing, group NAME.supports?").or(true);
    let (n, blocks, radius, thickness, length) = (courses?, blocks?, radius?, thickness?, length?);
    within_limit(t, "courses", &[n, blocks + 1])?;
    let n = n as usize;
    if thickness >= 2.0 * radius {
        t.wrong("thickness", format!("`{}` must be less than twice the radius", t.path_of("thickness")), "too thick");
        return None;
    }
    let angle = embrace.to_radians();
    let first = (std::f64::consts::PI - angle) / 2.0;
    let joint = |i: usize| {
        let (s, c) = (first + angle * i as f64 / n as f64).sin_cos();
        [-0.5, 0.5].map(|side| [(radius + side * thickness) * c, (radius + side * thickness) * s])
    };
    let block = |i: usize, (start, length): (f64, f64)| {
        let ([a, b], [c, d]) = (joint(i), joint(i + 1));
        let form = Form::Convex(upright(&[a, b, d, c], Some(length)).into());
        piece(vec![form.into()], [0.0, start + length / 2.0, 0.0])
    };
    let course = |i: usize| spans(blocks as usize, length / blocks as f64, 0.0, running && i % 2 == 1, true);
    let mut pieces: Vec<Piece> =
        (0..n).flat_map(|i| course(i).into_iter().map(move |span| (i, span))).map(|(i, span)| block(i, span)).collect();
    if supports {
        let ends = super::voussoirs::between(&[joint(0), joint(1), joint(n)], Some(length), true);
        pieces.extend(ends.pieces.into_iter().filter(|p| p.fixed).map(|mut support| {
            support.pose.position[1] = length / 2.0;
            support
        }));
    }
    let groups = if supports { vec!["", "supports"] } else { vec![""] };
    Some(Made { groups, pieces })
}
