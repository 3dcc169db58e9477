//! Non-smooth contact dynamics: exact Signorini contact and Coulomb friction between rigid and deformable bodies, in 2D and 3D.

pub mod body;
pub mod contact;
pub mod detect;
pub mod draw;
pub mod flexible;
pub mod io;
pub mod law;
pub mod measure;
pub mod output;
pub mod run;
pub mod scene;
pub mod shape;
pub mod simulation;
pub mod space;
pub mod state;
pub mod step;
