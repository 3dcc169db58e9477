//! Bars: two nodes, axial strain only, in the plane or in space.
//!
//! With the reference length L, the reference direction t, d = u₁ − u₀:
//!
//! ```text
//!   small:   ε = t·d/L,                  δε = t·δd/L
//!   finite:  E = t·d/L + d·d/(2L²),      δE = (t + d/L)·δd/L,    δδE = δd·δd/L²
//!   W = A L ½ Y E²
//! ```
//!
//! Y is Young's modulus: S is linear in E for every law.

use super::cell::{Blocks, Columns};
use crate::section::Kinematics;
use crate::{Mat, Vect};

/// Adds force and tangent of a bar of a volume A L. Returns the energy [J].
pub(super) fn respond<const D: usize>(
    kinematics: Kinematics,
    young: f64,
    volume: f64,
    ends: [Vect<D>; 2],
    u: &Columns<D, 2>,
    force: &mut Columns<D, 2>,
    tangent: Option<&mut Blocks<D, 2>>,
) -> f64 {
    let reach = ends[1] - ends[0];
    let length = reach.norm();
    let stretch = (u.column(1) - u.column(0)) / length;
    let along = reach / length;
    let (strain, direction, spin) = match kinematics {
        Kinematics::Small => (along.dot(&stretch), along, 0.0),
        Kinematics::Finite => (along.dot(&stretch) + 0.5 * stretch.norm_squared(), along + stretch, 1.0),
    };
    let pull = direction * (volume * young * strain / length);
    let mut first = force.column_mut(0);
    first -= pull;
    let mut second = force.column_mut(1);
    second += pull;
    if let Some(blocks) = tangent {
        let scale = volume * young / (length * length);
        let own = (direction * direction.transpose() + Mat::identity() * (spin * strain)) * scale;
        blocks[0][0] += own;
        blocks[1][1] += own;
        blocks[1][0] -= own;
    }
    0.5 * volume * young * strain * strain
}
