//! Natural strains of a solid-shell: in the convected coordinates (ξ, η, ζ) of the cell, with the assumed ones interpolated from where they are right.
//!
//! With G_i = Σ N_a,i X_a and g_i = Σ N_a,i x_a, the natural components e_ij = ½(g_i·g_j − G_i·G_j) vanish under every rigid motion. In a cell that is bent,
//! those that go through the thickness are wrong nearly everywhere (the cell locks), but right at some places of the middle surface:
//!
//! ```text
//!   e_ζξ = Σ ½(1 + η η_s) e_ζξ(s)             s = (0, ±1, 0)      Dvorkin and Bathe 1984
//!   e_ηζ = Σ ½(1 + ξ ξ_s) e_ηζ(s)             s = (±1, 0, 0)
//!   e_ζζ = Σ ¼(1 + ξ ξ_s)(1 + η η_s) e_ζζ(s)   s = (±1, ±1, 0)     Betsch and Stein 1995
//! ```
//!
//! Each is quadratic in the displacements, so that e(u₁) − e(u₀) = B(½(u₀ + u₁))(u₁ − u₀) holds as for the strains of the displacements.

use nalgebra::{Matrix3, Matrix6, SMatrix, SVector, Vector6};

use crate::element::{Element, H8, Table};
use crate::section::Kinematics;
use crate::tensor::VOIGT;

/// One column a node.
pub type Nodes = SMatrix<f64, 3, 8>;
/// N_a,i: one row a node.
pub type Slopes = SMatrix<f64, 8, 3>;
/// How a strain changes with the displacements, node by node.
pub type Gradient = SVector<f64, 24>;
/// B: how natural strains change with the displacements.
pub type Operator = SMatrix<f64, 6, 24>;

/// A place where an assumed strain is taken: its component, and the place.
const TIES: [(usize, [f64; 3]); TIE_COUNT] = [
    (5, [0.0, -1.0, 0.0]),
    (5, [0.0, 1.0, 0.0]),
    (4, [-1.0, 0.0, 0.0]),
    (4, [1.0, 0.0, 0.0]),
    (2, [-1.0, -1.0, 0.0]),
    (2, [1.0, -1.0, 0.0]),
    (2, [1.0, 1.0, 0.0]),
    (2, [-1.0, 1.0, 0.0]),
];
/// How many there are.
const TIE_COUNT: usize = 8;
/// The components that are those of the displacements themselves.
const IN_PLANE: [usize; 3] = [0, 1, 3];

/// What is the same for all cells: slopes at the points and at the ties, and the weights of the ties at the points.
#[derive(Clone, Debug)]
pub struct Reference {
    pub slopes: Vec<Slopes>,
    pub places: Vec<[f64; 3]>,
    pub centre: Slopes,
    tie_slopes: [Slopes; TIE_COUNT],
    tie_weights: Vec<[f64; TIE_COUNT]>,
}

impl Reference {
    /// Of the points of a table of H8.
    pub fn new(table: &Table) -> Self {
        let places: Vec<[f64; 3]> = table.points.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        let weight = |at: &[f64; 3], place: &[f64; 3]| {
            at.iter().zip(place).filter(|(_, p)| **p != 0.0).map(|(x, p)| 0.5 * (1.0 + x * p)).product::<f64>()
        };
        Reference {
            slopes: places.iter().map(|p| slopes_at(*p)).collect(),
            centre: Self::centre(),
            tie_slopes: TIES.map(|(_, place)| slopes_at(place)),
            tie_weights: places.iter().map(|at| TIES.map(|(_, place)| weight(at, &place))).collect(),
            places,
        }
    }

    /// Slopes in the middle of a cell.
    pub fn centre() -> Slopes {
        slopes_at([0.0; 3])
    }
}

fn slopes_at(place: [f64; 3]) -> Slopes {
    let gradient = H8::gradient(place);
    Slopes::from_fn(|a, i| gradient[a][i])
}

/// The natural strain of a component, shear doubled, from G and ∂u/∂ξ.
fn strain(component: usize, kinematics: Kinematics, g0: &Matrix3<f64>, d: &Matrix3<f64>) -> f64 {
    let (i, j) = VOIGT[component];
    let mut twice = g0.column(i).dot(&d.column(j)) + g0.column(j).dot(&d.column(i));
    if kinematics == Kinematics::Finite {
        twice += d.column(i).dot(&d.column(j));
    }
    if i == j { 0.5 * twice } else { twice }
}

/// How it changes, with the present g.
fn gradient(component: usize, g: &Matrix3<f64>, slopes: &Slopes) -> Gradient {
    let (i, j) = VOIGT[component];
    let weight = if i == j { 0.5 } else { 1.0 };
    Gradient::from_fn(|k, _| {
        let (a, c) = (k / 3, k % 3);
        weight * (g[(c, i)] * slopes[(a, j)] + g[(c, j)] * slopes[(a, i)])
    })
}

/// A cell in its reference configuration and displaced.
pub struct Placed<'a> {
    reference: &'a Reference,
    kinematics: Kinematics,
    nodes: &'a Nodes,
    u: &'a Nodes,
    ties: [f64; TIE_COUNT],
}

impl<'a> Placed<'a> {
    pub fn new(reference: &'a Reference, kinematics: Kinematics, nodes: &'a Nodes, u: &'a Nodes) -> Self {
        let ties = std::array::from_fn(|s| {
            let slopes = &reference.tie_slopes[s];
            strain(TIES[s].0, kinematics, &(nodes * slopes), &(u * slopes))
        });
        Placed { reference, kinematics, nodes, u, ties }
    }

    /// The natural strains at a point.
    pub fn strains(&self, q: usize) -> Vector6<f64> {
        let slopes = &self.reference.slopes[q];
        let (g0, d) = (self.nodes * slopes, self.u * slopes);
        let mut strains = Vector6::zeros();
        IN_PLANE.iter().for_each(|&k| strains[k] = strain(k, self.kinematics, &g0, &d));
        let weights = &self.reference.tie_weights[q];
        TIES.iter().zip(weights).zip(&self.ties).for_each(|((tie, w), e)| strains[tie.0] += w * e);
        strains
    }

    /// g of the present place, or of the reference in small kinematics.
    fn base(&self, slopes: &Slopes) -> Matrix3<f64> {
        match self.kinematics {
            Kinematics::Small => self.nodes * slopes,
            Kinematics::Finite => (self.nodes + self.u) * slopes,
        }
    }

    /// How the assumed strains change.
    pub fn tie_gradients(&self) -> [Gradient; TIE_COUNT] {
        std::array::from_fn(|s| {
            let slopes = &self.reference.tie_slopes[s];
            gradient(TIES[s].0, &self.base(slopes), slopes)
        })
    }

    /// B at a point.
    pub fn operator(&self, q: usize, ties: &[Gradient; TIE_COUNT]) -> Operator {
        let slopes = &self.reference.slopes[q];
        let base = self.base(slopes);
        let mut rows: [Gradient; 6] = [Gradient::zeros(); 6];
        IN_PLANE.iter().for_each(|&k| rows[k] = gradient(k, &base, slopes));
        let weights = &self.reference.tie_weights[q];
        TIES.iter().zip(weights).zip(ties).for_each(|((tie, w), row)| rows[tie.0] += row * *w);
        Operator::from_fn(|k, i| rows[k][i])
    }
}

/// What stresses do by the second derivatives of the natural strains, Σ s_k ∂²e_k/∂u_a∂u_b: one number for each pair of nodes.
#[derive(Clone, Debug)]
pub struct Initial {
    pairs: SMatrix<f64, 8, 8>,
    ties: [f64; TIE_COUNT],
}

impl Initial {
    pub fn new() -> Self {
        Initial { pairs: SMatrix::zeros(), ties: [0.0; TIE_COUNT] }
    }

    /// Adds a point with natural stresses, times its volume.
    pub fn add(&mut self, reference: &Reference, q: usize, stress: &Vector6<f64>) {
        let s = &reference.slopes[q];
        let weighted = SMatrix::<f64, 8, 2>::from_fn(|a, i| match i {
            0 => s[(a, 0)] * stress[0] + s[(a, 1)] * stress[3],
            _ => s[(a, 0)] * stress[3] + s[(a, 1)] * stress[1],
        });
        self.pairs += weighted * s.fixed_columns::<2>(0).transpose();
        let weights = &reference.tie_weights[q];
        self.ties.iter_mut().zip(TIES).zip(weights).for_each(|((sum, tie), w)| *sum += w * stress[tie.0]);
    }

    /// The sum over all points.
    pub fn pairs(&self, reference: &Reference) -> SMatrix<f64, 8, 8> {
        let mut pairs = self.pairs;
        for ((sum, (component, _)), slopes) in self.ties.iter().zip(TIES).zip(&reference.tie_slopes) {
            let (i, j) = VOIGT[component];
            let product = slopes.column(i) * slopes.column(j).transpose() * *sum;
            pairs += if i == j { product } else { product + product.transpose() };
        }
        pairs
    }
}

/// T: strains in the axes of the body from natural ones, with the contravariant base vectors as rows of J⁻¹. E_kl = Σ e_ij J⁻¹_ik J⁻¹_jl.
pub fn to_axes(inverse: &Matrix3<f64>) -> Matrix6<f64> {
    Matrix6::from_fn(|row, col| {
        let ((k, l), (i, j)) = (VOIGT[row], VOIGT[col]);
        let sum = inverse[(i, k)] * inverse[(j, l)] + inverse[(j, k)] * inverse[(i, l)];
        if k == l { 0.5 * sum } else { sum }
    })
}
