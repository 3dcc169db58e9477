//! A figure as an SVG document. Text stays text, in a family whose widths are those we measured.

use super::DrawError;
use super::canvas::{Anchor, Item, Line, Picture, Pixel, Text};
use super::colour::Colour;
use super::text::Weight;
use std::fmt::Write;

/// The whole document.
pub fn document(picture: &Picture) -> Result<String, DrawError> {
    let (w, h) = (picture.width, picture.height);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n"
    );
    out += &format!("<rect width=\"{w}\" height=\"{h}\"{}/>\n", fill(Some(picture.paper)));
    let mut clips = 0;
    for item in &picture.items {
        element(&mut out, item, &mut clips)?;
    }
    out += "</svg>\n";
    Ok(out)
}

fn element(out: &mut String, item: &Item, clips: &mut usize) -> Result<(), DrawError> {
    match item {
        Item::Path { points, closed, fill: inside, stroke: line } => {
            let (inside, line) = (fill(*inside), stroke(*line));
            *out += &match closed {
                true => format!("<polygon points=\"{}\"{inside}{line}/>\n", corners(points)),
                false => format!("<path d=\"{}\"{inside}{line}/>\n", steps(points)),
            };
        }
        Item::Circle { centre, radius, fill: inside, stroke: line } => {
            let [x, y, r] = [centre[0], centre[1], *radius].map(coordinate);
            *out += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{}{}/>\n", fill(*inside), stroke(*line));
        }
        Item::Text(t) => text(out, t),
        Item::Image { at, width, height, rgb } => {
            let data = base64(&super::raster::encode(*width, *height, png::ColorType::Rgb, rgb)?);
            let [x, y] = at.map(coordinate);
            *out += &format!(
                "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 href=\"data:image/png;base64,{data}\"/>\n"
            );
        }
        Item::Clipped { frame, items } => {
            *clips += 1;
            let id = *clips;
            let [x, y, w, h] = [frame.x, frame.y, frame.width, frame.height].map(coordinate);
            *out += &format!(
                "<clipPath id=\"clip{id}\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/></clipPath>\n\
                 <g clip-path=\"url(#clip{id})\">\n"
            );
            for item in items {
                element(out, item, clips)?;
            }
            *out += "</g>\n";
        }
    }
    Ok(())
}

fn text(out: &mut String, t: &Text) {
    let anchor = match t.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let [x, y] = t.at.map(coordinate);
    let weight = if t.weight == Weight::Bold { " font-weight=\"bold\"" } else { "" };
    let turn = if t.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let (size, words) = (coordinate(t.size), escaped(&t.text));
    let colour = fill(Some(t.colour));
    *out += &format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{weight}{colour}{turn}>{words}</text>\n"
    );
}

/// A hundredth of a pixel is below what can be seen, and keeps the file small.
fn coordinate(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

fn corners(points: &[Pixel]) -> String {
    let pairs: Vec<String> = points.iter().map(|p| format!("{},{}", coordinate(p[0]), coordinate(p[1]))).collect();
    pairs.join(" ")
}

/// From corner to corner, each as the way from the one before: half as long as the places themselves. Steps are between
/// rounded places, so that they do not add up to an error.
fn steps(points: &[Pixel]) -> String {
    let hundredths = |p: &Pixel| p.map(|x| (100.0 * x).round());
    let mut out = String::new();
    let mut last = [0.0, 0.0];
    for (k, p) in points.iter().map(hundredths).enumerate() {
        let [x, y] = [0, 1].map(|j| coordinate((p[j] - last[j]) / 100.0));
        // A minus sign parts numbers as well as a space does.
        let space = |number: &str| if number.starts_with('-') { "" } else { " " };
        out += match k {
            0 => "M",
            1 => "l",
            _ => space(&x),
        };
        out += &format!("{x}{}{y}", space(&y));
        last = p;
    }
    // A single point is seen as a dot.
    if points.len() == 1 { out + "l0 0" } else { out }
}

fn fill(colour: Option<Colour>) -> String {
    colour.map_or(" fill=\"none\"".into(), |c| paint("fill", c))
}

fn stroke(stroke: Option<Line>) -> String {
    let Some(line) = stroke else { return String::new() };
    let mut out = paint("stroke", line.colour);
    let _ = write!(out, " stroke-width=\"{}\" stroke-linejoin=\"round\"", coordinate(line.width));
    if line.dashed {
        let _ = write!(out, " stroke-dasharray=\"{0} {0}\"", coordinate(4.0 * line.width));
    } else {
        out += " stroke-linecap=\"round\"";
    }
    out
}

fn paint(property: &str, c: Colour) -> String {
    let [r, g, b] = c.rgb;
    let mut out = format!(" {property}=\"#{r:02x}{g:02x}{b:02x}\"");
    if c.alpha < 255 {
        let _ = write!(out, " {property}-opacity=\"{}\"", coordinate(c.alpha as f64 / 255.0));
    }
    out
}

/// Text that XML takes as text; control characters, which XML forbids, become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\u{FFFE}' | '\u{FFFF}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |g, &b| g << 8 | b as u32) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            let digit = ALPHABET[(group >> (18 - 6 * k)) as usize & 63] as char;
            out.push(if k <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_standard_examples() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn a_way_of_steps_ends_where_its_last_corner_is() {
        assert_eq!(steps(&[[1.0, 2.0]]), "M1 2l0 0");
        assert_eq!(steps(&[[10.0, 20.5], [11.25, 20.0], [9.0, 21.0]]), "M10 20.5l1.25-0.5-2.25 1");
        let many: Vec<Pixel> = (0..1000).map(|k| [f64::from(k) / 3.0, f64::from(k) / 7.0]).collect();
        let way = steps(&many).replace(['M', 'l'], " ").replace('-', " -");
        let numbers: Vec<f64> = way.split_whitespace().filter_map(|t| t.parse().ok()).collect();
        assert_eq!(numbers.len(), 2000);
        let end = |first: usize| numbers.iter().skip(first).step_by(2).sum::<f64>();
        assert!((end(0) - 333.0).abs() < 1e-6 && (end(1) - 142.71).abs() < 1e-6, "{} {}", end(0), end(1));
    }

    #[test]
    fn text_cannot_break_the_document() {
        assert_eq!(escaped("a<b> & \"c\"\u{0}"), "a&lt;b&gt; &amp; &quot;c&quot; ");
        assert_eq!((coordinate(-0.001), coordinate(2.50)), ("0".into(), "2.5".into()));
    }
}
