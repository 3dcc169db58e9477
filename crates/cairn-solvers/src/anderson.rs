//! Anderson's extrapolation of a fixed-point iteration x = S(y) (Anderson 1965; Walker, Ni 2011).
//!
//! With f = S(y) − y, and the differences ΔF, ΔX of the last m values of f and of x,
//!
//!   y' = x − ΔX γ,     γ = argmin ‖f − ΔF γ‖     in the norm Σ ‖f_α‖²/ρ_α²
//!
//! that is: the step that would have cancelled f, were S linear. For sweeps of Gauss–Seidel on a fixed set of sliding and sticking
//! contacts that is what conjugate directions are to linear equations. Where the set changes a step may be wrong: when f has grown
//! by more than [`GROWTH`], the memory is dropped.

use crate::problem::Vect;

/// Differences that are kept.
const MEMORY: usize = 4;
/// Growth of ‖f‖ from one sweep to the next that is still taken for progress on the way.
const GROWTH: f64 = 1.5;
/// Part of the trace of ΔFᵀΔF that is added to its diagonal: differences that have become parallel do no harm.
const RIDGE: f64 = 1e-12;

/// The memory of an iteration; all room is taken at the start.
pub(crate) struct Anderson<const D: usize> {
    /// 1/ρ per contact.
    weights: Vec<f64>,
    /// f of this sweep, with its weights.
    f: Vec<Vect<D>>,
    /// x and f of the sweep before, if there is one to go by.
    last: Step<D>,
    has_last: bool,
    /// ΔX and ΔF; the first `count` are in use.
    steps: [Step<D>; MEMORY],
    count: usize,
    newest: usize,
    /// ΔFᵀΔF.
    gram: [[f64; MEMORY]; MEMORY],
    /// ‖f‖² of the sweep before.
    norm: f64,
}

/// Impulses, and changes by a sweep with their weights.
#[derive(Clone)]
struct Step<const D: usize> {
    x: Vec<Vect<D>>,
    f: Vec<Vect<D>>,
}

impl<const D: usize> Anderson<D> {
    /// With 1/ρ of each contact, 0 where nothing responds.
    pub fn new(weights: Vec<f64>) -> Self {
        let zeros = vec![Vect::zeros(); weights.len()];
        let last = Step { x: zeros.clone(), f: zeros.clone() };
        let steps = std::array::from_fn(|_| last.clone());
        let gram = [[0.0; MEMORY]; MEMORY];
        Self { weights, f: zeros, last, has_last: false, steps, count: 0, newest: 0, gram, norm: f64::INFINITY }
    }

    /// `before` is y, `impulses` are x = S(y): they become the next y.
    pub fn extrapolate(&mut self, before: &[Vect<D>], impulses: &mut [Vect<D>]) {
        for (((f, x), y), w) in self.f.iter_mut().zip(&*impulses).zip(before).zip(&self.weights) {
            *f = (x - y) * *w;
        }
        let norm = dot(&self.f, &self.f);
        if !(norm <= GROWTH * GROWTH * self.norm) {
            (self.count, self.has_last) = (0, false);
        }
        self.norm = norm;
        if self.has_last {
            self.remember(impulses);
        }
        let gamma = self.coefficients();
        self.last.x.copy_from_slice(impulses);
        std::mem::swap(&mut self.last.f, &mut self.f);
        self.has_last = true;
        for (step, gamma) in self.steps[..self.count].iter().zip(gamma) {
            impulses.iter_mut().zip(&step.x).for_each(|(x, s)| *x -= s * gamma);
        }
    }

    /// Adds the differences to the sweep before, in the place of the oldest, and their products with the others.
    fn remember(&mut self, x: &[Vect<D>]) {
        self.newest = if self.count < MEMORY { self.count } else { (self.newest + 1) % MEMORY };
        self.count = (self.count + 1).min(MEMORY);
        let step = &mut self.steps[self.newest];
        step.x.iter_mut().zip(x).zip(&self.last.x).for_each(|((step, new), old)| *step = new - old);
        step.f.iter_mut().zip(&self.f).zip(&self.last.f).for_each(|((step, new), old)| *step = new - old);
        for k in 0..self.count {
            let product = dot(&self.steps[self.newest].f, &self.steps[k].f);
            (self.gram[self.newest][k], self.gram[k][self.newest]) = (product, product);
        }
    }

    /// γ: (ΔFᵀΔF) γ = ΔFᵀ f, by elimination.
    fn coefficients(&self) -> [f64; MEMORY] {
        let count = self.count;
        let mut matrix = self.gram;
        let mut gamma = [0.0; MEMORY];
        let ridge = RIDGE * (0..count).map(|k| matrix[k][k]).sum::<f64>();
        for k in 0..count {
            matrix[k][k] += ridge;
            gamma[k] = dot(&self.steps[k].f, &self.f);
        }
        if ridge == 0.0 {
            return [0.0; MEMORY];
        }
        for i in 0..count {
            for j in i + 1..count {
                let factor = matrix[j][i] / matrix[i][i];
                let upper = matrix[i];
                matrix[j].iter_mut().zip(upper).skip(i).for_each(|(x, u)| *x -= factor * u);
                gamma[j] -= factor * gamma[i];
            }
        }
        for i in (0..count).rev() {
            let known: f64 = (i + 1..count).map(|j| matrix[i][j] * gamma[j]).sum();
            gamma[i] = (gamma[i] - known) / matrix[i][i];
        }
        gamma
    }
}

fn dot<const D: usize>(a: &[Vect<D>], b: &[Vect<D>]) -> f64 {
    // Four sums at once: no addition waits for the one before.
    let mut sums = [0.0; 4];
    for (a, b) in a.chunks(4).zip(b.chunks(4)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (x, y))| *sum += x.dot(y));
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x = A y + b with a contraction A: as many sweeps as dimensions and one more are enough.
    #[test]
    fn a_linear_iteration_ends_after_as_many_steps_as_it_has_dimensions() {
        let (rates, target) = ([0.9, 0.5, -0.3, 0.7], [1.0, -2.0, 3.0, 0.5]);
        let sweep = |y: &[Vect<2>]| -> Vec<Vect<2>> {
            let at = |k: usize| target[k] + rates[k] * (y[k / 2][k % 2] - target[k]);
            vec![Vect::<2>::new(at(0), at(1)), Vect::<2>::new(at(2), at(3))]
        };
        let mut anderson = Anderson::<2>::new(vec![1.0, 2.0]);
        let mut y = vec![Vect::<2>::zeros(); 2];
        for _ in 0..6 {
            let mut x = sweep(&y);
            anderson.extrapolate(&y, &mut x);
            y = x;
        }
        let error: f64 = (0..4).map(|k| (y[k / 2][k % 2] - target[k]).abs()).sum();
        // Plain sweeps: 3 × 0.9⁶ ≈ 1 is left of the slowest.
        assert!(error < 1e-9, "{error}");
    }
}
