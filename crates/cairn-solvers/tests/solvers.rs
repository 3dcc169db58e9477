//! The solvers on small and on other people's problems, in one program: what is generic is compiled for them once.

mod boundary;
mod collection;
mod common;
mod exchange;
mod formats;
mod joints;
mod own_problems;
mod problem_files;
mod rolling;
mod self_stress;
mod solver;
mod watch;
