//! A series on its panel: lines, markers, and no more points than can be seen.

use super::axis::Scale;
use super::{LINE_COLOURS, Series, Style, colour};
use crate::canvas::{Frame, Item, Line, Pixel};

/// What a series looks like within `frame`.
pub fn items(series: &Series, k: usize, frame: &Frame, scales: [&Scale; 2], width: f64) -> Vec<Item> {
    let place = |&(x, y): &(f64, f64)| {
        let (u, v) = (scales[0].place(x)?, scales[1].place(y)?);
        Some([frame.x + u * frame.width, frame.bottom() - v * frame.height])
    };
    let placed: Vec<Option<Pixel>> = series.points.iter().map(place).collect();
    let mut out = Vec::new();
    if series.style != Style::Points {
        out.extend(runs(&placed).into_iter().filter_map(|run| polyline(run, k, series.style, width)));
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
    let ends = vec![[x, y], [x + length, y]];
    let mut out = Vec::new();
    if style != Style::Points {
        out.extend(polyline(ends, k, style, width));
    }
    if matches!(style, Style::Points | Style::LinePoints) {
        out.push(marker([x + 0.5 * length, y], k, 2.6 * width));
    }
    out
}

/// Stretches of points without a gap. A gap of less than a pixel cannot be seen and is none.
fn runs(placed: &[Option<Pixel>]) -> Vec<Vec<Pixel>> {
    let mut out: Vec<Vec<Pixel>> = Vec::new();
    for stretch in placed.split(|p| p.is_none()).filter(|s| !s.is_empty()) {
        let points: Vec<Pixel> = stretch.iter().flatten().copied().collect();
        match out.last_mut() {
            Some(last) if last.last().is_some_and(|p| (points[0][0] - p[0]).abs() < 1.0) => last.extend(points),
            _ => out.push(points),
        }
    }
    out
}

fn polyline(run: Vec<Pixel>, k: usize, style: Style, width: f64) -> Option<Item> {
    let points = straightened(&thinned(run));
    if points.is_empty() {
        return None;
    }
    // Where colours come again, lines are broken.
    let dashed = style == Style::Dashed || k / LINE_COLOURS % 2 == 1;
    let stroke = Line { colour: colour(k), width, dashed };
    Some(Item::Path { points, closed: false, fill: None, stroke: Some(stroke) })
}

/// Where many points in a row share a column of pixels: the lowest and the highest of them, in order; and both ends.
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
        out.extend([low.min(high), low.max(high)].map(|k| column[k]));
    }
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        out.insert(0, *first);
        out.push(*last);
    }
    out.dedup();
    out
}

/// How far a curve may be moved where it is made simpler [pixels]: less than can be seen.
const UNSEEN: f64 = 0.1;

/// The curve with as few corners as keep it within [`UNSEEN`], on a grid of that width (Ramer 1972, Douglas and Peucker
/// 1973): a file holds no digits that cannot be seen. With a stack of its own, since curves may be long.
fn straightened(points: &[Pixel]) -> Vec<Pixel> {
    let mut kept = vec![false; points.len()];
    let mut spans = Vec::new();
    if let Some(last) = points.len().checked_sub(1) {
        (kept[0], kept[last]) = (true, true);
        spans.push((0, last));
    }
    while let Some((a, b)) = spans.pop() {
        let away = |k: &usize| distance(points[*k], points[a], points[b]);
        let farthest = (a + 1..b).max_by(|i, j| away(i).total_cmp(&away(j)));
        if let Some(k) = farthest.filter(|k| away(k) > UNSEEN) {
            kept[k] = true;
            spans.extend([(a, k), (k, b)]);
        }
    }
    let on_grid = |p: &Pixel| p.map(|x| (x / UNSEEN).round() * UNSEEN);
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(p, _)| on_grid(p)).collect()
}

/// Distance of p from the segment from a to b.
fn distance(p: Pixel, a: Pixel, b: Pixel) -> f64 {
    let [u, v] = [[b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]];
    let square = u[0] * u[0] + u[1] * u[1];
    let along = if square > 0.0 { ((u[0] * v[0] + u[1] * v[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (v[0] - along * u[0]).hypot(v[1] - along * u[1])
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
        assert!(few.len() <= 204, "{}", few.len());
        assert_eq!((few[0], few[few.len() - 1]), (many[0], many[9_999]));
        assert!(few.iter().any(|p| p[1] == 0.0) && few.iter().any(|p| p[1] == 100.0));
    }

    #[test]
    fn gaps_that_can_be_seen_stay() {
        let at = |x: f64| Some([x, 5.0]);
        let stretches = runs(&[None, at(1.0), at(1.2), None, at(1.6), None, None, at(9.0), None]);
        assert_eq!(stretches, [vec![[1.0, 5.0], [1.2, 5.0], [1.6, 5.0]], vec![[9.0, 5.0]]]);
        assert!(runs(&[None, None]).is_empty());
    }

    #[test]
    fn a_simpler_curve_is_the_same_to_the_eye() {
        let wave: Vec<Pixel> = (0..900).map(f64::from).map(|x| [x, 200.0 + 90.0 * (x / 70.0).sin()]).collect();
        let few = straightened(&wave);
        assert!(few.len() < 250, "{}", few.len());
        for p in &wave {
            let nearest = few.windows(2).map(|w| distance(*p, w[0], w[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest < 2.0 * UNSEEN, "{nearest}");
        }
        // A line has two ends, a corner stays, and nothing comes of nothing.
        let corner = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 1.0], [4.0, 0.0]];
        assert_eq!(straightened(&corner), [[0.0, 0.0], [2.0, 2.0], [4.0, 0.0]]);
        assert_eq!(straightened(&[]), Vec::<Pixel>::new());
    }
}
