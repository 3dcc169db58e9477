//! Contact detection.

pub mod pair;
