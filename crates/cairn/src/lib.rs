//! Non-smooth contact dynamics: exact Signorini contact and Coulomb friction between rigid and deformable bodies, in 2D and 3D.
//!
//! A [`Document`](scene::Document) has the keys of a scene: from a TOML text or file, or set one by one. An
//! [`AnySimulation`](any::AnySimulation) runs it. An arch of 21 voussoirs under its own weight:
//!
//! ```
//! use cairn::any::AnySimulation;
//! use cairn::run::Go;
//! use cairn::scene::{Document, Node};
//! use std::convert::Infallible;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The scene, key by key: names are those of a scene file.
//! let mut scene = Document::new();
//! scene.set("dimension", 2)?.set("materials.stone.density", 2500.0)?;
//! scene.set("contact[0].between", ["stone", "stone"])?.set("contact[0].friction", 0.7)?;
//! scene.set("gravity.acceleration", [0.0, -9.81])?;
//! scene.set("time.step", 2e-3)?.set("time.end", 0.2)?;
//! scene.push("generate", Node::table([
//!     ("kind", Node::from("arch")),
//!     ("name", "arch".into()),
//!     ("material", "stone".into()),
//!     ("voussoirs", 21.into()),
//!     ("radius", 1.0.into()),
//!     ("thickness", 0.15.into()),
//! ]))?;
//!
//! // As text it is a scene file, and reading that gives the same scene.
//! let again = Document::from_toml(&scene.to_toml(), "arch.toml", ".".as_ref())?;
//! assert!(again == scene);
//!
//! // Run: the callback may look, change something, stop or fail.
//! let (mut arch, _warnings) = AnySimulation::new(&scene)?;
//! arch.run(None, |arch| Ok::<_, Infallible>(if arch.time() > 0.1 { Go::Stop } else { Go::On }))?;
//!
//! // Read: the supports, which are fixed, carry the weight of the voussoirs.
//! let supports = arch.bodies("arch.supports")?;
//! let weight = 2500.0 * 9.81 * std::f64::consts::PI / 2.0 * (1.075_f64.powi(2) - 0.925_f64.powi(2));
//! assert!((arch.resultant(&supports)[1] + weight).abs() < 0.05 * weight);
//! let forces = arch.view("contact forces")?;
//! assert_eq!((&*forces.unit, forces.shape[1]), ("N", 2));
//!
//! // Save, restore: the same future, bit for bit.
//! let mut restored = AnySimulation::restore(&arch.save()?)?;
//! arch.run(None, |_| Ok::<_, Infallible>(Go::On))?;
//! restored.run(None, |_| Ok::<_, Infallible>(Go::On))?;
//! assert_eq!(arch.view("positions")?, restored.view("positions")?);
//! # Ok(())
//! # }
//! ```

pub mod any;
pub mod body;
pub mod contact;
pub mod detect;
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
pub mod threads;

/// The examples of the page for programs that use the library, so that they stay true.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
