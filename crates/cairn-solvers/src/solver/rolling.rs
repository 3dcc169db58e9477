//! Contacts in space that resist rolling: five components, n, t, s and two of a moment.
//!
//!   K = { r : ‖r_T‖ ≤ μ r_N, ‖r_R‖ ≤ μ_r r_N },   û = u + (μ‖u_T‖ + μ_r‖u_R‖) n,   K ∋ r ⟂ û ∈ K*
//!
//! u_R is the relative angular velocity, r_R the moment that resists it, μ_r a length. Sweeps, contact by contact; one contact by the
//! extragradient of the natural map, in units of length in which moments respond as forces do:
//!
//!   r̄ = proj(r − ρ û(r), K),   r ← proj(r − ρ û(r̄), K),   ρ as large as ρ‖û(r) − û(r̄)‖ ≤ 0.9 ‖r − r̄‖ allows.
//!
//! [Acary and Bourrier 2021; Khobotov 1987]

use super::unsolved;
use crate::condense::Singular;
use crate::delassus::{Delassus, Stored};
use crate::discrete::{Global, Problem, Rolling};
use crate::problem::{Mat, Vect};

/// n, t, s and two components of the moment.
pub(crate) type Five = Vect<5>;

/// μ and μ_r of a contact.
pub(crate) type Roughness = [f64; 2];

/// ‖v_T‖ and ‖v_R‖.
fn lengths(v: &Five) -> [f64; 2] {
    [v[1].hypot(v[2]), v[3].hypot(v[4])]
}

/// The point of K nearest to `s`: of the least (t − s_N)² + (‖s_T‖ − μt)₊² + (‖s_R‖ − μ_r t)₊² over t ≥ 0.
fn project(s: &Five, roughness: &Roughness) -> Five {
    let lengths = lengths(s);
    let outside = |t: f64, i: usize| lengths[i] > roughness[i] * t;
    // The terms that count at the least point are among these four choices; only the right one agrees with itself.
    let least = |active: [bool; 2]| {
        let of = |i: usize| if active[i] { [roughness[i] * lengths[i], roughness[i] * roughness[i]] } else { [0.0; 2] };
        let ([a, b], [c, d]) = (of(0), of(1));
        ((s[0] + a + c) / (1.0 + b + d)).max(0.0)
    };
    let choices = [[false, false], [true, false], [false, true], [true, true]];
    let agrees = |active: &[bool; 2]| [0, 1].iter().all(|&i| outside(least(*active), i) == active[i]);
    let t = least(choices.into_iter().find(agrees).unwrap_or([true, true]));
    let shrink = |i: usize| if outside(t, i) { roughness[i] * t / lengths[i] } else { 1.0 };
    let (tangential, rolling) = (shrink(0), shrink(1));
    Five::from_column_slice(&[t, s[1] * tangential, s[2] * tangential, s[3] * rolling, s[4] * rolling])
}

/// û of a velocity.
fn shifted(u: &Five, roughness: &Roughness) -> Five {
    let [sliding, turning] = lengths(u);
    let mut shifted = *u;
    shifted[0] += roughness[0] * sliding + roughness[1] * turning;
    shifted
}

/// The natural map r − proj(r − û, K).
pub(crate) fn natural_map(r: &Five, u: &Five, roughness: &Roughness) -> Five {
    r - project(&(r - shifted(u, roughness)), roughness)
}

/// A problem with rolling, condensed if it was global.
pub(crate) struct Local {
    /// W and q; the coefficients μ are in `roughness` too.
    pub problem: Problem<5>,
    /// μ and μ_r.
    pub roughness: Vec<Roughness>,
}

/// The problem as a global one, if it is.
pub(crate) fn global(given: &Rolling) -> Option<Global<5>> {
    let h = given.h.clone()?;
    let (m, f) = (given.matrix.clone(), given.free.clone());
    Some(Global { m, h, f, w: given.w.clone(), friction: given.friction.clone() })
}

/// The problem, condensed if it is global; nothing if its sizes do not fit together.
pub(crate) fn local(given: &Rolling) -> Result<Option<Local>, Singular> {
    let problem = match global(given) {
        Some(global) => Some(global.condense()?.0),
        None => Stored::from_csc(&given.matrix, &given.free).map(|w| Problem { w, friction: given.friction.clone() }),
    };
    let roughness: Vec<Roughness> = given.friction.iter().zip(&given.rolling_friction).map(|(&a, &b)| [a, b]).collect();
    Ok(problem.filter(|p| p.contacts() == roughness.len()).map(|problem| Local { problem, roughness }))
}

/// Steps of the extragradient for one contact at most.
const MOST_STEPS: usize = 500;

impl Local {
    /// Sweeps until (Σ‖r − proj(r − û)‖²)^½ is at most the tolerance times ‖q‖; impulses, and sweeps made.
    pub fn solve(&self, tolerance: f64, most: usize) -> (Vec<Five>, usize) {
        let w = &self.problem.w;
        let contacts: Vec<Contact> = (0..w.contacts()).map(|a| Contact::new(w.block(a), self.roughness[a])).collect();
        let mut r = vec![Five::zeros(); contacts.len()];
        let mut best = (f64::INFINITY, r.clone());
        let q = w.free().iter().map(|q| q.norm_squared()).sum::<f64>().sqrt();
        let mut sweeps = 0;
        loop {
            let square = |a: usize| natural_map(&r[a], &w.velocity(a, &r), &self.roughness[a]).norm_squared();
            let residual = (0..r.len()).map(square).sum::<f64>().sqrt();
            if residual < best.0 {
                best = (residual, r.clone());
            }
            if sweeps >= most || residual.is_nan() || !unsolved(best.0, tolerance * q) {
                return (best.1, sweeps);
            }
            for (a, contact) in contacts.iter().enumerate() {
                r[a] = contact.solve(&w.others(a, &r), &r[a]);
            }
            sweeps += 1;
        }
    }
}

/// One contact, in units in which moments respond as forces do.
struct Contact {
    /// Length by which moments are divided and angular velocities are multiplied [m].
    unit: f64,
    w: Mat<5>,
    roughness: Roughness,
    /// ρ to begin with.
    rho: f64,
}

impl Contact {
    fn new(w: &Mat<5>, [mu, rolling]: Roughness) -> Self {
        let (push, turn) = ((w[(0, 0)] + w[(1, 1)] + w[(2, 2)]) / 3.0, (w[(3, 3)] + w[(4, 4)]) / 2.0);
        let unit = if turn > 0.0 && push > 0.0 { (push / turn).sqrt() } else { 1.0 };
        let scale = |i: usize| if i < 3 { 1.0 } else { unit };
        let w = Mat::<5>::from_fn(|i, j| w[(i, j)] * scale(i) * scale(j));
        let trace = w.trace();
        Self { unit, w, roughness: [mu, rolling / unit], rho: if trace > 0.0 { 5.0 / trace } else { 0.0 } }
    }

    /// r for the velocity that the others give, from the impulse at present.
    fn solve(&self, others: &Five, present: &Five) -> Five {
        if self.rho == 0.0 {
            return Five::zeros();
        }
        let turned = |v: &Five, by: f64| Five::from_fn(|i, _| if i < 3 { v[i] } else { v[i] * by });
        let (q, mut r) = (turned(others, self.unit), turned(present, 1.0 / self.unit));
        let field = |r: &Five| shifted(&(self.w * r + q), &self.roughness);
        let mut rho = self.rho;
        for _ in 0..MOST_STEPS {
            let here = field(&r);
            let (mut ahead, mut there, mut ratio);
            loop {
                ahead = project(&(r - here * rho), &self.roughness);
                there = field(&ahead);
                let moved = (ahead - r).norm();
                ratio = if moved > 0.0 { rho * (there - here).norm() / moved } else { 0.0 };
                if ratio <= 0.9 {
                    break;
                }
                rho *= 0.7;
            }
            let next = project(&(r - there * rho), &self.roughness);
            let change = (next - r).norm();
            r = next;
            if change <= 1e-15 * r.norm() {
                break;
            }
            if ratio < 0.3 {
                rho *= 1.4;
            }
        }
        turned(&r, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// p = proj(s) iff p ∈ K, (s − p) ⟂ p and s − p is in the polar cone { y : y_N + μ‖y_T‖ + μ_r‖y_R‖ ≤ 0 }.
        #[test]
        fn projection_meets_its_optimality_conditions(s in prop::array::uniform5(-5.0..5.0f64), mu in 0.0..2.0f64, rolling in 0.0..2.0f64) {
            let (s, roughness) = (Five::from(s), [mu, rolling]);
            let p = project(&s, &roughness);
            let rest = s - p;
            let ([slide, turn], [slide_left, turn_left]) = (lengths(&p), lengths(&rest));
            prop_assert!(p[0] >= 0.0 && slide <= mu * p[0] + 1e-13 && turn <= rolling * p[0] + 1e-13, "{p}");
            prop_assert!(p.dot(&rest).abs() <= 1e-12, "{p} {rest}");
            prop_assert!(rest[0] + mu * slide_left + rolling * turn_left <= 1e-13, "{rest}");
        }
    }

    /// A ball on a plane, W of a ball of mass 1 and radius 1: what rolls slowly is stopped, what rolls fast is slowed by μ_r R_N.
    #[test]
    fn a_ball_is_stopped_or_slowed() {
        let inertia = 0.4;
        let mut w = Mat::<5>::identity() * (1.0 / inertia);
        w[(0, 0)] = 1.0;
        for (i, j, sign) in [(1, 4, 1.0), (2, 3, -1.0)] {
            w[(i, i)] = 1.0 + 1.0 / inertia;
            w[(i, j)] = sign / inertia;
            w[(j, i)] = sign / inertia;
        }
        for (spin, stops) in [(0.01, true), (3.0, false)] {
            // Rolling without sliding, and falling by 1.
            let q = Five::from_column_slice(&[-1.0, 0.0, 0.0, 0.0, spin]);
            let stored = Stored::from_blocks(vec![(0, 0, w)], vec![q]).unwrap();
            let local = Local { problem: Problem { w: stored, friction: vec![0.5] }, roughness: vec![[0.5, 0.1]] };
            let (r, _) = local.solve(1e-12, 1000);
            let u = w * r[0] + q;
            assert!((r[0][0] - 1.0).abs() < 1e-10 && u[1].abs() < 1e-10, "{} {u}", r[0]);
            if stops {
                assert!(u[4].abs() < 1e-10, "{u}");
            } else {
                assert!((r[0][4] + 0.1).abs() < 1e-10 && u[4] > 0.0, "{} {u}", r[0]);
            }
        }
    }
}
