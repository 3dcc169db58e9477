//! 2D: outlines in the plane, from obstacles in the back to forces in front.

use super::Overlay;
use super::layout::Layout;
use super::legend::bar_width;
use super::marks;
use super::mesh;
use super::solid::camera::View;
use super::stage::{Actor, Form, Stage};
use crate::canvas::{Frame, Item, Line, Pixel, line};
use crate::colour::{Theme, WHITE};
use nalgebra::Vector3;

/// The scene, seen through its frame.
pub fn items(stage: &Stage, over: &Overlay, view: &View, layout: &Layout, theme: &Theme) -> Item {
    let sheet = Sheet { view, scale: view.pixels_per_metre(&layout.scene), layout, theme };
    let mut items = Vec::new();
    let unbounded = |a: &&Actor| matches!(a.form, Form::HalfSpace { .. } | Form::Hollow { .. });
    for actor in stage.actors.iter().filter(unbounded) {
        sheet.obstacle(&mut items, actor);
    }
    for body in stage.actors.chunk_by(|a, b| a.body == b.body) {
        let parts: Vec<&Actor> = body.iter().filter(|a| !unbounded(a)).collect();
        sheet.body(&mut items, &parts);
    }
    for mesh in over.meshes {
        items.extend(mesh::plane::items(mesh, &|p| sheet.pixel(p), layout, theme));
    }
    let bars = over.bars;
    for bar in &bars.bars {
        let points: Vec<Pixel> = bar.points.iter().map(|p| sheet.pixel(p)).collect();
        let stroke = line(bar.kind.colour(theme), bar_width(bars, bar.force, sheet.scale, layout));
        items.push(Item::Path { points, closed: false, fill: None, stroke: Some(stroke) });
    }
    let radius = mark_radius(bars.thickness * sheet.scale, layout);
    for mark in over.marks {
        let (fill, edge) = (marks::colour(mark.kind, theme), line(theme.paper, 0.25 * radius));
        items.push(Item::Circle { centre: sheet.pixel(&mark.at), radius, fill: Some(fill), stroke: Some(edge) });
    }
    Item::Clipped { frame: layout.scene, items }
}

/// Radius of a contact point [pixels]: a share of a body, within what can be seen and does not cover all.
pub fn mark_radius(thickness: f64, layout: &Layout) -> f64 {
    (0.4 * thickness).clamp(0.08 * layout.font, 0.32 * layout.font)
}

struct Sheet<'a> {
    view: &'a View,
    /// Pixels per metre.
    scale: f64,
    layout: &'a Layout,
    theme: &'a Theme,
}

impl Sheet<'_> {
    fn pixel(&self, p: &Vector3<f64>) -> Pixel {
        let [x, y, _] = self.view.pixel(p, &self.layout.scene, self.scale);
        [x, y]
    }

    fn outline(&self, size: f64) -> Option<Line> {
        let width = (1.3 * self.layout.thin).min(0.12 * size);
        (width > 0.05).then(|| line(self.theme.outline, width))
    }

    fn obstacle(&self, items: &mut Vec<Item>, actor: &Actor) {
        let edge = Some(line(self.theme.outline, 1.5 * self.layout.thin));
        let fill = self.theme.obstacle.mix(self.theme.paper, 0.45);
        match &actor.form {
            Form::HalfSpace { origin, normal } => {
                let (at, outward) = (self.pixel(origin), [normal.x, -normal.y]);
                let points = cut(&self.layout.scene, at, outward);
                items.push(Item::Path { points, closed: true, fill: Some(fill), stroke: edge });
            }
            Form::Hollow { centre, radius, .. } => {
                let (centre, inner) = (self.pixel(centre), radius * self.scale);
                let wall = 0.035 * inner;
                let ring = Some(line(fill, wall));
                items.push(Item::Circle { centre, radius: inner + 0.5 * wall, fill: None, stroke: ring });
                for radius in [inner, inner + wall] {
                    items.push(Item::Circle { centre, radius, fill: None, stroke: edge });
                }
            }
            _ => {}
        }
    }

    /// Where a body has several parts, their outlines go first, so that only the outline of the union is left.
    fn body(&self, items: &mut Vec<Item>, parts: &[&Actor]) {
        if let [one] = parts {
            items.extend(self.part(one, true, true));
            items.extend(self.spoke(one));
            return;
        }
        parts.iter().for_each(|p| items.extend(self.part(p, true, false)));
        parts.iter().for_each(|p| items.extend(self.part(p, false, true)));
    }

    fn part(&self, actor: &Actor, edges: bool, inside: bool) -> Vec<Item> {
        let fill = inside.then_some(actor.colour);
        match &actor.form {
            Form::Ball { centre, radius, .. } => {
                let radius = radius * self.scale;
                let stroke = if edges { self.outline(radius) } else { None };
                vec![Item::Circle { centre: self.pixel(centre), radius, fill, stroke }]
            }
            Form::Mesh { vertices, faces, closed } => {
                let corner = |&k: &u32| vertices.get(k as usize).map(|v| self.pixel(v));
                let outlines = faces.iter().map(|f| f.iter().filter_map(corner).collect::<Vec<Pixel>>());
                let filled = *closed && vertices.len() > 2;
                let face = |points: Vec<Pixel>| {
                    let thick = Some(line(self.theme.outline, 2.2 * self.layout.thin));
                    let stroke = if !filled { thick } else { self.outline(reach(&points)) };
                    let (fill, stroke) = (fill.filter(|_| filled), stroke.filter(|_| edges));
                    Item::Path { points, closed: filled, fill, stroke }
                };
                outlines.filter(|o| !o.is_empty()).map(face).collect()
            }
            _ => vec![],
        }
    }

    /// The radius that shows how a disk has turned.
    fn spoke(&self, actor: &Actor) -> Option<Item> {
        let Form::Ball { centre, radius, spoke } = &actor.form else { return None };
        if radius * self.scale < 3.0 * self.layout.thin {
            return None;
        }
        let points = vec![self.pixel(&(centre + 0.35 * spoke)), self.pixel(&(centre + 0.9 * spoke))];
        let strong = if actor.colour.is_dark() { WHITE } else { self.theme.outline };
        let faint = strong.mix(actor.colour, 0.35);
        let width = (1.1 * self.layout.thin).min(0.1 * radius * self.scale);
        Some(Item::Path { points, closed: false, fill: None, stroke: Some(line(faint, width)) })
    }
}

/// Half the larger side of the box around some points.
fn reach(points: &[Pixel]) -> f64 {
    let side = |k: usize| {
        let values = points.iter().map(|p| p[k]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    };
    0.5 * side(0).max(side(1))
}

/// What of a frame lies behind the line through `at` with the outward normal, in pixels; a little beyond the frame.
fn cut(frame: &Frame, at: Pixel, outward: Pixel) -> Vec<Pixel> {
    let beyond = 8.0;
    let frame = Frame {
        x: frame.x - beyond,
        y: frame.y - beyond,
        width: frame.width + 2.0 * beyond,
        height: frame.height + 2.0 * beyond,
    };
    let corners = frame.corners();
    let height = |p: &Pixel| (p[0] - at[0]) * outward[0] + (p[1] - at[1]) * outward[1];
    let mut kept = Vec::new();
    for (k, a) in corners.iter().enumerate() {
        let b = &corners[(k + 1) % corners.len()];
        let (ha, hb) = (height(a), height(b));
        if ha <= 0.0 {
            kept.push(*a);
        }
        if (ha < 0.0 && hb > 0.0) || (ha > 0.0 && hb < 0.0) {
            let share = ha / (ha - hb);
            kept.push([a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]);
        }
    }
    kept
}
