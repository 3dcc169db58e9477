//! Bodies that a user would put together: grains of very different sizes, unions, drums, triangulated ground.

mod drum;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
mod surface;
mod union;
