//! THE error measure, shared by all solvers.
//!
//! For each contact, with ρ = D/tr(W_αα):
//!
//!   η = ‖R − proj(R − ρ(Ũ + μ‖Ũ_T‖ n), K_μ)‖ / ρ      [m/s]
//!   strength = root mean square of ‖R‖/ρ over contacts with R ≠ 0
//!   residual = max η / scale,   scale = the strength, within its bounds
//!
//! A contact with a joint has its law's own natural map, with R̃, Ũ and W̃ of [`crate::joint`]; one that is held η = ‖Ũ‖.
//! A moment that resists rolling has the η of [`crate::rolling`] beside that of its contact.
//! The scale is made from whole impulses: a joint much stronger than what it carries does not hide an error.
//!
//! Bodies that are wedged press on each other with impulses that move nothing (self-stress, W R = 0): they are not unique, can
//! grow without limit, and would make any error small. The scale is therefore bounded by what drives the problem: for rigid
//! collections by the strength that the resultants on the bodies ask for ([`crate::driven`]), in any case by [`MOST_SCALE`] times the
//! largest ‖Ũ‖ without impulses, or ‖a‖/ρ of a joint's pull. Who knows the sizes of bodies may bound η itself ([`Settings::most_error`]).
//!
//! Contacts that touch without a load have impulses of the size of round-off, or none. What η has of round-off, [`ROUND_OFF`] of the
//! fastest velocity at a contact, counts as nothing; without any impulse the drive is the scale.
//!
//! In packings that are pressed together while they still move, a few hundred sweeps bring the error of nearly all contacts down, and thousands
//! more move a few errors about: which contacts slide changes for ever a little. There the worst contact may be above the tolerance by
//! the factor [`Settings::outliers`] if the root mean square of η, over contacts with R ≠ 0, is not.
//!
//! It has no unit and does not change with the units of length, mass and time. Contacts where nothing can respond
//! (W_αα = 0: no ρ) are left out: no impulse can change them.

use rayon::prelude::*;

use crate::cone::{natural_map, tangential_norm};
use crate::joint::Jointed;
use crate::problem::{Link, Mass, Vect};
use crate::report::{Bounds, Margins, Report, Settings};

/// Largest scale, in units of what drives the contacts. A column of a thousand bodies, or a mass a thousand times as heavy on top,
/// has a thousand. (With 10⁴ impulses of jammed blocks could run away until an error of a fifteenth of the velocities passed as 10⁻⁵.)
pub(crate) const MOST_SCALE: f64 = 2e3;

/// Scale, in units of what drives the contacts, that needs no explanation.
const UNSUSPICIOUS: f64 = 10.0;

/// Part of the fastest velocity that η cannot be told from.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

impl Bounds {
    /// What is known before anything is solved: from masses with free velocities, ρ, and what is asked for.
    pub(crate) fn of<const D: usize>(masses: &[Mass<D>], links: &[Link<D>], rho: &[f64], settings: &Settings) -> Self {
        let free = links.iter().map(|link| link.relative_velocity(masses));
        let speed = links.iter().map(|link| speed_of(link, masses)).fold(0.0, f64::max);
        Self { drive: drive(free, rho, links), speed, most: settings.most_scale(), driven: 0.0 }
    }

    /// Is an error in velocity too small to be told from nothing?
    pub(crate) fn is_round_off(&self, error: f64) -> bool {
        error <= ROUND_OFF * self.speed
    }

    /// The scale of a problem whose impulses have this strength [m/s].
    fn scale(&self, strength: f64) -> f64 {
        let mut scale = strength;
        if self.drive > 0.0 {
            scale = scale.min(MOST_SCALE * self.drive);
        }
        if self.driven > 0.0 {
            scale = scale.min(self.driven);
        }
        if scale == 0.0 {
            scale = self.drive;
        }
        scale.min(self.most)
    }
}

/// The faster of the two points of a contact, as far as round-off is concerned [m/s].
#[inline]
pub(crate) fn speed_of<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> f64 {
    let of = |(_, m, arm): (f64, u32, &Vect<D>)| {
        let mass = &masses[m as usize];
        mass.velocity.amax() + mass.spin.amax() * arm.amax()
    };
    link.sides().map(of).fold(link.form.bias.amax(), f64::max)
}

/// What drives the contacts [m/s], from Ũ without impulses, ρ, and the links with their joints.
pub(crate) fn drive<const D: usize>(free: impl Iterator<Item = Vect<D>>, rho: &[f64], links: &[Link<D>]) -> f64 {
    free.zip(rho).zip(links).map(|((free, &rho), link)| drive_of(&free, rho, link)).fold(0.0, f64::max)
}

/// The same of one contact.
pub(crate) fn drive_of<const D: usize>(free: &Vect<D>, rho: f64, link: &Link<D>) -> f64 {
    let pull = if rho > 0.0 { link.form.joint.pull.norm() / rho } else { 0.0 };
    (free + link.form.bias).norm().max(pull)
}

/// Sums and maxima over contacts, in any order; those of disjoint sets can be merged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    eta_max: f64,
    eta_squares: f64,
    strength_squares: f64,
    active: usize,
    worst: Option<usize>,
    not_finite: Option<usize>,
    margins: Margins,
}

impl Tally {
    /// Counts a contact that can respond: ρ > 0.
    #[inline]
    pub fn add<const D: usize>(&mut self, index: usize, link: &Link<D>, rho: f64) {
        let velocity = link.velocity + link.form.bias;
        let is_jointed = link.form.joint.is_some();
        let map = if is_jointed {
            link.form.defect(&link.impulse, &velocity, rho)
        } else {
            natural_map(&link.impulse, &velocity, link.form.friction, rho)
        };
        let eta = map.norm() / rho;
        let strength = link.impulse.norm() / rho;
        if !(eta.is_finite() && strength.is_finite()) {
            self.not_finite = earlier(self.not_finite, Some(index));
            return;
        }
        self.find_worse(eta, Some(index));
        self.eta_squares += eta * eta;
        self.strength_squares += strength * strength;
        self.active += usize::from(strength > 0.0);
        if !is_jointed {
            self.margins.add(&link.impulse, &velocity, link.form.friction, rho);
        } else if link.form.joint.bilateral {
            let velocity = velocity + link.form.joint.yielding(&link.impulse);
            self.margins.normal_velocity = self.margins.normal_velocity.max(velocity.norm());
        } else {
            let (share, velocity) = link.form.reduced(&link.impulse, &velocity);
            self.margins.add(&share, &velocity, link.form.friction, rho);
        }
    }

    /// Counts the moment of a contact that resists rolling by its η (see [`crate::rolling`]).
    #[inline]
    pub fn add_moment(&mut self, index: usize, eta: f64) {
        if !eta.is_finite() {
            self.not_finite = earlier(self.not_finite, Some(index));
            return;
        }
        self.find_worse(eta, Some(index));
        self.eta_squares += eta * eta;
    }

    /// The first of those that are equally bad is the worst.
    #[inline]
    fn find_worse(&mut self, eta: f64, index: Option<usize>) {
        if eta > self.eta_max {
            (self.eta_max, self.worst) = (eta, index);
        } else if eta == self.eta_max && eta > 0.0 {
            self.worst = earlier(self.worst, index);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.find_worse(other.eta_max, other.worst);
        self.eta_squares += other.eta_squares;
        self.strength_squares += other.strength_squares;
        self.active += other.active;
        self.not_finite = earlier(self.not_finite, other.not_finite);
        self.margins.merge(&other.margins);
    }
}

/// The first of two contacts, if there are any.
#[inline]
fn earlier(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.map_or(b, |a| Some(b.map_or(a, |b| a.min(b))))
}

impl Margins {
    /// Moves a contact onto the two graphs by the nearer way, and keeps the largest moves.
    fn add<const D: usize>(&mut self, impulse: &Vect<D>, velocity: &Vect<D>, friction: f64, rho: f64) {
        let (r_n, u_n) = (impulse[0], velocity[0]);
        if u_n * rho <= r_n {
            self.normal_velocity = self.normal_velocity.max(u_n.abs());
        } else {
            self.impulse = self.impulse.max(r_n);
        }
        let sliding = tangential_norm(velocity);
        if sliding == 0.0 || r_n <= 0.0 {
            return;
        }
        let lack = (1..D).map(|i| (impulse[i] + friction * r_n * velocity[i] / sliding).powi(2)).sum::<f64>().sqrt();
        if sliding * rho <= lack {
            self.sliding_velocity = self.sliding_velocity.max(sliding);
        } else {
            self.impulse = self.impulse.max(lack);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.normal_velocity = self.normal_velocity.max(other.normal_velocity);
        self.impulse = self.impulse.max(other.impulse);
        self.sliding_velocity = self.sliding_velocity.max(other.sliding_velocity);
    }
}

/// Root mean square of ‖R‖/ρ over contacts with R ≠ 0 [m/s].
pub(crate) fn strength<const D: usize>(links: &[Link<D>], rho: &[f64]) -> f64 {
    let each = links.iter().zip(rho).filter(|(l, rho)| **rho > 0.0 && l.impulse != Vect::<D>::zeros());
    let (sum, count) = each.fold((0.0, 0.0), |(s, n), (l, rho)| (s + l.impulse.norm_squared() / (rho * rho), n + 1.0));
    if count > 0.0 { f64::sqrt(sum / count) } else { 0.0 }
}

/// Contacts per chunk: sums are made chunk by chunk, in order, so that they do not depend on threads.
const CHUNK: usize = 2048;

/// Fills in the residual part of a report from the impulses and velocities in `links`.
/// `rho` holds ρ per contact, 0 where nothing responds.
pub fn assess<const D: usize>(links: &[Link<D>], rho: &[f64], tolerance: f64, report: &mut Report) {
    assess_with(links, rho, &[], tolerance, report);
}

/// The same with moments: link and η of each (see [`crate::rolling`]).
pub(crate) fn assess_with<const D: usize>(
    links: &[Link<D>],
    rho: &[f64],
    moments: &[(usize, f64)],
    tolerance: f64,
    report: &mut Report,
) {
    let chunk = |(c, (links, rho)): (usize, (&[Link<D>], &[f64]))| {
        let mut tally = Tally::default();
        for (i, (link, &rho)) in links.iter().zip(rho).enumerate().filter(|(_, (_, rho))| **rho > 0.0) {
            tally.add(c * CHUNK + i, link, rho);
        }
        tally
    };
    let mut total = Tally::default();
    if links.len() > 4 * CHUNK && rayon::current_num_threads() > 1 {
        let tallies: Vec<Tally> = links.par_chunks(CHUNK).zip(rho.par_chunks(CHUNK)).enumerate().map(chunk).collect();
        tallies.iter().for_each(|t| total.merge(t));
    } else {
        links.chunks(CHUNK).zip(rho.chunks(CHUNK)).enumerate().map(chunk).for_each(|t| total.merge(&t));
    }
    moments.iter().for_each(|&(link, eta)| total.add_moment(link, eta));
    report.fill(&total, tolerance, 1.0);
}

impl Report {
    /// Are the impulses so strong that it has to be looked at what they are needed for? Most collections are not as high as to need that.
    pub(crate) fn may_be_fooled(&self) -> bool {
        self.scale > UNSUSPICIOUS * self.bounds.drive
    }

    /// Fills in the residual part from what was counted; `outliers` as in [`Settings::outliers`].
    pub(crate) fn fill(&mut self, tally: &Tally, tolerance: f64, outliers: f64) {
        let mean = |squares: f64| (squares / tally.active.max(1) as f64).sqrt();
        self.strength = mean(tally.strength_squares);
        let scale = self.bounds.scale(self.strength);
        let relative = |x: f64| if self.bounds.is_round_off(x) { 0.0 } else { x / scale };
        self.scale = scale;
        self.residual = relative(tally.eta_max);
        self.residual_rms = relative(mean(tally.eta_squares));
        self.margins = tally.margins;
        self.worst = tally.not_finite.or(tally.worst);
        self.not_finite = tally.not_finite.is_some() || !tally.strength_squares.is_finite();
        let most_are_good = self.residual_rms <= tolerance && self.residual <= outliers * tolerance;
        self.eased = !self.not_finite && most_are_good && self.residual > tolerance;
        self.converged = !self.not_finite && (self.residual <= tolerance || self.eased);
    }
}

/// The change-based measure of other codes, for comparison of sweep counts.
///
/// Each active contact is solved once more on its own, R → R + dr, its velocity changes by dv = W_αα dr. With means over active contacts,
/// the largest of √mean|dv|² / √mean|Wr|²,  √mean(|dv|²|r|²) / mean(r·Wr),  |Σ r·dv| / Σ r·Wr.
pub fn change<const D: usize>(masses: &[Mass<D>], links: &[Link<D>]) -> f64 {
    let (mut active, mut dv_2, mut wr_2, mut dv_r_2, mut r_wr, mut r_dv) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for link in links {
        let r = link.impulse;
        let w = link.own_block(masses);
        let w_r = w * r;
        let again = Jointed::new(&w, &link.form).relax(&(link.velocity + link.form.bias - w_r), &r);
        if r.norm() == 0.0 && again.norm() == 0.0 {
            continue;
        }
        let dv = w * (again - r);
        active += 1.0;
        dv_2 += dv.norm_squared();
        wr_2 += w_r.norm_squared();
        dv_r_2 += dv.norm_squared() * r.norm_squared();
        r_wr += r.dot(&w_r);
        r_dv += r.dot(&dv);
    }
    if r_wr <= 0.0 {
        return if dv_2 > 0.0 { f64::INFINITY } else { 0.0 };
    }
    let quadratic = (dv_2 / wr_2).sqrt();
    let weighted = (dv_r_2 / active).sqrt() / (r_wr / active);
    quadratic.max(weighted).max(r_dv.abs() / r_wr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{LocalForm, Mat};

    /// A hundred contacts that carry 1 and approach by `each`, one of them by `worst`; ρ = 1.
    fn tally(each: f64, worst: f64) -> Tally {
        let mut tally = Tally::default();
        for i in 0..100 {
            let velocity = Vect::<2>::new(if i == 7 { -worst } else { -each }, 0.0);
            let form = LocalForm::plain(0.5, Vect::zeros());
            let (frame, arms) = (Mat::<2>::identity(), [Vect::zeros(); 2]);
            let link = Link { masses: [0, 1], frame, arms, form, impulse: Vect::<2>::new(1.0, 0.0), velocity };
            tally.add(i, &link, 1.0);
        }
        tally
    }

    #[test]
    fn one_contact_may_be_above_the_tolerance_where_the_mean_is_not_and_it_was_asked_for() {
        let verdict = |each: f64, worst: f64, outliers: f64| {
            let mut report = Report::default();
            report.fill(&tally(each, worst), 1e-5, outliers);
            (report.converged, report.eased)
        };
        assert_eq!(verdict(1e-6, 0.9e-5, 10.0), (true, false));
        assert_eq!(verdict(1e-6, 8e-5, 10.0), (true, true));
        assert_eq!(verdict(1e-6, 8e-5, 1.0), (false, false), "the worst contact decides");
        assert_eq!(verdict(1e-6, 2e-4, 10.0), (false, false), "too far off");
        assert_eq!(verdict(2e-5, 8e-5, 10.0), (false, false), "the mean decides");
    }
}
