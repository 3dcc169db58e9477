//! Corners of the finer mesh where the coarser one has the candidate points, and balls in the dent that they press.

use crate::support::{go, plane};

/// A narrow block stands on a wide one whose points, far apart, are the candidates: but for its corners it would sink in between them.
#[test]
fn a_narrow_block_stands_between_the_points_of_a_wide_one() {
    let mut s = plane(
        "dimension = 2\ngravity = { acceleration = [0, -9.81] }\ntime = { step = 1e-3, end = 1, theta = 1 }\n\
         materials.m = { density = 2000, young = 1e7, poisson = 0.3 }\n[[contact]]\nbetween = \"m\"\nfriction = 0.4\n\
         [[deformable]]\nname = \"wide\"\nmaterial = \"m\"\nposition = [0, 0.25]\n\
         mesh = { kind = \"rectangle\", size = [3, 0.5], cells = [3, 1] }\n\
         [[fix]]\nbodies = \"wide\"\nboundary = \"bottom\"\n\
         [[deformable]]\nname = \"narrow\"\nmaterial = \"m\"\nposition = [0, 0.6]\n\
         mesh = { kind = \"rectangle\", size = [0.4, 0.2], cells = [2, 1] }\n",
    );
    go(&mut s, 300);
    let lowest = s.state.fields[1].displacement.chunks_exact(2).map(|u| u[1]).fold(0.0, f64::min);
    // ρgH²/E is 4e-5 of a metre; the wide one gives way by as much again.
    assert!(lowest > -1e-3, "it has sunk by {lowest}");
    assert!(s.state.ledger.worst_penetration < 1e-5, "{}", s.state.ledger.worst_penetration);
}
