//! The path of exact solutions, in the plane.
//!
//! The impulses R₀ that sweeps end with solve another problem exactly: the one where Ũ is changed by d, which is what they miss. From
//! there
//!
//!   Ũ = Ũ_free + W R + (1 − t) d,   t = 0 … 1
//!
//! leads to the problem itself. In the plane each contact is in one of four states, in which everything is linear in t:
//!
//! | state  | holds                   | until        | then   |
//! | ------ | ----------------------- | ------------ | ------ |
//! | open   | R = 0                   | Ũ_N = 0      | slip   |
//! | stick  | Ũ = 0                   | R_T = ± μR_N | slip ± |
//! | slip ± | Ũ_N = 0,  R_T = ± μR_N  | R_N = 0      | open   |
//! |        |                         | Ũ_T = 0      | stick  |
//!
//! so that R(t) is a line up to the first such event, where one contact changes its state, and the next line begins there. Which way t goes
//! on it is what keeps the contact in its new state: it may go back for a while, where grains snap from one arrangement to another.
//! Nothing is minimized, and no state comes twice: this neither stalls nor cycles where Newton and sweeps do (Lemke's algorithm is the same
//! with another d). It takes as many events as contacts are in the wrong state, some dozens after good sweeps; from afar, too many.
//!
//! A compliance ε/ρ (R − R₀) makes lines unique where impulses are not. It is gone when the path is followed again from its end.

use super::unit::Unit;
use super::updated::{Line, Updated};
use crate::problem::{Link, Mass, Mat, Vect};
use crate::report::{Bounds, Report};
use crate::residual;
use crate::watch::Watched;

/// ε.
const COMPLIANCE: f64 = 1e-6;
/// At the start no contact is nearer than this to its next event, in units of tolerance and scale.
const APART: f64 = 1e-3;
/// Events between factorizations.
const MOST_CHANGES: usize = 24;
/// Where the path is left that goes back and back.
const FARTHEST_BACK: f64 = -1.0;
/// Times that the path is followed at most, each from the end of the last.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Open,
    Stick,
    /// With the sign of R_T.
    Slip(f64),
}

/// The work of it.
pub(super) struct Path<const D: usize> {
    unit: Unit<D>,
    bounds: Bounds,
    friction: Vec<f64>,
    system: Updated,
    states: Vec<State>,
}

/// An event: how far away in t, where, and which condition of the contact ends.
#[derive(Clone, Copy, Debug)]
struct Event {
    distance: f64,
    contact: usize,
    condition: usize,
}

impl<const D: usize> Path<D> {
    /// From masses with free velocities; nothing if a factor would be too much work.
    pub fn new(masses: &[Mass<D>], links: &[Link<D>], bounds: Bounds) -> Option<Self> {
        let unit = Unit::new(masses, links);
        let system = Updated::new(&unit)?;
        let friction = links.iter().map(|l| l.form.friction).collect();
        Some(Self { unit, bounds, friction, system, states: vec![State::Open; links.len()] })
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.system.entries()
    }

    /// Follows the path from the impulses in `links`, over up to `most` events. Leaves its end there, if that was reached. Tells the residual
    /// of the end, infinite without one, and the events.
    pub fn run(&mut self, links: &mut [Link<D>], tolerance: f64, most: usize, watch: Watched) -> (f64, usize) {
        let (mut residual, mut events) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            let Some(impulses) = self.follow(links, tolerance, (most, watch), &mut events) else { break };
            let before: Vec<_> = links.iter().map(|link| link.impulse).collect();
            let now = self.assess(links, &impulses, tolerance);
            if now.is_nan() || now >= residual {
                links.iter_mut().zip(before).for_each(|(link, r)| link.impulse = r);
                break;
            }
            residual = now;
            if residual <= tolerance {
                break;
            }
        }
        (residual, events)
    }

    fn assess(&self, links: &mut [Link<D>], impulses: &[Vect<2>], tolerance: f64) -> f64 {
        let mut y = vec![0.0; self.unit.size()];
        for (a, (link, r)) in links.iter_mut().zip(impulses).enumerate() {
            link.impulse = Vect::from_fn(|i, _| r[i]);
            self.unit.push(&link.impulse, a, &mut y);
        }
        for (a, link) in links.iter_mut().enumerate() {
            link.velocity = self.unit.velocity(&y, a) - link.form.bias;
        }
        let mut report = Report { bounds: self.bounds, ..Report::default() };
        residual::assess(links, &self.unit.rho, tolerance, &mut report);
        report.residual
    }

    /// The impulses at t = 1, if it is reached.
    fn follow(
        &mut self,
        links: &[Link<D>],
        tolerance: f64,
        (most, watch): (usize, Watched),
        events: &mut usize,
    ) -> Option<Vec<Vect<2>>> {
        let free = self.begin(links, tolerance);
        let weights = (0..links.len()).map(|a| self.weight(a)).collect();
        if !self.system.start(weights, free) {
            return None;
        }
        let (mut t, mut forward) = (0.0, true);
        let mut line = self.system.velocities()?;
        loop {
            let event = self.first_event(&line, t, forward);
            if forward && event.is_none_or(|e| t + e.distance >= 1.0) {
                let end = self.system.velocities_at(1.0)?;
                return Some(end.iter().enumerate().map(|(a, w)| -(self.weight(a) * w)).collect());
            }
            let may_go_on = *events < most && t > FARTHEST_BACK && !watch.beat();
            let Event { distance, contact, condition } = event.filter(|_| may_go_on)?;
            *events += 1;
            t += if forward { distance } else { -distance };
            let back = self.change(contact, condition, &(line[0][contact] + line[1][contact] * t));
            self.system.set(contact, self.weight(contact));
            if self.system.changes() > MOST_CHANGES && !self.system.factorize() {
                return None;
            }
            line = self.system.velocities()?;
            // The way on is the one that does not lead back.
            forward = self.conditions(contact, &line)[back].is_none_or(|[_, slope]| slope >= 0.0);
        }
    }

    /// States from the impulses, and e: Ũ_free + d − ε/ρ R₀, −d.
    fn begin(&mut self, links: &[Link<D>], tolerance: f64) -> Line {
        let mut y = vec![0.0; self.unit.size()];
        links.iter().enumerate().for_each(|(a, link)| self.unit.push(&link.impulse, a, &mut y));
        let rho = &self.unit.rho;
        let strength = |(link, rho): (&Link<D>, &f64)| if *rho > 0.0 { link.impulse.norm() / rho } else { 0.0 };
        let active = links.iter().filter(|link| link.impulse[0] > 0.0).count().max(1);
        let squares = links.iter().zip(rho).map(strength).map(|s| s * s).sum::<f64>();
        let apart = APART * tolerance * (squares / active as f64).sqrt();
        let mut line = [Vec::with_capacity(links.len()), Vec::with_capacity(links.len())];
        for (a, link) in links.iter().enumerate() {
            let (r, mu) = (in_plane(&link.impulse), self.friction[a]);
            let u = in_plane(&self.unit.velocity(&y, a));
            let (state, target) = if rho[a] == 0.0 || r[0] <= 0.0 {
                (State::Open, Vect::<2>::new(u[0].max(apart), u[1]))
            } else if r[1].abs() < mu * r[0] * (1.0 - 1e-9) {
                (State::Stick, Vect::zeros())
            } else {
                let sign = if r[1] >= 0.0 { 1.0 } else { -1.0 };
                (State::Slip(sign), Vect::<2>::new(0.0, -sign * (-sign * u[1]).max(apart)))
            };
            self.states[a] = state;
            let missing = target - u;
            let soft = if rho[a] > 0.0 { COMPLIANCE / rho[a] } else { 0.0 };
            line[0].push(in_plane(self.unit.free(a)) + missing - r * soft);
            line[1].push(-missing);
        }
        line
    }

    /// P: the impulse is R = −P w.
    fn weight(&self, contact: usize) -> Mat<2> {
        let stiff = self.unit.rho[contact] / COMPLIANCE;
        match self.states[contact] {
            State::Open => Mat::zeros(),
            State::Stick => Mat::<2>::identity() * stiff,
            State::Slip(sign) => Mat::<2>::new(1.0, 0.0, sign * self.friction[contact], 0.0) * stiff,
        }
    }

    /// The conditions of a contact's state, each not negative while it lasts: value at t = 0 and slope.
    fn conditions(&self, contact: usize, line: &Line) -> [Option<[f64; 2]>; 2] {
        let mu = self.friction[contact];
        let w = [line[0][contact], line[1][contact]];
        match self.states[contact] {
            _ if self.unit.rho[contact] == 0.0 => [None, None],
            State::Open => [Some(w.map(|w| w[0])), None],
            // ε/ρ R_N, and Ũ_T = w_T + ε/ρ R_T against R_T.
            State::Slip(sign) => [Some(w.map(|w| -w[0])), (mu > 0.0).then(|| w.map(|w| mu * w[0] - sign * w[1]))],
            // ε/ρ (μR_N ∓ R_T).
            State::Stick => [1.0, -1.0].map(|sign| Some(w.map(|w| sign * w[1] - mu * w[0]))),
        }
    }

    /// The state that follows when a condition ends, at w; tells the condition of it that would lead back.
    fn change(&mut self, contact: usize, condition: usize, w: &Vect<2>) -> usize {
        let (next, back) = match (self.states[contact], condition) {
            (State::Open, _) => (State::Slip(if w[1] > 0.0 { -1.0 } else { 1.0 }), 0),
            (State::Slip(_), 0) => (State::Open, 0),
            (State::Slip(sign), _) => (State::Stick, usize::from(sign < 0.0)),
            (State::Stick, side) => (State::Slip(if side == 0 { 1.0 } else { -1.0 }), 1),
        };
        self.states[contact] = next;
        back
    }

    /// The first event from t on.
    fn first_event(&self, line: &Line, t: f64, forward: bool) -> Option<Event> {
        let mut first: Option<Event> = None;
        for contact in 0..self.states.len() {
            for (condition, ends) in self.conditions(contact, line).into_iter().enumerate() {
                let Some([value, slope]) = ends else { continue };
                let ahead = if forward { slope } else { -slope };
                if ahead >= 0.0 {
                    continue;
                }
                let distance = (value + t * slope).max(0.0) / -ahead;
                if first.is_none_or(|f| distance < f.distance) {
                    first = Some(Event { distance, contact, condition });
                }
            }
        }
        first
    }
}

fn in_plane<const D: usize>(v: &Vect<D>) -> Vect<2> {
    Vect::<2>::new(v[0], v[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{GROUND, LocalForm};

    /// A disk of mass 1, radius 1 and moment of inertia ½, thrown at the ground with this velocity.
    fn thrown(velocity: [f64; 2], friction: f64) -> (Vec<Mass<2>>, Vec<Link<2>>) {
        let mass = Mass {
            velocity: velocity.into(),
            spin: Vect::zeros(),
            inverse_mass: Vect::repeat(1.0),
            spin_mobility: Mat::<3>::identity() * 2.0,
        };
        let link = Link {
            masses: [0, GROUND],
            // n = y, t = −x.
            frame: Mat::<2>::new(0.0, -1.0, 1.0, 0.0),
            arms: [Vect::<2>::new(0.0, -1.0), Vect::zeros()],
            form: LocalForm::plain(friction, Vect::zeros()),
            impulse: Vect::zeros(),
            velocity: Vect::zeros(),
        };
        (vec![mass], vec![link])
    }

    /// W_NN = 1, W_TT = 3: it sticks with R = (2, −U_T/3) and slides with R_T = ∓ μ R_N, whatever state the path begins in.
    #[test]
    fn arrives_at_the_exact_answer_from_every_state() {
        for (sliding, friction, exact) in
            [(0.3, 0.2, [2.0, -0.1]), (3.0, 0.2, [2.0, -0.4]), (-3.0, 0.2, [2.0, 0.4]), (3.0, 0.0, [2.0, 0.0])]
        {
            for start in [[0.0, 0.0], [5.0, 0.1], [1.0, 0.2], [1.0, -0.2], [3.0, -3.0 * friction]] {
                let (masses, mut links) = thrown([-sliding, -2.0], friction);
                links[0].impulse = start.into();
                let (residual, events) =
                    Path::new(&masses, &links, Bounds::default()).unwrap().run(&mut links, 1e-10, 10, Watched::NONE);
                assert!(residual <= 1e-10, "{residual} after {events} events from {start:?}");
                let apart = (links[0].impulse - Vect::<2>::from(exact)).norm();
                assert!(apart < 1e-9, "{} for {exact:?}", links[0].impulse);
            }
        }
    }

    /// Stick and slip are one event apart, and so are slip and open; a limit of events is kept.
    #[test]
    fn an_event_for_each_change_of_state() {
        let events = |start: [f64; 2], velocity: [f64; 2], most: usize| {
            let (masses, mut links) = thrown(velocity, 0.2);
            links[0].impulse = start.into();
            Path::new(&masses, &links, Bounds::default()).unwrap().run(&mut links, 1e-4, most, Watched::NONE)
        };
        assert_eq!(events([2.0, -0.1], [-0.3, -2.0], 10).1, 0);
        assert_eq!(events([2.0, -0.1], [-3.0, -2.0], 10).1, 1);
        assert_eq!(events([2.0, -0.1], [-3.0, 2.0], 10).1, 2);
        assert_eq!(events([2.0, -0.1], [-3.0, 2.0], 1), (f64::INFINITY, 1));
    }
}
