//! Frictional contact problems in local form: U = U_free + W R, Signorini's condition and Coulomb's law.
//!
//! This crate knows no body, mesh or scene: only masses that exchange impulses, and contacts between them.

pub mod problem;
