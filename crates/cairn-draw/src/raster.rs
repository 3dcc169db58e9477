//! A figure as pixels: antialiased fills and lines by tiny-skia, text from its outlines, PNG by the png crate.

use super::DrawError;
use super::canvas::{Anchor, Frame, Item, Line, Picture, Pixel, Text};
use super::colour::Colour;
use super::palette::Palette;
use super::text::{self, Stroke as Glyph};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke, StrokeDash};
use tiny_skia::{PremultipliedColorU8, Transform};

/// The figure as a PNG file.
pub fn png(picture: &Picture) -> Result<Vec<u8>, DrawError> {
    let pixels = pixels(picture)?;
    let rgb: Vec<u8> = pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    encode(picture.width, picture.height, png::ColorType::Rgb, &rgb)
}

/// The figure as a PNG file of at most 256 colours, with a palette: a third of the size or less.
pub fn small_png(picture: &Picture) -> Result<Vec<u8>, DrawError> {
    let pixels = pixels(picture)?;
    let colours = || pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]);
    let mut palette = Palette::of(colours(), 256);
    let numbers: Vec<u8> = colours().map(|c| palette.nearest(c)).collect();
    write_png(picture.width, picture.height, &numbers, |encoder| {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette.colours.concat());
        encoder.set_compression(png::Compression::High);
        // Numbers of colours are no amounts: differences of neighbours mean nothing.
        encoder.set_filter(png::Filter::NoFilter);
    })
}

/// The figure as opaque pixels.
pub fn pixels(picture: &Picture) -> Result<Pixmap, DrawError> {
    let mut map = Pixmap::new(picture.width, picture.height).ok_or(DrawError::Size)?;
    let [r, g, b] = picture.paper.rgb;
    map.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    for item in &picture.items {
        draw(&mut map, item, [0.0, 0.0]);
    }
    Ok(map)
}

/// A PNG file of 8-bit pixels.
pub fn encode(width: u32, height: u32, kind: png::ColorType, data: &[u8]) -> Result<Vec<u8>, DrawError> {
    write_png(width, height, data, |encoder| encoder.set_color(kind))
}

fn write_png(
    width: u32,
    height: u32,
    data: &[u8],
    choose: impl FnOnce(&mut png::Encoder<&mut Vec<u8>>),
) -> Result<Vec<u8>, DrawError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_depth(png::BitDepth::Eight);
    choose(&mut encoder);
    let mut writer = encoder.write_header().map_err(DrawError::Png)?;
    writer.write_image_data(data).map_err(DrawError::Png)?;
    writer.finish().map_err(DrawError::Png)?;
    Ok(out)
}

/// Draws an item on a map whose upper left corner is at `origin` of the figure.
fn draw(map: &mut Pixmap, item: &Item, origin: Pixel) {
    let place = Transform::from_translate(-origin[0] as f32, -origin[1] as f32);
    match item {
        Item::Path { points, closed, fill, stroke } => {
            if let Some(path) = path(points, *closed) {
                fill_and_stroke(map, &path, *fill, *stroke, place);
            }
        }
        Item::Circle { centre, radius, fill, stroke } => {
            let circle = PathBuilder::from_circle(centre[0] as f32, centre[1] as f32, *radius as f32);
            if let Some(path) = circle {
                fill_and_stroke(map, &path, *fill, *stroke, place);
            }
        }
        Item::Text(t) => draw_text(map, t, place),
        Item::Image { at, width, height, rgb } => {
            paste(map, [at[0] - origin[0], at[1] - origin[1]], *width, *height, rgb)
        }
        Item::Clipped { frame, items } => draw_clipped(map, frame, items, origin),
    }
}

/// The window is drawn on a map of its own, on top of what is behind it, and put back.
fn draw_clipped(map: &mut Pixmap, frame: &Frame, items: &[Item], origin: Pixel) {
    let (left, top) = (frame.x.round(), frame.y.round());
    let (width, height) = ((frame.right().round() - left) as u32, (frame.bottom().round() - top) as u32);
    let Some(mut window) = Pixmap::new(width, height) else { return };
    for item in items {
        draw(&mut window, item, [left, top]);
    }
    let (x, y) = ((left - origin[0]) as i32, (top - origin[1]) as i32);
    map.draw_pixmap(x, y, window.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
}

fn paste(map: &mut Pixmap, at: Pixel, width: u32, height: u32, rgb: &[u8]) {
    let (x0, y0) = (at[0].round() as i64, at[1].round() as i64);
    let (map_width, map_height) = (map.width() as i64, map.height() as i64);
    for row in 0..height as i64 {
        for column in 0..width as i64 {
            let (x, y) = (x0 + column, y0 + row);
            let from = 3 * (row * width as i64 + column) as usize;
            if (0..map_width).contains(&x) && (0..map_height).contains(&y) && from + 2 < rgb.len() {
                let colour = PremultipliedColorU8::from_rgba(rgb[from], rgb[from + 1], rgb[from + 2], 255);
                map.pixels_mut()[(y * map_width + x) as usize] = colour.unwrap_or(PremultipliedColorU8::TRANSPARENT);
            }
        }
    }
}

fn path(points: &[Pixel], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let mut points = points.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let first = points.next()?;
    builder.move_to(first[0] as f32, first[1] as f32);
    for p in points {
        builder.line_to(p[0] as f32, p[1] as f32);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn fill_and_stroke(map: &mut Pixmap, path: &Path, fill: Option<Colour>, stroke: Option<Line>, place: Transform) {
    if let Some(colour) = fill {
        map.fill_path(path, &paint(colour), FillRule::Winding, place, None);
    }
    if let Some(line) = stroke {
        let dash = (4.0 * line.width) as f32;
        let stroke = Stroke {
            width: line.width as f32,
            line_cap: if line.dashed { LineCap::Butt } else { LineCap::Round },
            line_join: LineJoin::Round,
            dash: if line.dashed { StrokeDash::new(vec![dash, dash], 0.0) } else { None },
            ..Stroke::default()
        };
        map.stroke_path(path, &paint(line.colour), &stroke, place, None);
    }
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    let [r, g, b] = colour.rgb;
    paint.set_color_rgba8(r, g, b, colour.alpha);
    paint
}

fn draw_text(map: &mut Pixmap, t: &Text, place: Transform) {
    let shift = match t.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * text::width(&t.text, t.size, t.weight),
        Anchor::End => -text::width(&t.text, t.size, t.weight),
    };
    let put = |p: [f64; 2]| {
        let (along, below) = (p[0] + shift, p[1]);
        let [x, y] = if t.upwards { [below, -along] } else { [along, below] };
        ((t.at[0] + x) as f32, (t.at[1] + y) as f32)
    };
    let mut builder = PathBuilder::new();
    for stroke in text::outline(&t.text, t.size, t.weight) {
        match stroke {
            Glyph::Move(p) => {
                let (x, y) = put(p);
                builder.move_to(x, y);
            }
            Glyph::Line(p) => {
                let (x, y) = put(p);
                builder.line_to(x, y);
            }
            Glyph::Quad(m, p) => {
                let ((mx, my), (x, y)) = (put(m), put(p));
                builder.quad_to(mx, my, x, y);
            }
        }
    }
    if let Some(path) = builder.finish() {
        map.fill_path(&path, &paint(t.colour), FillRule::Winding, place, None);
    }
}
