//! Masonry: stages and equilibrium, joints, generators, and limit analysis.

#[path = "../support/mod.rs"]
mod support;

mod earthquake;
mod generators;
mod joints;
mod limit;
mod simplex;
mod stages;
