//! Disk and sphere.

use super::MassProperties;
use crate::space::{Mat, Vect};
use std::f64::consts::PI;

/// Disk or sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Radius [m].
    pub radius: f64,
}

impl Ball {
    /// Disk: A = π r², S = A r²/4 · I. Sphere: V = 4/3 π r³, S = V r²/5 · I. (In general V r²/(D + 2).)
    pub fn mass_properties<const D: usize>(&self) -> MassProperties<D> {
        let r = self.radius;
        let volume = if D == 2 { PI * r * r } else { 4.0 / 3.0 * PI * r * r * r };
        let second_moment = Mat::identity() * (volume * r * r / (D as f64 + 2.0));
        MassProperties { volume, centroid: Vect::zeros(), second_moment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_and_sphere_have_the_inertia_of_the_textbook() {
        let disk = Ball { radius: 0.3 }.mass_properties::<2>();
        assert!((disk.second_moment.trace() / disk.volume - 0.5 * 0.09).abs() < 1e-15);
        let sphere = Ball { radius: 0.3 }.mass_properties::<3>();
        let s = sphere.second_moment;
        assert!(((s[(0, 0)] + s[(1, 1)]) / sphere.volume - 0.4 * 0.09).abs() < 1e-15);
        assert!((sphere.volume - 0.113_097_335_529_232_55).abs() < 1e-15);
    }
}
