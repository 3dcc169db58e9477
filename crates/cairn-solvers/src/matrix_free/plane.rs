//! Rigid bodies in the plane.
//!
//! With the moments c_n = a × n, c_t = a × t of unit impulses at the contact point:
//!
//!   Ũ_N = n·(v₁ − v₂) + c₁ₙω₁ − c₂ₙω₂ + bias_N,   and the same with t.
//!
//! Relaxation by the exact solution of [`crate::local::plane`], with F = R − W⁻¹Ũ for the sticking impulse:
//! k = W_NT/W_NN, S = W_TT − W_NT k, p = F_N + k F_T.
//!
//! Where there are joints (see [`crate::joint`]; `JOINTED`, so that collections without them pay nothing) the same is done
//! with W̃ + C, R̃ = R − a + BŨ and Ũ + C R̃, and R changes by dR̃ − B W̃ dR̃.
//!
//! Where contacts resist rolling (see [`crate::rolling`]; `ROLLING`, for the same reason), with Ω = ω₁ − ω₂ + bias and the R_N just
//! found, M ← M − Ω/λ within ±ℓR_N.
//!
//! Body: v (2), ω, –, 1/m (2), 1/I, –: one cache line. Point: n (2), c₁ₙ, c₁ₜ, c₂ₙ, c₂ₜ, bias (2), k, 1/S, 1/W_NN, μ, 1/ρ,
//! [joint: a (2), B (2), C (2), W̃ (NN NT TT), bilateral,] [rolling: ℓ, 1/λ, bias,] R (2), M or –, last R (2), last M or –. t is n turned by +90°.

use super::batch::Prepared;
use super::layout::{Layout, MAX_POINT, Pulse, Start, field, fields};
use super::simd::Lane;
use super::turning::within;
use crate::local::Schur;
use crate::problem::{Link, Mass, Vect};

pub(super) struct Plane<const JOINTED: bool, const ROLLING: bool>;

/// One body per lane: v, ω and how they respond.
struct Body<V> {
    motion: [V; 4],
    response: [V; 4],
}

impl<V: Lane> Body<V> {
    #[inline(always)]
    unsafe fn load(rows: [*mut f64; 4]) -> Self {
        // SAFETY: the caller's, in all of this function.
        unsafe { Self { motion: V::gather(rows, 0), response: V::gather(rows, 4) } }
    }
}

/// Candidate and antagonist.
pub(super) struct PlanePair<V>([Body<V>; 2]);

/// +1 if the link's t is n turned by +90°, −1 if by −90°.
fn handedness<const D: usize>(link: &Link<D>) -> f64 {
    let f = &link.frame;
    (f[(0, 0)] * f[(1, 1)] - f[(1, 0)] * f[(0, 1)]).signum()
}

/// Where the fields of a point are: n; c₁ₙ, c₁ₜ, c₂ₙ, c₂ₜ; bias; k, 1/S, 1/W_NN, μ, 1/ρ; a joint; what follows it.
const NORMAL: usize = 0;
const LEVERS: usize = 2;
const BIAS: usize = 6;
const LOCAL: usize = 8;
const JOINT: usize = 13;
const AFTER_JOINT: usize = JOINT + 10;

/// Least 1 + σμk: it is positive wherever it is used, except for rounding.
const LEAST_SLOPE: f64 = 1e-12;

impl<const JOINTED: bool, const ROLLING: bool> Plane<JOINTED, ROLLING> {
    /// First field of rolling.
    const TURN: usize = if JOINTED { AFTER_JOINT } else { JOINT };
}

impl<const JOINTED: bool, const ROLLING: bool> Layout for Plane<JOINTED, ROLLING> {
    const BODY: usize = 8;
    const SPIN: usize = 2;
    const POINT: usize = Self::IMPULSE + 6;
    const IMPULSE: usize = if ROLLING { Self::TURN + 3 } else { Self::TURN };
    const ROLLING: bool = ROLLING;
    type Pair<V: Lane> = PlanePair<V>;

    #[inline(always)]
    unsafe fn load<V: Lane>(rows: [[*mut f64; 4]; 2]) -> PlanePair<V> {
        // SAFETY: the caller's, in all of this function.
        unsafe { PlanePair([Body::load(rows[0]), Body::load(rows[1])]) }
    }

    #[inline(always)]
    unsafe fn store<V: Lane>(pair: &PlanePair<V>, rows: [[*mut f64; 4]; 2]) {
        // SAFETY: the caller's, in all of this function.
        unsafe {
            V::scatter(pair.0[0].motion, rows[0], 0);
            V::scatter(pair.0[1].motion, rows[1], 0);
        }
    }

    #[inline(always)]
    unsafe fn velocity<V: Lane>(pair: &PlanePair<V>, point: *const f64) -> [V; 3] {
        // SAFETY: the caller's, in all of this function.
        let ([n_x, n_y], [bias_n, bias_t]): ([V; 2], [V; 2]) = unsafe { (fields(point, NORMAL), fields(point, BIAS)) };
        // SAFETY: as above.
        let [lever_an, lever_at, lever_bn, lever_bt]: [V; 4] = unsafe { fields(point, LEVERS) };
        let [a, b] = [&pair.0[0].motion, &pair.0[1].motion];
        let (x, y) = (a[0] - b[0], a[1] - b[1]);
        let u_n = n_x * x + n_y * y + lever_an * a[2] - lever_bn * b[2] + bias_n;
        let u_t = n_x * y - n_y * x + lever_at * a[2] - lever_bt * b[2] + bias_t;
        [u_n, u_t, V::splat(0.0)]
    }

    #[inline(always)]
    unsafe fn relax<V: Lane>(pair: &mut PlanePair<V>, point: *mut f64, start: Start<V>, pulse: &mut Pulse<V>) {
        // SAFETY: the caller's, in all of this function.
        let r = unsafe { start.of(point, Self::IMPULSE) };
        // SAFETY: as above.
        let [n_x, n_y]: [V; 2] = unsafe { fields(point, NORMAL) };
        // SAFETY: as above.
        let [lever_an, lever_at, lever_bn, lever_bt]: [V; 4] = unsafe { fields(point, LEVERS) };
        // SAFETY: as above.
        let [k, inverse_s, inverse_w, friction, inverse_rho]: [V; 5] = unsafe { fields(point, LOCAL) };
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        // SAFETY: as above.
        let [mut u_n, mut u_t, _] = unsafe { Self::velocity(pair, point) };
        let [mut r_n, mut r_t, _] = r;
        // SAFETY: as above.
        let joint: [V; AFTER_JOINT - JOINT] = if JOINTED { unsafe { fields(point, JOINT) } } else { [zero; 10] };
        let [a_n, a_t, b_n, b_t, c_n, c_t, w_nn, w_nt, w_tt, bilateral] = joint;
        if JOINTED {
            // R̃ takes the place of R.
            r_n = r_n - a_n + b_n * u_n;
            r_t = r_t - a_t + b_t * u_t;
            u_n = u_n + c_n * r_n;
            u_t = u_t + c_t * r_t;
        }

        // The sticking impulse, and the way along the cone if it is outside.
        let x_t = (u_t - k * u_n) * inverse_s;
        let (stick_n, stick_t) = (r_n - (u_n * inverse_w - k * x_t), r_t - x_t);
        let p = stick_n + k * stick_t;
        let sign = V::select(stick_t.greater(zero), one, V::splat(-1.0));
        let side = sign * friction;
        let slip_n = p / (one + side * k).max(V::splat(LEAST_SLOPE));
        let mut outside = (sign * stick_t).greater(friction * stick_n);
        let mut closed = p.greater(zero);
        if JOINTED {
            let free = V::not(bilateral.greater(zero));
            (outside, closed) = (V::and(outside, free), V::not(V::and(V::not(closed), free)));
        }
        let new_n = V::select(closed, V::select(outside, slip_n, stick_n), zero);
        let new_t = V::select(closed, V::select(outside, side * slip_n, stick_t), zero);
        let pressing = new_n.max(zero);

        // Both bodies feel the change.
        let (mut d_n, mut d_t) = (new_n - r_n, new_t - r_t);
        let (mut new_n, mut new_t) = (new_n, new_t);
        if JOINTED {
            let (x_n, x_t) = (w_nn * d_n + w_nt * d_t, w_nt * d_n + w_tt * d_t);
            (d_n, d_t) = (d_n - b_n * x_n, d_t - b_t * x_t);
            (new_n, new_t) = (r[0] + d_n, r[1] + d_t);
        }
        let (d_x, d_y) = (n_x * d_n - n_y * d_t, n_y * d_n + n_x * d_t);
        let [a, b] = &mut pair.0;
        a.motion[0] = a.motion[0] + a.response[0] * d_x;
        a.motion[1] = a.motion[1] + a.response[1] * d_y;
        a.motion[2] = a.motion[2] + a.response[2] * (lever_an * d_n + lever_at * d_t);
        b.motion[0] = b.motion[0] - b.response[0] * d_x;
        b.motion[1] = b.motion[1] - b.response[1] * d_y;
        b.motion[2] = b.motion[2] - b.response[2] * (lever_bn * d_n + lever_bt * d_t);
        // SAFETY: as above.
        unsafe {
            new_n.store(point.add(Self::IMPULSE * V::WIDTH));
            new_t.store(point.add((Self::IMPULSE + 1) * V::WIDTH));
        }
        pulse.note(d_n * d_n + d_t * d_t, new_n * new_n + new_t * new_t, inverse_rho);
        if ROLLING {
            // SAFETY: as above.
            let [arm, inverse, bias]: [V; 3] = unsafe { fields(point, Self::TURN) };
            let moment = within(r[2] - (a.motion[2] - b.motion[2] + bias) * inverse, arm * pressing);
            let d = moment - r[2];
            a.motion[2] = a.motion[2] + a.response[2] * d;
            b.motion[2] = b.motion[2] - b.response[2] * d;
            // SAFETY: as above.
            unsafe { moment.store(point.add((Self::IMPULSE + 2) * V::WIDTH)) };
            pulse.note_moment(d * d * (a.response[2] + b.response[2]) * inverse_rho);
        }
    }

    #[inline(always)]
    unsafe fn turning<V: Lane>(pair: &PlanePair<V>, point: *const f64) -> [[V; 3]; 2] {
        let zero = V::splat(0.0);
        // SAFETY: the caller's, in all of this function.
        let bias: V = unsafe { field(point, Self::TURN + 2) };
        let spin = pair.0[0].motion[2] - pair.0[1].motion[2] + bias;
        // SAFETY: as above.
        [[zero, zero, spin], [zero, zero, unsafe { field(point, Self::IMPULSE + 2) }]]
    }

    fn write_body<const D: usize>(mass: &Mass<D>, row: &mut [f64]) {
        let (v, m) = (&mass.velocity, &mass.inverse_mass);
        row.copy_from_slice(&[v[0], v[1], mass.spin[2], 0.0, m[0], m[1], mass.spin_mobility[(2, 2)], 0.0]);
    }

    fn write_point<const D: usize>(
        link: &Link<D>,
        Prepared { arms, bias, w, turn, .. }: &Prepared<D>,
        fields: &mut [f64; MAX_POINT],
    ) {
        let hand = handedness(link);
        let joint = &link.form.joint;
        let block = if JOINTED { joint.block(w) } else { *w };
        let schur = Schur::regular(&block);
        let (x, y) = (link.frame[(0, 0)], link.frame[(1, 0)]);
        (fields[NORMAL], fields[NORMAL + 1]) = (x, y);
        for (side, arm) in arms.iter().enumerate() {
            fields[LEVERS + 2 * side] = arm[0] * y - arm[1] * x;
            fields[LEVERS + 1 + 2 * side] = arm[0] * x + arm[1] * y;
        }
        (fields[BIAS], fields[BIAS + 1]) = (bias[0], hand * bias[1]);
        let (k, inverse_s, inverse_w) = (hand * schur.lean[1], 1.0 / schur.tangent[(1, 1)], 1.0 / schur.normal);
        let local = [k, inverse_s, inverse_w, link.form.friction, 0.5 * block.trace()];
        fields[LOCAL..JOINT].copy_from_slice(&local);
        if JOINTED {
            let eased = joint.eased(w);
            fields[JOINT..AFTER_JOINT].copy_from_slice(&[
                joint.pull[0],
                hand * joint.pull[1],
                joint.stiffness[0],
                joint.stiffness[1],
                joint.compliance[0],
                joint.compliance[1],
                eased[(0, 0)],
                hand * eased[(0, 1)],
                eased[(1, 1)],
                f64::from(u8::from(joint.bilateral)),
            ]);
        }
        if ROLLING {
            fields[Self::TURN..][..3].copy_from_slice(&[turn.arms[0], turn.inverses[0], turn.bias[2]]);
        }
        let at = Self::IMPULSE;
        (fields[at], fields[at + 1], fields[at + 2]) = (link.impulse[0], hand * link.impulse[1], turn.moment[2]);
        fields.copy_within(at..at + 3, at + 3);
    }

    fn inert(fields: &mut [f64; MAX_POINT]) {
        *fields = [0.0; MAX_POINT];
    }

    fn in_frame<const D: usize>(link: &Link<D>, x: [f64; 3]) -> Vect<D> {
        let hand = handedness(link);
        Vect::from_fn(|i, _| if i == 0 { x[0] } else { hand * x[1] })
    }
}
