//! Joints that hold and break.

mod brittle;
mod fracture;
mod graphs;
mod springs;
#[path = "../support/mod.rs"]
mod support;
