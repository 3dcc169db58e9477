//! Voussoirs between the joints of an arch, and the fixed blocks under its springings: shared by the kinds of arches.

use super::{Made, piece};
use crate::scene::spec::{Form, Piece};

/// A joint in the upright plane: its inner and its outer end [m].
pub type Joint = [[f64; 2]; 2];

/// Blocks between neighbouring joints; with `supports`, a fixed block of the arch's thickness beyond each end.
pub fn between(joints: &[Joint], depth: Option<f64>, supports: bool) -> Made {
    let block = |[a, b]: Joint, [c, d]: Joint| Form::Convex(upright(&[a, b, d, c], depth).into());
    let blocks = joints.windows(2).map(|pair| piece(vec![block(pair[0], pair[1]).into()], [0.0; 3]));
    let mut pieces: Vec<Piece> = blocks.collect();
    if let (true, [first, .., last]) = (supports, joints) {
        // Away from the arch: the joint's direction, inner to outer, turned by a quarter to the right or to the left.
        let beyond = |joint: &Joint, sense: f64| {
            let along = [joint[1][0] - joint[0][0], joint[1][1] - joint[0][1]];
            joint.map(|p| [p[0] - sense * along[1], p[1] + sense * along[0]])
        };
        for (from, to) in [(beyond(first, -1.0), *first), (*last, beyond(last, 1.0))] {
            pieces.push(Piece { group: 1, fixed: true, ..piece(vec![block(from, to).into()], [0.0; 3]) });
        }
    }
    let groups = if supports { vec!["", "supports"] } else { vec![""] };
    Made { groups, pieces }
}

/// A polygon of the upright plane: itself in 2D, a prism along y in 3D.
pub fn upright(outline: &[[f64; 2]], depth: Option<f64>) -> Vec<[f64; 3]> {
    match depth {
        None => outline.iter().map(|p| [p[0], p[1], 0.0]).collect(),
        Some(d) => [-d / 2.0, d / 2.0].iter().flat_map(|y| outline.iter().map(|p| [p[0], *y, p[1]])).collect(),
    }
}
