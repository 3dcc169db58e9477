//! Rigid bodies in space.
//!
//!   Ũ = [n t s]ᵀ (v₁ + ω₁×a₁ − v₂ − ω₂×a₂) + bias,   s = n × t
//!
//! Relaxation by the solution of [`crate::local::solid`]. With k = W_TN/W_NN, S = W_TT − W_TN kᵀ and the sticking
//! impulse F = R − W⁻¹Ũ:   p = F_N + k·F_T (open if p ≤ 0),   b = S F_T.
//! Slip: λ starts at its present value −Ũ_T·R_T/‖R_T‖², so that a solution is a fixed point, and makes two Newton steps;
//! R is then put on the cone with Ũ_N = 0 exactly: R_N = p/(1 + μk·d), R_T = μR_N d.
//!
//! Where there are joints (see [`crate::joint`]; `JOINTED`, so that collections without them pay nothing) the same is done
//! with W̃ + C, R̃ = R − a + BŨ and Ũ + C R̃, and R changes by dR̃ − B W̃ dR̃.
//!
//! Body (two cache lines): v (3), ω (3), 1/m (3), I⁻¹ (xx yy zz xy xz yz), –.
//! Point: n (3), t (3), a₁ (3), a₂ (3), bias (3), k (2), S (11 12 22), W_NN, μ,
//! [joint: a (3), B (2), C (2), W̃ (NN NT NS TT TS SS), bilateral,] R (3), last R (3)
//! [, a moment, see `turning.rs`, where contacts resist rolling: `ROLLING`].

use super::batch::Prepared;
use super::layout::{Layout, MAX_POINT, Pulse, Start, field, fields, store_fields};
use super::simd::{Lane, cross, difference, dot, scaled, select, sum};
use super::turning;
use crate::local::Schur;
use crate::problem::{Link, Mass, Vect};

pub(super) struct Solid<const JOINTED: bool, const ROLLING: bool>;

/// One body per lane.
struct Body<V> {
    velocity: [V; 3],
    spin: [V; 3],
    inverse_mass: [V; 3],
    /// xx yy zz xy xz yz
    mobility: [V; 6],
}

impl<V: Lane> Body<V> {
    #[inline(always)]
    unsafe fn load(rows: [*mut f64; 4]) -> Self {
        // SAFETY: the caller's, in all of this function.
        let ([a, b, c, d], [e, f, g, h]) = unsafe { (V::gather(rows, 0), V::gather(rows, 4)) };
        // SAFETY: as above.
        let ([i, xx, yy, zz], [xy, xz, yz, _]) = unsafe { (V::gather(rows, 8), V::gather(rows, 12)) };
        Self { velocity: [a, b, c], spin: [d, e, f], inverse_mass: [g, h, i], mobility: [xx, yy, zz, xy, xz, yz] }
    }

    #[inline(always)]
    unsafe fn store(&self, rows: [*mut f64; 4]) {
        let ([a, b, c], [d, e, f], [g, h, _]) = (self.velocity, self.spin, self.inverse_mass);
        // SAFETY: the caller's, in all of this function.
        unsafe {
            V::scatter([a, b, c, d], rows, 0);
            V::scatter([e, f, g, h], rows, 4);
        }
    }

    #[inline(always)]
    fn turned(&self, [x, y, z]: [V; 3]) -> [V; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.mobility;
        [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
    }

    #[inline(always)]
    fn pushed(&self, [x, y, z]: [V; 3]) -> [V; 3] {
        [self.inverse_mass[0] * x, self.inverse_mass[1] * y, self.inverse_mass[2] * z]
    }
}

/// Candidate and antagonist.
pub(super) struct SolidPair<V>(Body<V>, Body<V>);

/// Where the fields of a point are: n, t, both arms, bias; what [`Solid::solved`] needs (k, S, W_NN, μ); a joint, and whether it is bilateral.
const NORMAL: usize = 0;
const TANGENT: usize = 3;
const ARMS: [usize; 2] = [6, 9];
const BIAS: usize = 12;
const LOCAL: usize = 15;
const JOINT: usize = 22;
const BILATERAL: usize = JOINT + 13;
/// Least 1 + μk·d: it is positive wherever it is used, except for rounding.
const LEAST_SLOPE: f64 = 1e-12;
/// Guards divisions by lengths that may be zero.
const TINY: f64 = 1e-300;
/// Largest λ relative to S.
const FASTEST: f64 = 1e12;

/// What slip needs to know.
struct Slip<V> {
    k: [V; 2],
    /// 11 12 22
    s: [V; 3],
    friction: V,
    p: V,
}

impl<V: Lane> Slip<V> {
    /// Direction d of friction; `stick` is F_T, `present` the present λ, used if positive.
    #[inline(always)]
    fn direction(&self, stick: [V; 2], present: V) -> [V; 2] {
        let (zero, one, tiny) = (V::splat(0.0), V::splat(1.0), V::splat(TINY));
        let ([k1, k2], [s11, s12, s22], friction) = (self.k, self.s, self.friction);
        let b = [s11 * stick[0] + s12 * stick[1], s12 * stick[0] + s22 * stick[1]];
        let inverse = one / (b[0] * b[0] + b[1] * b[1]).sqrt().max(tiny);
        let b = [b[0] * inverse, b[1] * inverse];
        let drive = friction * self.p * inverse;
        let size = V::splat(0.5) * (s11 + s22);
        let isotropic = (one + friction * (k1 * b[0] + k2 * b[1])) / drive.max(tiny) - size;
        let start = V::select(present.greater(zero), present, isotropic.max(zero));
        let fastest = V::splat(FASTEST) * size;
        let mut lambda = V::select(start.greater(fastest), fastest, start);
        for _ in 0..2 {
            let (a11, a22) = (s11 + lambda, s22 + lambda);
            let g = [a22 * b[0] - s12 * b[1], a11 * b[1] - s12 * b[0]];
            let inverse = one / (g[0] * g[0] + g[1] * g[1]).sqrt().max(tiny);
            let d = [g[0] * inverse, g[1] * inverse];
            let determinant = a11 * a22 - s12 * s12;
            // (S + λ)⁻¹d times the determinant; the determinant cancels in ψ/ψ'.
            let y = [a22 * d[0] - s12 * d[1], a11 * d[1] - s12 * d[0]];
            let along = d[0] * y[0] + d[1] * y[1];
            let pull = drive * determinant * inverse;
            let psi = pull - friction * (k1 * d[0] + k2 * d[1]) - one;
            let bend = k1 * (y[0] - d[0] * along) + k2 * (y[1] - d[1] * along);
            let slope = pull * along + friction * bend;
            let next = (lambda - psi * determinant / slope).max(zero);
            lambda = V::select(slope.greater(zero), next, lambda);
        }
        let g = [(s22 + lambda) * b[0] - s12 * b[1], (s11 + lambda) * b[1] - s12 * b[0]];
        let inverse = one / (g[0] * g[0] + g[1] * g[1]).sqrt().max(tiny);
        [g[0] * inverse, g[1] * inverse]
    }

    /// The slipping impulse.
    #[inline(always)]
    fn impulse(&self, stick: [V; 2], present: V) -> [V; 3] {
        let d = self.direction(stick, present);
        let slope = V::splat(1.0) + self.friction * (self.k[0] * d[0] + self.k[1] * d[1]);
        let r_n = self.p / slope.max(V::splat(LEAST_SLOPE));
        let r_t = self.friction * r_n;
        [r_n, r_t * d[0], r_t * d[1]]
    }
}

impl<const JOINTED: bool, const ROLLING: bool> Solid<JOINTED, ROLLING> {
    /// First field of a moment.
    const TURN: usize = Self::IMPULSE + 6;

    /// The new impulse of a point with velocity `u` and impulse `r`, both in its frame; and 1/ρ.
    #[inline(always)]
    unsafe fn solved<V: Lane>(point: *const f64, u: [V; 3], r: [V; 3]) -> ([V; 3], V) {
        let zero = V::splat(0.0);
        // SAFETY: the caller's, in all of this function.
        let [k1, k2, s11, s12, s22, w_nn, friction]: [V; 7] = unsafe { fields(point, LOCAL) };
        let (k, s) = ([k1, k2], [s11, s12, s22]);

        // F = R − W⁻¹Ũ with one division for 1/det S and 1/W_NN.
        let determinant = s[0] * s[2] - s[1] * s[1];
        let inverse = V::splat(1.0) / (determinant * w_nn);
        let (inverse_s, inverse_w) = (inverse * w_nn, inverse * determinant);
        let c = [u[1] - k[0] * u[0], u[2] - k[1] * u[0]];
        let x = [(s[2] * c[0] - s[1] * c[1]) * inverse_s, (s[0] * c[1] - s[1] * c[0]) * inverse_s];
        let stick = [r[0] - u[0] * inverse_w + (k[0] * x[0] + k[1] * x[1]), r[1] - x[0], r[2] - x[1]];

        let p = stick[0] + k[0] * stick[1] + k[1] * stick[2];
        let mut closed = p.greater(zero);
        let limit = friction * stick[0].max(zero);
        let outside = (stick[1] * stick[1] + stick[2] * stick[2]).greater(limit * limit);
        // Without friction the square of the limit cannot tell a negative F_N.
        let mut outside_or_pulled = V::and(closed, V::not(V::and(V::not(outside), V::not(zero.greater(stick[0])))));
        if JOINTED {
            // SAFETY: as above.
            let free = V::not(unsafe { field::<V>(point, BILATERAL) }.greater(zero));
            (outside_or_pulled, closed) = (V::and(outside_or_pulled, free), V::not(V::and(V::not(closed), free)));
        }
        let mut new = stick;
        if V::any(outside_or_pulled) {
            let present = zero - (u[1] * r[1] + u[2] * r[2]) / (r[1] * r[1] + r[2] * r[2]);
            let slip = Slip { k, s, friction, p }.impulse([stick[1], stick[2]], present);
            new = select(outside_or_pulled, slip, stick);
        }
        let trace = w_nn * (V::splat(1.0) + k[0] * k[0] + k[1] * k[1]) + s[0] + s[2];
        (select(closed, new, [zero; 3]), trace * V::splat(1.0 / 3.0))
    }

    /// Change of the impulse, the new impulse, its normal part that is the contact's own share, and 1/ρ.
    #[inline(always)]
    unsafe fn change<V: Lane>(point: *const f64, u: [V; 3], r: [V; 3]) -> ([V; 3], [V; 3], V, V) {
        if !JOINTED {
            // SAFETY: the caller's, in all of this function.
            let (new, inverse_rho) = unsafe { Self::solved(point, u, r) };
            return (difference(new, r), new, new[0], inverse_rho);
        }
        // SAFETY: as above.
        let pull: [V; 3] = unsafe { fields(point, JOINT) };
        // SAFETY: as above.
        let [b_n, b_t, c_n, c_t]: [V; 4] = unsafe { fields(point, JOINT + 3) };
        // SAFETY: as above.
        let [w_nn, w_nt, w_ns, w_tt, w_ts, w_ss]: [V; 6] = unsafe { fields(point, JOINT + 7) };
        let share = [r[0] - pull[0] + b_n * u[0], r[1] - pull[1] + b_t * u[1], r[2] - pull[2] + b_t * u[2]];
        let yielding = [u[0] + c_n * share[0], u[1] + c_t * share[1], u[2] + c_t * share[2]];
        // SAFETY: as above.
        let (new, inverse_rho) = unsafe { Self::solved(point, yielding, share) };
        let d = difference(new, share);
        let x = [
            w_nn * d[0] + w_nt * d[1] + w_ns * d[2],
            w_nt * d[0] + w_tt * d[1] + w_ts * d[2],
            w_ns * d[0] + w_ts * d[1] + w_ss * d[2],
        ];
        let d = [d[0] - b_n * x[0], d[1] - b_t * x[1], d[2] - b_t * x[2]];
        (d, sum(r, d), new[0], inverse_rho)
    }

    /// The frame n, t, s.
    #[inline(always)]
    unsafe fn frame<V: Lane>(point: *const f64) -> [[V; 3]; 3] {
        // SAFETY: the caller's, in all of this function.
        let (n, t) = unsafe { (fields(point, NORMAL), fields(point, TANGENT)) };
        [n, t, cross(n, t)]
    }
}

impl<const JOINTED: bool, const ROLLING: bool> Layout for Solid<JOINTED, ROLLING> {
    const BODY: usize = 16;
    const SPIN: usize = 3;
    const POINT: usize = if ROLLING { Self::TURN + turning::FIELDS } else { Self::TURN };
    const IMPULSE: usize = if JOINTED { BILATERAL + 1 } else { JOINT };
    const ROLLING: bool = ROLLING;
    type Pair<V: Lane> = SolidPair<V>;

    #[inline(always)]
    unsafe fn load<V: Lane>(rows: [[*mut f64; 4]; 2]) -> SolidPair<V> {
        // SAFETY: the caller's, in all of this function.
        unsafe { SolidPair(Body::load(rows[0]), Body::load(rows[1])) }
    }

    #[inline(always)]
    unsafe fn store<V: Lane>(pair: &SolidPair<V>, rows: [[*mut f64; 4]; 2]) {
        // SAFETY: the caller's, in all of this function.
        unsafe {
            pair.0.store(rows[0]);
            pair.1.store(rows[1]);
        }
    }

    #[inline(always)]
    unsafe fn velocity<V: Lane>(pair: &SolidPair<V>, point: *const f64) -> [V; 3] {
        let SolidPair(a, b) = pair;
        // SAFETY: the caller's, in all of this function.
        let (arm_a, arm_b) = unsafe { (fields(point, ARMS[0]), fields(point, ARMS[1])) };
        let at_a = sum(a.velocity, cross(a.spin, arm_a));
        let at_b = sum(b.velocity, cross(b.spin, arm_b));
        let u = difference(at_a, at_b);
        // SAFETY: as above.
        let [n, t, s] = unsafe { Self::frame(point) };
        // SAFETY: as above.
        sum([dot(n, u), dot(t, u), dot(s, u)], unsafe { fields(point, BIAS) })
    }

    #[inline(always)]
    unsafe fn relax<V: Lane>(pair: &mut SolidPair<V>, point: *mut f64, start: Start<V>, pulse: &mut Pulse<V>) {
        // SAFETY: the caller's, in all of this function.
        let r = unsafe { start.of(point, Self::IMPULSE) };
        // SAFETY: as above.
        let u = unsafe { Self::velocity(pair, point) };
        // SAFETY: as above.
        let (d, new, share, inverse_rho) = unsafe { Self::change(point, u, r) };

        // Both bodies feel the change.
        // SAFETY: as above.
        let [n, t, s]: [[V; 3]; 3] = unsafe { Self::frame(point) };
        let world = sum(sum(scaled(d[0], n), scaled(d[1], t)), scaled(d[2], s));
        // SAFETY: as above.
        let (arm_a, arm_b) = unsafe { (fields(point, ARMS[0]), fields(point, ARMS[1])) };
        let SolidPair(a, b) = pair;
        a.velocity = sum(a.velocity, a.pushed(world));
        a.spin = sum(a.spin, a.turned(cross(arm_a, world)));
        b.velocity = difference(b.velocity, b.pushed(world));
        b.spin = difference(b.spin, b.turned(cross(arm_b, world)));
        // SAFETY: as above.
        unsafe { store_fields(new, point, Self::IMPULSE) };
        pulse.note(dot(d, d), dot(new, new), inverse_rho);
        if ROLLING {
            let turn = point.wrapping_add(Self::TURN * V::WIDTH);
            let (relative, pressing) = (difference(a.spin, b.spin), share.max(V::splat(0.0)));
            // SAFETY: as above.
            let (d, work) = unsafe { turning::relax(turn, n, relative, pressing, start) };
            a.spin = sum(a.spin, a.turned(d));
            b.spin = difference(b.spin, b.turned(d));
            pulse.note_moment(work * inverse_rho);
        }
    }

    #[inline(always)]
    unsafe fn turning<V: Lane>(SolidPair(a, b): &SolidPair<V>, point: *const f64) -> [[V; 3]; 2] {
        let turn = point.wrapping_add(Self::TURN * V::WIDTH);
        // SAFETY: the caller's, in all of this function.
        unsafe { [turning::spin(turn, difference(a.spin, b.spin)), turning::moment(turn)] }
    }

    fn write_body<const D: usize>(mass: &Mass<D>, row: &mut [f64]) {
        for i in 0..3 {
            row[i] = mass.velocity[i];
            row[3 + i] = mass.spin[i];
            row[6 + i] = mass.inverse_mass[i];
            row[9 + i] = mass.spin_mobility[(i, i)];
        }
        row[12] = mass.spin_mobility[(0, 1)];
        row[13] = mass.spin_mobility[(0, 2)];
        row[14] = mass.spin_mobility[(1, 2)];
        row[15] = 0.0;
    }

    fn write_point<const D: usize>(
        link: &Link<D>,
        Prepared { arms, bias, w, turn, .. }: &Prepared<D>,
        fields: &mut [f64; MAX_POINT],
    ) {
        let hand = handedness(link);
        let joint = &link.form.joint;
        let schur = Schur::regular(&if JOINTED { joint.block(w) } else { *w });
        for i in 0..3 {
            fields[NORMAL + i] = link.frame[(i, 0)];
            fields[TANGENT + i] = link.frame[(i, 1)];
            fields[ARMS[0] + i] = arms[0][i];
            fields[ARMS[1] + i] = arms[1][i];
        }
        fields[BIAS..LOCAL].copy_from_slice(&[bias[0], bias[1], hand * bias[2]]);
        let (k, s) = ([schur.lean[1], hand * schur.lean[2]], &schur.tangent);
        let s = [s[(1, 1)], hand * s[(1, 2)], s[(2, 2)]];
        fields[LOCAL..JOINT].copy_from_slice(&local((k, s), schur.normal, link.form.friction));
        if JOINTED {
            let e = joint.eased(w);
            fields[JOINT..=BILATERAL].copy_from_slice(&[
                joint.pull[0],
                joint.pull[1],
                hand * joint.pull[2],
                joint.stiffness[0],
                joint.stiffness[1],
                joint.compliance[0],
                joint.compliance[1],
                e[(0, 0)],
                e[(0, 1)],
                hand * e[(0, 2)],
                e[(1, 1)],
                hand * e[(1, 2)],
                e[(2, 2)],
                f64::from(u8::from(joint.bilateral)),
            ]);
        }
        let at = Self::IMPULSE;
        (fields[at], fields[at + 1], fields[at + 2]) = (link.impulse[0], link.impulse[1], hand * link.impulse[2]);
        fields.copy_within(at..at + 3, at + 3);
        if ROLLING {
            turn.write(Self::TURN, fields);
        }
    }

    fn inert(fields: &mut [f64; MAX_POINT]) {
        *fields = [0.0; MAX_POINT];
        fields[LOCAL..JOINT].copy_from_slice(&local(([0.0; 2], [1.0, 0.0, 1.0]), 1.0, 0.0));
    }

    fn in_frame<const D: usize>(link: &Link<D>, x: [f64; 3]) -> Vect<D> {
        let hand = handedness(link);
        Vect::from_fn(|i, _| if i == 2 { hand * x[2] } else { x[i] })
    }
}

/// The fields from [`LOCAL`] on.
fn local(([k1, k2], [s11, s12, s22]): ([f64; 2], [f64; 3]), w_nn: f64, friction: f64) -> [f64; JOINT - LOCAL] {
    [k1, k2, s11, s12, s22, w_nn, friction]
}

/// +1 if the link's s is n × t, −1 if it is t × n.
fn handedness<const D: usize>(link: &Link<D>) -> f64 {
    let column = |j: usize| Vect::<3>::from_fn(|i, _| link.frame[(i, j)]);
    column(0).cross(&column(1)).dot(&column(2)).signum()
}
