//! For comparison only: Newmark's scheme on an elastic rod that hits a rigid wall, with Signorini's condition on displacements or with
//! a penalty.
//!
//!   M a + K u = λ e₀,     u' = u + h v + h² (½ − β) a + h² β a',     v' = v + h (1 − γ) a + h γ a',
//!   Signorini: u₀' ≥ 0,  λ' ≥ 0,  u₀' λ' = 0;     penalty: λ' = k max(0, −u₀')
//!
//! This is how many programs with implicit dynamics treat impact. Nothing says what the velocity of a contact that has just
//! closed should be: it oscillates, and the force with it; a penalty softens that as far as it lets the bodies overlap. By symmetry one
//! rod against a wall is half of two equal rods that collide.
//!
//! The rod has equal linear elements, its end 0 at the wall. Only one condition is unilateral, so that each step has two
//! candidates for its solution: free (λ = 0), or closed (u₀ = −λ/k, with 1/k = 0 for Signorini) if the free one penetrates.

/// A rod in one dimension.
pub struct Rod {
    /// Elements.
    pub elements: usize,
    /// Length [m].
    pub length: f64,
    /// E A [N].
    pub stiffness: f64,
    /// ρ A [kg/m].
    pub mass: f64,
    /// Velocity towards the wall at t = 0, when it touches [m/s].
    pub speed: f64,
}

/// Parameters of the scheme.
#[derive(Clone, Copy)]
pub struct Newmark {
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
    /// h [s].
    pub step: f64,
    /// 1/k of the penalty, 0 for Signorini's condition [m/N].
    pub compliance: f64,
}

/// A rod after a step.
#[derive(Clone, Copy)]
pub struct Instant {
    /// t [s].
    pub time: f64,
    /// λ [N].
    pub force: f64,
    /// Velocity of the end at the wall, away from it [m/s].
    pub velocity: f64,
    /// Overlap [m].
    pub overlap: f64,
    /// Kinetic and strain energy, with that of the penalty's spring [J].
    pub energy: f64,
}

/// The rod after each step.
pub fn collide(rod: &Rod, scheme: Newmark, end: f64) -> Vec<Instant> {
    let Newmark { beta, gamma, step: h, compliance } = scheme;
    let nodes = rod.elements + 1;
    let size = rod.length / rod.elements as f64;
    let (m, k) = (rod.mass * size / 6.0, rod.stiffness / size);
    let inner = |i: usize| if i == 0 || i + 1 == nodes { 1.0 } else { 2.0 };
    // M + β h² K, tridiagonal with equal elements beside the diagonal.
    let matrix = |i: usize| inner(i) * (2.0 * m + beta * h * h * k);
    let beside = m - beta * h * h * k;
    let mut unit = vec![0.0; nodes];
    unit[0] = 1.0;
    let response = solve(&matrix, beside, unit);
    let (mut u, mut v, mut a) = (vec![0.0; nodes], vec![-rod.speed; nodes], vec![0.0; nodes]);
    let mut history = Vec::new();
    for step in 1..=(end / h).round() as usize {
        let guess: Vec<f64> = (0..nodes).map(|i| u[i] + h * v[i] + h * h * (0.5 - beta) * a[i]).collect();
        let force = |i: usize| {
            let before = if i > 0 { guess[i - 1] - guess[i] } else { 0.0 };
            let after = if i + 1 < nodes { guess[i + 1] - guess[i] } else { 0.0 };
            k * (before + after)
        };
        let mut next = solve(&matrix, beside, (0..nodes).map(force).collect());
        let free = guess[0] + beta * h * h * next[0];
        let lambda = (-free / (beta * h * h * response[0] + compliance)).max(0.0);
        next.iter_mut().zip(&response).for_each(|(a, r)| *a += lambda * r);
        for i in 0..nodes {
            u[i] = guess[i] + beta * h * h * next[i];
            v[i] += h * ((1.0 - gamma) * a[i] + gamma * next[i]);
        }
        a = next;
        let ends = (0..rod.elements).map(|i| {
            let kinetic = m * (v[i] * v[i] + v[i] * v[i + 1] + v[i + 1] * v[i + 1]);
            kinetic + 0.5 * k * (u[i + 1] - u[i]).powi(2)
        });
        let energy = ends.sum::<f64>() + 0.5 * compliance * lambda * lambda;
        let (time, overlap) = (step as f64 * h, (-u[0]).max(0.0));
        history.push(Instant { time, force: lambda, velocity: v[0], overlap, energy });
    }
    history
}

/// Gaussian elimination of a symmetric tridiagonal matrix.
fn solve(diagonal: &impl Fn(usize) -> f64, beside: f64, mut x: Vec<f64>) -> Vec<f64> {
    let mut pivots = vec![diagonal(0)];
    for i in 1..x.len() {
        let factor = beside / pivots[i - 1];
        pivots.push(diagonal(i) - factor * beside);
        x[i] -= factor * x[i - 1];
    }
    let last = x.len() - 1;
    x[last] /= pivots[last];
    for i in (0..last).rev() {
        x[i] = (x[i] - beside * x[i + 1]) / pivots[i];
    }
    x
}
