//! Joints that hold and break.

mod bonds;
mod brittle;
mod graphs;
mod springs;
