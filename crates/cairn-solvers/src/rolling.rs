//! Contacts that resist rolling: beside its impulse a contact exerts a moment M on the candidate, −M on the
//! antagonist. With Ω the relative angular velocity, split into rolling Ω_T (axis in the tangent plane; the only one
//! in 2D) and twisting Ω_N (about the normal),
//!
//!   ‖M_T‖ ≤ ℓ_T R_N,   Ω_T ≠ 0 ⇒ M_T = −ℓ_T R_N Ω_T/‖Ω_T‖,      and the same for M_N, Ω_N and ℓ_N
//!
//! with arms ℓ in metres: Coulomb's law for moments, set-valued at rest, M_T = proj(M_T − Ω_T/λ, disk of radius ℓ_T
//! R_N) for any λ > 0.
//!
//! Gauss–Seidel over velocities of masses, contacts in the order of the list: each contact is solved exactly with its
//! moment frozen, and then its moment by the projection with λ the largest response of Ω_T (exact for balls and in
//! 2D), the bound being that of the impulse just found. Sweeps carry momentum as in `nlgs.rs`. Contacts without
//! rolling resistance have faster solvers ([`crate::exchange`]), which do not know of any of this.
//!
//! Residual: that of `residual.rs`, and for each moment η = ‖M − proj(M − Ω/λ)‖ (λ tr W_αα/D)^½, a velocity, too.

use crate::clock::Clock;
use crate::joint::Jointed;
use crate::nlgs::rho;
use crate::problem::{GROUND, Link, Mass, Mat, Vect, in_space};
use crate::report::{Bounds, Report, Settings};
use crate::residual;

/// Sweeps between looks at the residual.
const LOOK: usize = 4;

/// Rolling resistance of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roll {
    /// Its link.
    pub link: usize,
    /// Arms ℓ_T of rolling and ℓ_N of twisting [m].
    pub arms: [f64; 2],
    /// Relative angular velocity of what is ground to the solver [rad/s].
    pub bias: Vect<3>,
    /// M, world axes [N·m·s]: the start and then the solution.
    pub moment: Vect<3>,
}

/// A roll, ready to be relaxed.
struct Ready<const D: usize> {
    roll: Roll,
    normal: Vect<3>,
    /// λ of rolling and of twisting [1/(kg·m²)].
    response: [f64; 2],
}

impl<const D: usize> Ready<D> {
    fn new(roll: &Roll, link: &Link<D>, masses: &[Mass<D>]) -> Self {
        let normal = in_space(&link.frame.column(0).into());
        let mobility = link.sides().fold(Mat::<3>::zeros(), |sum, (_, m, _)| sum + masses[m as usize].spin_mobility);
        let tangent = Mat::<3>::identity() - normal * normal.transpose();
        let rolling = largest(&(tangent * mobility * tangent));
        Self { roll: *roll, normal, response: [rolling, normal.dot(&(mobility * normal))] }
    }

    /// M of the law from Ω and the normal impulse.
    fn wanted(&self, spin: &Vect<3>, pressing: f64) -> Vect<3> {
        let part = |x: &Vect<3>, kind: usize| {
            let along = self.normal * self.normal.dot(x);
            if kind == 0 { x - along } else { along }
        };
        let mut wanted = Vect::<3>::zeros();
        for kind in 0..2 {
            let (bound, response) = (self.roll.arms[kind] * pressing.max(0.0), self.response[kind]);
            if bound > 0.0 {
                let (moment, turning) = (part(&self.roll.moment, kind), part(spin, kind));
                let speed = turning.norm();
                let aim = match response > 0.0 {
                    true => moment - turning / response,
                    // What turns as it is told to answers no moment; the law holds all the same.
                    false if speed > 0.0 => turning * (-bound / speed),
                    false => moment,
                };
                let size = aim.norm();
                wanted += if size <= bound { aim } else { aim * (bound / size) };
            }
        }
        wanted
    }

    /// Ω.
    fn spin(&self, link: &Link<D>, masses: &[Mass<D>]) -> Vect<3> {
        link.sides().fold(self.roll.bias, |sum, (sign, m, _)| sum + masses[m as usize].spin * sign)
    }
}

/// The largest eigenvalue of a symmetric matrix with a zero one.
fn largest(w: &Mat<3>) -> f64 {
    // Of λ² − s λ + p: s the trace, p the sum of principal minors.
    let minor = |i: usize, j: usize| w[(i, i)] * w[(j, j)] - w[(i, j)] * w[(j, i)];
    let (s, p) = (w.trace(), minor(0, 1) + minor(0, 2) + minor(1, 2));
    0.5 * (s + (s * s - 4.0 * p).max(0.0).sqrt())
}

fn turn<const D: usize>(link: &Link<D>, masses: &mut [Mass<D>], moment: &Vect<3>) {
    for (side, &mass) in link.masses.iter().enumerate().filter(|(_, m)| **m != GROUND) {
        let mass = &mut masses[mass as usize];
        mass.spin += mass.spin_mobility * moment * if side == 0 { 1.0 } else { -1.0 };
    }
}

/// What the normal impulse is that rolling and friction depend on: the contact's own share.
fn pressing<const D: usize>(link: &Link<D>, impulse: &Vect<D>, velocity: &Vect<D>) -> f64 {
    if link.form.joint.held { impulse[0] } else { link.form.reduced(impulse, velocity).0[0] }
}

/// Everything that changes: impulses, moments, velocities and spins.
#[derive(Clone)]
struct Iterate<const D: usize> {
    impulses: Vec<Vect<D>>,
    moments: Vec<Vect<3>>,
    masses: Vec<Mass<D>>,
}

impl<const D: usize> Iterate<D> {
    /// x + β (x − last): velocities are linear in impulses and moments, and stay theirs.
    fn carried(&self, last: &Self, beta: f64) -> Self {
        let mut next = self.clone();
        next.impulses.iter_mut().zip(&last.impulses).for_each(|(x, l)| *x += (*x - l) * beta);
        next.moments.iter_mut().zip(&last.moments).for_each(|(x, l)| *x += (*x - l) * beta);
        for (x, l) in next.masses.iter_mut().zip(&last.masses) {
            x.velocity += (x.velocity - l.velocity) * beta;
            x.spin += (x.spin - l.spin) * beta;
        }
        next
    }
}

/// Solves in place. `masses` come with their free velocities, `links` and `rolls` with the impulses and moments to start
/// from; all leave with the solution.
pub fn solve<const D: usize>(
    masses: &mut [Mass<D>],
    links: &mut [Link<D>],
    rolls: &mut [Roll],
    settings: &Settings,
) -> Report {
    let clock = Clock::start();
    let free = masses.to_vec();
    let blocks: Vec<Mat<D>> = links.iter().map(|link| link.own_block(masses)).collect();
    let rhos: Vec<f64> = links.iter().zip(&blocks).map(|(l, w)| rho(l.form.joint.block(w).trace(), D)).collect();
    let locals: Vec<Jointed<D>> = links.iter().zip(&blocks).map(|(link, w)| Jointed::new(w, &link.form)).collect();
    let mut ready: Vec<Ready<D>> = rolls.iter().map(|roll| Ready::new(roll, &links[roll.link], masses)).collect();
    let mut report = Report { bounds: Bounds::of(masses, links, &rhos, settings), ..Report::default() };
    for (a, _) in locals.iter().enumerate().filter(|(a, l)| l.reduced.painleve && rhos[*a] > 0.0) {
        report.painleve += 1;
        report.first_painleve = report.first_painleve.or(Some(a));
    }
    let mut here = Iterate {
        impulses: links.iter().zip(&rhos).map(|(l, &rho)| if rho > 0.0 { l.impulse } else { Vect::zeros() }).collect(),
        moments: rolls.iter().map(|roll| roll.moment).collect(),
        masses: free.clone(),
    };
    links.iter().zip(&here.impulses).for_each(|(link, r)| link.push(&mut here.masses, r));
    rolls.iter().for_each(|roll| turn(&links[roll.link], &mut here.masses, &roll.moment));
    let (mut last, mut t, mut last_work) = (here.clone(), 1.0f64, f64::INFINITY);
    loop {
        let work = sweep(links, &locals, (&blocks, &rhos), &mut ready, &mut here);
        report.sweeps += 1;
        report.relaxations += links.len();
        let is_last = report.sweeps >= settings.max_sweeps.max(1);
        if is_last || report.sweeps % LOOK == 1 {
            settle(&free, &here, links, &ready, masses);
            assess(links, &rhos, &ready, masses, settings.tolerance, &mut report);
            if is_last || report.converged || report.broken {
                break;
            }
        }
        t = if work > last_work { 1.0 } else { t };
        last_work = work;
        let next = 0.5 + (0.25 + t * t).sqrt();
        let beta = if settings.momentum { (t - 1.0) / next } else { 0.0 };
        t = next;
        let carried = here.carried(&last, beta);
        last = std::mem::replace(&mut here, carried);
    }
    rolls.iter_mut().zip(&here.moments).for_each(|(roll, m)| roll.moment = *m);
    report.seconds_sweeping = clock.seconds();
    report
}

/// Every contact once, each followed by its moment; Σ‖ΔR‖²/ρ² with moments in the same unit.
fn sweep<const D: usize>(
    links: &[Link<D>],
    locals: &[Jointed<D>],
    (blocks, rhos): (&[Mat<D>], &[f64]),
    ready: &mut [Ready<D>],
    here: &mut Iterate<D>,
) -> f64 {
    let mut work = 0.0;
    let mut roll = 0;
    for (a, link) in links.iter().enumerate().filter(|(a, _)| rhos[*a] > 0.0) {
        let velocity = link.relative_velocity(&here.masses) + link.form.bias;
        let new = locals[a].relax(&(velocity - blocks[a] * here.impulses[a]), &here.impulses[a]);
        let change = new - here.impulses[a];
        link.push(&mut here.masses, &change);
        here.impulses[a] = new;
        work += change.norm_squared() / (rhos[a] * rhos[a]);
        while roll < ready.len() && ready[roll].roll.link < a {
            roll += 1;
        }
        let Some(rolling) = ready.get_mut(roll).filter(|r| r.roll.link == a) else { continue };
        rolling.roll.moment = here.moments[roll];
        let pressed = pressing(link, &new, &(velocity + blocks[a] * change));
        let wanted = rolling.wanted(&rolling.spin(link, &here.masses), pressed);
        let change = wanted - here.moments[roll];
        turn(link, &mut here.masses, &change);
        here.moments[roll] = wanted;
        rolling.roll.moment = wanted;
        work += change.norm_squared() * rolling.response[0].max(rolling.response[1]) / rhos[a];
    }
    work
}

/// v = v_free + M⁻¹(H R + M) afresh, into the masses; impulses and velocities into the links.
fn settle<const D: usize>(
    free: &[Mass<D>],
    here: &Iterate<D>,
    links: &mut [Link<D>],
    ready: &[Ready<D>],
    masses: &mut [Mass<D>],
) {
    masses.copy_from_slice(free);
    links.iter().zip(&here.impulses).for_each(|(link, r)| link.push(masses, r));
    ready.iter().zip(&here.moments).for_each(|(r, m)| turn(&links[r.roll.link], masses, m));
    for (link, r) in links.iter_mut().zip(&here.impulses) {
        link.impulse = *r;
        link.velocity = link.relative_velocity(masses);
    }
}

/// The residual of contacts and moments together.
fn assess<const D: usize>(
    links: &[Link<D>],
    rhos: &[f64],
    ready: &[Ready<D>],
    masses: &[Mass<D>],
    tolerance: f64,
    report: &mut Report,
) {
    residual::assess(links, rhos, tolerance, report);
    for rolling in ready.iter().filter(|r| rhos[r.roll.link] > 0.0) {
        let link = &links[rolling.roll.link];
        let pressed = pressing(link, &link.impulse, &(link.velocity + link.form.bias));
        let off = rolling.roll.moment - rolling.wanted(&rolling.spin(link, masses), pressed);
        let unit = (rolling.response[0].max(rolling.response[1]) / rhos[rolling.roll.link]).sqrt();
        let eta = off.norm() * unit;
        let relative = if eta == 0.0 { 0.0 } else { eta / report.scale };
        if relative > report.residual || relative.is_nan() {
            report.residual = relative;
            report.worst = Some(rolling.roll.link);
        }
    }
    report.converged &= report.residual <= tolerance;
}
