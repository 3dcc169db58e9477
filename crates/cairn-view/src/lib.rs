//! The viewer: a page served on loopback, and the same page as one file.
//!
//! ```text
//! folder or scene ─ source ─▶ model, frame, skin ─ bundle ─▶ server ─▶ page
//!                                                        └─▶ export ─▶ FILE.html
//! ```

pub mod assets;
pub mod bundle;
pub mod export;
pub mod frame;
pub mod guard;
pub mod model;
pub mod outline;
pub mod server;
pub mod skin;
pub mod source;
#[cfg(test)]
mod testing;
pub mod times;

pub use export::Embedded;
pub use frame::Wanted;
pub use server::{Options, serve};
pub use source::{Source, SourceError};
pub use times::Choice;
