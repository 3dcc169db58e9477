//! Fabric: how contact normals are spread over directions.
//!
//! F = (1/N) Σ n ⊗ n. In 2D the spread E(θ) = (1/π)(1 + a cos 2(θ − θ_c)) over half a turn has the anisotropy
//! a = 2 √((F_xx − F_yy)² + 4 F_xy²), with its largest value at θ_c = ½ atan2(2 F_xy, F_xx − F_yy).

use crate::contact::{Reaction, Status};
use crate::space::{Ambient, Mat, Space};

/// The fabric tensor of the contacts that carry a force; zero if there are none.
pub fn fabric<const D: usize>(reactions: &[Reaction<D>]) -> Mat<D> {
    let (mut sum, mut count) = (Mat::<D>::zeros(), 0.0);
    for reaction in reactions.iter().filter(|r| r.status != Status::Open) {
        let n = reaction.contact.touch.normal;
        sum += n * n.transpose();
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { sum }
}

/// Anisotropy a and direction θ_c [rad] of a plane fabric tensor.
pub fn anisotropy(fabric: &Mat<2>) -> (f64, f64) {
    let (difference, shear) = (fabric[(0, 0)] - fabric[(1, 1)], 2.0 * fabric[(0, 1)]);
    (2.0 * difference.hypot(shear), 0.5 * shear.atan2(difference))
}

/// Spread of contact directions over half a turn, in `bins` equal sectors: middle of the sector [rad] and density,
/// relative to an isotropic spread (1 everywhere). 2D: angle to the x axis, from 0 to π. 3D: elevation above the
/// horizon, from −π/2 to π/2 and without sign, per solid angle.
pub fn rose<const D: usize>(reactions: &[Reaction<D>], bins: usize) -> Vec<(f64, f64)>
where
    Space<D>: Ambient<D>,
{
    use std::f64::consts::PI;
    let bins = bins.max(1);
    let width = PI / bins as f64;
    let mut counts = vec![0.0f64; bins];
    let mut total = 0.0;
    for reaction in reactions.iter().filter(|r| r.status != Status::Open) {
        let [x, y, z] = Space::<D>::lift(&reaction.contact.touch.normal);
        let angles = if D == 2 {
            vec![y.atan2(x).rem_euclid(PI)]
        } else {
            // A normal and its opposite are the same direction: half a count each.
            let up = z.atan2(x.hypot(y)) + 0.5 * PI;
            vec![up, PI - up]
        };
        let share = 1.0 / angles.len() as f64;
        for angle in angles {
            counts[((angle / width) as usize).min(bins - 1)] += share;
        }
        total += 1.0;
    }
    let start = if D == 2 { 0.0 } else { -0.5 * PI };
    let sector = |k: usize| {
        let (a, b) = (start + k as f64 * width, start + (k + 1) as f64 * width);
        let isotropic = if D == 2 { 1.0 / bins as f64 } else { 0.5 * (b.sin() - a.sin()) };
        (0.5 * (a + b), if total > 0.0 { counts[k] / (total * isotropic) } else { 0.0 })
    };
    (0..bins).map(sector).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, Key, Touch};
    use crate::space::Vect;

    fn contact<const D: usize>(normal: Vect<D>) -> Reaction<D> {
        let touch = Touch { feature: 0, point: Vect::zeros(), normal, gap: 0.0, area: 0.0 };
        let contact = Contact { key: Key::default(), bodies: [0, 1], touch, law: 0 };
        Reaction {
            contact,
            impulse: normal,
            velocity: Vect::zeros(),
            status: Status::Stick,
            memory: Default::default(),
            anchor: Default::default(),
        }
    }

    /// Normals whose directions are spread as (1/π)(1 + a cos 2(θ − θ_c)), at the middles of equal shares.
    fn spread(a: f64, direction: f64, count: usize) -> Vec<Reaction<2>> {
        let share = |t: f64| (t + 0.5 * a * (2.0 * t).sin()) / std::f64::consts::PI;
        let angle = |k: usize| {
            let (mut low, mut high) = (0.0, std::f64::consts::PI);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if share(middle) < (k as f64 + 0.5) / count as f64 { low = middle } else { high = middle }
            }
            low + direction
        };
        (0..count).map(|k| contact(Vect::<2>::new(angle(k).cos(), angle(k).sin()))).collect()
    }

    #[test]
    fn anisotropy_and_direction_come_back() {
        let contacts = spread(0.4, 0.7, 20_000);
        let (a, direction) = anisotropy(&fabric(&contacts));
        assert!((a - 0.4).abs() < 1e-4 && (direction - 0.7).abs() < 1e-4, "{a} {direction}");
        for (angle, density) in rose(&contacts, 18) {
            assert!((density - (1.0 + 0.4 * (2.0 * (angle - 0.7)).cos())).abs() < 0.01, "{angle} {density}");
        }
    }

    #[test]
    fn a_uniform_sphere_is_a_circle() {
        // Equal steps of z are equal areas.
        let at = |k: usize| {
            let (z, turn) = (2.0 * (k as f64 + 0.5) / 1e5 - 1.0, k as f64 * 2.4);
            let r = (1.0 - z * z).sqrt();
            contact(Vect::<3>::new(r * turn.cos(), r * turn.sin(), z))
        };
        let contacts: Vec<_> = (0..100_000).map(at).collect();
        assert!(rose(&contacts, 12).iter().all(|s| (s.1 - 1.0).abs() < 0.01));
        assert!((fabric(&contacts) - Mat::<3>::identity() / 3.0).norm() < 1e-3);
    }

    #[test]
    fn no_contacts_no_fabric() {
        assert_eq!(fabric::<2>(&[]), Mat::<2>::zeros());
        assert!(rose::<3>(&[], 5).iter().all(|s| s.1 == 0.0));
    }
}
