//! Roses: densities over directions as closed curves in polar coordinates, with the isotropic circle for comparison.

use super::{Sizes, THEME, colour, segment, words};
use crate::canvas::{Anchor, Item, Line, Picture, Pixel, line};
use crate::number::{label, linear_ticks};
use crate::text::Weight;

/// A spread of directions.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rose {
    /// Name in the legend.
    pub name: String,
    /// Direction [rad] and density; 1 is isotropic. Directions cover half a turn, the other half is the same.
    pub sectors: Vec<(f64, f64)>,
}

/// Draws roses over each other, `width` pixels wide.
pub fn rose(title: &str, roses: &[Rose], width: u32) -> Picture {
    let width = f64::from(width.clamp(200, 20_000));
    let sizes = Sizes { font: 0.022 * width, gap: 0.013 * width, thin: 0.0014 * width };
    let font = sizes.font;
    let largest = roses.iter().flat_map(|r| &r.sectors).map(|s| s.1).filter(|d| d.is_finite()).fold(1.0, f64::max);
    let ticks = linear_ticks(0.0, 1.05 * largest, 4);
    let head = 2.4 * font + 1.6 * font * roses.len() as f64;
    let radius = 0.5 * width - 3.5 * font;
    let centre = [0.5 * width, head + radius + 2.0 * font];
    let at = |angle: f64, density: f64| -> Pixel {
        let r = radius * density / (1.05 * largest);
        [centre[0] + r * angle.cos(), centre[1] - r * angle.sin()]
    };

    let mut items = vec![words(title, [sizes.gap, 1.6 * font], 1.2 * font, Anchor::Start, Weight::Bold)];
    let circle = |density: f64, stroke: Line| {
        let radius = radius * density / (1.05 * largest);
        Item::Circle { centre, radius, fill: None, stroke: Some(stroke) }
    };
    for &tick in ticks.at.iter().filter(|t| **t > 0.0) {
        items.push(circle(tick, line(THEME.grid, sizes.thin)));
    }
    for k in 0..6 {
        let angle = f64::from(k) * std::f64::consts::PI / 6.0;
        items.push(segment(at(angle, 1.05 * largest), at(angle, -1.05 * largest), line(THEME.grid, sizes.thin)));
    }
    items.push(circle(1.0, Line { dashed: true, ..line(THEME.pale_ink, 1.5 * sizes.thin) }));
    for k in 0..12 {
        let angle = f64::from(k) * std::f64::consts::PI / 6.0;
        let [x, y] = at(angle, (radius + 1.4 * font) / radius * 1.05 * largest);
        items.push(words(&format!("{}°", 30 * k), [x, y + 0.36 * font], font, Anchor::Middle, Weight::Regular));
    }
    for (k, rose) in roses.iter().enumerate() {
        let half = |turn: f64| rose.sectors.iter().map(move |s| (s.0 + turn, s.1));
        let points = half(0.0).chain(half(std::f64::consts::PI)).map(|(a, d)| at(a, d)).collect();
        let stroke = Some(line(colour(k), 2.2 * sizes.thin));
        items.push(Item::Path { points, closed: true, fill: Some(colour(k).with_alpha(40)), stroke });
        let y = 3.4 * font + 1.6 * font * k as f64;
        items.push(segment(
            [sizes.gap, y - 0.35 * font],
            [sizes.gap + 2.0 * font, y - 0.35 * font],
            line(colour(k), 2.2 * sizes.thin),
        ));
        items.push(words(&rose.name, [sizes.gap + 2.6 * font, y], font, Anchor::Start, Weight::Regular));
    }
    for &tick in ticks.at.iter().filter(|t| **t > 0.0) {
        let [x, y] = at(1.309, tick);
        items.push(words(&label(tick, ticks.step), [x, y], 0.85 * font, Anchor::Middle, Weight::Regular));
    }
    let foot = "density of contact directions; 1 (dashed) is isotropic";
    let below = centre[1] + radius + 3.4 * font;
    items.push(words(foot, [0.5 * width, below], font, Anchor::Middle, Weight::Regular));
    Picture { width: width as u32, height: (below + font).ceil() as u32, paper: THEME.paper, items }
}
