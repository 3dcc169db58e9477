//! The generic tests that every pair of shapes has to pass.
