//! Spheres: arms along the normal, isotropic masses.
//!
//! With a₁ = −l₁ n, a₂ = +l₂ n everything is said with world vectors, without tangents:
//!
//!   Ũ = v₁ − v₂ + n × (l₁ω₁ + l₂ω₂) + bias,   W = w_n nnᵀ + w_t (I − nnᵀ),
//!   w_n = 1/m₁ + 1/m₂,   w_t = w_n + l₁²/I₁ + l₂²/I₂
//!
//!   R_N ← max(0, R_N − Ũ_N/w_n),   C = R_T − Ũ_T/w_t,   R_T ← C min(1, μR_N/‖C‖)
//!
//! Body: v (3), 1/m, ω (3), 1/I: one cache line. Point: n (3), l₁, l₂, bias (3), μ, 1/w_n, 1/w_t, R (3), last R (3)
//! [, a moment, see `turning.rs`, where contacts resist rolling].

use super::batch::Prepared;
use super::layout::{Layout, MAX_POINT, Pulse, Start, field, fields, store_fields};
use super::simd::{Lane, cross, difference, dot, scaled, sum};
use super::turning;
use crate::problem::{Link, Mass, Mat, Vect};

pub(super) struct Round<const ROLLING: bool>;

/// First field of a moment.
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
        let [x, y, z, inverse_mass] = unsafe { V::gather(rows, 0) };
        let [a, b, c, mobility] = unsafe { V::gather(rows, 4) };
        Self { velocity: [x, y, z], inverse_mass, spin: [a, b, c], mobility }
    }

    #[inline(always)]
    unsafe fn store(&self, rows: [*mut f64; 4]) {
        let ([x, y, z], [a, b, c]) = (self.velocity, self.spin);
        unsafe {
            V::scatter([x, y, z, self.inverse_mass], rows, 0);
            V::scatter([a, b, c, self.mobility], rows, 4);
        }
    }
}

impl<const ROLLING: bool> Layout for Round<ROLLING> {
    const BODY: usize = 8;
    const SPIN: usize = 4;
    const POINT: usize = if ROLLING { TURN + turning::FIELDS } else { TURN };
    const IMPULSE: usize = 11;
    const ROLLING: bool = ROLLING;
    type Pair<V: Lane> = RoundPair<V>;

    #[inline(always)]
    unsafe fn load<V: Lane>(rows: [[*mut f64; 4]; 2]) -> RoundPair<V> {
        unsafe { RoundPair(Ball::load(rows[0]), Ball::load(rows[1])) }
    }

    #[inline(always)]
    unsafe fn store<V: Lane>(pair: &RoundPair<V>, rows: [[*mut f64; 4]; 2]) {
        unsafe {
            pair.0.store(rows[0]);
            pair.1.store(rows[1]);
        }
    }

    #[inline(always)]
    unsafe fn velocity<V: Lane>(pair: &RoundPair<V>, point: *const f64) -> [V; 3] {
        let RoundPair(a, b) = pair;
        unsafe {
            let normal = fields(point, 0);
            let spin = sum(scaled(field(point, 3), a.spin), scaled(field(point, 4), b.spin));
            sum(sum(difference(a.velocity, b.velocity), cross(normal, spin)), fields(point, 5))
        }
    }

    #[inline(always)]
    unsafe fn relax<V: Lane>(pair: &mut RoundPair<V>, point: *mut f64, start: Start<V>, pulse: &mut Pulse<V>) {
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let r = unsafe { start.of(point, Self::IMPULSE) };
        let n: [V; 3] = unsafe { fields(point, 0) };
        let [l1, l2, friction]: [V; 3] = unsafe { [field(point, 3), field(point, 4), field(point, 8)] };
        let [inverse_wn, inverse_wt]: [V; 2] = unsafe { [field(point, 9), field(point, 10)] };
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
        a.velocity = sum(a.velocity, scaled(a.inverse_mass, d));
        b.velocity = difference(b.velocity, scaled(b.inverse_mass, d));
        a.spin = difference(a.spin, scaled(spin_a, turn));
        b.spin = difference(b.spin, scaled(spin_b, turn));
        unsafe { store_fields(new, point, Self::IMPULSE) };

        // 1/ρ = tr W/3 = w_n + (2/3)(l₁²/I₁ + l₂²/I₂)
        let turning = spin_a * l1 + spin_b * l2;
        let inverse_rho = a.inverse_mass + b.inverse_mass + V::splat(2.0 / 3.0) * turning;
        pulse.note(dot(d, d), dot(new, new), inverse_rho);
        if ROLLING {
            let turn = point.wrapping_add(TURN * V::WIDTH);
            let (d, work) = unsafe { turning::relax(turn, n, difference(a.spin, b.spin), new_n, start) };
            a.spin = sum(a.spin, scaled(a.mobility, d));
            b.spin = difference(b.spin, scaled(b.mobility, d));
            pulse.note_moment(work * inverse_rho);
        }
    }

    #[inline(always)]
    unsafe fn turning<V: Lane>(RoundPair(a, b): &RoundPair<V>, point: *const f64) -> [[V; 3]; 2] {
        let turn = point.wrapping_add(TURN * V::WIDTH);
        unsafe { [turning::spin(turn, difference(a.spin, b.spin)), turning::moment(turn)] }
    }

    fn response<const D: usize>(link: &Link<D>, masses: &[Mass<D>]) -> Mat<D> {
        let (mut push, mut turn) = (0.0, 0.0);
        for (_, mass, arm) in link.sides() {
            let mass = &masses[mass as usize];
            push += mass.inverse_mass[0];
            turn += mass.spin_mobility[(0, 0)] * arm.norm_squared();
        }
        Mat::from_fn(|i, j| if i != j { 0.0 } else { push + if i == 0 { 0.0 } else { turn } })
    }

    fn write_body<const D: usize>(mass: &Mass<D>, row: &mut [f64]) {
        for i in 0..3 {
            row[i] = mass.velocity[i];
            row[4 + i] = mass.spin[i];
        }
        row[3] = mass.inverse_mass[0];
        row[7] = mass.spin_mobility[(0, 0)];
    }

    fn write_point<const D: usize>(
        link: &Link<D>,
        Prepared { arms, bias, w, turn }: &Prepared<D>,
        fields: &mut [f64; MAX_POINT],
    ) {
        let normal = link.frame.column(0);
        let (world_bias, world_impulse) = (link.frame * bias, link.frame * link.impulse);
        for i in 0..3 {
            fields[i] = normal[i];
            fields[5 + i] = world_bias[i];
            fields[Self::IMPULSE + i] = world_impulse[i];
            fields[Self::IMPULSE + 3 + i] = world_impulse[i];
        }
        fields[3] = -arms[0].dot(&normal);
        fields[4] = arms[1].dot(&normal);
        fields[8] = link.form.friction;
        fields[9] = 1.0 / w[(0, 0)];
        fields[10] = 1.0 / w[(1, 1)];
        if ROLLING {
            turn.write(TURN, fields);
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

/// True if the arm lies along the link's normal.
pub(super) fn is_straight<const D: usize>(link: &Link<D>, arm: &Vect<D>) -> bool {
    let normal = link.frame.column(0);
    let off = arm - normal * normal.dot(arm);
    off.norm_squared() <= STRAIGHT * STRAIGHT * arm.norm_squared()
}
