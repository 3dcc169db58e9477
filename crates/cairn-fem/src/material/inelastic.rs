//! What a law with memory is asked, and what it answers.
//!
//! A point of the body is carried from the strain E₀ to E₁ in a time h, and remembers numbers x₀ that the law has declared. The law
//! answers with
//!
//! ```text
//!   S̄(E₀, E₁, x₀, h)   the stress that acts over the step        C̄ = ∂S̄/∂E₁
//!   x₁                  what is remembered from then on
//!   W₁, D               energy stored at the end, energy lost in the step (never negative), by the way it is lost
//! ```
//!
//! S̄ is (1−ξ) S₀ + ξ S₁ for what is a function of the state, as the scheme takes forces, and is made with the rate (E₁ − E₀)/h for what is
//! viscous. With ξ = ½ the work of the step, S̄ : (E₁ − E₀), is then W₁ − W₀ + D, exactly or up to what the scheme loses.
//!
//! By objectivity a stress S in the axes of the reference depends on the motion through E alone: F = R U with U² = 1 + 2E, and R turns
//! nothing that is kept. So plastic deformations (as C_p), back stresses and the stress in the axes of R are functions of the history of E,
//! and one answer serves small (E = ε, S = σ), co-rotational and finite kinematics.
//!
//! With E₀ = E₁ and h = 0 nothing happens: x₁ = x₀, D = 0, and S̄ and W₁ are those of the state. So stresses are drawn.

use nalgebra::{Matrix6, SMatrix, SVector, Vector6};

use super::MaterialError;

/// A number that is kept at each point of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Name, small letters and underscores, as results have it.
    pub name: &'static str,
    /// Unit; `-` for a pure number.
    pub unit: &'static str,
    /// Value before anything has happened.
    pub initial: f64,
    /// Is it written and drawn? Otherwise it only serves the law.
    pub is_shown: bool,
}

impl Quantity {
    /// A pure number that starts from zero and is shown.
    pub const fn number(name: &'static str) -> Self {
        Quantity { name, unit: "-", initial: 0.0, is_shown: true }
    }

    /// A stress that starts from zero and is shown.
    pub const fn stress(name: &'static str) -> Self {
        Quantity { name, unit: "Pa", initial: 0.0, is_shown: true }
    }

    /// The same, but not shown.
    pub const fn hidden(self) -> Self {
        Quantity { is_shown: false, ..self }
    }
}

/// A step of a material point.
#[derive(Clone, Copy, Debug)]
pub struct Increment<const V: usize> {
    /// Strain at the start.
    pub before: SVector<f64, V>,
    /// Strain at the end.
    pub after: SVector<f64, V>,
    /// Length of the step, 0 for the state itself [s].
    pub h: f64,
    /// ξ: weight of the end, from above 0 to 1.
    pub xi: f64,
    /// Are the strains Green–Lagrange's, and not ε?
    pub is_finite: bool,
    /// Is C̄ asked for? Otherwise it may be left out.
    pub wants_tangent: bool,
    /// Size of the cell around the point: the width of a band of cracks [m].
    pub length: f64,
}

impl<const V: usize> Increment<V> {
    /// (1−ξ) a + ξ b.
    pub fn mean(&self, a: SVector<f64, V>, b: SVector<f64, V>) -> SVector<f64, V> {
        a * (1.0 - self.xi) + b * self.xi
    }
}

/// What a step does to a material point.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<const V: usize> {
    /// S̄, the stress that acts over the step [Pa].
    pub stress: SVector<f64, V>,
    /// C̄ = ∂S̄/∂E₁ [Pa].
    pub tangent: SMatrix<f64, V, V>,
    /// W₁ [J/m³].
    pub stored: f64,
    /// D ≥ 0 [J/m³].
    pub lost: Lost,
}

/// Energy that is lost, by the way it is lost: densities [J/m³], or sums over a body [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lost {
    /// In plastic flow.
    pub plastic: f64,
    /// By viscosity.
    pub viscous: f64,
    /// By damage.
    pub damage: f64,
}

impl Lost {
    /// Lost in plastic flow alone.
    pub fn in_flow(plastic: f64) -> Self {
        Lost { plastic, ..Lost::default() }
    }

    /// Lost by viscosity alone.
    pub fn by_viscosity(viscous: f64) -> Self {
        Lost { viscous, ..Lost::default() }
    }

    /// Lost by damage alone.
    pub fn by_damage(damage: f64) -> Self {
        Lost { damage, ..Lost::default() }
    }

    /// D.
    pub fn total(&self) -> f64 {
        self.plastic + self.viscous + self.damage
    }

    /// Adds a share of another.
    pub fn add(&mut self, weight: f64, other: &Lost) {
        self.plastic += weight * other.plastic;
        self.viscous += weight * other.viscous;
        self.damage += weight * other.damage;
    }
}

/// A law with memory.
pub trait Inelastic {
    /// What it keeps at each point.
    fn history(&self) -> &'static [Quantity];

    /// Are its constants possible?
    fn check(&self) -> Result<(), MaterialError>;

    /// Can cells be of this size [m]?
    fn check_length(&self, _length: f64) -> Result<(), MaterialError> {
        Ok(())
    }

    /// May its stress fall while its strain grows? Then unknowns inside a cell would have several equilibria.
    fn may_soften(&self) -> bool {
        false
    }

    /// Is its tangent so far from symmetric that Newton's method needs the other part, too?
    fn has_skew_tangent(&self) -> bool {
        false
    }

    /// Puts a stress into the numbers of a point that is not strained, if the law can have one.
    fn prestress(&self, _stress: &Vector6<f64>, _history: &mut [f64]) -> bool {
        false
    }

    /// The answer to a step; `old` and `new` are the numbers of [`Inelastic::history`] at its start and its end.
    fn respond(&self, step: &Increment<6>, old: &[f64], new: &mut [f64]) -> Outcome<6>;
}

/// 2 dev: the deviator of a strain in Voigt components (shear γ = 2ε), doubled, as components of a stress.
pub(super) fn twice_deviator() -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| match (i < 3 && j < 3, i == j) {
        (true, true) => 4.0 / 3.0,
        (true, false) => -2.0 / 3.0,
        (false, true) => 1.0,
        (false, false) => 0.0,
    })
}

/// ½ E : C E [J/m³].
pub(super) fn energy(stiffness: &Matrix6<f64>, strain: &Vector6<f64>) -> f64 {
    0.5 * strain.dot(&(stiffness * strain))
}
