//! Masonry: stages and equilibrium, joints, generators, and limit analysis.

mod earthquake;
mod generators;
mod joints;
mod limit;
mod simplex;
mod stages;
mod tight;
