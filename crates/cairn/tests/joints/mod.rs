//! Joints that hold and break.

mod bonds;
mod brittle;
mod deformable;
mod delamination;
mod series;
mod springs;
