//! Moments that resist rolling beside impulses in one stored W, for the portfolio: N = 3 components a contact in the plane, 6 in space.
//!
//!   u = W r + q,   r = (R̃, M/L),   u = (Ũ, L Ω),   bounds μ, ℓ_T/L, ℓ_N/L        (see [`crate::cone`])
//!
//! Moments are about t, s, n (in the plane about z). L, a length for each contact, makes a moment respond as an impulse does, so that
//! methods with one ρ a contact see no units. What does not resist has a response of its own in W, which nothing asks for. A joint's pull goes into q and its compliance on to
//! the diagonal, as in `coupled.rs`; joints that spring or hold are not known.

use super::Reactions;
use crate::delassus::{Delassus, Stored};
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::{Link, Mass, Mat, Vect, in_space};
use crate::report::{Report, Settings};
use crate::residual;
use crate::rolling::{self, Roll};
use crate::solver::{self, Measure, Solver};

/// Parts of the tolerance that are asked for, one after the other until the residual of `residual.rs` has reached it: that of the
/// portfolio is another.
const PARTS: [f64; 3] = [0.3, 0.03, 0.003];

/// Forces and moments about a mass's centre of unit reactions.
struct Side<const D: usize, const N: usize> {
    mass: u32,
    columns: [(Vect<D>, Vect<3>); N],
}

/// A contact problem with moments.
pub(super) struct Rolled<const D: usize, const N: usize> {
    masses: Vec<Mass<D>>,
    problem: Problem<N>,
    /// Axes of the moments times L; zero where nothing resists.
    axes: Vec<[Vect<3>; N]>,
    rho: Vec<f64>,
    drive: f64,
}

/// True if the methods on a stored W know all joints.
pub(super) fn fits<const D: usize>(links: &[Link<D>]) -> bool {
    links.iter().all(|link| !link.form.joint.held && link.form.joint.stiffness == [0.0; 2])
}

/// By one solver of the portfolio.
pub(super) fn solve<const D: usize>(
    solver: Solver,
    masses: &mut [Mass<D>],
    (links, rolls): (&mut [Link<D>], &mut [Roll]),
    settings: &Settings,
) -> Report {
    let report = match D {
        2 => Rolled::<D, 3>::new(masses, links, rolls).solve(solver, (links, rolls), settings, None),
        _ => Rolled::<D, 6>::new(masses, links, rolls).solve(solver, (links, rolls), settings, None),
    };
    Reactions::push(masses, links, rolls);
    report
}

impl<const D: usize, const N: usize> Rolled<D, N> {
    /// From masses with their free velocities.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>], rolls: &[Roll]) -> Self {
        let mut axes = vec![[Vect::zeros(); N]; links.len()];
        let mut arms = vec![[0.0; 2]; links.len()];
        let mut spins = vec![Vect::zeros(); links.len()];
        for roll in rolls {
            let unit = length(&links[roll.link], masses);
            axes[roll.link] = axes_of(&links[roll.link], roll, unit);
            arms[roll.link] = roll.arms.map(|arm| arm / unit);
            spins[roll.link] = roll.spin(&links[roll.link], masses);
        }
        let sides: Vec<Vec<Side<D, N>>> = links.iter().zip(&axes).map(|(link, axes)| sides(link, axes)).collect();
        let free = links.iter().zip(axes.iter().zip(&spins)).map(|(link, (axes, spin))| {
            let u = link.relative_velocity(masses) + link.form.bias;
            Vect::from_fn(|i, _| if i < D { u[i] } else { axes[i].dot(spin) })
        });
        let mut w = delassus(masses, &sides, free.collect());
        let own: Vec<Mat<D>> = links.iter().map(|link| link.own_block(masses)).collect();
        let rho: Vec<f64> = links.iter().zip(&own).map(|(l, w)| rho(l.form.joint.block(w).trace(), D)).collect();
        let drive = residual::drive(links.iter().map(|link| link.relative_velocity(masses)), &rho, links);
        for (a, own) in own.iter().enumerate() {
            let mean = own.trace() / D as f64;
            (D..N).filter(|&i| axes[a][i] == Vect::<3>::zeros()).for_each(|i| w.own_mut(a)[(i, i)] = mean);
        }
        let pulls: Vec<Vect<N>> = links.iter().map(pull).collect();
        let pulled: Vec<Vect<N>> = (0..links.len()).map(|a| w.velocity(a, &pulls)).collect();
        w.free_mut().copy_from_slice(&pulled);
        links.iter().enumerate().for_each(|(a, link)| w.own_mut(a)[(0, 0)] += link.form.joint.compliance);
        let friction = links.iter().map(|link| link.form.friction).collect();
        Self { masses: masses.to_vec(), problem: Problem { w, friction, arms }, axes, rho, drive }
    }

    /// W, with what is free.
    pub fn stored(&self) -> &Stored<N> {
        &self.problem.w
    }

    /// Solves from the impulses and moments given, which are the solution afterwards; counts are added to those of `before`.
    pub fn solve(
        &self,
        solver: Solver,
        (links, rolls): (&mut [Link<D>], &mut [Roll]),
        settings: &Settings,
        before: Option<Report>,
    ) -> Report {
        let mut report = before.unwrap_or(Report { drive: self.drive, ..Report::default() });
        let mut r: Vec<Vect<N>> = links
            .iter()
            .map(|link| Vect::from_fn(|i, _| if i < D { link.impulse[i] } else { 0.0 }) - pull(link))
            .collect();
        for roll in rolls.iter() {
            for (i, axis) in self.axes[roll.link].iter().enumerate().filter(|(_, axis)| axis.norm_squared() > 0.0) {
                r[roll.link][i] = axis.dot(&roll.moment) / axis.norm_squared();
            }
        }
        for part in PARTS {
            let left = settings.max_sweeps.saturating_sub(report.sweeps).max(1);
            let tolerance = part * settings.tolerance;
            let asked = solver::Settings { tolerance, measure: Measure::Relative, iterations: left };
            let done = solver.solve(&self.problem, &mut r, &asked);
            report.sweeps += done.iterations();
            report.relaxations += done.iterations() * links.len();
            report.seconds_sweeping += done.seconds;
            report.painleve = done.painleve;
            self.put(&r, links, rolls);
            let mut masses = self.masses.clone();
            Reactions::push(&mut masses, links, rolls);
            rolling::assess(&masses, links, rolls, &self.rho, settings.tolerance, &mut report);
            if report.converged || report.broken || !done.converged() || report.sweeps >= settings.max_sweeps {
                break;
            }
        }
        report
    }

    /// Reactions back into links and rolls.
    fn put(&self, r: &[Vect<N>], links: &mut [Link<D>], rolls: &mut [Roll]) {
        for (link, r) in links.iter_mut().zip(r) {
            let whole = r + pull(link);
            link.impulse = Vect::from_fn(|i, _| whole[i]);
        }
        for roll in rolls.iter_mut() {
            let axes = self.axes[roll.link].iter().zip(r[roll.link].iter());
            roll.moment = axes.fold(Vect::zeros(), |sum, (axis, r)| sum + axis * *r);
        }
    }
}

/// What a joint pulls.
fn pull<const D: usize, const N: usize>(link: &Link<D>) -> Vect<N> {
    Vect::from_fn(|i, _| if i < D { link.form.joint.pull[i] } else { 0.0 })
}

/// L: the square root of how a contact responds to impulses beside how it does to moments.
fn length<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> f64 {
    let mobility = link.sides().fold(Mat::<3>::zeros(), |sum, (_, m, _)| sum + masses[m as usize].spin_mobility);
    let turn = if D == 2 { mobility[(2, 2)] } else { mobility.trace() / 3.0 };
    let push = link.own_block(masses).trace() / D as f64;
    if turn > 0.0 && push > 0.0 { (push / turn).sqrt() } else { 1.0 }
}

/// Axes of moments t, s, n (z in the plane), times L; zero where there is no arm.
fn axes_of<const D: usize, const N: usize>(link: &Link<D>, roll: &Roll, unit: f64) -> [Vect<3>; N] {
    let axis =
        |k: usize, arm: f64| if arm > 0.0 { in_space(&link.frame.column(k).into()) * unit } else { Vect::zeros() };
    let [rolling, twisting] = roll.arms;
    std::array::from_fn(|i| match i {
        i if i < D => Vect::zeros(),
        _ if D == 2 => Vect::<3>::z() * if rolling > 0.0 { unit } else { 0.0 },
        3 => axis(1, rolling),
        4 => axis(2, rolling),
        _ => axis(0, twisting),
    })
}

fn sides<const D: usize, const N: usize>(link: &Link<D>, axes: &[Vect<3>; N]) -> Vec<Side<D, N>> {
    let columns = |sign: f64, arm: &Vect<D>| {
        std::array::from_fn(|i| {
            if i >= D {
                return (Vect::zeros(), axes[i] * sign);
            }
            let force: Vect<D> = link.frame.column(i) * sign;
            (force, in_space(arm).cross(&in_space(&force)))
        })
    };
    link.sides().map(|(sign, mass, arm)| Side { mass, columns: columns(sign, arm) }).collect()
}

/// W, contacts that share a mass being neighbours.
fn delassus<const D: usize, const N: usize>(
    masses: &[Mass<D>],
    sides: &[Vec<Side<D, N>>],
    free: Vec<Vect<N>>,
) -> Stored<N> {
    let mut of_mass = vec![Vec::new(); masses.len()];
    sides.iter().enumerate().for_each(|(a, sides)| sides.iter().for_each(|s| of_mass[s.mass as usize].push(a as u32)));
    let block = |a: usize, b: usize| {
        let mut w = Mat::<N>::zeros();
        for (p, q) in
            sides[a].iter().flat_map(|p| sides[b].iter().map(move |q| (p, q))).filter(|(p, q)| p.mass == q.mass)
        {
            let mass = &masses[p.mass as usize];
            for (j, (force, moment)) in q.columns.iter().enumerate() {
                let (velocity, spin) = (mass.inverse_mass.component_mul(force), mass.spin_mobility * moment);
                p.columns.iter().enumerate().for_each(|(i, (f, m))| w[(i, j)] += f.dot(&velocity) + m.dot(&spin));
            }
        }
        w
    };
    let (mut starts, mut columns, mut blocks, mut own) = (vec![0], vec![], vec![], vec![]);
    for (a, mine) in sides.iter().enumerate() {
        let mut neighbours: Vec<u32> = mine.iter().flat_map(|s| of_mass[s.mass as usize].iter().copied()).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        for b in neighbours.into_iter().filter(|&b| b as usize != a) {
            columns.push(b);
            blocks.push(block(a, b as usize));
        }
        starts.push(columns.len());
        own.push(block(a, a));
    }
    Stored::from_rows(starts, columns, blocks, own, free)
}
