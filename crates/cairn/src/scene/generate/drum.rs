//! A hollow drum: a hollow disk in 2D; in 3D a hollow cylinder about y, closed at both ends if it has a length.

use super::{Made, piece};
use crate::scene::document::Table;
use crate::scene::spec::{Form, Piece};
use std::f64::consts::FRAC_PI_2;

/// Reads and makes it.
pub fn drum(t: &Table) -> Option<Made> {
    let radius = t.number("radius", "inner radius [m]").positive().required();
    let length = t.number("length", "distance between the end plates [m]; default: no plates").positive();
    let length = length.only(3, "a 2D drum has no length").optional();
    let mut shell = Piece { fixed: true, ..piece(vec![Form::Hollow(radius?).into()], [0.0; 3]) };
    if t.reader.is_dimension(2) {
        return Some(Made::one_group(vec![shell]));
    }
    // A quarter turn about x brings the cylinder's axis z to y.
    shell.pose.rotation = [-FRAC_PI_2, 0.0, 0.0];
    let Some(length) = length else { return Some(Made::one_group(vec![shell])) };
    let plate = |group, sense: f64| {
        let form = Form::HalfSpace([0.0, sense, 0.0]);
        Piece { group, fixed: true, ..piece(vec![form.into()], [0.0, -sense * length / 2.0, 0.0]) }
    };
    Some(Made { groups: vec!["", "front", "back"], pieces: vec![shell, plate(1, 1.0), plate(2, -1.0)] })
}
