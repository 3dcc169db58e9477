//! Saint-Venant–Kirchhoff: linear elasticity between Green–Lagrange strain E and second Piola–Kirchhoff stress S.
//!
//! W = λ/2 (tr E)² + μ E : E, S = λ tr E 1 + 2μ E. Good for large rotations with moderate strain; it softens and fails
//! under strong compression. Plane stress has a closed form, because S₃₃ is linear in E.

use super::Isotropic;

/// Young's modulus and Poisson's ratio at the origin, the only constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaintVenantKirchhoff(pub Isotropic);
