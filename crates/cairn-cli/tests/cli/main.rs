//! The program as a user has it: the real binary on small scenes. What `run`, `resume`, `check`, `picture` and `plot`
//! promise about folders, kills, threads, failures and bad input.

mod damage;
mod drawing;
mod errors;
mod failures;
mod folders;
mod kills;
mod problems;
mod program;
mod scenes;
mod studies;
mod threads;
