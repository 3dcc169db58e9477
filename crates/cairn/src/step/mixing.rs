//! Anderson's acceleration of a fixed point x = G(x): the next iterate from the last few, by the mixture of them whose
//! residual would be least if G were affine (Anderson 1965; Walker and Ni 2011).
//!
//!   f_k = G(x_k) − x_k,   γ = argmin ‖f_k − ΔF γ‖,   x_{k+1} = x_k + f_k − (ΔX + ΔF) γ
//!
//! Bonds that soften are found so: x are jumps, which the laws make damages of, and G(x) the jumps of the solution
//! with these. Alone, a stiff bond that begins to soften creeps: its next jump differs from the last by nearly as much
//! as that did from the one before.
//!
//! Plain iterates x_{k+1} = G(x_k) only ever open bonds further, and end at the first equilibrium on that way. A
//! mixture may go beyond it: one that has a larger residual than the iterate it was made from is taken back, and the
//! plain step made in its place. Nor is anything mixed while residuals grow: the crack jumps. And a mixture that goes against the
//! residual, (x_{k+1} − x_k) · f_k < 0, is not tried: it would lead back to the equilibrium that the crack has just left, and round in circles.

use nalgebra::{DMatrix, DVector};

/// Differences that are kept.
const DEPTH: usize = 8;
/// Of the largest singular value: below it a direction says nothing.
const NOTHING: f64 = 1e-8;

/// The present iterate, and those before it with their images.
#[derive(Debug)]
pub(super) struct Mixing {
    /// x_k, to be evaluated.
    here: DVector<f64>,
    /// Pairs (x, f) that mixtures are made of.
    past: Vec<(DVector<f64>, DVector<f64>)>,
    /// Is x_k a mixture?
    is_mixed: bool,
}

impl Mixing {
    /// From a first iterate.
    pub fn new(start: Vec<f64>) -> Self {
        Self { here: DVector::from_vec(start), past: Vec::new(), is_mixed: false }
    }

    /// The next iterate, from G(x).
    pub fn next(&mut self, image: Vec<f64>) -> &[f64] {
        let f = DVector::from_vec(image) - &self.here;
        match self.past.pop() {
            Some((x, before)) if self.is_mixed && f.norm() > before.norm() => {
                self.here = &x + &before;
                self.past.clear();
                self.is_mixed = false;
                return self.here.as_slice();
            }
            // It runs away, as it does where a bond snaps: no mixture of the past leads there.
            Some((_, before)) if f.norm() > before.norm() => self.past.clear(),
            last => self.past.extend(last),
        }
        self.past.push((self.here.clone(), f));
        if self.past.len() > DEPTH + 1 {
            self.past.remove(0);
        }
        self.mix();
        self.here.as_slice()
    }

    fn mix(&mut self) {
        let (x, f) = &self.past[self.past.len() - 1];
        self.here = x + f;
        self.is_mixed = self.past.len() > 1;
        if !self.is_mixed {
            return;
        }
        let (dx, df): (Vec<DVector<f64>>, Vec<DVector<f64>>) =
            self.past.windows(2).map(|w| (&w[1].0 - &w[0].0, &w[1].1 - &w[0].1)).unzip();
        let (dx, df) = (DMatrix::from_columns(&dx), DMatrix::from_columns(&df));
        let svd = df.clone().svd(true, true);
        let least = NOTHING * svd.singular_values.max();
        let back = svd.solve(f, least).map(|gamma| (dx + df) * gamma);
        match back {
            Ok(back) if (f - &back).dot(f) > 0.0 => self.here -= back,
            _ => {
                self.is_mixed = false;
                self.past.drain(..self.past.len() - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_affine_map_is_solved_after_as_many_steps_as_it_has_directions() {
        // Creeps with 0.99 and 0.9 in two directions; the fixed point is (3, −2).
        let g = |x: &[f64]| {
            let (a, b) = (x[0] - 3.0, x[1] + 2.0);
            vec![3.0 + 0.945 * a + 0.045 * b, -2.0 + 0.045 * a + 0.945 * b]
        };
        let mut mixing = Mixing::new(vec![0.0, 0.0]);
        let mut x = vec![0.0, 0.0];
        for _ in 0..3 {
            x = mixing.next(g(&x)).to_vec();
        }
        assert!((x[0] - 3.0).abs() + (x[1] + 2.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn a_mixture_that_leads_astray_is_taken_back() {
        // Slopes of ½ up to 1, where G jumps: the mixture of 0 and 0.4 is 0.8, of two points with a kink between them
        // anything.
        let g = |x: f64| if x < 0.9 { 0.4 + 0.5 * x } else { x + 5.0 };
        let mut mixing = Mixing::new(vec![0.0]);
        let mut x = 0.0;
        for _ in 0..4 {
            x = mixing.next(vec![g(x)])[0];
        }
        assert!((x - 0.8).abs() < 1e-12, "{x}");
        let mut mixing = Mixing { here: DVector::from_vec(vec![2.0]), past: vec![], is_mixed: true };
        mixing.past.push((DVector::from_vec(vec![0.5]), DVector::from_vec(vec![0.1])));
        assert!((mixing.next(vec![g(2.0)])[0] - 0.6).abs() < 1e-15);
    }

    #[test]
    fn no_mixture_leads_back_to_an_equilibrium_that_was_left() {
        // Unstable at 1, stable at 4: residuals grow up to 2.5 and fall from there on, where mixtures with the past point to 1.
        let g = |x: f64| x + 0.1 * (x - 1.0).min(4.0 - x);
        let mut mixing = Mixing::new(vec![1.5]);
        let mut x = 1.5;
        for _ in 0..60 {
            let next = mixing.next(vec![g(x)])[0];
            assert!(next >= x - 1e-9 || x > 4.0, "back from {x} to {next}");
            x = next;
        }
        assert!((x - 4.0).abs() < 1e-9, "{x}");
    }
}
