//! Measures read off a state: energies, resultants, numbers of chosen bodies, joints, fabric, statistics of forces, moment tensors, profiles.

mod assembly;
mod chosen;
mod energy;
mod fabric;
pub mod flexible;
mod folded;
mod forces;
mod joint;
mod moment;
mod pressure;
mod profile;
mod resultant;
mod slip;
mod stress;

pub use assembly::{Assembly, assembly};
pub use chosen::{chosen_columns, chosen_values};
pub use energy::{balance_error, kinetic_energy, potential_energy, spin_energy, strain_energy};
pub use fabric::{anisotropy, fabric, rose};
pub use folded::folded;
pub use forces::{Tail, density, normal_forces, tail};
pub use joint::{Joint, joints, thrust_line, thrust_pieces};
pub use moment::{moment_tensor, moment_tensors, principal};
pub use pressure::contact_pressures;
pub use profile::{Slice, velocity_profile};
pub use resultant::resultant;
pub use slip::{Slip, slips};
pub use stress::{mean_stress, nodal_strains, nodal_stresses, remembered};
