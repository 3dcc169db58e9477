//! Polyhedron – inside of an endless cylinder about the third axis of the hollow: only vertices can touch.
//!
//! A vertex at distance ρ from the axis has the gap R − ρ; the normal points to the axis. The feature is the vertex.

use crate::contact::Touch;
use crate::shape::{ConvexShape, Hollow, Polyhedron};
use crate::space::{Placement, Vect};

/// Touches between a polyhedron (candidate) and a hollow cylinder (antagonist).
pub(super) fn touches(
    shape: &Polyhedron,
    a: &Placement<3>,
    hollow: &Hollow,
    b: &Placement<3>,
    reach: f64,
    out: &mut Vec<Touch<3>>,
) {
    let centre = b.local_point(&a.centre);
    if centre.x.hypot(centre.y) + shape.radius() < hollow.radius - reach {
        return;
    }
    for (k, v) in shape.vertices().iter().enumerate() {
        let x = b.local_point(&a.point(v));
        let rho = x.x.hypot(x.y);
        let gap = hollow.radius - rho;
        if gap <= reach && rho > 0.0 {
            let outward = Vect::<3>::new(x.x / rho, x.y / rho, 0.0);
            out.push(Touch {
                feature: k as u32,
                point: b.point(&(x + outward * (0.5 * gap))),
                normal: -b.direction(&outward),
                gap,
                area: 0.0,
            });
        }
    }
}
