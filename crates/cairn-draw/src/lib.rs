//! Pictures of a state and plots of histories, drawn by the program itself: no display, browser, GPU or system fonts.
//!
//! [`picture`] draws bodies and contact forces in 2D and 3D; [`plot`] and [`history_plot`] draw curves. Each gives a
//! [`Picture`], a list of shapes in pixels, which writes itself as PNG or SVG.

mod canvas;
mod colour;
mod gif;
mod number;
mod palette;
mod picture;
mod plot;
mod raster;
mod svg;
mod text;

pub use canvas::Picture;
pub use colour::ColourMap;
pub use gif::{Gif, Pixels};
pub use number::short as short_number;
pub use picture::{Background, Bounds, Camera, Field, PictureOptions, Selection, Shared, Strokes, picture};
pub use picture::{Cross, MeshValues, MeshView, Meshes, meshes, nodal_values, picture_with_meshes};
pub use plot::{Axis, Panel, PlotData, PlotOptions, Rose, Series, Style, history_plot, plot, rose};

use std::path::PathBuf;

/// A picture that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The ending of the path says neither PNG nor SVG.
    #[error("cannot tell the format of {}: the name must end in .png or .svg", path.display())]
    UnknownEnding {
        /// The path given.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot write {}", path.display())]
    Write {
        /// The path given.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Width or height is zero or too large.
    #[error("a picture needs at least one pixel each way, and no more than memory holds")]
    Size,
    /// The PNG encoder failed.
    #[error("cannot encode the PNG")]
    Png(#[source] png::EncodingError),
}
