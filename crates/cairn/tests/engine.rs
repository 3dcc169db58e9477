//! The engine on whole scenes. One program holds all of these tests: what is generic in the dimension is then compiled
//! for them once, which takes most of the time that building tests takes.

mod behaviour;
mod conservation;
mod deformable;
mod joints;
mod laboratory;
mod library;
mod masonry;
mod scene_fuzz;
mod scene_schema;
mod scenes;
mod support;
