//! A membrane: a closed polygon with corners xᵢ at the centres of bodies, under a pressure p from outside.
//!
//! With A = ½ Σ xᵢ × xᵢ₊₁ > 0 the enclosed area, the force on a corner is the derivative of −p A,
//!
//!   fᵢ = −p ∂A/∂xᵢ = −½ p (yᵢ₊₁ − yᵢ₋₁, xᵢ₋₁ − xᵢ₊₁),
//!
//! which is half of p × length along the inward normal of each of the two segments that meet there. These forces have
//! no resultant and no moment, and no part along the membrane. A tension T adds the derivative of −T × perimeter: with eᵢ
//! the unit vector from xᵢ to xᵢ₊₁,
//!
//!   fᵢ = T (eᵢ − eᵢ₋₁),
//!
//! which on a circle of radius R is one more pressure, T/R, and elsewhere makes the chain round. What lies along it, the friction of what it confines,
//! is carried by the membrane's own stiffness k: with t ⟂ (xᵢ(0) − c), c the mean of all xᵢ(0),
//!
//!   fᵢ = −k (t·(xᵢ − xᵢ(0))) t.

use crate::scene::{Membrane, Scene};
use crate::space::{Ambient, Placement, Space, Spin, Vect};

/// Adds the impulses of a membrane under `pressure`, over a step of length `h`, to those of its bodies.
pub(super) fn push<const D: usize>(
    scene: &Scene<D>,
    membrane: &Membrane,
    pressure: f64,
    h: f64,
    places: &[Placement<D>],
    impulses: &mut [(Vect<D>, Spin<D>)],
) where
    Space<D>: Ambient<D>,
{
    let corner = |k: usize| places[membrane.bodies[k % membrane.bodies.len()] as usize].centre;
    let n = membrane.bodies.len();
    let twice_area: f64 = (0..n).map(|k| corner(k)[0] * corner(k + 1)[1] - corner(k)[1] * corner(k + 1)[0]).sum();
    let half = 0.5 * h * pressure * twice_area.signum();
    for k in 0..n {
        let chord = corner(k + 1) - corner(k + n - 1);
        let impulse = &mut impulses[membrane.bodies[k] as usize].0;
        impulse[0] -= half * chord[1];
        impulse[1] += half * chord[0];
    }
    if membrane.tension > 0.0 {
        for k in 0..n {
            let Some(along) = (corner(k + 1) - corner(k)).try_normalize(0.0) else { continue };
            impulses[membrane.bodies[k] as usize].0 += along * (h * membrane.tension);
            impulses[membrane.bodies[(k + 1) % n] as usize].0 -= along * (h * membrane.tension);
        }
    }
    if membrane.stiffness > 0.0 {
        hold(scene, membrane, h, places, impulses);
    }
}

/// The springs along the membrane.
fn hold<const D: usize>(
    scene: &Scene<D>,
    membrane: &Membrane,
    h: f64,
    places: &[Placement<D>],
    impulses: &mut [(Vect<D>, Spin<D>)],
) where
    Space<D>: Ambient<D>,
{
    let start = |body: u32| scene.start[body as usize].place.centre;
    let centre = membrane.bodies.iter().map(|b| start(*b)).sum::<Vect<D>>() / membrane.bodies.len() as f64;
    for &body in &membrane.bodies {
        let ray = start(body) - centre;
        let mut along = Vect::<D>::zeros();
        (along[0], along[1]) = (-ray[1], ray[0]);
        let Some(along) = along.try_normalize(0.0) else { continue };
        let strayed = along.dot(&(places[body as usize].centre - start(body)));
        impulses[body as usize].0 -= along * (h * membrane.stiffness * strayed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{AnyScene, History, read};
    use crate::simulation::Simulation;

    /// A ring of n beads on the circle of radius 2, round a fixed disk or not.
    fn ring(n: usize, inside: &str) -> Simulation<2> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        let text = format!(
            "dimension = 2\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.m = {{ density = 100 }}\n\
             contact = [{{ between = \"any\", friction = 0.5 }}]\nignore = [{{ between = [\"ring\", \"ring\"] }}]\n\
             [[generate]]\nkind = \"ring\"\nname = \"ring\"\nmaterial = \"m\"\nradius = 2\ncount = {n}\nbead_radius = 0.2\n\
             {inside}\n[[membrane]]\nbodies = \"ring\"\npressure = 100\n"
        );
        std::fs::write(&path, text).unwrap();
        match read(&path, &[]).unwrap_or_else(|e| panic!("{}", e.plain())).scene {
            AnyScene::Plane(scene) => Simulation::new(scene),
            AnyScene::Solid(_) => unreachable!("dimension = 2"),
        }
    }

    fn forces(simulation: &Simulation<2>) -> Vec<(Vect<2>, Vect<2>)> {
        let places: Vec<_> = simulation.state.motions.iter().map(|m| m.place).collect();
        let mut impulses = vec![(Vect::<2>::zeros(), 0.0); places.len()];
        let membrane = &simulation.scene.membranes[0];
        push(&simulation.scene, membrane, membrane.pressure.at(0.0), 1.0, &places, &mut impulses);
        places.iter().zip(&impulses).map(|(p, i)| (p.centre, i.0)).collect()
    }

    #[test]
    fn pressure_on_a_regular_polygon_is_radial() {
        for clockwise in [false, true] {
            let mut simulation = ring(7, "");
            if clockwise {
                simulation.scene.membranes[0].bodies.reverse();
            }
            // Two half sides of length 2 R sin(π/7), each with its normal at π/7 from the ray of the corner.
            let angle = std::f64::consts::PI / 7.0;
            let exact = 100.0 * 4.0 * angle.sin() * angle.cos();
            for (x, f) in forces(&simulation) {
                assert!((f + x / 2.0 * exact).norm() < 1e-12 * exact, "{f}");
            }
        }
    }

    #[test]
    fn tension_on_a_regular_polygon_is_one_more_pressure() {
        let mut simulation = ring(7, "");
        simulation.scene.membranes[0].pressure = History::Constant(0.0);
        simulation.scene.membranes[0].tension = 30.0;
        let exact = 2.0 * 30.0 * (std::f64::consts::PI / 7.0).sin();
        for (x, f) in forces(&simulation) {
            assert!((f + x / 2.0 * exact).norm() < 1e-13 * exact, "{f}");
        }
    }

    #[test]
    fn an_irregular_ring_feels_no_resultant_and_no_moment() {
        let mut simulation = ring(9, "");
        for (k, motion) in simulation.state.motions.iter_mut().enumerate() {
            motion.place.centre += Vect::<2>::new((k * k % 5) as f64, (k % 4) as f64) * 0.1;
        }
        simulation.scene.membranes[0].tension = 30.0;
        let all = forces(&simulation);
        let (resultant, moment) = all.iter().fold((Vect::<2>::zeros(), 0.0), |(r, m), (x, f)| (r + f, m + x.perp(f)));
        assert!(resultant.norm() < 1e-11 && moment.abs() < 1e-11, "{resultant} {moment}");
    }

    #[test]
    fn the_work_of_pressure_is_pressure_times_area_and_the_account_closes() {
        let drum =
            "[[bodies]]\nname = \"drum\"\nmaterial = \"m\"\nfixed = true\nshape = { kind = \"disk\", radius = 1.5 }";
        let mut simulation = ring(12, drum);
        let area = |s: &Simulation<2>| {
            let x = |k: usize| s.state.motions[s.scene.membranes[0].bodies[k % 12] as usize].place.centre;
            (0..12).map(|k| 0.5 * x(k).perp(&x(k + 1))).sum::<f64>()
        };
        let before = area(&simulation);
        simulation.scene.membranes[0].stiffness = 50.0;
        simulation.run_to(0.5).unwrap();
        let work = 100.0 * (before - area(&simulation));
        // Beads come to rest on the drum, at radius 1.7. Area is quadratic and the force is of the start of the step.
        let closed = 100.0 * 6.0 * (std::f64::consts::TAU / 12.0).sin() * (4.0 - 1.7 * 1.7);
        assert!((work - closed).abs() < 1e-2 * closed, "{work} {closed}");
        assert!(
            (simulation.state.ledger.work_loads - work).abs() < 1e-2 * work,
            "{}",
            simulation.state.ledger.work_loads
        );
        assert!(crate::measure::balance_error(&simulation.scene, &simulation.state).abs() < 1e-12);
    }
}
