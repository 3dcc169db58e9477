//! A circular arch: voussoirs between radial joints, from the right springing to the left one.
//!
//! Joint i is at the angle φᵢ = ½(180° − α) + i α/n from the x axis, α being the angle of embrace; its ends are on the
//! circles of radius R ± t/2. In 3D the arch stands in the plane (x, z), centred in y.

use super::Made;
use super::voussoirs::between;
use crate::scene::document::Table;

/// Reads and makes it.
pub fn arch(t: &Table) -> Option<Made> {
    let voussoirs = t.integer("voussoirs", "number of blocks", 1, 1_000_000).required();
    let radius = t.number("radius", "radius of the centre line [m]").positive().required();
    let thickness = t.number("thickness", "thickness, radially [m]").positive().required();
    let depth = t.number("depth", "depth, along y [m]").positive().only(3, "a 2D arch has unit depth").required();
    let embrace = t.number("embrace", "angle between the springings [°]").between(1.0, 300.0).or(180.0);
    let supports = t.flag("supports", "add a fixed block under each springing, group NAME.supports?").or(true);
    let (n, radius, thickness) = (voussoirs? as usize, radius?, thickness?);
    if thickness >= 2.0 * radius {
        t.wrong("thickness", format!("`{}` must be less than twice the radius", t.path_of("thickness")), "too thick");
        return None;
    }
    let depth = if t.reader.is_dimension(3) { Some(depth?) } else { None };
    let angle = embrace.to_radians();
    if angle / n as f64 >= 0.99 * std::f64::consts::PI {
        t.wrong("voussoirs", format!("`{}`: too few voussoirs for {embrace}°", t.path_of("voussoirs")), "too few");
        return None;
    }
    let first = (std::f64::consts::PI - angle) / 2.0;
    let joint = |i: usize| {
        let (s, c) = (first + angle * i as f64 / n as f64).sin_cos();
        [-0.5, 0.5].map(|side| [(radius + side * thickness) * c, (radius + side * thickness) * s])
    };
    let joints: Vec<_> = (0..=n).map(joint).collect();
    Some(between(&joints, depth, supports))
}
