//! A pointed (Gothic) arch: two arcs whose centres are on the springing line, by span and rise of the centre line.
//!
//!   the left arc passes (−s/2, 0) and (0, f): its centre is at (c, 0), c = (f² − s²/4)/s, its radius R = c + s/2
//!
//! Joints are radial but for the one at the apex, which is upright.

use super::Made;
use super::segmental_arch::{ArchKeys, supports};
use super::voussoirs::{Joint, between};
use crate::scene::document::Table;

/// Reads and makes it.
pub fn pointed_arch(t: &Table) -> Option<Made> {
    let keys = ArchKeys::read(t);
    let supports = supports(t);
    let (n, span, rise, thickness, depth) = keys.checked(t)?;
    if rise < 0.5 * span {
        let message = format!("`{}` must be at least half of the span: a segmental arch is lower", t.path_of("rise"));
        t.wrong("rise", message, "too low");
        return None;
    }
    if n % 2 == 1 {
        t.wrong(
            "voussoirs",
            format!("`{}` must be even: the apex is a joint", t.path_of("voussoirs")),
            "an odd number",
        );
        return None;
    }
    let c = (rise * rise - 0.25 * span * span) / span;
    let radius = c + 0.5 * span;
    // At the apex the inner end is where the inner arc meets the axis.
    if radius - 0.5 * thickness <= c {
        t.wrong("thickness", format!("`{}` leaves no inner arc", t.path_of("thickness")), "too thick");
        return None;
    }
    let apex = rise.atan2(c);
    let right = |i: usize| -> Joint {
        [-0.5, 0.5].map(|side| {
            let r = radius + side * thickness;
            if 2 * i == n {
                return [0.0, (r * r - c * c).sqrt()];
            }
            let (s, cosine) = (apex * (2 * i) as f64 / n as f64).sin_cos();
            [r * cosine - c, r * s]
        })
    };
    let joint = |i: usize| if 2 * i <= n { right(i) } else { right(n - i).map(|[x, y]| [-x, y]) };
    let joints: Vec<Joint> = (0..=n).map(joint).collect();
    Some(between(&joints, depth, supports))
}
