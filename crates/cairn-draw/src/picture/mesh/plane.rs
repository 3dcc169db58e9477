//! 2D meshes as flat polygons: each triangle is cut along lines of equal value into bands of one colour, so that the
//! picture stays a vector graphic.

use super::Placed;
use crate::canvas::{Item, Pixel, line};
use crate::colour::{Colour, Theme};
use crate::picture::layout::Layout;
use nalgebra::Vector3;

/// Bands over the whole colour scale: steps that the eye does not see.
const BANDS: f64 = 64.0;

/// Triangles, then element edges, then crosses.
pub fn items(mesh: &Placed, pixel: &dyn Fn(&Vector3<f64>) -> Pixel, layout: &Layout, theme: &Theme) -> Vec<Item> {
    let mut items = Vec::new();
    let fill = |points: Vec<Pixel>, place: f64| {
        let colour = mesh.scale.map_or(theme.body, |s| s.map.at(place));
        // A hair of the same colour closes the seams between neighbours.
        Item::Path { points, closed: true, fill: Some(colour), stroke: Some(line(colour, 0.8 * layout.thin)) }
    };
    let corners = |facet: &[u32; 3]| facet.map(|n| pixel(&mesh.nodes[n as usize]));
    // Whole triangles in their mean colour lie below the bands: what shines through a seam is nearly of the same colour.
    for (facet, values) in &mesh.facets {
        items.push(fill(corners(facet).to_vec(), mean(values)));
    }
    for (facet, values) in &mesh.facets {
        let pieces = bands(&corners(facet), values);
        items.extend(pieces.into_iter().map(|(points, place)| fill(points, place)));
    }
    let mut draw = |ends: [Vector3<f64>; 2], colour: Colour, width: f64| {
        let points = ends.iter().map(pixel).collect();
        items.push(Item::Path { points, closed: false, fill: None, stroke: Some(line(colour, width * layout.thin)) });
    };
    for edge in &mesh.edges {
        draw(edge.map(|n| mesh.nodes[n as usize]), theme.outline.with_alpha(150), 0.7);
    }
    for (ends, pulls) in &mesh.arms {
        draw(*ends, if *pulls { theme.tension } else { theme.force }, 2.2);
    }
    items
}

fn mean(values: &[f64; 3]) -> f64 {
    values.iter().sum::<f64>() / 3.0
}

/// The pieces of a triangle between neighbouring levels, each with the value in its middle; none if a single colour is enough.
fn bands(corners: &[Pixel; 3], values: &[f64; 3]) -> Vec<(Vec<Pixel>, f64)> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min).clamp(0.0, 1.0);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).clamp(0.0, 1.0);
    let (first, last) = ((low * BANDS).floor() as i64, ((high * BANDS).ceil() as i64).max(1) - 1);
    if values.iter().any(|v| v.is_nan()) || last <= first {
        return Vec::new();
    }
    let whole: Vec<(Pixel, f64)> = corners.iter().copied().zip(values.iter().map(|v| v.clamp(0.0, 1.0))).collect();
    let band = |k: i64| {
        let piece = cut(&cut(&whole, k as f64 / BANDS, 1.0), (k + 1) as f64 / BANDS, -1.0);
        let points: Vec<Pixel> = piece.iter().map(|p| p.0).collect();
        (points.len() > 2).then_some((points, (k as f64 + 0.5) / BANDS))
    };
    (first..=last).filter_map(band).collect()
}

/// The part of a polygon where (value − level)·side ≥ 0.
fn cut(corners: &[(Pixel, f64)], level: f64, side: f64) -> Vec<(Pixel, f64)> {
    let mut kept = Vec::new();
    for (k, a) in corners.iter().enumerate() {
        let b = &corners[(k + 1) % corners.len()];
        let (ha, hb) = ((a.1 - level) * side, (b.1 - level) * side);
        if ha >= 0.0 {
            kept.push(*a);
        }
        if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
            let s = ha / (ha - hb);
            kept.push(([a.0[0] + s * (b.0[0] - a.0[0]), a.0[1] + s * (b.0[1] - a.0[1])], level));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[Pixel]) -> f64 {
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        0.5 * pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
    }

    #[test]
    fn bands_fill_the_triangle_and_have_its_mean_value() {
        let corners = [[0.0, 0.0], [90.0, 10.0], [20.0, 70.0]];
        let values = [0.03, 0.5, 0.91];
        let pieces = bands(&corners, &values);
        let total: f64 = pieces.iter().map(|p| area(&p.0)).sum();
        assert!((total / area(&corners) - 1.0).abs() < 1e-12, "{total}");
        let mean = pieces.iter().map(|p| area(&p.0) * p.1).sum::<f64>() / total;
        assert!((mean - values.iter().sum::<f64>() / 3.0).abs() < 1e-3, "{mean}");
        assert!(bands(&corners, &[0.5; 3]).is_empty());
        assert!(bands(&corners, &[f64::NAN, 0.0, 1.0]).is_empty());
    }
}
