//! Films as GIF: one palette for all frames, LZW codes, and of each frame only the box that changed.
//!
//! The palette is found by median cut (Heckbert 1982): the box of colours with the most samples times its longest side
//! is halved at its median, until there are 255; the last entry means "as before".

use super::DrawError;
use super::canvas::Picture;
use super::raster;
use std::collections::BTreeMap;

/// Entry of the palette that leaves a pixel as it was.
const SAME: u8 = 255;

/// Red, green and blue of a picture, row by row.
pub struct Pixels {
    /// Pixels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Pixels.
    pub rgb: Vec<[u8; 3]>,
}

impl Pixels {
    /// Draws a picture.
    pub fn of(picture: &Picture) -> Result<Self, DrawError> {
        let map = raster::pixels(picture)?;
        let size = |n: u32| u16::try_from(n).map_err(|_| DrawError::Size);
        let rgb = map.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        Ok(Self { width: size(map.width())?, height: size(map.height())?, rgb })
    }
}

/// A film that is being put together: frames of the same size, given in order.
pub struct Gif {
    bytes: Vec<u8>,
    palette: Vec<[u8; 3]>,
    known: BTreeMap<u16, u8>,
    width: u16,
    height: u16,
    before: Vec<u8>,
    delay: u16,
}

impl Gif {
    /// A film of `rate` frames a second whose palette fits the sample frames.
    pub fn new(samples: &[Pixels], rate: f64) -> Result<Self, DrawError> {
        let first = samples.first().ok_or(DrawError::Size)?;
        let palette = palette(samples.iter().flat_map(|s| s.rgb.iter().copied()), usize::from(SAME));
        let mut bytes = b"GIF89a".to_vec();
        bytes.extend([first.width.to_le_bytes(), first.height.to_le_bytes()].concat());
        // A table of 256 colours of 8 bits; for ever repeated.
        bytes.extend([0xF7, 0, 0]);
        for k in 0..256 {
            bytes.extend(palette.get(k).copied().unwrap_or_default());
        }
        bytes.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00");
        let delay = (100.0 / rate.clamp(0.1, 50.0)).round() as u16;
        let (width, height) = (first.width, first.height);
        Ok(Self { bytes, palette, known: BTreeMap::new(), width, height, before: vec![], delay })
    }

    /// Adds a frame; what is larger than the first is cut, what is smaller is filled up.
    pub fn add(&mut self, frame: &Pixels) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let mut now = vec![0u8; width * height];
        for y in 0..height.min(usize::from(frame.height)) {
            for x in 0..width.min(usize::from(frame.width)) {
                now[y * width + x] = self.nearest(frame.rgb[y * usize::from(frame.width) + x]);
            }
        }
        let changed = |k: usize| self.before.get(k) != Some(&now[k]);
        let (mut low, mut high) = ([width - 1, height - 1], [0, 0]);
        for k in (0..now.len()).filter(|&k| changed(k)) {
            low = [low[0].min(k % width), low[1].min(k / width)];
            high = [high[0].max(k % width), high[1].max(k / width)];
        }
        // A frame without a change still takes its time: one pixel.
        if high < low {
            (low, high) = ([0, 0], [0, 0]);
        }
        let rows = low[1]..=high[1];
        let codes: Vec<u8> = rows
            .flat_map(|y| (low[0]..=high[0]).map(move |x| y * width + x))
            .map(|k| if changed(k) { now[k] } else { SAME })
            .collect();
        let [a, b] = self.delay.to_le_bytes();
        self.bytes.extend([0x21, 0xF9, 4, 0b0000_0101, a, b, SAME, 0, 0x2C]);
        let size = [low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1];
        size.iter().for_each(|&s| self.bytes.extend((s as u16).to_le_bytes()));
        self.bytes.extend([0, 8]);
        for block in lzw(&codes).chunks(255) {
            self.bytes.push(block.len() as u8);
            self.bytes.extend(block);
        }
        self.bytes.push(0);
        self.before = now;
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0x3B);
        self.bytes
    }

    fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let palette = &self.palette;
        *self.known.entry(key(colour)).or_insert_with(|| {
            let centre = colour_of(key(colour));
            let distance = |p: &[u8; 3]| (0..3).map(|k| (i32::from(p[k]) - i32::from(centre[k])).pow(2)).sum::<i32>();
            (0..palette.len()).min_by_key(|&k| distance(&palette[k])).unwrap_or(0) as u8
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

/// At most `count` colours that stand for all pixels.
fn palette(pixels: impl Iterator<Item = [u8; 3]>, count: usize) -> Vec<[u8; 3]> {
    let mut found: BTreeMap<u16, u64> = BTreeMap::new();
    pixels.for_each(|p| *found.entry(key(p)).or_default() += 1);
    let mut boxes: Vec<Vec<(u16, u64)>> = vec![found.into_iter().collect()];
    let side = |colours: &[(u16, u64)], k: usize| {
        let values = || colours.iter().map(|c| colour_of(c.0)[k]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    while boxes.len() < count {
        let longest = |b: &[(u16, u64)]| (0..3).max_by_key(|&k| side(b, k)).unwrap_or(0);
        // Few pixels of a far colour matter too: the root of the number counts.
        let weight = |b: &Vec<(u16, u64)>| {
            let pixels: u64 = b.iter().map(|c| c.1).sum();
            if b.len() < 2 { 0.0 } else { (pixels as f64).sqrt() * f64::from(side(b, longest(b))) }
        };
        let Some(widest) = (0..boxes.len()).max_by(|&a, &b| weight(&boxes[a]).total_cmp(&weight(&boxes[b]))) else {
            break;
        };
        if weight(&boxes[widest]) == 0.0 {
            break;
        }
        let mut colours = boxes.swap_remove(widest);
        let channel = longest(&colours);
        colours.sort_by_key(|c| (colour_of(c.0)[channel], c.0));
        let total: u64 = colours.iter().map(|c| c.1).sum();
        let mut sum = 0;
        let half = colours.iter().position(|c| {
            sum += c.1;
            2 * sum >= total
        });
        let at = half.unwrap_or(0).clamp(1, colours.len() - 1);
        let rest = colours.split_off(at);
        boxes.extend([colours, rest]);
    }
    let mean = |b: &Vec<(u16, u64)>| {
        let total = b.iter().map(|c| c.1).sum::<u64>().max(1);
        [0, 1, 2].map(|k| (b.iter().map(|c| u64::from(colour_of(c.0)[k]) * c.1).sum::<u64>() / total) as u8)
    };
    boxes.iter().map(mean).collect()
}

/// Codes of 9 to 12 bits for strings of bytes seen before, low bits first.
fn lzw(data: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let (mut out, mut held, mut bits) = (Vec::new(), 0u32, 0u32);
    let mut put = |code: u16, size: u32| {
        held |= u32::from(code) << bits;
        bits += size;
        while bits >= 8 {
            out.push(held as u8);
            held >>= 8;
            bits -= 8;
        }
        if code == END && bits > 0 {
            out.push(held as u8);
        }
    };
    let (mut next, mut size) = (END + 1, 9);
    // Which code stands for a known string and one more byte; 0 for none.
    let mut longer = vec![0u16; 4096 * 256];
    put(CLEAR, size);
    let mut string: Option<u16> = None;
    for &byte in data {
        let Some(known) = string else {
            string = Some(u16::from(byte));
            continue;
        };
        let slot = usize::from(known) * 256 + usize::from(byte);
        if longer[slot] != 0 {
            string = Some(longer[slot]);
            continue;
        }
        put(known, size);
        longer[slot] = next;
        next += 1;
        if next > 1 << size {
            size += 1;
        }
        if next == 4096 {
            put(CLEAR, 12);
            longer.fill(0);
            (next, size) = (END + 1, 9);
        }
        string = Some(u16::from(byte));
    }
    if let Some(known) = string {
        put(known, size);
        // The reader enters one more string after this code, and may widen its codes.
        if next + 1 > 1 << size && size < 12 {
            size += 1;
        }
    }
    put(END, size);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads codes as the standard tells readers to.
    fn unlzw(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut table: Vec<Vec<u8>> = Vec::new();
        let reset = |table: &mut Vec<Vec<u8>>| *table = (0..258u16).map(|k| vec![k as u8]).collect();
        let (mut at, mut size, mut last): (usize, u32, Option<usize>) = (0, 9, None);
        loop {
            let code = (0..size as usize).map(|k| usize::from(bytes[(at + k) / 8] >> ((at + k) % 8) & 1) << k).sum();
            at += size as usize;
            match code {
                256 => {
                    reset(&mut table);
                    (size, last) = (9, None);
                    continue;
                }
                257 => return out,
                _ => {}
            }
            let string = match (table.get(code), last) {
                (Some(s), _) => s.clone(),
                (None, Some(l)) => [&table[l][..], &table[l][..1]].concat(),
                _ => panic!("a code that was never made"),
            };
            if let Some(l) = last.filter(|_| table.len() < 4096) {
                table.push([&table[l][..], &string[..1]].concat());
            }
            if table.len() == 1 << size && size < 12 {
                size += 1;
            }
            out.extend(&string);
            last = Some(code);
        }
    }

    #[test]
    fn codes_come_back() {
        let mut seed = 1u64;
        for length in [0usize, 1, 2, 255, 256, 511, 5_000, 200_000] {
            let data: Vec<u8> = (0..length)
                .map(|k| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    if k % 7 < 4 { 3 } else { (seed >> 60) as u8 }
                })
                .collect();
            assert!(unlzw(&lzw(&data)) == data, "{length} bytes");
        }
    }

    #[test]
    fn few_colours_are_kept_and_many_are_near() {
        let few: Vec<[u8; 3]> = vec![[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 0, 0]];
        let mut kept = palette(few.into_iter(), 255);
        kept.sort();
        assert_eq!(kept, [[0, 0, 0], [255, 0, 0], [255, 255, 255]]);
        let many: Vec<[u8; 3]> = (0..=255).map(|k| [k, 255 - k, k / 2]).collect();
        let sample = Pixels { width: 256, height: 1, rgb: many.clone() };
        let mut gif = Gif::new(&[sample], 10.0).unwrap();
        for colour in many {
            let k = usize::from(gif.nearest(colour));
            assert!((0..3).all(|c| gif.palette[k][c].abs_diff(colour[c]) <= 12), "{colour:?} {:?}", gif.palette[k]);
        }
    }

    #[test]
    fn a_frame_stores_only_what_changed() {
        let frame = |x: usize| {
            let mut rgb = vec![[255; 3]; 100 * 50];
            rgb[20 * 100 + x] = [200, 0, 0];
            Pixels { width: 100, height: 50, rgb }
        };
        let mut gif = Gif::new(&[frame(3), frame(4)], 25.0).unwrap();
        gif.add(&frame(3));
        let whole = gif.bytes.len();
        gif.add(&frame(4));
        let second = gif.bytes[whole..].to_vec();
        assert_eq!(&second[9..17], &[3, 0, 20, 0, 2, 0, 1, 0], "box at (3, 20), 2 × 1");
        assert_eq!(second[4..6], [4, 0], "four hundredths of a second");
        assert_eq!(gif.finish().last(), Some(&0x3B));
    }
}
