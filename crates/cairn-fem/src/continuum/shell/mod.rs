//! Solid-shells: hexahedra of eight nodes that are thin along ζ, from their first four nodes to their last four. Sheets that are drawn, plates, shells.
//!
//! Only translations of nodes are unknowns, both faces are real surfaces, laws of three dimensions are taken as they are. The strain is
//!
//! ```text
//!   E = T(ξ) e(u) + M(ξ) α
//! ```
//!
//! with natural strains e (`strain.rs`), T to the axes of the body, and enhanced modes α of the cell, which take no force (`inside.rs`):
//!
//! ```text
//!   M α = T₀ [ (ζ − ζ̄) α₁ ê_ζζ + det J₀/det J (ξ α₂ ê_ξξ + η α₃ ê_ηη + (ξ α₄ + η α₅) ê_ξη) ]
//! ```
//!
//! J₀, T₀ of the centre (its columns ê made unit strains), ζ̄ the mean of ζ over the cell, so that ∫ M = 0 and constant stresses do no work with them. α₁ lets a sheet that is bent become
//! thinner on one side and thicker on the other, as Poisson's ratio asks for; the others let it bend in its own plane. α₁ has no factor det J₀/det J: on a flat
//! sheet of any quadrangles bending then has its exact strain ζ κ. 2 × 2 points in the plane, any number through the thickness, no control of hourglasses.
//!
//! Sources: Klinkel, Gruttmann and Wagner 2006; Schwarze and Reese 2011.
//!
//! | what | where |
//! | --- | --- |
//! | natural strains and their derivatives | `strain.rs` |
//! | force, tangent, energy of a cell | `cell.rs` |
//! | sums over cells, stresses at points | `assemble.rs` |
//! | meshes that can be sheets | `check.rs` |

mod assemble;
mod cell;
mod check;
mod strain;

pub(super) use cell::MODES;
pub(super) use check::check;
pub(super) use strain::Reference;

#[cfg(test)]
mod tests;
