//! Where things go: heading above, scene in the middle, legends in a column at the right, scale bar below.

use super::PictureOptions;
use super::field::{Key, Paint};
use super::force::{Bars, Kind};
use super::marks::{Mark, listed};
use crate::canvas::{Anchor, Frame, Item, Text, line};
use crate::colour::Theme;
use crate::number::{engineering, round_below, short};
use crate::text::{self, Weight};
use cairn::scene::TimeUnit;

/// Frames of a picture [pixels].
pub struct Layout {
    /// Of the picture.
    pub width: f64,
    /// Of the picture.
    pub height: f64,
    /// Pixels per em of labels.
    pub font: f64,
    /// Free space between things.
    pub gap: f64,
    /// Width of thin lines.
    pub thin: f64,
    /// Bodies.
    pub scene: Frame,
    /// Legends.
    pub legend: Frame,
}

impl Layout {
    /// Gives each its room; the height follows from the extent of the scene (width, height in any unit) if it is free.
    pub fn new(options: &PictureOptions, extent: &[f64; 2], paint: &Paint, bars: &Bars, marks: &[Mark]) -> Self {
        let width = options.width.clamp(64, 8192) as f64;
        let (font, gap) = (0.0155 * width, 0.016 * width);
        let lines = legend_lines(paint, bars, marks);
        let column = if lines > 0.0 { 0.19 * width } else { 0.0 };
        let head = if options.title { 3.2 * font } else { gap };
        let foot = 2.6 * font;
        let inner = width - 2.0 * gap - column;
        let natural = (inner * extent[1] / extent[0]).clamp(0.2 * width, 0.95 * width).max(lines * font);
        let height = options.height.map_or(natural + head + foot, |h| h.clamp(48, 8192) as f64).ceil();
        let scene = Frame { x: gap, y: head, width: inner.round(), height: (height - head - foot).max(8.0).round() };
        let legend = Frame { x: width - column, y: head, width: column - gap, height: scene.height };
        Self { width, height, font, gap, thin: 0.001 * width, scene, legend }
    }

    /// A text in the colour of ink.
    pub fn words(&self, text: &str, at: [f64; 2], anchor: Anchor, weight: Weight, theme: &Theme) -> Item {
        let size = if weight == Weight::Bold { 1.25 * self.font } else { self.font };
        Item::Text(Text { at, text: text.into(), size, weight, anchor, colour: theme.ink, upwards: false })
    }

    /// Title at the left and time at the right.
    pub fn heading(&self, title: &str, (time, unit): (f64, TimeUnit), theme: &Theme) -> Vec<Item> {
        let baseline = 2.0 * self.font;
        let clock = format!("t = {} {}", short(time / unit.seconds()), unit.symbol());
        let taken = text::width(&clock, self.font, Weight::Regular) + 3.0 * self.gap;
        let title = text::fitted(title, 1.25 * self.font, Weight::Bold, self.width - taken);
        vec![
            self.words(&title, [self.gap, baseline], Anchor::Start, Weight::Bold, theme),
            self.words(&clock, [self.width - self.gap, baseline], Anchor::End, Weight::Regular, theme),
        ]
    }

    /// A bar of round length at the left, and what could not be drawn at the right.
    pub fn foot(&self, pixels_per_metre: f64, lost: usize, theme: &Theme) -> Vec<Item> {
        let metres = round_below(0.2 * self.scene.width / pixels_per_metre);
        let (y, end) = (self.height - self.font, self.gap + metres * pixels_per_metre);
        let tick = 0.3 * self.font;
        let points = vec![[self.gap, y - tick], [self.gap, y], [end, y], [end, y - tick]];
        let stroke = Some(line(theme.ink, 1.8 * self.thin));
        let (factor, unit) = engineering(metres, "m");
        let label = format!("{} {unit}", short(metres / factor));
        let mut items = vec![
            Item::Path { points, closed: false, fill: None, stroke },
            self.words(&label, [end + 0.6 * self.font, y + 0.1 * self.font], Anchor::Start, Weight::Regular, theme),
        ];
        if lost > 0 {
            let noun = if lost == 1 { "body" } else { "bodies" };
            let note = format!("{lost} {noun} without a finite position not drawn");
            let at = [self.width - self.gap, y + 0.1 * self.font];
            items.push(self.words(&note, at, Anchor::End, Weight::Regular, theme));
        }
        items
    }
}

/// Height of the legends in lines of text.
fn legend_lines(paint: &Paint, bars: &Bars, marks: &[Mark]) -> f64 {
    let colours = match &paint.key {
        Key::None => 0.0,
        Key::Scale { .. } => 14.0,
        Key::Groups(groups) => 3.0 + 1.6 * groups.len().min(10) as f64,
    };
    let several = bars.label.is_none() && bars.bars.iter().any(|b| b.kind != Kind::Strong);
    let forces = if bars.bars.is_empty() { 0.0 } else { 8.0 } + if several { 5.0 } else { 0.0 };
    colours + forces + if marks.is_empty() { 0.0 } else { 2.5 + 1.5 * listed(marks).count() as f64 }
}
