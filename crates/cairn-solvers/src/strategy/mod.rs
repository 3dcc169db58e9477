//! Which method, and when: for rigid bodies alone ([`rigid`]), and where deformable bodies take part ([`stored`]).
//!
//! Both begin with the same sweeps ([`crate::matrix_free`]) and measure by the same residual. They are two because of what pays when
//! sweeps do not come to an end, which depends on what is known of how bodies respond:
//!
//! * Rigid bodies have six unknowns and a mass matrix each, and many contacts: W would have ten to a hundred times as many numbers as the
//!   matrix over bodies. So the proximal point, splitting and the interior point go over bodies, and W is never formed.
//! * Deformable bodies answer through Hᵀ M̂⁻¹ H of their contacts, which is W, formed anyway, and by nothing smaller. So the portfolio on the
//!   stored W follows.
//!
//! Where both are there, contacts on deformable bodies are swept with their rows of Hᵀ M̂⁻¹ H beside the rigid ones, and W is formed only if
//! a good part of the contacts is on deformable bodies, or few are on rigid ones.

pub mod rigid;
pub mod stored;
