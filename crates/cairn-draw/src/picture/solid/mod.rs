//! 3D: a depth buffer of exact spheres, flat faces and tubes, sampled 2 × 2 per pixel or finer.
//!
//! Forces are drawn in a buffer of their own and laid over the bodies, which then are pale: tubes in front in full,
//! tubes inside the fainter the deeper they lie.

mod buffer;
pub mod camera;
pub mod floor;
mod shade;

use super::Overlay;
use super::force::Kind;
use super::layout::Layout;
use super::legend::bar_width;
use super::marks::{self, KINDS};
use super::mesh::Placed;
use super::plane::mark_radius;
use super::stage::{Actor, Form, Stage};
use crate::canvas::{Frame, Item};
use crate::colour::{Colour, Theme};
use buffer::Buffer;
use camera::View;
use nalgebra::Vector3;
use shade::{Shading, Surface};

/// The scene as an image in its frame.
pub fn items(stage: &Stage, over: &Overlay, view: &View, layout: &Layout, theme: &Theme) -> Item {
    let fine = if layout.width > 2400.0 { 1 } else { 2 };
    let (width, height) = (layout.scene.width as usize, layout.scene.height as usize);
    let grid = Frame { x: 0.0, y: 0.0, width: (width * fine) as f64, height: (height * fine) as f64 };
    let mut set = Set {
        view,
        grid,
        scale: view.pixels_per_metre(&layout.scene) * fine as f64,
        pixel: fine as f64,
        theme,
        buffer: Buffer::new(width * fine, height * fine),
        surfaces: Vec::new(),
    };
    set.backdrop(stage);
    stage.actors.iter().for_each(|actor| set.actor(actor));
    over.meshes.iter().for_each(|mesh| set.facets(mesh));
    let pen = (0.5 * layout.width / 1200.0 * fine as f64).round().max(1.0) as usize;
    let reach = set.typical_reach(stage);
    let map = over.meshes.iter().find_map(|m| m.scale).map(|s| s.map).unwrap_or_default();
    let shading = Shading { map, surfaces: &set.surfaces, paper: theme.paper, outline: theme.outline, reach, pen };
    let mut colours = shade::colours(&set.buffer, &shading);
    let arms = over.meshes.iter().any(|m| !m.arms.is_empty());
    if !over.bars.bars.is_empty() || !over.marks.is_empty() || arms {
        let tubes = set.tubes(over, layout, fine as f64);
        let kinds = Kind::ALL.map(|k| k.colour(theme));
        let palette = [&kinds[..], &KINDS.map(|(k, _)| marks::colour(k, theme))].concat();
        lay_over(&mut colours, &set.buffer, &tubes, &palette, reach);
    }
    let rgb = averaged(&colours, width, height, fine);
    Item::Image { at: [layout.scene.x, layout.scene.y], width: width as u32, height: height as u32, rgb }
}

/// How much of light and shade floors and walls show: they stay in the background.
const BACKDROP: f32 = 0.4;

/// What is being filled.
struct Set<'a> {
    view: &'a View,
    /// The frame in samples.
    grid: Frame,
    /// Samples per metre.
    scale: f64,
    /// Samples per pixel, each way.
    pixel: f64,
    theme: &'a Theme,
    buffer: Buffer,
    surfaces: Vec<Surface>,
}

impl Set<'_> {
    fn at(&self, p: &Vector3<f64>) -> [f64; 3] {
        self.view.pixel(p, &self.grid, self.scale)
    }

    fn surface(&mut self, colour: Colour, ink: f64, relief: f32) -> u32 {
        self.surfaces.push(Surface { colour, ink: ink as f32, relief, crease: false });
        self.surfaces.len() as u32
    }

    /// Outlines fade out on bodies of a few pixels, which they would blacken.
    fn ink(&self, radius: f64) -> f64 {
        0.85 * ((radius * self.scale / self.pixel - 2.0) / 6.0).clamp(0.0, 1.0)
    }

    /// Radius of neighbourhood shade [samples]: about the size of a body.
    fn typical_reach(&self, stage: &Stage) -> f64 {
        let mut radii: Vec<f64> = stage
            .actors
            .iter()
            .filter_map(|a| match &a.form {
                Form::Ball { radius, .. } => Some(*radius),
                Form::Mesh { vertices, .. } => {
                    vertices.first().map(|v| vertices.iter().map(|w| 0.5 * (w - v).norm()).fold(0.0, f64::max))
                }
                _ => None,
            })
            .collect();
        radii.sort_by(f64::total_cmp);
        let middle = radii.get(radii.len() / 2).copied().unwrap_or(0.0) * self.scale;
        middle.clamp(6.0 * self.pixel, 40.0 * self.pixel)
    }

    /// Faces of half-spaces and cylinders that are turned to the viewer.
    fn backdrop(&mut self, stage: &Stage) {
        let plain = self.theme.obstacle.mix(self.theme.paper, 0.62);
        let ruled = self.theme.obstacle.mix(self.theme.paper, 0.25);
        for floor in floor::floors(stage).iter().filter(|f| f.is_seen(self.view)) {
            let seen = self.view.direction(&floor.normal);
            let face = self.surface(plain, 0.0, BACKDROP);
            let corners: Vec<[f64; 3]> = floor.corners.iter().map(|c| self.at(c)).collect();
            self.buffer.polygon(&corners, seen, face);
            let rule = self.surface(ruled, 0.0, BACKDROP);
            for [a, b] in &floor.lines {
                let ends = [self.at(a), self.at(b)];
                self.rule(ends, seen, rule);
            }
        }
        for actor in &stage.actors {
            if let Form::Hollow { centre, axis, radius } = &actor.form {
                let wall = self.surface(self.theme.obstacle.mix(self.theme.paper, 0.5), 0.7, BACKDROP);
                for (corners, inward) in floor::cylinder(centre, axis, *radius, &stage.bounds) {
                    let corners = corners.map(|c| self.at(&c));
                    self.buffer.polygon(&corners, self.view.direction(&inward), wall);
                }
            }
        }
    }

    /// A thin line on a face, as a narrow strip just in front of it.
    fn rule(&mut self, ends: [[f64; 3]; 2], normal: Vector3<f64>, surface: u32) {
        let [a, b] = ends.map(|[x, y, z]| [x, y, z + 0.5]);
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = (dx * dx + dy * dy).sqrt().max(1e-9);
        let side = [-0.4 * self.pixel * dy / length, 0.4 * self.pixel * dx / length];
        let push = |p: [f64; 3], s: f64| {
            let (across, down) = (s * side[0], s * side[1]);
            [p[0] + across, p[1] + down, p[2] - (normal.x * across - normal.y * down) / normal.z]
        };
        self.buffer.polygon(&[push(a, 1.0), push(b, 1.0), push(b, -1.0), push(a, -1.0)], normal, surface);
    }

    fn actor(&mut self, actor: &Actor) {
        let colour = actor.colour;
        match &actor.form {
            Form::Ball { centre, radius, .. } => {
                let surface = self.surface(colour, self.ink(*radius), 1.0);
                let at = self.at(centre);
                self.buffer.sphere(at, radius * self.scale, surface);
            }
            Form::Mesh { vertices, faces, closed } => self.mesh(vertices, faces, *closed, colour),
            Form::HalfSpace { .. } | Form::Hollow { .. } => {}
        }
    }

    /// Each face of a block is a surface of its own, so that edges are drawn; a triangulated surface is one.
    fn mesh(&mut self, vertices: &[Vector3<f64>], faces: &[Vec<u32>], closed: bool, colour: Colour) {
        let placed: Vec<[f64; 3]> = vertices.iter().map(|v| self.at(v)).collect();
        let Some(first) = vertices.first() else { return };
        let reach = vertices.iter().map(|v| 0.5 * (v - first).norm()).fold(0.0, f64::max);
        let ink = self.ink(reach);
        let mut surface = self.surface(colour, ink, 1.0);
        for face in faces {
            let Some(corners) = face.iter().map(|&k| placed.get(k as usize).copied()).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let mut normal = area(&corners);
            if !closed && normal.z < 0.0 {
                normal = -normal;
            }
            let Some(normal) = normal.try_normalize(0.0) else { continue };
            if closed {
                surface = self.surface(colour, ink, 1.0);
            }
            self.buffer.polygon(&corners, normal, surface);
        }
    }

    /// A mesh with values: one surface with creases, its element edges as hairlines just in front.
    fn facets(&mut self, mesh: &Placed) {
        let placed: Vec<[f64; 3]> = mesh.nodes.iter().map(|v| self.at(v)).collect();
        let skin = self.surface(self.theme.body, 0.85, 1.0);
        self.surfaces[skin as usize - 1].crease = true;
        for (facet, values) in &mesh.facets {
            let corners = facet.map(|n| placed[n as usize]);
            if let Some(normal) = area(&corners).try_normalize(0.0) {
                self.buffer.triangle(&corners, normal, values, skin);
            }
        }
        let hair = self.surface(self.theme.outline.mix(self.theme.body, 0.35), 0.0, 0.2);
        for edge in &mesh.edges {
            let [a, b] = edge.map(|n| placed[n as usize]).map(|[x, y, z]| [x, y, z + 0.4 * self.pixel]);
            self.buffer.tube(a, b, 0.0, hair);
        }
    }

    /// Forces, contact points and crosses, in a buffer of their own; surfaces are numbered as the palette.
    fn tubes(&self, over: &Overlay, layout: &Layout, fine: f64) -> Buffer {
        let mut tubes = Buffer::new(self.buffer.width, self.buffer.height);
        for bar in &over.bars.bars {
            let radius = 0.5 * fine * bar_width(over.bars, bar.force, self.scale / fine, layout);
            // Thousands of hair-thin tubes would only tint the picture.
            if radius < 0.4 {
                continue;
            }
            for ends in bar.points.windows(2) {
                tubes.tube(self.at(&ends[0]), self.at(&ends[1]), radius, 1 + bar.kind as u32);
            }
        }
        let radius = fine * mark_radius(over.bars.thickness * self.scale / fine, layout);
        for mark in over.marks {
            tubes.sphere(self.at(&mark.at), radius, 1 + Kind::ALL.len() as u32 + mark.kind as u32);
        }
        for (ends, pulls) in over.meshes.iter().flat_map(|m| &m.arms) {
            let kind = if *pulls { Kind::Tension } else { Kind::Strong };
            tubes.tube(self.at(&ends[0]), self.at(&ends[1]), 0.7 * self.pixel, 1 + kind as u32);
        }
        tubes
    }
}

/// Twice the area of a polygon along its normal (right, up, towards viewer), from corners in samples.
fn area(corners: &[[f64; 3]]) -> Vector3<f64> {
    let upright = |c: &[f64; 3]| Vector3::new(c[0], -c[1], c[2]);
    let Some(origin) = corners.first().map(upright) else { return Vector3::zeros() };
    corners.windows(2).map(|w| (upright(&w[0]) - origin).cross(&(upright(&w[1]) - origin))).sum()
}

/// Tubes over bodies: opaque in front, fading inside over the reach of a few bodies.
fn lay_over(colours: &mut [[f32; 3]], bodies: &Buffer, tubes: &Buffer, palette: &[Colour], reach: f64) {
    for ((colour, body), tube) in colours.iter_mut().zip(&bodies.samples).zip(&tubes.samples) {
        let Some(own) = palette.get((tube.surface as usize).wrapping_sub(1)) else { continue };
        let depth = ((body.depth - tube.depth).max(0.0) as f64 / (3.0 * reach)) as f32;
        let share = if depth > 0.0 { 0.1 + 0.75 * (-depth).exp() } else { 1.0 };
        let light = shade::brightness(tube.normal);
        for (channel, full) in colour.iter_mut().zip(own.rgb) {
            let lit = (full as f32 * light).min(255.0);
            *channel += (lit - *channel) * share;
        }
    }
}

/// Mean of the samples of each pixel.
fn averaged(colours: &[[f32; 3]], width: usize, height: usize, fine: usize) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0f32; 3];
            for sy in 0..fine {
                for sx in 0..fine {
                    let sample = &colours[(y * fine + sy) * width * fine + x * fine + sx];
                    (0..3).for_each(|k| sum[k] += sample[k]);
                }
            }
            rgb.extend(sum.map(|s| (s / (fine * fine) as f32).round() as u8));
        }
    }
    rgb
}
