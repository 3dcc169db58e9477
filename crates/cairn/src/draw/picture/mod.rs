//! A picture of a state: bodies coloured by a field, contact forces as bars, legends with units.

mod bounds;
mod field;
mod force;
mod layout;
mod legend;
mod plane;
mod solid;
mod stage;

pub use field::Field;

use super::canvas::Picture;
use super::colour::{DARK, LIGHT, Theme};
use crate::body::Motion;
use crate::contact::Reaction;
use crate::scene::Scene;
use crate::space::{Ambient, Space};

/// Light for print, dark for slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Background {
    /// White.
    #[default]
    Light,
    /// Nearly black.
    Dark,
}

/// From where a picture is taken. The view is parallel (no perspective), so lengths can be read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Direction of the viewer about the vertical, counted from the x axis [degrees]; 3D only.
    pub azimuth: f64,
    /// Direction of the viewer above the horizon [degrees]; 3D only.
    pub elevation: f64,
    /// 1 shows all bounded bodies, 2 is twice as close.
    pub zoom: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { azimuth: -60.0, elevation: 22.0, zoom: 1.0 }
    }
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureOptions {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels]; follows from the scene if not given.
    pub height: Option<u32>,
    /// What colours the bodies.
    pub field: Field,
    /// Ends of the colour scale, in the field's SI unit; from the values if not given.
    pub range: Option<(f64, f64)>,
    /// Draw contact forces?
    pub forces: bool,
    /// Point of view.
    pub camera: Camera,
    /// Light or dark.
    pub background: Background,
    /// Write title and time?
    pub title: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            width: 1200,
            height: None,
            field: Field::None,
            range: None,
            forces: true,
            camera: Camera::default(),
            background: Background::Light,
            title: true,
        }
    }
}

impl PictureOptions {
    fn theme(&self) -> Theme {
        match self.background {
            Background::Light => LIGHT,
            Background::Dark => DARK,
        }
    }
}

/// Draws the bodies of `scene` where `motions` puts them at `time`, and the `reactions` of the last step.
/// Bodies whose position is not finite are left out, and the picture says so.
pub fn picture<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
    time: f64,
    options: &PictureOptions,
) -> Picture
where
    Space<D>: Ambient<D>,
{
    let theme = options.theme();
    let bars = if options.forces { force::bars(scene, motions, reactions) } else { force::Bars::default() };
    let mut paint = field::paint(scene, motions, reactions, options, &theme);
    if D == 3 && !bars.bars.is_empty() {
        paint = paint.faded(theme.paper, if options.field == Field::None { 0.45 } else { 0.25 });
    }
    let stage = stage::Stage::new(scene, motions, &paint.colours);
    let view = solid::camera::View::new(&stage, &options.camera, D);
    let layout = layout::Layout::new(options, &view.extent, &paint, &bars);
    let scale = view.pixels_per_metre(&layout.scene);
    let drawn = match D {
        2 => plane::items(&stage, &bars, &view, &layout, &theme),
        _ => solid::items(&stage, &bars, &view, &layout, &theme),
    };
    let mut items = vec![drawn];
    if options.title {
        items.extend(layout.heading(&scene.title, time, &theme));
    }
    items.extend(layout.foot(scale, stage.lost, &theme));
    items.extend(legend::items(&layout, &paint, &bars, scale, &theme));
    Picture { width: layout.width as u32, height: layout.height as u32, paper: theme.paper, items }
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
