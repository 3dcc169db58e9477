//! A segmental arch: an arc of a circle by its span and its rise, both of the centre line.
//!
//!   R = (s²/4 + f²)/(2f),     the centre is at R − f below the springing line

use super::Made;
use super::voussoirs::{Joint, between};
use crate::scene::document::Table;

/// Reads and makes it.
pub fn segmental_arch(t: &Table) -> Option<Made> {
    let keys = ArchKeys::read(t);
    let supports = supports(t);
    let (n, span, rise, thickness, depth) = keys.checked(t)?;
    if rise > 0.5 * span {
        let message = format!("`{}` must be at most half of the span: a pointed arch is higher", t.path_of("rise"));
        t.wrong("rise", message, "too high");
        return None;
    }
    let radius = (0.25 * span * span + rise * rise) / (2.0 * rise);
    if thickness >= 2.0 * radius {
        t.wrong("thickness", format!("`{}` must be less than twice the radius", t.path_of("thickness")), "too thick");
        return None;
    }
    let half = (0.5 * span / radius).clamp(-1.0, 1.0).asin();
    let joint = |i: usize| -> Joint {
        let (s, c) = (std::f64::consts::FRAC_PI_2 - half + 2.0 * half * i as f64 / n as f64).sin_cos();
        [-0.5, 0.5].map(|side| {
            let r = radius + side * thickness;
            [r * c, r * s - (radius - rise)]
        })
    };
    let joints: Vec<Joint> = (0..=n).map(joint).collect();
    Some(between(&joints, depth, supports))
}

/// Asks whether there are supports.
pub fn supports(t: &Table) -> bool {
    t.flag("supports", "add a fixed block under each springing, group NAME.supports?").or(true)
}

/// What arches by span and rise have in common.
pub struct ArchKeys {
    voussoirs: Option<i64>,
    span: Option<f64>,
    rise: Option<f64>,
    thickness: Option<f64>,
    depth: Option<f64>,
}

impl ArchKeys {
    /// Asks for them.
    pub fn read(t: &Table) -> Self {
        let depth = t.number("depth", "depth, along y [m]").positive().only(3, "a 2D arch has unit depth");
        Self {
            voussoirs: t.integer("voussoirs", "number of blocks", 2, 1_000_000).required(),
            span: t.number("span", "span of the centre line [m]").positive().required(),
            rise: t.number("rise", "rise of the centre line [m]").positive().required(),
            thickness: t.number("thickness", "thickness, radially [m]").positive().required(),
            depth: depth.required(),
        }
    }

    /// Number of blocks, span, rise, thickness, and the depth in 3D.
    pub fn checked(self, t: &Table) -> Option<(usize, f64, f64, f64, Option<f64>)> {
        let depth = if t.reader.is_dimension(3) { Some(self.depth?) } else { None };
        Some((self.voussoirs? as usize, self.span?, self.rise?, self.thickness?, depth))
    }
}
