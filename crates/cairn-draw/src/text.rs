//! Text: the DejaVu Sans faces carried inside the program, their widths and outlines.

use ab_glyph::{Font, FontRef, OutlineCurve};
use std::sync::LazyLock;

/// Upright or bold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Labels.
    Regular,
    /// Titles.
    Bold,
}

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| embedded(dejavu::sans::regular()));
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| embedded(dejavu::sans::bold()));

fn embedded(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the font inside the program is well-formed")
}

fn face(weight: Weight) -> &'static FontRef<'static> {
    match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    }
}

fn units_per_em(font: &FontRef) -> f64 {
    font.units_per_em().unwrap_or(2048.0) as f64
}

/// Width of a line of text [pixels] at a size of `size` pixels per em.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let font = face(weight);
    let advance: f64 = text.chars().map(|c| font.h_advance_unscaled(font.glyph_id(c)) as f64).sum();
    advance * size / units_per_em(font)
}

/// The text, cut with an ellipsis where it is wider than `room` pixels.
pub fn fitted(text: &str, size: f64, weight: Weight, room: f64) -> String {
    if width(text, size, weight) <= room {
        return text.to_string();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let shorter = kept.iter().collect::<String>().trim_end().to_string() + "…";
        if width(&shorter, size, weight) <= room {
            return shorter;
        }
    }
    String::new()
}

/// A piece of glyph outline, in pixels from the start of the baseline, y downwards.
pub enum Stroke {
    /// A new contour starts here.
    Move([f64; 2]),
    /// Straight to.
    Line([f64; 2]),
    /// Quadratic with a control point.
    Quad([f64; 2], [f64; 2]),
}

/// Outlines of a line of text whose baseline starts at the origin.
pub fn outline(text: &str, size: f64, weight: Weight) -> Vec<Stroke> {
    let font = face(weight);
    let scale = size / units_per_em(font);
    let (mut strokes, mut pen) = (Vec::new(), 0.0);
    for c in text.chars() {
        let glyph = font.glyph_id(c);
        let at = |p: &ab_glyph::Point| [pen + p.x as f64 * scale, -(p.y as f64) * scale];
        let mut last = None;
        for curve in font.outline(glyph).map(|o| o.curves).unwrap_or_default() {
            let (from, to, stroke) = match &curve {
                OutlineCurve::Line(a, b) => (*a, *b, Stroke::Line(at(b))),
                OutlineCurve::Quad(a, m, b) => (*a, *b, Stroke::Quad(at(m), at(b))),
                // TrueType outlines, as DejaVu's, have no cubics.
                OutlineCurve::Cubic(a, _, _, b) => (*a, *b, Stroke::Line(at(b))),
            };
            if last != Some(from) {
                strokes.push(Stroke::Move(at(&from)));
            }
            strokes.push(stroke);
            last = Some(to);
        }
        pen += font.h_advance_unscaled(glyph) as f64 * scale;
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_we_write_is_in_the_font() {
        for c in "−·⁰¹²³⁴⁵⁶⁷⁸⁹⁻µ…×²".chars() {
            assert_ne!(REGULAR.glyph_id(c).0, 0, "{c}");
            assert_ne!(BOLD.glyph_id(c).0, 0, "{c}");
        }
    }

    #[test]
    fn long_text_is_cut_to_its_room() {
        let cut = fitted("a very long title that does not fit", 20.0, Weight::Regular, 120.0);
        assert!(cut.ends_with('…') && width(&cut, 20.0, Weight::Regular) <= 120.0, "{cut}");
        assert_eq!(fitted("short", 20.0, Weight::Regular, 120.0), "short");
        assert_eq!(fitted("x", 20.0, Weight::Regular, 1.0), "");
    }
}
