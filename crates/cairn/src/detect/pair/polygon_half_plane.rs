//! Polygon on a half-plane: every vertex within reach, g = n · (x − p). An edge that lies flat shares its length.

use crate::contact::Touch;
use crate::shape::{ConvexShape, HalfSpace, Polygon};
use crate::space::Placement;

/// Cosine of the largest angle to the half-plane at which an edge counts as lying on it.
const FLAT: f64 = 0.999;

/// The touches of a polygon (candidate) with a half-plane; the feature is the vertex.
pub fn touches(
    polygon: &Polygon,
    a: &Placement<2>,
    half: &HalfSpace<2>,
    b: &Placement<2>,
    reach: f64,
    out: &mut Vec<Touch<2>>,
) {
    let normal = b.direction(&half.normal);
    let down = -a.local_direction(&normal);
    let flat_length = |edge: usize| {
        if polygon.normals()[edge].dot(&down) > FLAT { polygon.lengths()[edge] } else { 0.0 }
    };
    for (i, v) in polygon.vertices().iter().enumerate() {
        let vertex = a.point(v);
        let gap = normal.dot(&(vertex - b.centre));
        if gap <= reach {
            let area = 0.5 * (flat_length(i) + flat_length(polygon.previous(i)));
            out.push(Touch { feature: i as u32, point: vertex - normal * (0.5 * gap), normal, gap, area });
        }
    }
}
