//! Measures read off a state: energies, resultants.

mod energy;
mod resultant;

pub use energy::{balance_error, kinetic_energy, potential_energy, spin_energy};
pub use resultant::resultant;
