//! One contact: U = U_loc + W R with Signorini's condition and Coulomb's law, solved exactly.

pub mod bipotential;
pub mod plane;
pub mod quartic;
pub mod reduced;
pub mod solid;

use crate::problem::{Mat, Vect};

/// The solution of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local<const D: usize> {
    /// R in the frame n, t(, s).
    pub impulse: Vect<D>,
    /// False where the local problem may have several solutions (Painlevé): μ‖W_NT‖ ≥ W_NN.
    pub unique: bool,
}

/// True where the local problem may have several solutions, or none (Painlevé): μ‖W_NT‖ ≥ W_NN. In the plane it has one and only one
/// below that bound. In space it then has one at least; with S far from spherical and μ‖W_NT‖ close to W_NN it may have three, since
/// the direction of slip turns with its speed, and the one nearest to the last impulse is found.
pub fn is_painleve<const D: usize>(w: &Mat<D>, friction: f64) -> bool {
    let coupling = (1..D).map(|i| w[(0, i)] * w[(0, i)]).sum::<f64>().sqrt();
    w[(0, 0)] > 0.0 && friction * coupling >= w[(0, 0)]
}

/// The local problem in the plane or in space. `velocity` is U_loc with the bias added.
pub fn solve<const D: usize>(w: &Mat<D>, velocity: &Vect<D>, friction: f64) -> Local<D> {
    let impulse = match D {
        2 => {
            let w = Mat::<2>::from_fn(|i, j| w[(i, j)]);
            let r = plane::solve(&w, &Vect::<2>::new(velocity[0], velocity[1]), friction);
            Vect::<D>::from_fn(|i, _| r[i])
        }
        3 => {
            let w = Mat::<3>::from_fn(|i, j| w[(i, j)]);
            let r = solid::solve(&w, &Vect::<3>::new(velocity[0], velocity[1], velocity[2]), friction);
            Vect::<D>::from_fn(|i, _| r[i])
        }
        _ => unreachable!("contacts live in the plane or in space"),
    };
    Local { impulse, unique: !is_painleve(w, friction) }
}

/// The normal eliminated: W seen from the tangential directions.
///
///   k = W_TN / W_NN,   S = W_TT − W_TN W_NT / W_NN
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schur<const D: usize> {
    /// W_NN.
    pub normal: f64,
    /// k, in components 1..D (component 0 is unused).
    pub lean: Vect<D>,
    /// S, in rows and columns 1..D (row and column 0 are unused).
    pub tangent: Mat<D>,
}

/// Share of the mean response that a tangential direction gets in which nothing responds.
///
/// A relaxation R − W⁻¹Ũ has the exact solutions as its fixed points whatever (regular) W it uses, so this
/// changes the way to the solution, not the solution.
pub(crate) const LEAST_RESPONSE: f64 = 1e-6;

impl<const D: usize> Schur<D> {
    /// Of a symmetric W with W_NN > 0.
    pub fn of(w: &Mat<D>) -> Self {
        let normal = w[(0, 0)];
        let lean = Vect::<D>::from_fn(|i, _| w[(0, i)] / normal);
        let tangent = Mat::<D>::from_fn(|i, j| w[(i, j)] - w[(0, i)] * lean[j]);
        Self { normal, lean, tangent }
    }

    /// The same, with some response in every tangential direction.
    pub fn regular(w: &Mat<D>) -> Self {
        let mut schur = Self::of(w);
        let mean = w.trace() / D as f64;
        let trace = (1..D).map(|i| schur.tangent[(i, i)]).sum::<f64>();
        let least = if D == 2 {
            trace
        } else {
            let t = &schur.tangent;
            let determinant = t[(1, 1)] * t[(2, 2)] - t[(1, 2)] * t[(2, 1)];
            if trace > 0.0 { determinant / trace } else { 0.0 }
        };
        if least < LEAST_RESPONSE * mean {
            for i in 1..D {
                schur.tangent[(i, i)] = schur.tangent[(i, i)].max(0.0) + LEAST_RESPONSE * mean;
            }
        }
        schur
    }
}
