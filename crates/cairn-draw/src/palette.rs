//! Few colours that stand for many, for films and small PNG files.
//!
//! They are found by median cut (Heckbert 1982): the box of colours with the most samples times its longest side is halved
//! at its median, until there are enough.

use std::collections::BTreeMap;

/// At most 256 colours.
pub struct Palette {
    /// Red, green and blue.
    pub colours: Vec<[u8; 3]>,
    /// Nearest colours found before.
    known: BTreeMap<u16, u8>,
}

impl Palette {
    /// At most `count` colours that stand for all pixels.
    pub fn of(pixels: impl Iterator<Item = [u8; 3]>, count: usize) -> Self {
        let mut found: BTreeMap<u16, u64> = BTreeMap::new();
        pixels.for_each(|p| *found.entry(key(p)).or_default() += 1);
        let mut boxes: Vec<Vec<(u16, u64)>> = vec![found.into_iter().collect()];
        while boxes.len() < count {
            let Some(widest) = (0..boxes.len()).max_by(|&a, &b| weight(&boxes[a]).total_cmp(&weight(&boxes[b]))) else {
                break;
            };
            if weight(&boxes[widest]) == 0.0 {
                break;
            }
            let halves = halved(boxes.swap_remove(widest));
            boxes.extend(halves);
        }
        Self { colours: boxes.iter().map(|b| mean(b)).collect(), known: BTreeMap::new() }
    }

    /// Number of the colour that is nearest to this one.
    pub fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let colours = &self.colours;
        *self.known.entry(key(colour)).or_insert_with(|| {
            let centre = colour_of(key(colour));
            let distance = |p: &[u8; 3]| (0..3).map(|k| (i32::from(p[k]) - i32::from(centre[k])).pow(2)).sum::<i32>();
            (0..colours.len()).min_by_key(|&k| distance(&colours[k])).unwrap_or(0) as u8
        })
    }
}

/// Five bits a channel.
fn key([r, g, b]: [u8; 3]) -> u16 {
    u16::from(r >> 3) << 10 | u16::from(g >> 3) << 5 | u16::from(b >> 3)
}

fn colour_of(key: u16) -> [u8; 3] {
    [key >> 10, key >> 5, key].map(|c| ((c & 31) as u8) << 3 | ((c & 31) as u8) >> 2)
}

/// Longest side of a box of colours: which channel, and how long.
fn longest(colours: &[(u16, u64)]) -> (usize, u8) {
    let side = |k: usize| {
        let values = || colours.iter().map(|c| colour_of(c.0)[k]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    (0..3).map(|k| (k, side(k))).max_by_key(|(_, length)| *length).unwrap_or((0, 0))
}

/// How much a box asks to be halved. Few pixels of a far colour matter too: the root of the number counts.
fn weight(colours: &[(u16, u64)]) -> f64 {
    let pixels: u64 = colours.iter().map(|c| c.1).sum();
    if colours.len() < 2 { 0.0 } else { (pixels as f64).sqrt() * f64::from(longest(colours).1) }
}

/// The two halves of a box of at least two colours.
fn halved(mut colours: Vec<(u16, u64)>) -> [Vec<(u16, u64)>; 2] {
    let channel = longest(&colours).0;
    colours.sort_by_key(|c| (colour_of(c.0)[channel], c.0));
    let total: u64 = colours.iter().map(|c| c.1).sum();
    let mut sum = 0;
    let half = colours.iter().position(|c| {
        sum += c.1;
        2 * sum >= total
    });
    let at = half.unwrap_or(0).clamp(1, colours.len() - 1);
    let rest = colours.split_off(at);
    [colours, rest]
}

fn mean(colours: &[(u16, u64)]) -> [u8; 3] {
    let total = colours.iter().map(|c| c.1).sum::<u64>().max(1);
    [0, 1, 2].map(|k| (colours.iter().map(|c| u64::from(colour_of(c.0)[k]) * c.1).sum::<u64>() / total) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_near() {
        let few: Vec<[u8; 3]> = vec![[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 0, 0]];
        let mut kept = Palette::of(few.into_iter(), 255).colours;
        kept.sort();
        assert_eq!(kept, [[0, 0, 0], [255, 0, 0], [255, 255, 255]]);
        let many: Vec<[u8; 3]> = (0..=255).map(|k| [k, 255 - k, k / 2]).collect();
        let mut palette = Palette::of(many.iter().copied(), 255);
        for colour in many {
            let number = palette.nearest(colour);
            let near = palette.colours[usize::from(number)];
            assert!((0..3).all(|c| near[c].abs_diff(colour[c]) <= 12), "{colour:?} {near:?}");
        }
    }
}
