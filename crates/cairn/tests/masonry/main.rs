//! Masonry: stages and equilibrium, joints, generators, and limit analysis.

#[path = "../support/mod.rs"]
mod support;

mod generators;
mod joints;
mod stages;
