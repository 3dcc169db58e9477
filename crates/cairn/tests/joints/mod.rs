//! Joints that hold and break.

mod brittle;
mod deformable;
mod delamination;
mod graphs;
mod springs;
