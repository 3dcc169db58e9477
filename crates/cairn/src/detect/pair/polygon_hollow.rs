//! Polygon inside a drum: only vertices can touch, g = R − |x|, n = −x/|x| seen from the drum's centre.

use crate::contact::Touch;
use crate::shape::{ConvexShape, Hollow, Polygon};
use crate::space::Placement;

/// The touches of a polygon (candidate) with the drum around it; the feature is the vertex.
pub fn touches(
    polygon: &Polygon,
    a: &Placement<2>,
    hollow: &Hollow,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    for (i, v) in polygon.vertices().iter().enumerate() {
        let vertex = a.point(v);
        let from_centre = vertex - b.centre;
        let distance = from_centre.norm();
        let gap = hollow.radius - distance;
        if gap <= reach && distance > 0.0 {
            let normal = -from_centre / distance;
            out.push(Touch { feature: i as u32, point: vertex - normal * (0.5 * gap), normal, gap, area: 0.0 });
        }
    }
}
