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
//! ε falls while Newton needs few steps, and rises when it does not arrive. A few dozen factorizations do what takes thousands of sweeps: they
//! carry an impulse from one end of a wall to the other at once.

use nalgebra::SMatrix;

use super::Reactions;
use super::proximal::Near;
use super::unit::{MOST, Unit, unit_moment};
use crate::cone::Cone;
use crate::problem::{Link, LocalForm, Mass, Mat, Vect};
use crate::report::{Bounds, Report, Settings};
use crate::rolling::{self, Resistance, Roll};
use crate::solver::block_lu::{BlockLu, Symbolic};
use crate::watch::Watched;

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
pub(super) struct OverBodies<const D: usize, const B: usize> {
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
    /// From masses with free velocities, and the pattern of their matrix.
    pub fn new(
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
