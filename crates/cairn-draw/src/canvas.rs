//! A figure as a list of shapes in pixels: drawn once, written as SVG or as PNG.
//!
//! x to the right, y downwards, origin at the upper left corner.

use super::DrawError;
use super::colour::Colour;
use super::text::Weight;
use std::path::Path;

/// A point of the figure [pixels].
pub type Pixel = [f64; 2];

/// A line around or along something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Colour.
    pub colour: Colour,
    /// Width [pixels].
    pub width: f64,
    /// Broken into dashes?
    pub dashed: bool,
}

/// A solid line.
pub fn line(colour: Colour, width: f64) -> Line {
    Line { colour, width, dashed: false }
}

/// Which point of a text its position means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Left end of the baseline.
    Start,
    /// Middle of the baseline.
    Middle,
    /// Right end of the baseline.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where its anchor is.
    pub at: Pixel,
    /// What it says.
    pub text: String,
    /// Pixels per em.
    pub size: f64,
    /// Regular or bold.
    pub weight: Weight,
    /// Which point `at` means.
    pub anchor: Anchor,
    /// Colour.
    pub colour: Colour,
    /// Turned to be read from below to above?
    pub upwards: bool,
}

/// A rectangle: left, top, width, height [pixels].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Frame {
    /// Right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }
    /// Lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
    /// Corners, clockwise on the screen.
    pub fn corners(&self) -> Vec<Pixel> {
        vec![[self.x, self.y], [self.right(), self.y], [self.right(), self.bottom()], [self.x, self.bottom()]]
    }
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Polygon, or polyline if not closed.
    Path {
        /// Corners.
        points: Vec<Pixel>,
        /// Joined to its start?
        closed: bool,
        /// Inside.
        fill: Option<Colour>,
        /// Along it.
        stroke: Option<Line>,
    },
    /// Circle.
    Circle {
        /// Centre.
        centre: Pixel,
        /// Radius.
        radius: f64,
        /// Inside.
        fill: Option<Colour>,
        /// Around.
        stroke: Option<Line>,
    },
    /// Text.
    Text(Text),
    /// An opaque image of `width` × `height` pixels, red, green, blue, row by row, its upper left corner at `at`.
    Image {
        /// Upper left corner.
        at: Pixel,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Three bytes per pixel.
        rgb: Vec<u8>,
    },
    /// Items of which only what lies in the frame is seen.
    Clipped {
        /// The window.
        frame: Frame,
        /// What is seen through it.
        items: Vec<Item>,
    },
}

/// A finished picture or plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels].
    pub height: u32,
    /// Behind everything.
    pub paper: Colour,
    /// From back to front.
    pub items: Vec<Item>,
}

impl Picture {
    /// Writes PNG or SVG, as the ending of the path says.
    pub fn write(&self, path: &Path) -> Result<(), DrawError> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let bytes = match ending.as_str() {
            "png" => self.png()?,
            "svg" => self.svg()?.into_bytes(),
            _ => return Err(DrawError::UnknownEnding { path: path.to_path_buf() }),
        };
        put(path, bytes)
    }

    /// Writes a PNG file of at most 256 colours, a third as long or less.
    pub fn write_small(&self, path: &Path) -> Result<(), DrawError> {
        put(path, super::raster::small_png(self)?)
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, DrawError> {
        super::raster::png(self)
    }

    /// The picture as an SVG document.
    pub fn svg(&self) -> Result<String, DrawError> {
        super::svg::document(self)
    }
}

fn put(path: &Path, bytes: Vec<u8>) -> Result<(), DrawError> {
    std::fs::write(path, bytes).map_err(|source| DrawError::Write { path: path.to_path_buf(), source })
}
