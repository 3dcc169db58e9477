//! When the proximal point over bodies (`over_bodies.rs`) is asked, and how much it may cost.
//!
//! It may spend as much as was spent before it, and is asked again after the next round of sweeps, which is twice as long.

use super::over_bodies::OverBodies;
use super::unit::Unit;
use super::{RELAXATION, Reactions};
use crate::problem::{Link, Mass};
use crate::report::{Bounds, Report, Settings};
use crate::rolling::Roll;
use crate::solver::block_lu::Symbolic;

/// Steps that must be affordable.
const FEWEST_STEPS: f64 = 20.0;
/// Work of a component of a block product, and of a contact in a step, counted as [`RELAXATION`] is: measured.
const PRODUCT: f64 = 0.25;
const CONTACT: f64 = 300.0;
/// What it must make of a residual to be asked again.
const GAIN: f64 = 0.7;
/// How often it may fail to.
const MOST_FAILURES: usize = 4;

/// The proximal point of one problem.
pub(super) enum Proximal<const D: usize> {
    Unknown,
    /// The problem, the work of a step, how often it has failed.
    Ready(Box<dyn Near<D>>, f64, usize),
    Done,
}

/// A problem over bodies, with 3 or 6 unknowns each.
pub(super) trait Near<const D: usize> {
    /// Impulses (and moments) by the proximal point. Leaves the best there; tells their report and the steps of Newton.
    fn approach(&mut self, links: &mut [Link<D>], rolls: &mut [Roll], settings: &Settings) -> (Report, usize);
}

impl<const D: usize> Proximal<D> {
    /// Tries it, if it can be afforded; those in `links` and `rolls` are the better ones afterwards. Its report and steps, if it was tried.
    pub fn go(
        &mut self,
        start: &[Mass<D>],
        (links, rolls): (&mut [Link<D>], &mut [Roll]),
        settings: &Settings,
        best: &Report,
        equivalent: &mut f64,
    ) -> Option<(Report, usize)> {
        let sweep = RELAXATION * (best.relaxations / best.sweeps.max(1)) as f64;
        let budget = equivalent.min(settings.max_sweeps as f64 - *equivalent) * sweep / FEWEST_STEPS;
        if let Self::Unknown = self {
            *self = Self::look(start, links, rolls, best.bounds, budget);
        }
        let Self::Ready(problem, work, failures) = self else { return None };
        if *work > budget {
            return None;
        }
        let most = (budget * FEWEST_STEPS / *work) as usize;
        let swept = Reactions::of(links, rolls);
        let (report, steps) = problem.approach(links, rolls, &Settings { max_sweeps: most, ..*settings });
        *equivalent += steps as f64 * *work / sweep;
        // As errors in velocity: impulses that grow without limit would make any error small beside them.
        let (reached, known) = (report.residual * report.scale, best.residual * best.scale);
        if reached.is_nan() || reached >= known {
            swept.put(links, rolls);
        }
        *failures += usize::from(reached.is_nan() || reached > GAIN * known);
        let converged = report.residual <= settings.tolerance && reached < known;
        if *failures == MOST_FAILURES {
            *self = Self::Done;
        }
        let (sweeps, relaxations) = (best.sweeps, best.relaxations);
        Some((Report { converged, sweeps, relaxations, ..report }, steps))
    }

    /// The problem, if a step can be afforded; a budget that would not do remains unknown, until the next is larger.
    fn look(start: &[Mass<D>], links: &[Link<D>], rolls: &[Roll], bounds: Bounds, budget: f64) -> Self {
        let left = budget - CONTACT * links.len() as f64;
        let most = (left / (PRODUCT * (Unit::<D>::BLOCK * Unit::<D>::BLOCK) as f64)) as usize;
        if left <= 0.0 {
            return Self::Unknown;
        }
        let unit = Unit::new(start, links);
        let pairs = (0..links.len()).filter_map(|a| {
            let mut nodes = unit.nodes_of(a);
            Some((nodes.next()? as usize, nodes.next()? as usize))
        });
        let Some(symbolic) = Symbolic::new(unit.nodes, pairs, most) else { return Self::Unknown };
        let work = budget - left + PRODUCT * (Unit::<D>::BLOCK * Unit::<D>::BLOCK * symbolic.products) as f64;
        let problem: Box<dyn Near<D>> = if D == 2 {
            Box::new(OverBodies::<D, 3>::new(unit, symbolic, start, (links, rolls), bounds))
        } else {
            Box::new(OverBodies::<D, 6>::new(unit, symbolic, start, (links, rolls), bounds))
        };
        Self::Ready(problem, work, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::Joint;
    use crate::matrix_free::MatrixFree;
    use crate::problem::{GROUND, LocalForm, Mat, Vect};

    /// Cubes of mass 1 on top of each other that fall, jump, slide and turn; every third joint holds, one by a single point.
    fn glued_tower(count: usize) -> (Vec<Mass<2>>, Vec<Link<2>>) {
        let spin_mobility = Mat::<3>::from_diagonal(&Vect::<3>::new(0.0, 0.0, 6.0));
        let mass = |i: usize| Mass {
            velocity: Vect::<2>::new(0.3 * (i as f64).sin(), if i % 6 == 5 { 2.0 } else { -1.0 }),
            spin: Vect::<3>::new(0.0, 0.0, 0.5 * (2.0 * i as f64).cos()),
            inverse_mass: Vect::<2>::repeat(1.0),
            spin_mobility,
        };
        let link = |upper: usize, x: f64| Link {
            masses: [upper as u32, if upper == 0 { GROUND } else { upper as u32 - 1 }],
            frame: Mat::<2>::new(0.0, 1.0, 1.0, 0.0),
            arms: [Vect::<2>::new(x, -0.5), Vect::<2>::new(x, 0.5)],
            form: LocalForm {
                joint: if upper % 3 == 2 && (upper != 2 || x > 0.0) { Joint::bilateral() } else { Joint::none() },
                ..LocalForm::plain(0.4, Vect::zeros())
            },
            impulse: Vect::zeros(),
            velocity: Vect::zeros(),
        };
        ((0..count).map(mass).collect(), (0..count).flat_map(|i| [link(i, -0.5), link(i, 0.5)]).collect())
    }

    #[test]
    fn what_holds_is_clamped() {
        let (masses, links) = glued_tower(12);
        let settings = Settings { tolerance: 1e-10, max_sweeps: 100_000, ..Settings::default() };
        let (mut swept_masses, mut swept) = (masses.clone(), links.clone());
        let by_sweeps = MatrixFree::new().solve(&mut swept_masses, &mut swept, &mut [], &settings);
        assert!(by_sweeps.converged, "{by_sweeps:?}");

        let (mut some_masses, mut near) = (masses.clone(), links.clone());
        let some =
            MatrixFree::new().solve(&mut some_masses, &mut near, &mut [], &Settings { max_sweeps: 20, ..settings });
        assert!(some.residual > 1e-4, "20 sweeps are enough: {some:?}");
        let mut equivalent = 5e4;
        let (report, _) =
            Proximal::Unknown.go(&masses, (&mut near, &mut []), &settings, &some, &mut equivalent).unwrap();
        assert!(report.converged, "{report:?}");
        assert!(near.iter().any(|l| l.form.joint.bilateral && l.impulse[0] < -0.1), "no bond pulls");
        let apart = near.iter().zip(&swept).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{apart:e}");
    }

    /// Joints that pull, spring and give way, and moments that resist rolling: as sweeps have them.
    #[test]
    fn joints_and_moments_are_those_of_the_sweeps() {
        let (masses, mut links) = glued_tower(9);
        for (a, link) in links.iter_mut().enumerate().filter(|(a, _)| a % 4 < 2) {
            let stiff = if a % 4 == 0 { [3.0, 2.0] } else { [0.0; 2] };
            let pull = Vect::<2>::new(-0.2, 0.1) * f64::from(u8::from(a % 4 == 0));
            link.form.joint = Joint { bilateral: false, pull, stiffness: stiff, compliance: [0.05, 0.02] };
        }
        let roll = |link: usize| Roll { link, arms: [0.05, 0.0], bias: Vect::zeros(), moment: Vect::zeros() };
        let rolls: Vec<Roll> = [1, 3, 6].map(roll).to_vec();
        let settings = Settings { tolerance: 1e-10, max_sweeps: 100_000, ..Settings::default() };
        let (mut swept_masses, mut swept, mut swept_rolls) = (masses.clone(), links.clone(), rolls.clone());
        let by_sweeps = MatrixFree::new().solve(&mut swept_masses, &mut swept, &mut swept_rolls, &settings);
        assert!(by_sweeps.converged, "{by_sweeps:?}");

        let (mut near, mut near_rolls) = (links.clone(), rolls.clone());
        let few = Settings { max_sweeps: 3, ..settings };
        let some = MatrixFree::new().solve(&mut masses.clone(), &mut near, &mut near_rolls, &few);
        assert!(some.residual > 1e-4, "3 sweeps are enough: {some:?}");
        let parts = (&mut near[..], &mut near_rolls[..]);
        let (report, steps) = Proximal::Unknown.go(&masses, parts, &settings, &some, &mut 5e4).unwrap();
        assert!(report.converged && steps < 100, "{steps} steps: {report:?}");
        let apart = near.iter().zip(&swept).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{apart:e}");
        assert!(near_rolls.iter().any(|roll| roll.moment[2] != 0.0), "no moment");
    }

    #[test]
    fn what_would_cost_too_much_is_not_tried() {
        let (masses, mut links) = glued_tower(12);
        let settings = Settings { tolerance: 1e-10, max_sweeps: 1000, ..Settings::default() };
        let some =
            MatrixFree::new().solve(&mut masses.clone(), &mut links, &mut [], &Settings { max_sweeps: 20, ..settings });
        let mut equivalent = 20.0;
        let asked = Proximal::Unknown.go(&masses, (&mut links, &mut []), &settings, &some, &mut equivalent);
        assert!(asked.is_none());
        assert_eq!(equivalent, 20.0);
    }
}
