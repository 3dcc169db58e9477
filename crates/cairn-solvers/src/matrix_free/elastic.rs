//! Contacts on deformable bodies, relaxed among those of rigid ones (see [`crate::boundary`]).
//!
//!   Ũ_α = H_αᵀ v + [q_α + bias_α + Σ_{β≠α} B_αβ R_β] + B_αα R_α
//!
//! The velocities v of rigid sides are those that all other contacts change; the bracket comes from the stored B, in single precision of
//! what has changed ([`crate::swept`]) except where joints spring or hold. With the own block W_αα = H_αᵀM⁻¹H_α + B_αα the contact is solved
//! as any other, and its rigid sides feel the change at once. They come one after the other at the end of each sweep. Facets do not turn: a
//! contact that resists rolling has its moment on the rigid side alone (see [`crate::rolling`]).

use super::layout::Layout;
use super::rolls::Rolls;
use super::simd::Lane;
use super::sweep::{Data, Partial};
use crate::boundary::Boundary;
use crate::delassus::Delassus;
use crate::nlgs::{Locals, OPEN, rho};
use crate::problem::{GROUND, Link, LocalForm, Mass, Mat, Vect};
use crate::report::Report;
use crate::residual::{self, Tally};
use crate::rolling::{Resistance, Roll, pressing};
use crate::swept::{self, Swept};

/// The contacts of one problem on deformable bodies, ready to be relaxed.
pub(super) struct Elastic<'a, const D: usize> {
    boundary: &'a Boundary<D>,
    points: Vec<Point<D>>,
    locals: Locals<D>,
    rho: Vec<f64>,
    swept: Option<Swept<D>>,
    impulses: Vec<Vect<D>>,
    /// After the last sweep, for the momentum.
    last: Vec<Vect<D>>,
    moments: Vec<Option<Moment>>,
    sweeps: usize,
}

/// The moment of a contact that resists rolling.
struct Moment {
    /// Its number in the list.
    roll: usize,
    law: Resistance,
    /// Angular velocity of what does not respond.
    bias: Vect<3>,
    here: Vect<3>,
    last: Vect<3>,
}

/// What a contact has to do with rigid bodies.
struct Point<const D: usize> {
    /// Sign, slot, mass and arm of each side that responds.
    sides: [Option<Side<D>>; 2],
    frame: Mat<D>,
    /// H_αᵀ M⁻¹ H_α.
    own: Mat<D>,
    bias: Vect<D>,
    form: LocalForm<D>,
}

struct Side<const D: usize> {
    sign: f64,
    slot: usize,
    mass: Mass<D>,
    arm: Vect<D>,
}

impl<'a, const D: usize> Elastic<'a, D> {
    /// `slot` says where the row of a body is. Notes ρ and what drives the contacts.
    pub fn new(
        boundary: &'a Boundary<D>,
        masses: &[Mass<D>],
        links: &[Link<D>],
        (list_of_rolls, rolls): (&Rolls, &[Roll]),
        slot: impl Fn(u32) -> u32,
        (rhos, report): (&mut [f64], &mut Report),
    ) -> Self {
        let response = boundary.response();
        let list = || boundary.links().iter().map(|&link| &links[link as usize]);
        let points: Vec<Point<D>> = list().map(|link| Point::new(link, masses, &slot)).collect();
        let blocks: Vec<Mat<D>> = points.iter().enumerate().map(|(k, p)| p.own + response.block(k)).collect();
        let rho: Vec<f64> = blocks.iter().zip(list()).map(|(w, l)| rho(l.form.joint.block(w).trace(), D)).collect();
        let locals = Locals::new(blocks.iter().zip(list()).zip(&rho));
        for (k, (&link, link_of)) in boundary.links().iter().zip(list()).enumerate() {
            rhos[link as usize] = rho[k];
            let free = link_of.relative_velocity(masses) + response.free()[k];
            report.bounds.drive = report.bounds.drive.max(residual::drive_of(&free, rho[k], link_of));
            report.bounds.speed = report.bounds.speed.max(residual::speed_of(link_of, masses));
        }
        let impulses: Vec<Vect<D>> = list().map(|link| link.impulse).collect();
        let is_stiff = list().any(|l| l.form.joint.bilateral || l.form.joint.stiffness != [0.0; 2]);
        let swept = (!is_stiff).then(|| Swept::new(response));
        let moment = |&link: &u32| {
            let (roll, law) = list_of_rolls.of(link as usize)?;
            let told = links[link as usize].sides().filter(|(_, m, _)| !masses[*m as usize].responds());
            let bias = told.fold(rolls[roll].bias, |sum, (sign, m, _)| sum + masses[m as usize].spin * sign);
            Some(Moment { roll, law: *law, bias, here: rolls[roll].moment, last: rolls[roll].moment })
        };
        let moments = boundary.links().iter().map(moment).collect();
        let last = impulses.clone();
        let mut elastic = Self { boundary, points, locals, rho, swept, last, impulses, moments, sweeps: 0 };
        elastic.rebase();
        elastic
    }

    /// Contacts whose own problem may have several solutions.
    pub fn ambiguous(&self) -> impl Iterator<Item = usize> {
        self.locals.painleve().map(|k| self.boundary.links()[k] as usize)
    }

    /// Relaxations in a sweep.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Adds what the impulses that the links came with make of rigid sides to velocities and spins.
    pub fn push(&self, links: &[Link<D>], masses: &[Mass<D>], pushed: &mut [(Vect<D>, Vect<3>)]) {
        for (&link, moment) in self.boundary.links().iter().zip(&self.moments) {
            let link = &links[link as usize];
            let world = link.frame * link.impulse;
            let moment = moment.as_ref().map_or_else(Vect::zeros, |moment| moment.here);
            for (sign, body, arm) in link.sides() {
                let mass = &masses[body as usize];
                let (velocity, spin) = mass.response(arm, &(world * sign));
                pushed[body as usize].0 += velocity;
                pushed[body as usize].1 += spin + mass.spin_mobility * moment * sign;
            }
        }
    }

    /// The brackets in double precision; sweeps go on from there.
    fn rebase(&mut self) {
        let Self { boundary, points, swept, impulses, .. } = self;
        let Some(swept) = swept else { return };
        for (k, (exact, point)) in swept.rebase(impulses).iter_mut().zip(points.iter()).enumerate() {
            *exact = boundary.response().others(k, impulses) + point.bias;
        }
    }

    /// One sweep, `carry` being β of the momentum.
    ///
    /// # Safety
    /// The rows of `data` fit the layout, and no one else uses them.
    pub unsafe fn sweep<K: Layout>(&mut self, data: Data, carry: f64) -> Partial {
        for (k, (x, last)) in self.impulses.iter_mut().zip(&mut self.last).enumerate() {
            let here = *x;
            *x = here + (here - *last) * carry;
            *last = here;
            if let Some(swept) = &mut self.swept {
                swept.set(k, x);
            }
        }
        for moment in self.moments.iter_mut().flatten() {
            let here = moment.here;
            moment.here = here + (here - moment.last) * carry;
            moment.last = here;
        }
        self.sweeps += 1;
        // SAFETY: the caller's; the processor was asked.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            if swept::is_wide() {
                return self.wide_sweep::<K>(data);
            }
            self.any_sweep::<K, false>(data)
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn wide_sweep<K: Layout>(&mut self, data: Data) -> Partial {
        // SAFETY: the caller's.
        unsafe { self.any_sweep::<K, true>(data) }
    }

    /// # Safety
    /// As for [`sweep`](Self::sweep); `WIDE` only where the processor has the vector registers.
    #[inline(always)]
    unsafe fn any_sweep<K: Layout, const WIDE: bool>(&mut self, data: Data) -> Partial {
        // Most contacts that carry nothing stay open, and a row of B is long.
        let all = D == 2 || self.sweeps % OPEN == 1;
        let mut partial = Partial::default();
        for k in 0..self.points.len() {
            let impulse = self.impulses[k];
            if !all && impulse == Vect::<D>::zeros() {
                continue;
            }
            let point = &self.points[k];
            // SAFETY: the caller's.
            let (bracket, moving) = unsafe {
                let bracket = match &self.swept {
                    Some(swept) => swept.others::<WIDE>(k),
                    None => self.boundary.response().others(k, &self.impulses) + point.bias,
                };
                (bracket, point.velocity::<K>(data))
            };
            let others = bracket + moving - point.own * impulse;
            let new = self.locals.relax(k, &others, &impulse);
            let change = new - impulse;
            self.impulses[k] = new;
            if let Some(swept) = &mut self.swept {
                swept.set(k, &new);
            }
            // SAFETY: the caller's.
            unsafe { point.push::<K>(data, &change) };
            let weight = self.locals.weight(k);
            let changed = change.norm_squared() * weight;
            partial.change = Lane::max(changed, partial.change);
            partial.work += changed;
            partial.strength += new.norm_squared() * weight;
            partial.active += f64::from(u8::from(new != Vect::<D>::zeros()));
            if let Some(moment) = &mut self.moments[k] {
                let block = point.own + self.boundary.response().block(k);
                // SAFETY: the caller's.
                let turned =
                    unsafe { moment.relax::<K, D>(data, point, point.pressing(&new, &(others + block * new))) };
                partial.work += turned * moment.law.response() * weight.sqrt();
            }
        }
        partial
    }

    /// Impulses and velocities (without bias) into the links, in double precision; what the residual is made of.
    ///
    /// # Safety
    /// As for [`sweep`](Self::sweep).
    pub unsafe fn export<K: Layout>(
        &mut self,
        data: Data,
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        tally: &mut Tally,
    ) {
        self.rebase();
        for (k, point) in self.points.iter().enumerate() {
            let index = self.boundary.links()[k] as usize;
            let link = &mut links[index];
            link.impulse = self.impulses[k];
            // SAFETY: the caller's.
            let moving = unsafe { point.velocity::<K>(data) };
            link.velocity = moving + self.boundary.response().velocity(k, &self.impulses) + point.bias - link.form.bias;
            if self.rho[k] <= 0.0 {
                continue;
            }
            tally.add(index, link, self.rho[k]);
            if let Some(moment) = &self.moments[k] {
                rolls[moment.roll].moment = moment.here;
                // SAFETY: the caller's.
                let spin = unsafe { moment.spin::<K, D>(data, point) };
                tally.add_moment(index, moment.law.eta(&moment.here, &spin, pressing(link), self.rho[k]));
            }
        }
    }
}

impl Moment {
    /// Ω of the rows.
    ///
    /// # Safety
    /// As for [`Elastic::sweep`].
    unsafe fn spin<K: Layout, const D: usize>(&self, data: Data, point: &Point<D>) -> Vect<3> {
        let sides = point.sides.iter().flatten();
        // SAFETY: the caller's.
        sides.fold(self.bias, |sum, side| sum + K::motion::<D>(unsafe { side.row::<K>(data) }).1 * side.sign)
    }

    /// Solves the moment with all else frozen; ‖dM‖².
    ///
    /// # Safety
    /// As for [`Elastic::sweep`].
    unsafe fn relax<K: Layout, const D: usize>(&mut self, data: Data, point: &Point<D>, pressing: f64) -> f64 {
        // SAFETY: the caller's.
        let spin = unsafe { self.spin::<K, D>(data, point) };
        let wanted = self.law.wanted(&self.here, &spin, pressing);
        let change = wanted - self.here;
        self.here = wanted;
        for side in point.sides.iter().flatten() {
            let turn = side.mass.spin_mobility * change * side.sign;
            // SAFETY: the caller's.
            K::change_motion(unsafe { side.row::<K>(data) }, &Vect::<D>::zeros(), &turn);
        }
        change.norm_squared()
    }
}

impl<const D: usize> Side<D> {
    /// The body's row.
    ///
    /// # Safety
    /// As for [`Elastic::sweep`]; one at a time.
    #[inline(always)]
    unsafe fn row<'a, K: Layout>(&self, data: Data) -> &'a mut [f64] {
        // SAFETY: the caller's.
        unsafe { std::slice::from_raw_parts_mut(data.bodies.add(self.slot * K::BODY), K::BODY) }
    }
}

impl<const D: usize> Point<D> {
    /// The share of the normal impulse that rolling depends on, for the whole impulse and Ũ.
    fn pressing(&self, impulse: &Vect<D>, velocity: &Vect<D>) -> f64 {
        if self.form.joint.bilateral { impulse[0] } else { self.form.reduced(impulse, velocity).0[0] }
    }

    fn new(link: &Link<D>, masses: &[Mass<D>], slot: impl Fn(u32) -> u32) -> Self {
        let mut bias = link.form.bias;
        let mut side = |k: usize, sign: f64| {
            let (body, arm) = (link.masses[k], link.arms[k]);
            let mass = *masses.get(body as usize).filter(|_| body != GROUND)?;
            if !mass.responds() {
                bias += link.frame.tr_mul(&mass.velocity_at(&arm)) * sign;
                return None;
            }
            Some(Side { sign, slot: slot(body) as usize, mass, arm })
        };
        let sides = [side(0, 1.0), side(1, -1.0)];
        Self { sides, frame: link.frame, own: link.own_block(masses), bias, form: link.form }
    }

    /// H_αᵀ v of the rows.
    ///
    /// # Safety
    /// As for [`Elastic::sweep`].
    #[inline(always)]
    unsafe fn velocity<K: Layout>(&self, data: Data) -> Vect<D> {
        let mut sum = Vect::<D>::zeros();
        for side in self.sides.iter().flatten() {
            // SAFETY: the caller's.
            let (velocity, spin) = K::motion::<D>(unsafe { side.row::<K>(data) });
            sum += Mass { velocity, spin, ..side.mass }.velocity_at(&side.arm) * side.sign;
        }
        self.frame.tr_mul(&sum)
    }

    /// v += M⁻¹ H_α dR in the rows.
    ///
    /// # Safety
    /// As for [`Elastic::sweep`].
    #[inline(always)]
    unsafe fn push<K: Layout>(&self, data: Data, change: &Vect<D>) {
        let world = self.frame * change;
        for side in self.sides.iter().flatten() {
            let (velocity, spin) = side.mass.response(&side.arm, &(world * side.sign));
            // SAFETY: the caller's.
            K::change_motion(unsafe { side.row::<K>(data) }, &velocity, &spin);
        }
    }
}
