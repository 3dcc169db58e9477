//! Interior point: a way through the middle of all cones to a solution, in some fifteen factorizations.
//!
//! With B = diag(1, μ, …) the impulse R = B y and de Saxcé's velocity z = B Ũ + s n, s = μ‖Ũ_T‖, lie in the same cone
//! L = {‖x_T‖ ≤ x_N}, and the laws read L ∋ y ⟂ z ∈ L, z = B (W B y + q) + s n. In the algebra of that cone,
//! x∘y = (x·y, x_N y_T + y_N x_T), the condition is y∘z = 0; the method follows y∘z = κ n to κ = 0. With the
//! scaling T of Nesterov and Todd, T y = T⁻¹ z = λ, its steps are
//!
//!   (B W B + T²) Δy = T d + e,   Δz = T d − T² Δy,   λ∘d = σκ n − λ∘λ − (T Δy_p)∘(T⁻¹ Δz_p)
//!
//! where e is what z lacks of its definition and p the step with σ = 0, which goes first and tells σ = (1 − its length)³ (Mehrotra).
//!
//! Where impulses are not unique this ends in the middle of all of them, with bodies pressed on each other for nothing. If wanted, W is
//! therefore W + ε/ρ and q is q − (ε/ρ) R̄: the solution nearest to R̄ is found, R̄ being the start, then what came out for the last s,
//! while ε falls. Who asks for help from afar leaves that away, and looks at the strength of what comes back.
//!
//! While s is held the problem is convex, and the number of steps hardly depends on it: more contacts than dofs, faces,
//! marginal equilibrium do not slow it down, where sweeps and Newton's active sets get lost. s = 0 comes first: if anything
//! can stand still, this is found at once. Then s is taken from what came out, again and again (Cadoux's fixed point): where
//! much slides that may take long, and Newton does it better. A good start is of no use to this method. [ACLM11]

use super::block_lu::{BlockLu, Symbolic};
use super::measure::Gauge;
use super::{Progress, unsolved};
use crate::cone::{project, tangential_norm};
use crate::delassus::Delassus;
use crate::discrete::Problem;
use crate::nlgs::rho;
use crate::problem::{Mat, Vect};
use crate::report::Settings;
use crate::watch::Watched;

/// Share of the way to the boundary of the cones that a step goes.
const SHARE: f64 = 0.99;
/// Steps in a row that hardly make the residual smaller after which it is taken for the end.
const STALLED: usize = 4;
/// Values of s in a row without a better answer after which it gives up on a stored W.
const FUTILE: usize = 3;
/// First ε in units of the tolerance, within its limits, and its fall with each s. A residual of a tenth of the tolerance then tells what
/// presses for nothing to a hundredth of what is needed.
const NEARNESS: f64 = 10.0;
const LEAST_NEARNESS: f64 = 1e-10;
const MOST_NEARNESS: f64 = 1e-3;
const FALL: f64 = 0.1;
/// What hardly better means.
const BETTER: f64 = 0.9;

/// When to stop.
pub(crate) struct Limits<'a> {
    /// Steps at most, the residual to reach, who waits.
    pub settings: &'a Settings<'a>,
    /// Values of s in a row without a better answer.
    pub futile: usize,
    /// Is the solution nearest to the start wanted?
    pub near: bool,
}

/// A problem whose matrix W this method can add to.
pub(crate) trait System<const D: usize> {
    /// Ũ = W R + q.
    fn velocities(&self, r: &[Vect<D>]) -> Vec<Vect<D>>;
    /// Factorizes B W B + Θ, B = diag(1, μ, …) and Θ a block for each contact; false if it cannot be done.
    fn factorize(&mut self, friction: &[f64], theta: &[Mat<D>]) -> bool;
    /// x ← (B W B + Θ)⁻¹ x.
    fn solve(&self, friction: &[f64], x: &mut [Vect<D>]);
}

/// The method on a stored W: steps until the residual is small enough; leaves the best iterate in `r`, `near` the start if wanted.
pub(super) fn run<const D: usize>(
    problem: &Problem<D>,
    gauge: &Gauge,
    r: &mut Vec<Vect<D>>,
    settings: &Settings,
    near: bool,
) -> Progress {
    let contacts = problem.contacts();
    // Bounds that share a normal impulse are no cone of this algebra.
    let symbolic = if problem.arms.is_empty() { Symbolic::of_problem(problem) } else { None };
    let Some(symbolic) = symbolic else {
        return Progress { iterations: 0, residual: gauge.of(problem, r) };
    };
    let rho: Vec<f64> = (0..contacts).map(|a| rho(problem.w.block(a).trace(), D)).collect();
    let mut blocks = Blocks { problem, lu: BlockLu::new(symbolic), watch: settings.watch };
    let limits = Limits { settings, futile: FUTILE, near };
    follow(&mut blocks, (&problem.friction, &rho), r, limits, |r, _| gauge.of(problem, r))
}

/// W in blocks.
struct Blocks<'a, const D: usize> {
    problem: &'a Problem<D>,
    lu: BlockLu<D>,
    watch: Watched<'a>,
}

impl<const D: usize> System<D> for Blocks<'_, D> {
    fn velocities(&self, r: &[Vect<D>]) -> Vec<Vect<D>> {
        self.problem.velocities(r)
    }

    fn factorize(&mut self, friction: &[f64], theta: &[Mat<D>]) -> bool {
        let w = &self.problem.w;
        // Row and column times μ where they are tangential.
        let weighed = |a: usize, b: usize, w: &Mat<D>| {
            let side = |contact: usize, k: usize| if k == 0 { 1.0 } else { friction[contact] };
            Mat::from_fn(|i, j| side(a, i) * w[(i, j)] * side(b, j))
        };
        self.lu.factorize(self.watch, |a, add| {
            add(a, &(weighed(a, a, w.block(a)) + theta[a]));
            w.neighbours(a).for_each(|(b, w)| add(b, &weighed(a, b, w)));
        })
    }

    fn solve(&self, _: &[f64], x: &mut [Vect<D>]) {
        self.lu.solve(x);
    }
}

/// Steps until `residual`, which is told impulses and velocities, is small enough; leaves the best impulses in `r`. Contacts with
/// ρ = 0 do not respond and are left alone.
pub(crate) fn follow<const D: usize>(
    system: &mut impl System<D>,
    (friction, rho): (&[f64], &[f64]),
    r: &mut Vec<Vect<D>>,
    limits: Limits,
    mut residual: impl FnMut(&[Vect<D>], &[Vect<D>]) -> f64,
) -> Progress {
    let mut u = system.velocities(r);
    let mut best = (residual(r, &u), r.clone());
    let fastest = u.iter().fold(0.0, |most: f64, u| most.max(u.norm()));
    let mut shifts = vec![0.0; r.len()];
    let nearest = (NEARNESS * limits.settings.tolerance).clamp(LEAST_NEARNESS, MOST_NEARNESS);
    let epsilon = if limits.near { nearest } else { 0.0 };
    let mut near = Near { centre: r.clone(), epsilon };
    let Limits { settings, .. } = limits;
    let tolerance = settings.tolerance;
    let (mut done, mut futile) = (0, 0);
    while done < settings.max_sweeps
        && !settings.watch.is_stopped()
        && futile < limits.futile
        && unsolved(best.0, tolerance)
        && fastest > 0.0
    {
        let before = best.0;
        let mut pairs: Vec<Pair<D>> = (0..r.len()).map(|a| Pair::start(fastest, rho[a], &r[a])).collect();
        let (mut least, mut stalled) = (f64::INFINITY, 0);
        take(&pairs, (friction, rho), r);
        u = system.velocities(r);
        while settings.goes_on(done) && stalled <= STALLED && unsolved(best.0, tolerance) && least > 0.1 * tolerance {
            done += 1;
            let pulled = near.velocities(r, &u, rho);
            if !step(system, &mut pairs, (&pulled, &shifts), &near, (friction, rho)) {
                break;
            }
            take(&pairs, (friction, rho), r);
            u = system.velocities(r);
            let here = residual(r, &u);
            if here < best.0 {
                best = (here, r.clone());
                settings.watch.tell(here);
            }
            let convex = convex_residual(r, &near.velocities(r, &u, rho), &shifts, (friction, rho));
            stalled = if convex < BETTER * least { 0 } else { stalled + 1 };
            least = least.min(convex);
        }
        shifts.iter_mut().enumerate().for_each(|(a, s)| *s = friction[a] * tangential_norm(&u[a]));
        futile = if best.0 < BETTER * before { 0 } else { futile + 1 };
        near = Near { centre: r.clone(), epsilon: FALL * near.epsilon };
    }
    *r = best.1;
    Progress { iterations: done, residual: best.0 }
}

/// R̄ and ε.
struct Near<const D: usize> {
    centre: Vec<Vect<D>>,
    epsilon: f64,
}

impl<const D: usize> Near<D> {
    /// ε/ρ.
    fn compliance(&self, rho: f64) -> f64 {
        if rho > 0.0 { self.epsilon / rho } else { 0.0 }
    }

    /// Ũ + (ε/ρ)(R − R̄).
    fn velocities(&self, r: &[Vect<D>], u: &[Vect<D>], rho: &[f64]) -> Vec<Vect<D>> {
        (0..r.len()).map(|a| u[a] + (r[a] - self.centre[a]) * self.compliance(rho[a])).collect()
    }
}

/// R = B y.
fn take<const D: usize>(pairs: &[Pair<D>], (friction, rho): (&[f64], &[f64]), r: &mut [Vect<D>]) {
    for (a, pair) in pairs.iter().enumerate().filter(|(a, _)| rho[*a] > 0.0) {
        r[a] = scaled(&pair.y, friction[a]);
    }
}

/// The residual of the problem with the shifts held: the worst ‖R − proj(R − ρ(Ũ + s n), K_μ)‖/ρ beside the rms of ‖R‖/ρ.
fn convex_residual<const D: usize>(
    r: &[Vect<D>],
    u: &[Vect<D>],
    shifts: &[f64],
    (friction, rho): (&[f64], &[f64]),
) -> f64 {
    let (mut most, mut strength, mut active) = (0.0_f64, 0.0, 0);
    for a in (0..r.len()).filter(|&a| rho[a] > 0.0) {
        let mut lifted = u[a];
        lifted[0] += shifts[a];
        most = most.max((r[a] - project(&(r[a] - lifted * rho[a]), friction[a])).norm() / rho[a]);
        strength += r[a].norm_squared() / (rho[a] * rho[a]);
        active += 1;
    }
    most / (strength / f64::from(active)).sqrt()
}

/// One step of all contacts; false if there is none.
fn step<const D: usize>(
    system: &mut impl System<D>,
    pairs: &mut [Pair<D>],
    (u, shifts): (&[Vect<D>], &[f64]),
    near: &Near<D>,
    (friction, rho): (&[f64], &[f64]),
) -> bool {
    let responds = |a: usize| rho[a] > 0.0;
    let count = rho.iter().filter(|rho| **rho > 0.0).count().max(1);
    let kappa =
        pairs.iter().enumerate().filter(|(a, _)| responds(*a)).map(|(_, p)| p.y.dot(&p.z)).sum::<f64>() / count as f64;
    let scalings: Vec<Scaling<D>> = pairs.iter().map(Scaling::of).collect();
    let theta: Vec<Mat<D>> = scalings.iter().map(|s| s.t * s.t).collect();
    let eased = |(a, theta): (usize, &Mat<D>)| {
        let b = |k: usize| if k == 0 { 1.0 } else { friction[a] };
        theta + Mat::from_diagonal(&Vect::from_fn(|k, _| b(k) * b(k) * near.compliance(rho[a])))
    };
    let matrices: Vec<Mat<D>> = theta.iter().enumerate().map(eased).collect();
    if !system.factorize(friction, &matrices) {
        return false;
    }
    let lacks: Vec<Vect<D>> = (0..pairs.len())
        .map(|a| {
            let mut wanted = scaled(&u[a], friction[a]);
            wanted[0] += shifts[a];
            pairs[a].z - wanted
        })
        .collect();
    let direction = |aim: &dyn Fn(usize) -> Vect<D>| {
        let pulls: Vec<Vect<D>> =
            (0..pairs.len()).map(|a| scalings[a].t * divided(&aim(a), &scalings[a].lambda)).collect();
        let mut dy: Vec<Vect<D>> = pulls.iter().zip(&lacks).map(|(p, e)| p + e).collect();
        (0..dy.len()).filter(|&a| !responds(a)).for_each(|a| dy[a] = Vect::zeros());
        system.solve(friction, &mut dy);
        (0..dy.len()).filter(|&a| !responds(a)).for_each(|a| dy[a] = Vect::zeros());
        let dz: Vec<Vect<D>> =
            (0..dy.len()).map(|a| if responds(a) { pulls[a] - theta[a] * dy[a] } else { Vect::zeros() }).collect();
        (dy, dz)
    };
    let squares: Vec<Vect<D>> = scalings.iter().map(|s| product(&s.lambda, &s.lambda)).collect();
    let (dy, dz) = direction(&|a| -squares[a]);
    let far = longest(pairs, &dy, &dz).min(1.0);
    let sigma = (1.0 - far).powi(3);
    let (dy, dz) = direction(&|a| {
        let s = &scalings[a];
        let mut aim = -squares[a] - product(&(s.t * dy[a]), &(s.inverse * dz[a]));
        aim[0] += sigma * kappa;
        aim
    });
    let length = (SHARE * longest(pairs, &dy, &dz)).min(1.0);
    let moves = length > 1e-10;
    if !moves || dy.iter().chain(&dz).any(|x| x.iter().any(|x| !x.is_finite())) {
        return false;
    }
    for (a, pair) in pairs.iter_mut().enumerate() {
        pair.y += dy[a] * length;
        pair.z += dz[a] * length;
    }
    true
}

/// y and z of a contact, both inside the cone.
struct Pair<const D: usize> {
    y: Vect<D>,
    z: Vect<D>,
}

impl<const D: usize> Pair<D> {
    /// In the middle, of the size of the problem.
    fn start(fastest: f64, rho: f64, r: &Vect<D>) -> Self {
        let (mut y, mut z) = (Vect::zeros(), Vect::zeros());
        let size = (fastest * rho).max(r.norm());
        // What does not respond stays where it is, but inside.
        y[0] = if size > 0.0 { size } else { fastest };
        z[0] = fastest;
        Self { y, z }
    }
}

/// T, T⁻¹ and λ.
struct Scaling<const D: usize> {
    t: Mat<D>,
    inverse: Mat<D>,
    lambda: Vect<D>,
}

impl<const D: usize> Scaling<D> {
    fn of(pair: &Pair<D>) -> Self {
        let (size_y, size_z) = (inside(&pair.y).sqrt(), inside(&pair.z).sqrt());
        let (y, z) = (pair.y / size_y, pair.z / size_z);
        let gamma = (0.5 * (1.0 + y.dot(&z))).sqrt();
        let w = (z + mirrored(&y)) / (2.0 * gamma);
        let eta = (size_z / size_y).sqrt();
        let t = arrow(&w) * eta;
        let inverse = arrow(&mirrored(&w)) / eta;
        Self { lambda: t * pair.y, t, inverse }
    }
}

/// (w_N, w_Tᵀ; w_T, I + w_T w_Tᵀ/(1 + w_N)).
fn arrow<const D: usize>(w: &Vect<D>) -> Mat<D> {
    Mat::from_fn(|i, j| match (i, j) {
        (0, k) | (k, 0) => w[k],
        (i, j) => w[i] * w[j] / (1.0 + w[0]) + if i == j { 1.0 } else { 0.0 },
    })
}

/// (x_N, −x_T).
fn mirrored<const D: usize>(x: &Vect<D>) -> Vect<D> {
    let mut y = -x;
    y[0] = x[0];
    y
}

/// B x.
fn scaled<const D: usize>(x: &Vect<D>, friction: f64) -> Vect<D> {
    let mut y = x * friction;
    y[0] = x[0];
    y
}

/// x_N² − ‖x_T‖², positive inside the cone.
fn inside<const D: usize>(x: &Vect<D>) -> f64 {
    let t = tangential_norm(x);
    (x[0] - t) * (x[0] + t)
}

/// x∘y.
fn product<const D: usize>(x: &Vect<D>, y: &Vect<D>) -> Vect<D> {
    let mut p = x * y[0] + y * x[0];
    p[0] = x.dot(y);
    p
}

/// d with λ∘d = x.
fn divided<const D: usize>(x: &Vect<D>, lambda: &Vect<D>) -> Vect<D> {
    let first = mirrored(lambda).dot(x) / inside(lambda);
    let mut d = (x - lambda * first) / lambda[0];
    d[0] = first;
    d
}

/// How far both may go before one of them leaves its cone.
fn longest<const D: usize>(pairs: &[Pair<D>], dy: &[Vect<D>], dz: &[Vect<D>]) -> f64 {
    let reach = |a: usize| reach(&pairs[a].y, &dy[a]).min(reach(&pairs[a].z, &dz[a]));
    (0..pairs.len()).map(reach).fold(f64::INFINITY, f64::min)
}

/// The least t > 0 at which x + t d is on the boundary, for x inside.
fn reach<const D: usize>(x: &Vect<D>, d: &Vect<D>) -> f64 {
    // c + 2 b t + a t² = 0
    let (a, b, c) = (inside(d), mirrored(x).dot(d), inside(x));
    let root = (b * b - a * c).max(0.0).sqrt();
    let t = if b <= 0.0 {
        // Both roots have the sign of a, or one is on each side.
        if a >= 0.0 && b * b < a * c { f64::INFINITY } else { c / (root - b) }
    } else if a < 0.0 {
        -(b + root) / a
    } else {
        f64::INFINITY
    };
    let tip = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    let t = if t > 0.0 { t } else { 0.0 };
    t.min(tip)
}
