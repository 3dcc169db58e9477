//! The proximal point on a stored W (see `solver/proximal.rs`), for collections that sweeps get lost in.
//!
//! Blocks that lean, jam and slide: forces can go many ways through them, which of them open and slide changes from
//! sweep to sweep, and nothing that is carried on helps. A few dozen steps of Newton on all contacts settle it.
//!
//! It may spend as much as was spent before it, and is asked again after the next round of sweeps, which is twice as
//! long. Where it failed, sweeps may have led it astray: then it starts from where the first few of them ended.

use super::rolled::{self, Rolled};
use super::{RELAXATION, Reactions};
use crate::coupled;
use crate::delassus::Stored;
use crate::problem::{Link, Mass};
use crate::report::{Report, Settings};
use crate::rolling::Roll;
use crate::solver::{Solver, factorization_products};

/// Steps that must be affordable.
const FEWEST_STEPS: f64 = 20.0;
/// Work of a block product of a factorization and of a block of W, counted as [`RELAXATION`] is: measured. A step
/// evaluates velocities four times or so.
const PRODUCT: f64 = 0.25;
const BLOCK: f64 = 18.0;
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

/// A problem with a stored W.
pub(super) trait Near<const D: usize> {
    /// Impulses (and moments) by the proximal point, counts being added to those of `before`.
    fn approach(&self, links: &mut [Link<D>], rolls: &mut [Roll], settings: &Settings, before: Report) -> Report;
}

impl<const D: usize> Near<D> for Stored<D> {
    fn approach(&self, links: &mut [Link<D>], _: &mut [Roll], settings: &Settings, before: Report) -> Report {
        coupled::plain(Solver::Proximal, self, links, settings, before)
    }
}

impl<const D: usize, const N: usize> Near<D> for Rolled<D, N> {
    fn approach(&self, links: &mut [Link<D>], rolls: &mut [Roll], settings: &Settings, before: Report) -> Report {
        self.solve(Solver::Proximal, (links, rolls), settings, Some(before))
    }
}

impl<const D: usize> Proximal<D> {
    /// Tries it, if it can be afforded; those in `links` and `rolls` are the better ones afterwards. Its report, if it was
    /// tried; `early` are the reactions of the first sweeps.
    pub fn go(
        &mut self,
        (start, early): (&[Mass<D>], &Reactions<D>),
        (links, rolls): (&mut [Link<D>], &mut [Roll]),
        settings: &Settings,
        best: &Report,
        equivalent: &mut f64,
    ) -> Option<Report> {
        let sweep = RELAXATION * (best.relaxations / best.sweeps.max(1)) as f64;
        let budget = equivalent.min(settings.max_sweeps as f64 - *equivalent) * sweep / FEWEST_STEPS;
        if let Self::Unknown = self {
            *self = Self::look(start, links, rolls, budget);
        }
        let Self::Ready(problem, work, failures) = self else { return None };
        let step = *work / sweep;
        if *work > budget {
            return None;
        }
        let affordable = budget * FEWEST_STEPS / *work;
        let swept = Reactions::of(links, rolls);
        if *failures % 2 == 1 {
            early.put(links, rolls);
        }
        let asked = Settings { tolerance: 0.5 * settings.tolerance, max_sweeps: affordable as usize, ..*settings };
        let before = Report { sweeps: 0, relaxations: 0, ..*best };
        let report = problem.approach(links, rolls, &asked, before);
        *equivalent += report.sweeps as f64 * step;
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
        Some(Report { converged, ..report })
    }

    /// W, unless there are springs, which it does not know (nor joints that hold beside moments). A budget that would not do remains
    /// unknown, until the next is larger; what W would hold is counted before it is made.
    fn look(start: &[Mass<D>], links: &[Link<D>], rolls: &[Roll], budget: f64) -> Self {
        if links.iter().any(|link| link.form.joint.stiffness != [0.0; 2]) || !(rolls.is_empty() || rolled::fits(links))
        {
            return Self::Done;
        }
        // Components of a contact.
        let size = if rolls.is_empty() { D } else { 3 * (D - 1) };
        let mut contacts_of = vec![0_usize; start.len()];
        links.iter().flat_map(Link::sides).for_each(|(_, mass, _)| contacts_of[mass as usize] += 1);
        let blocks: usize = contacts_of.iter().map(|n| n * n).sum();
        let left = budget - BLOCK * (blocks * size * size) as f64 / (D * D) as f64;
        if left <= 0.0 {
            return Self::Unknown;
        }
        let product = PRODUCT * (size * size) as f64;
        let most = (left / product) as usize;
        let ready = |problem: Box<dyn Near<D>>, products: Option<usize>| match products {
            Some(products) => Self::Ready(problem, budget - left + product * products as f64, 0),
            None => Self::Unknown,
        };
        if rolls.is_empty() {
            let w = Stored::new(start, links);
            let products = factorization_products(&w, most);
            return ready(Box::new(w), products);
        }
        if D == 2 {
            let problem = Rolled::<D, 3>::new(start, links, rolls);
            let products = factorization_products(problem.stored(), most);
            return ready(Box::new(problem), products);
        }
        let problem = Rolled::<D, 6>::new(start, links, rolls);
        let products = factorization_products(problem.stored(), most);
        ready(Box::new(problem), products)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Exchange;
    use crate::joint::Joint;
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
        let by_sweeps = Exchange::new().solve(&mut swept_masses, &mut swept, &mut [], &settings);
        assert!(by_sweeps.converged, "{by_sweeps:?}");

        let (mut some_masses, mut near) = (masses.clone(), links.clone());
        let some =
            Exchange::new().solve(&mut some_masses, &mut near, &mut [], &Settings { max_sweeps: 20, ..settings });
        assert!(some.residual > 1e-4, "20 sweeps are enough: {some:?}");
        let early = Reactions::of(&near, &[]);
        let mut equivalent = 5e4;
        let report =
            Proximal::Unknown.go((&masses, &early), (&mut near, &mut []), &settings, &some, &mut equivalent).unwrap();
        assert!(report.converged, "{report:?}");
        assert!(near.iter().any(|l| l.form.joint.bilateral && l.impulse[0] < -0.1), "no bond pulls");
        let apart = near.iter().zip(&swept).map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{apart:e}");
    }

    #[test]
    fn what_would_cost_too_much_is_not_tried() {
        let (masses, mut links) = glued_tower(12);
        let settings = Settings { tolerance: 1e-10, max_sweeps: 1000, ..Settings::default() };
        let some =
            Exchange::new().solve(&mut masses.clone(), &mut links, &mut [], &Settings { max_sweeps: 20, ..settings });
        let early = Reactions::of(&links, &[]);
        let mut equivalent = 20.0;
        let asked = Proximal::Unknown.go((&masses, &early), (&mut links, &mut []), &settings, &some, &mut equivalent);
        assert!(asked.is_none());
        assert_eq!(equivalent, 20.0);
    }
}
