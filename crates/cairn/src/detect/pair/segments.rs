//! Closest points of two segments.

use crate::space::Vect;

/// Below this squared sine two directions count as parallel.
const PARALLEL: f64 = 1e-10;

/// Parameters (s, t) ∈ [0, 1]² of the closest points p + s d and q + t e. Of the many pairs of parallel segments the one
/// in the middle of where they run side by side.
pub(super) fn closest(p: &Vect<3>, d: &Vect<3>, q: &Vect<3>, e: &Vect<3>) -> (f64, f64) {
    let r = p - q;
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(e));
    let (dr, er) = (d.dot(&r), e.dot(&r));
    let det = dd * ee - de * de;
    let s = if det > PARALLEL * dd * ee {
        ((de * er - ee * dr) / det).clamp(0.0, 1.0)
    } else {
        // Where the ends of the other segment fall on this one.
        let (a, b) = (-dr / dd, (de - dr) / dd);
        0.5 * (a.min(b).clamp(0.0, 1.0) + a.max(b).clamp(0.0, 1.0))
    };
    let t = (de * s + er) / ee;
    // Where t leaves its segment, its end decides, and s follows.
    if t < 0.0 {
        ((-dr / dd).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((de - dr) / dd).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pair_of_points_is_closer() {
        let v = |k: u32| {
            let x = |j: u32| (f64::from(k * 3 + j) * 12.9898).sin() * 2.0;
            Vect::<3>::new(x(0), x(1), x(2))
        };
        for k in 0..200 {
            let (p, d, q, e) = (v(4 * k), v(4 * k + 1), v(4 * k + 2), v(4 * k + 3));
            let (s, t) = closest(&p, &d, &q, &e);
            let gap = |s: f64, t: f64| (p + s * d - q - t * e).norm();
            let best = gap(s, t);
            for i in 0..=20 {
                for j in 0..=20 {
                    assert!(gap(f64::from(i) / 20.0, f64::from(j) / 20.0) >= best - 1e-14);
                }
            }
        }
    }

    #[test]
    fn parallel_segments_meet_in_the_middle_of_their_overlap() {
        let (x, z) = (Vect::<3>::x(), Vect::<3>::z());
        let (s, t) = closest(&Vect::zeros(), &(2.0 * x), &(x + z), &(3.0 * x));
        assert!((s - 0.75).abs() < 1e-15 && (t - 1.0 / 6.0).abs() < 1e-15);
    }
}
