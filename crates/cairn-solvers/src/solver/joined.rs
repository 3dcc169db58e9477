//! Semismooth Newton for contacts with joints, on the whole impulses R.
//!
//! A joint leaves Signorini–Coulomb to its share of the impulse (see [`crate::joint`]):
//!
//!   R̃ = R − a + B Ũ,   V = Ũ + C R̃,   Φ(R̃, V) = 0        held: Φ/ρ = Ũ
//!
//! With dΦ = A_R dR̃ + A_U dV of `newton.rs`, and Ũ = U_free + bias + W R,
//!
//!   dΦ = A dR + (A B + A_U) W dR,   A = A_R + A_U C
//!
//! For an open contact this is (I + B W) dR: while no status changes one step solves all springs at once, however
//! stiff they are, where sweeps would take a number of the order of B W. The unknown is R, not the share: a velocity
//! times a stiff B would be all round-off. For the same reason the steps are repeated until the residual passes: each
//! takes away the round-off of the one before.
//!
//! Whole steps come first: after one, of Ũ_N and R̃_N one is zero in each contact, and which contacts are closed
//! depends on the sign of the other and not on ρ (the method of active sets). Where they go round in circles, steps
//! are damped by the merit Σ‖Φ/ρ‖² as in `newton.rs`. The term ε/ρ makes held contacts regular where W is not (more
//! points than dofs); ε has to be small against the strain part of W, which long steps make tiny next to the rigid
//! one.

use super::block_lu::{BlockLu, Symbolic};
use super::newton::{Case, slopes, value};
use crate::cone::Cone;
use crate::delassus::{Delassus, Stored};
use crate::joint::Joint;
use crate::problem::{Link, Mat, Vect};
use crate::watch::Watched;

/// ε at first, and what it is multiplied by where the system is not regular.
const EPSILON: [f64; 2] = [1e-13, 1e3];
/// Shares of a step that are tried.
const HALVINGS: i32 = 6;

/// What a step is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole; contacts are open or closed as the impulses to start from say.
    First,
    /// Whole.
    Whole,
    /// Damped.
    Damped,
}

/// Newton's steps for one W; its factors keep their pattern.
pub(crate) struct Joined<const D: usize> {
    lu: BlockLu<D>,
    epsilon: f64,
}

impl<const D: usize> Joined<D> {
    /// Nothing if the factors would be too much work.
    pub fn new(w: &Stored<D>) -> Option<Self> {
        let contacts = w.contacts();
        let edges = (0..contacts).flat_map(|a| w.neighbours(a).map(move |(b, _)| (a, b)));
        Some(Self { lu: BlockLu::new(Symbolic::of_graph(contacts, edges)?), epsilon: EPSILON[0] })
    }

    /// One step from the impulses and velocities in `links`; true if it was made.
    pub fn step(&mut self, w: &Stored<D>, rho: &[f64], links: &mut [Link<D>], kind: Kind, watch: Watched) -> bool {
        let state = |(link, &rho): (&Link<D>, &f64)| match kind {
            Kind::First => State::by_impulse(link, rho),
            _ => State::here(link, rho),
        };
        let states: Vec<State<D>> = links.iter().zip(rho).map(state).collect();
        let Some(step) = self.direction(w, rho, &states, watch) else {
            self.epsilon *= EPSILON[1];
            return false;
        };
        let from: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
        let mut go = |share: f64| {
            let there: Vec<Vect<D>> = from.iter().zip(&step).map(|(r, s)| r + s * share).collect();
            put(w, links, &there);
            merit(rho, links)
        };
        if kind != Kind::Damped {
            go(1.0);
            return true;
        }
        let before = go(0.0);
        let shares = (0..HALVINGS).map(|k| 0.5f64.powi(k));
        let better = shares.into_iter().any(|share| go(share) < before * (1.0 - 0.2 * share));
        if !better {
            go(0.0);
        }
        better
    }

    fn direction(&mut self, w: &Stored<D>, rho: &[f64], states: &[State<D>], watch: Watched) -> Option<Vec<Vect<D>>> {
        let epsilon = self.epsilon;
        let regular = self.lu.factorize(watch, |a, add| {
            let State { of_impulse, of_velocity, of_share, .. } = &states[a];
            let near = if rho[a] > 0.0 { epsilon / rho[a] } else { 0.0 };
            add(a, &(of_impulse + of_velocity * w.block(a) + of_share * near));
            if *of_velocity != Mat::<D>::zeros() {
                w.neighbours(a).for_each(|(b, block)| add(b, &(of_velocity * block)));
            }
        });
        let mut x: Vec<Vect<D>> = states.iter().map(|s| -s.value).collect();
        if !regular {
            return None;
        }
        self.lu.solve(&mut x);
        x.iter().all(|x| x.iter().all(|x| x.is_finite())).then_some(x)
    }
}

/// Impulses, and the velocities that they make.
pub(crate) fn put<const D: usize>(w: &Stored<D>, links: &mut [Link<D>], impulses: &[Vect<D>]) {
    for (a, link) in links.iter_mut().enumerate() {
        link.impulse = impulses[a];
        link.velocity = w.velocity(a, impulses);
    }
}

/// Σ‖Φ/ρ‖².
fn merit<const D: usize>(rho: &[f64], links: &[Link<D>]) -> f64 {
    links.iter().zip(rho).map(|(link, &rho)| function(link, rho).1.norm_squared()).sum()
}

/// R̃ and V with the case and Φ/ρ.
fn function<const D: usize>(link: &Link<D>, rho: f64) -> (Case, Vect<D>, [Vect<D>; 2]) {
    let velocity = link.velocity + link.form.bias;
    if rho == 0.0 {
        return (Case::Open, Vect::zeros(), [link.impulse, velocity]);
    }
    if link.form.joint.bilateral {
        let held = velocity + link.form.joint.yielding(&link.impulse);
        return (Case::Stick, held, [link.impulse, held]);
    }
    let (share, velocity) = link.form.reduced(&link.impulse, &velocity);
    let (case, phi) = value(&share, &velocity, &Cone::Coulomb(link.form.friction), rho);
    let has_friction = link.form.friction > 0.0 || case == Case::Open;
    let (case, phi) = if has_friction { (case, phi) } else { (Case::Slip, closed(&share, &velocity, rho, false)) };
    (case, phi, [share, velocity])
}

/// Φ/ρ of a closed contact that sticks, or has no friction.
fn closed<const D: usize>(share: &Vect<D>, velocity: &Vect<D>, rho: f64, sticks: bool) -> Vect<D> {
    Vect::from_fn(|i, _| if i == 0 || sticks { velocity[i] } else { share[i] / rho })
}

/// A contact in a linearization: Φ/ρ, and A/ρ, (A B + A_U)/ρ and A_U/ρ.
struct State<const D: usize> {
    value: Vect<D>,
    of_impulse: Mat<D>,
    of_velocity: Mat<D>,
    of_share: Mat<D>,
}

impl<const D: usize> State<D> {
    /// At the impulse and velocity of the link.
    fn here(link: &Link<D>, rho: f64) -> Self {
        let (case, value, [share, velocity]) = function(link, rho);
        let slip = || slopes(&share, &velocity, &Cone::Coulomb(link.form.friction), rho);
        Self::of(link, rho, case, value, slip)
    }

    /// The same, but open or closed as the impulse alone says: Ũ = 0 makes R̃ = R − a. At the start the impulse is
    /// that of the step before and the velocity, for which stiff joints blow up the slightest difference, has nothing
    /// to do with it. What is closed and rubs is supposed to stick.
    fn by_impulse(link: &Link<D>, rho: f64) -> Self {
        let (case, value, [share, velocity]) = function(link, rho);
        if rho == 0.0 || link.form.joint.bilateral {
            return Self::of(link, rho, case, value, || (Mat::zeros(), Mat::identity()));
        }
        let sticks = link.form.friction > 0.0;
        if link.impulse[0] - link.form.joint.pull[0] <= 0.0 {
            return Self::of(link, rho, Case::Open, share / rho, || (Mat::zeros(), Mat::zeros()));
        }
        let case = if sticks { Case::Stick } else { Case::Slip };
        Self::of(link, rho, case, closed(&share, &velocity, rho, sticks), || (Mat::zeros(), Mat::zeros()))
    }

    fn of(link: &Link<D>, rho: f64, case: Case, value: Vect<D>, slip: impl Fn() -> (Mat<D>, Mat<D>)) -> Self {
        let (zero, one) = (Mat::<D>::zeros(), Mat::<D>::identity());
        if rho == 0.0 {
            return Self { value, of_impulse: one, of_velocity: zero, of_share: zero };
        }
        let (a_r, a_u) = match case {
            Case::Open => (one / rho, zero),
            Case::Stick => (zero, one),
            // A point that is exactly at rest has no direction of slip, and without friction needs none.
            Case::Slip if link.form.friction == 0.0 => {
                let normal = Mat::from_fn(|i, j| if i == 0 && j == 0 { 1.0 } else { 0.0 });
                ((one - normal) / rho, normal)
            }
            Case::Slip => slip(),
        };
        let Joint { bilateral, compliance, .. } = link.form.joint;
        let joint = if bilateral { Joint { compliance, ..Joint::none() } } else { link.form.joint };
        let mut of_impulse = a_r;
        for (j, mut column) in of_impulse.column_iter_mut().enumerate() {
            column.axpy(joint.compliance[usize::from(j > 0)], &a_u.column(j), 1.0);
        }
        let mut of_velocity = a_u;
        for (j, mut column) in of_velocity.column_iter_mut().enumerate() {
            column.axpy(joint.stiffness[usize::from(j > 0)], &of_impulse.column(j), 1.0);
        }
        Self { value, of_impulse, of_velocity, of_share: a_u }
    }
}
