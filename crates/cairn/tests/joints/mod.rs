//! Joints that hold and break.

mod brittle;
mod graphs;
mod springs;
