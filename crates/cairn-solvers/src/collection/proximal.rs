//! The proximal point over bodies: Newton with as many unknowns as bodies have, however many contacts there are.
//!
//! A proximal step gives each contact a compliance about the impulses R̄ of the step before,
//!
//!   (Ũ + C R̃ + E (R̃ − R̄), R̃) obeys Signorini–Coulomb,   E = ε/ρ,
//!
//! which has the same solutions once R̃ = R̄, and makes those of a step unique where contacts are more than dofs. Compliances being diagonal, the
//! law is solved by hand, with s = Ũ − E R̄, c = C + E and τ = −s/c:
//!
//!   R̃_N = max(0, τ_N),   R̃_T = proj(τ_T, disk of radius μ R̃_N),   R = R̃ + a − B Ũ          (a, B: see [`crate::joint`])
//!
//! so that motions y over unit masses (`unit.rs`) are all that is unknown:
//!
//!   F(y) = y − G R(Ũ(y)) = 0,   F′ = I + G (P + B) Gᵀ,   P = −dR̃/dŨ
//!
//! F′ is a sparse matrix of 3×3 blocks in the plane and of 6×6 in space, not symmetric where contacts slide. A step along dy goes as far as dy·F
//! keeps its sign: without friction F is the gradient of a convex function, and that is its least value on the line. Moments that resist
//! rolling are further components, E = ε λ, bounded by R̃_N times their arm.
//!
//! ε falls while Newton needs few steps, and rises when it does not arrive. It ends where W itself is found: thousands of sweeps that carry an
//! impulse from one end of a wall to the other are a few dozen factorizations. It may spend as much as was spent before it, and is asked again
//! after the next round of sweeps, which is twice as long.

use nalgebra::SMatrix;

use super::unit::{MOST, Unit, unit_moment};
use super::{RELAXATION, Reactions};
use crate::cone::Cone;
use crate::problem::{Link, LocalForm, Mass, Mat, Vect};
use crate::report::{Bounds, Report, Settings};
use crate::rolling::{self, Resistance, Roll};
use crate::solver::block_lu::{BlockLu, Symbolic};
use crate::watch::Watched;

/// Steps that must be affordable.
const FEWEST_STEPS: f64 = 20.0;
/// Work of a component of a block product, and of a contact in a step, counted as [`RELAXATION`] is: measured.
const PRODUCT: f64 = 0.25;
const CONTACT: f64 = 300.0;
/// What it must make of a residual to be asked again.
const GAIN: f64 = 0.7;
/// How often it may fail to.
const MOST_FAILURES: usize = 4;
/// Newton's steps for one R̄ at most, how small they must make the error in velocity that F is, in units of the one that is asked for, and how
/// large F may become beside where they began.
const INNER: usize = 12;
const ENOUGH: f64 = 0.3;
const LOST: f64 = 3.0;
/// What more is asked for where it takes no more steps than so many.
const EXACT: f64 = 1e-3;
const EASY: usize = 3;
/// ε: the first, its limits, its fall after few steps and its rise after too many.
const FIRST: f64 = 1e-3;
const LEAST: f64 = 1e-6;
const LARGEST: f64 = 10.0;
const FALL: f64 = 0.3;
const RISE: f64 = 4.0;
/// A step along a line has gone far enough when its slope is this part of what it was, or after so many trials.
const FLAT: f64 = 0.3;
const TRIALS: usize = 10;

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

/// A contact: its law, and how its components see the bodies.
struct Contact<const D: usize, const B: usize> {
    form: LocalForm<D>,
    cone: Cone,
    /// Components: D, or B with moments.
    size: usize,
    /// Bodies, and G of their unknowns, a column for each component.
    sides: Vec<(usize, SMatrix<f64, B, B>)>,
    /// Ũ_free, and E for ε = 1.
    free: Vect<B>,
    yielding: Vect<B>,
}

/// The problem over bodies with B unknowns.
struct OverBodies<const D: usize, const B: usize> {
    masses: Vec<Mass<D>>,
    contacts: Vec<Contact<D, B>>,
    contacts_of: Vec<Vec<u32>>,
    rho: Vec<f64>,
    bounds: Bounds,
    matrix: BlockLu<B>,
    /// R̄ and ε.
    centre: Vec<Vect<B>>,
    epsilon: f64,
}

impl<const D: usize, const B: usize> OverBodies<D, B> {
    fn new(
        unit: Unit<D>,
        symbolic: Symbolic,
        masses: &[Mass<D>],
        (links, rolls): (&[Link<D>], &[Roll]),
        bounds: Bounds,
    ) -> Self {
        let mut contacts_of = vec![vec![]; unit.nodes];
        let mut contacts: Vec<Contact<D, B>> = Vec::with_capacity(links.len());
        for (a, link) in links.iter().enumerate() {
            unit.nodes_of(a).for_each(|node| contacts_of[node as usize].push(a as u32));
            let columns = |(node, g): (usize, &[[f64; MOST]; D])| {
                (node, SMatrix::<f64, B, B>::from_fn(|i, k| if k < D { g[k][i] } else { 0.0 }))
            };
            let soft = if unit.rho[a] > 0.0 { 1.0 / unit.rho[a] } else { 1.0 };
            contacts.push(Contact {
                form: link.form,
                cone: Cone::Coulomb(link.form.friction),
                size: D,
                sides: unit.columns(a).map(columns).collect(),
                free: Vect::from_fn(|i, _| if i < D { unit.free(a)[i] } else { 0.0 }),
                yielding: Vect::from_fn(|i, _| if i < D { soft } else { 0.0 }),
            });
        }
        for roll in rolls {
            let (link, contact) = (&links[roll.link], &mut contacts[roll.link]);
            let law = Resistance::new(roll, link, masses);
            let [rolling, twisting] = law.inverses().map(|x| 1.0 / x);
            contact.size = B;
            contact.cone = Cone::Rolling(link.form.friction, roll.arms);
            for (k, axis) in axes(link).into_iter().enumerate().take(B - D) {
                contact.free[D + k] = axis.dot(&roll.spin(link, masses));
                contact.yielding[D + k] = if D == 3 && k == 2 { twisting } else { rolling };
                let turning = link.sides().filter(|side| masses[side.1 as usize].responds());
                for ((sign, mass, _), (_, g)) in turning.zip(&mut contact.sides) {
                    let column = unit_moment(&masses[mass as usize], &(axis * sign));
                    (0..B).for_each(|i| g[(i, D + k)] = column[i]);
                }
            }
        }
        let centre = vec![Vect::zeros(); links.len()];
        let matrix = BlockLu::new(symbolic);
        let rho = unit.rho;
        Self { masses: masses.to_vec(), contacts, contacts_of, rho, bounds, matrix, centre, epsilon: FIRST }
    }

    /// Ũ of all contacts.
    fn velocities(&self, y: &[Vect<B>]) -> Vec<Vect<B>> {
        self.contacts.iter().map(|contact| contact.free + contact.seen(y)).collect()
    }

    /// R̃ of a contact at Ũ, and P.
    fn respond(&self, a: usize, u: &Vect<B>, slope: Option<&mut Mat<B>>) -> Vect<B> {
        let (contact, centre) = (&self.contacts[a], &self.centre[a]);
        let mut share = Vect::<B>::zeros();
        if self.rho[a] == 0.0 {
            return share;
        }
        let joint = &contact.form.joint;
        let own = |i: usize| contact.yielding[i] * self.epsilon;
        let c = Vect::<B>::from_fn(|i, _| {
            own(i)
                + if i == 0 {
                    joint.compliance[0]
                } else if i < D {
                    joint.compliance[1]
                } else {
                    0.0
                }
        });
        let tau = Vect::<B>::from_fn(|i, _| if i < contact.size { (centre[i] * own(i) - u[i]) / c[i] } else { 0.0 });
        let mut slopes = Mat::<B>::zeros();
        let held = joint.bilateral;
        if held || tau[0] > 0.0 {
            share[0] = tau[0];
            slopes[(0, 0)] = 1.0 / c[0];
        }
        for (group, mu) in contact.groups() {
            let length = group.clone().map(|i| tau[i] * tau[i]).sum::<f64>().sqrt();
            let radius = mu * share[0].max(0.0);
            if length <= radius || held && group.start == 1 {
                for i in group {
                    share[i] = tau[i];
                    slopes[(i, i)] = 1.0 / c[i];
                }
                continue;
            }
            let shrink = radius / length;
            for i in group.clone() {
                let d = tau[i] / length;
                share[i] = tau[i] * shrink;
                if share[0] > 0.0 {
                    slopes[(i, 0)] = mu * d / c[0];
                }
                for j in group.clone() {
                    let one = if i == j { 1.0 } else { 0.0 };
                    slopes[(i, j)] = shrink * (one - d * tau[j] / length) / c[j];
                }
            }
        }
        if let Some(slope) = slope {
            (0..D).for_each(|i| slopes[(i, i)] += joint.stiffness[usize::from(i > 0)]);
            *slope = slopes;
        }
        share
    }

    /// The whole impulse: R̃ + a − B Ũ.
    fn whole(&self, a: usize, u: &Vect<B>, share: &Vect<B>) -> Vect<B> {
        let joint = &self.contacts[a].form.joint;
        let mut whole = *share;
        if !joint.bilateral && self.rho[a] > 0.0 {
            (0..D).for_each(|i| whole[i] += joint.pull[i] - joint.stiffness[usize::from(i > 0)] * u[i]);
        }
        whole
    }

    /// F, from y and Ũ(y).
    fn missing(&self, y: &[Vect<B>], u: &[Vect<B>]) -> Vec<Vect<B>> {
        let mut f = y.to_vec();
        for (a, u) in u.iter().enumerate() {
            let r = self.whole(a, u, &self.respond(a, u, None));
            self.contacts[a].push(&-r, &mut f);
        }
        f
    }

    /// F′.
    fn factorize(&mut self, u: &[Vect<B>], watch: Watched) -> bool {
        let mut slopes = vec![Mat::<B>::zeros(); u.len()];
        for (a, slope) in slopes.iter_mut().enumerate() {
            self.respond(a, &u[a], Some(slope));
        }
        let Self { contacts, contacts_of, matrix, .. } = self;
        matrix.factorize(watch, |body, add| {
            let mut own = Mat::<B>::identity();
            for &a in &contacts_of[body] {
                let (contact, p) = (&contacts[a as usize], &slopes[a as usize]);
                for (_, mine) in contact.sides.iter().filter(|s| s.0 == body) {
                    let weighed = contact.weigh(mine, p);
                    for (other, g) in &contact.sides {
                        let block = contact.square(&weighed, g);
                        if *other == body { own += block } else { add(*other, &block) }
                    }
                }
            }
            add(body, &own);
        })
    }

    /// The largest change of a velocity by F.
    fn largest(&self, f: &[Vect<B>]) -> f64 {
        self.contacts.iter().map(|contact| contact.seen(f).amax()).fold(0.0, f64::max)
    }

    /// How far to go from Ũ along its change du: 1, or less where dy·F would change its sign on the way. `quadratic`: y·dy and dy·dy.
    fn stretch(&self, u: &[Vect<B>], du: &[Vect<B>], quadratic: [f64; 2]) -> f64 {
        let slope = |t: f64| {
            let contacts = u.iter().zip(du).enumerate().map(|(a, (u, du))| {
                let at = u + du * t;
                du.dot(&self.whole(a, &at, &self.respond(a, &at, None)))
            });
            quadratic[0] + t * quadratic[1] - contacts.sum::<f64>()
        };
        let (mut low, mut high) = ((0.0, slope(0.0)), (1.0, slope(1.0)));
        let enough = FLAT * low.1.abs();
        if low.1 >= 0.0 || high.1 <= enough {
            return 1.0;
        }
        for _ in 0..TRIALS {
            // The false position, kept away from the ends.
            let at = low.0 + (high.0 - low.0) * (-low.1 / (high.1 - low.1)).clamp(0.1, 0.9);
            let here = (at, slope(at));
            if here.1.abs() <= enough {
                return at;
            }
            if here.1 < 0.0 { low = here } else { high = here }
        }
        if low.0 > 0.0 { low.0 } else { high.0 }
    }

    /// The reactions R(Ũ) in links and rolls, and their report.
    fn assess(&self, u: &[Vect<B>], links: &mut [Link<D>], rolls: &mut [Roll], tolerance: f64) -> Report {
        for (a, link) in links.iter_mut().enumerate() {
            let whole = self.whole(a, &u[a], &self.respond(a, &u[a], None));
            link.impulse = Vect::from_fn(|i, _| whole[i]);
        }
        for roll in rolls.iter_mut() {
            let share = self.respond(roll.link, &u[roll.link], None);
            let axes = axes(&links[roll.link]).into_iter().take(B - D).enumerate();
            roll.moment = axes.fold(Vect::zeros(), |sum, (k, axis)| sum + axis * share[D + k]);
        }
        let mut masses = self.masses.clone();
        Reactions::push(&mut masses, links, rolls);
        let mut report = Report { bounds: self.bounds, ..Report::default() };
        rolling::assess(&masses, links, rolls, &self.rho, tolerance, &mut report);
        report
    }

    /// Motions with the reactions of links and rolls, and R̄ from these.
    fn begin(&mut self, links: &[Link<D>], rolls: &[Roll]) -> Vec<Vect<B>> {
        let mut whole: Vec<Vect<B>> =
            links.iter().map(|link| Vect::from_fn(|i, _| if i < D { link.impulse[i] } else { 0.0 })).collect();
        for roll in rolls {
            for (k, axis) in axes(&links[roll.link]).into_iter().enumerate().take(B - D) {
                whole[roll.link][D + k] = axis.dot(&roll.moment);
            }
        }
        let mut y = vec![Vect::zeros(); self.contacts_of.len()];
        for (contact, r) in self.contacts.iter().zip(&whole) {
            contact.push(r, &mut y);
        }
        let u = self.velocities(&y);
        for (a, r) in whole.into_iter().enumerate() {
            let form = &self.contacts[a].form;
            self.centre[a] = r;
            if !form.joint.bilateral {
                let u = Vect::<D>::from_fn(|i, _| u[a][i]);
                let share = Vect::<D>::from_fn(|i, _| r[i]) - form.joint.pull + form.joint.resist(&u);
                (0..D).for_each(|i| self.centre[a][i] = share[i]);
            }
        }
        y
    }

    /// A step of Newton from y; false if the matrix is singular, or who waits has asked to stop.
    fn step(&mut self, y: &mut [Vect<B>], u: &mut Vec<Vect<B>>, f: &[Vect<B>], watch: Watched) -> bool {
        if watch.beat() || !self.factorize(u, watch) {
            return false;
        }
        let mut dy: Vec<Vect<B>> = f.iter().map(|f| -f).collect();
        self.matrix.solve(&mut dy);
        let du: Vec<Vect<B>> = self.contacts.iter().map(|contact| contact.seen(&dy)).collect();
        let dot = |a: &[Vect<B>], b: &[Vect<B>]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let t = self.stretch(u, &du, [dot(y, &dy), dot(&dy, &dy)]);
        y.iter_mut().zip(&dy).for_each(|(y, dy)| *y += dy * t);
        *u = self.velocities(y);
        true
    }
}

impl<const D: usize, const B: usize> Near<D> for OverBodies<D, B> {
    fn approach(&mut self, links: &mut [Link<D>], rolls: &mut [Roll], settings: &Settings) -> (Report, usize) {
        let tolerance = settings.tolerance;
        let mut y = self.begin(links, rolls);
        let mut best: Option<(Report, Reactions<D>)> = None;
        let mut steps = 0;
        self.epsilon = FIRST;
        let mut good = (y.clone(), self.centre.clone());
        let (mut residual, mut is_done) = (f64::INFINITY, false);
        while steps < settings.max_sweeps && !is_done && !settings.watch.is_stopped() {
            let mut u = self.velocities(&y);
            let mut f = self.missing(&y, &u);
            let (mut first, mut inner, mut solved) = (norm(&f), 0, false);
            while inner < INNER && !solved && self.step(&mut y, &mut u, &f, settings.watch) {
                inner += 1;
                f = self.missing(&y, &u);
                let now = norm(&f);
                if inner > 2 && now > LOST * first || now.is_nan() {
                    break;
                }
                first = if inner <= 2 { first.max(now) } else { first };
                let report = self.assess(&u, links, rolls, tolerance);
                solved = self.largest(&f) <= ENOUGH * tolerance * report.scale;
                if !report.not_finite && best.as_ref().is_none_or(|(known, _)| report.residual < known.residual) {
                    best = Some((report, Reactions::of(links, rolls)));
                    solved |= report.residual <= tolerance;
                    settings.watch.tell(report.residual);
                }
            }
            steps += inner.max(1);
            // Where steps are easy some more make it exact: the error of all contacts has one sign, and adds up along a stack.
            let reached = best.as_ref().map_or(f64::INFINITY, |(report, _)| report.residual);
            let is_hard = inner > EASY || self.epsilon <= LEAST && reached > 0.9 * residual;
            is_done = reached <= EXACT * tolerance || reached <= tolerance && is_hard;
            residual = reached;
            if solved {
                self.centre = (0..u.len()).map(|a| self.respond(a, &u[a], None)).collect();
                good = (y.clone(), self.centre.clone());
                if inner <= INNER / 2 {
                    self.epsilon = (FALL * self.epsilon).max(LEAST);
                }
            } else {
                self.epsilon = (RISE * self.epsilon).min(LARGEST);
                (y, self.centre) = good.clone();
            }
        }
        let Some((report, reactions)) = best else {
            return (Report { residual: f64::NAN, ..Report::default() }, steps);
        };
        reactions.put(links, rolls);
        (report, steps)
    }
}

impl<const D: usize, const B: usize> Contact<D, B> {
    /// Groups of components with their μ.
    fn groups(&self) -> impl Iterator<Item = (std::ops::Range<usize>, f64)> {
        let coulomb = matches!(self.cone, Cone::Coulomb(_));
        let all = self.cone.groups::<B>();
        all.map(move |(group, mu)| if coulomb { (1..D, mu) } else { (group, mu) })
    }

    /// Gᵀ y.
    fn seen(&self, y: &[Vect<B>]) -> Vect<B> {
        let mut u = Vect::zeros();
        for (node, g) in &self.sides {
            (0..self.size).for_each(|k| u[k] += g.column(k).dot(&y[*node]));
        }
        u
    }

    /// y += G R.
    fn push(&self, r: &Vect<B>, y: &mut [Vect<B>]) {
        for (node, g) in &self.sides {
            (0..self.size).for_each(|k| y[*node] += g.column(k) * r[k]);
        }
    }

    /// G P, of the components that there are.
    fn weigh(&self, g: &SMatrix<f64, B, B>, p: &Mat<B>) -> SMatrix<f64, B, B> {
        let mut product = SMatrix::<f64, B, B>::zeros();
        for j in 0..self.size {
            for k in (0..self.size).filter(|&k| p[(k, j)] != 0.0) {
                (0..B).for_each(|i| product[(i, j)] += g[(i, k)] * p[(k, j)]);
            }
        }
        product
    }

    /// (G P) Gᵀ.
    fn square(&self, weighed: &SMatrix<f64, B, B>, g: &SMatrix<f64, B, B>) -> Mat<B> {
        let mut product = Mat::<B>::zeros();
        for k in 0..self.size {
            for j in 0..B {
                let x = g[(j, k)];
                (0..B).for_each(|i| product[(i, j)] += weighed[(i, k)] * x);
            }
        }
        product
    }
}

/// Axes of moments: z in the plane; the tangents and the normal in space.
fn axes<const D: usize>(link: &Link<D>) -> [Vect<3>; 3] {
    if D == 2 {
        return [Vect::<3>::z(), Vect::zeros(), Vect::zeros()];
    }
    [1, 2, 0].map(|k| Vect::<3>::from_fn(|i, _| link.frame[(i, k)]))
}

fn norm<const B: usize>(f: &[Vect<B>]) -> f64 {
    f.iter().map(|f| f.norm_squared()).sum::<f64>().sqrt()
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
        let by_sweeps = Exchange::new().solve(&mut swept_masses, &mut swept, &mut swept_rolls, &settings);
        assert!(by_sweeps.converged, "{by_sweeps:?}");

        let (mut near, mut near_rolls) = (links.clone(), rolls.clone());
        let few = Settings { max_sweeps: 3, ..settings };
        let some = Exchange::new().solve(&mut masses.clone(), &mut near, &mut near_rolls, &few);
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
            Exchange::new().solve(&mut masses.clone(), &mut links, &mut [], &Settings { max_sweeps: 20, ..settings });
        let mut equivalent = 20.0;
        let asked = Proximal::Unknown.go(&masses, (&mut links, &mut []), &settings, &some, &mut equivalent);
        assert!(asked.is_none());
        assert_eq!(equivalent, 20.0);
    }
}
