//! A dome: rings of equal blocks between two spheres, open at the crown.
//!
//! Block (i, k) lies between the angles φᵢ₊₁ < φ < φᵢ from the crown and θₖ < θ < θₖ₊₁ about the axis. Its eight corners are on the
//! spheres of radius R ± t/2; its faces are plane, and those of neighbours coincide, because meridians are in line: rings
//! shifted against each other would not fit, as their faces are tilted differently.

use super::{Made, piece, within_limit};
use crate::scene::document::Table;
use crate::scene::spec::{Form, Piece, Pose};
use std::f64::consts::TAU;

/// Reads and makes it.
pub fn dome(t: &Table) -> Option<Made> {
    let rings = t.integer("rings", "number of rings", 1, 100_000).required();
    let blocks = t.integer("blocks", "blocks in a ring", 3, 100_000).required();
    let radius = t.number("radius", "radius of the middle surface [m]").positive().required();
    let thickness = t.number("thickness", "thickness, radially [m]").positive().required();
    let springing = t.number("springing", "angle of the springing from the crown [°]").between(1.0, 150.0).or(90.0);
    let oculus = t.number("oculus", "angle of the edge of the oculus from the crown [°]").positive().required();
    let keystone = t.flag("keystone", "fill the oculus with one block, group NAME.keystone?").or(false);
    let supports =
        t.flag("supports", "add a fixed block under each block of the lowest ring, group NAME.supports?").or(true);
    let (rings, blocks, radius, thickness, oculus) = (rings?, blocks?, radius?, thickness?, oculus?);
    within_limit(t, "rings", &[rings + 1, blocks])?;
    if thickness >= radius {
        t.wrong("thickness", format!("`{}` must be less than the radius", t.path_of("thickness")), "too thick");
        return None;
    }
    if oculus >= springing {
        t.wrong(
            "oculus",
            format!("`{}` must be less than the springing, {springing}°", t.path_of("oculus")),
            "too wide",
        );
        return None;
    }
    let (low, high) = (springing.to_radians(), oculus.to_radians());
    let angle = |i: i64| low + (high - low) * i as f64 / rings as f64;
    let half = TAU / (2 * blocks) as f64;
    // A block across the x axis; its copies are turned about z.
    let corner = |phi: f64, side: f64, theta: f64| {
        let r = radius + side * thickness;
        [r * phi.sin() * theta.cos(), r * phi.sin() * theta.sin(), r * phi.cos()]
    };
    let face =
        |phi: f64| [corner(phi, -0.5, -half), corner(phi, 0.5, -half), corner(phi, 0.5, half), corner(phi, -0.5, half)];
    let turned = |vertices: &[[f64; 3]], group: usize, fixed: bool| -> Vec<Piece> {
        let form = Form::Convex(vertices.into());
        let pose = |k: i64| Pose { position: [0.0; 3], rotation: [0.0, 0.0, TAU * k as f64 / blocks as f64] };
        (0..blocks).map(|k| Piece { group, parts: vec![form.clone().into()], pose: pose(k), fixed }).collect()
    };
    let mut pieces: Vec<Piece> = Vec::new();
    for i in 0..rings {
        pieces.extend(turned(&[face(angle(i)), face(angle(i + 1))].concat(), 0, false));
    }
    let mut groups = vec![""];
    if supports {
        // On along the meridian.
        let down = [low.cos() * thickness, 0.0, -low.sin() * thickness];
        let foot = face(low);
        let below = foot.map(|p| std::array::from_fn(|k| p[k] + down[k]));
        pieces.extend(turned(&[below, foot].concat(), groups.len(), true));
        groups.push("supports");
    }
    if keystone {
        let ring = |side: f64| (0..blocks).map(move |k| (side, (2 * k + 1) as f64 * half));
        let vertices: Vec<[f64; 3]> =
            ring(-0.5).chain(ring(0.5)).map(|(side, theta)| corner(high, side, theta)).collect();
        let group = groups.len();
        pieces.push(Piece { group, ..piece(vec![Form::Convex(vertices.into()).into()], [0.0; 3]) });
        groups.push("keystone");
    }
    Some(Made { groups, pieces })
}
