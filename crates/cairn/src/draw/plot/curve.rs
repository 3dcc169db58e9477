//! A series on its panel: lines, markers, and no more points than can be seen.

use super::axis::Scale;
use super::{Series, Style, colour};
use crate::draw::canvas::{Frame, Item, Line, Pixel};

/// What a series looks like within `frame`.
pub fn items(series: &Series, k: usize, frame: &Frame, scales: [&Scale; 2], width: f64) -> Vec<Item> {
    let place = |&(x, y): &(f64, f64)| {
        let (u, v) = (scales[0].place(x)?, scales[1].place(y)?);
        Some([frame.x + u * frame.width, frame.bottom() - v * frame.height])
    };
    let placed: Vec<Option<Pixel>> = series.points.iter().map(place).collect();
    let mut out = Vec::new();
    if series.style != Style::Points {
        let runs = placed.split(|p| p.is_none());
        out.extend(runs.filter_map(|run| polyline(run, k, series.style, width)));
    }
    if matches!(series.style, Style::Points | Style::LinePoints) {
        let inside = |p: &&Pixel| {
            (frame.x - 1.0..=frame.right() + 1.0).contains(&p[0])
                && (frame.y - 1.0..=frame.bottom() + 1.0).contains(&p[1])
        };
        out.extend(placed.iter().flatten().filter(inside).map(|p| marker(*p, k, 2.6 * width)));
    }
    out
}

/// The sample of a series in the legend.
pub fn sample(style: Style, k: usize, at: Pixel, length: f64, width: f64) -> Vec<Item> {
    let [x, y] = at;
    let ends = [Some([x, y]), Some([x + length, y])];
    let mut out = Vec::new();
    if style != Style::Points {
        out.extend(polyline(&ends, k, style, width));
    }
    if matches!(style, Style::Points | Style::LinePoints) {
        out.push(marker([x + 0.5 * length, y], k, 2.6 * width));
    }
    out
}

fn polyline(run: &[Option<Pixel>], k: usize, style: Style, width: f64) -> Option<Item> {
    let points = thinned(run.iter().flatten().copied().collect());
    if points.is_empty() {
        return None;
    }
    let stroke = Line { colour: colour(k), width, dashed: style == Style::Dashed };
    Some(Item::Path { points, closed: false, fill: None, stroke: Some(stroke) })
}

/// Where many points in a row share a column of pixels: the first, lowest, highest and last of them, in order.
fn thinned(points: Vec<Pixel>) -> Vec<Pixel> {
    let mut out: Vec<Pixel> = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        if column.len() <= 4 {
            out.extend_from_slice(column);
            continue;
        }
        let by_height = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
        let low = (0..column.len()).min_by(by_height).unwrap_or(0);
        let high = (0..column.len()).max_by(by_height).unwrap_or(0);
        let mut kept = vec![0, low.min(high), low.max(high), column.len() - 1];
        kept.dedup();
        out.extend(kept.into_iter().map(|k| column[k]));
    }
    out
}

/// Markers differ in form as well as in colour, for print without colours.
fn marker(at: Pixel, k: usize, radius: f64) -> Item {
    let (fill, stroke) = (Some(colour(k)), None);
    let corners: &[[f64; 2]] = match k % 4 {
        1 => &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
        2 => &[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
        3 => &[[0.0, -1.25], [1.25, 0.0], [0.0, 1.25], [-1.25, 0.0]],
        _ => return Item::Circle { centre: at, radius, fill, stroke },
    };
    let points = corners.iter().map(|c| [at[0] + radius * c[0], at[1] + radius * c[1]]).collect();
    Item::Path { points, closed: true, fill, stroke }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_envelope_and_the_ends() {
        let many: Vec<Pixel> = (0..10_000).map(|k| [k as f64 * 0.01, ((k * 37) % 101) as f64]).collect();
        let few = thinned(many.clone());
        assert!(few.len() <= 404, "{}", few.len());
        assert_eq!((few[0], few[few.len() - 1]), (many[0], many[9_999]));
        assert!(few.iter().any(|p| p[1] == 0.0) && few.iter().any(|p| p[1] == 100.0));
    }
}
