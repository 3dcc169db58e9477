//! The solvers on small and on other people's problems, in one program: what is generic is compiled for them once.

mod boundary;
mod common;
mod formats;
mod joints;
mod matrix_free;
mod own_problems;
mod problem_files;
mod rigid_strategy;
mod rolling;
mod self_stress;
mod solver;
mod watch;
