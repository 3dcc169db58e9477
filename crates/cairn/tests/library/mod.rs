//! The library as programs use it: scenes as documents, simulations of either dimension.

mod documents;
mod simulations;
