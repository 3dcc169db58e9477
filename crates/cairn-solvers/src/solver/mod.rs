//! Solvers for problems with a stored W: one problem, one measure, many methods.

pub mod gauss_seidel;
pub mod measure;

use crate::delassus::{Delassus, Stored};
use crate::problem::{LocalForm, Vect};
pub use measure::Measure;

/// U = q + W R with Signorini–Coulomb for each contact.
#[derive(Clone, Debug)]
pub struct Problem<const D: usize> {
    /// W [1/kg] and, as its free velocity, q [m/s]: bias included.
    pub w: Stored<D>,
    /// μ of each contact.
    pub friction: Vec<f64>,
}

impl<const D: usize> Problem<D> {
    /// From W with q, and μ.
    pub fn new(w: Stored<D>, friction: Vec<f64>) -> Self {
        assert_eq!(w.contacts(), friction.len(), "one coefficient of friction for each contact");
        Self { w, friction }
    }

    /// From W with U_free, and contact laws: their bias is added to U_free.
    pub fn with_forms(mut w: Stored<D>, forms: &[LocalForm<D>]) -> Self {
        w.free_mut().iter_mut().zip(forms).for_each(|(q, form)| *q += form.bias);
        Self::new(w, forms.iter().map(|f| f.friction).collect())
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Ũ = q + W R.
    pub fn velocities(&self, r: &[Vect<D>]) -> Vec<Vect<D>> {
        (0..self.contacts()).map(|a| self.w.velocity(a, r)).collect()
    }
}
