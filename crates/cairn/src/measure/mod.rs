//! Measures read off a state: energies, resultants.

mod energy;
pub mod flexible;
mod resultant;

pub use energy::{balance_error, kinetic_energy, potential_energy, spin_energy, strain_energy};
pub use resultant::resultant;
