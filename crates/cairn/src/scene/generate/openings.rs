//! Openings of a wall: doors and windows, with or without a lintel. Blocks are cut at their sides.

use crate::scene::document::Table;

/// An opening as the file gives it: lower left corner, width, height, bearing of the lintel on each side [m].
pub struct Given {
    at: [f64; 2],
    width: f64,
    height: f64,
    lintel: Option<f64>,
}

/// An opening: where it is along the wall [m], its first course and the first one above it.
pub struct Opening {
    from: f64,
    to: f64,
    /// First course that is open, and first one above.
    pub courses: (i64, i64),
    /// How far the lintel reaches beyond each side [m].
    pub lintel: Option<f64>,
}

/// Asks for the openings of a wall.
pub fn openings(t: &Table) -> Option<Vec<Given>> {
    let doc = "doors and windows: blocks are left out and cut at their sides";
    t.list("openings", doc, opening).into_iter().collect()
}

fn opening(t: &Table) -> Option<Given> {
    let x = t.number("x", "left side, from the left end of the wall [m]").not_negative().required();
    let sill = t.number("sill", "lower edge above the foot of the wall, on a bed joint [m]").not_negative().or(0.0);
    let width = t.number("width", "width [m]").positive().required();
    let height = t.number("height", "height, up to a bed joint [m]").positive().required();
    let doc = "bearing on each side of a lintel, one course high, group NAME.lintels [m] [default: none]";
    let lintel = t.number("lintel", doc).positive().optional();
    Some(Given { at: [x?, sill], width: width?, height: height?, lintel })
}

impl Opening {
    /// In courses, `pitch` apart, of a wall of this length; complains if its edges are not on bed joints, or if it or its lintel has no
    /// room.
    pub fn checked(given: Given, t: &Table, pitch: f64, (courses, length): (i64, f64)) -> Option<Self> {
        let Given { at: [x, sill], width, height, lintel } = given;
        let number = |z: f64| (z / pitch).round();
        let on_joint = |z: f64| (z / pitch - number(z)).abs() < 1e-6;
        if !on_joint(sill) || !on_joint(sill + height) {
            let message =
                format!("`{}`: sill and upper edge must be on bed joints, every {pitch} m", t.path_of("openings"));
            t.wrong("openings", message, "between two joints");
            return None;
        }
        let range = (number(sill) as i64, number(sill + height) as i64);
        if range.1 >= courses && lintel.is_some() {
            let message = format!("`{}`: a lintel needs a course above the opening", t.path_of("openings"));
            t.wrong("openings", message, "no room for the lintel");
            return None;
        }
        let opening = Self { from: x, to: x + width, courses: range, lintel };
        let (start, span) = opening.lintel_span();
        if start < -1e-6 * length || start + span > (1.0 + 1e-6) * length {
            let what = if lintel.is_some() { "an opening with its lintel" } else { "an opening" };
            let rounded = (1e9 * length).round() / 1e9;
            let message = format!("`{}`: {what} reaches beyond the wall, {rounded} m long", t.path_of("openings"));
            t.wrong("openings", message, "no room for it");
            return None;
        }
        Some(opening)
    }

    /// Start and length of the lintel [m].
    pub fn lintel_span(&self) -> (f64, f64) {
        let bearing = self.lintel.unwrap_or(0.0);
        (self.from - bearing, self.to - self.from + 2.0 * bearing)
    }
}

/// What openings and lintels leave of a course; next to a lintel there is a head joint.
pub fn cut(spans: Vec<(f64, f64)>, openings: &[Opening], course: i64, joint: f64) -> Vec<(f64, f64)> {
    let mut left = spans;
    for opening in openings {
        let hole = if (opening.courses.0..opening.courses.1).contains(&course) {
            (opening.from, opening.to)
        } else if opening.lintel.is_some() && course == opening.courses.1 {
            let (start, length) = opening.lintel_span();
            (start - joint, start + length + joint)
        } else {
            continue;
        };
        let rest = |(start, length): (f64, f64)| {
            let end = start + length;
            // What is thinner than a millionth of a block is round-off, not a block.
            [(start, end.min(hole.0)), (start.max(hole.1), end)]
                .into_iter()
                .filter(move |(a, b)| b - a > 1e-6 * length)
                .map(|(a, b)| (a, b - a))
        };
        left = left.into_iter().flat_map(rest).collect();
    }
    left
}
