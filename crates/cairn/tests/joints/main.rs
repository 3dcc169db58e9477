//! Joints that hold and break.

mod brittle;
mod springs;
#[path = "../support/mod.rs"]
mod support;
