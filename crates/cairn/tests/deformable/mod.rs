//! Deformable bodies among others: on rigid ones, under them, on themselves; the same bits and the same files again.

mod again;
mod bent;
mod corners;
mod crushed;
mod fall;
mod fast;
mod fault;
mod fictitious;
mod files;
mod itself;
mod local_solvers;
mod memory;
mod mixed;
mod pressed;
mod pressure;
mod rigid;
mod rigid_modes;
mod shock;
