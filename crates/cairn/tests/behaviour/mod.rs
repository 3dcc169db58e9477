//! Bodies that a user would put together: grains of very different sizes, unions, drums, triangulated ground.

mod contract;
mod drum;
mod fast;
mod rolling;
mod sizes;
mod surface;
mod union;
mod warnings;
mod weakening;
mod wedged;
