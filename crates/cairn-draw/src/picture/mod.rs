//! A picture of a state: bodies coloured by a field, contact forces as bars, legends with units.

mod bounds;
mod field;
mod flexible;
mod force;
mod layout;
mod legend;
mod marks;
mod mesh;
mod plane;
mod select;
mod solid;
mod stage;

pub use bounds::Bounds;
pub use field::Field;
pub use flexible::{meshes, values as nodal_values};
pub use force::Strokes;
pub use mesh::{Cross, MeshValues, MeshView, Meshes};
pub use select::Selection;

use super::canvas::Picture;
use super::colour::{ColourMap, DARK, LIGHT, Theme};
use cairn::body::Motion;
use cairn::contact::Reaction;
use cairn::scene::Scene;
use cairn::space::{Ambient, Space};

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

/// What the pictures of a series share, so that sizes and colours mean the same in all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// Smallest and largest value of the field, zero included, SI.
    pub range: (f64, f64),
    /// The largest contact force [N].
    pub largest_force: f64,
    /// What has to be seen.
    pub bounds: Bounds,
}

impl Shared {
    /// Of one state.
    pub fn of<const D: usize>(
        scene: &Scene<D>,
        motions: &[Motion<D>],
        fields: &[cairn::flexible::Field],
        reactions: &[Reaction<D>],
        options: &PictureOptions,
    ) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let shown = options.bodies.shown(scene);
        let values = field::values(options.field, scene, motions, reactions);
        let free = scene.bodies.iter().zip(&shown).zip(values).filter(|((b, shown), _)| **shown && !b.is_obstacle());
        let forces = force::bars(scene, motions, reactions, false, None);
        let stage = stage::Stage::new(scene, motions, &vec![LIGHT.body; scene.bodies.len()], &shown);
        let meshes = flexible::meshes(scene, fields, reactions, options);
        let nodal = meshes.views.iter().flat_map(|view| match &view.values {
            MeshValues::Nodes(values) | MeshValues::Facets(values) => values.clone(),
            MeshValues::None => Vec::new(),
        });
        let range = field::extremes(free.map(|(_, v)| v).chain(nodal));
        let mut bounds = stage.bounds;
        bounds.merge(&mesh::bounds(&mesh::place(&meshes, None)));
        Self { range, largest_force: forces.largest, bounds }
    }

    /// Of two.
    pub fn merged(mut self, other: &Self) -> Self {
        self.range = (self.range.0.min(other.range.0), self.range.1.max(other.range.1));
        self.largest_force = self.largest_force.max(other.largest_force);
        self.bounds.merge(&other.bounds);
        self
    }
}

/// What is drawn over and beside the rigid bodies.
struct Overlay<'a> {
    bars: &'a force::Bars,
    marks: &'a [marks::Mark],
    meshes: &'a [mesh::Placed],
}

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureOptions {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels]; follows from the scene if not given.
    pub height: Option<u32>,
    /// What colours the bodies.
    pub field: Field,
    /// Ends of the colour scale, in the field's SI unit; from the values if not given.
    pub range: Option<(f64, f64)>,
    /// Logarithmic colour scale?
    pub log: bool,
    /// Colours of values.
    pub colours: ColourMap,
    /// Draw contact forces?
    pub forces: bool,
    /// Tell forces above the mean from those below it?
    pub split: bool,
    /// Lines drawn instead of contact forces.
    pub strokes: Option<Strokes>,
    /// Draw contact points by status?
    pub contacts: bool,
    /// Which bodies are shown.
    pub bodies: Selection,
    /// What the pictures of a series share.
    pub shared: Option<Shared>,
    /// Displacements of deformable bodies are multiplied by this.
    pub magnification: f64,
    /// Draw the principal directions of the mean stress of deformable bodies?
    pub crosses: bool,
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
            log: false,
            colours: ColourMap::default(),
            forces: true,
            split: false,
            strokes: None,
            contacts: false,
            bodies: Selection::default(),
            shared: None,
            magnification: 1.0,
            crosses: false,
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
    picture_with_meshes(scene, motions, reactions, &Meshes::default(), time, options)
}

/// The same with deformable bodies. Their values, if they have any, take the colour scale; rigid bodies then are plain.
pub fn picture_with_meshes<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    reactions: &[Reaction<D>],
    meshes: &Meshes,
    time: f64,
    options: &PictureOptions,
) -> Picture
where
    Space<D>: Ambient<D>,
{
    let theme = options.theme();
    let mut options = options.clone();
    if let (None, Some(shared)) = (options.range, options.shared) {
        options.range = series_range(&shared, options.log);
    }
    let shown = options.bodies.shown(scene);
    let both = |r: &&Reaction<D>| r.contact.bodies.iter().all(|&b| shown.get(b as usize).copied().unwrap_or(true));
    let reactions: Vec<Reaction<D>> = reactions.iter().filter(both).cloned().collect();

    let mesh_scale = mesh::scale(meshes, &options);
    if mesh_scale.is_some() {
        options.field = Field::None;
    }
    let bars = match (&options.strokes, options.forces) {
        (Some(strokes), _) => force::of_strokes(scene, strokes),
        (None, true) => force::bars(scene, motions, &reactions, options.split, options.shared.as_ref()),
        (None, false) => force::Bars { thickness: force::thickness(scene), ..Default::default() },
    };
    let marks = if options.contacts { marks::marks(&reactions) } else { vec![] };
    let mut paint = field::paint(scene, motions, &reactions, &options, &shown, &theme);
    if D == 3 && !(bars.bars.is_empty() && marks.is_empty()) {
        paint = paint.faded(theme.paper, if options.field == Field::None { 0.45 } else { 0.25 });
    }
    if let Some(scale) = mesh_scale {
        let (name, unit) = (meshes.name.clone(), meshes.unit.clone());
        paint.key = field::Key::Scale { name, unit, whole: false, scale, paper_share: 0.0 };
    }
    let placed = mesh::place(meshes, mesh_scale);
    let overlay = Overlay { bars: &bars, marks: &marks, meshes: &placed };

    let mut stage = stage::Stage::new(scene, motions, &paint.colours, &shown);
    stage.hold(&mesh::bounds(&placed), options.shared.map(|s| s.bounds));
    let view = solid::camera::View::new(&stage, &options.camera, D);
    let layout = layout::Layout::new(&options, &view.extent, &paint, &bars, &marks);
    let scale = view.pixels_per_metre(&layout.scene);
    let drawn = match D {
        2 => plane::items(&stage, &overlay, &view, &layout, &theme),
        _ => solid::items(&stage, &overlay, &view, &layout, &theme),
    };
    let mut items = vec![drawn];
    if options.title {
        items.extend(layout.heading(&scene.title, (time, scene.time.unit), &theme));
    }
    items.extend(layout.foot(scale, stage.lost, &theme));
    items.extend(legend::items(&layout, &paint, &bars, &marks, scale, &theme));
    Picture { width: layout.width as u32, height: layout.height as u32, paper: theme.paper, items }
}

/// Ends of the colour scale of a series.
fn series_range(shared: &Shared, log: bool) -> Option<(f64, f64)> {
    let (low, high) = shared.range;
    let top = high.max(-low);
    let bottom = if log { 1e-3 * top } else { -top * f64::from(low < 0.0) };
    (top > 1e-290).then_some((bottom, top))
}

#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
