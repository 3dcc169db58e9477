//! Frictional contact problems in local form: U = U_free + W R, Signorini's condition and Coulomb's law.
//!
//! This crate knows no body, mesh or scene: only masses that exchange impulses, and contacts between them.

pub mod answer;
pub mod boundary;
pub mod clock;
pub mod condense;
pub mod cone;
pub mod csc;
pub mod delassus;
pub mod discrete;
mod driven;
pub mod format;
pub mod joint;
pub mod local;
pub mod matrix_free;
mod moments;
pub mod nlgs;
pub mod problem;
pub mod report;
pub mod residual;
pub mod rolling;
pub mod solver;
pub mod strategy;
mod swept;
pub mod verdict;
pub mod watch;
