//! Legends: the colour scale or the groups, and below them the thickness of forces.

use super::field::{Key, Paint, Scale};
use super::force::{Bars, Kind};
use super::layout::Layout;
use super::marks::{self, Mark};
use crate::canvas::{Anchor, Frame, Item, line};
use crate::colour::{Colour, Theme};
use crate::number::{decade_ticks, engineering, label, linear_ticks, round_below, short, superscript};
use crate::text::{self, Weight};

/// All legends of a picture in the layout's column.
pub fn items(
    layout: &Layout,
    paint: &Paint,
    bars: &Bars,
    marks: &[Mark],
    pixels_per_metre: f64,
    theme: &Theme,
) -> Vec<Item> {
    let mut items = Vec::new();
    let mut top = layout.legend.y;
    match &paint.key {
        Key::None => {}
        Key::Scale { name, unit, whole, scale: values, paper_share } => {
            let colour = |x| values.map.at(x).mix(theme.paper, *paper_share);
            top = scale(&mut items, layout, (name, unit, *whole), values, &colour, top, theme);
        }
        Key::Groups(groups) => top = names(&mut items, layout, groups, top, theme),
    }
    if !bars.bars.is_empty() {
        top = forces(&mut items, layout, bars, pixels_per_metre, top, theme);
    }
    if !marks.is_empty() {
        statuses(&mut items, layout, marks, top, theme);
    }
    items
}

/// The heading of a legend, on two lines if unit and name do not fit on one. Returns where the legend goes on.
fn heading(items: &mut Vec<Item>, layout: &Layout, name: &str, unit: &str, top: f64, theme: &Theme) -> f64 {
    let Frame { x, width, .. } = layout.legend;
    let bracket = if unit.is_empty() || unit == "-" { String::new() } else { format!("[{unit}]") };
    let whole = format!("{name} {bracket}");
    let lines = if text::width(&whole, layout.font, Weight::Regular) <= width {
        vec![whole]
    } else {
        vec![name.into(), bracket]
    };
    let mut y = top + layout.font;
    for text in lines {
        let text = text::fitted(text.trim(), layout.font, Weight::Regular, width);
        items.push(layout.words(&text, [x, y], Anchor::Start, Weight::Regular, theme));
        y += 1.35 * layout.font;
    }
    y - 0.6 * layout.font
}

fn scale(
    items: &mut Vec<Item>,
    layout: &Layout,
    (name, si, whole): (&str, &str, bool),
    values: &Scale,
    colour: &dyn Fn(f64) -> Colour,
    top: f64,
    theme: &Theme,
) -> f64 {
    let Scale { low, high, log, .. } = *values;
    let (factor, unit) = if log { (1.0, si.to_string()) } else { engineering(low.abs().max(high.abs()), si) };
    let top = heading(items, layout, name, &unit, top, theme);
    let bar = Frame { x: layout.legend.x, y: top, width: 1.4 * layout.font, height: 9.5 * layout.font };
    let steps = 96;
    for k in 0..steps {
        // Each reaches to the top and is painted over by the next: no seams.
        let slice = Frame { height: bar.height * (steps - k) as f64 / steps as f64, ..bar };
        let fill = Some(colour((k as f64 + 0.5) / steps as f64));
        items.push(Item::Path { points: slice.corners(), closed: true, fill, stroke: None });
    }
    let edge = line(theme.pale_ink, layout.thin);
    items.push(Item::Path { points: bar.corners(), closed: true, fill: None, stroke: Some(edge) });
    for (value, text) in scale_ticks(values, factor, whole) {
        let y = bar.bottom() - bar.height * values.place(value);
        let points = vec![[bar.right(), y], [bar.right() + 0.4 * layout.font, y]];
        items.push(Item::Path { points, closed: false, fill: None, stroke: Some(edge) });
        let at = [bar.right() + 0.7 * layout.font, y + 0.36 * layout.font];
        items.push(layout.words(&text, at, Anchor::Start, Weight::Regular, theme));
    }
    bar.bottom() + 1.2 * layout.font
}

/// Values of a colour scale with their labels.
fn scale_ticks(values: &Scale, factor: f64, whole: bool) -> Vec<(f64, String)> {
    let Scale { low, high, log, .. } = *values;
    let decades = if log { decade_ticks(low, high, 6) } else { vec![] };
    if decades.len() > 1 {
        return decades.into_iter().map(|e| (10f64.powi(e), format!("10{}", superscript(e)))).collect();
    }
    let ticks = linear_ticks(low / factor, high / factor, 5);
    // A count has no halves.
    let step = if whole { ticks.step.max(1.0) } else { ticks.step };
    let kept = ticks.at.into_iter().filter(|v| !whole || v.fract() == 0.0);
    kept.map(|v| (v * factor, if log { short(v) } else { label(v, step) })).collect()
}

fn names(items: &mut Vec<Item>, layout: &Layout, groups: &[(String, Colour)], top: f64, theme: &Theme) -> f64 {
    let mut y = heading(items, layout, "group", "", top, theme);
    let (x, font) = (layout.legend.x, layout.font);
    let room = layout.legend.width - 1.7 * font;
    let most = 10;
    for (k, (name, colour)) in groups.iter().enumerate().take(most) {
        let rest = groups.len() - most.min(groups.len());
        let name = if k + 1 == most && rest > 0 { format!("… and {} more", rest + 1) } else { name.clone() };
        let square = Frame { x, y, width: font, height: font };
        let edge = Some(line(theme.outline, layout.thin));
        items.push(Item::Path { points: square.corners(), closed: true, fill: Some(*colour), stroke: edge });
        let name = text::fitted(&name, font, Weight::Regular, room);
        items.push(layout.words(&name, [x + 1.6 * font, y + 0.86 * font], Anchor::Start, Weight::Regular, theme));
        y += 1.6 * font;
    }
    y + font
}

/// Three bars of round forces, as thick as in the picture.
fn forces(items: &mut Vec<Item>, layout: &Layout, bars: &Bars, pixels_per_metre: f64, top: f64, theme: &Theme) -> f64 {
    let (name, si) = bars.label.as_ref().map_or(("contact force", "N"), |(name, unit)| (name, unit));
    let (factor, unit) = engineering(bars.largest, si);
    let top = heading(items, layout, name, &unit, top, theme);
    let colour = bars.bars.last().filter(|_| bars.label.is_some()).map_or(theme.force, |bar| bar.kind.colour(theme));
    let (x, font) = (layout.legend.x, layout.font);
    let largest = round_below(bars.largest);
    let next = round_below(0.51 * largest);
    let mut y = top + 0.8 * font;
    for force in [largest, next, round_below(0.51 * next)] {
        let width = bar_width(bars, force, pixels_per_metre, layout);
        y += 0.5 * width.max(0.5 * font);
        let points = vec![[x + 0.5 * width, y], [x + 2.8 * font - 0.5 * width, y]];
        items.push(Item::Path { points, closed: false, fill: None, stroke: Some(line(colour, width)) });
        let at = [x + 3.6 * font, y + 0.36 * font];
        items.push(layout.words(&short(force / factor), at, Anchor::Start, Weight::Regular, theme));
        y += 0.5 * width + 1.0 * font;
    }
    // Colours are explained where there is more than one.
    let kinds: Vec<Kind> = Kind::ALL.into_iter().rev().filter(|k| bars.bars.iter().any(|b| b.kind == *k)).collect();
    if kinds != [Kind::Strong] && bars.label.is_none() {
        for kind in &kinds {
            let words = match kind {
                Kind::Tension => "pulls".to_string(),
                Kind::Strong if !kinds.contains(&Kind::Weak) => "pushes".to_string(),
                Kind::Strong => "above the mean".to_string(),
                Kind::Weak => "below the mean".to_string(),
            };
            y = entry(items, layout, kind.colour(theme), &words, y, theme);
        }
        y += 0.4 * font;
    }
    y + 0.4 * font
}

/// A square of a colour and what it means. Returns where the next goes.
fn entry(items: &mut Vec<Item>, layout: &Layout, colour: Colour, words: &str, y: f64, theme: &Theme) -> f64 {
    let (x, font) = (layout.legend.x, layout.font);
    let square = Frame { x, y: y + 0.1 * font, width: 0.8 * font, height: 0.8 * font };
    items.push(Item::Path { points: square.corners(), closed: true, fill: Some(colour), stroke: None });
    let words = text::fitted(words, font, Weight::Regular, layout.legend.width - 1.4 * font);
    items.push(layout.words(&words, [x + 1.3 * font, y + 0.86 * font], Anchor::Start, Weight::Regular, theme));
    y + 1.5 * font
}

/// What the colours of contact points mean, and how many there are of each.
fn statuses(items: &mut Vec<Item>, layout: &Layout, marks: &[Mark], top: f64, theme: &Theme) {
    let mut y = heading(items, layout, "contacts", "", top, theme);
    for (kind, name) in marks::listed(marks).rev() {
        let words = format!("{name}: {}", marks::count(marks, kind));
        y = entry(items, layout, marks::colour(kind, theme), &words, y, theme);
    }
}

/// Width of a force in the picture [pixels]: true to scale, but never wider than two lines of text nor
/// thinner, for the largest, than an eighth of one.
pub fn bar_width(bars: &Bars, force: f64, pixels_per_metre: f64, layout: &Layout) -> f64 {
    let widest = (bars.thickness * pixels_per_metre).clamp(0.12 * layout.font, 1.6 * layout.font);
    widest * force / bars.largest
}
