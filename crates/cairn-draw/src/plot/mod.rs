//! Plots: curves and points on one or several panels that share their x axis.
//!
//! ```text
//!  title
//!  ── kinetic  ── friction        legend above each panel: it never covers data
//!  ┌───────────────────────┐
//!  │                       │ energy [kJ]
//!  └───────────────────────┘
//!            time [s]
//! ```

mod axis;
mod curve;
mod history;
mod rose;

pub use history::history_plot;
pub use rose::{Rose, rose};

use super::canvas::{Anchor, Frame, Item, Line, Picture, Text, line};
use super::colour::{Colour, LIGHT, LINE_COLOURS, Theme, of_line};
use super::text::{self, Weight};
use axis::Scale;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Line.
    #[default]
    Line,
    /// Broken line, for references and bounds.
    Dashed,
    /// Markers.
    Points,
    /// Markers joined by a line.
    LinePoints,
}

/// A curve or a set of points.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Series {
    /// Name in the legend; nothing there if empty.
    pub name: String,
    /// Line, markers or both.
    pub style: Style,
    /// (x, y) in the units of the axes. What is not finite (or not positive on a log axis) leaves a gap.
    pub points: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Unit of the data; "" or "-" for none. The axis may show it with a prefix.
    pub unit: String,
    /// Logarithmic?
    pub log: bool,
    /// Ends; chosen from the data if not given.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str, unit: &str) -> Self {
        Self { label: label.into(), unit: unit.into(), ..Self::default() }
    }
    /// A logarithmic axis.
    pub fn log(label: &str, unit: &str) -> Self {
        Self { log: true, ..Self::linear(label, unit) }
    }
}

/// One pair of axes with its series.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Panel {
    /// Vertical axis.
    pub y: Axis,
    /// What is plotted.
    pub series: Vec<Series>,
}

/// A plot: panels above each other, over the same x.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PlotData {
    /// Title; no room is taken if empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Panels, from above to below.
    pub panels: Vec<Panel>,
}

/// Size of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotOptions {
    /// Width [pixels].
    pub width: u32,
    /// Height of the axes of one panel [pixels].
    pub panel_height: u32,
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self { width: 1000, panel_height: 480 }
    }
}

const THEME: Theme = LIGHT;

/// Sizes that follow from the width, so that a plot looks the same at any resolution.
struct Sizes {
    /// Pixels per em of labels.
    font: f64,
    /// Free space between things.
    gap: f64,
    /// Width of axes.
    thin: f64,
}

/// Draws a plot.
pub fn plot(data: &PlotData, options: &PlotOptions) -> Picture {
    let width = options.width.clamp(200, 20_000) as f64;
    let panel_height = options.panel_height.clamp(60, 20_000) as f64;
    let sizes = Sizes { font: 0.017 * width, gap: 0.01 * width, thin: 0.0011 * width };
    let x = axis::horizontal(data);
    let scales: Vec<Scale> = data.panels.iter().map(|p| axis::vertical(p, panel_height / sizes.font)).collect();
    let ticks = scales.iter().flat_map(|s| s.ticks(panel_height / sizes.font / 2.5)).map(|t| t.1);
    let widest = ticks.map(|t| text::width(&t, sizes.font, Weight::Regular)).fold(0.0, f64::max);
    let titles =
        scales.iter().zip(&data.panels).map(|(s, p)| upright_lines(&s.title(&p.y), panel_height, &sizes).len());
    let left = widest + 1.3 * sizes.font * titles.max().unwrap_or(1) as f64 + 2.5 * sizes.gap;
    let inner = width - left - 3.0 * sizes.font;

    let mut items = Vec::new();
    let mut top = sizes.gap;
    if !data.title.is_empty() {
        let size = 1.2 * sizes.font;
        let title = text::fitted(&data.title, size, Weight::Bold, width - left - sizes.gap);
        top += size;
        items.push(words(&title, [left, top], size, Anchor::Start, Weight::Bold));
        top += sizes.gap;
    }
    for (k, (panel, y)) in data.panels.iter().zip(&scales).enumerate() {
        top = legend(&mut items, panel, [left, top + sizes.gap], inner, &sizes);
        let frame = Frame { x: left, y: top, width: inner, height: panel_height };
        let last = k + 1 == data.panels.len();
        axes(&mut items, &frame, [&x, y], last.then_some(&data.x), &panel.y, &sizes);
        let curves = panel.series.iter().enumerate();
        let drawn = curves.flat_map(|(k, s)| curve::items(s, k, &frame, [&x, y], 0.0019 * width)).collect();
        items.push(Item::Clipped { frame: grown(&frame, 0.6 * sizes.font), items: drawn });
        top = frame.bottom() + sizes.gap;
    }
    let height = (top + 3.4 * sizes.font).ceil() as u32;
    Picture { width: width as u32, height, paper: THEME.paper, items }
}

/// Markers on the frame itself are seen whole.
fn grown(frame: &Frame, by: f64) -> Frame {
    Frame { x: frame.x - by, y: frame.y - by, width: frame.width + 2.0 * by, height: frame.height + 2.0 * by }
}

fn words(text: &str, at: [f64; 2], size: f64, anchor: Anchor, weight: Weight) -> Item {
    Item::Text(Text { at, text: text.into(), size, weight, anchor, colour: THEME.ink, upwards: false })
}

fn segment(a: [f64; 2], b: [f64; 2], stroke: Line) -> Item {
    Item::Path { points: vec![a, b], closed: false, fill: None, stroke: Some(stroke) }
}

/// Entries in rows from the left, starting a new row where the next does not fit. Returns where the panel may start.
fn legend(items: &mut Vec<Item>, panel: &Panel, at: [f64; 2], room: f64, sizes: &Sizes) -> f64 {
    let key = 2.2 * sizes.font;
    let row = 1.5 * sizes.font;
    let [mut x, mut y] = [at[0], at[1]];
    let mut any = false;
    for (k, series) in panel.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
        let name = text::fitted(&series.name, sizes.font, Weight::Regular, room - key - sizes.gap);
        let length = key + 0.5 * sizes.font + text::width(&name, sizes.font, Weight::Regular);
        if any && x + length > at[0] + room {
            (x, y) = (at[0], y + row);
        }
        let middle = y + 0.6 * sizes.font;
        items.extend(curve::sample(series.style, k, [x, middle], key, 0.13 * sizes.font));
        items.push(words(
            &name,
            [x + key + 0.5 * sizes.font, y + sizes.font],
            sizes.font,
            Anchor::Start,
            Weight::Regular,
        ));
        x += length + 1.5 * sizes.font;
        any = true;
    }
    if any { y + row } else { at[1] + 0.5 * sizes.gap }
}

/// Frame, grid, ticks and labels; numbers and label of the x axis only under the last panel.
fn axes(
    items: &mut Vec<Item>,
    frame: &Frame,
    scales: [&Scale; 2],
    x_axis: Option<&Axis>,
    y_axis: &Axis,
    sizes: &Sizes,
) {
    let [x, y] = scales;
    let (font, grid) = (sizes.font, line(THEME.grid, sizes.thin));
    let mut tick_labels = Vec::new();
    let widest = x.ticks(6.0).iter().map(|t| text::width(&t.1, font, Weight::Regular)).fold(font, f64::max);
    for (value, label) in x.ticks((frame.width / (widest + 2.5 * font)).min(10.0)) {
        let at = frame.x + value * frame.width;
        items.push(segment([at, frame.y], [at, frame.bottom()], grid));
        let below = frame.bottom() + 1.3 * font;
        tick_labels.push(words(&label, [at, below], font, Anchor::Middle, Weight::Regular));
    }
    for (value, label) in y.ticks(frame.height / font / 2.5) {
        let at = frame.bottom() - value * frame.height;
        items.push(segment([frame.x, at], [frame.right(), at], grid));
        let corner = [frame.x - sizes.gap, at + 0.36 * font];
        items.push(words(&label, corner, font, Anchor::End, Weight::Regular));
    }
    let border = Some(line(THEME.pale_ink, sizes.thin));
    let tick = 0.35 * font;
    for at in x.minor_ticks().into_iter().map(|p| frame.x + p * frame.width) {
        items.push(segment([at, frame.bottom()], [at, frame.bottom() - tick], line(THEME.pale_ink, sizes.thin)));
    }
    for at in y.minor_ticks().into_iter().map(|p| frame.bottom() - p * frame.height) {
        items.push(segment([frame.x, at], [frame.x + tick, at], line(THEME.pale_ink, sizes.thin)));
    }
    items.push(Item::Path { points: frame.corners(), closed: true, fill: None, stroke: border });
    for (k, text) in upright_lines(&y.title(y_axis), frame.height, sizes).into_iter().enumerate() {
        items.push(Item::Text(Text {
            at: [(1.2 + 1.3 * k as f64) * font, frame.y + 0.5 * frame.height],
            text,
            size: font,
            weight: Weight::Regular,
            anchor: Anchor::Middle,
            colour: THEME.ink,
            upwards: true,
        }));
    }
    if let Some(axis) = x_axis {
        items.append(&mut tick_labels);
        let at = [frame.x + 0.5 * frame.width, frame.bottom() + 2.8 * font];
        items.push(words(&x.title(axis), at, font, Anchor::Middle, Weight::Regular));
    }
}

/// The title of a vertical axis on one line, or on two where one is too long for the panel.
fn upright_lines(title: &str, room: f64, sizes: &Sizes) -> Vec<String> {
    let fits = |text: &str| text::width(text, sizes.font, Weight::Regular) <= room;
    let breaks = title.rmatch_indices(' ').map(|(at, _)| title.split_at(at));
    match breaks.into_iter().find(|(first, _)| fits(first)) {
        Some((first, rest)) if !fits(title) => {
            vec![first.into(), text::fitted(rest.trim(), sizes.font, Weight::Regular, room)]
        }
        _ => vec![text::fitted(title, sizes.font, Weight::Regular, room)],
    }
}

/// Colour of the k-th series.
fn colour(k: usize) -> Colour {
    of_line(k)
}

#[cfg(test)]
mod tests;
