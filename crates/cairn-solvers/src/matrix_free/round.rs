//! Spheres: arms along the normal, isotropic masses.
//!
//! With a₁ = −l₁ n, a₂ = +l₂ n everything is said with world vectors, without tangents:
//!
//!   Ũ = v₁ − v₂ + n × (l₁ω₁ + l₂ω₂) + bias,   W = w_n nnᵀ + w_t (I − nnᵀ),
//!   w_n = 1/m₁ + 1/m₂,   w_t = w_n + l₁²/I₁ + l₂²/I₂
//!
//!   R_N ← max(0, R_N − Ũ_N/w_n),   C = R_T − Ũ_T/w_t,   R_T ← C min(1, μR_N/‖C‖)
//!
//! A *piston* is a wall that moves along one axis and does not turn, pressed on by spheres along that axis: `PISTONS`, so that collections
//! without them pay nothing. It answers R_N alone: w_t lacks its 1/m, and of dR it takes n nᵀ dR + τ (I − nnᵀ) dR with τ = 0; the others
//! have τ = 1.
//!
//! Body: v (3), 1/m, ω (3), 1/I: one cache line. Point: n (3), l₁, l₂, bias (3), μ, 1/w_n, 1/w_t, R (3), last R (3)
//! [, a moment, see `turning.rs`, where contacts resist rolling] [, τ₁, τ₂ where there are pistons].

use super::batch::Prepared;
use super::layout::{Layout, MAX_POINT, Pulse, Start, field, fields, store_fields};
use super::simd::{Lane, cross, difference, dot, scaled, sum};
use super::turning;
use crate::local::LEAST_RESPONSE;
use crate::problem::{Link, Mass, Mat, Vect};

pub(super) struct Round<const ROLLING: bool, const PISTONS: bool>;

/// Where the fields of a point are: n, l₁ and l₂, bias, μ, 1/w_n and 1/w_t, R twice; those of a moment.
const NORMAL: usize = 0;
const ARMS: usize = 3;
const BIAS: usize = 5;
const FRICTION: usize = 8;
const INVERSES: usize = 9;
const IMPULSE: usize = 11;
const TURN: usize = 17;

/// One body per lane.
struct Ball<V> {
    velocity: [V; 3],
    inverse_mass: V,
    spin: [V; 3],
    mobility: V,
}

impl<V: Lane> Ball<V> {
    #[inline(always)]
    unsafe fn load(rows: [*mut f64; 4]) -> Self {
        // SAFETY: the caller's, in all of this function.
        let [x, y, z, inverse_mass] = unsafe { V::gather(rows, 0) };
        // SAFETY: as above.
        let [a, b, c, mobility] = unsafe { V::gather(rows, 4) };
        Self { velocity: [x, y, z], inverse_mass, spin: [a, b, c], mobility }
    }

    #[inline(always)]
    unsafe fn store(&self, rows: [*mut f64; 4]) {
        let ([x, y, z], [a, b, c]) = (self.velocity, self.spin);
        // SAFETY: the caller's, in all of this function.
        unsafe {
            V::scatter([x, y, z, self.inverse_mass], rows, 0);
            V::scatter([a, b, c, self.mobility], rows, 4);
        }
    }
}

impl<const ROLLING: bool, const PISTONS: bool> Round<ROLLING, PISTONS> {
    /// First field of τ.
    const TAKEN: usize = if ROLLING { TURN + turning::FIELDS } else { TURN };
}

impl<const ROLLING: bool, const PISTONS: bool> Layout for Round<ROLLING, PISTONS> {
    const BODY: usize = 8;
    const SPIN: usize = 4;
    const POINT: usize = if PISTONS { Self::TAKEN + 2 } else { Self::TAKEN };
    const IMPULSE: usize = IMPULSE;
    const ROLLING: bool = ROLLING;
    type Pair<V: Lane> = RoundPair<V>;

    #[inline(always)]
    unsafe fn load<V: Lane>(rows: [[*mut f64; 4]; 2]) -> RoundPair<V> {
        // SAFETY: the caller's, in all of this function.
        unsafe { RoundPair(Ball::load(rows[0]), Ball::load(rows[1])) }
    }

    #[inline(always)]
    unsafe fn store<V: Lane>(pair: &RoundPair<V>, rows: [[*mut f64; 4]; 2]) {
        // SAFETY: the caller's, in all of this function.
        unsafe {
            pair.0.store(rows[0]);
            pair.1.store(rows[1]);
        }
    }

    #[inline(always)]
    unsafe fn velocity<V: Lane>(pair: &RoundPair<V>, point: *const f64) -> [V; 3] {
        let RoundPair(a, b) = pair;
        // SAFETY: the caller's, in all of this function.
        unsafe {
            let (normal, [l1, l2]) = (fields(point, NORMAL), fields(point, ARMS));
            let spin = sum(scaled(l1, a.spin), scaled(l2, b.spin));
            sum(sum(difference(a.velocity, b.velocity), cross(normal, spin)), fields(point, BIAS))
        }
    }

    #[inline(always)]
    unsafe fn relax<V: Lane>(pair: &mut RoundPair<V>, point: *mut f64, start: Start<V>, pulse: &mut Pulse<V>) {
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        // SAFETY: the caller's, in all of this function.
        let r = unsafe { start.of(point, Self::IMPULSE) };
        // SAFETY: as above.
        let n: [V; 3] = unsafe { fields(point, NORMAL) };
        // SAFETY: as above.
        let ([l1, l2], friction): ([V; 2], V) = unsafe { (fields(point, ARMS), field(point, FRICTION)) };
        // SAFETY: as above.
        let [inverse_wn, inverse_wt]: [V; 2] = unsafe { fields(point, INVERSES) };
        // SAFETY: as above.
        let u = unsafe { Self::velocity(pair, point) };

        // Normal and tangential candidates.
        let (u_n, r_n) = (dot(n, u), dot(n, r));
        let new_n = (r_n - u_n * inverse_wn).max(zero);
        let c = difference(difference(r, scaled(inverse_wt, u)), scaled(r_n - u_n * inverse_wt, n));
        let (c_squared, limit) = (dot(c, c), friction * new_n);
        let slips = c_squared.greater(limit * limit);
        let scale = limit / V::select(slips, c_squared, one).sqrt();
        let scale = V::select(slips, scale, one);
        let new = sum(scaled(scale, c), scaled(new_n, n));

        // Both bodies feel the change.
        let d = difference(new, r);
        let turn = cross(n, d);
        let RoundPair(a, b) = pair;
        let (spin_a, spin_b) = (a.mobility * l1, b.mobility * l2);
        let (mut push_a, mut push_b) = (d, d);
        let mut trace = a.inverse_mass + b.inverse_mass;
        if PISTONS {
            // SAFETY: as above.
            let [taken_a, taken_b]: [V; 2] = unsafe { fields(point, Self::TAKEN) };
            let along = scaled(new_n - r_n, n);
            let across = difference(d, along);
            push_a = sum(along, scaled(taken_a, across));
            push_b = sum(along, scaled(taken_b, across));
            let (third, two_thirds) = (V::splat(1.0 / 3.0), V::splat(2.0 / 3.0));
            trace = a.inverse_mass * (third + two_thirds * taken_a) + b.inverse_mass * (third + two_thirds * taken_b);
        }
        a.velocity = sum(a.velocity, scaled(a.inverse_mass, push_a));
        b.velocity = difference(b.velocity, scaled(b.inverse_mass, push_b));
        a.spin = difference(a.spin, scaled(spin_a, turn));
        b.spin = difference(b.spin, scaled(spin_b, turn));
        // SAFETY: as above.
        unsafe { store_fields(new, point, Self::IMPULSE) };

        // 1/ρ = tr W/3 = w_n + (2/3)(l₁²/I₁ + l₂²/I₂), less (2/3)/m of a piston
        let turning = spin_a * l1 + spin_b * l2;
        let inverse_rho = trace + V::splat(2.0 / 3.0) * turning;
        pulse.note(dot(d, d), dot(new, new), inverse_rho);
        if ROLLING {
            let turn = point.wrapping_add(TURN * V::WIDTH);
            // SAFETY: as above.
            let (d, work) = unsafe { turning::relax(turn, n, difference(a.spin, b.spin), new_n, start) };
            a.spin = sum(a.spin, scaled(a.mobility, d));
            b.spin = difference(b.spin, scaled(b.mobility, d));
            pulse.note_moment(work * inverse_rho);
        }
    }

    #[inline(always)]
    unsafe fn turning<V: Lane>(RoundPair(a, b): &RoundPair<V>, point: *const f64) -> [[V; 3]; 2] {
        let turn = point.wrapping_add(TURN * V::WIDTH);
        // SAFETY: the caller's, in all of this function.
        unsafe { [turning::spin(turn, difference(a.spin, b.spin)), turning::moment(turn)] }
    }

    fn response<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> Mat<D> {
        let (mut along, mut across) = (0.0, 0.0);
        for (_, mass, arm) in link.sides() {
            let mass = &masses[mass as usize];
            let push = mass.inverse_mass.max();
            let taken = if PISTONS { taken(mass) } else { 1.0 };
            along += push;
            across += taken * push + mass.spin_mobility[(0, 0)] * arm.norm_squared();
        }
        Mat::from_fn(|i, j| match (i, j) {
            (0, 0) => along,
            _ if i == j => across,
            _ => 0.0,
        })
    }

    fn write_body<const D: usize>(mass: &Mass<D>, row: &mut [f64]) {
        for i in 0..3 {
            row[i] = mass.velocity[i];
            row[4 + i] = mass.spin[i];
        }
        row[3] = mass.inverse_mass.max();
        row[7] = mass.spin_mobility[(0, 0)];
    }

    fn write_point<const D: usize>(
        link: &Link<D>,
        Prepared { arms, bias, w, turn, taken }: &Prepared<D>,
        fields: &mut [f64; MAX_POINT],
    ) {
        let normal = link.frame.column(0);
        let (world_bias, world_impulse) = (link.frame * bias, link.frame * link.impulse);
        for i in 0..3 {
            fields[NORMAL + i] = normal[i];
            fields[BIAS + i] = world_bias[i];
            fields[Self::IMPULSE + i] = world_impulse[i];
            fields[Self::IMPULSE + 3 + i] = world_impulse[i];
        }
        fields[ARMS] = -arms[0].dot(&normal);
        fields[ARMS + 1] = arms[1].dot(&normal);
        fields[FRICTION] = link.form.friction;
        fields[INVERSES] = 1.0 / w[(0, 0)];
        // A piston on the ground cannot be moved across: its friction is that of a contact which answers hardly at all.
        fields[INVERSES + 1] = 1.0 / w[(1, 1)].max(LEAST_RESPONSE * w[(0, 0)]);
        if ROLLING {
            turn.write(TURN, fields);
        }
        if PISTONS {
            fields[Self::TAKEN..Self::TAKEN + 2].copy_from_slice(taken);
        }
    }

    fn inert(fields: &mut [f64; MAX_POINT]) {
        *fields = [0.0; MAX_POINT];
    }

    fn in_frame<const D: usize>(link: &Link<D>, x: [f64; 3]) -> Vect<D> {
        link.frame.tr_mul(&Vect::from_fn(|i, _| x[i]))
    }
}

/// Candidate and antagonist.
pub(super) struct RoundPair<V>(Ball<V>, Ball<V>);

/// How far an arm may be off the normal, relative to its length.
const STRAIGHT: f64 = 1e-12;

/// True if the mass answers the same way in all directions.
pub(super) fn is_isotropic<const D: usize>(mass: &Mass<D>) -> bool {
    let (m, j) = (&mass.inverse_mass, &mass.spin_mobility);
    m.iter().all(|&x| x == m[0]) && (0..3).all(|a| (0..3).all(|b| j[(a, b)] == if a == b { j[(0, 0)] } else { 0.0 }))
}

/// True if the mass moves along one axis, and neither turns nor can be turned.
pub(super) fn is_piston<const D: usize>(mass: &Mass<D>) -> bool {
    mass.inverse_mass.iter().filter(|&&x| x > 0.0).count() == 1 && does_not_turn(mass)
}

/// True if the mass neither turns nor can be turned.
fn does_not_turn<const D: usize>(mass: &Mass<D>) -> bool {
    mass.spin.iter().chain(mass.spin_mobility.iter()).all(|&x| x == 0.0)
}

/// τ of a mass that is isotropic or a piston.
pub(super) fn taken<const D: usize>(mass: &Mass<D>) -> f64 {
    f64::from(u8::from(
        mass.inverse_mass[0] == mass.inverse_mass[D - 1] && mass.inverse_mass[0] == mass.inverse_mass[1],
    ))
}

/// Does a link act on this side of it, a mass that is isotropic or a piston, as on a sphere or on a piston?
pub(super) fn fits<const D: usize>(link: &Link<D>, mass: &Mass<D>, arm: &Vect<D>) -> bool {
    let normal = link.frame.column(0);
    let along_axis = || (0..D).all(|i| mass.inverse_mass[i] > 0.0 || normal[i] == 0.0);
    if taken(mass) == 1.0 { is_straight(link, arm) || does_not_turn(mass) } else { along_axis() }
}

/// True if the arm lies along the link's normal.
fn is_straight<const D: usize>(link: &Link<D>, arm: &Vect<D>) -> bool {
    let normal = link.frame.column(0);
    let off = arm - normal * normal.dot(arm);
    off.norm_squared() <= STRAIGHT * STRAIGHT * arm.norm_squared()
}
