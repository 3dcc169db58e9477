//! Bodies that a user would put together: grains of very different sizes, unions, drums, triangulated ground.

mod contract;
mod drum;
mod rolling;
mod sizes;
mod surface;
mod union;
