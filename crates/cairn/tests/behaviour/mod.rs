//! Bodies that a user would put together: grains of very different sizes, unions, drums, triangulated ground.

mod drum;
mod sizes;
mod surface;
mod union;
