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
//!   links → manifolds → colours → groups of 4 lanes ┐
//!                         └ tiny colours → single lanes ┴→ sweep, sweep, … → residual → links, masses
//!
//! Sweeps carry momentum (see `momentum.rs`), and the points of a manifold are gone through several times while its two bodies
//! are at hand: together these take the number of sweeps of stacks and walls down by a factor of 10.
//!
//! A sweep also keeps max ‖dR‖/ρ and the rms of ‖R‖/ρ, almost for free. Only when their ratio says that the tolerance may be reached
//! is the genuine residual of the state evaluated, and it alone decides.

mod batch;
mod colouring;
mod layout;
mod momentum;
mod plane;
mod round;
mod simd;
mod solid;
mod sweep;

use rayon::prelude::*;

use crate::clock::Clock;
use crate::local;
use crate::nlgs::rho;
use crate::problem::{GROUND, Link, Mass, Vect};
use crate::report::{Order, Report, Settings};
use crate::residual;
use batch::{Batch, Buffer, Manifold, Prepared};
use colouring::{COLOURS, NO_COLOUR};
use layout::Layout;
use momentum::Momentum;
use sweep::{Data, Engine, Manner, Partial};

/// Groups per chunk: the unit of work of a thread and of summation.
const CHUNK: usize = 64;
/// Groups that a colour must have for threads to pay.
const SHARED: usize = 4 * CHUNK;
/// Ratio of the residual to what the sweeps see, until it has been measured: most collections show 0.3 to 1.
const FIRST_RATIO: f64 = 0.3;
/// Sweeps between looks at the residual whatever the sweeps see: at least so many, and this share of those made. Under momentum a
/// sweep can have much to change although the state that it leaves is good.
const LOOK: usize = 64;
const LOOK_SHARE: usize = 8;
/// Manifolds that a colour must have for lanes to pay.
const LEAST_COLOUR: usize = 3;

/// The solver's workspace: kept from step to step, nothing is allocated during sweeps.
pub struct Exchange<const D: usize> {
    bodies: Buffer,
    /// Four lanes, by colour.
    wide: Batch,
    /// The groups of each colour in `wide`.
    colours: Vec<std::ops::Range<usize>>,
    /// One lane, in sequence.
    narrow: Batch,
    responds: Vec<bool>,
    manifolds: Vec<Manifold>,
    pairs: Vec<[u32; 2]>,
    colour_of: Vec<u8>,
    used: Vec<u64>,
    sorted: Vec<u32>,
    partials: Vec<Partial>,
    rho: Vec<f64>,
    momentum: Momentum,
    /// Velocities that the masses came with.
    free: Vec<(Vect<D>, Vect<3>)>,
}

impl<const D: usize> Default for Exchange<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Exchange<D> {
    /// An empty workspace.
    pub fn new() -> Self {
        const { assert!(D == 2 || D == 3, "the plane or space") }
        Self {
            bodies: Buffer::default(),
            wide: Batch::new(4),
            colours: Vec::new(),
            narrow: Batch::new(1),
            responds: Vec::new(),
            manifolds: Vec::new(),
            pairs: Vec::new(),
            colour_of: Vec::new(),
            used: Vec::new(),
            sorted: Vec::new(),
            partials: Vec::new(),
            rho: Vec::new(),
            momentum: Momentum::new(),
            free: Vec::new(),
        }
    }

    /// Solves in place. `masses` come with their free velocities, `links` with the impulses to start from; both leave with the
    /// solution.
    ///
    /// Uses the current rayon pool.
    pub fn solve(&mut self, masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
        self.responds.clear();
        self.responds.extend(masses.iter().map(Mass::responds));
        let is_jointed = links.iter().any(|link| link.form.joint.is_some());
        match (D, is_jointed) {
            (2, false) => self.run::<plane::Plane<false>>(masses, links, settings),
            (2, true) => self.run::<plane::Plane<true>>(masses, links, settings),
            (_, true) => self.run::<solid::Solid<true>>(masses, links, settings),
            _ if self.all_round(masses, links) => self.run::<round::Round>(masses, links, settings),
            _ => self.run::<solid::Solid<false>>(masses, links, settings),
        }
    }

    fn all_round(&self, masses: &[Mass<D>], links: &[Link<D>]) -> bool {
        let straight = |link: &Link<D>| {
            link.sides().all(|(_, m, arm)| !self.responds[m as usize] || round::is_straight(link, arm))
        };
        masses.iter().zip(&self.responds).all(|(m, &r)| !r || round::is_isotropic(m)) && links.iter().all(straight)
    }

    fn run<K: Layout>(&mut self, masses: &mut [Mass<D>], links: &mut [Link<D>], settings: &Settings) -> Report {
        let mut report = Report::default();
        self.arrange(links, settings.order);
        self.pack_points::<K>(masses, links, &mut report);
        self.free.clear();
        self.free.extend(masses.iter().map(|m| (m.velocity, m.spin)));
        report.drive = residual::drive(links.iter().map(|l| l.relative_velocity(masses)), &self.rho, links);
        self.push_impulses(masses, links);
        self.pack_bodies::<K>(masses);
        let clock = Clock::start();
        self.relax::<K>(masses, links, settings, &mut report);
        report.seconds_sweeping += clock.seconds();
        self.settle(masses, links);
        if settings.measure_change {
            report.change = Some(residual::change(masses, links));
        }
        report
    }

    /// The slot of a link's side: its mass, or the ground's for what does not respond.
    fn slot(&self, mass: u32) -> u32 {
        if mass != GROUND && self.responds[mass as usize] { mass } else { self.responds.len() as u32 }
    }

    /// Links → manifolds → colours → groups.
    fn arrange(&mut self, links: &[Link<D>], order: Order) {
        let ground = self.responds.len() as u32;
        self.manifolds.clear();
        self.pairs.clear();
        let mut first = 0;
        for same in links.chunk_by(|a, b| a.masses == b.masses) {
            let pair = same[0].masses.map(|m| self.slot(m));
            if pair != [ground; 2] {
                self.manifolds.push(Manifold { first, count: same.len() as u32 });
                self.pairs.push(pair);
            }
            first += same.len() as u32;
        }
        self.wide.clear();
        self.narrow.clear();
        self.colours.clear();
        if order == Order::Coloured {
            self.arrange_by_colour(ground);
        } else {
            for (&manifold, &pair) in self.manifolds.iter().zip(&self.pairs) {
                self.narrow.add(&[(manifold, pair)], ground);
            }
        }
    }

    fn arrange_by_colour(&mut self, ground: u32) {
        colouring::colour(&self.pairs, ground, &mut self.used, &mut self.colour_of);
        // Counting sort by colour, in the order of the list.
        let bin = |colour: u8| if colour == NO_COLOUR { COLOURS } else { colour as usize };
        let mut starts = [0usize; COLOURS + 2];
        self.colour_of.iter().for_each(|&c| starts[bin(c) + 1] += 1);
        for c in 0..=COLOURS {
            starts[c + 1] += starts[c];
        }
        let mut next = starts;
        self.sorted.clear();
        self.sorted.resize(self.colour_of.len(), 0);
        for (i, &c) in self.colour_of.iter().enumerate() {
            self.sorted[next[bin(c)]] = i as u32;
            next[bin(c)] += 1;
        }
        for c in 0..=COLOURS {
            let members = &mut self.sorted[starts[c]..starts[c + 1]];
            let manifold = |i: &u32| (self.manifolds[*i as usize], self.pairs[*i as usize]);
            if c == COLOURS || members.len() < LEAST_COLOUR {
                members.iter().for_each(|i| self.narrow.add(&[manifold(i)], ground));
                continue;
            }
            // Manifolds side by side should have as many points.
            members.sort_by_key(|&i| std::cmp::Reverse(self.manifolds[i as usize].count));
            let begin = self.wide.groups.len();
            for four in members.chunks(4) {
                let mut lanes = [manifold(&four[0]); 4];
                lanes.iter_mut().zip(four).for_each(|(lane, i)| *lane = manifold(i));
                self.wide.add(&lanes[..four.len()], ground);
            }
            self.colours.push(begin..self.wide.groups.len());
        }
        let chunks = self.colours.iter().map(|c| c.len().div_ceil(CHUNK)).max().unwrap_or(0);
        self.partials.clear();
        self.partials.resize(chunks, Partial::default());
    }

    /// v = v_free + M⁻¹HR afresh: thousands of sweeps of small changes leave round-off in the velocities, which the
    /// energy account would find.
    fn settle(&self, masses: &mut [Mass<D>], links: &mut [Link<D>]) {
        for (mass, free) in masses.iter_mut().zip(&self.free) {
            (mass.velocity, mass.spin) = *free;
        }
        self.push_impulses(masses, links);
        links.iter_mut().for_each(|link| link.velocity = link.relative_velocity(masses));
    }

    /// Applies the impulses of the links.
    fn push_impulses(&self, masses: &mut [Mass<D>], links: &[Link<D>]) {
        for (link, &rho) in links.iter().zip(&self.rho) {
            if rho > 0.0 && link.impulse.iter().any(|&x| x != 0.0) {
                link.push(masses, &link.impulse);
            }
        }
    }

    /// Bodies into rows, the ground's after the last.
    fn pack_bodies<K: Layout>(&mut self, masses: &[Mass<D>]) {
        self.bodies.resize((masses.len() + 1) * K::BODY);
        let rows = self.bodies.numbers_mut();
        for (mass, row) in masses.iter().zip(rows.chunks_exact_mut(K::BODY)) {
            K::write_body(mass, row);
        }
        rows[masses.len() * K::BODY..].fill(0.0);
    }

    /// Links into lanes; ρ per link.
    fn pack_points<K: Layout>(&mut self, masses: &[Mass<D>], links: &[Link<D>], report: &mut Report) {
        self.rho.clear();
        self.rho.resize(links.len(), 0.0);
        let (responds, rhos) = (&self.responds, &mut self.rho);
        let mut prepare = |index: usize| {
            let link = &links[index];
            let w = K::response(link, masses);
            if !w.iter().all(|x| x.is_finite()) {
                // Makes the residual of this contact not finite, so that it is named.
                rhos[index] = f64::INFINITY;
                return None;
            }
            if w[(0, 0)] <= 0.0 {
                return None;
            }
            let block = if link.form.joint.is_some() { link.form.joint.block(&w) } else { w };
            rhos[index] = rho(block.trace(), D);
            if !link.form.joint.held && local::is_painleve(&block, link.form.friction) {
                report.painleve += 1;
                report.first_painleve = Some(report.first_painleve.map_or(index, |first| first.min(index)));
            }
            let (mut arms, mut bias) = (link.arms, link.form.bias);
            for (side, &mass) in link.masses.iter().enumerate() {
                if mass == GROUND {
                    arms[side] = Vect::zeros();
                } else if !responds[mass as usize] {
                    let sign = if side == 0 { 1.0 } else { -1.0 };
                    bias += link.frame.tr_mul(&masses[mass as usize].velocity_at(&arms[side])) * sign;
                    arms[side] = Vect::zeros();
                }
            }
            Some(Prepared { arms, bias, w })
        };
        self.wide.pack::<K, D>(links, &mut prepare);
        self.narrow.pack::<K, D>(links, &mut prepare);
    }

    /// Sweeps until the residual is small enough.
    fn relax<K: Layout>(
        &mut self,
        masses: &mut [Mass<D>],
        links: &mut [Link<D>],
        settings: &Settings,
        report: &mut Report,
    ) {
        let wide = Engine::wide(settings.portable);
        // Ratio of the residual to what the sweeps see; learnt whenever the residual is evaluated.
        let mut ratio = FIRST_RATIO;
        self.momentum.start(&self.bodies);
        let passes = settings.passes.max(1);
        let relaxations = self.relaxations(passes);
        let mut carry = 0.0;
        let mut next_look = LOOK;
        loop {
            let backward = match settings.order {
                Order::Coloured | Order::Listed => false,
                Order::Reversed => true,
                Order::Symmetric => report.sweeps % 2 == 1,
            };
            let seen = self.sweep::<K>(wide, backward, Manner { carry, passes });
            report.sweeps += 1;
            report.relaxations += relaxations;
            let scale = (seen.strength / seen.active.max(1.0)).sqrt();
            let relative = if seen.change == 0.0 { 0.0 } else { seen.change.sqrt() / scale };
            let last = report.sweeps >= settings.max_sweeps;
            let may_pass = relative * ratio <= settings.tolerance;
            let due = settings.momentum && report.sweeps >= next_look;
            if last || may_pass || due || !relative.is_finite() {
                let clock = Clock::start();
                self.export::<K>(masses, links);
                residual::assess(links, &self.rho, settings.tolerance, report);
                report.seconds_sweeping -= clock.seconds();
                if last || report.converged || report.broken {
                    return;
                }
                next_look = report.sweeps + LOOK.max(report.sweeps / LOOK_SHARE);
                ratio = if relative > 0.0 { report.residual / relative } else { ratio };
            }
            if settings.momentum {
                carry = self.momentum.carry_on(seen.work, &mut self.bodies);
            }
        }
    }

    fn sweep<K: Layout>(&mut self, wide: Engine, backward: bool, manner: Manner) -> Partial {
        let mut total = Partial::default();
        let threads = rayon::current_num_threads();
        let data = self.wide_data();
        for colour in &self.colours {
            let groups = &self.wide.groups[colour.clone()];
            let chunks = groups.chunks(CHUNK).zip(self.partials.iter_mut());
            // SAFETY: groups of a colour share no responding body, so chunks are disjoint in bodies and points.
            if threads > 1 && groups.len() >= SHARED {
                let partials = &mut self.partials[..groups.len().div_ceil(CHUNK)];
                groups
                    .par_chunks(CHUNK)
                    .zip(partials.par_iter_mut())
                    .for_each(|(chunk, partial)| *partial = unsafe { sweep::sweep::<K>(wide, manner, data, chunk) });
            } else {
                chunks.for_each(|(chunk, partial)| *partial = unsafe { sweep::sweep::<K>(wide, manner, data, chunk) });
            }
            self.partials[..groups.len().div_ceil(CHUNK)].iter().for_each(|p| total.merge(p));
        }
        let engine = if backward { Engine::SingleBackward } else { Engine::Single };
        // SAFETY: nothing else runs.
        total.merge(&unsafe { sweep::sweep::<K>(engine, manner, self.narrow_data(), &self.narrow.groups) });
        total
    }

    /// Relaxations in a sweep: manifolds of several points are gone through several times.
    fn relaxations(&self, passes: usize) -> usize {
        let times = |m: &Manifold| if m.count > 1 { passes } else { 1 };
        self.manifolds.iter().map(|m| times(m) * m.count as usize).sum()
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

    /// Velocities into the masses, impulses and velocities into the links.
    fn export<K: Layout>(&mut self, masses: &mut [Mass<D>], links: &mut [Link<D>]) {
        let rows = self.bodies.numbers().chunks_exact(K::BODY);
        for ((mass, row), _) in masses.iter_mut().zip(rows).zip(&self.responds).filter(|(_, responds)| **responds) {
            K::read_body(row, mass);
        }
        for (link, _) in links.iter_mut().zip(&self.rho).filter(|(_, rho)| **rho == 0.0) {
            link.impulse = Vect::zeros();
            link.velocity = link.relative_velocity(masses);
        }
        // SAFETY: nothing else runs, and every link is in one lane at most.
        unsafe {
            let (wide, narrow) = (self.wide_data(), self.narrow_data());
            sweep::export::<K, D>(4, wide, &self.wide.groups, &self.wide.links, links.as_mut_ptr());
            sweep::export::<K, D>(1, narrow, &self.narrow.groups, &self.narrow.links, links.as_mut_ptr());
        }
    }
}
