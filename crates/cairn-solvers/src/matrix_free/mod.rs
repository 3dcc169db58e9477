//! Non-linear Gauss–Seidel for rigid collections, over body velocities: W is never formed.
//!
//! Each contact in turn sees the relative velocity of its two masses, is solved exactly with all others frozen, and the
//! change of its impulse goes straight into the two velocities:
//!
//!   Ũ = Hᵀv + bias,   R ← local solution with U_loc = Ũ − W_αα R,   v ← v + M⁻¹ H dR
//!
//! Consecutive links between the same masses form a *manifold*. Manifolds are coloured so that none of a colour share a
//! mass; four of a colour go through the kernel side by side in vector lanes, and big colours are shared out to
//! threads in fixed chunks. Nothing depends on the number of threads or on the instructions of the processor: same bits everywhere.
//!
//! Large collections are swept tile by tile first (`tiles.rs`), then between tiles by colours. Contacts on deformable bodies come last
//! (`elastic.rs`).
//!
//!   links → manifolds → colours → groups of 4 lanes ┐
//!                         └ tiny colours → single lanes ┴→ sweep, sweep, … → residual → links, masses
//!
//! Contacts that resist rolling (see [`crate::rolling`]) have moments, which are relaxed right after the impulses, by kernels of their own: a
//! collection in which none does pays nothing.
//!
//! Sweeps carry momentum (see `momentum.rs`), and the points of a manifold are gone through several times while its two bodies
//! are at hand: together these take the number of sweeps of stacks and walls down by a factor of 10.
//!
//! A sweep also keeps max ‖dR‖/ρ and the rms of ‖R‖/ρ, almost for free. Only when their ratio says that the tolerance may be reached
//! is the genuine residual of the state evaluated, and it alone decides.

mod arrangement;
mod batch;
mod colouring;
mod elastic;
mod layout;
mod momentum;
mod plane;
mod rolls;
mod round;
mod simd;
mod solid;
mod sweep;
mod tiles;
mod turning;

use rayon::prelude::*;
use std::ops::Range;

use crate::boundary::Boundary;
use crate::clock::Clock;
use crate::driven::driven;
use crate::local;
use crate::nlgs::rho;
use crate::problem::{GROUND, Link, Mass, Vect};
use crate::report::{Bounds, Order, Report, Settings};
use crate::residual::{self, Tally};
use crate::rolling::Roll;
use arrangement::{Arrangement, Tile};
use batch::{Batch, Buffer, Group, Prepared};
use elastic::Elastic;
use layout::Layout;
use momentum::Momentum;
use rolls::Rolls;
use simd::fetch_all;
use sweep::{Data, Engine, Links, Manner, Partial};

/// Groups per chunk: the unit of work of a thread and of summation.
const CHUNK: usize = 64;
/// Groups that a colour must have for threads to pay: to share it out takes as long as some hundred groups.
const SHARED: usize = 16 * CHUNK;
/// Ratio of the residual to what the sweeps see, until it has been measured: most collections show 0.3 to 1.
const FIRST_RATIO: f64 = 0.3;
/// Sweeps between looks at the residual whatever the sweeps see: at least so many, this share of those made, and at most so many. Under
/// momentum a sweep can have much to change although the state that it leaves is good.
const LOOK: usize = 64;
const LONGEST_LOOK: usize = 256;
const LOOK_SHARE: usize = 8;
/// Links ahead of the one whose impulse is applied whose masses are fetched.
const MASSES_AHEAD: usize = 4;
/// Groups that are read back at a time: the unit of work of a thread and of summation.
const EXPORTED: usize = 512;
/// Such chunks that there must be for threads to pay.
const SHARED_EXPORTS: usize = 16;

/// The solver's workspace: kept from step to step, nothing is allocated during sweeps.
pub struct MatrixFree<const D: usize> {
    bodies: Buffer,
    arrangement: Arrangement,
    /// Four lanes, by tile and colour.
    wide: Batch,
    /// One lane, in sequence.
    narrow: Batch,
    responds: Vec<bool>,
    partials: Vec<Partial>,
    rho: Vec<f64>,
    momentum: Momentum,
    /// Velocities with the impulses that the links came with.
    pushed: Vec<(Vect<D>, Vect<3>)>,
    rolls: Rolls,
    kind: Kind,
    /// Contacts whose own problem may have several solutions.
    ambiguous: Vec<usize>,
}

/// Masses, links, moments, and deformable bodies in contact with them.
type Problem<'a, const D: usize> = (&'a mut [Mass<D>], &'a mut [Link<D>], &'a mut [Roll], &'a Boundary<D>);

/// Which kernel fits: without joints or with them, or spheres without them (see `round.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Round,
    /// Spheres, some of them pressed by walls that move along one axis.
    Pressed,
    Jointed,
}

impl<const D: usize> Default for MatrixFree<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> MatrixFree<D> {
    /// An empty workspace.
    pub fn new() -> Self {
        const { assert!(D == 2 || D == 3, "the plane or space") }
        Self {
            bodies: Buffer::default(),
            arrangement: Arrangement::default(),
            wide: Batch::new(4),
            narrow: Batch::new(1),
            responds: Vec::new(),
            partials: Vec::new(),
            rho: Vec::new(),
            momentum: Momentum::new(),
            pushed: Vec::new(),
            rolls: Rolls::default(),
            kind: Kind::Plain,
            ambiguous: Vec::new(),
        }
    }

    /// ρ of each contact of the last problem (see [`crate::residual`]); 0 where nothing responds.
    pub(crate) fn rho(&self) -> &[f64] {
        &self.rho
    }

    /// Solves in place. `masses` come with their free velocities, `links` and `rolls` with the impulses and moments to start from; all
    /// leave with the solution.
    ///
    /// Uses the current rayon pool.
    pub fn solve(
        &mut self,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        settings: &Settings,
    ) -> Report {
        self.solve_with(masses, links, rolls, &Boundary::default(), settings)
    }

    /// The same among deformable bodies.
    pub fn solve_with(
        &mut self,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        boundary: &Boundary<D>,
        settings: &Settings,
    ) -> Report {
        self.responds.clear();
        self.responds.extend(masses.iter().map(Mass::responds));
        let Self { arrangement, wide, narrow, responds, .. } = self;
        arrangement.arrange(links, boundary.links(), responds, settings.order, wide, narrow);
        let chunks = arrangement.colours.iter().map(|c| c.len().div_ceil(CHUNK)).max().unwrap_or(0);
        self.partials.resize(chunks.max(arrangement.tiles.len()), Partial::default());
        self.rolls.list(masses, links, rolls);
        let mut problem = (masses, links, rolls, boundary);
        // Most problems are of the kind of the one before; one that is not is found out while it is packed.
        loop {
            let solved = match (D, self.kind, problem.2.is_empty()) {
                (2, Kind::Jointed, true) => self.run::<plane::Plane<true, false>>(&mut problem, settings),
                (2, Kind::Jointed, false) => self.run::<plane::Plane<true, true>>(&mut problem, settings),
                (2, _, true) => self.run::<plane::Plane<false, false>>(&mut problem, settings),
                (2, _, false) => self.run::<plane::Plane<false, true>>(&mut problem, settings),
                (_, Kind::Jointed, true) => self.run::<solid::Solid<true, false>>(&mut problem, settings),
                (_, Kind::Jointed, false) => self.run::<solid::Solid<true, true>>(&mut problem, settings),
                (_, Kind::Round, true) => self.run::<round::Round<false, false>>(&mut problem, settings),
                (_, Kind::Round, false) => self.run::<round::Round<true, false>>(&mut problem, settings),
                (_, Kind::Pressed, true) => self.run::<round::Round<false, true>>(&mut problem, settings),
                (_, Kind::Pressed, false) => self.run::<round::Round<true, true>>(&mut problem, settings),
                (_, Kind::Plain, true) => self.run::<solid::Solid<false, false>>(&mut problem, settings),
                (_, Kind::Plain, false) => self.run::<solid::Solid<false, true>>(&mut problem, settings),
            };
            if let Some(report) = solved {
                return report;
            }
        }
    }

    /// Solves by the kernel K; nothing if another one fits, which is noted.
    fn run<K: Layout>(
        &mut self,
        (masses, links, rolls, boundary): &mut Problem<'_, D>,
        settings: &Settings,
    ) -> Option<Report> {
        let bounds = Bounds { most: settings.most_scale(), ..Bounds::default() };
        let mut report = Report { bounds, ..Report::default() };
        let kind = self.pack_points::<K>(masses, links, rolls, &mut report);
        if kind != self.kind {
            self.kind = kind;
            return None;
        }
        let slot = |body: u32| self.arrangement.numbering.slot(body);
        let mut elastic =
            Elastic::new(boundary, masses, links, (&self.rolls, rolls), slot, (&mut self.rho, &mut report));
        self.ambiguous.extend(elastic.ambiguous());
        elastic.push(links, masses, &mut self.pushed);
        self.pack_bodies::<K>(masses);
        let clock = Clock::start();
        self.relax::<K>((masses, boundary), links, rolls, &mut elastic, settings, &mut report);
        report.seconds_sweeping += clock.seconds();
        self.settle(masses, links, rolls);
        boundary.add_velocities(links);
        // One that carries nothing has its solution: it is open.
        let loaded = self.ambiguous.iter().copied().filter(|&a| links[a].impulse != Vect::<D>::zeros());
        (report.painleve, report.first_painleve) = (loaded.clone().count(), loaded.min());
        if settings.measure_change {
            report.change = Some(residual::change(masses, links));
        }
        Some(report)
    }

    /// v = v_free + M⁻¹HR (and what moments add) afresh: thousands of sweeps of small changes leave round-off in the velocities, which the
    /// energy account would find.
    fn settle(&self, masses: &mut [Mass<D>], links: &mut [Link<D>], rolls: &[Roll]) {
        let fetch_masses = |i: usize, links: &[Link<D>], masses: &[Mass<D>]| {
            let ahead = links.get(i + MASSES_AHEAD).map_or([GROUND; 2], |link| link.masses);
            ahead.iter().filter_map(|&mass| masses.get(mass as usize)).for_each(|mass| fetch_all(mass));
        };
        for (i, (link, &rho)) in links.iter().zip(&self.rho).enumerate() {
            fetch_masses(i, links, masses);
            if rho > 0.0 && link.impulse.iter().any(|&x| x != 0.0) {
                link.push(masses, &link.impulse);
            }
        }
        rolls.iter().for_each(|roll| roll.turn(&links[roll.link], masses));
        for i in 0..links.len() {
            fetch_masses(i, links, masses);
            links[i].velocity = links[i].relative_velocity(masses);
        }
    }

    /// Bodies into rows, with the impulses that the points start from; the ground's after the last.
    fn pack_bodies<K: Layout>(&mut self, masses: &[Mass<D>]) {
        self.bodies.resize((masses.len() + 1) * K::BODY);
        let rows = self.bodies.numbers_mut();
        for (body, (mass, &(velocity, spin))) in masses.iter().zip(&self.pushed).enumerate() {
            let slot = self.arrangement.numbering.slot(body as u32) as usize;
            let mass = Mass { velocity, spin, ..*mass };
            K::write_body(&mass, &mut rows[slot * K::BODY..(slot + 1) * K::BODY]);
        }
        rows[masses.len() * K::BODY..].fill(0.0);
    }

    /// Links into lanes; ρ per link; velocities with the impulses of the links. One pass for all that there is to know of a link:
    /// those of large collections come from far. The kind of the problem.
    fn pack_points<K: Layout>(
        &mut self,
        masses: &[Mass<D>],
        links: &[Link<D>],
        rolls: &[Roll],
        report: &mut Report,
    ) -> Kind {
        self.rho.clear();
        self.rho.resize(links.len(), 0.0);
        self.pushed.clear();
        self.pushed.extend(masses.iter().map(|mass| (mass.velocity, mass.spin)));
        self.ambiguous.clear();
        let (responds, rhos, pushed, laws) = (&self.responds, &mut self.rho, &mut self.pushed, &self.rolls);
        let ambiguous = &mut self.ambiguous;
        let mut is_jointed = false;
        let moved = || masses.iter().zip(responds).filter(|(_, r)| **r).map(|(mass, _)| mass);
        let mut is_round = D == 3 && moved().all(|mass| round::is_isotropic(mass) || round::is_piston(mass));
        let has_pistons = is_round && moved().any(round::is_piston);
        let mut prepare = |index: usize| {
            let link = &links[index];
            is_jointed |= link.form.joint.is_some();
            let fits = |(_, m, arm): (f64, u32, &Vect<D>)| {
                !responds[m as usize] || round::fits(link, &masses[m as usize], arm)
            };
            is_round = is_round && link.sides().all(fits);
            let w = K::response(link, masses);
            if !w.iter().all(|x| x.is_finite()) {
                // Makes the residual of this contact not finite, so that it is named.
                rhos[index] = f64::INFINITY;
                return None;
            }
            // Where neither body responds, only a joint that gives way has something to solve for.
            if w[(0, 0)] + link.form.joint.compliance[0] <= 0.0 {
                return None;
            }
            let block = if link.form.joint.is_some() { link.form.joint.block(&w) } else { w };
            rhos[index] = rho(block.trace(), D);
            let driven = residual::drive_of(&link.relative_velocity(masses), rhos[index], link);
            report.bounds.drive = report.bounds.drive.max(driven);
            report.bounds.speed = report.bounds.speed.max(residual::speed_of(link, masses));
            if !link.form.joint.bilateral && local::is_painleve(&block, link.form.friction) {
                ambiguous.push(index);
            }
            let turn = laws.prepare(index, link, rolls, (masses, responds));
            let impulse = link.frame * link.impulse;
            let (mut arms, mut bias, mut taken) = (link.arms, link.form.bias, [0.0; 2]);
            for ((side, &mass), sign) in link.masses.iter().enumerate().zip([1.0, -1.0]) {
                if mass == GROUND {
                    arms[side] = Vect::zeros();
                } else if !responds[mass as usize] {
                    bias += link.frame.tr_mul(&masses[mass as usize].velocity_at(&arms[side])) * sign;
                    arms[side] = Vect::zeros();
                } else {
                    taken[side] = round::taken(&masses[mass as usize]);
                    let (velocity, spin) = masses[mass as usize].response(&arms[side], &(impulse * sign));
                    pushed[mass as usize].0 += velocity;
                    pushed[mass as usize].1 += spin;
                    if K::ROLLING {
                        pushed[mass as usize].1 += masses[mass as usize].spin_mobility * turn.moment * sign;
                    }
                }
            }
            Some(Prepared { arms, bias, w, turn, taken })
        };
        self.wide.pack::<K, D>(links, &mut prepare);
        self.narrow.pack::<K, D>(links, &mut prepare);
        match (is_jointed, is_round, has_pistons) {
            (true, ..) => Kind::Jointed,
            (_, true, true) => Kind::Pressed,
            (_, true, false) => Kind::Round,
            _ => Kind::Plain,
        }
    }

    /// Sweeps until the residual is small enough.
    fn relax<K: Layout>(
        &mut self,
        (masses, boundary): (&[Mass<D>], &Boundary<D>),
        links: &mut [Link<D>],
        rolls: &mut [Roll],
        elastic: &mut Elastic<'_, D>,
        settings: &Settings,
        report: &mut Report,
    ) {
        let wide = Engine::wide(settings.portable);
        // Ratio of the residual to what the sweeps see; learnt whenever the residual is evaluated.
        let mut ratio = FIRST_RATIO;
        self.momentum.start(&self.bodies);
        let passes = settings.passes.max(1);
        let relaxations = self.arrangement.relaxations(passes) + elastic.len();
        let mut carry = None;
        let mut next_look = LOOK;
        loop {
            let backward = match settings.order {
                Order::Coloured | Order::Listed => false,
                Order::Reversed => true,
                Order::Symmetric => report.sweeps % 2 == 1,
            };
            let mut seen = self.sweep::<K>(wide, backward, passes, carry);
            // SAFETY: nothing else runs.
            seen.merge(&unsafe { elastic.sweep::<K>(self.wide_data(), carry.unwrap_or(0.0)) });
            report.sweeps += 1;
            report.relaxations += relaxations;
            let scale = (seen.strength / seen.active.max(1.0)).sqrt();
            let relative = if seen.change == 0.0 { 0.0 } else { seen.change.sqrt() / scale };
            let last = settings.watch.beat() || report.sweeps >= settings.max_sweeps;
            let may_pass = relative * ratio <= settings.tolerance || report.bounds.is_round_off(seen.change.sqrt());
            let due = settings.momentum && report.sweeps >= next_look;
            if last || may_pass || due || !relative.is_finite() {
                let clock = Clock::start();
                let mut tally = self.export::<K>(links, rolls);
                // SAFETY: nothing else runs.
                unsafe { elastic.export::<K>(self.wide_data(), links, rolls, &mut tally) };
                report.fill(&tally, settings.tolerance, settings.outliers);
                // What deformable bodies need is not known from resultants on rigid ones.
                if report.converged && boundary.is_empty() && report.may_be_fooled() {
                    report.bounds.driven = driven(masses, links, &self.rho);
                    report.fill(&tally, settings.tolerance, settings.outliers);
                }
                report.seconds_sweeping -= clock.seconds();
                settings.watch.tell(report.residual);
                if last || report.converged || report.not_finite {
                    return;
                }
                next_look = report.sweeps + (report.sweeps / LOOK_SHARE).clamp(LOOK, LONGEST_LOOK);
                ratio = if relative > 0.0 { report.residual / relative } else { ratio };
            }
            if settings.momentum {
                carry = Some(self.momentum.next(seen.work));
            }
        }
    }

    /// `carry` is β of the momentum, once there is any.
    fn sweep<K: Layout>(&mut self, wide: Engine, backward: bool, passes: usize, carry: Option<f64>) -> Partial {
        let mut total = Partial::default();
        let threads = rayon::current_num_threads();
        let data = self.wide_data();
        let manner = Manner { carry: carry.unwrap_or(0.0), passes };
        let last = self.momentum.last();
        let (groups, arrangement) = (&self.wide.groups, &self.arrangement);
        let carry_on = |slots: &Range<usize>| {
            if let Some(beta) = carry {
                // SAFETY: the rows of these bodies, of which no one else's slots are.
                unsafe { last.carry(wide, data, K::BODY * slots.start..K::BODY * slots.end, beta) };
            }
        };
        let of_tile = |tile: &Tile| {
            carry_on(&tile.slots);
            // SAFETY: tiles share no responding body.
            unsafe { sweep::sweep::<K>(wide, manner, data, &groups[tile.groups.clone()]) }
        };
        let tiles = &arrangement.tiles;
        if tiles.is_empty() {
            carry_on(&(0..self.responds.len()));
        }
        let partials = &mut self.partials[..tiles.len()];
        if threads > 1 && tiles.len() > 1 {
            tiles.par_iter().zip(partials.par_iter_mut()).for_each(|(tile, partial)| *partial = of_tile(tile));
        } else {
            tiles.iter().zip(partials.iter_mut()).for_each(|(tile, partial)| *partial = of_tile(tile));
        }
        partials.iter().for_each(|p| total.merge(p));
        // SAFETY: groups of a colour share no responding body, so chunks are disjoint in bodies and points.
        let of_chunk = |chunk: &[Group]| unsafe { sweep::sweep::<K>(wide, manner, data, chunk) };
        for colour in &arrangement.colours {
            let groups = &groups[colour.clone()];
            let partials = &mut self.partials[..groups.len().div_ceil(CHUNK)];
            if threads > 1 && groups.len() >= SHARED {
                let chunks = groups.par_chunks(CHUNK).zip(partials.par_iter_mut());
                chunks.for_each(|(chunk, partial)| *partial = of_chunk(chunk));
            } else {
                groups.chunks(CHUNK).zip(partials.iter_mut()).for_each(|(chunk, partial)| *partial = of_chunk(chunk));
            }
            partials.iter().for_each(|p| total.merge(p));
        }
        let engine = if backward { Engine::SingleBackward } else { Engine::Single };
        // SAFETY: nothing else runs.
        total.merge(&unsafe { sweep::sweep::<K>(engine, manner, self.narrow_data(), &self.narrow.groups) });
        total
    }

    fn wide_data(&mut self) -> Data {
        let ground = self.responds.len() as u32;
        Data {
            bodies: self.bodies.numbers_mut().as_mut_ptr(),
            points: self.wide.points.numbers_mut().as_mut_ptr(),
            ground,
        }
    }

    fn narrow_data(&mut self) -> Data {
        Data { points: self.narrow.points.numbers_mut().as_mut_ptr(), ..self.wide_data() }
    }

    /// Impulses and velocities into the links, moments into the rolls; what the residual is made of.
    fn export<K: Layout>(&mut self, links: &mut [Link<D>], rolls: &mut [Roll]) -> Tally {
        let mut total = Tally::default();
        for (index, (link, &rho)) in links.iter_mut().zip(&self.rho).enumerate() {
            if rho == 0.0 {
                link.impulse = Vect::zeros();
            } else if rho == f64::INFINITY {
                total.add(index, link, rho);
            }
        }
        rolls.iter_mut().filter(|roll| self.rho[roll.link] == 0.0).for_each(|roll| roll.moment = Vect::zeros());
        let (wide, narrow) = (self.wide_data(), self.narrow_data());
        let links = Links::new(links, &self.rho, rolls, &self.rolls);
        // SAFETY: every link is in one lane at most, and nothing else runs.
        let of_chunk = |chunk: &[Group]| unsafe { sweep::export::<K, D>(4, wide, chunk, &self.wide.links, &links) };
        let chunks = self.wide.groups.chunks(EXPORTED);
        if rayon::current_num_threads() > 1 && chunks.len() >= SHARED_EXPORTS {
            let tallies: Vec<Tally> = self.wide.groups.par_chunks(EXPORTED).map(of_chunk).collect();
            tallies.iter().for_each(|tally| total.merge(tally));
        } else {
            chunks.map(of_chunk).for_each(|tally| total.merge(&tally));
        }
        // SAFETY: as above.
        total.merge(&unsafe { sweep::export::<K, D>(1, narrow, &self.narrow.groups, &self.narrow.links, &links) });
        total
    }
}
