//! Joints that hold and break.

mod brittle;
mod graphs;
mod springs;
#[path = "../support/mod.rs"]
mod support;
